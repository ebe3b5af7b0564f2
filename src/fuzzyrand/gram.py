"""Sums over all pairs of points of products of dot products, in O(n k1 k2): by Gram matrices.

The sum over all i and j of (u_i . u_j)(v_i . v_j) is the squared Frobenius norm of U'V; taking
away i = j and halving leaves the pairs. With rows scaled to length one the dot products are
cosines.
"""

from __future__ import annotations

import numpy as np

from ._types import FloatArray


def sum_of_dots(u: FloatArray) -> float:
    """Sum over pairs of u_i . u_j."""
    total = u.sum(axis=0)
    return 0.5 * float(total @ total - np.einsum("ij,ij->", u, u))


def sum_of_dot_products(u: FloatArray, v: FloatArray) -> float:
    """Sum over pairs of (u_i . u_j)(v_i . v_j); with v = u, of squared dot products."""
    gram = u.T @ v
    own = np.einsum("ij,ij->i", u, u) @ np.einsum("ij,ij->i", v, v)
    return 0.5 * float(np.einsum("ij,ij->", gram, gram) - own)


def unit_rows(u: FloatArray) -> FloatArray:
    """Rows scaled to length one; rows of zeros stay as they are."""
    length = np.sqrt(np.einsum("ij,ij->i", u, u))
    return u / np.where(length > 0.0, length, 1.0)[:, None]
