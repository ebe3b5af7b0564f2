"""Ratios of Stirling and of Bell numbers: probabilities of a pair under ``num`` and ``all``."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from scipy.special import gammaln, lambertw


def stirling_ratio(n: int, k: int) -> float:
    """Return S(n-1, k) / S(n, k), a ratio of Stirling numbers of the second kind.

    It is the probability that two points are together in a random clustering of n points into k
    clusters. S(n, k) k!/n! is the coefficient of z^n in (e^z - 1)^k. For k independent Poisson(rho)
    variables conditioned to be positive, with rho such that their sum has mean n, the ratio is
    rho/n P(sum = n-1)/P(sum = n). Both probabilities are Fourier sums of the characteristic
    function. Because n is the mean of the sum, there is no cancellation in either.

    Examples
    --------
    >>> round(stirling_ratio(10, 3), 12)
    0.324222936763
    """
    if not 1 <= k <= n:
        raise ValueError(f"need 1 <= k <= n, got n={n}, k={k}")
    if k == n or k == 1:
        return float(k == 1)
    mean = n / k
    # rho / (1 - exp(-rho)) = mean, solved by Lambert's function and polished by Newton.
    rho = float(mean + lambertw(-mean * math.exp(-mean)).real) if mean < 700 else mean
    for _ in range(3):
        tail = -math.expm1(-rho)
        slope = (tail - rho * math.exp(-rho)) / tail**2
        rho = max(rho - (rho / tail - mean) / slope, 0.5 * rho)
    variance = k * mean * (1.0 + rho - mean)
    # The sum is 40 standard deviations from its mean with a probability far below 1e-16.
    half = 32 + math.ceil(40.0 * math.sqrt(max(variance, 0.0)))
    theta = 2.0 * np.pi * np.arange(1, half + 1) / (2 * half + 1)
    shift = rho * (1j * np.sin(theta) - 2.0 * np.sin(theta / 2) ** 2)  # z - rho, z on the circle
    change = _expm1(shift) / -math.expm1(-rho)  # (e^z - 1) / (e^rho - 1) - 1
    with np.errstate(divide="ignore"):
        log_size = 0.5 * np.log1p(2.0 * change.real + np.abs(change) ** 2)
    phase = k * np.arctan2(change.imag, 1.0 + change.real) - n * theta
    density = np.exp(k * log_size)
    at_n = 1.0 + 2.0 * float((density * np.cos(phase)).sum())
    before_n = 1.0 + 2.0 * float((density * np.cos(phase + theta)).sum())
    return rho / n * before_n / at_n


def _expm1(z: npt.NDArray[np.complex128]) -> npt.NDArray[np.complex128]:
    """Return exp(z) - 1 for complex z, without cancellation near 0."""
    real, imaginary = z.real, z.imag
    value: npt.NDArray[np.complex128] = (
        np.expm1(real) * np.cos(imaginary)
        - 2.0 * np.sin(imaginary / 2) ** 2
        + 1j * np.exp(real) * np.sin(imaginary)
    )
    return value


def bell_ratio(n: int) -> float:
    """Return B(n-1) / B(n), a ratio of Bell numbers.

    It is the probability that two points are together in a random clustering of n points. By
    Dobinski's formula B(n) is the sum over m of m^n / (e m!), so the ratio is the mean of 1/m under
    the weights m^n / m!. They peak near n / W(n) and fall off like a Gaussian.

    Examples
    --------
    >>> round(bell_ratio(5), 12)
    0.288461538462
    """
    if n < 2:
        raise ValueError(f"need n >= 2, got {n}")
    peak = n / float(lambertw(n).real)
    reach = 40.0 * math.sqrt(peak) + 40.0
    m = np.arange(max(1, math.floor(peak - reach)), math.ceil(peak + reach) + 1, dtype=np.float64)
    log_weights = n * np.log(m) - gammaln(m + 1.0)
    weights = np.exp(log_weights - log_weights.max())
    return float((weights / m).sum() / weights.sum())
