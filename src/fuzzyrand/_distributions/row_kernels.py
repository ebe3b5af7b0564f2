"""The compiled pass over memberships that a fit needs.

Importing this module imports Numba.
"""

# Written for Numba, which handles plain loops and conditional expressions best.

from __future__ import annotations

import math

import numba
import numpy as np

from .._base.compiling import INNER, OUTER
from .._base.types import FloatArray

#: Number of entries multiplied before their product is split into mantissa and exponent. Each is at
#: least 1e-30, the smallest allowed resolution, so the product does not underflow.
FACTORS = 8
#: Number of mantissas (from 1 to 2) multiplied before taking a logarithm; this cannot overflow.
MANTISSAS = 512
#: Mask of the mantissa of a double, first bit of its exponent, and exponent of numbers from 1 to 2.
MANTISSA_BITS, EXPONENT_BIT, EXPONENT_OF_ONE = (1 << 52) - 1, 52, 1023


@numba.njit(**INNER)
def _is_below(x, limit):  # type: ignore[no-untyped-def]
    return 1.0 if x < limit else 0.0


@numba.njit(**INNER)
def _raised(x, limit):  # type: ignore[no-untyped-def]
    return x if x > limit else limit


@numba.njit(**OUTER)
def _add_rows(rows, origin, resolution, out):  # type: ignore[no-untyped-def]
    """Add up differences from the origin, their squares, counts of small entries, and logarithms.

    Logarithms are slow, so few are taken: products are split into mantissas, which are multiplied
    again, and exponents, which are added.
    """
    n, k = rows.shape
    sums, squares, below, logs = out[0], out[1], out[2], out[3]
    product, mantissas, exponents = np.empty(k), np.ones(k), np.zeros(k, np.int64)
    bits = product.view(np.int64)
    multiplied = 0
    for start in range(0, n, FACTORS):
        stop = start + FACTORS if start + FACTORS < n else n
        product[:] = 1.0
        i = start
        while i + 4 <= stop:
            # Four rows at a time, for fewer passes over the sums.
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
            exponents[j] += (bits[j] >> EXPONENT_BIT) - EXPONENT_OF_ONE
            bits[j] = (bits[j] & MANTISSA_BITS) | (EXPONENT_OF_ONE << EXPONENT_BIT)
        for j in range(k):
            mantissas[j] *= product[j]
        multiplied += 1
        if multiplied == MANTISSAS:
            for j in range(k):
                logs[j] += math.log(mantissas[j])
                mantissas[j] = 1.0
            multiplied = 0
    for j in range(k):
        logs[j] += math.log(mantissas[j]) + exponents[j] * math.log(2.0)


def sums_of_rows(rows: FloatArray, origin: FloatArray, limit: float) -> FloatArray:
    """Sum differences from an origin, their squares, counts of small entries, and logarithms.

    Small entries are those below the limit, which is at least 1e-30; for the logarithms, they
    are raised to it.
    """
    out = np.zeros((4, rows.shape[1]))
    _add_rows(rows, origin, limit, out)
    return out
