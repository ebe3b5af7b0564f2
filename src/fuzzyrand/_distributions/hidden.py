"""The membership that is hidden in zeros, and what rescaling rows without it did to them.

An entry that is only known to lie below a limit e has the mean e a / (a + 1), where a is its
concentration, because its density is proportional to x^(a - 1). Let h be the sum of these means
over the hidden entries of a row. The row was stretched when it was rescaled without them.

- If the limit applies to the row before it was stretched, its other entries were divided by 1 - h.
  Their joint density changes by about the power K of this factor, where K is the sum of their
  concentrations: the log-likelihood gets the term K ln(1 - h). (The exact power is K - 1, but where
  it is negative, h may not be replaced by its mean.)
- If the limit was read off the stretched row, hidden entries are up to h times all others together.
  With the Dirichlet row as Gamma variables divided by their sum, integrating over the sum gives the
  term -A ln(1 + h), where A is the precision. This also serves as an approximation where h could
  otherwise exceed 1.

For a set of rows, K and h are replaced by their means over the rows, so that column sums suffice.
The product of these means counts pairs of an entry with itself, of which none is both hidden and
not. To first order, what these contribute to the term is added again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from .._base.types import FloatArray


class Bends(NamedTuple):
    """Second derivatives of a function: a diagonal, and U C U' with a few columns U.

    Attributes
    ----------
    diagonal : array of shape (..., k)
        The diagonal.
    columns : array of shape (..., k, 2)
        The columns U.
    core : array of shape (..., 2, 2)
        The matrix C.
    """

    diagonal: FloatArray
    columns: FloatArray
    core: FloatArray

    @classmethod
    def none(cls, k: int) -> Bends:
        """Return the second derivatives of a constant."""
        return cls(np.zeros(k), np.zeros((k, 2)), np.zeros((2, 2)))


@dataclass(frozen=True, eq=False)
class Hidden:
    """The term of the log-likelihood that stands for hidden membership, for sets of rows.

    Attributes
    ----------
    limits : array of shape (..., k)
        Mean over the rows of the limits of hidden entries, with 0 for entries that are not hidden.
    above : array of shape (..., k)
        Share of entries that are not hidden.
    stretch : int
        As from :meth:`Treatment.stretch`; not 0.
    """

    limits: FloatArray
    above: FloatArray
    stretch: int

    def of(self, sets: Any) -> Hidden:
        """Return the term of some of the sets of rows."""
        return Hidden(self.limits[sets], self.above[sets], self.stretch)

    def of_rows(self, alphas: FloatArray) -> FloatArray:
        """Return the term for each of several concentrations and each of many single rows."""
        power = alphas @ self._weights.T
        hidden = (alphas / (alphas + 1.0)) @ self.limits.T
        return np.asarray(-self.stretch * power * np.log1p(self.stretch * hidden))

    def values(self, alpha: FloatArray) -> FloatArray:
        """Return the term for some concentrations, whose last axis is that of the clusters."""
        power, kept = self._power_and_kept(alpha)
        itself = (self._itself * alpha**2 / (alpha + 1.0)).sum(axis=-1)
        return np.asarray(itself - self.stretch * power * np.log(kept))

    def slopes(self, alpha: FloatArray) -> FloatArray:
        """Return the derivatives with respect to the concentrations."""
        power, kept = self._power_and_kept(alpha)
        logs, pull = self.stretch * np.log(kept), power / kept
        itself = self._itself * _slope_with_itself(alpha)
        return np.asarray(
            itself - logs[..., None] * self._weights - pull[..., None] * self._rises(alpha)
        )

    def bends(self, alpha: FloatArray) -> Bends:
        """Return the second derivatives with respect to the concentrations."""
        power, kept = self._power_and_kept(alpha)
        rises = self._rises(alpha)
        diagonal = 2.0 * (power / kept)[..., None] * rises / (alpha + 1.0)
        diagonal = diagonal + 2.0 * self._itself / (alpha + 1.0) ** 3
        columns = np.stack(np.broadcast_arrays(self._weights, rises), axis=-1)
        both, square = -1.0 / kept, self.stretch * power / kept**2
        core = np.stack([np.zeros_like(both), both, both, square], axis=-1)
        return Bends(diagonal, columns, core.reshape(*both.shape, 2, 2))

    def moved(self, others: Hidden, alpha: FloatArray) -> FloatArray:
        """Return the first-order change of the slopes if limits and shares change to others'."""
        power, kept = self._power_and_kept(alpha)
        rises, logs = self._rises(alpha), self.stretch * np.log(kept)
        more_weights, more_rises = others._weights - self._weights, others._rises(alpha) - rises
        more_power = (more_weights * alpha).sum(axis=-1, keepdims=True)
        more_limits = others.limits - self.limits
        more_hidden = (more_limits * alpha / (alpha + 1.0)).sum(axis=-1, keepdims=True)
        more_itself = self.above * more_limits + self.limits * (others.above - self.above)
        return np.asarray(
            (self.stretch < 0) * more_itself * _slope_with_itself(alpha)
            - logs * more_weights
            - (more_hidden * self._weights + more_power * rises + power * more_rises) / kept
            + self.stretch * power * more_hidden * rises / kept**2
        )

    @property
    def _weights(self) -> FloatArray:
        """How much the power grows with each concentration."""
        return self.above if self.stretch < 0 else np.ones_like(self.above)

    @property
    def _itself(self) -> FloatArray:
        """Product of the means of the limit of an entry, if hidden, and of whether it is not."""
        return self.above * self.limits if self.stretch < 0 else np.zeros_like(self.limits)

    def _power_and_kept(self, alpha: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return K and 1 - h, or A and 1 + h."""
        power = (self._weights * alpha).sum(axis=-1)
        hidden = (self.limits * alpha / (alpha + 1.0)).sum(axis=-1)
        return power, 1.0 + self.stretch * hidden

    def _rises(self, alpha: FloatArray) -> FloatArray:
        """Return how much the hidden membership grows with each concentration."""
        return np.asarray(self.limits / (alpha + 1.0) ** 2)


def _slope_with_itself(alpha: FloatArray) -> FloatArray:
    """Return the derivative of a^2 / (a + 1)."""
    return alpha * (alpha + 2.0) / (alpha + 1.0) ** 2


def solve(diagonal: FloatArray, columns: FloatArray, core: FloatArray, x: FloatArray) -> FloatArray:
    """Solve (D - U C U') y = x, where D is diagonal and U has few columns.

    The arrays have the shapes (..., k), (..., k, r), (..., r, r) and (..., k).
    """
    scaled = columns / diagonal[..., None]
    small = np.eye(core.shape[-1]) - core @ (np.swapaxes(columns, -1, -2) @ scaled)
    right = core @ (np.swapaxes(scaled, -1, -2) @ x[..., None])
    return np.asarray(x / diagonal + (scaled @ np.linalg.solve(small, right))[..., 0])
