"""Shuffle the points of covers, and count the clusters that pairs then share."""

from __future__ import annotations

import numpy as np

from .._base.types import FloatArray
from .._inputs.partition import Partition
from .._pairs.covers import both_orders
from .base import TIE, Orders, Shuffles, random_orders

#: Largest number of pairs that share a cluster, on the side where they are fewer.
MOST_PAIRS = 1 << 19


class CoverShuffles(Shuffles):
    """Discordances of two covers with shuffled points.

    The pairs that share a cluster on one side are listed once. For each order of the points, what
    these pairs share on the other side is looked up. All other pairs follow from their number.
    """

    how = "shuffles of the pairs that share a cluster"

    def __init__(self, first: Partition, second: Partition) -> None:
        from .._pairs import cover_kernels  # Deferred: loads Numba.

        self.points = n = first.n
        rows = [partition.without_zeros for partition in (first, second)]
        none = np.empty((3, 0), dtype=np.int32)
        sides = [both_orders(each) for each in rows]
        counts = [int(cover_kernels.pairs_of_rows(side, n, none)) for side in sides]
        fewer = int(counts[1] < counts[0])
        self._pairs = np.empty((3, counts[fewer]), dtype=np.int32)
        if counts[fewer]:
            cover_kernels.pairs_of_rows(sides[fewer], n, self._pairs)
        self._sharing, self._other = sum(counts), rows[1 - fewer]
        self.work = float(n + 8 * counts[fewer])
        self.observed = float(self.of_orders(np.arange(n, dtype=np.int32)[None])[0])
        self.tolerance = TIE

    def of_orders(self, orders: Orders) -> FloatArray:
        """Return the discordance for points of one side in the order of each row."""
        from .._pairs import cover_kernels  # Deferred: loads Numba.

        same, both = np.zeros((2, orders.shape[0]), dtype=np.int64)
        other = self._other
        cover_kernels.shuffled_pairs(
            self._pairs, other.starts, other.columns, other.k, orders, same, both
        )
        return np.asarray((self._sharing - same - both) / (0.5 * self.points * (self.points - 1)))

    def draw(self, rng: np.random.Generator, size: int) -> FloatArray:
        return self.of_orders(random_orders(rng, self.points, size))


def affordable_points(first: Partition, second: Partition) -> int:
    """Return of how many points the pairs that share a cluster can be listed."""
    fewest = min(partition.without_zeros.shared_entries for partition in (first, second))
    if fewest <= MOST_PAIRS:
        return first.n
    return max(int(first.n * np.sqrt(MOST_PAIRS / fewest)), 2)
