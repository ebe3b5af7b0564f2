"""Rows in blocks: memberships or labels that are available only through sums over blocks."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar, NoReturn

import numpy as np
import numpy.typing as npt

from ..._base.errors import NotApplicableError
from ..._base.types import FloatArray, IntArray
from ..contingency import Cells, Together
from ..rows import Rows, rows_of
from ..treatment import AsRead, Treatment
from .block_reading import Derived
from .block_tables import Gram, TableTask
from .source import BlockSource, BlockTask, PairTask, Partial, SideReader
from .statistics import HardOrFuzzySums, LogSums, OwnProducts, RowSums, ShareSums, SizeCounts
from .surveys import RowSummary, Take
from .value_bins import BinnedDistances, ValueBins


class BlockedRows(Rows):
    """Rows in blocks that are never put together; what needs all of them in one place is refused.

    Attributes
    ----------
    source : BlockSource
        Where the blocks are.
    asked : SideReader
        Which clustering of the source this is, and how its blocks are read.
    """

    def __init__(self, source: BlockSource, asked: SideReader, k: int, pilot: Rows) -> None:
        self.source, self.asked = source, asked
        self.blocks = len(source.sizes)
        self._k, self._pilot = k, pilot
        self._answers: dict[Any, Any] = {}

    @property
    def shape(self) -> tuple[int, int]:
        return self.source.n, self._k

    @property
    def pilot(self) -> Rows:
        return self._pilot

    def ask(self, task: BlockTask[Partial], what: str, *others: BlockedRows) -> Partial:
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
            n=self.n,
            where=self.source.where,
        )

    def _require_unweighted(self, weights: FloatArray | None) -> None:
        """Refuse weights, which sums over blocks do not know."""
        if weights is not None:
            self.refuse()

    @property
    def codes(self) -> IntArray:
        self.refuse()

    @property
    def dense(self) -> FloatArray:
        self.refuse()

    @property
    def all_equal(self) -> bool:
        return False

    def take(self, points: npt.NDArray[Any] | slice) -> Rows:
        if isinstance(points, slice):
            points = np.arange(*points.indices(self.n))
        return take_together([self], points, "random points")[0]

    @abstractmethod
    def gram(self, other: Rows) -> tuple[Any, float]:
        """Return UᵀV, and the sum of |u|² |v|² over all points."""

    def products(self, other: Rows, weights: FloatArray | None = None) -> Any:
        self._require_unweighted(weights)
        return self.gram(other)[0]


def common_source(*clusterings: Rows) -> tuple[BlockSource, list[SideReader]]:
    """Return the source of clusterings in blocks, and how each is read; refuse several sources.

    The readers know a clustering by its number in the source, so another source would silently
    read other arrays.
    """
    blocked = [rows for rows in clusterings if isinstance(rows, BlockedRows)]
    source = blocked[0].source
    if len(blocked) < len(clusterings) or any(rows.source is not source for rows in blocked):
        raise NotApplicableError(
            "the clusterings are in blocks ({where}) and come from different comparisons, whose "
            "blocks cannot be read together. Pass the original collections to one call.",
            where=source.where,
        )
    return source, [rows.asked for rows in blocked]


class BlockedLabels(BlockedRows):
    """The labels of a hard clustering in blocks.

    Attributes
    ----------
    counts : array of int
        Number of points in each cluster.
    """

    hard: ClassVar[bool] = True

    def __init__(
        self, source: BlockSource, asked: SideReader, counts: IntArray, pilot: Rows
    ) -> None:
        super().__init__(source, asked, int(counts.size), pilot)
        self.counts = counts

    def sums(self, weights: FloatArray | None = None) -> FloatArray:
        self._require_unweighted(weights)
        return self.counts.astype(np.float64)

    def squares(self, weights: FloatArray | None = None) -> FloatArray:
        return self.sums(weights)

    def unit(self) -> BlockedLabels:
        return self

    def cells(self, other: Rows, weights: FloatArray | None = None) -> Cells:
        self._require_unweighted(weights)
        if not isinstance(other, BlockedLabels):
            self.refuse()
        sizes = self.counts, other.counts
        if other is self:
            own = np.flatnonzero(self.counts)
            return Cells(own * (self.counts.size + 1), self.counts[own], sizes)
        partial = self.ask(TableTask(self.k, other.k), "contingency table", other)
        return Cells(partial.cells, partial.counts, sizes)

    def count_together(self, other: Rows) -> Together:
        cells = self.cells(other)
        return Together.of_counts(cells.counts, cells.sizes)

    def gram(self, other: Rows) -> tuple[Any, float]:
        if other.hard:
            return self.cells(other).matrix, float(self.n)
        matrix, own = other.gram(self)
        return matrix.T, own


class BlockedMemberships(BlockedRows):
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
        pilot: Rows,
        *,
        scaled: bool = False,
    ) -> None:
        super().__init__(source, asked, survey.mean.size, pilot)
        self.survey, self._scaled = survey, scaled

    # --- rows that are computed from these ---

    def reorder(self, columns: IntArray) -> BlockedMemberships:
        survey = replace(
            self.survey,
            **{
                name: getattr(self.survey, name)[columns]
                for name in ("mean", "spread", "low", "high", "positive", "below", "logs")
            },
        )
        asked = SideReader(self.asked.side, Derived(self.asked.read, order=columns))
        pilot = self.pilot.reorder(columns)
        return BlockedMemberships(self.source, asked, survey, pilot, scaled=self._scaled)

    def unit(self) -> BlockedMemberships:
        return self._unit

    @cached_property
    def _unit(self) -> BlockedMemberships:
        asked = SideReader(self.asked.side, Derived(self.asked.read, unit=True))
        return BlockedMemberships(self.source, asked, self.survey, self.pilot, scaled=True)

    # --- columns ---

    def sums(self, weights: FloatArray | None = None) -> FloatArray:
        self._require_unweighted(weights)
        return self._row_sums[0] if self._scaled else self.survey.mean * self.survey.n

    def squares(self, weights: FloatArray | None = None) -> FloatArray:
        self._require_unweighted(weights)
        self._require_as_read()
        return self.survey.spread + self.survey.n * self.survey.mean**2

    @property
    def variances(self) -> FloatArray:
        self._require_as_read()
        return self.survey.spread / (self.survey.n - 1.0)

    @property
    def extremes(self) -> tuple[FloatArray, FloatArray]:
        """Smallest and largest entry of each column; 0 and 1 if rows were scaled."""
        if self._scaled:
            return np.zeros(self.k), np.ones(self.k)
        return self.survey.low, self.survey.high

    @property
    def total_square(self) -> float:
        return float(self._row_sums[1] if self._scaled else self.squares().sum())

    def _require_as_read(self) -> None:
        """Refuse rows that were scaled, of which the first pass knows nothing."""
        if self._scaled:
            self.refuse()

    @property
    def _row_sums(self) -> tuple[Any, ...]:
        return self.ask(RowSums(), "sums of rows")

    # --- sums for fits ---

    def log_sums(self, treatment: Treatment) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the sums of :class:`LogSums`; those of rows as read are from the first pass."""
        if treatment == AsRead():
            return self.survey.below, self.survey.logs, np.zeros(self.k)
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

    def gram(self, other: Rows) -> tuple[Any, float]:
        if not isinstance(other, BlockedRows):
            self.refuse()
        matrix, _, _, both = self.ask(Gram(self.k, other.k), "Gram matrices", other)
        return matrix, float(both)

    @cached_property
    def distances(self) -> BinnedDistances:
        """The sum of the L1 distances between the rows of all pairs."""
        for _, answer in self._answers.values():
            if isinstance(answer, BinnedDistances):
                return answer
        task = ValueBins.over(self.pilot.dense, *self.extremes)
        return task.distances(self.ask(task, "histograms"))

    def grouped_distances(self, groups: Rows) -> BinnedDistances:
        """Return the sums of L1 distances over all pairs of rows, and over pairs within a group."""
        key = ("groups", id(groups))
        if key not in self._answers:
            task = ValueBins.over(self.pilot.dense, *self.extremes, groups.sums())
            source, asked = common_source(self, groups)
            partial = source.fold(task, asked, "histograms")
            self._answers[key] = (groups,), task.distances(partial)
        found: BinnedDistances = self._answers[key][1]
        return found


def take_together(sides: Sequence[Rows], points: npt.NDArray[Any], what: str) -> list[Rows]:
    """Return given rows of clusterings of one source, in the given order, in one pass over blocks.

    Parameters
    ----------
    sides : sequence of BlockedRows
        Clusterings of one source.
    points : array of int
        The rows; a row may be taken more than once.
    what : str
        Title of a progress bar.
    """
    source, asked = common_source(*sides)
    different, back = np.unique(points, return_inverse=True)
    task = Take.rows(different.astype(np.intp), source.starts)
    partial = source.fold(task, asked, what, task.blocks)
    return [
        rows_of(chunk[back.reshape(-1)], rows.k)
        for rows, chunk in zip(sides, Take.in_order(partial), strict=True)
    ]


def visit_block_pairs(
    sides: Sequence[Rows], task: PairTask[Partial], rows: int, what: str
) -> Partial:
    """Apply a task to all pairs of blocks of some clusterings of one source."""
    source, asked = common_source(*sides)
    return source.fold_pairs(task, asked, rows, what)
