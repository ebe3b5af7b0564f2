"""Functions of an agreement that are averaged over pairs: linear between nodes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._base.types import FloatArray


@dataclass(frozen=True, eq=False)
class PairCurve:
    """A function on [0, 1], linear between evenly spaced nodes.

    Attributes
    ----------
    nodes : array
        Its values at 0, 1/c, 2/c, ..., 1. Two nodes make a straight line, whose mean over pairs
        depends only on the mean agreement.
    """

    nodes: FloatArray

    @classmethod
    def line(cls, at_zero: float, at_one: float) -> PairCurve:
        """Return a straight line."""
        return cls(np.array([at_zero, at_one], dtype=np.float64))

    @property
    def is_line(self) -> bool:
        """Whether the curve is a straight line."""
        return self.nodes.size == 2

    def at(self, a: FloatArray) -> FloatArray:
        """Return the values at the agreements ``a``."""
        cells = self.nodes.size - 1
        scaled = a * cells
        cell = np.minimum(scaled.astype(np.intp), cells - 1)
        left = self.nodes[cell]
        return np.asarray(left + (scaled - cell) * (self.nodes[cell + 1] - left))

    def by_its_ends(self, mean: FloatArray) -> FloatArray:
        """Compute the mean of the curve from its values at 0 and 1 and the mean agreement.

        This is valid if all agreements are 0 or 1, or if the curve is a straight line.
        """
        at_zero, at_one = self.nodes[0], self.nodes[-1]
        return np.asarray(at_zero + mean * (at_one - at_zero))
