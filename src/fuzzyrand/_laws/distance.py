"""How far two agreement laws lie apart.

The distance is Wasserstein's, the area between the two distribution functions: how far agreements
must be moved, on average, to turn one law into the other. As |a - A| changes no faster than A, an
expected NDC moves by at most this much when the one law takes the other's place.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .._base.effort import Effort
from .._base.streams import Stream
from .._base.threads import map_in_order
from .._base.types import FloatArray, IntArray
from .._distributions.atoms import Atoms
from .base import Law

#: Agreements drawn of a law that is not written down.
DRAWS = 1 << 17
#: Most work for them, in units of ``batch_cost``: some seconds.
WORK = 2e9


def atoms_of(law: Law, effort: Effort, draws: int = DRAWS, *, at_hand_only: bool = False) -> Atoms:
    """Return the law itself where it is at hand, else as many draws, or fewer of huge rows.

    With ``at_hand_only``, agreements of pairs that would first have to be visited are drawn, too.
    """
    known = None if law.continuous is None else law.continuous.atoms()
    if known is not None:
        return known
    ready = law.visited if at_hand_only else law.at_hand
    bracket = law.bracket() if ready else None
    if bracket is not None:
        return bracket.inner
    size = law.draw(effort, Stream.MISFIT, 0)[0].size
    affordable = max(int(WORK / law.batch_cost), 1)
    batches = range(min(-(-draws // size), affordable))

    def drawn(batch: int) -> FloatArray:
        return np.asarray(law.draw(effort, Stream.MISFIT, batch)[0].ravel())

    return Atoms.of_sample(np.concatenate(list(map_in_order(drawn, batches, effort.threads))))


def distance(one: Atoms, two: Atoms) -> float:
    """Return the area between two distribution functions."""
    values = np.sort(np.concatenate([one.values, two.values]))
    heights = [
        np.append(0.0, np.cumsum(atoms.weights))[np.searchsorted(atoms.values, values, "right")]
        for atoms in (one, two)
    ]
    # Not a dot product, for which BLAS would wake its threads: more work than this.
    return float(np.sum(np.abs(heights[0] - heights[1])[:-1] * np.diff(values)))


#: Cells that laws are summed up in, to tell their distance quickly, and their narrowest range.
CELLS, NARROWEST = 4096, 1e-12

#: The mass of a law in each cell of a grid.
CellMasses = FloatArray


class CellGrid(NamedTuple):
    """Cells of equal width over a range of agreements, for many distances in little time.

    A value stands for the middle of its cell, so that a distance errs by less than a cell's width.

    Attributes
    ----------
    low : float
        Where the cells begin.
    width : float
        The width of a cell.
    """

    low: float
    width: float

    @classmethod
    def over(cls, *laws: Atoms) -> CellGrid:
        """Return a grid over the range of some laws, and half as much on both sides of it."""
        low = min(float(law.values[0]) for law in laws)
        high = max(float(law.values[-1]) for law in laws)
        margin = 0.5 * (high - low)
        low, high = max(low - margin, 0.0), min(high + margin, 1.0)
        return cls(low, max(high - low, NARROWEST) / CELLS)

    def _cells(self, values: FloatArray) -> IntArray:
        scaled = (values - self.low) * (1.0 / self.width)
        np.clip(scaled, 0.0, CELLS - 1.0, out=scaled)
        return np.asarray(scaled.astype(np.intp))

    def masses_of_sample(self, values: FloatArray) -> CellMasses:
        """Return the mass in each cell of equally likely values."""
        return np.bincount(self._cells(values), minlength=CELLS) / values.size

    def masses_of_atoms(self, atoms: Atoms) -> CellMasses:
        """Return the mass of a law in each cell."""
        cells = self._cells(atoms.values)
        return np.asarray(np.bincount(cells, atoms.weights, minlength=CELLS), dtype=np.float64)

    def distance(self, one: CellMasses, two: CellMasses) -> float:
        """Return the area between the distribution functions of two laws."""
        return float(np.abs(np.cumsum(one - two)).sum() * self.width)
