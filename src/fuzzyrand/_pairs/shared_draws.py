"""Random pairs of points that share a cluster, drawn in proportion to their agreement.

Nearly all pairs of sparse rows that are drawn uniformly have agreement 0 and are uninformative.
Here, a column and the smaller entry x of a pair are drawn in proportion to x times the number of
larger entries in the column; the larger entry is then drawn uniformly among these. A pair is
therefore drawn with probability Σ_c min(x_ic, x_jc), its agreement, divided by the sum over all
pairs. With weights of the points, all of this is in proportion to the product of both as well.
"""

from __future__ import annotations

import numpy as np

from .._base.types import FloatArray, IntArray
from .._clusterings.sparse_rows import SparseRows
from .sparse_columns import entries_above


class SharedDraws:
    """Sampler of pairs of sparse rows, in proportion to their sums of minima.

    Parameters
    ----------
    rows : SparseRows
        The rows; at least two must share a column.
    weights : array, optional
        Weights of the points.

    Attributes
    ----------
    total : float
        Sum of the agreements of all pairs, times their weights.
    """

    def __init__(self, rows: SparseRows, weights: FloatArray | None = None) -> None:
        entries = rows.in_order
        self._points, self._above = entries.points, entries_above(entries, weights)
        self._weight_passed: FloatArray | None = None
        values = entries.values
        if weights is not None:
            own = weights[entries.points]
            values, self._weight_passed = values * own, np.cumsum(own)
            self._ends = np.repeat(entries.starts[1:] - 1, np.diff(entries.starts))
        self._passed = np.cumsum(values * self._above)
        self.total = float(self._passed[-1])
        self._last = int(np.flatnonzero(self._above)[-1])

    def draw(self, rng: np.random.Generator, size: int) -> tuple[IntArray, IntArray]:
        """Draw pairs, with replacement."""
        smaller = np.searchsorted(self._passed, rng.random(size) * self.total, side="right")
        # Rounding may lead past the last entry that is the smaller entry of a pair.
        smaller = np.minimum(smaller, self._last)
        beyond = rng.random(size) * self._above[smaller]
        if self._weight_passed is None:
            larger = smaller + 1 + beyond.astype(np.intp)
        else:
            target = self._weight_passed[smaller] + beyond
            larger = np.searchsorted(self._weight_passed, target, side="right")
            larger = np.clip(larger, smaller + 1, self._ends[smaller])
        i, j = self._points[smaller], self._points[larger]
        return i.astype(np.intp), j.astype(np.intp)


def mean_of_smaller(first: FloatArray, second: FloatArray) -> float:
    """Return the mean of 1/max(a, b) over all a of the first and b of the second array.

    For agreements drawn in proportion to themselves, this estimates E[min(A, B)] / (E[A] E[B]),
    where A and B are independent agreements of uniformly drawn pairs.
    """
    ordered = np.sort(second)
    inverse = np.concatenate([np.cumsum((1.0 / ordered)[::-1])[::-1], [0.0]])
    at = np.searchsorted(ordered, first, side="right")
    return float(np.mean(at / first + inverse[at])) / ordered.size
