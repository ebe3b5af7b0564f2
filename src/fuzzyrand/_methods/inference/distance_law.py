"""The law of an index's distance from chance, from which the ends of an interval follow."""

from __future__ import annotations

import math
from typing import NamedTuple

from ..._analysis.permutations.moments import is_linear, permutation_mean
from ..._analysis.permutations.shape import null_shape
from ...indices import PairIndex, TableIndex
from ...models._laws.distance import atoms_of
from ...results import Comparison

#: An adjusted index that differs from 1 by no more counts as 1, and an expected discordance as 0.
PERFECT = 1e-12
#: Range of the skewness of the law by chance: from nearly normal to one degree of freedom.
SKEWNESS = 0.05, math.sqrt(8.0)
#: Distance from chance, in standard deviations by chance, from which the influences of the points
#: tell more about the scale of the law than its shape by chance.
FAR = 4.0
#: Share of the largest step of a discrete law that makes it continuous enough.
SMOOTHED = 0.25
#: Agreements drawn for the mean discordance over permutations, where there are many pairs.
DRAWS = 1 << 16
#: Above this value, the square root of a noncentral chi-square variable is as good as normal.
LARGE = 5e3


class DistanceLaw(NamedTuple):
    """Law of the distance from chance, as a function of the true distance.

    The sum of distance and offset is a multiple of a noncentral chi-square variable. Its mean is
    the sum of the true distance and the offset, and its variance, 2 scale (offset + 2 distance),
    grows with the distance.

    Attributes
    ----------
    distance : float
        The observed distance.
    scale, offset : float
        The multiple, and the offset.
    by_chance : float
        Standard deviation by chance.
    step : float
        Half-width of the steps of the observed distance, which may be discrete.
    skewness : float
        Skewness of the sum of the influences, which is positive if the agreement rests on few
        points. The law is that of a normal sum, whose skewness is 0.
    """

    distance: float
    scale: float
    offset: float
    by_chance: float
    step: float
    skewness: float

    @property
    def sd(self) -> float:
        """Standard deviation at the observed distance."""
        return math.sqrt(2.0 * self.scale * (self.offset + 2.0 * max(self.distance, 0.0)))

    def reach(self, normal: float, quantile: float, level: float) -> tuple[float, float]:
        """Return how far the true distance may be below and above the observed one.

        Parameters
        ----------
        normal : float
            How far it may be if the distance is normal, with the spread of the influences. It is
            used at ends beyond which there is only chance: below 0 the law is not known.
        quantile, level : float
            The quantile of Student's t, and the level that it belongs to.
        """
        tail = 0.5 - 0.5 * level
        low = self._true_distance(self.distance - self.step, 1.0 - tail)
        high = self._true_distance(self.distance + self.step, tail)
        below, above = self.step + normal, self.step + max(normal, quantile * self.by_chance)
        if low is not None:
            below = max(self.distance - low, 0.0)
        below += self._beyond_normal(tail, quantile)
        if high is not None:
            if min(high, self.skewness) > 0.0:
                # A sample with few of the points that matter shows too little scatter. The first
                # term of an Edgeworth expansion (Hall, 1992) moves the root of the noncentrality.
                moved = self.skewness * (2.0 * quantile**2 + 1.0) / 6.0
                high = (math.sqrt(high) + moved * math.sqrt(self.scale)) ** 2
            above = max(high - self.distance, 0.0)
        return below, above

    def _beyond_normal(self, tail: float, quantile: float) -> float:
        """Return how much further below the true distance may be because few points disagree.

        The sum of m rare influences of one size has the skewness 1/sqrt(m), and m is a Poisson
        variable: another sample may have as many as the exact bound for its mean.
        """
        from scipy.special import gammaincinv  # Deferred: seldom needed.

        if self.skewness >= 0.0:
            return 0.0
        rare = self.skewness**-2.0
        most = (float(gammaincinv(rare + 1.0, 1.0 - tail)) - rare) / math.sqrt(rare)
        return max(math.log1p(most * self.sd) - quantile * self.sd, 0.0)

    def _true_distance(self, distance: float, probability: float) -> float | None:
        """Return the true distance for which another one is a given quantile, if there is any."""
        from scipy.special import chdtr, chndtrinc, ndtri  # Deferred: seldom needed.

        freedom = self.offset / self.scale
        value = max(distance / self.scale + freedom, 0.0)
        if chdtr(freedom, value) <= probability:
            return None
        if value <= LARGE:
            return self.scale * float(chndtrinc(value, freedom, probability))
        half = 0.5 * (freedom - 1.0)
        root = math.sqrt(value - half) - float(ndtri(probability))
        return self.scale * (root**2 - half)


def law_of_distance(comparison: Comparison, variance: float, skewness: float) -> DistanceLaw | None:
    """Return the law of the distance from chance; None if no point can matter by chance.

    By chance, it has the mean, the variance and the skewness of shuffled points. Otherwise, its
    variance is that of the influences, apart from what they count twice.

    Parameters
    ----------
    comparison : Comparison
        The comparison.
    variance, skewness : float
        Those of the adjusted index, from the influences of the points.
    """
    analysis = comparison.analysis
    if isinstance(analysis.index, TableIndex) and not analysis.index.sums_points:
        return None
    shape = null_shape(analysis.sides)
    expected = _expected_by_shuffles(comparison)
    if not shape.sd > 0.0 or expected <= PERFECT:
        return None
    distance = -math.log((1.0 - comparison.observed) / expected)
    sd, skewed = shape.sd / expected, min(max(shape.skewness, SKEWNESS[0]), SKEWNESS[1])
    offset, by_chance = 2.0 * sd / skewed, 0.25 * sd * skewed
    # The influences count the contributions of pairs twice. With many degrees of freedom, only half
    # of the excess is removed, because their law is more skewed far from chance than by chance.
    twice = shape.of_pairs * (0.5 + skewed**2 / 16.0)
    counted = max(4.0 * distance + 2.0 * (1.0 + twice) * offset, sd)
    by_influences = variance / (1.0 - comparison.adjusted) ** 2 / counted
    near = FAR**2 / (FAR**2 + (max(distance, 0.0) / sd) ** 2)
    scale = max(by_influences, near * by_chance + (1.0 - near) * by_influences)
    return DistanceLaw(distance, scale, offset, sd, SMOOTHED * shape.step / expected, skewness)


def _expected_by_shuffles(comparison: Comparison) -> float:
    """Return the mean discordance over permutations, without visiting many pairs for it."""
    analysis = comparison.analysis
    if analysis.model.shuffles:
        return 1.0 - comparison.expected
    if is_linear(analysis.sides) or not isinstance(analysis.index, PairIndex):
        return permutation_mean(analysis.sides)[0]
    first, second = (atoms_of(side.pairs_law, side.effort, DRAWS) for side in analysis.sides)
    return analysis.index.concordance.mean_between(first, second)[0]
