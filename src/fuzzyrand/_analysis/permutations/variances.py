"""The variance of a mean over pairs when the points of one side are shuffled.

Let x_ij and y_ij be numbers with mean 0 for all pairs of points, s a random permutation, and M the
mean of x_ij y_s(i)s(j). The square of M is a sum over two pairs of points, which are the same pair,
share a point, or share none. Its expectation depends only on products of the variances
v = E[x_ij^2] and covariances c = E[x_ij x_il] of both sides; E[x_ij x_kl] follows from these,
because all x_ij sum to 0.
"""

from __future__ import annotations


def variance_of_mean(n: int, vv: float, vc: float, cv: float, cc: float) -> float:
    """Return the variance of a mean product over all permutations.

    Parameters
    ----------
    n : int
        Number of points.
    vv, vc, cv, cc : float
        Products of v or c of the first side with v or c of the second. For a function h(a, b) that
        is not a product but has mean 0 in each of its arguments, they are the means of
        h(a, b) h(a', b') with a' = a for v, and with a' an agreement of a pair that shares a point
        with that of a for c; b' likewise.
    """
    if n < 3:
        return 0.0
    total = 2.0 * vv + 4.0 * (n - 2.0) * cc
    if n > 3:
        apart = vv + 2.0 * (n - 2.0) * (vc + cv) + 4.0 * (n - 2.0) ** 2 * cc
        total += 4.0 * apart / ((n - 2.0) * (n - 3.0))
    return max(total / (n * (n - 1.0)), 0.0)
