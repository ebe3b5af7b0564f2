"""Draw the discordance of two clusterings when points are shuffled.

Draws come in batches, each with its own random stream, so they depend neither on the number of
threads nor on the number of draws. For very few points, all permutations are enumerated.
"""

from __future__ import annotations

import math

import numpy as np

from ..._base.progress import progress
from ..._base.streams import Stream
from ..._base.threads import map_in_order
from ..._base.types import FloatArray, IntArray
from ..._clusterings.contingency import Together
from ..._clusterings.noise import choose_points
from ..._clusterings.partition import Partition
from ...indices import PairIndex, TableIndex
from ...indices.agreements import GramAgreement, NormAgreement
from ...indices.omega import Omega
from ...models._laws.side import Side
from .base import POINTS, Shuffles
from .cover_shuffles import CoverShuffles, affordable_points
from .gram_shuffles import FuzzyGramShuffles, HardGramShuffles
from .hard_shuffles import HardShuffles
from .moments import is_linear, permutation_mean
from .pair_shuffles import PairShuffles, all_orders
from .row_shuffles import RowShuffles, most_points
from .sorted_shuffles import SortedShuffles
from .table_shuffles import TableShuffles
from .weighted_shuffles import weighted_shuffles

#: Fewest points that are shuffled, however many memberships they have.
FEWEST_POINTS = 1000
#: Amount of work in a batch, and the number of shuffles in it from which they count as quick.
BATCH_WORK, QUICK_BATCH = 1 << 24, 64


class PermutationNull:
    """The law of the discordance of two clusterings when the points of one are shuffled.

    Parameters
    ----------
    sides : pair of Side
        The two clusterings, with index and effort.

    Attributes
    ----------
    observed : float
        Discordance of the shuffled points in their own order.
    points : int
        Number of points that are shuffled. If it is smaller than the number of all points,
        ``observed`` and the draws refer to this random sample of points.
    chosen : array of int or None
        The points that are shuffled; None if all are.
    exhaustive : bool
        Whether the draws are all permutations, including that of ``observed``.
    batch_size : int
        Number of draws in a batch.
    threads : int or None
        Number of threads that may draw batches at the same time.
    quick : bool
        Whether ten thousand draws take seconds.
    tolerance : float
        Draws that differ from ``observed`` by no more are equal to it up to rounding.
    how : str
        Description of how discordances are drawn.
    """

    def __init__(self, sides: tuple[Side, Side]) -> None:
        self._effort, self._budget = sides[0].effort, sides[0].effort.budget
        self._all: FloatArray | None = None
        self.chosen: IntArray | None = None
        self.points = sides[0].partition.n
        if self.points <= self._budget.permuted_points:
            self._enumerate(sides)
            return
        if isinstance(sides[0].index, Omega) and not _counts_tables(sides):
            self._shuffles = self._of_covers(sides)
        else:
            shuffled = self._affordable(sides)
            self._shuffles = _without_pairs(shuffled) or self._with_pairs(sides)
        self.how, self.observed = self._shuffles.how, self._shuffles.observed
        self.tolerance = self._shuffles.tolerance
        if self._shuffles.points < self.points:
            self.points = self._shuffles.points
            self.how = f"shuffles of {self.points:,} random points"
        fewest, most = self._shuffles.smallest_batch, self._shuffles.largest_batch
        affordable = BATCH_WORK / self._shuffles.work
        self.quick = affordable >= QUICK_BATCH
        self.batch_size = int(np.clip(affordable, fewest, most))
        self.threads = 1 if self._shuffles.threaded else self._effort.n_threads

    @property
    def exhaustive(self) -> bool:
        """Whether the draws are all permutations."""
        return self._all is not None

    def batch(self, number: int) -> FloatArray:
        """Return the discordances of a batch; if exhaustive, batch 0 is the only one."""
        if self._all is not None:
            assert number == 0, "all permutations are in one batch"
            return self._all
        rng = self._effort.stream(Stream.PERMUTATIONS, number)
        return self._shuffles.draw(rng, self.batch_size)

    def draws(self, count: int) -> FloatArray:
        """Return the first ``count`` discordances of all batches, or those of all permutations."""
        if self._all is not None:
            return self._all
        batches = math.ceil(count / self.batch_size)
        work = map_in_order(self.batch, range(batches), self.threads)
        return np.concatenate(list(progress(work, batches, "permutations")))[:count]

    def _affordable(self, sides: tuple[Side, Side]) -> tuple[Side, Side]:
        """Return the sides, or a random sample of their points if there are many memberships."""
        columns = sum(0 if side.partition.is_hard else side.partition.k for side in sides)
        most = self._budget.shuffled_entries
        if columns * self.points <= most or self._effort.pairs == "all":
            return sides
        size = max(most // columns, FEWEST_POINTS)
        if size >= self.points:
            return sides
        parts = self._some_points(size, *(side.partition for side in sides))
        first, second = (Side(part, sides[0].index, sides[0].effort) for part in parts)
        return first, second

    def _some_points(
        self, size: int, first: Partition, second: Partition
    ) -> tuple[Partition, Partition]:
        """Return the clusterings of some random points."""
        rng = self._effort.stream(Stream.PERMUTATIONS, POINTS, 0)
        self.chosen = choose_points(self.points, size, rng)
        return first.take(self.chosen), second.take(self.chosen)

    def _of_covers(self, sides: tuple[Side, Side]) -> Shuffles:
        """Return shuffles of all points of two covers, or of as many as pairs can be listed for."""
        first, second = (side.partition for side in sides)
        size = affordable_points(first, second, self._budget.shuffled_pairs)
        if size < self.points and self._effort.pairs != "all":
            first, second = self._some_points(size, first, second)
        return CoverShuffles(first, second)

    def _with_pairs(self, sides: tuple[Side, Side]) -> Shuffles:
        """Return shuffles of all points, or of as many as their pairs can be visited for."""
        first, second = (side.partition for side in sides)
        index = sides[0].index
        assert isinstance(index, PairIndex)
        most = most_points(first, second, index, self._budget)
        self.chosen = None
        if first.n > most:
            first, second = self._some_points(most, first, second)
        few = first.pairs <= self._budget.numpy_shuffle_pairs
        if index.concordance.power is None or few:
            return PairShuffles(first, second, index, self._budget.numpy_work)
        return RowShuffles(first, second, index, self._effort)

    def _enumerate(self, sides: tuple[Side, Side]) -> None:
        """Compute the discordances of all permutations."""
        first, second = (side.partition for side in sides)
        index = sides[0].index
        shuffles: PairShuffles | TableShuffles | CoverShuffles
        if isinstance(index, Omega):
            shuffles = CoverShuffles(first, second)
        elif isinstance(index, TableIndex):
            shuffles = TableShuffles(sides, index)
        else:
            assert isinstance(index, PairIndex)
            shuffles = PairShuffles(first, second, index, self._budget.numpy_work)
        self._all = shuffles.of_orders(all_orders(first.n))
        self.batch_size = self._all.size
        self.threads, self.quick = 1, True
        self.observed, self.tolerance = shuffles.observed, shuffles.tolerance
        self.how = f"all {self.batch_size:,} permutations"


def _counts_tables(sides: tuple[Side, Side]) -> bool:
    """Return whether both sides are hard, without weights, so that contingency tables suffice."""
    return all(side.partition.is_hard and side.partition.weights is None for side in sides)


def _without_pairs(sides: tuple[Side, Side]) -> Shuffles | None:
    """Return the fastest method of shuffling points; None if all pairs must be visited."""
    first, second = (side.partition for side in sides)
    index = sides[0].index
    if first.weights is not None and not isinstance(index, TableIndex):
        return weighted_shuffles(sides)
    if first.is_hard and second.is_hard and index.equals_rand and first.weights is None:
        together = sides[0].together(sides[1])
        assert isinstance(together, Together)
        return HardShuffles(first, second, together)
    if isinstance(index, TableIndex):
        return TableShuffles(sides, index)
    if second.is_hard:
        first, second = second, first
    by_gram = HardGramShuffles if first.is_hard else FuzzyGramShuffles
    assert isinstance(index, PairIndex)
    agreement = index.agreement
    if is_linear(sides):
        if isinstance(agreement, GramAgreement):
            return by_gram(first, second, agreement, permutation_mean(sides)[0])
        distances = isinstance(agreement, NormAgreement) and agreement.knows_pair_mean(second)
        if distances and first.is_hard and not second.noise_is_singletons:
            return SortedShuffles(first, second, permutation_mean(sides)[0], sides[0].effort)
    return None
