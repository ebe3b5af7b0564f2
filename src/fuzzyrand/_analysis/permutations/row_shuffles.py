"""Shuffle points of two clusterings by visiting all pairs, whose agreements come row by row.

The sum over all pairs of |a_ij - b_st| for points i, j that shuffling takes to s, t looks up
agreements of the second side in random places. A row of these agreements, those of one point, fits
into the cache. So each row is computed once for many orders of the points, and each order takes
from it what it needs. Of the first side, as many rows are kept as fit into a fixed amount of
memory; the rows of the second side are computed again for each such block.
"""

from __future__ import annotations

import itertools
import math

import numpy as np

from ..._base.budget import Budget
from ..._base.effort import Precision
from ..._base.threads import map_in_order
from ..._base.types import FloatArray
from ..._clusterings.partition import Partition
from ..._pairs.all_pairs import agreement_rows
from ..._pairs.route import PLAIN_COST
from ...indices import PairIndex
from .base import TIE, Orders, Shuffles, random_orders
from .pair_shuffles import ROUNDING

#: Cost of a power other than 1 or 2, relative to these.
POWER_COST = 32.0
#: Number of rows of the second side that one task computes.
TASK_ROWS = 16
#: Number of orders that a row is computed for.
ORDERS = 256


def most_points(first: Partition, second: Partition, index: PairIndex, budget: Budget) -> int:
    """Return the most points that are shuffled; fewer if their pairs take long to visit."""
    power, most = index.concordance.power, budget.shuffled_points
    columns = sum(0 if side.is_hard else side.k for side in (first, second))
    if power is None or index.agreement.loop is None:
        cost = PLAIN_COST if power is None else 1.0
        return _points(budget.kept_pairs / cost)
    if power not in (1.0, 2.0):
        most = int(most / math.sqrt(POWER_COST))
    by_entries = budget.shuffled_entries // max(columns, 1)
    return max(min(most, by_entries), _points(budget.kept_pairs))


def _points(pairs: float) -> int:
    """Return the most points that have no more pairs, but at least two."""
    return max((1 + math.isqrt(1 + 8 * int(pairs))) // 2, 2)


class RowShuffles(Shuffles):
    """Discordances of two clusterings whose points are shuffled.

    Parameters
    ----------
    first, second : Partition
        The clusterings, or parts of them, of at most ``most_points`` points.
    index : PairIndex
        The index, whose discordance is a power of the difference of the agreements.
    effort : Precision
        Number of threads, on which the results do not depend, and budget.

    Notes
    -----
    Agreements of many points are rounded to single precision, and so are their differences and the
    powers of these; sums are in double precision. Each rounding moves a number by at most 2^-25,
    so that a discordance moves by less than 2^-23 times the power, and mostly far less.
    """

    how = "shuffles of all points"
    smallest_batch = largest_batch = ORDERS
    threaded = True

    def __init__(
        self, first: Partition, second: Partition, index: PairIndex, effort: Precision
    ) -> None:
        from . import shuffle_kernels as kernels  # Deferred: loads Numba.

        power = index.concordance.power
        assert power is not None
        n = self.points = first.n
        self._total, self._threads = first.pair_total, effort.n_threads
        single = first.pairs > effort.budget.kept_pairs and power >= 1.0
        self._type: type[np.floating] = np.float32 if single else np.float64
        self._first, self._second = (
            agreement_rows(p, index.agreement, self._type) for p in (first, second)
        )
        self._add_up = kernels.sums_of_differences(power, first.weights, self._type)
        self._blocks = _blocks_of_rows(n, effort.budget.row_agreements)
        self._kept = self._block(0, n) if len(self._blocks) == 1 else None
        self.work = first.pairs / 4.0
        self.observed = float(self.of_orders(np.arange(n, dtype=np.uint16)[None])[0])
        rounding = power * 2.0**-22 if single else ROUNDING
        self.tolerance = rounding + TIE * self.observed

    def of_orders(self, orders: Orders) -> FloatArray:
        """Return the discordance for points of the second side in the order of each row."""
        n = self.points
        orders = orders.astype(np.uint16, copy=False)
        places = np.empty((n, orders.shape[0]), dtype=np.uint16)
        for order, place in zip(orders, places.T, strict=True):
            place[order] = np.arange(n, dtype=np.uint16)
        sums = (self._sums(low, high, orders, places) for low, high in self._blocks)
        return np.asarray(sum(sums, start=np.zeros(orders.shape[0])) / self._total)

    def _sums(self, low: int, high: int, orders: Orders, places: Orders) -> FloatArray:
        """Return the sum for each order over pairs whose earlier point is from low to high - 1."""
        a = self._block(low, high) if self._kept is None else self._kept
        sums = np.zeros(orders.shape[0])

        def add_up(start: int) -> FloatArray:
            here = places[start : start + TASK_ROWS]
            if not ((here >= low) & (here < high)).any():  # as mostly, if there is one order
                return np.zeros_like(sums)
            rows = np.empty((here.shape[0], self.points), dtype=self._type)
            self._second(start, 0, rows)
            return self._add_up(a, low, rows, start, orders, places)

        for part in map_in_order(add_up, range(0, self.points, TASK_ROWS), self._threads):
            sums += part
        return sums

    def _block(self, low: int, high: int) -> FloatArray:
        """Return agreements of points of the first side with those from the first of them on."""
        out = np.empty((high - low, self.points - low), dtype=self._type)

        def fill(start: int) -> None:
            self._first(low + start, low, out[start : start + TASK_ROWS])

        for _ in map_in_order(fill, range(0, high - low, TASK_ROWS), self._threads):
            pass
        return out

    def draw(self, rng: np.random.Generator, size: int) -> FloatArray:
        return self.of_orders(random_orders(rng, self.points, size, np.uint16))


def _blocks_of_rows(n: int, kept: int) -> list[tuple[int, int]]:
    """Divide n points into blocks, whose agreements with all later points are at most ``kept``."""
    edges = [0]
    while edges[-1] < n:
        edges.append(min(edges[-1] + max(kept // (n - edges[-1]), 1), n))
    return list(itertools.pairwise(edges))
