"""Shape of the law of the mean discordance when points are shuffled: spread, skewness and steps.

The law is skewed, and often hardly less so for many points. Let a_ij and b_ij be the agreements of
both sides, minus their means, and s a permutation. The third power of the sum of a_ij b_s(i)s(j)
over all pairs is a sum over three pairs of points, which form one of eight kinds of figures: the
same pair three times, a triangle, three pairs apart, and so on. Permutations take a figure to every
figure of the same kind equally often, so each kind adds a sum over the first side times a sum over
the second. Figures whose parts share no point need no sums of their own, because all a_ij sum to 0.

Sums over a hard clustering follow from its cluster sizes. Those over a fuzzy one are estimated from
a few hundred points. The third moment of a discordance that is not linear in the product of the
agreements is approximated by that of a linear one, which has the same variance over pairs.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..._base.streams import Stream
from ..._base.types import FloatArray
from ..._clusterings.noise import choose_points
from ..._clusterings.partition import Partition
from ..._pairs.all_pairs import kept_agreements
from ..._pairs.cover_levels import shuffled_products
from ...indices import PairIndex
from ...indices.omega import Omega
from ...models._laws.side import Side
from .base import SHAPE
from .draws import PermutationNull
from .moments import is_linear
from .profiles import products_by_profiles
from .variances import variance_of_mean

#: Smaller variances are only rounding.
NO_VARIANCE = 1e-30
#: Shuffles that show the shape of an index of contingency tables.
SHUFFLES = 400

#: For each kind of figure, its number of points, and the number of ways in which three pairs form
#: it, divided by the number of ways to choose its points in order. The kinds: one pair; a pair
#: twice, and a pair that shares a point with it; a pair twice, and one apart; triangle; star; path;
#: two pairs that share a point, and one apart; three pairs apart.
POINTS = np.array([2, 3, 4, 3, 4, 4, 5, 6])
WAYS = np.array([0.5, 3.0, 0.75, 1.0, 1.0, 3.0, 1.5, 0.125])


class NullShape(NamedTuple):
    """Shape of the law of the mean discordance when the points of one side are shuffled.

    Attributes
    ----------
    sd : float
        Standard deviation.
    skewness : float
        Skewness of minus the discordance.
    of_pairs : float
        Share of the variance that single points do not explain, from 0 to 1.
    step : float
        Largest change due to one point that comes from a rare cluster of both sides, or from a
        large one of both.
    """

    sd: float
    skewness: float
    of_pairs: float
    step: float


class AgreementMoments(NamedTuple):
    """Mean products of the centred agreements of a clustering, over all different points.

    Attributes
    ----------
    pair, fork : float
        Means of a_ij^2 and a_ij a_ik.
    cubes : array
        Means of a_ij^3, a_ij^2 a_ik, a_ij a_jk a_ki, a_ij a_ik a_il and a_ij a_jk a_kl.
    low, high : float
        Range of the mean agreement of a point with the others, centred.
    """

    pair: float
    fork: float
    cubes: FloatArray
    low: float
    high: float


def null_shape(sides: tuple[Side, Side]) -> NullShape:
    """Return the shape of the law of the discordance of two sides under permutations.

    Parameters
    ----------
    sides : pair of Side
        The two clusterings, with an index that is a mean over pairs. Weighted points are replaced
        by as many of equal weight as are as informative.
    """
    sides = _of_equal_weight(sides)
    index, n = sides[0].index, sides[0].partition.n
    if isinstance(index, Omega):
        return _shape_of_covers(sides)
    if not isinstance(index, PairIndex):
        return _of_draws(sides)
    parts, effort = _few_points(sides), sides[0].effort
    one, two = (
        _of_sizes(side.partition)
        if side.partition.is_hard
        else _of_values(part.n, kept_agreements(part, index.agreement, effort.budget.numpy_work))
        for side, part in zip(sides, parts, strict=True)
    )
    slope = 2.0
    products = tuple(slope**2 * a * b for a in (one.pair, one.fork) for b in (two.pair, two.fork))
    if not is_linear(sides) and products[0] > NO_VARIANCE:
        straight = products[0]
        products = products_by_profiles(parts, index.agreement, index.concordance, effort)
        slope *= math.sqrt(products[0] / straight)
    return _shape(n, one, two, products, slope)


def _shape_of_covers(sides: tuple[Side, Side]) -> NullShape:
    """Return the shape for two covers: exact spread, and the skewness of whether pairs share any.

    Few pairs share several clusters, so the third moment is that of sharing a cluster or not.
    """
    first, second = (side.partition for side in sides)
    products = shuffled_products(first, second)
    if products is None:
        return NullShape(0.0, 0.0, 1.0, 0.0)
    one, two = (
        _of_sizes(part) if part.is_hard else _of_values(part.n, _sharing(part))
        for part in _few_points(sides)
    )
    straight = one.pair * two.pair
    slope = math.sqrt(products[0] / straight) if straight > NO_VARIANCE else 0.0
    return _shape(first.n, one, two, products, slope)


def _sharing(partition: Partition) -> FloatArray:
    """Return whether each pair of a few points shares a cluster."""
    rows = partition.without_zeros.matrix
    together = np.asarray((rows @ rows.T).toarray()) > 0.0
    return together[np.triu_indices(partition.n, 1)].astype(np.float64)


def _shape(
    n: int,
    one: AgreementMoments,
    two: AgreementMoments,
    products: tuple[float, ...],
    slope: float,
) -> NullShape:
    variance = variance_of_mean(n, *products)
    if variance <= NO_VARIANCE:
        return NullShape(0.0, 0.0, 1.0, 0.0)
    vv, vc, cv, cc = products
    of_pairs = 2.0 * (vv - 2.0 * (vc + cv) + 4.0 * cc) / (n * (n - 1.0)) / variance
    return NullShape(
        math.sqrt(variance),
        slope**3 * _third_moment(n, one.cubes, two.cubes) / variance**1.5,
        min(max(of_pairs, 0.0), 1.0),
        2.0 * slope / n * max(one.low * two.low, one.high * two.high),
    )


def _of_draws(sides: tuple[Side, Side]) -> NullShape:
    """Return the shape from some shuffles, for an index of contingency tables."""
    null, n = PermutationNull(sides), sides[0].partition.n
    drawn = -null.draws(SHUFFLES)
    sd = float(drawn.std())
    if not sd > math.sqrt(NO_VARIANCE):
        return NullShape(0.0, 0.0, 1.0, 0.0)
    skewness = float((((drawn - drawn.mean()) / sd) ** 3).mean())
    # Near chance, such an index is quadratic in the table, and varies by 1/n.
    return NullShape(sd * null.points / n, skewness, 1.0, 0.0)


def _of_equal_weight(sides: tuple[Side, Side]) -> tuple[Side, Side]:
    """Return sides whose points count alike, drawn in proportion to weights if there are any."""
    partition, weighting = sides[0].partition, sides[0].partition.weighting
    if partition.weights is None or weighting is None:
        return sides
    rng = sides[0].effort.stream(Stream.PERMUTATIONS, SHAPE, 1)
    points = weighting.represent(rng, max(round(weighting.effective), 2))
    first, second = (
        Side(replace(side.partition.take(points), weighting=None), side.index, side.effort)
        for side in sides
    )
    return first, second


def _few_points(sides: tuple[Side, Side]) -> tuple[Partition, Partition]:
    """Return the clusterings of all points, or of some that represent them."""
    first, second = (side.partition for side in sides)
    most = sides[0].effort.budget.shape_points
    if first.n > most:
        rng = sides[0].effort.stream(Stream.PERMUTATIONS, SHAPE, 0)
        some = choose_points(first.n, most, rng)
        first, second = first.take(some), second.take(some)
    return first, second


def _third_moment(n: int, first: FloatArray, second: FloatArray) -> float:
    """Return the third moment of the mean of a_ij b_s(i)s(j) over pairs, for random s."""
    some = n >= POINTS
    ordered = _falling(n, POINTS[some])
    products = (_sums_of_figures(n, first) * _sums_of_figures(n, second))[some]
    return float((WAYS[some] * products / ordered).sum()) * (2.0 / (n * (n - 1.0))) ** 3


def _sums_of_figures(n: int, cubes: FloatArray) -> FloatArray:
    """Return the sums over all kinds of figures, in the order of ``POINTS``."""
    pair, fork, triangle, star, path = cubes * _falling(n, POINTS[[0, 1, 3, 4, 5]])
    # Sums over pairs apart from a figure are minus those over pairs that share points with it.
    apart = -4.0 * fork - 2.0 * pair
    fork_apart = -4.0 * fork - 2.0 * triangle - 4.0 * path - 2.0 * star
    all_apart = -4.0 * apart - 8.0 * path - 8.0 * fork_apart
    return np.array([pair, fork, apart, triangle, star, path, fork_apart, all_apart])


def _falling(n: int, points: npt.ArrayLike) -> FloatArray:
    """Return in how many ways so many points can be chosen in order."""
    return np.array([math.prod(n - i for i in range(k)) for k in np.ravel(points)], dtype=float)


def _of_sizes(partition: Partition) -> AgreementMoments:
    """Return the moments of a hard clustering."""
    sizes, n = partition.sizes[partition.sizes > 0.0], partition.n
    together = partition.same_cluster_pairs / partition.pairs
    others, pairs = sizes - 1.0, float(n * (n - 1))
    triples = float((sizes * others * (sizes - 2.0)).sum())
    sums = others - (n - 1.0) * together
    squares = others * (1.0 - 2.0 * together) + (n - 1.0) * together**2
    triangles = triples * (1.0 - 3.0 * together) + pairs * (n - 2.0) * 2.0 * together**3
    paths = float((sizes * others) @ sums**2 + together * (sizes @ sums**2))
    cubes = pairs * together * (1.0 - together) * (1.0 - 2.0 * together)
    return _of_sums(n, sizes, sums, squares, (cubes, triangles, paths))


def _of_values(n: int, values: FloatArray) -> AgreementMoments:
    """Return the moments of a clustering of few points, from the agreements of all pairs."""
    a = np.zeros((n, n))
    a[np.triu_indices(n, 1)] = values - values.mean()
    a += a.T
    square = a * a
    sums = a.sum(axis=1)
    totals = (float(np.vdot(square, a)), float(np.vdot(a @ a, a)), float(sums @ a @ sums))
    return _of_sums(n, np.ones(n), sums, square.sum(axis=1), totals)


def _of_sums(
    n: int,
    weights: FloatArray,
    sums: FloatArray,
    squares: FloatArray,
    totals: tuple[float, float, float],
) -> AgreementMoments:
    """Return the moments from sums over the pairs of each point.

    Parameters
    ----------
    n : int
        Number of points.
    weights : array
        Number of points that have the sums.
    sums, squares : array
        Sums of a_ij and of a_ij^2 over j.
    totals : tuple of float
        Sums of a_ij^3, of a_ij a_jk a_ki, and of a_ij times the sums of i and j.
    """
    cubes, triangles, paths = totals
    forks = float(weights @ (squares * sums)) - cubes
    stars = float(weights @ (sums**3 - 3.0 * sums * squares)) + 2.0 * cubes
    paths += -2.0 * forks - cubes - triangles
    pairs = float(weights @ squares)
    ordered = np.maximum(_falling(n, [2, 3, 3, 4, 4]), 1.0)
    return AgreementMoments(
        pairs / ordered[0],
        (float(weights @ sums**2) - pairs) / ordered[1],
        np.array([cubes, forks, triangles, stars, paths]) / ordered,
        float(sums.min()) / (n - 1.0),
        float(sums.max()) / (n - 1.0),
    )
