"""The class Weighting: how much each point of a clustering counts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from .._base.types import FloatArray, IntArray

#: Relative differences of weights up to this are rounding: the points count alike.
EQUAL = 1e-14
#: Range of weights whose sums neither overflow nor underflow.
RANGE = 1e-100, 1e100
#: Length of vectors that BLAS multiplies without threads.
UNTHREADED = 1 << 13


@dataclass(frozen=True, eq=False)
class Weighting:
    """Weights of the points of a clustering.

    Attributes
    ----------
    values : array
        The weights, divided by their mean. Sums over points thus stay on the scale of the number of
        points.
    total : float
        Sum of the weights as they were given.
    left_out : int
        Number of points that were left out because their weight is 0.
    """

    values: FloatArray
    total: float
    left_out: int = 0

    @classmethod
    def of(cls, values: FloatArray, left_out: int = 0) -> Weighting:
        """Return the weighting by some positive weights."""
        largest, total = float(values.max()), float(values.sum())
        if not RANGE[0] < largest <= total < RANGE[1]:  # divide, lest sums of squares overflow
            found = cls.of(values / largest, left_out)
            return cls(found.values, found.total * largest, left_out)
        found = cls(values * (values.size / total), total, left_out)
        # Known already, and another two passes over many weights otherwise.
        found.__dict__["equal"] = largest - float(values.min()) <= EQUAL * largest
        return found

    @cached_property
    def equal(self) -> bool:
        """Whether all points count alike."""
        return bool(np.ptp(self.values) <= EQUAL * self.values[0])

    @property
    def effective(self) -> float:
        """The number of points that would be as informative if they counted alike."""
        return self.values.size**2 / self.squares

    @property
    def largest_share(self) -> float:
        """Share of the point with the largest weight."""
        return float(self.values.max()) / self.values.size

    @cached_property
    def squares(self) -> float:
        """Sum of the squared weights."""
        # By parts that need no threads, which BLAS would start for more.
        starts = range(0, self.values.size, UNTHREADED)
        parts = (self.values[start : start + UNTHREADED] for start in starts)
        return float(sum(part @ part for part in parts))

    @cached_property
    def pairs(self) -> float:
        """Sum over all pairs of points of the product of their weights."""
        n = self.values.size
        if self.squares < 0.5 * n**2:
            return 0.5 * (n**2 - self.squares)
        # A dominant point would leave few digits of the difference of such sums.
        ordered = np.sort(self.values)
        return float(ordered[1:] @ np.cumsum(ordered)[:-1])

    def to_dict(self) -> dict[str, float]:
        """Return what a result says about the weights."""
        return {
            "sum": self.total,
            "effective_points": self.effective,
            "largest_share": self.largest_share,
            "left_out": self.left_out,
        }

    def take(self, points: npt.NDArray[Any]) -> Weighting:
        """Return the weighting of some points, given by their numbers or a mask."""
        own = self.values[points]
        share = float(own.sum()) / self.values.size
        return Weighting(own / own.mean(), self.total * share, self.left_out)

    def of_pairs(self) -> FloatArray:
        """Return the weights of all pairs in the order (0,1), (0,2), ..., for few points only."""
        w = self.values
        return np.concatenate([w[i] * w[i + 1 :] for i in range(w.size - 1)])

    def draw(self, rng: np.random.Generator, size: int) -> IntArray:
        """Draw points with replacement, in proportion to their weights."""
        passed = self._passed
        at = np.searchsorted(passed, rng.random(size) * passed[-1], side="right")
        return np.asarray(np.minimum(at, passed.size - 1))

    def draw_pairs(self, rng: np.random.Generator, size: int) -> tuple[IntArray, IntArray]:
        """Draw pairs of different points, in proportion to the products of their weights."""
        found = np.empty((2, 0), dtype=np.intp)
        while found.shape[1] < size:
            pairs = self.draw(rng, 2 * size).reshape(2, size)
            found = np.concatenate([found, pairs[:, pairs[0] != pairs[1]]], axis=1)
        return found[0, :size], found[1, :size]

    def shuffle(self, rng: np.random.Generator) -> IntArray:
        """Draw the points whose rows all points get in place of theirs, in random order.

        Each point is drawn about as often as its weight says: w times, rounded up or down at random
        so that the mean is w. With equal weights, this is a random order of the points.
        """
        order = rng.permutation(self.values.size)
        drawn = order[_evenly(self.values[order], order.size, rng)]
        return np.asarray(rng.permutation(drawn))

    def represent(self, rng: np.random.Generator, size: int) -> IntArray:
        """Draw points that stand for all if they count alike, each as often as its weight says."""
        return _evenly(self.values, size, rng)

    @cached_property
    def _passed(self) -> FloatArray:
        return np.cumsum(self.values)


def _evenly(weights: FloatArray, size: int, rng: np.random.Generator) -> IntArray:
    """Return the positions of evenly spaced steps through weights, from a random first one."""
    passed = np.cumsum(weights)
    passed *= size / passed[-1]
    steps = np.floor(passed + rng.random()).astype(np.intp)
    steps[-1] = size  # which rounding may miss
    return np.repeat(np.arange(weights.size), np.diff(steps, prepend=0))
