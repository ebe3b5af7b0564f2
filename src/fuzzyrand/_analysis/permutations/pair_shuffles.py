"""Shuffle few points of two clusterings, in NumPy, with the agreements of all pairs kept.

This works for every index that is a mean over pairs.
"""

from __future__ import annotations

import itertools

import numpy as np

from ..._base.types import FloatArray
from ..._clusterings.partition import Partition
from ..._pairs.all_pairs import kept_agreements
from ...indices import PairIndex
from .base import TIE, Orders, Shuffles, divided, random_orders

#: Most pairs that NumPy processes together.
ENTRIES = 1 << 18
#: Rounding error of an agreement, with some margin.
ROUNDING = 1e-14


class PairShuffles(Shuffles):
    """Discordances of two clusterings whose points are shuffled.

    Parameters
    ----------
    first, second : Partition
        The clusterings of few points, or parts of them.
    index : PairIndex
        The index.
    numpy_work : float
        Pairs times columns from which compiled loops are worth loading.
    """

    how = "shuffles of all points"

    def __init__(
        self, first: Partition, second: Partition, index: PairIndex, numpy_work: float
    ) -> None:
        n = self.points = first.n
        self._pairs, self._concordance = first.pairs, index.concordance
        self._weights = None
        if first.weights is not None and first.weighting is not None:
            self._weights = first.weighting.of_pairs() / first.pair_total
        self._first, self._second = (
            kept_agreements(p, index.agreement, numpy_work) for p in (first, second)
        )
        rows = np.arange(n)
        self._starts = rows * n - rows * (rows + 1) // 2 - rows - 1
        # Processing a pair in many orders at once is several times faster.
        self.work = first.pairs / 8.0
        self.observed = float(self.of_orders(np.arange(n, dtype=np.int32)[None])[0])
        self.tolerance = ROUNDING + TIE * self.observed

    def of_orders(self, orders: Orders) -> FloatArray:
        """Return the discordance for points of the second side in the order of each row."""
        parts = divided(orders, ENTRIES // self._pairs)
        return np.concatenate([self._plainly(part) for part in parts])

    def _plainly(self, orders: Orders) -> FloatArray:
        """Return the same as ``of_orders``, for few orders."""
        i = np.repeat(np.arange(self.points), np.arange(self.points - 1, -1, -1))
        j = np.arange(self._pairs) - self._starts[i]
        one, two = orders[:, i], orders[:, j]
        pairs = self._starts[np.minimum(one, two)] + np.maximum(one, two)
        first = np.broadcast_to(self._first, pairs.shape)
        found = self._concordance.discordance(first, self._second[pairs])
        return np.asarray(found.mean(axis=1) if self._weights is None else found @ self._weights)

    def draw(self, rng: np.random.Generator, size: int) -> FloatArray:
        return self.of_orders(random_orders(rng, self.points, size))


def all_orders(n: int) -> Orders:
    """Return all permutations of n points, one in each row."""
    return np.array(list(itertools.permutations(range(n))), dtype=np.int32)
