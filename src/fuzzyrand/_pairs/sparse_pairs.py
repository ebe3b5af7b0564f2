"""Agreements of given pairs of sparse rows."""

from __future__ import annotations

import numpy as np

from .._base.types import FloatArray, IntArray
from .._clusterings.sparse_rows import SparseRows


def agreements_of_pairs(rows: SparseRows, i: IntArray, j: IntArray, *, product: bool) -> FloatArray:
    """Return the agreements of given pairs: sums of minima, or of products, at most 1."""
    from . import sparse_kernels  # Deferred: loads Numba.
    from .compiling import compiling

    out = np.empty(i.size)
    pairs = i.astype(np.int64, copy=False), j.astype(np.int64, copy=False)
    with compiling():
        sparse_kernels.agreements_of_pairs(
            rows.starts, rows.columns, rows.values, *pairs, product, out
        )
    return out
