"""Random pairs of points, and agreements of given pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .._base.types import FloatArray, IntArray
from .._clusterings.partition import Partition
from .._clusterings.sparse_rows import SparseRows

if TYPE_CHECKING:
    from ..indices.agreements import Agreement

#: Memberships gathered at a time, few enough to stay in the cache while they are used.
PIECE = 1 << 15


def random_agreements(
    partition: Partition, agreement: Agreement, i: IntArray, j: IntArray
) -> FloatArray:
    """Return agreements of given pairs and their control variates, as an array of shape (2, m)."""
    rows = partition.rows
    if rows.hard:
        together = (rows.codes[i] == rows.codes[j]).astype(np.float64)
        return np.stack([together, together])  # functions of 0 or 1 need no second control
    shared = agreement.shared_rows(partition) if rows.mostly_zero else None
    loop, agreement = agreement.loop, agreement.of(partition)
    if shared is not None and loop is not None:
        return _of_sparse_rows(partition, agreement, shared.without_zeros, i, j)
    out, piece = np.empty((2, i.size)), max(PIECE // partition.k, 1)
    for start in range(0, i.size, piece):
        here = slice(start, start + piece)
        first, second = (rows.take(points[here]).dense.T for points in (i, j))
        out[:, here] = agreement.with_control(first, second)
    return out


def _of_sparse_rows(
    partition: Partition, agreement: Agreement, shared: SparseRows, i: IntArray, j: IntArray
) -> FloatArray:
    """Return agreements and controls of given pairs of sparse rows."""
    loop, rows = agreement.loop, partition.rows.without_zeros
    assert loop is not None
    agreements = agreements_of_pairs(shared, i, j, product=loop.kind == "dot")
    dots = agreements_of_pairs(rows, i, j, product=True)
    lengths = rows.squared_lengths
    distances = np.maximum(lengths[i] + lengths[j] - 2.0 * dots, 0.0)
    return np.stack([agreements, agreement.control_of(agreements, distances)])


def agreements_of_pairs(rows: SparseRows, i: IntArray, j: IntArray, *, product: bool) -> FloatArray:
    """Return the agreements of given pairs: sums of minima, or of products, at most 1."""
    from .._base.compiling import compiling  # Deferred: loads Numba.
    from . import sparse_kernels

    out = np.empty(i.size)
    pairs = i.astype(np.int64, copy=False), j.astype(np.int64, copy=False)
    with compiling():
        sparse_kernels.agreements_of_pairs(
            rows.starts, rows.columns, rows.values, *pairs, product, out
        )
    return out


def pairs_of(
    partition: Partition, rng: np.random.Generator, size: int
) -> tuple[IntArray, IntArray]:
    """Draw pairs of different points, in proportion to the products of their weights."""
    weighting = partition.weighting
    if weighting is None or weighting.equal:
        return random_pairs(rng, partition.n, size)
    return weighting.draw_pairs(rng, size)


def random_pairs(rng: np.random.Generator, n: int, size: int) -> tuple[IntArray, IntArray]:
    """Draw pairs of different points, each pair equally likely."""
    i = rng.integers(n, size=size)
    return i, (i + rng.integers(1, n, size=size)) % n
