"""Mean mutual information of soft tables to fourth order, and the remainder that is to be sampled.

With phi(x) = x ln x, the mutual information of memberships U and V of n points is

    MI = sum phi(C_ij) - sum phi(p_i) - sum phi(q_j),    C = U'V / n,

where p and q are the row and column sums of C. Around the means pi and kappa of the margins, and
pi kappa' of the table, its Taylor polynomial starts with terms of second order. The mean of each
term is a function of the moments of the columns of U and V: under shuffles of the points, and for
independent rows on one side or on both. The second-order term is the same for all of them,

    (S_u - 1) (S_v - 1) / (2 n),    S_u = sum_i E[u_i^2] / E[u_i],

with n - 1 in place of n under shuffles; it is (k1 - 1)(k2 - 1) / (2 n) for hard clusterings. The
mean of MI less the polynomial is sampled; it varies far less than MI does.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .._base.types import FloatArray

#: Number of rows whose powers are added up at once; they fit into the cache.
ROWS_AT_ONCE = 4096
#: Relative deviation from the mean from which on a remainder is computed as it is defined, and the
#: number of terms of its series below it: 0.25^24 / 600 is below 1e-16 of the first one.
LARGE_DEVIATION, TERMS = 0.25, 26


class ColumnMoments(NamedTuple):
    """Moments of the columns of memberships whose rows sum to 1.

    Attributes
    ----------
    mean : array
        Mean of each column.
    second, third, fourth : array
        Central moments of each column, with a denominator of n if rows are given. NaN if unknown;
        then the terms that depend on them are NaN.
    """

    mean: FloatArray
    second: FloatArray
    third: FloatArray
    fourth: FloatArray

    @classmethod
    def of_rows(cls, rows: FloatArray) -> ColumnMoments:
        """Compute the moments of given rows."""
        n, k = rows.shape
        ones = np.ones(ROWS_AT_ONCE)  # products with it are quicker than sums over short rows
        blocks = range(0, n, ROWS_AT_ONCE)
        mean = np.zeros(k)
        for start in blocks:
            block = rows[start : start + ROWS_AT_ONCE]
            mean += ones[: len(block)] @ block
        mean /= n
        means, sums = np.tile(mean, (ROWS_AT_ONCE, 1)), np.zeros((3, k))
        for start in blocks:
            block = rows[start : start + ROWS_AT_ONCE]
            beyond = block - means[: len(block)]
            squares = beyond * beyond
            beyond *= squares
            one = ones[: len(block)]
            sums += one @ squares, one @ beyond, one @ np.square(squares)
        return cls(mean, *(sums / n))

    @classmethod
    def of_shares(cls, shares: FloatArray) -> ColumnMoments:
        """Return the moments of one-hot rows, from the share of the points in each cluster."""
        variance = shares * (1.0 - shares)
        third = variance * (1.0 - 2.0 * shares)
        return cls(shares, variance, third, variance * (1.0 - 3.0 * variance))

    @classmethod
    def of_raw(cls, *moments: FloatArray) -> ColumnMoments:
        """Return the moments of a distribution of rows from E u, E u^2, E u^3 and E u^4."""
        m1, m2, m3, m4 = moments
        second = m2 - m1**2
        third = m3 - 3.0 * m1 * m2 + 2.0 * m1**3
        return cls(m1, second, third, m4 - 4.0 * m1 * m3 + 6.0 * m1**2 * m2 - 3.0 * m1**4)


class InformationTerms(NamedTuple):
    """Means of the terms of the Taylor polynomial of mutual information, in nats.

    Attributes
    ----------
    second, third, fourth : float
        The term of this order. The second is of order 1/n, the others of order 1/n^2, and their sum
        is the mean mutual information up to order 1/n^3 if no cell is nearly empty.
    """

    second: float
    third: float
    fourth: float


class _Sums(NamedTuple):
    """Sums of central moments over columns, c_2 / mean, c_3 / mean^2, c_4 / mean^3, c_2^2 / mean^3.

    ``raw`` are the same sums of moments about 0.
    """

    second: float
    third: float
    fourth: float
    squared: float

    @classmethod
    def of(cls, moments: ColumnMoments) -> _Sums:
        mean, second, third, fourth = (each[moments.mean > 0.0] for each in moments)
        return cls(
            float((second / mean).sum()),
            float((third / mean**2).sum()),
            float((fourth / mean**3).sum()),
            float((second**2 / mean**3).sum()),
        )

    @property
    def raw(self) -> _Sums:
        second, third, fourth, squared = self
        return _Sums(
            1.0 + second,
            1.0 + 3.0 * second + third,
            1.0 + 6.0 * second + 4.0 * third + fourth,
            1.0 + 2.0 * second + squared,
        )


def shuffled_information(
    n: int, moments1: ColumnMoments, moments2: ColumnMoments
) -> InformationTerms:
    """Return the mean terms of mutual information when the points of one side are shuffled.

    For T = sum_t x_t y_s(t) of centred x and y and a random permutation s, the means of T^2, T^3
    and T^4 follow by sorting the indices by which of them are equal.

    Parameters
    ----------
    n : int
        Number of points.
    moments1, moments2 : ColumnMoments
        Moments of the memberships of both sides.

    Returns
    -------
    InformationTerms
        Exact means.
    """
    if n == 1:
        return InformationTerms(0.0, 0.0, 0.0)
    x, y = _Sums.of(moments1), _Sums.of(moments2)
    second = x.second * y.second / (2.0 * (n - 1))
    # For two points third powers cancel. Orders of more different indices than points are empty.
    third = -x.third * y.third / (6.0 * (n - 1) * (n - 2)) if n > 2 else 0.0
    fourth, ways = 0.0, 1.0
    x4, y4, x22, y22 = n * x.fourth, n * y.fourth, n**2 * x.squared, n**2 * y.squared
    sums_by_indices = (
        x4 * y4,
        4.0 * x4 * y4 + 3.0 * (x22 - x4) * (y22 - y4),
        6.0 * (2.0 * x4 - x22) * (2.0 * y4 - y22),
        9.0 * (x22 - 2.0 * x4) * (y22 - 2.0 * y4),
    )
    for different, value in enumerate(sums_by_indices[:n]):
        ways *= n - different
        fourth += value / ways
    return InformationTerms(second, third, fourth / (12.0 * float(n) ** 4))


def independent_information(
    n: int, moments1: ColumnMoments, moments2: ColumnMoments
) -> InformationTerms:
    """Return the mean terms of mutual information if both sides have independent random rows.

    Parameters
    ----------
    n : int
        Number of points.
    moments1, moments2 : ColumnMoments
        Moments of the distributions of a row of both sides.

    Returns
    -------
    InformationTerms
        Exact means.
    """
    x, y = _Sums.of(moments1), _Sums.of(moments2)
    a, b = x.raw, y.raw
    third = 6.0 * x.second * y.second + 3.0 * (x.second * y.third + x.third * y.second)
    # Central moments of the product of two memberships, less those of the margins.
    fourth = a.fourth * b.fourth - 4.0 * a.third * b.third + 6.0 * a.second * b.second - 3.0
    fourth -= x.fourth + y.fourth
    squared = a.squared * b.squared - 2.0 * a.second * b.second + 1.0 - x.squared - y.squared
    return InformationTerms(
        x.second * y.second / (2.0 * n),
        -(third + x.third * y.third) / (6.0 * n**2),
        (fourth + 3.0 * (n - 1) * squared) / (12.0 * float(n) ** 3),
    )


def one_sided_information(n: int, random: ColumnMoments, given: ColumnMoments) -> InformationTerms:
    """Return the mean terms of mutual information of independent random rows and given ones.

    Parameters
    ----------
    n : int
        Number of points.
    random : ColumnMoments
        Moments of the distribution of a row of the random side.
    given : ColumnMoments
        Moments of the memberships of the other side.

    Returns
    -------
    InformationTerms
        Exact means.
    """
    x, y = _Sums.of(random), _Sums.of(given)
    beyond_margin = _Sums(*(value - 1.0 for value in y.raw))  # the margin has memberships 1
    fourth = (x.fourth - 3.0 * x.squared) * beyond_margin.fourth / float(n) ** 3
    fourth += 3.0 * x.squared * beyond_margin.squared / float(n) ** 2
    third = -x.third * beyond_margin.third / (6.0 * n**2)
    return InformationTerms(x.second * y.second / (2.0 * n), third, fourth / 12.0)


def information_remainder(
    tables: FloatArray, mean1: FloatArray, mean2: FloatArray, order: int = 2
) -> FloatArray:
    """Return the mutual information of tables less its Taylor polynomial.

    Add the mean of these numbers over random tables to the means of the polynomial's terms to
    obtain the mean mutual information.

    Parameters
    ----------
    tables : array of shape (..., k1, k2)
        Tables U'V/n.
    mean1, mean2 : array
        Means of their row sums and of their column sums.
    order : int
        Order of the polynomial, 2 or 3.
    """
    cells = taylor_remainder(tables, np.outer(mean1, mean2), order)
    rows = taylor_remainder(tables.sum(axis=-1), mean1, order)
    return cells - rows - taylor_remainder(tables.sum(axis=-2), mean2, order)


def taylor_remainder(cells: FloatArray, mean: FloatArray, order: int = 2) -> FloatArray:
    """Return the sum of phi(c) less its Taylor polynomial at the mean m, over the last axes.

    To second order this is the sum of c ln c - m ln m - (ln m + 1)(c - m) - (c - m)^2 / (2 m).
    Small differences are computed by the series of what follows, so that nothing cancels. Cells
    that are always 0, with a mean of 0, are left out.

    Parameters
    ----------
    cells : array
        Numbers, of one or several draws.
    mean : array
        Where to expand, of the shape of the last axes of ``cells``.
    order : int
        Order of the polynomial, 2 or 3.
    """
    used = mean > 0.0
    at = mean[used]
    beyond = (cells[..., used] - at) / at
    remainder: FloatArray = _relative_remainder(beyond, order) @ at
    return remainder


def _relative_remainder(x: FloatArray, order: int) -> FloatArray:
    """Return (1 + x) ln(1 + x) less its Taylor polynomial at 0 of this order."""
    value = np.empty_like(x)
    large = np.abs(x) > LARGE_DEVIATION
    y = x[~large]
    series = np.zeros_like(y)
    for power in range(order + TERMS, order, -1):  # (-x)^k / (k (k - 1)), by Horner's rule
        series = 1.0 / (power * (power - 1.0)) - y * series
    value[~large] = (-1.0) ** (order + 1) * y ** (order + 1) * series
    y = np.maximum(x[large], -1.0)
    with_log = np.zeros_like(y)
    np.log1p(y, out=with_log, where=y > -1.0)
    value[large] = (1.0 + y) * with_log - y - y**2 / 2.0 + (y**3 / 6.0 if order == 3 else 0.0)
    return value
