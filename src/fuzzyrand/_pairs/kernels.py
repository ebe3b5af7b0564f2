"""Compiled loops over pairs of points.

Importing this module imports Numba, so it is imported only when pairs must be visited. A function
is compiled for each pair of kinds of clusterings that are compared, with and without bins, and
contains only what these need, because compiling takes as long as processing some thousands of
points. Numba caches what it has compiled. The memberships are transposed, so that the inner loops
run along points and use the vector units of the machine.

All loops are in one file although it is long: Numba's cache notices a change in the file of a loop,
but not in the files of the functions that it calls.
"""

# Written for Numba, which handles plain loops and conditional expressions best.

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numba
import numpy as np
import numpy.typing as npt

from .._base.numba_options import INNER, OUTER
from .._base.types import FloatArray
from .bins import TABLE_BITS

#: Kinds of clusterings, and of agreements between rows of memberships.
NONE, HARD, FUZZY, POSSIBILISTIC, NORM, DOT = -1, 0, 1, 2, 3, 4

#: Stands for the discordance a1 + a2 - 2 a1 a2 in place of a power.
PRODUCT = -1.0

#: Largest p for which differences are raised to the power p as they are. What underflows is then
#: below 1e-308^(1/p) < 1e-17, which no agreement shows.
LARGEST_POWER = 18.0

#: Points compared with one point at a time; their memberships fit into the first-level cache.
BLOCK = 256
#: Rows compared with a block at once, so that what is loaded of the block is used for all of them.
ROWS = 4
#: A bin stores COUNT for each value in it, plus the value's position in the bin times FRACTION.
COUNT, FRACTION = 1 << 41, 1 << 18
#: Number of values that one bin can hold before either part overflows; the count is unsigned.
BIN_CAPACITY = 1 << 23
#: A cell or bin has 2^CELL_BITS parts, and values are expressed in parts. Doubles from LARGE on are
#: integers, and the lower bits of LARGE + x are those of x. The upper bits of LARGE itself give the
#: position of the first cell.
CELL_BITS, LARGE = 36, float(1 << 52)
_FIRST_CELL = int(np.float64(LARGE).view(np.uint64)) >> CELL_BITS
_COUNT_MASK, _POSITION_BITS = (1 << TABLE_BITS) - 1, CELL_BITS - FRACTION.bit_length() + 1
#: Mask of the lower bits of a line, which are its slope; half a position, added for rounding.
_SLOPE_MASK, _HALF = (1 << 16) - 1, 1 << _POSITION_BITS - 1


class Side(NamedTuple):
    """One clustering in the form that the kernels need.

    Attributes
    ----------
    kind : int
        One of the kinds above.
    arrays : tuple
        HARD: codes. NORM: transposed memberships, and p. Others: transposed memberships, where each
        row starts in the list of columns, and the list of columns in which rows are not zero;
        POSSIBILISTIC: also an offset for each row.
    """

    kind: int
    arrays: tuple[Any, ...]


#: The fields of ``bins.Grid``.
Grid = tuple[Any, ...]
Bins = npt.NDArray[np.int64]
#: A line for each cell, cell parts per unit of agreement, the shift added to them, the largest sum.
CountingGrid = tuple[npt.NDArray[np.uint64], float, float, float]


@numba.njit(**INNER)
def _together(codes, i, lo, hi, out):  # type: ignore[no-untyped-def]
    """out[j] = 1 if points i and lo + j have the same code, else 0."""
    code = codes[i]
    for j in range(hi - lo):
        out[j] = 1.0 if codes[lo + j] == code else 0.0


# The next two are compiled for nearly every first call. They index whole arrays with unsigned
# integers instead of taking slices, which halves the time that Numba takes to compile them.


@numba.njit(**INNER)
def _sum_of_minima(xt, start, columns, i, lo, hi, out):  # type: ignore[no-untyped-def]
    """out[j] = sum of min(x_i, x_j) over the columns in which x_i is not zero.

    Taking five columns at a time means fewer passes over ``out`` and still fits the registers.
    """
    own, lo, m = np.uint64(i), np.uint64(lo), np.uint64(hi - lo)
    for j in range(m):
        out[j] = 0.0
    d, stop = start[i], start[i + 1]
    while d + 5 <= stop:
        k0, k1, k2 = np.uint64(columns[d]), np.uint64(columns[d + 1]), np.uint64(columns[d + 2])
        k3, k4 = np.uint64(columns[d + 3]), np.uint64(columns[d + 4])
        x0, x1, x2, x3, x4 = xt[k0, own], xt[k1, own], xt[k2, own], xt[k3, own], xt[k4, own]
        for j in range(m):
            at = lo + j
            out[j] += (
                min(xt[k0, at], x0)
                + min(xt[k1, at], x1)
                + min(xt[k2, at], x2)
                + min(xt[k3, at], x3)
                + min(xt[k4, at], x4)
            )
        d += 5
    while d < stop:
        k0 = np.uint64(columns[d])
        x0 = xt[k0, own]
        for j in range(m):
            out[j] += min(xt[k0, lo + j], x0)
        d += 1


@numba.njit(**INNER)
def _four_sums_of_minima(xt, i, lo, hi, out):  # type: ignore[no-untyped-def]
    """out[r m + j] = sum over all columns of min(x_{i+r}, x_{lo+j}), for four rows; m = hi - lo.

    With two columns at a time, their eight thresholds stay in registers, and each vector of
    memberships that is loaded is used for four rows. The first pass writes instead of adding; it
    has only one column if the number of columns is odd.
    """
    one, two = np.uint64(1), np.uint64(2)
    lo, m, k = np.uint64(lo), np.uint64(hi - lo), np.uint64(xt.shape[0])
    i0 = np.uint64(i)
    i1, i2, i3 = i0 + one, i0 + two, i0 + two + one
    m2, m3 = m + m, m + m + m
    first, last = np.uint64(0), k % two ^ one
    x0, x1, x2, x3 = xt[first, i0], xt[first, i1], xt[first, i2], xt[first, i3]
    y0, y1, y2, y3 = xt[last, i0], xt[last, i1], xt[last, i2], xt[last, i3]
    if last == first:
        for j in range(m):
            c = xt[first, lo + j]
            out[j] = min(c, x0)
            out[m + j] = min(c, x1)
            out[m2 + j] = min(c, x2)
            out[m3 + j] = min(c, x3)
    else:
        for j in range(m):
            c, b = xt[first, lo + j], xt[last, lo + j]
            out[j] = min(c, x0) + min(b, y0)
            out[m + j] = min(c, x1) + min(b, y1)
            out[m2 + j] = min(c, x2) + min(b, y2)
            out[m3 + j] = min(c, x3) + min(b, y3)
    for d in range(last + one, k, two):
        e = d + one
        x0, x1, x2, x3 = xt[d, i0], xt[d, i1], xt[d, i2], xt[d, i3]
        y0, y1, y2, y3 = xt[e, i0], xt[e, i1], xt[e, i2], xt[e, i3]
        for j in range(m):
            c, b = xt[d, lo + j], xt[e, lo + j]
            out[j] += min(c, x0) + min(b, y0)
            out[m + j] += min(c, x1) + min(b, y1)
            out[m2 + j] += min(c, x2) + min(b, y2)
            out[m3 + j] += min(c, x3) + min(b, y3)


@numba.njit(**INNER, inline="always")
def _sums_of_minima(xt, start, columns, i, rows, lo, hi, out):  # type: ignore[no-untyped-def]
    """out[r m + j] = sum over columns of min(x_{i+r}, x_{lo+j}), for one row or ROWS rows.

    Four rows together take about as long for all columns as four separate rows take for 60% of
    them. This is inlined early, because the functions it calls would otherwise be optimised once
    more on the way to the outer loop.
    """
    if rows == ROWS and 5 * (start[i + ROWS] - start[i]) >= 3 * ROWS * xt.shape[0]:
        _four_sums_of_minima(xt, i, lo, hi, out)
    else:
        for r in range(rows):
            _sum_of_minima(xt, start, columns, i + r, lo, hi, out[r * (hi - lo) :])


@numba.njit(**INNER)
def _add_offsets(offset, i, lo, hi, out):  # type: ignore[no-untyped-def]
    """out[j] += the offsets of points i and lo + j; negative results become 0."""
    own = offset[i]
    for j in range(hi - lo):
        a = out[j] + own + offset[lo + j]
        out[j] = a if a > 0.0 else 0.0


@numba.njit(**INNER)
def _sum_of_products(xt, start, columns, i, lo, hi, out):  # type: ignore[no-untyped-def]
    """out[j] = x_i . x_j, at most 1, over the columns in which x_i is not zero."""
    m = hi - lo
    for j in range(m):
        out[j] = 0.0
    for d in range(start[i], start[i + 1]):
        column = xt[columns[d], lo:hi]
        x = xt[columns[d], i]
        for j in range(m):
            out[j] += column[j] * x
    for j in range(m):
        out[j] = out[j] if out[j] < 1.0 else 1.0


@numba.njit(**INNER)
def _ratio_norm(xt, p, i, lo, hi, out):  # type: ignore[no-untyped-def]
    """Do the same as ``_scaled_norm`` for large p, with ratios to the largest difference."""
    infinite = p > 1e300
    for j in range(hi - lo):
        largest = 0.0
        for d in range(xt.shape[0]):
            largest = max(largest, abs(xt[d, lo + j] - xt[d, i]))
        norm = largest
        if largest > 0.0 and not infinite:
            total = 0.0
            for d in range(xt.shape[0]):
                total += (abs(xt[d, lo + j] - xt[d, i]) / largest) ** p
            norm = largest * (0.5 * total) ** (1.0 / p)
        out[j] = 1.0 - norm if norm < 1.0 else 0.0


@numba.njit(**INNER)
def _scaled_norm(xt, p, i, lo, hi, out):  # type: ignore[no-untyped-def]
    """out[j] = 1 - ||x_i - x_j||_p / 2^(1/p)."""
    if p > LARGEST_POWER:
        _ratio_norm(xt, p, i, lo, hi, out)
        return
    m = hi - lo
    for j in range(m):
        out[j] = 0.0
    for d in range(xt.shape[0]):
        column = xt[d, lo:hi]
        x = xt[d, i]
        if p == 2.0:
            for j in range(m):
                out[j] += (column[j] - x) ** 2
        else:
            for j in range(m):
                out[j] += abs(column[j] - x) ** p
    for j in range(m):
        norm = (0.5 * out[j]) ** (1.0 / p)
        out[j] = 1.0 - norm if norm < 1.0 else 0.0


@numba.njit(**INNER)
def _into_bins(values, m, grid, bins):  # type: ignore[no-untyped-def]
    """Add each value to the count and the position of its bin, which share one integer.

    The upper bits of the integer hold the count, the lower bits the sum of positions. The grid is
    that of ``counting_grid``. Values become integer numbers of cell parts, whose upper bits are the
    cell. The line of the cell turns them into bin parts, whose upper bits are the bin; the next
    bits are the position in it, rounded to FRACTION parts. A value that is rounded up to the next
    bin has position 0 there. The values are overwritten.
    """
    lines, parts_a_unit, shift, top = grid
    for j in range(m):
        scaled = values[j] * parts_a_unit + shift
        scaled = scaled if scaled > LARGE else LARGE
        values[j] = scaled if scaled < top else top
    # Unsigned 64-bit integers throughout: others would be converted, or their sign checked.
    part_bits, position_bits = np.uint64(CELL_BITS), np.uint64(_POSITION_BITS)
    parts = values.view(np.uint64)
    for j in range(m):
        line = lines[(parts[j] >> part_bits) - np.uint64(_FIRST_CELL)]
        place = parts[j] * (line & np.uint64(_SLOPE_MASK)) + line
        position = (place >> position_bits) & np.uint64(FRACTION - 1)
        bins[place >> part_bits] += np.int64(np.uint64(COUNT) + position)


@numba.njit(**INNER)
def _into_weighted_bins(values, m, weights, own, grid, bins):  # type: ignore[no-untyped-def]
    """Add own * weights[j], alone and times the position in the bin, to the bin of values[j]."""
    table, low, cells_a_unit = grid
    top = float(table.size - 1)
    for j in range(m):
        scaled = (values[j] - low) * cells_a_unit
        scaled = scaled if scaled > 0.0 else 0.0
        scaled = scaled if scaled < top else top
        cell = np.uint64(scaled)
        entry = table[cell]
        within = (scaled - float(cell)) * float(entry & np.uint64(_COUNT_MASK))
        whole = np.uint64(within)
        at = (entry >> np.uint64(TABLE_BITS)) + whole
        weight = own * weights[j]
        bins[at, 0] += weight  # both next to each other in memory
        bins[at, 1] += weight * (within - float(whole))


@numba.njit(**INNER)
def _absolute_sum(a, b, m):  # type: ignore[no-untyped-def]
    total = 0.0
    for j in range(m):
        total += abs(a[j] - b[j])
    return total


@numba.njit(**INNER)
def _square_sum(a, b, m):  # type: ignore[no-untyped-def]
    total = 0.0
    for j in range(m):
        total += (a[j] - b[j]) ** 2
    return total


@numba.njit(**INNER)
def _power_sum(a, b, m, power):  # type: ignore[no-untyped-def]
    total = 0.0
    for j in range(m):
        total += abs(a[j] - b[j]) ** power
    return total


@numba.njit(**INNER)
def _differences(a, b, m, power, out):  # type: ignore[no-untyped-def]
    """out[j] = |a[j] - b[j]|^power."""
    if power == 1.0:
        for j in range(m):
            out[j] = abs(a[j] - b[j])
    elif power == 2.0:
        for j in range(m):
            out[j] = (a[j] - b[j]) ** 2
    else:
        for j in range(m):
            out[j] = abs(a[j] - b[j]) ** power


@numba.njit(**INNER)
def _through_curve(values, m, nodes, index):  # type: ignore[no-untyped-def]
    """Replace each value by the value of a curve, given at evenly spaced nodes from 0 to 1.

    The curve is linear between the nodes.
    """
    last = np.int32(nodes.size - 2)
    cells = float(nodes.size - 1)
    for j in range(m):
        scaled = values[j] * cells
        cell = np.int32(scaled)
        cell = cell if cell < last else last
        index[j] = cell
        values[j] = scaled - cell
    for j in range(m):
        left = nodes[index[j]]
        values[j] = left + values[j] * (nodes[index[j] + 1] - left)


@numba.njit(**INNER)
def _share_out(values, m, i, lo, sums):  # type: ignore[no-untyped-def]
    """Add the value of each pair (i, lo + j) to the sums of both points."""
    others = sums[lo : lo + m]
    total = 0.0
    for j in range(m):
        total += values[j]
        others[j] += values[j]
    sums[i] += total


@numba.njit(**INNER)
def _share_out_weighted(values, m, i, lo, weights, sums):  # type: ignore[no-untyped-def]
    """Add the value of each pair (i, lo + j), times the weight of the other, to both points."""
    others, theirs, own = sums[lo : lo + m], weights[lo : lo + m], weights[i]
    total = 0.0
    for j in range(m):
        total += values[j] * theirs[j]
        others[j] += values[j] * own
    sums[i] += total


@numba.njit(**INNER)
def _share_out_squares(values, m, i, lo, sums):  # type: ignore[no-untyped-def]
    """Add the square of the value of each pair (i, lo + j) to the sums of both points."""
    others = sums[lo : lo + m]
    total = 0.0
    for j in range(m):
        square = values[j] * values[j]
        total += square
        others[j] += square
    sums[i] += total


# Numba removes the branches that constants of the enclosing function rule out before it infers
# types, so the tuples of arrays may differ in length. (A function for the agreements of one kind,
# made in the same way, would defeat the cache, which identifies the constants of a function by
# their pickles.)


@cache
def pair_rows(kind1: int, kind2: int, whole_power: int, binned1: bool, binned2: bool) -> Any:
    """Return the loop over a range of rows for two kinds of sides.

    A ``whole_power`` of 0 stands for any power.
    """

    @numba.njit(**OUTER)
    def add_up(  # type: ignore[no-untyped-def]
        side1, side2, n, power, row_range, least, grid1, bins1, grid2, bins2, scratch
    ):
        a1, a2 = scratch[0], scratch[1]
        first_row, last_row = row_range
        total = 0.0
        begin = first_row if first_row > least else least
        for block in range(begin - begin % BLOCK, n, BLOCK):
            hi = block + BLOCK if block + BLOCK < n else n
            stop = last_row if last_row < hi else hi
            i = first_row
            while i < stop:
                # Rows before the whole block are processed together; the agreements of one row
                # follow those of another.
                rows = ROWS if i + ROWS <= stop and i + ROWS <= block else 1
                lo = block if block > i else i + 1
                lo = lo if lo > least else least
                m = hi - lo if hi > lo else 0

                if kind1 == HARD:
                    for r in range(rows):
                        _together(side1[0], i + r, lo, hi, a1[r * m :])
                elif kind1 == NORM:
                    for r in range(rows):
                        _scaled_norm(side1[0], side1[1], i + r, lo, hi, a1[r * m :])
                elif kind1 == DOT:
                    for r in range(rows):
                        _sum_of_products(side1[0], side1[1], side1[2], i + r, lo, hi, a1[r * m :])
                else:
                    _sums_of_minima(side1[0], side1[1], side1[2], i, rows, lo, hi, a1)
                if kind1 == POSSIBILISTIC:
                    for r in range(rows):
                        _add_offsets(side1[3], i + r, lo, hi, a1[r * m :])

                if kind2 == HARD:
                    for r in range(rows):
                        _together(side2[0], i + r, lo, hi, a2[r * m :])
                elif kind2 == NORM:
                    for r in range(rows):
                        _scaled_norm(side2[0], side2[1], i + r, lo, hi, a2[r * m :])
                elif kind2 == DOT:
                    for r in range(rows):
                        _sum_of_products(side2[0], side2[1], side2[2], i + r, lo, hi, a2[r * m :])
                elif kind2 != NONE:
                    _sums_of_minima(side2[0], side2[1], side2[2], i, rows, lo, hi, a2)
                if kind2 == POSSIBILISTIC:
                    for r in range(rows):
                        _add_offsets(side2[3], i + r, lo, hi, a2[r * m :])

                if kind2 != NONE:
                    if whole_power == 1:
                        total += _absolute_sum(a1, a2, rows * m)
                    elif whole_power == 2:
                        total += _square_sum(a1, a2, rows * m)
                    else:
                        total += _power_sum(a1, a2, rows * m, power)
                if binned1:
                    _into_bins(a1, rows * m, grid1, bins1)
                if binned2:
                    _into_bins(a2, rows * m, grid2, bins2)
                i += rows
        return total

    return add_up


@cache
def point_rows(kind1: int, kind2: int, weighted: bool) -> Any:
    """Return the loop over a range of rows that adds every pair to the sums of both points.

    Power, curves and squares are checked at run time, once for each row of a block: this costs
    next to nothing, and fewer functions need to be compiled.
    """

    @numba.njit(**OUTER)
    def rows(  # type: ignore[no-untyped-def]
        side1, side2, n, power, first_row, last_row, nodes1, nodes2, squared, sums, scratch, index,
        weights,
    ):  # fmt: skip
        a1, a2, difference = scratch[0], scratch[1], scratch[2]
        for block in range(first_row, n, BLOCK):
            hi = block + BLOCK if block + BLOCK < n else n
            for i in range(first_row, last_row if last_row < hi else hi):
                lo = block if block > i else i + 1
                m = hi - lo
                if m <= 0:
                    continue

                if kind1 == HARD:
                    _together(side1[0], i, lo, hi, a1)
                elif kind1 == NORM:
                    _scaled_norm(side1[0], side1[1], i, lo, hi, a1)
                elif kind1 == DOT:
                    _sum_of_products(side1[0], side1[1], side1[2], i, lo, hi, a1)
                else:
                    _sum_of_minima(side1[0], side1[1], side1[2], i, lo, hi, a1)
                if kind1 == POSSIBILISTIC:
                    _add_offsets(side1[3], i, lo, hi, a1)

                if kind2 == HARD:
                    _together(side2[0], i, lo, hi, a2)
                elif kind2 == NORM:
                    _scaled_norm(side2[0], side2[1], i, lo, hi, a2)
                elif kind2 == DOT:
                    _sum_of_products(side2[0], side2[1], side2[2], i, lo, hi, a2)
                elif kind2 != NONE:
                    _sum_of_minima(side2[0], side2[1], side2[2], i, lo, hi, a2)
                if kind2 == POSSIBILISTIC:
                    _add_offsets(side2[3], i, lo, hi, a2)

                if kind2 != NONE:
                    _differences(a1, a2, m, power, difference)
                    if weighted:
                        _share_out_weighted(difference, m, i, lo, weights, sums[0])
                    else:
                        _share_out(difference, m, i, lo, sums[0])
                    if squared:
                        if weighted:
                            for j in range(m):
                                difference[j] *= difference[j]
                            _share_out_weighted(difference, m, i, lo, weights, sums[1])
                        else:
                            _share_out_squares(difference, m, i, lo, sums[1])
                    if nodes2.size > 0:
                        _through_curve(a2, m, nodes2, index)
                        if weighted:
                            _share_out_weighted(a2, m, i, lo, weights, sums[3])
                        else:
                            _share_out(a2, m, i, lo, sums[3])
                if nodes1.size > 0:
                    _through_curve(a1, m, nodes1, index)
                    if weighted:
                        _share_out_weighted(a1, m, i, lo, weights, sums[2])
                    else:
                        _share_out(a1, m, i, lo, sums[2])

    return rows


@cache
def kept_agreements(kind: int) -> Any:
    """Return the loop that stores the agreements of some points with others, for a kind of side."""

    @numba.njit(**OUTER)
    def agreements(side, first, low, out, scratch):  # type: ignore[no-untyped-def]
        high = low + out.shape[1]
        for lo in range(low, high, BLOCK):
            hi = lo + BLOCK if lo + BLOCK < high else high
            m, i, last = hi - lo, first, first + out.shape[0]
            while i < last:
                rows = ROWS if i + ROWS <= last else 1
                if kind == HARD:
                    for r in range(rows):
                        _together(side[0], i + r, lo, hi, scratch[r * m :])
                elif kind == NORM:
                    for r in range(rows):
                        _scaled_norm(side[0], side[1], i + r, lo, hi, scratch[r * m :])
                elif kind == DOT:
                    for r in range(rows):
                        _sum_of_products(side[0], side[1], side[2], i + r, lo, hi, scratch[r * m :])
                else:
                    _sums_of_minima(side[0], side[1], side[2], i, rows, lo, hi, scratch)
                if kind == POSSIBILISTIC:
                    for r in range(rows):
                        _add_offsets(side[3], i + r, lo, hi, scratch[r * m :])
                for r in range(rows):
                    here = out[i + r - first, lo - low :]
                    for j in range(m):
                        here[j] = scratch[r * m + j]
                i += rows

    return agreements


@numba.njit(**INNER)
def _add_weighted(values, m, i, lo, vt, sums):  # type: ignore[no-untyped-def]
    """Add each pair's value, times both memberships in a cluster, to the sum of the cluster."""
    for c in range(vt.shape[0]):
        own = vt[c, i]
        if own == 0.0:
            continue
        column = vt[c, lo : lo + m]
        total = 0.0
        for j in range(m):
            total += values[j] * column[j]
        sums[c] += own * total


@cache
def weighted_rows(kind1: int, kind2: int) -> Any:
    """Return the loop over a range of rows that adds every pair to the sums of the clusters."""

    @numba.njit(**OUTER)
    def rows(  # type: ignore[no-untyped-def]
        side1,
        side2,
        n,
        power,
        first_row,
        last_row,
        nodes1,
        nodes2,
        vt1,
        vt2,
        sums1,
        sums2,
        scratch,
        index,
    ):
        a1, a2, difference = scratch[0], scratch[1], scratch[2]
        for block in range(first_row, n, BLOCK):
            hi = block + BLOCK if block + BLOCK < n else n
            for i in range(first_row, last_row if last_row < hi else hi):
                lo = block if block > i else i + 1
                m = hi - lo
                if m <= 0:
                    continue

                if kind1 == HARD:
                    _together(side1[0], i, lo, hi, a1)
                elif kind1 == NORM:
                    _scaled_norm(side1[0], side1[1], i, lo, hi, a1)
                elif kind1 == DOT:
                    _sum_of_products(side1[0], side1[1], side1[2], i, lo, hi, a1)
                else:
                    _sum_of_minima(side1[0], side1[1], side1[2], i, lo, hi, a1)
                if kind1 == POSSIBILISTIC:
                    _add_offsets(side1[3], i, lo, hi, a1)

                if kind2 == HARD:
                    _together(side2[0], i, lo, hi, a2)
                elif kind2 == NORM:
                    _scaled_norm(side2[0], side2[1], i, lo, hi, a2)
                elif kind2 == DOT:
                    _sum_of_products(side2[0], side2[1], side2[2], i, lo, hi, a2)
                else:
                    _sum_of_minima(side2[0], side2[1], side2[2], i, lo, hi, a2)
                if kind2 == POSSIBILISTIC:
                    _add_offsets(side2[3], i, lo, hi, a2)

                if power == PRODUCT:
                    for j in range(m):
                        difference[j] = a1[j] + a2[j] - 2.0 * a1[j] * a2[j]
                else:
                    _differences(a1, a2, m, power, difference)
                if vt1.shape[0] > 0:
                    _add_weighted(difference, m, i, lo, vt1, sums1[0])
                    _through_curve(a1, m, nodes1, index)
                    _add_weighted(a1, m, i, lo, vt1, sums1[1])
                if vt2.shape[0] > 0:
                    _add_weighted(difference, m, i, lo, vt2, sums2[0])
                    _through_curve(a2, m, nodes2, index)
                    _add_weighted(a2, m, i, lo, vt2, sums2[1])

    return rows


@cache
def merged_rows(kind1: int, kind2: int) -> Any:
    """Return the loop over a range of rows, each of which stands for several points.

    Bins that are not wanted are empty.
    """

    @numba.njit(**OUTER)
    def rows(  # type: ignore[no-untyped-def]
        side1, side2, n, power, first_row, last_row, weights, grid1, bins1, grid2, bins2, scratch
    ):
        a1, a2, difference = scratch[0], scratch[1], scratch[2]
        total = 0.0
        for block in range(first_row, n, BLOCK):
            hi = block + BLOCK if block + BLOCK < n else n
            for i in range(first_row, last_row if last_row < hi else hi):
                lo = block if block > i else i + 1
                m = hi - lo
                if m <= 0:
                    continue

                if kind1 == HARD:
                    _together(side1[0], i, lo, hi, a1)
                elif kind1 == NORM:
                    _scaled_norm(side1[0], side1[1], i, lo, hi, a1)
                elif kind1 == DOT:
                    _sum_of_products(side1[0], side1[1], side1[2], i, lo, hi, a1)
                else:
                    _sum_of_minima(side1[0], side1[1], side1[2], i, lo, hi, a1)
                if kind1 == POSSIBILISTIC:
                    _add_offsets(side1[3], i, lo, hi, a1)

                if kind2 == HARD:
                    _together(side2[0], i, lo, hi, a2)
                elif kind2 == NORM:
                    _scaled_norm(side2[0], side2[1], i, lo, hi, a2)
                elif kind2 == DOT:
                    _sum_of_products(side2[0], side2[1], side2[2], i, lo, hi, a2)
                elif kind2 != NONE:
                    _sum_of_minima(side2[0], side2[1], side2[2], i, lo, hi, a2)
                if kind2 == POSSIBILISTIC:
                    _add_offsets(side2[3], i, lo, hi, a2)

                own, others = weights[i], weights[lo:hi]
                if kind2 != NONE:
                    _differences(a1, a2, m, power, difference)
                    part = 0.0
                    for j in range(m):
                        part += difference[j] * others[j]
                    total += own * part
                if bins1.size > 0:
                    _into_weighted_bins(a1, m, others, own, grid1, bins1)
                if bins2.size > 0:
                    _into_weighted_bins(a2, m, others, own, grid2, bins2)
        return total

    return rows


@cache
def cells_of_agreements(kind: int) -> Any:
    """Return the loop that sorts the agreements of some points with all others into cells."""

    @numba.njit(**OUTER)
    def in_cells(side, n, points, nodes, guide, counts, firsts, seconds, a):  # type: ignore[no-untyped-def]
        low, last = nodes[0], guide.size - 2
        scale = (last + 1.0) / (nodes[nodes.size - 1] - low)
        for r in range(points.size):
            i = points[r]
            count, first = counts[r], firsts[r]
            for lo in range(0, n, BLOCK):
                hi = lo + BLOCK if lo + BLOCK < n else n
                if kind == NORM:
                    _scaled_norm(side[0], side[1], i, lo, hi, a)
                elif kind == DOT:
                    _sum_of_products(side[0], side[1], side[2], i, lo, hi, a)
                else:
                    _sum_of_minima(side[0], side[1], side[2], i, lo, hi, a)
                if kind == POSSIBILISTIC:
                    _add_offsets(side[3], i, lo, hi, a)
                for j in range(hi - lo):
                    if lo + j == i:
                        continue
                    place = (a[j] - low) * scale
                    place = place if place > 0.0 else 0.0
                    at = np.int64(place) if place < last else last
                    cell, top = guide[at], guide[at + 1]
                    while cell < top:
                        middle = (cell + top + 1) // 2
                        if nodes[middle] <= a[j]:
                            cell = middle
                        else:
                            top = middle - 1
                    share = (a[j] - nodes[cell]) / (nodes[cell + 1] - nodes[cell])
                    share = share if share > 0.0 else 0.0
                    share = share if share < 1.0 else 1.0
                    count[cell] += 1.0
                    first[cell] += share
                    seconds[cell] += share * share

    return in_cells


def counting_grid(grid: Grid) -> CountingGrid:
    """Return a grid in the form in which values are counted fastest.

    The bin of a value is a linear function of the value x in cell parts, with a line for each cell:
    first + (x / 2^CELL_BITS - cell) * bins, where first is the first bin and bins the number of
    bins of the cell. Slope and offset share one integer, and arithmetic is modulo 2^64.
    """
    table, low, cells_a_unit = grid
    bins = table & np.uint64(_COUNT_MASK)
    assert bins.size <= 1 << 16
    assert not bins.size or bins.max() <= _SLOPE_MASK
    cells = np.arange(bins.size, dtype=np.uint64) + np.uint64(_FIRST_CELL)
    offsets = (table >> np.uint64(TABLE_BITS)) - cells * bins
    lines = (offsets << np.uint64(CELL_BITS)) | np.uint64(_HALF) | bins
    parts_a_unit = cells_a_unit * float(1 << CELL_BITS)
    top = float(max(bins.size - 1, 0)) * float(1 << CELL_BITS)
    return lines, parts_a_unit, LARGE - low * parts_a_unit, LARGE + top


def decoded(bins: Bins) -> FloatArray:
    """Return counts, and sums of positions within the bins."""
    unsigned, out = bins.view(np.uint64), np.empty((2, bins.size))
    out[0] = unsigned >> np.uint64(COUNT.bit_length() - 1)
    out[1] = unsigned & np.uint64(COUNT - 1)
    out[1] /= FRACTION
    return out
