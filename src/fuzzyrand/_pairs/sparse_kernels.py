"""Compiled loops over pairs of sparse rows.

Importing this module imports Numba, like ``kernels``. Two rows without a common column have
agreement 0; only the other pairs are visited, through an index from columns to rows.
"""

# Written for Numba, which handles plain loops and conditional expressions best. Positions are
# unsigned, so that their sign need not be checked.

from __future__ import annotations

from typing import Any

import numba
import numpy as np

from .._base.compiling import INNER, OUTER
from .bin_kernels import into_bins, into_weighted_bins
from .kernels import PRODUCT

#: Smallest product of two entries; a product of tiny entries could be 0 otherwise.
SMALLEST = 1e-300


@numba.njit(**INNER)
def _add_column(points, values, start, stop, x, product, sums, seen, count):  # type: ignore[no-untyped-def]
    """Add min(x, y), or x y, to the sums of the points with an entry y in a column.

    Points whose sum was 0 are appended to ``seen``, which holds ``count`` points. A product that
    underflows would leave the sum at 0, and the point would be appended once more.
    """
    for at in range(start, stop):
        j = points[at]
        y = values[at]
        before = sums[j]
        seen[count] = j
        count += np.uint64(before == 0.0)
        if product:
            sums[j] = before + max(x * y, SMALLEST)
        else:
            sums[j] = before + (y if y < x else x)
    return count


@numba.njit(**INNER)
def _first_after(points, start, stop, i):  # type: ignore[no-untyped-def]
    """Return where the points above i begin in a column."""
    one = np.uint64(1)
    while start < stop:
        middle = (start + stop) >> one
        if points[middle] <= i:
            start = middle + one
        else:
            stop = middle
    return start


@numba.njit(**INNER)
def _add_row(rows, tile, i, base, product, sums, seen):  # type: ignore[no-untyped-def]
    """Sum the agreements of row i with later points of a tile; return the number of such points."""
    starts, columns, values = rows
    column_starts, points, entries = tile
    count = np.uint64(0)
    for d in range(starts[i], starts[i + 1]):
        column = np.uint64(columns[d])
        start = np.uint64(column_starts[column])
        stop = np.uint64(column_starts[column + np.uint64(1)])
        if i >= base:
            start = _first_after(points, start, stop, np.uint64(i - base))
        count = _add_column(points, entries, start, stop, values[d], product, sums, seen, count)
    return count


@numba.njit(**INNER)
def _power(difference, power):  # type: ignore[no-untyped-def]
    size = abs(difference)
    return size if power == 1.0 else size * size if power == 2.0 else size**power


@numba.njit(**INNER)
def _gather(sums, seen, count, out):  # type: ignore[no-untyped-def]
    """out[at] = sum of the point seen[at], at most 1."""
    for at in range(count):
        a = sums[seen[at]]
        out[at] = a if a < 1.0 else 1.0


@numba.njit(**OUTER)
def _tile_rows(  # type: ignore[no-untyped-def]
    rows1, tile1, rows2, tile2, base, first_row, last_row, product, power,
    grid1, bins1, grid2, bins2, of_rows, of_tile, sums, seen, scratch,
):  # fmt: skip
    """Sum over the pairs of a range of rows with the later points of a tile.

    Return the sum of |a1 - a2|^power. Agreements are added to the bins, and discordances to the
    sums of the rows and of the points of the tile, unless these arrays are empty.
    """
    sums1, sums2 = sums[0], sums[1]
    seen1, seen2 = seen[0], seen[1]
    a1, a2 = scratch[0], scratch[1]
    by_points = of_tile.size > 0
    total = 0.0
    for i in range(first_row, last_row):
        count1 = _add_row(rows1, tile1, i, base, product, sums1, seen1)
        count2 = _add_row(rows2, tile2, i, base, product, sums2, seen2)
        of_row = 0.0
        # The points that share a column with the row on the first side, ...
        _gather(sums1, seen1, count1, a1)
        _gather(sums2, seen1, count1, a2)
        for at in range(count1):
            discordance = _power(a1[at] - a2[at], power)
            of_row += discordance
            if by_points:
                of_tile[seen1[at]] += discordance
        if bins1.size > 0:
            into_bins(a1, count1, grid1, bins1)
        # ... and those that do so only on the second side.
        _gather(sums2, seen2, count2, a2)
        for at in range(count2):
            discordance = _power(a2[at], power) if sums1[seen2[at]] == 0.0 else 0.0
            of_row += discordance
            if by_points:
                of_tile[seen2[at]] += discordance
        if bins2.size > 0:
            into_bins(a2, count2, grid2, bins2)
        for at in range(count1):
            sums1[seen1[at]] = 0.0
        for at in range(count2):
            sums2[seen2[at]] = 0.0
        if by_points:
            of_rows[i - first_row] += of_row
        total += of_row
    return total


@numba.njit(**OUTER)
def _weighted_tile_rows(  # type: ignore[no-untyped-def]
    rows1, tile1, rows2, tile2, base, first_row, last_row, product, power,
    grid1, bins1, grid2, bins2, of_rows, of_tile, sums, seen, scratch, weights,
):  # fmt: skip
    """Sum as ``_tile_rows`` does, with weights of the points."""
    sums1, sums2 = sums[0], sums[1]
    seen1, seen2 = seen[0], seen[1]
    a1, a2, others = scratch[0], scratch[1], scratch[2]
    by_points = of_tile.size > 0
    total = 0.0
    for i in range(first_row, last_row):
        count1 = _add_row(rows1, tile1, i, base, product, sums1, seen1)
        count2 = _add_row(rows2, tile2, i, base, product, sums2, seen2)
        of_row = 0.0
        _gather(sums1, seen1, count1, a1)
        _gather(sums2, seen1, count1, a2)
        for at in range(count1):
            others[at] = weights[base + seen1[at]]
            discordance = _power(a1[at] - a2[at], power)
            of_row += discordance * others[at]
            if by_points:
                of_tile[seen1[at]] += discordance * weights[i]
        if bins1.size > 0:
            into_weighted_bins(a1, count1, others, weights[i], grid1, bins1)
        _gather(sums2, seen2, count2, a2)
        for at in range(count2):
            others[at] = weights[base + seen2[at]]
            discordance = _power(a2[at], power) if sums1[seen2[at]] == 0.0 else 0.0
            of_row += discordance * others[at]
            if by_points:
                of_tile[seen2[at]] += discordance * weights[i]
        if bins2.size > 0:
            into_weighted_bins(a2, count2, others, weights[i], grid2, bins2)
        for at in range(count1):
            sums1[seen1[at]] = 0.0
        for at in range(count2):
            sums2[seen2[at]] = 0.0
        if by_points:
            of_rows[i - first_row] += of_row
        total += weights[i] * of_row
    return total


def tile_rows(*arguments: Any) -> float:
    """Call the loop over the rows of a tile."""
    total: float = _tile_rows(*arguments)
    return total


def weighted_tile_rows(*arguments: Any) -> float:
    """Call the loop over the rows of a tile with weights of the points."""
    total: float = _weighted_tile_rows(*arguments)
    return total


@numba.njit(**INNER)
def _discordances(own, other, seen, count, power, nodes, scale, base, out):  # type: ignore[no-untyped-def]
    """out[:, j] = discordance, and curve of the own agreement, of the points j that were seen.

    Both are multiplied by the scale of the point. The curve is linear between its nodes.
    """
    cells, last = float(nodes.size - 1), nodes.size - 2
    for at in range(count):
        j = seen[at]
        a = own[j] if own[j] < 1.0 else 1.0
        b = other[j] if other[j] < 1.0 else 1.0
        discordance = a + b - 2.0 * a * b if power == PRODUCT else _power(a - b, power)
        place = a * cells
        cell = min(np.int64(place), last)
        height = nodes[cell] + (place - cell) * (nodes[cell + 1] - nodes[cell])
        out[0, j] = discordance * scale[base + j]
        out[1, j] = height * scale[base + j]


@numba.njit(**INNER)
def _add_to_clusters(rows, tile, i, base, scale, values, sums):  # type: ignore[no-untyped-def]
    """Add the values of row i with later points of a tile, times both entries in a column."""
    starts, columns, entries1 = rows
    column_starts, points, entries2 = tile
    for d in range(starts[i], starts[i + 1]):
        column = np.uint64(columns[d])
        start = np.uint64(column_starts[column])
        stop = np.uint64(column_starts[column + np.uint64(1)])
        if i >= base:
            start = _first_after(points, start, stop, np.uint64(i - base))
        discordance, height = 0.0, 0.0
        for at in range(start, stop):
            j, y = points[at], entries2[at]
            discordance += y * values[0, j]
            height += y * values[1, j]
        own = entries1[d] * scale[i]
        sums[0, column] += own * discordance
        sums[1, column] += own * height


@numba.njit(**OUTER)
def cluster_rows(  # type: ignore[no-untyped-def]
    rows1, tile1, scale1, nodes1, clusters1, rows2, tile2, scale2, nodes2, clusters2,
    base, first_row, last_row, product, power, sums, seen, values,
):  # fmt: skip
    """Add the pairs of a range of rows with the later points of a tile to the sums of clusters.

    A pair has the weight x y in a cluster, where x and y are its entries times the scales of the
    rows. Nothing is added for a side without nodes of a curve.
    """
    sums1, sums2 = sums[0], sums[1]
    seen1, seen2 = seen[0], seen[1]
    for i in range(first_row, last_row):
        count1 = _add_row(rows1, tile1, i, base, product, sums1, seen1)
        count2 = _add_row(rows2, tile2, i, base, product, sums2, seen2)
        if nodes1.size > 0:
            _discordances(sums1, sums2, seen1, count1, power, nodes1, scale1, base, values)
            _add_to_clusters(rows1, tile1, i, base, scale1, values, clusters1)
        if nodes2.size > 0:
            _discordances(sums2, sums1, seen2, count2, power, nodes2, scale2, base, values)
            _add_to_clusters(rows2, tile2, i, base, scale2, values, clusters2)
        for at in range(count1):
            sums1[seen1[at]] = 0.0
        for at in range(count2):
            sums2[seen2[at]] = 0.0


@numba.njit(**OUTER)
def agreements_of_pairs(starts, columns, values, first, second, product, out):  # type: ignore[no-untyped-def]
    """out[p] = sum of minima, or of products, of the rows first[p] and second[p]."""
    for p in range(first.size):
        at1, stop1 = starts[first[p]], starts[first[p] + 1]
        at2, stop2 = starts[second[p]], starts[second[p] + 1]
        total = 0.0
        while at1 < stop1 and at2 < stop2:
            column1, column2 = columns[at1], columns[at2]
            if column1 == column2:
                x, y = values[at1], values[at2]
                total += x * y if product else (x if x < y else y)
            at1 += column1 <= column2
            at2 += column2 <= column1
        out[p] = total if total < 1.0 else 1.0
