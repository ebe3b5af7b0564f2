"""The compiled loops over pairs of points: arrays in, arrays out.

Importing this module imports Numba, so it is done only when pairs must be visited. A side of
the comparison travels as a tuple of arrays (see ``pairs._side``); the memberships are
transposed, so that the inner loops run along points and use the vector units of the machine.
"""

# Written for Numba, which reads plain loops and conditional expressions best.

from __future__ import annotations

import numba
import numpy as np
import numpy.typing as npt

from .._base.types import FloatArray, IntArray

HARD, FUZZY, POSSIBILISTIC, NORM, DOT = 0, 1, 2, 3, 4

#: Points compared with one point at a time; their memberships fit the first-level cache.
BLOCK = 256
#: A bin holds COUNT for each value in it, plus its position in the bin in parts of FRACTION.
COUNT, FRACTION = 1 << 40, float(1 << 16)
#: So many values may meet in one bin before either part overflows.
BIN_CAPACITY = 1 << 23
#: Inputs are finite by now and sums may be reordered; that is what lets the loops vectorise.
FAST = {"reassoc", "contract", "nsz", "arcp", "nnan", "ninf"}


@numba.njit(nogil=True, cache=True, fastmath=FAST, inline="always")
def _sum_of_minima(xt, start, columns, i, lo, hi, out):  # type: ignore[no-untyped-def]
    """out[j] = sum over columns of min(x_i, x_j), over the columns where x_i is not zero.

    Five columns at a time: fewer passes over ``out``, and still few enough registers.
    """
    m = hi - lo
    for j in range(m):
        out[j] = 0.0
    d, stop = start[i], start[i + 1]
    while d + 5 <= stop:
        k0, k1, k2, k3, k4 = (
            columns[d],
            columns[d + 1],
            columns[d + 2],
            columns[d + 3],
            columns[d + 4],
        )
        c0, c1, c2, c3, c4 = (
            xt[k0, lo:hi],
            xt[k1, lo:hi],
            xt[k2, lo:hi],
            xt[k3, lo:hi],
            xt[k4, lo:hi],
        )
        x0, x1, x2, x3, x4 = xt[k0, i], xt[k1, i], xt[k2, i], xt[k3, i], xt[k4, i]
        for j in range(m):
            out[j] += (
                (c0[j] if c0[j] < x0 else x0)
                + (c1[j] if c1[j] < x1 else x1)
                + (c2[j] if c2[j] < x2 else x2)
                + (c3[j] if c3[j] < x3 else x3)
                + (c4[j] if c4[j] < x4 else x4)
            )
        d += 5
    while d < stop:
        c0 = xt[columns[d], lo:hi]
        x0 = xt[columns[d], i]
        for j in range(m):
            out[j] += c0[j] if c0[j] < x0 else x0
        d += 1


@numba.njit(nogil=True, cache=True, fastmath=FAST)
def _sum_of_products(xt, start, columns, i, lo, hi, out):  # type: ignore[no-untyped-def]
    """out[j] = x_i . x_j, at most 1, over the columns where x_i is not zero."""
    m = hi - lo
    for j in range(m):
        out[j] = 0.0
    for d in range(start[i], start[i + 1]):
        column = xt[columns[d], lo:hi]
        x = xt[columns[d], i]
        for j in range(m):
            out[j] += column[j] * x
    for j in range(m):
        out[j] = min(out[j], 1.0)


@numba.njit(nogil=True, cache=True, fastmath=FAST)
def _scaled_norm(xt, p, i, lo, hi, out):  # type: ignore[no-untyped-def]
    """out[j] = 1 - ||x_i - x_j||_p / 2^(1/p)."""
    m = hi - lo
    for j in range(m):
        out[j] = 0.0
    infinite = p > 1e300
    for d in range(xt.shape[0]):
        column = xt[d, lo:hi]
        x = xt[d, i]
        if p == 2.0:
            for j in range(m):
                out[j] += (column[j] - x) ** 2
        elif infinite:
            for j in range(m):
                out[j] = max(out[j], abs(column[j] - x))
        else:
            for j in range(m):
                out[j] += abs(column[j] - x) ** p
    for j in range(m):
        norm = out[j] if infinite else (0.5 * out[j]) ** (1.0 / p)
        out[j] = 1.0 - norm if norm < 1.0 else 0.0


@numba.njit(nogil=True, cache=True, fastmath=FAST, inline="always")
def _agreements(side, i, lo, hi, out):  # type: ignore[no-untyped-def]
    """out[j] = agreement of point i with point lo + j, for lo + j < hi."""
    kind, p, xt, codes, offset, start, columns = side
    if kind == HARD:
        for j in range(hi - lo):
            out[j] = 1.0 if codes[lo + j] == codes[i] else 0.0
        return
    if kind == NORM:
        _scaled_norm(xt, p, i, lo, hi, out)
        return
    if kind == DOT:
        _sum_of_products(xt, start, columns, i, lo, hi, out)
        return
    _sum_of_minima(xt, start, columns, i, lo, hi, out)
    if kind == POSSIBILISTIC:
        for j in range(hi - lo):
            a = out[j] + offset[i] + offset[lo + j]
            out[j] = a if a > 0.0 else 0.0


@numba.njit(nogil=True, cache=True, fastmath=FAST)
def _into_bins(values, m, grid, index, bins):  # type: ignore[no-untyped-def]
    """Count and sum each value in its bin, in one integer: counts above, positions below.

    The cell of a value is found by division, its bin by a finer division inside the cell. The
    position within the bin is rounded to FRACTION parts. Destroys the values.
    """
    first_bin, bins_a_cell, low, cells_a_unit = grid
    cells = bins_a_cell.size
    for j in range(m):
        scaled = max((values[j] - low) * cells_a_unit, 0.0)
        cell = min(np.int32(scaled), np.int32(cells - 1))
        within = (scaled - cell) * bins_a_cell[cell]
        whole = np.int32(within)
        index[j] = first_bin[cell] + whole
        values[j] = (within - whole) * FRACTION + 0.5
    for j in range(m):
        bins[index[j]] += COUNT + np.int64(values[j])


@numba.njit(nogil=True, cache=True, fastmath=FAST)
def _difference_sum(a, b, m, power):  # type: ignore[no-untyped-def]
    total = 0.0
    if power == 1.0:
        for j in range(m):
            total += abs(a[j] - b[j])
    elif power == 2.0:
        for j in range(m):
            total += (a[j] - b[j]) ** 2
    else:
        for j in range(m):
            total += abs(a[j] - b[j]) ** power
    return total


@numba.njit(nogil=True, cache=True, fastmath=FAST)
def pair_rows(  # type: ignore[no-untyped-def]
    side1, side2, power, first_row, last_row, grid1, bins1, grid2, bins2
):
    """Sum |a1 - a2|^power over the pairs (i, j), i < j, of a range of rows i.

    Fills ``bins1`` and ``bins2`` with the agreements of each side where these are not empty.
    A side whose codes are empty and whose memberships have no columns is left out.
    """
    n = max(side1[2].shape[1], side1[3].size)
    two_sided = max(side2[2].shape[1], side2[3].size) > 0
    a1, a2, index = np.empty(BLOCK), np.empty(BLOCK), np.empty(BLOCK, np.int32)
    total = 0.0
    for block in range(first_row - first_row % BLOCK, n, BLOCK):
        hi = min(n, block + BLOCK)
        for i in range(first_row, min(last_row, hi)):
            lo = max(block, i + 1)
            if lo >= hi:
                continue
            _agreements(side1, i, lo, hi, a1)
            if two_sided:
                _agreements(side2, i, lo, hi, a2)
                total += _difference_sum(a1, a2, hi - lo, power)
            if bins1.size > 0:
                _into_bins(a1, hi - lo, grid1, index, bins1)
            if bins2.size > 0:
                _into_bins(a2, hi - lo, grid2, index, bins2)
    return total


@numba.njit(nogil=True, cache=True)
def pair_agreements(side, out):  # type: ignore[no-untyped-def]
    """Compute the agreements of all pairs, one after another; for few points only."""
    n = max(side[2].shape[1], side[3].size)
    at = 0
    for i in range(n - 1):
        m = n - 1 - i
        _agreements(side, i, i + 1, n, out[at : at + m])
        at += m


SideArrays = tuple[int, float, FloatArray, IntArray, FloatArray, IntArray, IntArray]
#: First bin of each cell, bins of each, where the cells begin, and cells a unit of agreement.
Grid = tuple[npt.NDArray[np.int32], FloatArray, float, float]


def empty_side() -> SideArrays:
    """Return a side that the loops leave out."""
    none = np.zeros(0, dtype=np.intp)
    return HARD, 1.0, np.zeros((0, 0)), none, np.zeros(0), none, none
