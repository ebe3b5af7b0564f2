"""Sums of L1 distances over pairs of points, by sorting columns in O(k n log n).

No pair is ever visited: in one column, the sum of ``|x_i - x_j|`` over all pairs is a weighted sum
of its sorted values, in which the value of rank r (from 0) is added r times and subtracted n-1-r
times. The sum for a single point follows from its rank and the sum of the smaller values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeVar

import numpy as np

from .._base.progress import progress
from .._base.threads import map_in_order
from .._base.types import FloatArray, IntArray
from .._clusterings.rows import Rows

#: Number of entries below which a second thread costs more than it gains.
SMALL = 1 << 17

Result = TypeVar("Result")


def sum_of_distances(rows: Rows, threads: int | None = None) -> float:
    """Sum the L1 distances over all pairs of rows."""
    n = rows.n
    weights = np.arange(1.0 - n, n, 2.0)

    def column_total(d: int) -> float:
        return float(np.dot(np.sort(rows.column(d)), weights))

    return sum(_over_columns(column_total, rows, threads))


class Distances(NamedTuple):
    """Sums of the L1 distances over all pairs of rows, and over pairs in the same group."""

    all_pairs: float
    within_groups: float


def sums_of_distances(rows: Rows, groups: IntArray, threads: int | None = None) -> Distances:
    """Sum the L1 distances over all pairs of rows, and over the pairs in the same group.

    Both sums together take little longer than one, because the columns are gathered only once.
    """
    n = rows.n
    counts = np.bincount(groups)
    ends = np.cumsum(counts)
    starts = ends - counts
    order = np.argsort(groups.astype(np.min_scalar_type(counts.size)), kind="stable")
    grouped_groups = groups[order]
    weights = np.arange(1.0 - n, n, 2.0)
    group_weights = 2.0 * (np.arange(n) - starts[grouped_groups]) - counts[grouped_groups] + 1.0
    # Sorting slice by slice is fastest, but takes a call for each group.
    few_groups = counts.size <= 64 + n // 256
    grouped = rows.columns_in_order(order)

    def column_totals(d: int) -> Distances:
        column = grouped(d)
        if few_groups:
            for start, end in zip(starts, ends, strict=True):
                column[start:end].sort()
        else:
            column = column[np.lexsort((column, grouped_groups))]
        within = float(np.dot(column, group_weights))
        column.sort()
        return Distances(float(np.dot(column, weights)), within)

    totals = list(_over_columns(column_totals, rows, threads))
    return Distances(sum(t.all_pairs for t in totals), sum(t.within_groups for t in totals))


def weighted_sums_of_distances(
    rows: Rows,
    weights: FloatArray,
    groups: IntArray | None = None,
    threads: int | None = None,
) -> Distances:
    """Sum w_i w_j times the L1 distance over all pairs of rows, and over those in the same group.

    In a sorted column, the value x of a row is added as often as its weight times the weights
    before it say, and subtracted likewise for those after it. Without groups, the second sum is 0.
    """

    def factors(w: FloatArray) -> FloatArray:
        passed = np.cumsum(w)
        return np.asarray(w * (2.0 * passed - w - passed[-1]))

    if groups is not None:
        sizes = np.bincount(groups, weights)
        before = np.cumsum(sizes) - sizes
        small = groups.astype(np.min_scalar_type(sizes.size))

    def column_totals(d: int) -> Distances:
        column, order = _sorted_column(rows, d)
        w = weights[order]
        total = float(column @ factors(w))
        if groups is None:
            return Distances(total, 0.0)
        by_group = np.argsort(small[order], kind="stable")
        own, w, x = groups[order][by_group], w[by_group], column[by_group]
        passed = np.cumsum(w) - before[own]  # the weight of the group up to and including the row
        return Distances(total, float(x @ (w * (2.0 * passed - w - sizes[own]))))

    totals = list(_over_columns(column_totals, rows, threads))
    return Distances(sum(t.all_pairs for t in totals), sum(t.within_groups for t in totals))


class PointDistances(NamedTuple):
    """For each row, the sum of its L1 distances to all rows, and to the rows of its group."""

    all_rows: FloatArray
    within_group: FloatArray


def distances_of_points(
    rows: Rows, threads: int | None = None, weights: FloatArray | None = None
) -> FloatArray:
    """Sum the L1 distances of each row to all rows, times the weights of these.

    In a sorted column, the distances of the value x of rank r (from 0) to the others sum to
    ``x (2r + 2 - n) + t - 2p``, where t is the total and p the sum of the values up to and
    including x. With weights, those up to and including that of x replace the rank.
    """
    n = rows.n
    factors = np.arange(2.0 - n, n + 1.0, 2.0)

    def column_sums(d: int) -> FloatArray:
        column, order = _sorted_column(rows, d)
        if weights is None:
            return _put_back(order, _distances(column, factors))
        return _put_back(order, _weighted_distances(column, weights[order]))

    total = np.zeros(n)
    for sums in _over_columns(column_sums, rows, threads):
        total += sums
    return total


def distances_of_grouped_points(
    rows: Rows,
    groups: IntArray,
    threads: int | None = None,
    weights: FloatArray | None = None,
) -> PointDistances:
    """Sum the L1 distances of each row to all rows, and to the rows of its group."""
    n = rows.n
    counts = np.bincount(groups)
    bounds = np.concatenate([[0], np.cumsum(counts)])
    factors = np.arange(2.0 - n, n + 1.0, 2.0)
    # Like the factors, but with the rank within the group and the size of the group.
    group_factors = factors + n - np.repeat(bounds[:-1] + bounds[1:], counts)
    # Integers of up to 16 bits are sorted in linear time.
    small_groups = groups.astype(np.min_scalar_type(counts.size))

    def column_sums(d: int) -> PointDistances:
        column, order = _sorted_column(rows, d)
        by_group = np.argsort(small_groups[order], kind="stable")
        grouped, order_of_groups = column[by_group], order[by_group]
        if weights is None:
            all_rows = _distances(column, factors)
            within = _distances(grouped, group_factors, bounds)
        else:
            all_rows = _weighted_distances(column, weights[order])
            within = _weighted_distances(grouped, weights[order_of_groups], bounds)
        return PointDistances(_put_back(order, all_rows), _put_back(order_of_groups, within))

    total = PointDistances(np.zeros(n), np.zeros(n))
    for sums in _over_columns(column_sums, rows, threads):
        for mine, more in zip(total, sums, strict=True):
            mine += more
    return total


def _sorted_column(rows: Rows, d: int) -> tuple[FloatArray, IntArray]:
    """Return a column in increasing order, and the original positions of its values.

    Its median is subtracted, so that close values lose no digits in sums.
    """
    column = rows.column(d).copy()
    order = np.argsort(column)
    column = column[order]
    column -= column[column.size // 2]
    return column, order


def _weighted_distances(
    column: FloatArray, weights: FloatArray, bounds: IntArray | None = None
) -> FloatArray:
    """Sum the distances of each value to the others, or those of its group, times weights."""
    passed = np.cumsum(weights)
    factors = 2.0 * passed
    if bounds is None:
        factors -= passed[-1]
    else:
        before = np.concatenate([[0.0], passed])[bounds]
        factors -= np.repeat(before[:-1] + before[1:], np.diff(bounds))
    return _distances(column, factors, bounds, weights)


def _distances(
    column: FloatArray,
    factors: FloatArray,
    bounds: IntArray | None = None,
    weights: FloatArray | None = None,
) -> FloatArray:
    """Sum the distances of each value to the others, or to those of its group.

    Each group is sorted; ``bounds`` holds where groups begin, and where the last one ends.
    """
    passed = np.cumsum(column if weights is None else column * weights)
    out = column * factors
    out -= 2.0 * passed
    if bounds is None:
        out += passed[-1]
    else:
        before = np.concatenate([[0.0], passed])[bounds]
        # Twice the sum of all groups before, plus the sum of the group itself.
        out += np.repeat(before[:-1] + before[1:], np.diff(bounds))
    return out


def _put_back(order: IntArray, values: FloatArray) -> FloatArray:
    """Return values of sorted rows in the original order of the rows."""
    out = np.empty_like(values)
    out[order] = values
    return out


def _over_columns(
    work: Callable[[int], Result], rows: Rows, threads: int | None
) -> Iterator[Result]:
    """Yield the result for each column, computed on several threads if there is enough to do."""
    found = map_in_order(work, range(rows.k), 1 if rows.n * rows.k < SMALL else threads)
    return progress(found, rows.k, "columns")
