"""A clustering in blocks: a Partition whose rows are only available through sums over blocks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NoReturn, cast

import numpy as np

from ..._base.errors import NotApplicableError
from ..._base.types import FloatArray, IntArray
from ..partition import Partition
from ..treatment import AsRead, Treatment
from .reading import Derived
from .source import BlockSource, BlockTask, PairTask, Partial, SideReader
from .statistics import HardOrFuzzySums, LogSums, OwnProducts, RowSums, ShareSums, SizeCounts
from .surveys import RowSummary, Take
from .tables import Gram, Table
from .value_bins import BinnedDistances, ValueBins


class InBlocks:
    """Codes or memberships that are in blocks and are never put together.

    The object has a shape like an array, but refuses whatever needs all its rows in one place.

    Attributes
    ----------
    source : BlockSource
        Where the blocks are.
    asked : SideReader
        Which clustering of the source this is, and how its blocks are read.
    pilot : Partition
        A random sample of the rows.
    """

    def __init__(
        self, source: BlockSource, asked: SideReader, shape: tuple[int, ...], pilot: Partition
    ) -> None:
        self.source, self.asked, self.shape, self.pilot = source, asked, shape, pilot
        self._answers: dict[Any, Any] = {}

    @property
    def ndim(self) -> int:
        """Number of dimensions: 1 for codes, 2 for memberships."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """Number of entries."""
        return int(np.prod(self.shape, dtype=object))

    def ask(self, task: BlockTask[Partial], what: str, *others: InBlocks) -> Partial:
        """Apply a task to all blocks of this clustering and of others; cache the result."""
        key = (task, tuple(id(other) for other in others))
        if key not in self._answers:
            source, asked = common_source(self, *others)
            # The others are kept, so that no later object can have the id of one of them.
            self._answers[key] = others, source.fold(task, asked, what)
        answer: Partial = self._answers[key][1]
        return answer

    def refuse(self) -> NoReturn:
        """Raise an error, because all rows would be needed in one place."""
        raise NotApplicableError(
            "this needs all points of the clustering in one place, and its {n:,} rows are in "
            "blocks ({where}). Take a random sample of the rows into memory, the same of both "
            "clusterings, and use that: with sorted row numbers, x[rows].compute() for an array, "
            "x.to_dask_array(lengths=True)[rows].compute() for a dask dataframe.",
            n=self.shape[0],
            where=self.source.where,
        )

    def __array__(self, *_: Any, **__: Any) -> NoReturn:
        self.refuse()

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, _: Any) -> Any:
        self.refuse()

    def __eq__(self, _: object) -> bool:
        self.refuse()

    __hash__ = object.__hash__

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        self.refuse()


def common_source(*clusterings: InBlocks) -> tuple[BlockSource, list[SideReader]]:
    """Return the source of clusterings in blocks, and how each is read; refuse several sources.

    The readers know a clustering by its number in the source, so another source would silently
    read other arrays.
    """
    source = clusterings[0].source
    if any(clustering.source is not source for clustering in clusterings):
        raise NotApplicableError(
            "the clusterings are in blocks ({where}) and come from different comparisons, whose "
            "blocks cannot be read together. Pass the original collections to one call.",
            where=source.where,
        )
    return source, [clustering.asked for clustering in clusterings]


class BlockCodes(InBlocks):
    """The codes of a hard clustering in blocks.

    Attributes
    ----------
    counts : array of int
        Number of points in each cluster.
    """

    def __init__(
        self, source: BlockSource, asked: SideReader, counts: IntArray, pilot: Partition
    ) -> None:
        super().__init__(source, asked, (source.n,), pilot)
        self.counts = counts

    def table(self, other: BlockCodes) -> IntArray:
        """Return the numbers of points in the nonempty cells of the contingency table."""
        return self.cells(other)[1]

    def cells(self, other: BlockCodes) -> tuple[IntArray, IntArray]:
        """Return the places of the nonempty cells of the table, and the numbers of points there.

        The place is the number of the row, times the number of columns, plus that of the column.
        """
        if other is self:
            own = np.flatnonzero(self.counts)
            return own * (self.counts.size + 1), self.counts[own]
        task = Table(self.counts.size, other.counts.size)
        partial = self.ask(task, "contingency table", other)
        return partial.cells, partial.counts


class BlockRows(InBlocks):
    """The memberships of a fuzzy clustering in blocks.

    Attributes
    ----------
    survey : RowSummary
        Result of the first pass over all blocks.
    """

    def __init__(
        self,
        source: BlockSource,
        asked: SideReader,
        survey: RowSummary,
        pilot: Partition,
        *,
        scaled: bool = False,
    ) -> None:
        super().__init__(source, asked, (source.n, survey.mean.size), pilot)
        self.survey, self._scaled = survey, scaled

    # --- rows that are computed from these ---

    def __getitem__(self, key: Any) -> BlockRows:
        every = isinstance(key, tuple) and len(key) == 2 and key[0] == slice(None)
        order: Any = np.asarray(key[1]) if every else np.zeros(0)
        if not every or order.dtype.kind not in "iu" or order.size != self.shape[1]:
            self.refuse()
        partial = self.survey
        survey = replace(
            partial,
            **{
                name: getattr(partial, name)[order]
                for name in ("mean", "spread", "low", "high", "positive", "below", "logs")
            },
        )
        assert self.pilot.memberships is not None
        pilot = replace(self.pilot, memberships=self.pilot.memberships[:, order])
        asked = SideReader(self.asked.side, Derived(self.asked.read, order=order))
        return BlockRows(self.source, asked, survey, pilot, scaled=self._scaled)

    @cached_property
    def unit_rows(self) -> BlockRows:
        """The same rows, scaled to length 1."""
        asked = SideReader(self.asked.side, Derived(self.asked.read, unit=True))
        return BlockRows(self.source, asked, self.survey, self.pilot, scaled=True)

    # --- columns ---

    @property
    def sums(self) -> FloatArray:
        """Sum of each column."""
        return self.survey.mean * self.survey.n

    @property
    def variance(self) -> FloatArray:
        """Variance of each column: the mean squared deviation from the mean."""
        return self.survey.spread / self.survey.n

    @property
    def extremes(self) -> tuple[FloatArray, FloatArray]:
        """Smallest and largest entry of each column; 0 and 1 if rows were scaled."""
        if self._scaled:
            return np.zeros(self.shape[1]), np.ones(self.shape[1])
        return self.survey.low, self.survey.high

    # --- sums for fits ---

    def log_sums(self, treatment: Treatment) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the sums of :class:`LogSums`; those of rows as read are from the first pass."""
        if treatment == AsRead():
            return self.survey.below, self.survey.logs, np.zeros(self.shape[1])
        below, logs, limits = self.ask(LogSums(treatment), "logarithms")
        return below, logs, limits

    def share_sums(self, treatment: Treatment) -> FloatArray:
        """Return the sums of :class:`ShareSums`."""
        (sums,) = self.ask(ShareSums(treatment), "shares")
        return np.asarray(sums)

    def hard_or_fuzzy_sums(self, treatment: Treatment) -> tuple[Any, ...]:
        """Return the sums of :class:`HardOrFuzzySums`."""
        return self.ask(HardOrFuzzySums(treatment, tuple(self.survey.mean)), "hard rows")

    def size_counts(self) -> IntArray:
        """Return the counts of :class:`SizeCounts`."""
        (counts,) = self.ask(SizeCounts(), "sizes of entries")
        return np.asarray(counts)

    def own_products(self, bins: int) -> tuple[Any, ...]:
        """Return the sums of :class:`OwnProducts`."""
        return self.ask(OwnProducts(bins), "lengths of rows")

    # --- sums over pairs ---

    @property
    def dot_sums(self) -> tuple[FloatArray, float]:
        """The sum of the rows, and the sum of their squared lengths."""
        if self._scaled:
            total, squares = self.ask(RowSums(), "sums of rows")
            return total, float(squares)
        partial = self.survey
        return self.sums, float((partial.spread + partial.n * partial.mean**2).sum())

    def gram(self, other: BlockRows | BlockCodes) -> tuple[FloatArray, float, float, float]:
        """Return the sums of :class:`Gram`."""
        k = other.counts.size if isinstance(other, BlockCodes) else other.shape[1]
        gram, own1, own2, both = self.ask(Gram(self.shape[1], k), "Gram matrices", other)
        return gram, float(own1), float(own2), float(both)

    @cached_property
    def distances(self) -> BinnedDistances:
        """The sum of the L1 distances between the rows of all pairs."""
        for _, answer in self._answers.values():
            if isinstance(answer, BinnedDistances):
                return answer
        assert self.pilot.memberships is not None
        task = ValueBins.over(self.pilot.memberships, *self.extremes)
        return task.distances(self.ask(task, "histograms"))

    def grouped_distances(self, groups: BlockCodes) -> BinnedDistances:
        """Return the sums of L1 distances over all pairs of rows, and over pairs within a group."""
        key = ("groups", id(groups))
        if key not in self._answers:
            assert self.pilot.memberships is not None
            sizes = groups.counts.astype(np.float64)
            task = ValueBins.over(self.pilot.memberships, *self.extremes, sizes)
            source, asked = common_source(self, groups)
            partial = source.fold(task, asked, "histograms")
            self._answers[key] = (groups,), task.distances(partial)
        found: BinnedDistances = self._answers[key][1]
        return found


@dataclass(frozen=True, eq=False, repr=False)
class BlockPartition(Partition):
    """A clustering whose codes or memberships are in blocks."""

    @classmethod
    def hard(cls, codes: BlockCodes, k: int, names: Sequence[str] | None) -> BlockPartition:
        """Return a hard clustering."""
        # Code that reads rows checks first whether they are in blocks; no other access works.
        return cls(cast(IntArray, codes), None, k, names=names)

    @classmethod
    def fuzzy(cls, rows: BlockRows, names: Sequence[str] | None) -> BlockPartition:
        """Return a fuzzy clustering."""
        return cls(None, cast(FloatArray, rows), rows.shape[1], names=names)

    @property
    def held(self) -> BlockCodes | BlockRows:
        """The codes or the memberships."""
        held = self.codes if self.codes is not None else self.memberships
        return cast("BlockCodes | BlockRows", held)

    @cached_property
    def sizes(self) -> FloatArray:
        """Points (or total membership) of each cluster."""
        held = self.held
        return held.counts.astype(np.float64) if isinstance(held, BlockCodes) else held.sums

    @property
    def rows(self) -> BlockRows:
        """The memberships of a fuzzy clustering."""
        held = self.held
        assert isinstance(held, BlockRows)
        return held

    @property
    def pilot(self) -> Partition:
        """A random sample of the rows, as a clustering in memory."""
        return self.held.pilot

    @property
    def blocks(self) -> int:
        """Number of blocks."""
        return len(self.held.source.sizes)


def taken(partitions: Sequence[Partition], rows: IntArray, what: str) -> list[Partition]:
    """Return given points of clusterings in blocks, in the given order, as clusterings in memory.

    Parameters
    ----------
    partitions : sequence of BlockPartition
        Clusterings of one source.
    rows : array of int
        The points; a point may be taken more than once.
    what : str
        Title of a progress bar.
    """
    blocked = [partition for partition in partitions if isinstance(partition, BlockPartition)]
    source, asked = common_source(*(partition.held for partition in blocked))
    different, back = np.unique(rows, return_inverse=True)
    task = Take.rows(different.astype(np.intp), source.starts)
    partial = source.fold(task, asked, what, task.blocks)
    return [
        in_memory(partition, chunk[back.reshape(-1)])
        for partition, chunk in zip(blocked, Take.in_order(partial), strict=True)
    ]


def in_memory(like: Partition, rows: Any) -> Partition:
    """Return some rows of a clustering as a clustering in memory with the same clusters."""
    hard = rows.ndim == 1
    return Partition(rows if hard else None, None if hard else rows, like.k, names=like.names)


def some_rows(partition: Partition) -> Partition:
    """Return a clustering in memory unchanged, or the pilot sample of a clustering in blocks."""
    return partition.pilot if isinstance(partition, BlockPartition) else partition


def column_extremes(memberships: Any) -> tuple[FloatArray, FloatArray]:
    """Return the smallest and the largest entry of each column."""
    if isinstance(memberships, BlockRows):
        return memberships.extremes
    return memberships.min(axis=0), memberships.max(axis=0)


def column_variances(memberships: Any) -> FloatArray:
    """Return the sample variance (n - 1 in the denominator) of each column."""
    if isinstance(memberships, BlockRows):
        return memberships.survey.spread / (memberships.shape[0] - 1.0)
    return np.asarray(memberships.var(axis=0, ddof=1))


def in_blocks(*partitions: Partition) -> str:
    """Return text to append to how a number was computed: the number of blocks, or ""."""
    counts = [part.blocks for part in partitions if isinstance(part, BlockPartition)]
    return f", {counts[0]:,} block{'s' * (counts[0] != 1)}" if counts else ""


def visit_block_pairs(
    partitions: Sequence[Partition], task: PairTask[Partial], rows: int, what: str
) -> Partial:
    """Apply a task to all pairs of blocks of some clusterings of one source."""
    held = [partition.held for partition in partitions if isinstance(partition, BlockPartition)]
    source, asked = common_source(*held)
    return source.fold_pairs(task, asked, rows, what)
