"""Sums over pairs of points of products of dot products, in O(n k1 k2), from Gram matrices.

The sum over all i and j of (u_i . u_j)(v_i . v_j) is the squared Frobenius norm of U'V; subtracting
the terms with i = j and halving gives the sum over pairs. For a single point i, the sum over all j
is u_i' (U'V) v_i; subtracting the term with j = i leaves the other points. A hard clustering is
given by its codes: its rows are one-hot, and U'V sums the rows of V cluster by cluster.
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from .._base.types import FloatArray, IntArray
from .._clusterings.blocks.rows import BlockRows, InBlocks
from .._clusterings.sparse_rows import SparseRows

#: Memberships, or the codes of a hard clustering.
FuzzyRows = FloatArray | SparseRows
Rows = FuzzyRows | IntArray
#: Points multiplied by a Gram matrix at a time.
CHUNK = 1 << 12


def sum_of_dots(u: FuzzyRows) -> float:
    """Sum u_i . u_j over all pairs of points."""
    if isinstance(u, BlockRows):
        total = u.dot_sums[0]
    else:
        total = u.sums_of_columns if isinstance(u, SparseRows) else u.sum(axis=0)
    return 0.5 * float(total @ total - sum_of_squared_lengths(u))


def sum_of_dot_products(u: Rows, v: Rows) -> float:
    """Sum (u_i . u_j)(v_i . v_j) over all pairs; with v = u, sum squared dot products."""
    if isinstance(u, InBlocks):
        gram, own = _gram_of_blocks(u, v)
        return 0.5 * (float(np.einsum("ij,ij->", gram, gram)) - own)
    own = float((squared_lengths(u) * squared_lengths(v)).sum())
    return 0.5 * (squared_gram(u, v) - own)


def squared_gram(u: Rows, v: Rows) -> float:
    """Return the squared Frobenius norm of U'V; at most one of the two may be codes."""
    if isinstance(u, SparseRows) or isinstance(v, SparseRows):
        return float((_sparse_gram(u, v).data ** 2).sum())
    gram = _gram_of_blocks(u, v)[0] if isinstance(u, InBlocks) else _gram(u, v)
    return float(np.einsum("ij,ij->", gram, gram))


def dots_of_points(u: FuzzyRows, weights: FloatArray | None = None) -> FloatArray:
    """Sum u_i . u_j, times w_j, over the other points j, for each point i."""
    itself = squared_lengths(u) if weights is None else squared_lengths(u) * weights
    if isinstance(u, SparseRows):
        sums = u.sums_of_columns if weights is None else u.matrix.T @ weights
        return np.asarray(u.matrix @ sums - itself)
    return np.asarray(u @ (u.sum(axis=0) if weights is None else weights @ u) - itself)


def dot_products_of_points(u: Rows, v: Rows, weights: FloatArray | None = None) -> FloatArray:
    """Sum (u_i . u_j)(v_i . v_j), times w_j, over the other points j, for each point i.

    At most one of the two may be codes.
    """
    sums = -squared_lengths(u) * squared_lengths(v)
    if weights is not None:
        sums *= weights
    if isinstance(u, SparseRows) or isinstance(v, SparseRows):
        left, right = _matrix(u), _matrix(v)
        own = left if weights is None else left.multiply(weights[:, None])
        between = (own.T @ right).tocsr()
        for start in range(0, sums.size, CHUNK):
            here = slice(start, start + CHUNK)
            sums[here] += (left[here] @ between).multiply(right[here]).sum(axis=1)
        return sums
    if v.ndim == 1:
        u, v = v, u
    gram = _gram(u, v if weights is None else v * weights[:, None])
    for start in range(0, sums.size, CHUNK):
        here = slice(start, start + CHUNK)
        through = gram[u[here]] if u.ndim == 1 else u[here] @ gram
        sums[here] += np.einsum("ij,ij->i", through, v[here])
    return sums


def _sparse_gram(u: Rows, v: Rows) -> Any:
    """Return U'V as a SciPy array, where at least one of the two is sparse."""
    return (_matrix(u).T @ _matrix(v)).tocsr()


def _matrix(rows: Rows) -> Any:
    """Return rows, or the one-hot rows of a hard clustering, as a SciPy array."""
    from scipy.sparse import csr_array  # Deferred: slow to import and seldom needed.

    if isinstance(rows, SparseRows):
        return rows.matrix
    if rows.ndim == 2:
        return csr_array(rows)
    return csr_array((np.ones(rows.size), rows, np.arange(rows.size + 1)))


def _gram(u: FloatArray | IntArray, v: FloatArray | IntArray) -> FloatArray:
    """Return U'V, or its transpose if V is a hard clustering."""
    if u.ndim == 1:
        return _sums_of_groups(v, u)
    if v.ndim == 1:
        return _sums_of_groups(u, v)
    return np.asarray(u.T @ v, dtype=np.float64)


def _gram_of_blocks(u: Any, v: Any) -> tuple[FloatArray, float]:
    """Return U'V of clusterings in blocks (or its transpose), and the sum of |u|^2 |v|^2."""
    rows, other = (u, v) if isinstance(u, BlockRows) else (v, u)
    gram, _, _, own = rows.gram(other)
    return gram, own


def squared_lengths(u: Rows) -> FloatArray:
    """Return u_i . u_i for every point, which is 1 in a hard clustering."""
    if isinstance(u, SparseRows):
        return u.squared_lengths
    return np.ones(u.size) if u.ndim == 1 else np.asarray(np.einsum("ij,ij->i", u, u))


def sum_of_squared_lengths(u: Rows) -> float:
    """Sum u_i . u_i over all points."""
    if isinstance(u, BlockRows):
        return u.dot_sums[1]
    return float(squared_lengths(u).sum())


def _sums_of_groups(rows: FloatArray | IntArray, groups: FloatArray | IntArray) -> FloatArray:
    """Sum the rows of each group."""
    sums = [np.bincount(groups.astype(np.intp, copy=False), column) for column in rows.T]
    return np.stack(sums, axis=1)


def unit_rows(u: FloatArray) -> FloatArray:
    """Scale rows to length 1; rows of zeros stay zero."""
    if isinstance(u, BlockRows):
        return cast(FloatArray, u.unit_rows)
    length = np.sqrt(squared_lengths(u))
    return np.asarray(u / np.where(length > 0.0, length, 1.0)[:, None])
