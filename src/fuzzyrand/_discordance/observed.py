"""The observed discordance of two clusterings, by the fastest exact route.

Two hard sides use the contingency table. A hard and a fuzzy side, and products and squares of dot
products, need only moments, which follow from sorted columns or from Gram matrices. Otherwise all
pairs are visited, or sampled if there are too many.
"""

from __future__ import annotations

from collections.abc import Sequence

from .._base.estimate import PAIR_ROUNDING, ROUNDING, Estimate
from .._laws.observed import ObservedPairs
from .._laws.side import Side
from .._pairs.all_pairs import visit_pairs
from .._pairs.route import Route, route_of
from ..indices import PairIndex, WholeIndex
from .sampled_pairs import PairSample
from .shared_sample import SharedPairSample, can_share

FIRST_SAMPLE = 1 << 18
LARGEST_SAMPLE = 1 << 26


class Observed:
    """The observed discordance of two clusterings, exact or sampled to a growing accuracy.

    Parameters
    ----------
    sides : pair of Side
        The two clusterings, with index and effort.
    laws : pair of ObservedPairs or None
        Laws whose brackets are needed as well; a pass over the pairs computes them too.

    Attributes
    ----------
    estimate : Estimate
        The current estimate.
    """

    def __init__(
        self, sides: tuple[Side, Side], laws: Sequence[ObservedPairs | None] = (None, None)
    ) -> None:
        self._effort = sides[0].effort
        self._sample: PairSample | SharedPairSample | None = None
        exact = _exactly(sides, laws)
        if exact is None:
            self._sample = _sample_of(sides)
            pairs = self._effort.pairs
            exact = self._sample.estimate(FIRST_SAMPLE if isinstance(pairs, str) else pairs)
        self.estimate = exact

    def refine(self, stderr: float) -> Estimate:
        """Sample until the Monte Carlo error is at most ``stderr``, or the limit is reached."""
        if self._sample is None:
            return self.estimate
        pairs = self._effort.pairs
        largest = LARGEST_SAMPLE if isinstance(pairs, str) else pairs
        while self.estimate.stderr > stderr and self._sample.size < largest:
            have = self._sample.size
            wanted = 1.1 * have * (self.estimate.stderr / stderr) ** 2
            size = int(min(max(wanted, 2 * have), LARGEST_SAMPLE))
            self.estimate = self._sample.estimate(size)
        return self.estimate


def _sample_of(sides: tuple[Side, Side]) -> PairSample | SharedPairSample:
    index = sides[0].index
    assert isinstance(index, PairIndex)
    partitions = sides[0].partition, sides[1].partition
    if can_share(index.agreement, index.concordance, partitions):
        return SharedPairSample(sides)
    return PairSample(sides)


def _exactly(sides: tuple[Side, Side], laws: Sequence[ObservedPairs | None]) -> Estimate | None:
    """Compute the discordance exactly; return None if there are too many pairs."""
    first, second = (side.partition for side in sides)
    index, effort = sides[0].index, sides[0].effort
    if isinstance(index, WholeIndex):
        return index.observed(first, second)
    assert isinstance(index, PairIndex)
    if first is second and index.reflexive:
        return Estimate(0.0, how="the same clustering twice")
    if first.codes is not None and second.codes is not None:
        together = sides[0].together(sides[1])
        return Estimate(together.discordant / first.pairs, how="contingency table")
    by_moments = _by_moments(sides, index)
    if by_moments is not None:
        return by_moments
    route = route_of(index.agreement, effort, first, second, concordance=index.concordance)
    if route is Route.SAMPLE:
        return None
    seen = visit_pairs(
        route,
        first,
        second,
        index.agreement,
        index.concordance,
        law_of_first=laws[0] is not None,
        law_of_second=laws[1] is not None,
        effort=effort,
    )
    for law, bracket in zip(laws, (seen.first, seen.second), strict=True):
        if law is not None:
            law.fill(bracket)
    how = "pairs that share a cluster" if route is Route.SHARED else "all pairs"
    how = "pairs of distinct rows" if seen.merged else how
    return Estimate(seen.discordance, error_bound=PAIR_ROUNDING, how=how)


def _by_moments(sides: tuple[Side, Side], index: PairIndex) -> Estimate | None:
    """Compute mean a1 + mean a2 - 2 mean a1 a2, or with a1^2 and a2^2 in the first two terms."""
    laws = [side.pairs_law for side in sides]
    needed = index.concordance.moments_needed(sum(law.binary for law in laws))
    if needed is None or not all(law.knows(needed) for law in laws):
        return None
    first, second = (side.partition for side in sides)
    product = index.agreement.pair_product(first, second, sides[0].effort.threads)
    if product is None:
        return None
    for law, mean in zip(laws, (product.first_mean, product.second_mean), strict=True):
        if isinstance(law, ObservedPairs) and mean is not None:
            law.fill_mean(mean)
    moment1, moment2 = (law.mean if needed == 1 else law.square for law in laws)
    assert moment1 is not None
    assert moment2 is not None
    value = max(moment1.value + moment2.value - 2.0 * product.value, 0.0)
    return Estimate(value, error_bound=ROUNDING, how=index.agreement.how_pairs)
