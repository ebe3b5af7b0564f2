"""Uniformly random set partitions, as under ``num`` and ``all``.

The module computes the probability that two points are together, by ratios of Stirling and of Bell
numbers for any n, and the expected number of clusters of each size, and draws random cluster sizes.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from scipy.fft import next_fast_len
from scipy.special import gammaln, lambertw

from .._base.types import FloatArray, IntArray

#: Largest mean number of sizes drawn for one random clustering.
MOST_TRIALS = 3e6
#: Expected share of the points in clusters of sizes that are left out.
LEFT_OUT = 1e-17


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
    rho = _poisson_rate(mean)
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


def _poisson_rate(mean: float) -> float:
    """Return the rate of a Poisson variable whose mean is this, given that it is not zero."""
    # rho / (1 - exp(-rho)) = mean, solved by Lambert's function and polished by Newton.
    rho = float(mean + lambertw(-mean * math.exp(-mean)).real) if mean < 700 else mean
    for _ in range(3):
        tail = -math.expm1(-rho)
        slope = (tail - rho * math.exp(-rho)) / tail**2
        rho = max(rho - (rho / tail - mean) / slope, 0.5 * rho)
    return rho


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
    m, weights = _dobinski(n)
    return float((weights / m).sum() / weights.sum())


def _dobinski(n: int) -> tuple[FloatArray, FloatArray]:
    """Return the m that matter in Dobinski's formula, and their weights up to a factor."""
    peak = n / float(lambertw(n).real)
    reach = 40.0 * math.sqrt(peak) + 40.0
    m = np.arange(max(1, math.floor(peak - reach)), math.ceil(peak + reach) + 1, dtype=np.float64)
    log_weights = n * np.log(m) - gammaln(m + 1.0)
    return m, np.exp(log_weights - log_weights.max())


def random_sizes_of_any_number(rng: np.random.Generator, n: int) -> IntArray:
    """Draw the sizes of the clusters of a random clustering of n points, all equally likely.

    Stam's algorithm throws the points into m boxes, where m is drawn with the weights of Dobinski's
    formula, and drops the empty boxes.
    """
    m, weights = _dobinski(n)
    boxes = int(rng.choice(m, p=weights / weights.sum()))
    sizes = rng.multinomial(n, np.full(boxes, 1.0 / boxes))
    return np.asarray(sizes[sizes > 0])


def random_sizes(rng: np.random.Generator, n: int, k: int) -> IntArray | None:
    """Draw the sizes of a random clustering of n points into k clusters, all equally likely.

    The sizes are k Poisson variables, conditioned to be positive and to sum to n. Positive ones are
    drawn until their sum is n; None if that would take long.
    """
    if not 1 <= k <= n:
        raise ValueError(f"need 1 <= k <= n, got n={n}, k={k}")
    if k == n or k == 1:
        return np.full(k, n // k)
    mean = n / k
    rho = _poisson_rate(mean)
    expected_trials = math.sqrt(2.0 * math.pi * max(k * mean * (1.0 + rho - mean), 0.0)) + 1.0
    if k * expected_trials > MOST_TRIALS:
        return None
    trials = max(int(expected_trials), 1)
    while True:
        # Given at least one arrival, the time of the first is a truncated exponential variable; the
        # number of later arrivals is a Poisson variable.
        first = -np.log1p(rng.random((trials, k)) * math.expm1(-rho))
        sizes = 1 + rng.poisson(np.maximum(rho - first, 0.0))
        (right,) = np.nonzero(sizes.sum(axis=1) == n)
        if right.size:
            return np.asarray(sizes[right[0]])


def expected_sizes(n: int, k: int) -> tuple[IntArray, FloatArray]:
    """Return cluster sizes and the expected number of clusters that have them, for k clusters.

    The clustering is a random one of n points into k clusters. A size a is expected
    C(n, a) S(n-a, k-1) / S(n, k) times. Sizes are independent positive Poisson variables given
    their sum, so this is proportional to P(size = a) P(sum of k-1 sizes = n-a); the latter is a
    Fourier transform. The numbers are scaled so that the sizes add up to n. Sizes that hardly
    occur are left out. Errors are some 1e-16 of the largest number.

    Examples
    --------
    >>> sizes, numbers = expected_sizes(4, 2)  # three times 2 + 2, four times 1 + 3
    >>> sizes, numbers * 7
    (array([1, 2, 3]), array([4., 6., 4.]))
    """
    if not 1 <= k <= n:
        raise ValueError(f"need 1 <= k <= n, got n={n}, k={k}")
    if k == n or k == 1:
        return np.array([n // k]), np.array([float(k)])
    rho = _poisson_rate(n / k)
    # Poisson variables are further from their mean with a probability far below 1e-17 (Bernstein).
    reach = 20.0 + math.sqrt(400.0 + 120.0 * rho)
    largest = min(n - k + 1, math.ceil(rho + reach))
    sizes = np.arange(max(1, math.floor(rho - reach)), largest + 1)
    numbers = _poisson(sizes, rho) * _sums_of_sizes(rho, k - 1, n - sizes)
    return _frequent(sizes, numbers, n)


def _poisson(numbers: IntArray, rate: float) -> FloatArray:
    """Return Poisson probabilities of successive numbers, relative to the largest of them."""
    start = int(np.clip(math.floor(rate) - numbers[0], 0, numbers.size - 1))
    ratios = rate / numbers
    after = np.cumprod(ratios[start + 1 :])
    before = np.cumprod(1.0 / ratios[start:0:-1])[::-1]
    return np.concatenate([before, [1.0], after])


def _sums_of_sizes(rho: float, k: int, sums: IntArray) -> FloatArray:
    """Return the probabilities of sums of k positive Poisson variables, up to a factor."""
    mean = rho / -math.expm1(-rho)
    variance = k * mean * max(1.0 + rho - mean, 0.0)
    middle = round(k * mean)
    beyond = int(np.abs(sums - middle).max())
    # Longer than what is asked for and the sums that occur together, so that nothing wraps around.
    length = 2 * next_fast_len(beyond + 32 + math.ceil(12.0 * math.sqrt(variance)), real=True)
    theta = 2.0 * np.pi * np.arange(length // 2 + 1) / length
    log_size, angle = _log_transform(rho, theta)
    phase = k * angle - middle * theta
    transform = np.exp(k * log_size) * np.exp(-1j * phase)
    density: FloatArray = np.fft.irfft(transform, length)[(sums - middle) % length]
    return np.maximum(density, 0.0)


def _log_transform(rho: float, theta: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return logarithm of the size, and angle, of a positive Poisson's characteristic function."""
    shift = rho * (1j * np.sin(theta) - 2.0 * np.sin(theta / 2) ** 2)  # z - rho, z on the circle
    change = _expm1(shift) / -math.expm1(-rho)  # (e^z - 1) / (e^rho - 1) - 1
    size = np.abs(1.0 + change)
    with np.errstate(divide="ignore"):
        near = 0.5 * np.log1p(np.maximum(2.0 * change.real + np.abs(change) ** 2, -1.0))
        log_size = np.where(size > 0.5, near, np.log(size))
    return log_size, np.arctan2(change.imag, 1.0 + change.real)


def expected_sizes_of_any_number(n: int) -> tuple[IntArray, FloatArray]:
    """Return cluster sizes and the expected number of clusters that have them.

    The clustering is a random one of n points into any number of clusters. A size a is expected
    C(n, a) B(n-a) / B(n) times. By Stam's algorithm (see ``random_sizes_of_any_number``) this is
    the mean, over random numbers m of boxes, of m times the Binomial(n, 1/m) probability of a.
    Sizes that hardly occur are left out.

    Examples
    --------
    >>> sizes, numbers = expected_sizes_of_any_number(3)  # 3, three times 1 + 2, 1 + 1 + 1
    >>> sizes, numbers * 5
    (array([1, 2, 3]), array([6., 3., 1.]))
    """
    if n < 1:
        raise ValueError(f"need n >= 1, got {n}")
    m, weights = _dobinski(n)
    weights /= weights.sum()
    alone = float(weights[m == 1.0].sum())  # all points are in one box
    m, weights = m[m > 1.0], weights[m > 1.0]
    boxes = weights * n * np.exp((n - 1) * np.log1p(-1.0 / m))  # expected boxes of one point
    numbers: list[float] = []
    shares = 0.0
    for size in range(1, n + 1):
        numbers.append(float(boxes.sum()))
        share = size * numbers[-1] / n
        shares += share
        if share < LEFT_OUT * 1e-3 and shares > 0.5:
            break
        boxes *= (n - size) / ((size + 1) * (m - 1.0))
    if alone:
        numbers += [0.0] * (n - len(numbers))
        numbers[-1] += alone
    return _frequent(np.arange(1, len(numbers) + 1), np.array(numbers), n)


def _frequent(sizes: IntArray, numbers: FloatArray, n: int) -> tuple[IntArray, FloatArray]:
    """Leave out the smallest and largest sizes that hardly any point is in; scale the numbers."""
    shares = sizes * (numbers / float(sizes @ numbers))
    below, above = np.cumsum(shares), np.cumsum(shares[::-1])[::-1]
    kept = (below > 0.5 * LEFT_OUT) & (above > 0.5 * LEFT_OUT)
    return sizes[kept], n * shares[kept] / sizes[kept]
