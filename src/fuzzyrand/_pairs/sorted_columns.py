"""Sums over all pairs of points by sorting columns, in O(k n log n): no pair is ever visited."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .._base.threads import map_in_order
from .._base.types import FloatArray, IntArray

#: Entries below which a second thread costs more than it brings.
SMALL = 1 << 17


class PairDistances(NamedTuple):
    """Sum of the L1 distances between the rows of a pair, over all pairs and over some."""

    all_pairs: float
    within_groups: float


def sum_of_distances(
    memberships: FloatArray, groups: IntArray | None = None, threads: int | None = None
) -> PairDistances:
    """Sum over pairs of the L1 distance of their rows: over all pairs, and inside groups.

    The sum of ``|x_i - x_j|`` over all pairs of one column is a weighted sum of its sorted
    values: the value of rank r (from 0) is added r times and subtracted n-1-r times.
    """
    n, k = memberships.shape
    if memberships.size < SMALL:
        threads = 1
    weights = np.arange(1.0 - n, n, 2.0)
    if groups is None:

        def column_total(d: int) -> float:
            return float(np.dot(np.sort(memberships[:, d]), weights))

        return PairDistances(sum(map_in_order(column_total, range(k), threads)), 0.0)

    counts = np.bincount(groups)
    ends = np.cumsum(counts)
    starts = ends - counts
    order = np.argsort(groups.astype(np.min_scalar_type(counts.size)), kind="stable")
    grouped_groups = groups[order]
    group_weights = 2.0 * (np.arange(n) - starts[grouped_groups]) - counts[grouped_groups] + 1.0
    # Sorting slice by slice is fastest, but costs a call for each group.
    few_groups = counts.size <= 64 + n // 256

    # Whole rows at a time: far fewer cache misses than column by column.
    grouped = np.take(memberships, order, axis=0)

    def column_totals(d: int) -> tuple[float, float]:
        column = grouped[:, d].copy()
        if few_groups:
            for start, end in zip(starts, ends, strict=True):
                column[start:end].sort()
        else:
            column = column[np.lexsort((column, grouped_groups))]
        within = float(np.dot(column, group_weights))
        column.sort()
        return float(np.dot(column, weights)), within

    totals = list(map_in_order(column_totals, range(k), threads))
    return PairDistances(sum(t[0] for t in totals), sum(t[1] for t in totals))
