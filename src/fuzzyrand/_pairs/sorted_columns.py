"""Sums of L1 distances over pairs of points, by sorting columns in O(k n log n).

No pair is ever visited: the sum of ``|x_i - x_j|`` over all pairs of one column is a weighted sum
of its sorted values, in which the value of rank r (from 0) is added r times and subtracted
n-1-r times.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .._base.threads import map_in_order
from .._base.types import FloatArray, IntArray

#: Entries below which a second thread costs more than it brings.
SMALL = 1 << 17


def sum_of_distances(memberships: FloatArray, threads: int | None = None) -> float:
    """Sum the L1 distance of two rows over all pairs of rows."""
    n, k = memberships.shape
    weights = np.arange(1.0 - n, n, 2.0)

    def column_total(d: int) -> float:
        return float(np.dot(np.sort(memberships[:, d]), weights))

    return sum(map_in_order(column_total, range(k), _threads(memberships, threads)))


class Distances(NamedTuple):
    """Sum of the L1 distances of two rows over all pairs of rows, and over those of one group."""

    all_pairs: float
    within_groups: float


def sums_of_distances(
    memberships: FloatArray, groups: IntArray, threads: int | None = None
) -> Distances:
    """Sum the L1 distance of two rows over all pairs, and over the pairs in the same group.

    Both at once take little longer than one: the columns are gathered once.
    """
    n, k = memberships.shape
    counts = np.bincount(groups)
    ends = np.cumsum(counts)
    starts = ends - counts
    order = np.argsort(groups.astype(np.min_scalar_type(counts.size)), kind="stable")
    grouped_groups = groups[order]
    weights = np.arange(1.0 - n, n, 2.0)
    group_weights = 2.0 * (np.arange(n) - starts[grouped_groups]) - counts[grouped_groups] + 1.0
    # Sorting slice by slice is fastest, but costs a call for each group.
    few_groups = counts.size <= 64 + n // 256
    # Whole rows at a time: far fewer cache misses than column by column.
    grouped = np.take(memberships, order, axis=0)

    def column_totals(d: int) -> Distances:
        column = grouped[:, d].copy()
        if few_groups:
            for start, end in zip(starts, ends, strict=True):
                column[start:end].sort()
        else:
            column = column[np.lexsort((column, grouped_groups))]
        within = float(np.dot(column, group_weights))
        column.sort()
        return Distances(float(np.dot(column, weights)), within)

    totals = list(map_in_order(column_totals, range(k), _threads(memberships, threads)))
    return Distances(sum(t.all_pairs for t in totals), sum(t.within_groups for t in totals))


def distances_from_each(memberships: FloatArray, threads: int | None = None) -> FloatArray:
    """Sum the L1 distances of each row from all the others."""
    n, k = memberships.shape
    steps = np.arange(1.0 - n, n, 2.0)  # rows below minus rows above

    def column(d: int) -> FloatArray:
        order = np.argsort(memberships[:, d])
        x = memberships[order, d]
        x = x - x.mean()  # sums stay small
        below = np.cumsum(x) - x
        out = np.empty(n)
        # The sum of all is 0, so those above sum to -x - below.
        out[order] = steps * x - 2.0 * below - x
        return out

    total = np.zeros(n)
    for part in map_in_order(column, range(k), _threads(memberships, threads)):
        total += part
    return total


def _threads(memberships: FloatArray, threads: int | None) -> int | None:
    return 1 if memberships.size < SMALL else threads
