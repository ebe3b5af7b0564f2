"""Means over independent units, corrected by control variates with known means."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..._base.types import FloatArray


class ControlledMean(NamedTuple):
    """A corrected mean.

    Attributes
    ----------
    value : float
        The mean.
    unit_variance : float
        Residual variance of a unit after regression on the controls.
    effective_units : float
        Effective number of units on which this variance is based.
    """

    value: float
    unit_variance: float
    effective_units: float


class Controls(NamedTuple):
    """Control variates of independent units, such as blocks of draws.

    Correcting the mean of y by its regression on the controls, evaluated at the deviation of the
    mean controls from their exact means, amounts to a weighted mean of y. The weights do not depend
    on y; they sum to 1, and the weighted mean of every control is its exact mean.

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
        """Make controls from the columns of ``x``."""
        middle = x.mean(axis=0)
        axes, sizes, rotation = np.linalg.svd(x - middle, full_matrices=False)
        used = sizes > 1e-10 * max(sizes.max(initial=0.0), 1e-300)
        axes = axes[:, used]
        shift = rotation[used] @ (middle - exact_means) / sizes[used]
        return cls(axes, 1.0 / x.shape[0] - axes @ shift)

    def mean_of(self, y: FloatArray) -> ControlledMean:
        """Return the corrected mean of ``y``, which has one value for each unit."""
        centred = y - y.mean()
        # A unit that alone determines a slope would have no residual. The residual of each unit is
        # therefore taken from its prediction by the other units (leave-one-out).
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
