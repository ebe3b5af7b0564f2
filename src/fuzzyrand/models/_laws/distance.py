"""The Wasserstein distance between two agreement laws.

It is the area between the two distribution functions, and the mean distance by which agreements
must be moved to turn one law into the other. Since |a - A| is 1-Lipschitz in A, an expected NDC
changes by at most this distance if one law is replaced by the other.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..._base.effort import Precision
from ..._base.progress import progress
from ..._base.streams import Stream
from ..._base.threads import map_in_order
from ..._base.types import FloatArray, IntArray
from ..._clusterings.partition import Partition
from ..._distributions.atoms import Atoms
from ..._pairs import compiled
from ..._pairs.bins import NO_GRID, Grid
from ...indices.agreements import Agreement
from .base import Law


def atoms_of(law: Law, effort: Precision, draws: int | None = None, *, visit: bool = True) -> Atoms:
    """Return a law as finitely many values: from its bracket if it is at hand, else from draws.

    Parameters
    ----------
    law : Law
        The law.
    effort : Precision
        Seed, number of threads, and budget.
    draws : int, optional
        Number of draws, by default that of the budget; there may be fewer if rows are very long.
    visit : bool
        Whether pairs may be visited to compute the law, if they are few. If not, the law is drawn
        from unless it has been computed already.
    """
    equally_likely = None if law.continuous is None else law.continuous.atoms()
    if equally_likely is not None:
        return equally_likely
    ready = law.at_hand if visit else law.visited
    bracket = law.bracket() if ready else None
    if bracket is not None:
        return bracket.inner
    size = law.draw(effort, Stream.MISFIT, 0)[0].size
    draws = effort.budget.law_draws if draws is None else draws
    affordable = max(int(effort.budget.law_work / law.batch_cost), 1)
    batches = range(min(-(-draws // size), affordable))

    def drawn(batch: int) -> FloatArray:
        return np.asarray(law.draw(effort, Stream.MISFIT, batch)[0].ravel())

    found = progress(map_in_order(drawn, batches, effort.n_threads), len(batches), "draws")
    return Atoms.of_sample(np.concatenate(list(found)))


def distance(first: Atoms, second: Atoms) -> float:
    """Return the area between two distribution functions."""
    same = np.array_equal(first.values, second.values)
    if same and np.array_equal(first.weights, second.weights):
        return 0.0  # the sums below would leave rounding errors
    values = np.concatenate([first.values, second.values])
    order = np.argsort(values, kind="stable")  # a stable sort merges two sorted parts quickly
    heights = np.cumsum(np.concatenate([first.weights, -second.weights])[order])
    # Not a dot product, because starting the threads of BLAS takes longer.
    return float(np.sum(np.abs(heights)[:-1] * np.diff(values[order])))


#: Number of cells that summarise laws for quick distances, and narrowest range that they cover.
CELLS, NARROWEST = 4096, 1e-12

#: Values sorted into cells at a time, few enough to stay in the cache.
CHUNK = 1 << 15

#: The mass of a law in each cell of a grid.
CellMasses = FloatArray


class CellGrid(NamedTuple):
    """Cells of equal width over a range of agreements, for computing many distances quickly.

    Every value is replaced by the middle of its cell, so the error of a distance is less than the
    width of a cell.

    Attributes
    ----------
    low : float
        Lower end of the first cell.
    width : float
        Width of a cell.
    """

    low: float
    width: float

    @classmethod
    def over(cls, *laws: Atoms) -> CellGrid:
        """Return a grid over the range of some laws, extended by half of it on either side."""
        low = min(float(law.values[0]) for law in laws)
        high = max(float(law.values[-1]) for law in laws)
        margin = 0.5 * (high - low)
        low, high = max(low - margin, 0.0), min(high + margin, 1.0)
        return cls(low, max(high - low, NARROWEST) / CELLS)

    def _cells(self, values: FloatArray) -> IntArray:
        scaled = values - self.low
        scaled *= 1.0 / self.width
        np.maximum(scaled, 0.0, out=scaled)
        np.minimum(scaled, CELLS - 1.0, out=scaled)
        return np.asarray(scaled.astype(np.intp))

    def masses_of_sample(self, values: FloatArray) -> CellMasses:
        """Return the mass of equally likely values in each cell."""
        counts = np.zeros(CELLS, dtype=np.intp)
        for start in range(0, values.size, CHUNK):
            counts += np.bincount(self._cells(values[start : start + CHUNK]), minlength=CELLS)
        return counts / values.size

    def masses_of_pairs(self, partition: Partition, agreement: Agreement) -> CellMasses:
        """Return the mass of the agreements of all pairs in each cell, from a compiled loop."""
        bins = Grid.of_cells(np.ones(CELLS, dtype=np.intp), self.low, 1.0 / self.width)
        order = np.arange(partition.n)
        visit = compiled.visitor(partition, None, agreement, 1.0, order, (bins, NO_GRID))
        counts = visit((0, partition.n))[1][0]
        counts[CELLS - 1] += counts[CELLS]  # the extra bin for values at the upper end
        return np.asarray(counts[:CELLS] / partition.pairs)

    def masses_of_atoms(self, atoms: Atoms) -> CellMasses:
        """Return the mass of a law in each cell."""
        cells = self._cells(atoms.values)
        return np.asarray(np.bincount(cells, atoms.weights, minlength=CELLS), dtype=np.float64)

    def distance(self, one: CellMasses, two: CellMasses) -> float:
        """Return the area between the distribution functions of two laws."""
        return float(np.abs(np.cumsum(one - two)).sum() * self.width)
