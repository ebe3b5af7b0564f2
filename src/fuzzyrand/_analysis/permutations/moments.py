"""Mean and variance of the discordance of two clusterings over all permutations of the points.

If the discordance of a pair is linear in the product of its agreements, both follow from how the
agreements of each side vary over pairs and points (``spreads``). Otherwise, the variance follows
from the profiles of the points (``profiles``): exactly for few points, otherwise with an estimated
error.
"""

from __future__ import annotations

from typing import NamedTuple

from ..._pairs.cover_levels import shuffled_products
from ...indices import PairIndex, TableIndex
from ...indices.omega import Omega
from ...models._laws.side import Side
from ..discordance.expected import expected_discordance
from .profiles import variance_by_profiles
from .spreads import Spread, spread_of
from .variances import variance_of_mean

#: Smaller variances are only rounding, since the discordance is a number of order 1.
NO_VARIANCE = 1e-30


class PermutationMoments(NamedTuple):
    """Mean and variance of the mean discordance when the points of one side are shuffled.

    Attributes
    ----------
    mean : float
        The mean.
    mean_error : float
        Sum of its Monte Carlo error and error bound.
    variance : float or None
        The variance; None if there is no formula for it, or too many points.
    error : float
        Estimated error of the variance; 0 if it is exact.
    how : str
        How the variance was computed, in words.
    """

    mean: float
    mean_error: float
    variance: float | None
    error: float
    how: str

    @property
    def approximate(self) -> bool:
        """Whether the variance was computed from a sample, or from binned agreements."""
        return self.error > 0.0


def permutation_moments(sides: tuple[Side, Side]) -> PermutationMoments:
    """Compute mean and variance of the discordance of two sides over all permutations.

    Parameters
    ----------
    sides : pair of Side
        The two clusterings, with index and effort.

    Returns
    -------
    PermutationMoments
        Moments for all points, whatever their number.
    """
    first, second = sides
    mean, mean_error = permutation_mean(sides)
    index, n = first.index, first.partition.n
    hard = first.partition.is_hard + second.partition.is_hard
    if first.partition.weights is not None:
        return PermutationMoments(mean, mean_error, None, 0.0, "no formula")
    if n < 3:
        return PermutationMoments(mean, mean_error, 0.0, 0.0, "one pair of points")
    if isinstance(index, Omega) and hard < 2:
        products = shuffled_products(first.partition, second.partition)
        if products is None:
            return PermutationMoments(mean, mean_error, None, 0.0, "too many levels")
        variance = _rounded(variance_of_mean(n, *products))
        return PermutationMoments(mean, mean_error, variance, 0.0, "levels of all pairs")
    if isinstance(index, TableIndex) and not (hard == 2 and index.equals_rand):
        return PermutationMoments(mean, mean_error, None, 0.0, "no formula")
    if hard == 2 or is_linear(sides):
        spreads = spread_of(first), spread_of(second)
        if spreads[0] is not None and spreads[1] is not None:
            variance, error = _of_spreads(n, spreads[0], spreads[1])
            how = " and ".join(dict.fromkeys(spread.how for spread in spreads if spread))
            return PermutationMoments(mean, mean_error, _rounded(variance), error, how)
    assert isinstance(index, PairIndex)
    found = variance_by_profiles(
        (first.partition, second.partition), index.agreement, index.concordance, first.effort
    )
    if found is None:
        return PermutationMoments(mean, mean_error, None, 0.0, "too many points")
    return PermutationMoments(mean, mean_error, _rounded(found.value), found.error, found.how)


def permutation_mean(sides: tuple[Side, Side]) -> tuple[float, float]:
    """Return the mean discordance over all permutations, and its error."""
    first, second = sides
    effort = first.effort
    estimate = expected_discordance(
        sides, (first.pairs_law, second.pairs_law), lambda value: effort.tol * value
    )
    return estimate.value, estimate.stderr + estimate.error_bound


def is_linear(sides: tuple[Side, Side]) -> bool:
    """Return whether discordances are linear, with slope -2, in the product of the agreements."""
    index = sides[0].index
    if not isinstance(index, PairIndex):
        return False
    return index.concordance.moments_needed(sum(s.partition.is_hard for s in sides)) is not None


def _of_spreads(n: int, first: Spread, second: Spread) -> tuple[float, float]:
    """Return the variance of -2 times the mean product, and its error."""

    def variance(one: Spread, two: Spread) -> float:
        v1, v2, c1, c2 = one.variance, two.variance, one.covariance(n), two.covariance(n)
        return 4.0 * variance_of_mean(n, v1 * v2, v1 * c2, c1 * v2, c1 * c2)

    exact = variance(first, second)
    off1 = first._replace(variance=first.variance + first.error)
    off2 = second._replace(variance=second.variance + second.error)
    error = abs(variance(off1, second) - exact) + abs(variance(first, off2) - exact)
    return exact, error


def _rounded(variance: float) -> float:
    return variance if variance > NO_VARIANCE else 0.0
