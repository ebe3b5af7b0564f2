"""Closed forms for two independent rows of one Dirichlet distribution."""

from __future__ import annotations

import numpy as np
from scipy.special import gammaln

from ._types import FloatArray


def gamma_half_step(x: FloatArray) -> FloatArray:
    """Gamma(x + 1/2) / Gamma(x), to full precision for tiny and for huge x."""
    x = np.asarray(x, dtype=np.float64)
    moderate = np.minimum(x, 100.0)
    # x Gamma(x + 1/2) / Gamma(x + 1): no pole at 0.
    small = moderate * np.exp(gammaln(moderate + 0.5) - gammaln(moderate + 1.0))
    inverse = 1.0 / np.maximum(x, 100.0)
    series = np.polyval([-399 / 262144, -21 / 32768, 5 / 1024, 1 / 128, -1 / 8, 1.0], inverse)
    return np.asarray(np.where(x < 100.0, small, np.sqrt(x) * series))


def mean_absolute_differences(alpha: FloatArray) -> FloatArray:
    """E|X_i - Y_i| of each coordinate of two independent rows X, Y ~ Dirichlet(alpha).

    A coordinate is Beta(a, A - a), A the sum of alpha; its mean difference is
    (4/A) B(A, A) / (B(a, a) B(A-a, A-a)). By the duplication formula that is a product of
    half steps of the gamma function, in which nothing large cancels.
    """
    total = alpha.sum()
    rest = np.maximum(total - alpha, 0.0)
    steps = gamma_half_step(alpha) * gamma_half_step(rest) / gamma_half_step(total)
    return np.asarray(2.0 / np.sqrt(np.pi) * steps / total)


def mean_l1_agreement(alpha: FloatArray) -> float:
    """E[1 - ||X - Y||_1 / 2] for two independent rows of Dirichlet(alpha).

    Examples
    --------
    >>> round(mean_l1_agreement(np.ones(3)), 12)
    0.6
    """
    return 1.0 - 0.5 * float(mean_absolute_differences(alpha).sum())


def mean_square_distance(alpha: FloatArray) -> float:
    """E||X - Y||^2 for two independent rows of Dirichlet(alpha): twice the total variance."""
    total = float(alpha.sum())
    mean = alpha / total
    return 2.0 * float((mean * (1.0 - mean)).sum()) / (total + 1.0)
