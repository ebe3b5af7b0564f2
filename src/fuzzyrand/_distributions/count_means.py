"""Expected information of random counts: means of phi(N/n), phi(x) = x ln x, over many cells.

A cell of the table of two random hard clusterings holds a hypergeometric number N of the n points
if one side is shuffled, and a binomial number if points are independent. With M its mean, phi is
convex, so that E phi(N/n) is phi(M/n) plus a positive *Jensen gap*,

    E phi(N/n) = phi(M/n) + E[N ln(N/M) - N + M] / n.

Only the gap needs a sum over N. All its terms are positive and nothing cancels, so it is found to
nearly full relative precision, as is the expected mutual information, which consists of gaps: the
sums of phi(M/n) over cells cancel those over margins.

Equal cells are computed once. A narrow distribution is summed outwards from its mean by the ratios
of successive probabilities, scaled by their sum in place of logarithms of factorials. A wide one is
summed over every h-th count with h well below its standard deviation; by Poisson's summation
formula this is exact up to the characteristic function at 2 pi / h, which is below 1e-18.

References
----------
.. [1] Vinh, N. X., Epps, J. & Bailey, J. (2010). Information theoretic measures for clusterings
   comparison: variants, properties, normalization and correction for chance. Journal of Machine
   Learning Research, 11, 2837-2854.
.. [2] Loader, C. (2000). Fast and accurate computation of binomial probabilities. (Deviances in
   place of logarithms of factorials.)
.. [3] Vatutin, V. A. & Mikhailov, V. G. (1982). Limit theorems for the number of empty cells in an
   equiprobable scheme for group allocation of particles. Theory of Probability and Its
   Applications, 27, 734-743. (A hypergeometric variable is a sum of independent 0/1 variables,
   which bounds its tails and its characteristic function.)
"""

from __future__ import annotations

from functools import reduce
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import xlogy

from .._base.types import FloatArray

#: Smallest standard deviation of a wide distribution. The expected numbers on which it depends are
#: then at least 256, and those used below at least 60, where Stirling's series is exact.
WIDE = 16.0
#: Counts of a wide distribution per standard deviation, and their number on each side of the mean.
DENSITY, REACH = 1.5, 19
#: Smallest term of a narrow distribution, relative to the sum so far.
NEGLIGIBLE = 1e-18
#: Number of cells computed at once; a dozen arrays of them fit into the cache.
TILE, _TILE_ROWS = 4096, 64
#: Number of cells from which on their means are interpolated between sizes, if these are alike.
MANY_CELLS = 20_000
#: Number of sizes of one side that are never interpolated, and ratio between sizes that are alike.
FEW_SIZES, ALIKE = 160, 30.0
#: Numbers of sizes between which they are interpolated, and the relative change that is accepted.
ORDERS, CONVERGED = (12, 24, 48), 1e-12
_UNIT = float(np.finfo(np.float64).eps) / 2
_ALMOST_ALL = _UNIT - 1.0

#: A mean, and a bound of its error by truncation, rounding and interpolation.
MeanAndError = tuple[float, float]


class Group(NamedTuple):
    """Different values, in ascending order, and how many clusters have each.

    Attributes
    ----------
    values : array
        Sizes or probabilities.
    counts : array
        How many; expected numbers need not be integers.
    """

    values: FloatArray
    counts: FloatArray

    @classmethod
    def of(cls, values: npt.ArrayLike, counts: npt.ArrayLike | None = None) -> Group:
        """Group equal values; zeros are left out."""
        given = np.asarray(values, dtype=np.float64).ravel()
        weights = np.ones(given.size) if counts is None else np.asarray(counts, np.float64).ravel()
        found, where = np.unique(given, return_inverse=True)
        numbers = np.asarray(np.bincount(where, weights, found.size), np.float64)
        return cls(found[found > 0.0], numbers[found > 0.0])

    def times(self, other: Group) -> Group:
        """Return all products of a value of this and a value of another group."""
        values = np.outer(self.values, other.values)
        return Group.of(values, np.outer(self.counts, other.counts))

    def over(self, n: int) -> Group:
        """Return the group with all values divided by n."""
        return Group(self.values / n, self.counts)

    def total(self) -> float:
        """Return the sum of all values."""
        return float(self.values @ self.counts)

    def information(self) -> float:
        """Return the sum of x ln x over all values x."""
        return float(xlogy(self.values, self.values) @ self.counts)


# --- sums over cells -----------------------------------------------------------------------------


def mean_cells_shuffled(
    n: int,
    sizes1: npt.ArrayLike,
    sizes2: npt.ArrayLike,
    counts1: npt.ArrayLike | None = None,
    counts2: npt.ArrayLike | None = None,
) -> MeanAndError:
    """Sum E phi(N/n) over all pairs of clusters when points are shuffled.

    N is the number of points that a cluster of a points and one of b points share, a
    Hypergeometric(n; a, b) variable.

    Parameters
    ----------
    n : int
        Number of points.
    sizes1, sizes2 : array of int
        Sizes of the clusters of both sides.
    counts1, counts2 : array, optional
        How many clusters have these sizes, one each by default; expected numbers if sizes are
        random.

    Returns
    -------
    mean, error : float
        The sum, and a bound of its error.

    Examples
    --------
    Two clusters of two points each have 0, 1 or 2 points in common with probabilities 1/6, 4/6 and
    1/6.

    >>> import math
    >>> mean, error = mean_cells_shuffled(4, [2, 2], [2, 2])
    >>> expected = 4 * (4 / 6 * 1 / 4 * math.log(1 / 4) + 1 / 6 * 1 / 2 * math.log(1 / 2))
    >>> abs(mean - expected) <= error < 1e-14
    True
    """
    first, second = Group.of(sizes1, counts1), Group.of(sizes2, counts2)
    return _with_means(_gap_shuffled(n, first, second), first.over(n), second.over(n))


def mean_cells_binomial(
    n: int, trials: npt.ArrayLike, *probabilities: npt.ArrayLike
) -> MeanAndError:
    """Sum E phi(N/n) over cells with Binomial(trials, probability) numbers N of points.

    There is a cell for each choice of one entry of every argument; its probability is the product
    of those chosen. So ``(n, n, p)`` is for the clusters of one side with independent points,
    ``(n, n, p, q)`` for all pairs of clusters of two such sides, and ``(n, sizes, q)`` for pairs of
    clusters of given sizes with those of such a side.

    Parameters
    ----------
    n : int
        Number of points.
    trials : int or array of int
        Numbers of trials.
    *probabilities : array
        Probabilities, one array or several.

    Returns
    -------
    mean, error : float
        The sum, and a bound of its error.
    """
    first, second = Group.of(trials), _products(probabilities)
    return _with_means(_gap_binomial(n, first, second), first.over(n), second)


def jensen_gap_shuffled(
    n: int,
    sizes1: npt.ArrayLike,
    sizes2: npt.ArrayLike,
    counts1: npt.ArrayLike | None = None,
    counts2: npt.ArrayLike | None = None,
) -> MeanAndError:
    """Sum E phi(N/n) - phi(E N/n) over all pairs of clusters when points are shuffled.

    This is the expected mutual information, in nats, of clusterings with these sizes; also if the
    sizes are random and counts are the expected numbers of clusters of each size. Parameters and
    returns are those of :func:`mean_cells_shuffled`.
    """
    return _gap_shuffled(n, Group.of(sizes1, counts1), Group.of(sizes2, counts2))


def jensen_gap_binomial(
    n: int, trials: npt.ArrayLike, *probabilities: npt.ArrayLike
) -> MeanAndError:
    """Sum E phi(N/n) - phi(E N/n) over cells with binomial numbers N of points.

    If points are independent, the expected mutual information is the gap of the cells less those of
    the random margins: ``(n, n, p, q)`` less ``(n, n, p)`` and ``(n, n, q)``, or ``(n, sizes, q)``
    less ``(n, n, q)``. Parameters and returns are those of :func:`mean_cells_binomial`.
    """
    return _gap_binomial(n, Group.of(trials), _products(probabilities))


def _products(probabilities: tuple[npt.ArrayLike, ...]) -> Group:
    return reduce(Group.times, map(Group.of, probabilities))


def _with_means(gap: MeanAndError, first: Group, second: Group) -> MeanAndError:
    """Add phi at the means of the cells, which are all products of two groups."""
    # phi(x y) = x phi(y) + y phi(x), so no sum over pairs is needed.
    one, two = first.information() * second.total(), second.information() * first.total()
    rounding = 8.0 * _UNIT * (abs(one) + abs(two))
    return gap[0] + (one + two), gap[1] + rounding


def _gap_shuffled(n: int, first: Group, second: Group) -> MeanAndError:
    sides = first, second
    many = first.values.size * second.values.size > MANY_CELLS
    before = np.inf
    for order in ORDERS if many and any(map(_is_smooth, sides)) else ():
        few1, few2 = (_condensed(side, order) if _is_smooth(side) else side for side in sides)
        gap, error = _gap_of_grid(few1, few2, n)
        change = abs(gap - before)
        if change <= CONVERGED * gap:
            return gap / n, (error + change) / n
        before = gap
    gap, error = _gap_of_grid(first, second, n)
    return gap / n, error / n


def _is_smooth(sizes: Group) -> bool:
    """Return whether there are many sizes, between which means can be interpolated."""
    values = sizes.values
    return values.size > FEW_SIZES and bool(values[-1] <= ALIKE * values[0])


def _gap_binomial(n: int, trials: Group, probabilities: Group) -> MeanAndError:
    random = probabilities.values < 1.0
    chosen = Group(probabilities.values[random], probabilities.counts[random])
    gap, error = _gap_of_grid(trials, chosen, None)
    return gap / n, error / n


def _condensed(group: Group, order: int) -> Group:
    """Replace many sizes by few, with weights that give sums of smooth functions.

    A function is interpolated by the polynomial of the logarithm of the size through its values at
    ``order`` integers close to Chebyshev's points. The logarithm is chosen because phi is an entire
    function of it. Weights may be negative.
    """
    x, counts = np.log(group.values), group.counts
    middle, half = 0.5 * (x[0] + x[-1]), 0.5 * (x[-1] - x[0])
    angles = np.pi * (np.arange(order) + 0.5) / order
    sizes = np.unique(np.rint(np.exp(middle + half * np.cos(angles))))
    nodes = np.log(sizes)
    between = (nodes[:, None] - nodes) / (0.5 * half)
    np.fill_diagonal(between, 1.0)
    weights = 1.0 / between.prod(axis=1)
    at = np.searchsorted(sizes, group.values).clip(max=sizes.size - 1)
    is_node = sizes[at] == group.values
    quotients = weights / (x[~is_node, None] - nodes)
    quotients *= (counts[~is_node] / quotients.sum(axis=1))[:, None]
    own = np.bincount(at[is_node], counts[is_node], nodes.size)
    return Group(sizes, own + quotients.sum(axis=0))


# --- single cells --------------------------------------------------------------------------------


def _gap_of_grid(rows: Group, columns: Group, n: float | None) -> MeanAndError:
    """Sum E[N ln(N/M) - N + M] over a grid of cells, and a bound of the error.

    N is Hypergeometric(n; a, b), or Binomial(a, b) if ``n`` is None.
    """
    total = error = 0.0
    for i in range(0, rows.values.size, _TILE_ROWS):
        a, count1 = rows.values[i : i + _TILE_ROWS, None], rows.counts[i : i + _TILE_ROWS]
        width = TILE // a.size
        for j in range(0, columns.values.size, width):
            b, count2 = columns.values[j : j + width], columns.counts[j : j + width]
            gap, bound = _gaps(_Counts.of(a, b, n))
            total += float(count1 @ gap.reshape(a.size, b.size) @ count2)
            error += float(np.abs(count1) @ bound.reshape(a.size, b.size) @ np.abs(count2))
    return total, error


class _Counts(NamedTuple):
    """Hypergeometric or binomial variables N, in one notation for both.

    P(N+1) / P(N) = (a - N) (b - s N) / ((N+1) (d + s (N+1))), where s = 1 and d = n - a - b for
    Hypergeometric(n; a, b), and s = 0 and d = 1 - b for Binomial(a, b).
    """

    a: FloatArray
    b: FloatArray
    d: FloatArray
    s: float
    mean: FloatArray
    sd: FloatArray

    @classmethod
    def of(cls, a: FloatArray, b: FloatArray, n: float | None) -> _Counts:
        """Return the variables of all pairs of an entry of ``a`` and one of ``b``."""
        a, b = (each.ravel() for each in np.broadcast_arrays(a, b))
        if n is None:
            mean = a * b
            return cls(a, b, 1.0 - b, 0.0, mean, np.sqrt(mean * (1.0 - b)))
        mean = a * b / n
        variance = mean * ((n - a) / n) * ((n - b) / max(n - 1.0, 1.0))
        return cls(a, b, n - a - b, 1.0, mean, np.sqrt(variance))

    def chosen(self, which: npt.NDArray[np.bool_]) -> _Counts:
        """Return some of the variables."""
        a, b, d, mean, sd = (each[which] for each in (self.a, self.b, self.d, self.mean, self.sd))
        return _Counts(a, b, d, self.s, mean, sd)


def _gaps(counts: _Counts) -> tuple[FloatArray, FloatArray]:
    """Return E[N ln(N/M) - N + M] of each variable, and a bound of its error."""
    wide = counts.sd >= WIDE
    gap = np.empty(wide.size)
    for which, gaps in ((wide, _wide_gaps), (~wide, _narrow_gaps)):
        if which.any():
            gap[which] = gaps(counts.chosen(which))
    # A probability has four roundings for each step from the mean, or as many as its logarithm has;
    # a deviation from the mean loses digits to the mean, whose own rounding counts squared.
    digits = (50.0 + 16.0 * counts.sd) * gap + 8.0 * counts.sd + 4.0 * _UNIT * counts.mean
    return gap, _UNIT * digits


def _narrow_gaps(counts: _Counts) -> FloatArray:
    """Sum over all counts, from the mean outwards, until terms are negligible."""
    a, b, d, s, mean, _ = counts
    start = np.rint(mean)
    total = np.ones(mean.size)
    gap = _deviance(start, mean)
    for step in (1.0, -1.0):
        number, weight = start, np.ones(mean.size)
        while True:
            if step > 0.0:
                weight = weight * ((a - number) * (b - s * number))
                number = number + 1.0
                weight /= number * (d + s * number)
            else:
                weight = weight * (number * (d + s * number))
                number = np.maximum(number - 1.0, 0.0)
                weight /= (a - number) * (b - s * number)
            term = weight * _deviance(number, mean)
            total += weight
            gap += term
            if (weight <= NEGLIGIBLE * total).all() and (term <= NEGLIGIBLE * gap).all():
                break
    return gap / total


def _wide_gaps(counts: _Counts) -> FloatArray:
    """Sum over every h-th count, h below the standard deviation."""
    a, b, d, mean, sd = (each[:, None] for each in counts if isinstance(each, np.ndarray))
    number = np.rint(mean) + np.floor(sd / DENSITY) * np.arange(-REACH, REACH + 1.0)
    deviance = _deviance(number, mean)
    # The other numbers of the two-by-two table, which add to the logarithm of the probability.
    log = deviance + _log_root(number)
    others = [(a - number, a - mean)]
    if counts.s:
        others += [(b - number, b - mean), (d + number, d + mean)]
    for other, expected in others:
        log += _deviance(other, expected) + _log_root(other)
    weight = np.exp(log[:, REACH, None] - log)
    mean_gap: FloatArray = (weight * deviance).sum(axis=1) / weight.sum(axis=1)
    return mean_gap


def _deviance(number: FloatArray, mean: FloatArray) -> FloatArray:
    """Return x ln(x/m) - x + m, which is positive."""
    beyond = number - mean
    relative = np.maximum(beyond / mean, _ALMOST_ALL)  # a number of 0 is multiplied by no infinity
    value: FloatArray = number * np.log1p(relative) - beyond
    return value


def _log_root(x: FloatArray) -> FloatArray:
    """Return ln x! - (x ln x - x) - ln(2 pi) / 2 by Stirling's series, for x above 50."""
    y = 1.0 / (x * x)
    series = (1 / 12 - y * (1 / 360 - y * (1 / 1260 - y / 1680))) / x
    value: FloatArray = 0.5 * np.log(x) + series
    return value
