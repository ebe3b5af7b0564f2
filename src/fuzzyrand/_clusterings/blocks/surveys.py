"""The first look at a block: check it, collect its labels or columns, and compute plain sums."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from ..._base.errors import InputError
from ..._base.types import FloatArray, IntArray
from ..options import InputOptions
from ..treatment import AsRead
from .block_reading import labels_of_block, memberships_of_block, row_of
from .source import BlockPlace, BlockTask, Chunk
from .statistics import LogSums

#: Most distinct labels of a clustering in blocks; all labels are sent to every block.
MOST_LABELS = 1 << 22

_NONE = np.zeros(0)


@dataclass(frozen=True, eq=False)
class LabelSummary:
    """Labels of some blocks with their numbers of points, or the error if they cannot be read."""

    counts: dict[Any, int]
    fault: InputError | None = None


@dataclass(frozen=True, eq=False)
class LabelSurvey(BlockTask[LabelSummary]):
    """Count the points with each distinct label."""

    name: str

    def partial(self, place: BlockPlace, *chunks: Any) -> LabelSummary:
        """Count the labels of a block."""
        ((chunk, start),) = chunks
        try:
            codes, labels = labels_of_block(chunk, start, self.name)
        except InputError as error:
            return LabelSummary({}, error)
        counts = np.bincount(codes, minlength=len(labels)).tolist()
        return LabelSummary(dict(zip(labels, counts, strict=True)))

    def combined(self, one: LabelSummary, two: LabelSummary) -> LabelSummary:
        """Add the counts of each label."""
        fault = _first(one.fault, two.fault)
        if fault is not None:
            return LabelSummary({}, fault)
        small, large = sorted((one.counts, two.counts), key=len)
        counts = dict(large)
        for label, count in small.items():
            counts[label] = counts.get(label, 0) + count
        if len(counts) > MOST_LABELS:
            return LabelSummary({}, _too_many(self.name, len(counts)))
        return LabelSummary(counts)


@dataclass(frozen=True, eq=False)
class RowSummary:
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
        As in :class:`LogSums`, for rows as read.
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
class RowSurvey(BlockTask[RowSummary]):
    """Check whether rows are memberships, and compute sums over their columns."""

    name: str
    options: InputOptions
    columns: tuple[str, ...] | None
    finest: float

    def partial(self, place: BlockPlace, *chunks: Any) -> RowSummary:
        """Check the rows of a block, and compute their sums."""
        ((chunk, start),) = chunks
        try:
            read = memberships_of_block(chunk, start, self.name, self.options, self.columns)
        except InputError as error:
            return RowSummary(fault=error)
        rows = read.rows.dense
        positive = rows > 0.0
        mean = rows.mean(axis=0)
        below, logs, _ = LogSums(AsRead(self.finest)).partial(place, rows)
        return RowSummary(
            rows.shape[0],
            read.rows.hard,
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

    def combined(self, one: RowSummary, two: RowSummary) -> RowSummary:
        """Add two partial results, by the formulas of Chan, Golub and LeVeque."""
        fault = _first(one.fault, two.fault)
        if fault is not None:
            return RowSummary(fault=fault)
        n = one.n + two.n
        apart = two.mean - one.mean
        return RowSummary(
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
class AtOnce(BlockTask[tuple[Any, ...]]):
    """Several tasks in one pass, each at some of the clusterings, given by their positions.

    The tasks get rows as they were given, with the number of the first row; see ``as_given``.
    """

    tasks: tuple[tuple[BlockTask[Any], tuple[int, ...]], ...]

    def for_block(self, block: int) -> AtOnce:
        """Return the parts of the tasks that concern one block."""
        return AtOnce(tuple((task.for_block(block), sides) for task, sides in self.tasks))

    def partial(self, place: BlockPlace, *chunks: Any) -> tuple[Any, ...]:
        """Return a partial result for each task."""
        return tuple(
            task.partial(place, *((task.chosen(place, rows), start) for rows, start in given))
            for task, given in (
                (task, [chunks[side] for side in sides]) for task, sides in self.tasks
            )
        )

    def combined(self, one: tuple[Any, ...], two: tuple[Any, ...]) -> tuple[Any, ...]:
        """Add the partial results of each task."""
        return tuple(
            task.combined(mine, more)
            for (task, _), mine, more in zip(self.tasks, one, two, strict=True)
        )


@dataclass(frozen=True, eq=False)
class Take(BlockTask[list[tuple[Any, ...]]]):
    """Collect given rows.

    Attributes
    ----------
    wanted : dict
        For each block, the wanted rows, numbered within it, and their positions in the result.
    """

    wanted: dict[int, tuple[IntArray, IntArray]]

    @classmethod
    def rows(cls, rows: IntArray, starts: IntArray) -> Take:
        """Return a task that collects rows, given by their numbers in the whole clustering."""
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
        """Return the part of the task that concerns one block."""
        return Take({block: self.wanted[block]} if block in self.wanted else {})

    def chosen(self, place: BlockPlace, chunk: Chunk) -> Chunk:
        """Return the wanted rows of a block."""
        return chunk[self.wanted[place.number][0]] if place.number in self.wanted else chunk[:0]

    def partial(self, place: BlockPlace, *chunks: Any) -> list[tuple[Any, ...]]:
        """Return the wanted rows of a block, and their positions in the result."""
        if place.number not in self.wanted:
            return []
        _, places = self.wanted[place.number]
        return [(places, *(chunk[0] if isinstance(chunk, tuple) else chunk for chunk in chunks))]

    def combined(
        self, one: list[tuple[Any, ...]], two: list[tuple[Any, ...]]
    ) -> list[tuple[Any, ...]]:
        """Join two lists."""
        return [*one, *two]

    @staticmethod
    def in_order(partial: Sequence[tuple[Any, ...]]) -> list[Chunk]:
        """Return the rows of each clustering in the order in which they were asked for."""
        places, *sides = (np.concatenate(parts) for parts in zip(*partial, strict=True))
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
