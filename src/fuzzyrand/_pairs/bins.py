"""Bins that agreements of pairs are counted in, narrow where the mass is."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from .._base.types import FloatArray
from .._blocks.rows import some_rows
from .._distributions.atoms import Bracket, bracket_of_bins
from .._inputs.partition import Partition
from .random_pairs import random_agreements, random_pairs

if TYPE_CHECKING:
    from ..indices.agreements import Agreement

#: Cells of equal width, and bins shared out among them by the mass they hold.
CELLS, BINS = 1 << 13, 1 << 16
#: Narrowest range of agreements that is divided: below, they are the same up to rounding.
NARROWEST = 1e-12
#: Pairs looked at to see where the mass lies.
SCOUTS = 1 << 16


class Grid(NamedTuple):
    """Where the bins are: a range of agreements in cells of equal width, each in bins of its own.

    Attributes
    ----------
    first_bin : array of int
        The first bin of each cell, and one past the last.
    bins_a_cell : array of float
        Bins of each cell; empty for a grid that is not used.
    low : float
        Where the cells begin.
    cells_a_unit : float
        Cells per unit of agreement.
    """

    first_bin: npt.NDArray[np.int32]
    bins_a_cell: FloatArray
    low: float
    cells_a_unit: float

    @property
    def size(self) -> int:
        """Number of bins; one more than the cells are divided into, for values of exactly 1."""
        return int(self.first_bin[-1]) + 1 if self.bins_a_cell.size else 0

    def fill(self, values: FloatArray, bins: FloatArray) -> None:
        """Add the counts of values, and their positions within the bins, to ``bins``."""
        if not self.bins_a_cell.size:
            return
        scaled = np.maximum((values - self.low) * self.cells_a_unit, 0.0)
        cell = np.minimum(scaled.astype(np.intp), self.bins_a_cell.size - 1)
        within = (scaled - cell) * self.bins_a_cell[cell]
        whole = within.astype(np.intp)
        at = self.first_bin[cell] + whole
        np.add.at(bins[0], at, 1.0)
        np.add.at(bins[1], at, within - whole)

    def bracket(self, bins: FloatArray, zeros: float | None = None) -> Bracket:
        """Return the bracket that follows from counts and positions.

        Where the number of ``zeros`` is given, these are apart from the bins, which are above 0.
        """
        cells = self.bins_a_cell.size
        cell = np.repeat(np.arange(cells), np.diff(self.first_bin))
        within = np.arange(self.first_bin[-1]) - self.first_bin[cell]
        edges = self.low + (cell + within / self.bins_a_cell[cell]) / self.cells_a_unit
        top = self.low + cells / self.cells_a_unit
        edges = np.concatenate([edges, [top, np.nextafter(top, 2.0)]])
        counts, positions = bins
        sums = counts * edges[:-1] + positions * np.diff(edges)
        if zeros is not None:
            edges, counts, sums = (
                np.concatenate([[first], rest])
                for first, rest in ((0.0, edges), (zeros, counts), (0.0, sums))
            )
        return bracket_of_bins(edges, counts, sums)


NO_GRID = Grid(np.zeros(1, dtype=np.int32), np.zeros(0), 0.0, 0.0)


def grid_for(partition: Partition, agreement: Agreement) -> Grid:
    """Choose bins for the agreements of a clustering, from a look at some of its pairs.

    They cover the agreements that these rows can have at all. Half of the bins are dealt out
    evenly, half by mass. A bin is then at most 2/BINS wide, and in a cell of mass m at most
    2/(BINS CELLS m), in units of the whole: so width times mass never exceeds 2/(BINS CELLS),
    which bounds the error of what follows by 1e-9 wherever the mass lies. (The mass is judged by
    the pairs looked at; the bound that is reported is computed from the bins themselves.)
    """
    low, high = (0.0, 1.0) if partition.is_hard else agreement.range(partition)
    rng = np.random.default_rng(0)
    some = some_rows(partition)
    seen = random_agreements(some, agreement, *random_pairs(rng, some.n, SCOUTS))[0]
    return grid_around(seen, low, high)


def grid_around(
    seen: FloatArray, low: float, high: float, cells: int = CELLS, bins: int = BINS
) -> Grid:
    """Choose bins between two agreements, from some that were seen; see :func:`grid_for`."""
    cells_a_unit = cells / max(high - low, NARROWEST)
    cell = np.clip((seen - low) * cells_a_unit, 0.0, cells - 1).astype(np.intp)
    mass = np.bincount(cell, minlength=cells)
    count = bins // (2 * cells) + np.floor(bins / 2 * mass / seen.size).astype(np.int32)
    first_bin = np.concatenate([[0], np.cumsum(count)]).astype(np.int32)
    return Grid(first_bin, count.astype(np.float64), low, cells_a_unit)
