"""Bins for counting the agreements of pairs, narrow where the mass is."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from .._base.types import FloatArray, IntArray
from .._clusterings.partition import Partition
from .._distributions.atoms import Bracket, bracket_of_bins
from .random_pairs import random_agreements, random_pairs

if TYPE_CHECKING:
    from ..indices.agreements import Agreement

#: Number of cells of equal width, and number of bins, distributed among the cells by their mass.
#: The bins of two sides take a third of the second-level cache; compared points need the rest.
CELLS, BINS = 1 << 12, 3 << 13
#: Share of the bins that is distributed in proportion to mass.
BY_MASS = 0.75
#: Bits of a table entry that hold the number of bins of a cell.
TABLE_BITS = 32
#: Narrowest range of agreements that is divided; in narrower ones, they differ only by rounding.
NARROWEST = 1e-12
#: Number of sampled pairs that show where the mass lies.
SCOUTS = 1 << 16


class Grid(NamedTuple):
    """Positions of bins: a range of agreements in cells of equal width, each divided into bins.

    Attributes
    ----------
    table : array of int
        The first bin of each cell, times 2^TABLE_BITS, plus the number of its bins: a single
        number, so that one look-up suffices. The last entry is a bin for values at the upper end.
        The table is empty for a grid that is not used.
    low : float
        Lower end of the first cell.
    cells_a_unit : float
        Number of cells per unit of agreement.
    """

    table: npt.NDArray[np.uint64]
    low: float
    cells_a_unit: float

    @classmethod
    def of_cells(cls, bins_a_cell: IntArray, low: float, cells_a_unit: float) -> Grid:
        """Return a grid with a given number of bins in each cell."""
        counts = np.append(bins_a_cell, 1).astype(np.uint64)
        firsts = np.cumsum(counts) - counts
        return cls((firsts << np.uint64(TABLE_BITS)) | counts, low, cells_a_unit)

    @property
    def _first_bin(self) -> IntArray:
        return (self.table >> np.uint64(TABLE_BITS)).astype(np.intp)

    @property
    def _bins_a_cell(self) -> IntArray:
        return (self.table & np.uint64((1 << TABLE_BITS) - 1)).astype(np.intp)

    @property
    def size(self) -> int:
        """Number of bins, including the one for values at the upper end."""
        return int(self._first_bin[-1]) + 1 if self.table.size else 0

    def fill(self, values: FloatArray, bins: FloatArray, weights: FloatArray | float = 1.0) -> None:
        """Add weights, and weights times positions within the bins, of values to ``bins``."""
        if not self.table.size:
            return
        scaled = np.clip((values - self.low) * self.cells_a_unit, 0.0, self.table.size - 1)
        cell = scaled.astype(np.intp)
        within = (scaled - cell) * self._bins_a_cell[cell]
        whole = within.astype(np.intp)
        at = self._first_bin[cell] + whole
        np.add.at(bins[0], at, weights)
        np.add.at(bins[1], at, weights * (within - whole))

    def bracket(self, bins: FloatArray, zeros: float | None = None) -> Bracket:
        """Compute a bracket from counts and positions.

        If a number of ``zeros`` is given, these are not in the bins, which are above 0.
        """
        counts_a_cell = self._bins_a_cell
        cell = np.repeat(np.arange(self.table.size), counts_a_cell)
        within = np.arange(self.size) - self._first_bin[cell]
        edges = self.low + (cell + within / counts_a_cell[cell]) / self.cells_a_unit
        edges = np.append(edges, np.nextafter(edges[-1], 2.0))
        counts, positions = bins
        sums = counts * edges[:-1] + positions * np.diff(edges)
        if zeros is not None:
            edges, counts, sums = (
                np.concatenate([[first], rest])
                for first, rest in ((0.0, edges), (zeros, counts), (0.0, sums))
            )
        return bracket_of_bins(edges, counts, sums)


NO_GRID = Grid(np.zeros(0, dtype=np.uint64), 0.0, 0.0)


def grid_for(partition: Partition, agreement: Agreement) -> Grid:
    """Choose bins for the agreements of a clustering from a sample of its pairs.

    The bins cover all agreements that the rows can have.
    """
    low, high = (0.0, 1.0) if partition.is_hard else agreement.range(partition)
    rng = np.random.default_rng(0)
    some = partition.pilot
    seen = random_agreements(some, agreement, *random_pairs(rng, some.n, SCOUTS))[0]
    return grid_around(seen, low, high)


def grid_around(
    seen: FloatArray, low: float, high: float, cells: int = CELLS, bins: int = BINS
) -> Grid:
    """Choose bins between two agreements from a sample of agreements.

    Every cell gets one bin. Most of the others are distributed in proportion to the mass m of the
    cells. A bin is then at most 1/(m BY_MASS CELLS (BINS - CELLS)) wide, relative to the whole
    range. The error of E|a - A| is at most a quarter of the width of a bin times its mass (see
    ``bracket_of_bins``), so it stays below 1e-8 even if all values of a cell are equal. The
    remaining bins are distributed in proportion to m^(2/3), which minimises the error if values are
    spread evenly within their cells. (The mass is estimated from the sample; the reported bound is
    computed from the bins themselves.)
    """
    cells_a_unit = cells / max(high - low, NARROWEST)
    cell = np.clip((seen - low) * cells_a_unit, 0.0, cells - 1).astype(np.intp)
    mass = np.bincount(cell, minlength=cells) / seen.size
    evened = mass ** (2.0 / 3.0)
    share = BY_MASS * mass + (1.0 - BY_MASS) * evened / evened.sum()
    return Grid.of_cells(1 + np.floor((bins - cells) * share).astype(np.intp), low, cells_a_unit)
