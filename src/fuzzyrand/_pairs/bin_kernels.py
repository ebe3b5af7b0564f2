"""Compiled counts of agreements in bins. Importing this module imports Numba."""

# Written for Numba, as ``agreement_kernels``.

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
import numpy.typing as npt

from .._base.compiling import INNER
from .._base.types import FloatArray
from .bins import TABLE_BITS, Grid

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

Bins = npt.NDArray[np.int64]


class CountingGrid(NamedTuple):
    """A grid in the form in which values are counted fastest.

    Attributes
    ----------
    lines : array of int
        A line for each cell: its slope in the lower bits, its offset in the others.
    parts_a_unit : float
        Cell parts per unit of agreement.
    shift : float
        What is added to them.
    top : float
        The largest sum.
    """

    lines: npt.NDArray[np.uint64]
    parts_a_unit: float
    shift: float
    top: float


@numba.njit(**INNER, inline="always")
def _as_parts(values, m, grid):  # type: ignore[no-untyped-def]
    """Overwrite values by numbers of cell parts; return the bits of these."""
    for j in range(m):
        scaled = values[j] * grid.parts_a_unit + grid.shift
        scaled = scaled if scaled > LARGE else LARGE
        values[j] = scaled if scaled < grid.top else grid.top
    return values.view(np.uint64)


@numba.njit(**INNER)
def into_bins(values, m, grid, bins):  # type: ignore[no-untyped-def]
    """Add each value to the count and the position of its bin, which share one integer.

    The upper bits of the integer hold the count, the lower bits the sum of positions. The grid is
    that of ``counting_grid``. Values become integer numbers of cell parts, whose upper bits are the
    cell. The line of the cell turns them into bin parts, whose upper bits are the bin; the next
    bits are the position in it, rounded to FRACTION parts. A value that is rounded up to the next
    bin has position 0 there. The values are overwritten.
    """
    if grid is None:
        return
    # Unsigned 64-bit integers throughout: others would be converted, or their sign checked.
    part_bits, position_bits = np.uint64(CELL_BITS), np.uint64(_POSITION_BITS)
    parts, lines = _as_parts(values, m, grid), grid.lines
    for j in range(m):
        line = lines[(parts[j] >> part_bits) - np.uint64(_FIRST_CELL)]
        place = parts[j] * (line & np.uint64(_SLOPE_MASK)) + line
        position = (place >> position_bits) & np.uint64(FRACTION - 1)
        bins[place >> part_bits] += np.int64(np.uint64(COUNT) + position)


@numba.njit(**INNER)
def into_cells(values, m, grid, counts):  # type: ignore[no-untyped-def]
    """Count each value in the bin of ``into_bins``, if each cell is one bin: all lines are equal.

    The values are overwritten.
    """
    part_bits, line = np.uint64(CELL_BITS), grid.lines[0]
    parts = _as_parts(values, m, grid)
    for j in range(m):
        counts[(parts[j] + line) >> part_bits] += 1


@numba.njit(**INNER)
def into_weighted_bins(values, m, weights, own, grid, bins):  # type: ignore[no-untyped-def]
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
    return CountingGrid(lines, parts_a_unit, LARGE - low * parts_a_unit, LARGE + top)


def decoded(bins: Bins) -> FloatArray:
    """Return counts, and sums of positions within the bins."""
    unsigned, out = bins.view(np.uint64), np.empty((2, bins.size))
    out[0] = unsigned >> np.uint64(COUNT.bit_length() - 1)
    out[1] = unsigned & np.uint64(COUNT - 1)
    out[1] /= FRACTION
    return out
