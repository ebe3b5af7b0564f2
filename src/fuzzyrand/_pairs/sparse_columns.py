"""Sums of minima of sparse rows over pairs of points, by sorting the entries of columns.

As in ``sorted_columns``, no pair is visited. Among the m entries of a column in increasing order,
the entry of rank r (from 0) is the smaller one in m-1-r pairs, and the minima of its own pairs sum
to the sum of the entries before it plus m-1-r times itself. Zeros contribute nothing and are
skipped. If points have weights, the weight of later entries takes the place of their number.
"""

from __future__ import annotations

import numpy as np

from .._base.types import FloatArray, IntArray
from .._clusterings.sparse_rows import SortedEntries, SparseRows


def sum_of_minima(
    rows: SparseRows, groups: IntArray | None = None, weights: FloatArray | None = None
) -> float:
    """Sum Σ_c min(x_ic, x_jc), times w_i w_j, over all pairs, or those in the same group."""
    entries = rows.in_order if groups is None else _in_groups(rows, groups)
    values = entries.values if weights is None else entries.values * weights[entries.points]
    return float(values @ entries_above(entries, weights))


def minima_of_points(
    rows: SparseRows, groups: IntArray | None = None, weights: FloatArray | None = None
) -> FloatArray:
    """Sum Σ_c min(x_ic, x_jc), times w_j, over the other points j (of the same group)."""
    entries = rows.in_order if groups is None else _in_groups(rows, groups)
    starts, points, values = entries
    passed = np.append(0.0, np.cumsum(values if weights is None else values * weights[points]))
    smaller = passed[:-1] - np.repeat(passed[starts[:-1]], np.diff(starts))
    larger = values * entries_above(entries, weights)
    return np.asarray(np.bincount(points, smaller + larger, minlength=rows.n))


def entries_above(entries: SortedEntries, weights: FloatArray | None = None) -> FloatArray:
    """Return the number of entries, or their weight, after each entry in its column."""
    starts = entries.starts
    if weights is not None:
        passed = np.append(0.0, np.cumsum(weights[entries.points]))
        return np.asarray(np.repeat(passed[starts[1:]], np.diff(starts)) - passed[1:])
    return np.repeat(starts[1:] - 1.0, np.diff(starts)) - np.arange(entries.values.size)


def _in_groups(rows: SparseRows, groups: IntArray) -> SortedEntries:
    """Sort the entries within each column of each group, as if groups had columns of their own."""
    cells = groups[rows.points].astype(np.int64) * rows.k + rows.columns
    order = np.lexsort((rows.values, cells))
    new = np.flatnonzero(np.diff(cells[order])) + 1
    starts = np.concatenate([[0], new, [cells.size]]).astype(np.int64)
    return SortedEntries(starts, rows.points[order], rows.values[order])
