"""Compiled loops over the pairs of points that share clusters of a cover.

Importing this module imports Numba, so it is imported only when there is something to do. The rows
of a cover are given in both orders: the clusters of each point (starts and columns), and the points
of each cluster (column starts and members). A point may stand for several equal ones, its weight,
or have a weight of its own. What a point is with itself, one of the equal ones or all of its own
weight, is no pair.
"""

# Written for Numba, which handles plain loops best.

from __future__ import annotations

import numba
import numpy as np

from .._base.compiling import INNER, OUTER


@numba.njit(**INNER)
def _count_partners(i, own, counts, touched):  # type: ignore[no-untyped-def]
    """Count the clusters that point i shares with every other; return how many share any."""
    starts, columns, column_starts, members = own
    found = 0
    for e in range(starts[i], starts[i + 1]):
        c = columns[e]
        for q in range(column_starts[c], column_starts[c + 1]):
            j = members[q]
            if counts[j] == 0:
                touched[found] = j
                found += 1
            counts[j] += 1
    return found


@numba.njit(**INNER)
def _shared(j, starts, columns, marks):  # type: ignore[no-untyped-def]
    """Count the clusters of point j that are marked."""
    shared = 0
    for e in range(starts[j], starts[j + 1]):
        shared += marks[columns[e]]
    return shared


@numba.njit(**OUTER)
def level_rows(own, weights, itself, heights, start, stop, histogram, cross, partners, sums):  # type: ignore[no-untyped-def]
    """Count, for a range of points, their partners by the number of clusters that they share."""
    counts = np.zeros(weights.size, dtype=np.int32)
    touched = np.empty(weights.size, dtype=np.int32)
    seen = np.zeros(heights.size)
    for i in range(start, stop):
        found = _count_partners(i, own, counts, touched)
        top = 0
        for q in range(found):
            j = touched[q]
            t = counts[j]
            counts[j] = 0
            seen[t] += weights[j] - (itself[i] if j == i else 0.0)
            top = max(top, t)
        for t in range(1, top + 1):
            histogram[t] += weights[i] * seen[t]
            partners[i - start] += seen[t]
            sums[i - start] += seen[t] * (heights[t] - heights[0])
            if cross.size > 0 and seen[t] > 0.0:
                for s in range(1, top + 1):
                    cross[t, s] += weights[i] * seen[t] * seen[s]
        seen[: top + 1] = 0.0


@numba.njit(**OUTER)
def joint_rows(  # type: ignore[no-untyped-def]
    own, other_starts, other_columns, weights, itself, clusters, start, stop, same, both
):
    """Count the partners of each point that share as many clusters on the other side, or any."""
    counts = np.zeros(weights.size, dtype=np.int32)
    touched = np.empty(weights.size, dtype=np.int32)
    marks = np.zeros(clusters, dtype=np.int32)
    for i in range(start, stop):
        found = _count_partners(i, own, counts, touched)
        for e in range(other_starts[i], other_starts[i + 1]):
            marks[other_columns[e]] = 1
        for q in range(found):
            j = touched[q]
            t = counts[j]
            counts[j] = 0
            weight = weights[j] - (itself[i] if j == i else 0.0)
            there = _shared(j, other_starts, other_columns, marks)
            if there > 0:
                both[i - start] += weight
            if there == t:
                same[i - start] += weight
        for e in range(other_starts[i], other_starts[i + 1]):
            marks[other_columns[e]] = 0


@numba.njit(**OUTER)
def cluster_rows(  # type: ignore[no-untyped-def]
    own, other_starts, other_columns, weights, itself, heights, clusters, start, stop, sums
):
    """Sum discordances and heights over the pairs within each cluster, every pair twice."""
    counts = np.zeros(weights.size, dtype=np.int32)
    touched = np.empty(weights.size, dtype=np.int32)
    differ = np.zeros(weights.size)
    marks = np.zeros(clusters, dtype=np.int32)
    starts, columns, column_starts, members = own
    for i in range(start, stop):
        found = _count_partners(i, own, counts, touched)
        for e in range(other_starts[i], other_starts[i + 1]):
            marks[other_columns[e]] = 1
        for q in range(found):
            j = touched[q]
            there = _shared(j, other_starts, other_columns, marks)
            differ[j] = 0.0 if there == counts[j] else 1.0
        for e in range(starts[i], starts[i + 1]):
            c = columns[e]
            for q in range(column_starts[c], column_starts[c + 1]):
                j = members[q]
                weight = weights[i] * (weights[j] - (itself[i] if j == i else 0.0))
                sums[0, c] += weight * differ[j]
                sums[1, c] += weight * heights[counts[j]]
        for q in range(found):
            counts[touched[q]] = 0
        for e in range(other_starts[i], other_starts[i + 1]):
            marks[other_columns[e]] = 0


@numba.njit(**OUTER)
def pairs_of_rows(own, n, pairs):  # type: ignore[no-untyped-def]
    """List the pairs that share a cluster: first point, second point, number of clusters.

    With no room in ``pairs``, they are only counted.
    """
    counts = np.zeros(n, dtype=np.int32)
    touched = np.empty(n, dtype=np.int32)
    listed = 0
    for i in range(n):
        found = _count_partners(i, own, counts, touched)
        for q in range(found):
            j = touched[q]
            if j > i:
                if pairs.shape[1] > 0:
                    pairs[0, listed] = i
                    pairs[1, listed] = j
                    pairs[2, listed] = counts[j]
                listed += 1
            counts[j] = 0
    return listed


@numba.njit(**OUTER)
def shuffled_pairs(pairs, weights, starts, columns, clusters, orders, same, both):  # type: ignore[no-untyped-def]
    """Add up listed pairs whose points, in another order, share as many clusters, or any."""
    marks = np.zeros(clusters, dtype=np.int32)
    for draw in range(orders.shape[0]):
        order = orders[draw]
        marked = -1
        for p in range(pairs.shape[1]):
            i = pairs[0, p]
            if i != marked:
                if marked >= 0:
                    row = order[marked]
                    for e in range(starts[row], starts[row + 1]):
                        marks[columns[e]] = 0
                row = order[i]
                for e in range(starts[row], starts[row + 1]):
                    marks[columns[e]] = 1
                marked = i
            there = _shared(order[pairs[1, p]], starts, columns, marks)
            if there > 0:
                both[draw] += weights[p]
            if there == pairs[2, p]:
                same[draw] += weights[p]
        if marked >= 0:
            row = order[marked]
            for e in range(starts[row], starts[row + 1]):
                marks[columns[e]] = 0
