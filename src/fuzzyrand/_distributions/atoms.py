"""Laws on finitely many values, and the mean difference between a number and such a law."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .._base.types import FloatArray
from .mass_table import MassTable

#: A function a -> E|a - A|^q.
Curve = Callable[[FloatArray], FloatArray]


@dataclass(frozen=True, eq=False)
class Atoms:
    """Values in increasing order and their weights, which sum to 1."""

    values: FloatArray
    weights: FloatArray

    @classmethod
    def of_sample(cls, values: FloatArray, weights: FloatArray | None = None) -> Atoms:
        """Return the empirical law of a sample, whose values may have weights."""
        if weights is not None:
            order = np.argsort(values, kind="stable")
            return cls(values[order], weights[order] / weights.sum())
        ordered = np.sort(values, axis=None)
        return cls(ordered, np.full(ordered.size, 1.0 / ordered.size))

    @cached_property
    def mean(self) -> float:
        """Mean."""
        return float(np.dot(self.weights, self.values))

    @cached_property
    def variance(self) -> float:
        """Variance; a sum of squares, because a difference of moments could be negative."""
        return float(np.dot(self.weights, (self.values - self.mean) ** 2))

    def quantiles(self, levels: Sequence[float]) -> tuple[float, ...]:
        """Return the quantiles at the given levels."""
        passed = np.cumsum(self.weights)
        at = np.minimum(np.searchsorted(passed, levels), passed.size - 1)
        return tuple(float(v) for v in self.values[at])

    def mixed_with(self, other: Atoms, share: float) -> Atoms:
        """Return the mixture that draws from ``other`` with probability ``share``."""
        values = np.concatenate([self.values, other.values])
        weights = np.concatenate([(1.0 - share) * self.weights, share * other.weights])
        order = np.argsort(values, kind="stable")
        return Atoms(values[order], weights[order])

    def expect(self, curve: Curve) -> float:
        """Return the mean of a function under the law."""
        return float(np.dot(self.weights, curve(self.values)))

    def curve(self, power: float) -> tuple[Curve, float]:
        """Return the function a -> E|a - A|^power, and a bound on its error.

        The function is exact for powers 1 (prefix sums) and 2 (moments). For other powers, it is
        tabulated if there are more than 64 values.
        """
        if power == 1.0:
            return self._absolute_curve(), 0.0
        if power == 2.0:
            return (lambda a: np.asarray((a - self.mean) ** 2 + self.variance)), 0.0
        return self._tabulated_curve(power)

    def _absolute_curve(self) -> Curve:
        # Subtracting the middle value keeps close values from losing digits by cancellation.
        middle = self.values[self.values.size // 2]
        # The leading zero is for arguments below the first value.
        passed = np.concatenate([[0.0], np.cumsum(self.weights)])
        moment = np.concatenate([[0.0], np.cumsum(self.weights * (self.values - middle))])
        total, mean = passed[-1], moment[-1]

        def curve(a: FloatArray) -> FloatArray:
            at = np.searchsorted(self.values, a)
            return np.asarray((a - middle) * (2.0 * passed[at] - total) + mean - 2.0 * moment[at])

        return curve

    def _tabulated_curve(self, power: float) -> tuple[Curve, float]:
        if self.values.size <= 64:

            def direct(a: FloatArray) -> FloatArray:
                differences = np.abs(np.subtract.outer(np.asarray(a), self.values))
                return np.asarray(differences**power @ self.weights)

            return direct, 0.0
        mass = MassTable.of(self.values, 0.0, 1.0, self.weights)
        table = mass.curve_table(power)
        return (lambda a: mass.interpolate(table, np.asarray(a))), mass.error(power)


@dataclass(frozen=True, eq=False)
class Bracket:
    """A law that is bounded by two finite laws in the convex order.

    The mean of a convex function is at least its mean under ``inner`` and at most its mean under
    ``outer``. Since |a - A|^q is convex, both laws bound its mean.
    """

    inner: Atoms
    outer: Atoms
    #: Largest error, at any a, of the average of the curves a -> E|a - A| of the two laws.
    curve_error: float = 0.0

    @classmethod
    def exactly(cls, atoms: Atoms) -> Bracket:
        """Return the bracket of a law that is known exactly."""
        return cls(atoms, atoms)

    @property
    def exact(self) -> bool:
        """Whether both bounding laws are the same."""
        return self.inner is self.outer


def bracket_of_bins(edges: FloatArray, counts: FloatArray, sums: FloatArray) -> Bracket:
    """Compute a bracket from the counts and sums of values in bins.

    Moving all values of a bin to their mean lowers the mean of a convex function. Spreading them
    over the two edges of the bin raises it. The mean of |a - A| only changes for a within the bin.
    """
    full = np.flatnonzero(counts)
    share = counts[full] / counts.sum()
    means = sums[full] / counts[full]
    left, right = edges[full], edges[full + 1]
    means = np.clip(means, left, right)
    to_right = (means - left) / np.where(right > left, right - left, 1.0)
    # Neighbouring bins share an edge, so left and right ends interleave in increasing order.
    ends = np.stack([left, right], axis=1).ravel()
    weights = np.stack([share * (1.0 - to_right), share * to_right], axis=1).ravel()
    curve_error = 0.25 * float((share * (right - left)).max())
    return Bracket(Atoms(means, share), Atoms(ends, weights), curve_error)
