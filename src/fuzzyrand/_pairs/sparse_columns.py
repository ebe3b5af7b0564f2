"""Sums of minima of sparse rows over pairs of points, by sorting the entries of columns.

As in ``sorted_columns``, no pair is visited. Of the m entries of a column in increasing order, that
of rank r (from 0) is the smaller one in m-1-r pairs, and the minima of its own pairs sum to what
was passed before it plus m-1-r times itself. Zeros add nothing, and are not looked at.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .._base.types import FloatArray, IntArray
from .._inputs.sparse_rows import SparseRows


class EntriesInOrder(NamedTuple):
    """Entries of sparse rows, sorted within each column, or within each column of each group.

    Attributes
    ----------
    values : array
        The entries.
    points : array of int
        Their rows.
    above : array
        How many entries come after each in its column.
    starts : array of int
        Where the column of each entry starts.
    """

    values: FloatArray
    points: npt.NDArray[np.int32]
    above: FloatArray
    starts: npt.NDArray[np.int64]


def sum_of_minima(rows: SparseRows, groups: IntArray | None = None) -> float:
    """Sum Σ_c min(x_ic, x_jc) over all pairs, or over those in the same group."""
    entries = entries_in_order(rows, groups)
    return float(entries.values @ entries.above)


def minima_of_points(rows: SparseRows, groups: IntArray | None = None) -> FloatArray:
    """Sum Σ_c min(x_ic, x_jc) over the other points j, or those of its group, for each point i."""
    values, points, above, starts = entries_in_order(rows, groups)
    passed = np.cumsum(values) - values
    passed -= passed[starts]
    return np.asarray(np.bincount(points, passed + values * above, minlength=rows.n))


def entries_in_order(rows: SparseRows, groups: IntArray | None = None) -> EntriesInOrder:
    """Sort the entries within each column, or within each column of each group."""
    if groups is None:
        cells = rows.columns.astype(np.int64)
    else:
        cells = groups[rows.points].astype(np.int64) * rows.k + rows.columns
    order = np.lexsort((rows.values, cells))
    cells = cells[order]
    new = np.concatenate([[True], cells[1:] != cells[:-1]])
    firsts = np.append(np.flatnonzero(new), cells.size)
    sizes = np.diff(firsts)
    above = np.repeat(firsts[1:], sizes) - 1.0 - np.arange(cells.size)
    return EntriesInOrder(
        rows.values[order], rows.points[order], above, np.repeat(firsts[:-1], sizes)
    )
