"""Shuffle points of two clusterings whose agreements are kept for all pairs.

This works for every index that is a mean over pairs, but only for as many points as the agreements
of all pairs can be kept for.
"""

from __future__ import annotations

import itertools
import math

import numpy as np

from .._base.types import FloatArray
from .._inputs.partition import Partition
from .._pairs import route
from .._pairs.all_pairs import kept_agreements
from ..indices.agreements import Agreement
from ..indices.concordances import Concordance
from .base import TIE, Orders, Shuffles, divided, random_orders

#: Number of pairs up to which NumPy finishes a thousand shuffles before Numba would be loaded.
NUMPY_PAIRS = 1 << 13
#: Most pairs that NumPy processes together.
ENTRIES = 1 << 18
#: Cost of a power other than 1 or 2, relative to these.
POWER_COST = 8.0
#: Rounding error of an agreement, with some margin.
ROUNDING = 1e-14


def most_points(concordance: Concordance) -> int:
    """Return the most points whose pairs are kept; fewer if discordances take long to compute."""
    if concordance.power is None:
        cost = route.PLAIN_COST
    else:
        cost = 1.0 if concordance.power in (1.0, 2.0) else POWER_COST
    return (1 + math.isqrt(1 + 8 * int(route.KEPT_PAIRS / cost))) // 2


class PairShuffles(Shuffles):
    """Discordances of two clusterings whose points are shuffled.

    Parameters
    ----------
    first, second : Partition
        The clusterings, or parts of them, of at most ``most_points`` points.
    agreement, concordance
        Those of the index.
    """

    how = "shuffles of all points"

    def __init__(
        self, first: Partition, second: Partition, agreement: Agreement, concordance: Concordance
    ) -> None:
        n = self.points = first.n
        self._pairs, self._concordance = first.pairs, concordance
        self._total, self._weights = first.pair_total, None
        if first.weights is not None and first.weighting is not None:
            self._weights = first.weighting.of_pairs() / self._total
        self._first, self._second = (kept_agreements(p, agreement) for p in (first, second))
        rows = np.arange(n)
        self._starts = rows * n - rows * (rows + 1) // 2 - rows - 1
        # Processing a pair in many orders at once is several times faster.
        self.work = first.pairs / 8.0
        self._sums = None
        if concordance.power is not None and first.pairs > NUMPY_PAIRS:
            from . import kernels  # Deferred: loads Numba.

            self._sums = kernels.sums_of_differences(
                self._first, self._second, self._starts, concordance.power, first.weights
            )
        self.observed = float(self.of_orders(np.arange(n, dtype=np.int32)[None])[0])
        self.tolerance = ROUNDING + TIE * self.observed

    def of_orders(self, orders: Orders) -> FloatArray:
        """Return the discordance for points of the second side in the order of each row."""
        if self._sums is not None:
            return self._sums(orders) / self._total
        parts = divided(orders, ENTRIES // self._pairs)
        return np.concatenate([self._plainly(part) for part in parts])

    def _plainly(self, orders: Orders) -> FloatArray:
        """Return the same as ``of_orders`` in NumPy, for any concordance."""
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
