"""Shuffle points, one order at a time, for an index that is not a mean over pairs."""

from __future__ import annotations

import numpy as np

from .._base.types import FloatArray
from .._inputs.partition import Partition
from ..indices import WholeIndex
from .base import TIE, Orders, Shuffles, part_of, random_orders


class WholeShuffles(Shuffles):
    """Discordances of two clusterings with shuffled points, from the definition of the index."""

    how = "shuffles of all points"

    def __init__(self, first: Partition, second: Partition, index: WholeIndex) -> None:
        self._first, self._second, self._index = first, second, index
        self.points = first.n
        self.work = float(first.n * first.k * second.k)
        self.observed = float(self.of_orders(np.arange(first.n, dtype=np.int32)[None])[0])
        self.tolerance = TIE

    def of_orders(self, orders: Orders) -> FloatArray:
        """Return the discordance for points of the second side in the order of each row."""
        shuffled = (part_of(self._second, order) for order in orders)
        return np.array([self._index.observed(self._first, other).value for other in shuffled])

    def draw(self, rng: np.random.Generator, size: int) -> FloatArray:
        return self.of_orders(random_orders(rng, self.points, size))
