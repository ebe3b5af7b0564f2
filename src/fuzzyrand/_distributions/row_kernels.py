"""The compiled pass over memberships that a fit needs.

Importing this module imports Numba.
"""

# Written for Numba, which reads plain loops and conditional expressions best.

from __future__ import annotations

import math

import numba
import numpy as np

from .._base.numba_options import INNER, OUTER
from .._base.types import FloatArray

#: Entries whose logarithms are taken together. Each is at least 1e-30, the smallest resolution
#: allowed, so that their product does not underflow.
FACTORS = 8


@numba.njit(**INNER)
def _is_below(x, limit):  # type: ignore[no-untyped-def]
    return 1.0 if x < limit else 0.0


@numba.njit(**INNER)
def _raised(x, limit):  # type: ignore[no-untyped-def]
    return x if x > limit else limit


@numba.njit(**OUTER)
def _add_rows(rows, origin, resolution, out, product):  # type: ignore[no-untyped-def]
    """Add to sums of differences from the origin, of their squares, of small entries, of logs."""
    n, k = rows.shape
    sums, squares, below, logs = out[0], out[1], out[2], out[3]
    for start in range(0, n, FACTORS):
        stop = start + FACTORS if start + FACTORS < n else n
        product[:] = 1.0
        i = start
        while i + 4 <= stop:
            # Four rows at a time: fewer passes over the sums.
            r0, r1, r2, r3 = rows[i], rows[i + 1], rows[i + 2], rows[i + 3]
            for j in range(k):
                x0, x1, x2, x3 = r0[j], r1[j], r2[j], r3[j]
                d0, d1, d2, d3 = x0 - origin[j], x1 - origin[j], x2 - origin[j], x3 - origin[j]
                sums[j] += (d0 + d1) + (d2 + d3)
                squares[j] += (d0 * d0 + d1 * d1) + (d2 * d2 + d3 * d3)
                below[j] += (_is_below(x0, resolution) + _is_below(x1, resolution)) + (
                    _is_below(x2, resolution) + _is_below(x3, resolution)
                )
                product[j] *= (_raised(x0, resolution) * _raised(x1, resolution)) * (
                    _raised(x2, resolution) * _raised(x3, resolution)
                )
            i += 4
        while i < stop:
            row = rows[i]
            for j in range(k):
                x = row[j]
                d = x - origin[j]
                sums[j] += d
                squares[j] += d * d
                below[j] += _is_below(x, resolution)
                product[j] *= _raised(x, resolution)
            i += 1
        for j in range(k):
            logs[j] += math.log(product[j])


def sums_of_rows(rows: FloatArray, origin: FloatArray, resolution: float) -> FloatArray:
    """Sum differences from an origin, their squares, entries below a limit, and logarithms.

    Logarithms are those of entries that are raised to the limit, which is at least 1e-30.
    """
    out = np.zeros((4, rows.shape[1]))
    _add_rows(rows, origin, resolution, out, np.empty(rows.shape[1]))
    return out
