"""The observed discordance of two clusterings, by the fastest exact route.

Two hard sides use the contingency table. A hard and a fuzzy side, as well as products and squares
of dot products, only need moments, which follow from sorted columns or from Gram matrices.
Otherwise, all pairs are visited, or sampled if there are too many.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..._base.estimate import PAIR_ROUNDING, ROUNDING, Estimate
from ..._base.types import FloatArray
from ..._pairs.alike_pairs import same_agreement
from ..._pairs.all_pairs import visit_pairs
from ..._pairs.point_sums import point_means
from ..._pairs.route import Route, route_of
from ...indices import Omega, PairIndex, TableIndex
from ...models._laws.observed_pairs import ObservedPairs
from ...models._laws.side import Side
from .block_sample import BlockSample
from .sampled_pairs import PairSample
from .shared_sample import SharedPairSample, can_share

FIRST_SAMPLE = 1 << 18
#: Largest power of a difference that is never 0 for agreements that differ by more than rounding.
LARGEST_POWER = 18.0


class Observed:
    """The observed discordance of two clusterings, exact or sampled to a growing accuracy.

    Parameters
    ----------
    sides : pair of Side
        The two clusterings, with index and effort.
    laws : pair of ObservedPairs or None
        Laws whose brackets are needed as well; a pass over the pairs computes them too.
    by_points : bool
        Whether a pass over the pairs that computes no laws should return the discordance of each
        point as well.

    Attributes
    ----------
    estimate : Estimate
        The current estimate.
    points : array or None
        Mean discordance of the pairs of each point, if it was computed.
    """

    def __init__(
        self,
        sides: tuple[Side, Side],
        laws: Sequence[ObservedPairs | None] = (None, None),
        *,
        by_points: bool = False,
    ) -> None:
        self._effort = sides[0].effort
        self._sample: PairSample | SharedPairSample | BlockSample | None = None
        exact, self.points = _exactly(sides, laws, by_points)
        if exact is None:
            self._sample = _sample_of(sides)
            pairs = self._effort.pairs
            exact = self._sample.estimate(FIRST_SAMPLE if isinstance(pairs, str) else pairs)
        self.estimate = exact

    def refine(self, stderr: float) -> Estimate:
        """Sample until the Monte Carlo error is at most ``stderr``, or the limit is reached."""
        if self._sample is None:
            return self.estimate
        pairs, largest = self._effort.pairs, self._sample.largest
        if not isinstance(pairs, str):
            largest = min(pairs, largest)
        while self.estimate.stderr > stderr and self._sample.size < largest:
            have = self._sample.size
            wanted = 1.1 * have * (self.estimate.stderr / max(stderr, PAIR_ROUNDING)) ** 2
            size = int(min(max(wanted, 2 * have), largest))
            self.estimate = self._sample.estimate(size)
        return self.estimate


def _sample_of(sides: tuple[Side, Side]) -> PairSample | SharedPairSample | BlockSample:
    index = sides[0].index
    assert isinstance(index, PairIndex)
    partitions = sides[0].partition, sides[1].partition
    if not partitions[0].rows.in_memory:
        return BlockSample(sides)
    if can_share(index.agreement, index.concordance, partitions):
        return SharedPairSample(sides)
    return PairSample(sides)


def _exactly(
    sides: tuple[Side, Side], laws: Sequence[ObservedPairs | None], by_points: bool
) -> tuple[Estimate | None, FloatArray | None]:
    """Compute the discordance exactly, and that of each point if it is a by-product.

    Both are None if there are too many pairs.
    """
    index = sides[0].index
    if isinstance(index, Omega):
        return index.observed_by_points(sides[0].partition, sides[1].partition)
    quick = without_visits(sides)
    if quick is not None:
        return quick, None
    first, second = (side.partition for side in sides)
    effort = sides[0].effort
    assert isinstance(index, PairIndex)
    route = route_of(index.agreement, effort, first, second, concordance=index.concordance)
    if route is Route.SAMPLE:
        return None, None
    no_laws = all(law is None for law in laws)
    if by_points and route is Route.SURVEY and no_laws:
        means = point_means(first, second, index.agreement, index.concordance, effort)
        mean = float(np.average(means.discordance, weights=first.weights))
        rounding = _rounding(index)
        return Estimate(mean, error_bound=rounding, how="all pairs"), means.discordance
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
    if seen.merged:
        how = "pairs of distinct rows"
    else:
        shared = route is Route.SHARED
        how = "pairs that share a cluster" if shared else f"all pairs{first.in_blocks}"
    return Estimate(seen.discordance, error_bound=_rounding(index), how=how), None


def _rounding(index: PairIndex) -> float:
    """Return a bound on the error of a mean over pairs; more than rounding if powers may vanish.

    A sum of 0 then does not mean that all agreements are equal.
    """
    power = index.concordance.power
    return PAIR_ROUNDING if power is None or power <= LARGEST_POWER else 2.0 * PAIR_ROUNDING


def without_visits(sides: tuple[Side, Side]) -> Estimate | None:
    """Compute the discordance if no pairs need to be visited, otherwise return None."""
    first, second = (side.partition for side in sides)
    index = sides[0].index
    if isinstance(index, TableIndex):
        return index.observed(sides[0].tabulated(sides[1]))
    assert isinstance(index, PairIndex)
    if first is second and index.reflexive:
        return Estimate(0.0, how="the same clustering twice")
    if first.is_hard and second.is_hard:
        together = sides[0].together(sides[1])
        how = f"contingency table{first.in_blocks}"
        return Estimate(together.discordant / first.pair_total, how=how)
    return _of_alike_pairs(sides, index) or _by_moments(sides, index)


def _of_alike_pairs(sides: tuple[Side, Side], index: PairIndex) -> Estimate | None:
    """Compute the discordance if all pairs have the same agreement on each side."""
    own = [same_agreement(side.partition, index.agreement) for side in sides]
    if own[0] is None or own[1] is None:
        return None
    value = float(index.concordance.discordance(np.array(own[0]), np.array(own[1])))
    return Estimate(value, error_bound=PAIR_ROUNDING, how="identical rows")


def _by_moments(sides: tuple[Side, Side], index: PairIndex) -> Estimate | None:
    """Compute mean a1 + mean a2 - 2 mean a1 a2; a1^2 and a2^2 replace a1 and a2 if needed."""
    laws = [side.pairs_law for side in sides]
    needed = index.concordance.moments_needed(sum(law.binary for law in laws))
    if needed is None or not all(law.knows(needed) for law in laws):
        return None
    first, second = (side.partition for side in sides)
    product = index.agreement.pair_product(first, second, sides[0].effort.n_threads)
    if product is None:
        return None
    for law, mean in zip(laws, (product.first_mean, product.second_mean), strict=True):
        if isinstance(law, ObservedPairs) and mean is not None:
            law.fill_mean(mean)
    moment1, moment2 = (law.mean if needed == 1 else law.square for law in laws)
    assert moment1 is not None
    assert moment2 is not None
    value = min(max(moment1.value + moment2.value - 2.0 * product.value, 0.0), 1.0)
    error = moment1.error + moment2.error + 2.0 * product.error
    agreement, words = index.agreement, first.in_blocks
    how = f"{agreement.how_blocks}{words}" if words else agreement.how_pairs
    return Estimate(value, error_bound=ROUNDING + error, how=how)
