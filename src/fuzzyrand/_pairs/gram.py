"""Sums over pairs of points of products of dot products, in O(n k1 k2), from Gram matrices.

The sum over all i and j of (u_i . u_j)(v_i . v_j) is the squared Frobenius norm of U'V; subtracting
the terms with i = j and halving gives the sum over pairs. For a single point i, the sum over all j
is u_i' (U'V) v_i; subtracting the term with j = i leaves the other points.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .._base.types import FloatArray
from .._clusterings.rows import Rows

#: Points multiplied by a Gram matrix at a time.
CHUNK = 1 << 12


def sum_of_dots(u: Rows) -> float:
    """Sum u_i . u_j over all pairs of points."""
    total = u.sums()
    return 0.5 * float(total @ total - u.total_square)


def sum_of_dot_products(u: Rows, v: Rows) -> float:
    """Sum (u_i . u_j)(v_i . v_j) over all pairs; with v = u, sum squared dot products."""
    gram, own = u.gram(v)
    return 0.5 * (_squared_norm(gram) - own)


def squared_gram(u: Rows, v: Rows) -> float:
    """Return the squared Frobenius norm of U'V."""
    return _squared_norm(u.products(v))


def _squared_norm(matrix: Any) -> float:
    if isinstance(matrix, np.ndarray):
        return float(np.einsum("ij,ij->", matrix, matrix))
    return float((matrix.data**2).sum())


def dots_of_points(u: Rows, weights: FloatArray | None = None) -> FloatArray:
    """Sum u_i . u_j, times w_j, over the other points j, for each point i."""
    itself = u.squared_lengths if weights is None else u.squared_lengths * weights
    return np.asarray(u.times(u.sums(weights)) - itself)


def dot_products_of_points(u: Rows, v: Rows, weights: FloatArray | None = None) -> FloatArray:
    """Sum (u_i . u_j)(v_i . v_j), times w_j, over the other points j, for each point i."""
    itself = u.squared_lengths * v.squared_lengths
    if weights is not None:
        itself *= weights
    return through(u, u.products(v, weights), v) - itself


def through(u: Rows, matrix: Any, v: Rows) -> FloatArray:
    """Return u_i' M v_i for each point i, where M is an array of NumPy or of SciPy."""
    out = np.empty(u.n)
    if u.mostly_zero or v.mostly_zero:
        from scipy.sparse import csr_array  # Deferred: slow to import and seldom needed.

        left, right, between = u.without_zeros.matrix, v.without_zeros.matrix, csr_array(matrix)
        for here in _chunks(u.n):
            products = (left[here] @ between).multiply(right[here])
            out[here] = np.asarray(products.sum(axis=1)).ravel()
        return out
    between = matrix if isinstance(matrix, np.ndarray) else matrix.toarray()
    if v.hard:
        u, v, between = v, u, between.T
    for here in _chunks(u.n):
        out[here] = np.einsum("ij,ij->i", u.take(here).times(between), v.take(here).dense)
    return out


def _chunks(n: int) -> list[slice]:
    return [slice(start, start + CHUNK) for start in range(0, n, CHUNK)]
