"""The first look at a block: check it, collect its labels or columns, and compute plain sums."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from .._base.errors import InputError
from .._base.types import FloatArray, IntArray
from .._inputs.options import InputOptions
from .reading import labels_of_block, memberships_of_block, row_of
from .source import Chunk, Look, Place
from .statistics import LogSums

#: Most distinct labels of a clustering in blocks; all labels are sent to every block.
MOST_LABELS = 1 << 22

_NONE = np.zeros(0)


@dataclass(frozen=True, eq=False)
class LabelWord:
    """Labels of some blocks with their numbers of points, or the error if they cannot be read."""

    counts: dict[Any, int]
    fault: InputError | None = None


@dataclass(frozen=True, eq=False)
class LabelSurvey(Look[LabelWord]):
    """Count the points with each distinct label."""

    name: str

    def word(self, place: Place, *chunks: Any) -> LabelWord:
        """Count the labels of a block."""
        ((chunk, start),) = chunks
        try:
            codes, labels = labels_of_block(chunk, start, self.name)
        except InputError as error:
            return LabelWord({}, error)
        counts = np.bincount(codes, minlength=len(labels)).tolist()
        return LabelWord(dict(zip(labels, counts, strict=True)))

    def added(self, one: LabelWord, two: LabelWord) -> LabelWord:
        """Add the counts of each label."""
        fault = _first(one.fault, two.fault)
        if fault is not None:
            return LabelWord({}, fault)
        small, large = sorted((one.counts, two.counts), key=len)
        counts = dict(large)
        for label, count in small.items():
            counts[label] = counts.get(label, 0) + count
        if len(counts) > MOST_LABELS:
            return LabelWord({}, _too_many(self.name, len(counts)))
        return LabelWord(counts)


@dataclass(frozen=True, eq=False)
class RowWord:
    """Sums over the memberships of some blocks, or the error if they cannot be read.

    Attributes
    ----------
    n : int
        Number of rows.
    hard : bool
        Whether all rows are one-hot.
    some_hard : bool
        Whether any row has a membership of 1.
    mean, spread : array
        Mean of each column, and sum of squared deviations from it.
    low, high : array
        Smallest and largest entry of each column.
    positive : array of int
        Number of positive entries of each column.
    entries : array of int
        Number of rows with 0, 1, 2, … positive entries.
    smallest : float
        The smallest positive entry.
    below, logs : array
        As in :class:`LogSums`, at the finest resolution.
    fault : InputError or None
        The error if the rows cannot be read.
    """

    n: int = 0
    hard: bool = True
    some_hard: bool = False
    mean: FloatArray = field(default_factory=lambda: _NONE)
    spread: FloatArray = field(default_factory=lambda: _NONE)
    low: FloatArray = field(default_factory=lambda: _NONE)
    high: FloatArray = field(default_factory=lambda: _NONE)
    positive: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    entries: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    smallest: float = 1.0
    below: FloatArray = field(default_factory=lambda: _NONE)
    logs: FloatArray = field(default_factory=lambda: _NONE)
    fault: InputError | None = None


@dataclass(frozen=True, eq=False)
class RowSurvey(Look[RowWord]):
    """Check whether rows are memberships, and compute sums over their columns."""

    name: str
    options: InputOptions
    columns: tuple[str, ...] | None
    finest: float

    def word(self, place: Place, *chunks: Any) -> RowWord:
        """Check the rows of a block, and compute their sums."""
        ((chunk, start),) = chunks
        try:
            read = memberships_of_block(chunk, start, self.name, self.options, self.columns)
        except InputError as error:
            return RowWord(fault=error)
        rows = read.rows
        if rows is None:
            assert read.codes is not None
            rows = np.zeros((read.codes.size, read.k))
            rows[np.arange(read.codes.size), read.codes] = 1.0
        positive = rows > 0.0
        mean = rows.mean(axis=0)
        below, logs = LogSums(self.finest).word(place, rows)
        return RowWord(
            rows.shape[0],
            read.rows is None,
            bool((rows.max(axis=1) == 1.0).any()),
            mean,
            ((rows - mean) ** 2).sum(axis=0),
            rows.min(axis=0),
            rows.max(axis=0),
            positive.sum(axis=0),
            np.bincount(positive.sum(axis=1), minlength=rows.shape[1] + 1),
            float(np.min(rows, where=positive, initial=1.0)),
            below,
            logs,
        )

    def added(self, one: RowWord, two: RowWord) -> RowWord:
        """Add two words; means and deviations by the formulas of Chan, Golub and LeVeque."""
        fault = _first(one.fault, two.fault)
        if fault is not None:
            return RowWord(fault=fault)
        n = one.n + two.n
        apart = two.mean - one.mean
        return RowWord(
            n,
            one.hard and two.hard,
            one.some_hard or two.some_hard,
            one.mean + apart * (two.n / n),
            one.spread + two.spread + apart**2 * (one.n * two.n / n),
            np.minimum(one.low, two.low),
            np.maximum(one.high, two.high),
            one.positive + two.positive,
            one.entries + two.entries,
            min(one.smallest, two.smallest),
            one.below + two.below,
            one.logs + two.logs,
        )


@dataclass(frozen=True, eq=False)
class AtOnce(Look[tuple[Any, ...]]):
    """Several looks in one pass, each at some of the clusterings, given by their positions.

    The looks get rows as they were given, with the number of the first row; see ``as_given``.
    """

    looks: tuple[tuple[Look[Any], tuple[int, ...]], ...]

    def for_block(self, block: int) -> AtOnce:
        """Return the parts of the looks that concern one block."""
        return AtOnce(tuple((look.for_block(block), sides) for look, sides in self.looks))

    def word(self, place: Place, *chunks: Any) -> tuple[Any, ...]:
        """Return a word for each look."""
        return tuple(
            look.word(place, *((look.chosen(place, rows), start) for rows, start in given))
            for look, given in (
                (look, [chunks[side] for side in sides]) for look, sides in self.looks
            )
        )

    def added(self, one: tuple[Any, ...], two: tuple[Any, ...]) -> tuple[Any, ...]:
        """Add the words of each look."""
        return tuple(
            look.added(mine, more)
            for (look, _), mine, more in zip(self.looks, one, two, strict=True)
        )


@dataclass(frozen=True, eq=False)
class Take(Look[list[tuple[Any, ...]]]):
    """Collect given rows.

    Attributes
    ----------
    wanted : dict
        For each block, the wanted rows, numbered within it, and their positions in the result.
    """

    wanted: dict[int, tuple[IntArray, IntArray]]

    @classmethod
    def rows(cls, rows: IntArray, starts: IntArray) -> Take:
        """Return a look that collects rows, given by their numbers in the whole clustering."""
        block = np.searchsorted(starts, rows, side="right") - 1
        order = np.argsort(block, kind="stable")
        edges = np.flatnonzero(np.diff(block[order])) + 1
        return cls(
            {
                int(block[places[0]]): (rows[places] - starts[block[places[0]]], places)
                for places in np.split(order, edges)
                if places.size
            }
        )

    @property
    def blocks(self) -> list[int]:
        """The blocks that hold the rows."""
        return sorted(self.wanted)

    def for_block(self, block: int) -> Take:
        """Return the part of the look that concerns one block."""
        return Take({block: self.wanted[block]} if block in self.wanted else {})

    def chosen(self, place: Place, chunk: Chunk) -> Chunk:
        """Return the wanted rows of a block."""
        return chunk[self.wanted[place.number][0]] if place.number in self.wanted else chunk[:0]

    def word(self, place: Place, *chunks: Any) -> list[tuple[Any, ...]]:
        """Return the wanted rows of a block, and their positions in the result."""
        if place.number not in self.wanted:
            return []
        _, places = self.wanted[place.number]
        return [(places, *(chunk[0] if isinstance(chunk, tuple) else chunk for chunk in chunks))]

    def added(
        self, one: list[tuple[Any, ...]], two: list[tuple[Any, ...]]
    ) -> list[tuple[Any, ...]]:
        """Join two lists."""
        return [*one, *two]

    @staticmethod
    def in_order(word: Sequence[tuple[Any, ...]]) -> list[Chunk]:
        """Return the rows of each clustering in the order in which they were asked for."""
        places, *sides = (np.concatenate(parts) for parts in zip(*word, strict=True))
        order = np.argsort(places)
        return [side[order] for side in sides]


def _first(one: InputError | None, two: InputError | None) -> InputError | None:
    faults = [fault for fault in (one, two) if fault is not None]
    return min(faults, key=row_of) if faults else None


def _too_many(name: str, found: int) -> InputError:
    return InputError(
        "the {name} has more than {most:,} different labels, which is too many for a clustering "
        "in blocks. If they are one column of memberships or of measurements, pass memberships; "
        "if nearly every point is a cluster of its own, compare a sample of the points.",
        name=name,
        most=MOST_LABELS,
        value=found,
    )
