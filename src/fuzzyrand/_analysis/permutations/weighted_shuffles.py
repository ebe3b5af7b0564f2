"""Shuffle points that keep their weights, where a discordance is found without visiting pairs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..._base.types import FloatArray, IntArray
from ...models._laws.side import Side
from ..discordance.observed import without_visits
from .base import TIE, Shuffles

#: Rounding error of a discordance from sums over points.
ROUNDING = 1e-13


class WeightedShuffles(Shuffles):
    """Discordances of two weighted clusterings, the rows of the second of which are shuffled.

    Each discordance is computed as the observed one is.
    """

    how = "shuffles of all points"

    def __init__(self, sides: tuple[Side, Side], observed: float) -> None:
        self._sides = sides
        first, second = (side.partition for side in sides)
        self.points, self.observed = first.n, observed
        self.tolerance = ROUNDING + TIE * observed
        k1, k2 = (1 if partition.is_hard else partition.k for partition in (first, second))
        self.work = 10.0 * first.n * max(k1, k2)

    def draw(self, rng: np.random.Generator, size: int) -> FloatArray:
        orders = (rng.permutation(self.points) for _ in range(size))
        return np.array([self._of_order(order) for order in orders])

    def _of_order(self, order: IntArray) -> float:
        first, second = self._sides
        rows = second.partition.take(order)
        rows = replace(rows, weighting=first.partition.weighting)
        estimate = without_visits((first, Side(rows, second.index, second.effort)))
        assert estimate is not None
        return estimate.value


def weighted_shuffles(sides: tuple[Side, Side]) -> WeightedShuffles | None:
    """Return shuffles of weighted points; None if all pairs must be visited."""
    observed = without_visits(sides)
    return None if observed is None else WeightedShuffles(sides, observed.value)
