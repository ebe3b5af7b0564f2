"""Means over independent units, corrected by controls whose exact means are known."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .._base.types import FloatArray


class ControlledMean(NamedTuple):
    """A corrected mean.

    Attributes
    ----------
    value : float
        The mean.
    unit_variance : float
        Variance of what the controls do not explain of a unit.
    effective_units : float
        Number of units that this variance rests on.
    """

    value: float
    unit_variance: float
    effective_units: float


class Controls(NamedTuple):
    """Controls of independent units, such as blocks of draws.

    The mean of y minus its regression on the controls, at the deviation of the controls from their
    exact means, is a weighted mean of y with weights that do not depend on y. They sum to 1, and
    give every control its exact mean.

    Attributes
    ----------
    axes : array of shape (units, axes)
        Orthogonal axes of the centred controls.
    weights : array of shape (units,)
        The weights.
    """

    axes: FloatArray
    weights: FloatArray

    @classmethod
    def of(cls, x: FloatArray, exact_means: FloatArray) -> Controls:
        """Return the controls that are the columns of ``x``."""
        middle = x.mean(axis=0)
        axes, sizes, rotation = np.linalg.svd(x - middle, full_matrices=False)
        used = sizes > 1e-10 * max(sizes.max(initial=0.0), 1e-300)
        axes = axes[:, used]
        shift = rotation[used] @ (middle - exact_means) / sizes[used]
        return cls(axes, 1.0 / x.shape[0] - axes @ shift)

    def mean_of(self, y: FloatArray) -> ControlledMean:
        """Return the corrected mean of a value of each unit."""
        centred = y - y.mean()
        # A unit that alone determines a slope has no residual. The residual of each unit is
        # therefore that of its prediction from the other units.
        leverage = 1.0 / y.size + (self.axes**2).sum(axis=1)
        residual = (centred - self.axes @ (self.axes.T @ centred)) / np.maximum(
            1.0 - leverage, 1e-6
        )
        squared = residual**2
        return ControlledMean(
            float(y.mean() + self.weights @ centred),
            float(squared.mean()),
            float(squared.sum() ** 2 / max((squared**2).sum(), 1e-300)),
        )
