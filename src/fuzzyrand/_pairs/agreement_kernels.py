"""Compiled agreements of a row with a block of points, for every kind of side.

Importing this module imports Numba. The memberships are transposed, so that the inner loops run
along points and use the vector units of the machine.
"""

# Written for Numba, which handles plain loops and conditional expressions best. Its cache notices a
# change in the file of a loop, but not in the files of the functions that it calls: after a change
# here, save the files of the loops, too.

from __future__ import annotations

import numba
import numpy as np

from .._base.compiling import INNER
from .sides import ROWS, Labels, Minima, Norm, OffsetMinima, Products

#: Largest p for which differences are raised to the power p as they are. What underflows is then
#: below 1e-308^(1/p) < 1e-17, which no agreement shows.
LARGEST_POWER = 18.0

# Functions that set out[r m + j] to the agreement of points i + r and lo + j, for one row or ROWS
# rows; m = hi - lo. They are inlined early, because what they call would otherwise be optimised
# once more on the way to the outer loop.


@numba.njit(**INNER, inline="always")
def _nothing(side, i, rows, lo, hi, out):  # type: ignore[no-untyped-def]
    """Leave out as it is: there is no second clustering."""


@numba.njit(**INNER, inline="always")
def _of_labels(side, i, rows, lo, hi, out):  # type: ignore[no-untyped-def]
    for r in range(rows):
        _together(side.codes, i + r, lo, hi, out[r * (hi - lo) :])


@numba.njit(**INNER, inline="always")
def _of_minima(side, i, rows, lo, hi, out):  # type: ignore[no-untyped-def]
    """Choose between four rows at once and one row at a time.

    Four rows together take about as long for all columns as four separate rows take for 60% of
    them.
    """
    starts = side.starts
    if rows == ROWS and 5 * (starts[i + ROWS] - starts[i]) >= 3 * ROWS * side.columns.shape[0]:
        _four_sums_of_minima(side.columns, i, lo, hi, out)
    else:
        for r in range(rows):
            here = out[r * (hi - lo) :]
            _sum_of_minima(side.columns, starts, side.nonzero, i + r, lo, hi, here)


@numba.njit(**INNER, inline="always")
def _of_offset_minima(side, i, rows, lo, hi, out):  # type: ignore[no-untyped-def]
    _of_minima(side.minima, i, rows, lo, hi, out)
    for r in range(rows):
        _add_offsets(side.offsets, i + r, lo, hi, out[r * (hi - lo) :])


@numba.njit(**INNER, inline="always")
def _of_products(side, i, rows, lo, hi, out):  # type: ignore[no-untyped-def]
    for r in range(rows):
        here = out[r * (hi - lo) :]
        _sum_of_products(side.columns, side.starts, side.nonzero, i + r, lo, hi, here)


@numba.njit(**INNER, inline="always")
def _of_norm(side, i, rows, lo, hi, out):  # type: ignore[no-untyped-def]
    for r in range(rows):
        _scaled_norm(side.columns, side.p, i + r, lo, hi, out[r * (hi - lo) :])


#: The function for each kind of side.
OF_SIDE = {
    type(None): _nothing,
    Labels: _of_labels,
    Minima: _of_minima,
    OffsetMinima: _of_offset_minima,
    Products: _of_products,
    Norm: _of_norm,
}


@numba.njit(**INNER)
def _together(codes, i, lo, hi, out):  # type: ignore[no-untyped-def]
    """out[j] = 1 if points i and lo + j have the same code, else 0."""
    code = codes[i]
    for j in range(hi - lo):
        out[j] = 1.0 if codes[lo + j] == code else 0.0


# The next two are compiled for nearly every first call. They index whole arrays with unsigned
# integers instead of taking slices, which halves the time that Numba takes to compile them.


@numba.njit(**INNER)
def _sum_of_minima(xt, starts, nonzero, i, lo, hi, out):  # type: ignore[no-untyped-def]
    """out[j] = sum of min(x_i, x_j) over the columns in which x_i is not zero.

    Taking five columns at a time means fewer passes over ``out`` and still fits the registers.
    """
    own, lo, m = np.uint64(i), np.uint64(lo), np.uint64(hi - lo)
    for j in range(m):
        out[j] = 0.0
    d, stop = starts[i], starts[i + 1]
    while d + 5 <= stop:
        k0, k1, k2 = np.uint64(nonzero[d]), np.uint64(nonzero[d + 1]), np.uint64(nonzero[d + 2])
        k3, k4 = np.uint64(nonzero[d + 3]), np.uint64(nonzero[d + 4])
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
        k0 = np.uint64(nonzero[d])
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


@numba.njit(**INNER)
def _add_offsets(offset, i, lo, hi, out):  # type: ignore[no-untyped-def]
    """out[j] += the offsets of points i and lo + j; negative results become 0."""
    own = offset[i]
    for j in range(hi - lo):
        a = out[j] + own + offset[lo + j]
        out[j] = a if a > 0.0 else 0.0


@numba.njit(**INNER)
def _sum_of_products(xt, starts, nonzero, i, lo, hi, out):  # type: ignore[no-untyped-def]
    """out[j] = x_i . x_j, at most 1, over the columns in which x_i is not zero."""
    m = hi - lo
    for j in range(m):
        out[j] = 0.0
    for d in range(starts[i], starts[i + 1]):
        column = xt[nonzero[d], lo:hi]
        x = xt[nonzero[d], i]
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
