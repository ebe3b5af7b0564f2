"""Two random subsamples of the rows, and the rows that both hold."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..._base.types import IntArray


@dataclass(frozen=True, eq=False)
class TwoSubsamples:
    """Two subsamples of the same rows, drawn independently of each other.

    Attributes
    ----------
    rows : pair of arrays
        The rows of each subsample, in order and without repetitions.
    shared : pair of arrays
        Positions, in each subsample, of the rows that both hold, in the same order.
    """

    rows: tuple[IntArray, IntArray]
    shared: tuple[IntArray, IntArray]


@dataclass(frozen=True, eq=False)
class Sampling:
    """How subsamples are drawn.

    Attributes
    ----------
    n : int
        Number of rows.
    share : float
        Share of the rows, or of their groups, that a subsample holds.
    groups : array or None
        Group of each row, from 0; rows of one group are drawn together.
    """

    n: int
    share: float
    groups: IntArray | None = None

    @property
    def units(self) -> int:
        """Number of units to draw from: rows, or groups of rows."""
        return self.n if self.groups is None else int(self.groups.max()) + 1

    @property
    def drawn(self) -> int:
        """Number of units in a subsample."""
        return round(self.share * self.units)

    def draw(self, rng: np.random.Generator) -> TwoSubsamples:
        """Draw two subsamples."""
        first, second = self._rows(rng), self._rows(rng)
        _, *places = np.intersect1d(first, second, assume_unique=True, return_indices=True)
        return TwoSubsamples((first, second), (places[0], places[1]))

    def _rows(self, rng: np.random.Generator) -> IntArray:
        inside = np.zeros(self.units, dtype=bool)
        inside[rng.choice(self.units, self.drawn, replace=False)] = True
        return np.flatnonzero(inside if self.groups is None else inside[self.groups])
