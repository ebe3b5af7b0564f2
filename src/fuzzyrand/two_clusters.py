"""Two clusters: the law of |X - Y| for X, Y independent Beta(a, b), by quadrature.

With two clusters the L1 agreement of two Dirichlet rows is 1 - |X - Y|, so its law is a
one-dimensional integral. Every integrand below is bounded, and the substitution
t = 1 / (1 + exp(-pi sinh s)) makes it decay doubly exponentially at both ends: the plain
trapezoidal rule then converges geometrically, however singular the densities are at 0 and 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.polynomial import chebyshev
from scipy.special import betainc, betaincinv, expit, logit

from ._types import FloatArray
from .atoms import Curve
from .dirichlet import mean_absolute_differences

#: Where the weights of the rule have fallen below 1e-16.
REACH = 3.2
OUTER_NODES, INNER_NODES, DEGREE = 161, 97, 192


def _rule(nodes: int) -> tuple[FloatArray, FloatArray]:
    """Nodes in (0, 1) and weights of the double exponential rule."""
    s = np.linspace(-REACH, REACH, nodes)
    return expit(np.pi * np.sinh(s)), (s[1] - s[0]) * _stretch(s)


def _stretch(s: FloatArray) -> FloatArray:
    """dt/ds of the substitution."""
    t = np.pi * np.sinh(s)
    return np.asarray(np.pi * np.cosh(s) * expit(t) * expit(-t))


@dataclass(frozen=True)
class BetaDifference:
    """|X - Y| for independent X, Y ~ Beta(a, b)."""

    a: float
    b: float

    def cdf(self, t: FloatArray) -> FloatArray:
        """P(|X - Y| <= t) = 1 - 2 P(X > Y + t), an integral over the quantiles of Y."""
        share, weights = _rule(INNER_NODES)
        below = betainc(self.a, self.b, 1.0 - t)  # P(Y < 1 - t): only then can X exceed Y + t
        y = betaincinv(self.a, self.b, np.multiply.outer(below, share))
        exceeds = betainc(self.b, self.a, np.clip(1.0 - y - t[:, None], 0.0, 1.0))
        return np.asarray(np.clip(1.0 - 2.0 * below * (exceeds @ weights), 0.0, 1.0))

    @cached_property
    def mean(self) -> float:
        """E|X - Y|, in closed form."""
        return float(mean_absolute_differences(np.array([self.a, self.b]))[0])

    @cached_property
    def _cdf_on_rule(self) -> FloatArray:
        return self.cdf(_rule(OUTER_NODES)[0])

    @cached_property
    def error(self) -> float:
        """Quadrature error, seen on the mean, which is known."""
        weights = _rule(OUTER_NODES)[1]
        return abs(float(weights @ (1.0 - self._cdf_on_rule)) - self.mean)

    def mean_distance(self, other: BetaDifference) -> tuple[float, float]:
        """E| |X - Y| - |X' - Y'| | of two independent such laws, and a bound on its error."""
        weights = _rule(OUTER_NODES)[1]
        f, g = self._cdf_on_rule, other._cdf_on_rule
        return float(weights @ (f + g - 2.0 * f * g)), self.error + other.error + 1e-12

    def agreement_curve(self) -> tuple[Curve, float]:
        """The function a -> E|a - A| for A = 1 - |X - Y|, and a bound on its error.

        With d = 1 - a it is E|X - Y| - d + 2 (integral of the cdf up to d); the integral is that of
        a Chebyshev series in s.
        """
        interpolated = chebyshev.Chebyshev.interpolate(
            lambda s: self.cdf(expit(np.pi * np.sinh(s))) * _stretch(s),
            DEGREE,
            domain=[-REACH, REACH],
        )
        integral = interpolated.integ(lbnd=-REACH)
        error = abs((1.0 - float(integral(REACH))) - self.mean)

        def curve(a: FloatArray) -> FloatArray:
            d = 1.0 - np.asarray(a)
            with np.errstate(divide="ignore"):
                s = np.clip(np.arcsinh(logit(d) / np.pi), -REACH, REACH)
            return np.asarray(self.mean - d + 2.0 * integral(s))

        return curve, error + self.error + 1e-12
