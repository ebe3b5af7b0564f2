"""Shuffle the points of covers, and count the clusters that pairs then share."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..._base.types import FloatArray
from ..._clusterings.partition import Partition
from ..._pairs.cover_levels import both_orders
from .base import TIE, Orders, Shuffles, random_orders


class CoverShuffles(Shuffles):
    """Discordances of two covers with shuffled points.

    The pairs that share a cluster on one side are listed once. For each order of the points, what
    these pairs share on the other side is looked up. All other pairs follow from their number. If
    points have weights, which they keep, this is the total weight of the other side's pairs, which
    are listed as well.
    """

    how = "shuffles of the pairs that share a cluster"

    def __init__(self, first: Partition, second: Partition) -> None:
        from ..._pairs import cover_kernels  # Deferred: loads Numba.

        self.points = n = first.n
        self._total, self._weights = first.pair_total, first.weights
        rows = [partition.without_zeros for partition in (first, second)]
        none = np.empty((3, 0), dtype=np.int32)
        sides = [both_orders(each) for each in rows]
        counts = [int(cover_kernels.pairs_of_rows(side, n, none)) for side in sides]

        def listed(which: int) -> npt.NDArray[np.int32]:
            pairs = np.empty((3, counts[which]), dtype=np.int32)
            if counts[which]:
                cover_kernels.pairs_of_rows(sides[which], n, pairs)
            return pairs

        weights = self._weights
        own = int(counts[1] < counts[0]) if weights is None else 0
        self._pairs, self._other = listed(own), rows[1 - own]
        self._of_pairs, self._sharing = np.ones(counts[own]), float(sum(counts))
        self._beside = none
        if weights is not None:
            self._of_pairs = weights[self._pairs[0]] * weights[self._pairs[1]]
            self._sharing, self._beside = float(self._of_pairs.sum()), listed(1)
        self.work = float(n + 8 * counts[own] + 2 * self._beside.shape[1])
        self.observed = float(self.of_orders(np.arange(n, dtype=np.int32)[None])[0])
        self.tolerance = TIE

    def of_orders(self, orders: Orders) -> FloatArray:
        """Return the discordance for points of one side in the order of each row."""
        from ..._pairs import cover_kernels  # Deferred: loads Numba.

        same, both = np.zeros((2, orders.shape[0]))
        other = self._other
        cover_kernels.shuffled_pairs(
            self._pairs, self._of_pairs, other.starts, other.columns, other.k, orders, same, both
        )
        sharing = self._sharing + self._sharing_beside(orders)
        return np.asarray((sharing - same - both) / self._total)

    def _sharing_beside(self, orders: Orders) -> FloatArray | float:
        """Return the weight of the pairs that share a cluster of the shuffled side."""
        if self._weights is None:
            return 0.0  # their number is counted already
        sums = np.empty(orders.shape[0])
        for place, order in enumerate(orders):
            weights = np.empty(self.points)
            weights[order] = self._weights  # of the point at which each row is
            sums[place] = weights[self._beside[0]] @ weights[self._beside[1]]
        return sums

    def draw(self, rng: np.random.Generator, size: int) -> FloatArray:
        return self.of_orders(random_orders(rng, self.points, size))


def affordable_points(first: Partition, second: Partition, most: int) -> int:
    """Return of how many points the pairs that share a cluster are at most ``most``.

    They are counted on the side where they are fewer, unless points have weights.
    """
    entries = [partition.without_zeros.shared_entries for partition in (first, second)]
    listed = min(entries) if first.weights is None else max(entries)
    if listed <= most:
        return first.n
    return max(int(first.n * np.sqrt(most / listed)), 2)
