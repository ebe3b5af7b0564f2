"""Hard clusterings: the contingency table, and the chance of a pair under `num` and `all`.

Counts of pairs are added in 64 bits, which hold them up to 10^9 points, and multiplied only as
Python integers or floats: products of two of them overflow near 100,000 points.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from scipy.special import gammaln, lambertw

from .._inputs.partition import Partition

#: Points counted at a time, so that the scratch arrays stay in the cache.
CHUNK = 1 << 15


def discordant_pairs(first: Partition, second: Partition) -> int:
    """Pairs that are together in exactly one of two hard clusterings."""
    together = pairs_together_in_both(first, second)
    return first.same_cluster_pairs + second.same_cluster_pairs - 2 * together


def pairs_together_in_both(first: Partition, second: Partition) -> int:
    """Pairs that are together in both of two hard clusterings."""
    assert first.codes is not None
    assert second.codes is not None
    n, cells = first.n, first.k * second.k
    if cells <= 4 * n + (1 << 16):
        table = np.zeros(cells, dtype=np.int64)
        cell = np.empty(min(n, CHUNK), dtype=np.intp)
        for start in range(0, n, CHUNK):
            chunk = cell[: min(CHUNK, n - start)]
            np.multiply(first.codes[start : start + CHUNK], second.k, out=chunk)
            chunk += second.codes[start : start + CHUNK]
            table += np.bincount(chunk, minlength=cells)
        # The margins are the sizes of the clusters: no need to count these again.
        square = table.reshape(first.k, second.k)
        first.learn_sizes(square.sum(axis=1))
        second.learn_sizes(square.sum(axis=0))
    else:
        table = np.unique(first.codes * second.k + second.codes, return_counts=True)[1]
    return int((table * (table - 1)).sum()) // 2


def stirling_ratio(n: int, k: int) -> float:
    """S(n-1, k) / S(n, k): the chance that a pair is together in a random k-clustering of n points.

    S(n, k) k!/n! is the coefficient of z^n in (e^z - 1)^k. With k independent Poisson(rho)
    variables that are not zero, and rho such that their sum has mean n, the ratio is
    rho/n P(sum = n-1)/P(sum = n). Both chances are Fourier sums of the characteristic
    function, and n being the mean there is no cancellation in either.
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
    # The sum differs from its mean by 40 standard deviations with a chance far below 1e-16.
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
    """exp(z) - 1 for complex z without cancellation near 0."""
    real, imaginary = z.real, z.imag
    value: npt.NDArray[np.complex128] = (
        np.expm1(real) * np.cos(imaginary)
        - 2.0 * np.sin(imaginary / 2) ** 2
        + 1j * np.exp(real) * np.sin(imaginary)
    )
    return value


def bell_ratio(n: int) -> float:
    """B(n-1) / B(n): the chance that a pair is together in a random clustering of n points.

    By Dobinski's formula B(n) is a sum over m of m^n / (e m!), so the ratio is the mean of
    1/m under weights m^n / m!. They peak near n / W(n) and fall off like a Gaussian.
    """
    if n < 2:
        raise ValueError(f"need n >= 2, got {n}")
    peak = n / float(lambertw(n).real)
    reach = 40.0 * math.sqrt(peak) + 40.0
    m = np.arange(max(1, math.floor(peak - reach)), math.ceil(peak + reach) + 1, dtype=np.float64)
    log_weights = n * np.log(m) - gammaln(m + 1.0)
    weights = np.exp(log_weights - log_weights.max())
    return float((weights / m).sum() / weights.sum())
