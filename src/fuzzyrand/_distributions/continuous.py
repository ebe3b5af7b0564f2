"""Dirichlet rows whose L1 agreement has a known continuous law: two clusters, and flat rows.

Two clusters: the agreement of two rows is 1 - |X - Y| with X, Y independent Beta variables.

Flat rows (all concentrations 1): X exceeds s in every coordinate with probability
(1 - sum s)^(k-1), so the minima M_i = min(X_i, Y_i) of two rows exceed s with probability
(1 - sum s)^(2k-2). That is the tail of the first k coordinates of a Dirichlet with k
concentrations 1 and a last one k - 1, so the agreement, their sum, is exactly Beta(k, k - 1).

Integrals over [0, 1] use the substitution t = 1 / (1 + exp(-pi sinh s)). It makes the bounded
integrands decay doubly exponentially at both ends, so the plain trapezoidal rule converges
geometrically however singular the densities are.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property

import numpy as np
from numpy.polynomial import chebyshev
from scipy.special import betainc, betaincinv, expit, logit

from .._base.types import FloatArray
from .atoms import Atoms, Curve
from .dirichlet_moments import mean_absolute_differences

#: Value of |s| beyond which the weights of the rule are below 1e-16.
REACH = 3.2
OUTER_NODES, INNER_NODES, DEGREE = 161, 97, 192
#: Number of equally likely values that replace a law; its quantiles then have four digits.
ATOMS = 1 << 15
#: Smallest error that a quadrature reports.
ROUNDING = 1e-12


class ContinuousAgreement(ABC):
    """An agreement whose distribution function can be evaluated."""

    #: Points between which the distribution function is smooth on the scale of the interval.
    breakpoints: tuple[float, ...] = ()

    @property
    @abstractmethod
    def mean(self) -> float:
        """Exact mean."""

    @abstractmethod
    def cdf(self, a: FloatArray) -> FloatArray:
        """Return P(A <= a)."""

    @abstractmethod
    def absolute_curve(self) -> tuple[Curve, float]:
        """Return the function a -> E|a - A|, and a bound on its error."""

    def atoms(self) -> Atoms | None:
        """Return the law as many equally likely values; None if quantiles are slow to compute."""
        return None


class FlatAgreement(ContinuousAgreement):
    """Two rows drawn uniformly from the simplex of k > 1 clusters: Beta(k, k - 1)."""

    def __init__(self, k: int) -> None:
        self.k = k
        tails = [1e-16, 1e-8, 1e-3, 0.5, 1 - 1e-3, 1 - 1e-8, 1 - 1e-15]
        self.breakpoints = tuple(float(q) for q in betaincinv(k, k - 1.0, tails))

    @property
    def mean(self) -> float:
        return self.k / (2.0 * self.k - 1.0)

    def cdf(self, a: FloatArray) -> FloatArray:
        return np.asarray(betainc(self.k, self.k - 1.0, a))

    def atoms(self) -> Atoms:
        return Atoms.of_sample(betaincinv(self.k, self.k - 1.0, (np.arange(ATOMS) + 0.5) / ATOMS))

    def absolute_curve(self) -> tuple[Curve, float]:
        # E[A; A <= a] is the mean times the distribution function of Beta(k + 1, k - 1).
        def curve(a: FloatArray) -> FloatArray:
            below = betainc(self.k + 1.0, self.k - 1.0, a)
            return np.asarray(a * (2.0 * self.cdf(a) - 1.0) + self.mean * (1.0 - 2.0 * below))

        return curve, ROUNDING


class TwoClusterAgreement(ContinuousAgreement):
    """1 - |X - Y| for independent X, Y ~ Beta(a, b)."""

    def __init__(self, a: float, b: float) -> None:
        self.a, self.b = a, b

    @cached_property
    def mean(self) -> float:
        return 1.0 - float(mean_absolute_differences(np.array([self.a, self.b]))[0])

    def cdf(self, a: FloatArray) -> FloatArray:
        """Return P(|X - Y| >= d) = 2 P(X > Y + d), d = 1 - a, by quadrature over quantiles of Y."""
        d = 1.0 - np.asarray(a)
        share, weights = _rule(INNER_NODES)
        below = betainc(self.a, self.b, a)  # P(Y < 1 - d); otherwise X cannot exceed Y + d.
        # Probabilities below 1e-15 do not matter, and SciPy's inverse may return NaN for them.
        y = betaincinv(self.a, self.b, np.maximum(np.multiply.outer(below, share), 1e-15))
        exceeds = betainc(self.b, self.a, np.clip(1.0 - y - d[:, None], 0.0, 1.0))
        return np.asarray(np.clip(2.0 * below * (exceeds @ weights), 0.0, 1.0))

    def absolute_curve(self) -> tuple[Curve, float]:
        return self._curve

    @cached_property
    def _curve(self) -> tuple[Curve, float]:
        # E|a - A| is mean - a + 2 (integral of the cdf up to a), by a Chebyshev series in s.
        series = chebyshev.Chebyshev.interpolate(
            lambda s: self.cdf(expit(np.pi * np.sinh(s))) * _stretch(s),
            DEGREE,
            domain=[-REACH, REACH],
        )
        integral = series.integ(lbnd=-REACH)
        error = abs((1.0 - float(integral(REACH))) - self.mean)

        def curve(a: FloatArray) -> FloatArray:
            with np.errstate(divide="ignore"):
                s = np.clip(np.arcsinh(logit(a) / np.pi), -REACH, REACH)
            return np.asarray(self.mean - a + 2.0 * integral(s))

        return curve, error + ROUNDING


def mean_distance(first: ContinuousAgreement, second: ContinuousAgreement) -> tuple[float, float]:
    """Return E|A1 - A2| = integral of F1 + F2 - 2 F1 F2, and an estimate of its error.

    The estimate is the error of the same quadrature rule for the two means, which are known.
    """
    t, w = end_to_end_rule(np.array([*first.breakpoints, *second.breakpoints]))
    f, g = first.cdf(t), second.cdf(t)
    error = abs(1.0 - w @ f - first.mean) + abs(1.0 - w @ g - second.mean)
    return float(w @ (f + g - 2.0 * f * g)), float(error) + ROUNDING


def end_to_end_rule(breakpoints: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return nodes and weights on [0, 1]: a double exponential rule between breakpoints."""
    inner = breakpoints[(breakpoints > 0.0) & (breakpoints < 1.0)]
    edges = np.unique(np.concatenate([[0.0], inner, [1.0]]))
    nodes, weights = _rule(OUTER_NODES)
    widths = np.diff(edges)
    t = (edges[:-1, None] + widths[:, None] * nodes).ravel()
    return t, (widths[:, None] * weights).ravel()


def _rule(nodes: int) -> tuple[FloatArray, FloatArray]:
    """Return nodes in (0, 1) and weights of the double exponential rule."""
    s = np.linspace(-REACH, REACH, nodes)
    return expit(np.pi * np.sinh(s)), (s[1] - s[0]) * _stretch(s)


def _stretch(s: FloatArray) -> FloatArray:
    """Return the derivative dt/ds of the substitution."""
    t = np.pi * np.sinh(s)
    return np.asarray(np.pi * np.cosh(s) * expit(t) * expit(-t))
