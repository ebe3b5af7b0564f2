"""Closed forms for two independent rows from the same Dirichlet distribution."""

from __future__ import annotations

import numpy as np
from scipy.special import gammaln

from .._base.types import FloatArray


def gamma_half_step(x: FloatArray) -> FloatArray:
    """Return Gamma(x + 1/2) / Gamma(x), to full precision for tiny and huge x."""
    x = np.asarray(x, dtype=np.float64)
    moderate = np.minimum(x, 100.0)
    # Computed as x Gamma(x + 1/2) / Gamma(x + 1), which has no pole at 0.
    small = moderate * np.exp(gammaln(moderate + 0.5) - gammaln(moderate + 1.0))
    inverse = 1.0 / np.maximum(x, 100.0)
    series = np.polyval([-399 / 262144, -21 / 32768, 5 / 1024, 1 / 128, -1 / 8, 1.0], inverse)
    return np.asarray(np.where(x < 100.0, small, np.sqrt(x) * series))


def mean_absolute_differences(alpha: FloatArray) -> FloatArray:
    """Return E|X_i - Y_i| for each coordinate of independent rows X, Y ~ Dirichlet(alpha).

    A coordinate is Beta(a, A - a), where A is the sum of alpha; its mean difference is
    (4/A) B(A, A) / (B(a, a) B(A-a, A-a)). By the duplication formula, this is a product of
    half steps of the gamma function (:func:`gamma_half_step`), without large cancelling terms.
    """
    total = alpha.sum()
    rest = np.maximum(total - alpha, 0.0)
    steps = gamma_half_step(alpha) * gamma_half_step(rest) / gamma_half_step(total)
    return np.asarray(2.0 / np.sqrt(np.pi) * steps / total)


def mean_l1_agreement(alpha: FloatArray) -> float:
    """Return E[1 - ||X - Y||_1 / 2] for two independent rows of Dirichlet(alpha).

    Examples
    --------
    >>> round(mean_l1_agreement(np.ones(3)), 12)
    0.6
    """
    return 1.0 - 0.5 * float(mean_absolute_differences(alpha).sum())


def mean_square_distance(alpha: FloatArray) -> float:
    """Return E||X - Y||^2 for two independent rows: twice the total variance."""
    total = float(alpha.sum())
    mean = alpha / total
    return 2.0 * float((mean * (1.0 - mean)).sum()) / (total + 1.0)


def dot_moments(alpha: FloatArray) -> tuple[float, float]:
    """Return E[X.Y] and E[(X.Y)^2] for two independent rows of Dirichlet(alpha).

    The second is the sum over i and j of E[X_i X_j]^2, where E[X_i X_j] is
    a_i (a_j + [i = j]) / (A (A + 1)).

    Examples
    --------
    >>> dot_moments(np.array([5.0, 3.0, 2.0, 9.0]))
    (0.32963988919667586, 0.11120498614958446)
    """
    total = float(alpha.sum())
    mean = alpha / total
    square = mean @ mean
    # Dividing the a_i by their sum prevents overflow for large and small concentrations.
    mixed = square**2 * total**2 + 2.0 * total * (mean**3).sum() + square
    return float(square), float(mixed) / (total + 1.0) ** 2


#: Step of the outer, and number of nodes of the inner, trapezoidal rule for the mean direction.
OUTER_STEP, INNER = 0.0375, 129
#: Number of concentrations integrated at a time, and the smallest error that is reported.
CHUNK, ROUNDING = 16, 1e-13
#: Precision below which rows are treated as hard, because the tail at large t is too long.
NEARLY_HARD = 1e-7


def mean_direction(alpha: FloatArray) -> tuple[FloatArray, float]:
    """Return E[X / |X|] for X ~ Dirichlet(alpha), and an estimate of its error.

    A Dirichlet row is a scaled vector g of independent Gamma(a_i) variables, and scaling keeps its
    direction. Since 1/|g| is 2/sqrt(pi) times the integral of exp(-t^2 |g|^2) over t > 0,

        E[g_i / |g|] = (2 / sqrt(pi)) integral of a_i h(a_i + 1, t) prod_{j != i} h(a_j, t) dt,

    where h(a, t) = E[exp(-t^2 G^2)], G ~ Gamma(a). The integrand is smooth in ln t and decays
    exponentially on both sides. The substitution ln t = centre + sinh(s) makes the decay doubly
    exponential, so the trapezoidal rule converges geometrically. The error is estimated from a
    rule with half the nodes.

    Examples
    --------
    >>> direction, error = mean_direction(np.ones(3))
    >>> round(float(direction @ direction), 12)
    0.696686115949
    """
    total = float(alpha.sum())
    if total < NEARLY_HARD:
        # All rows except for a share of about ``total`` are one-hot.
        return alpha / total, 2.0 * total
    values, inverse, count = np.unique(alpha, return_inverse=True, return_counts=True)
    # The centre is where t |g| is about 1; small concentrations have a long tail at large t.
    centre = -np.log(np.sqrt(float((alpha * (alpha + 1.0)).sum())))
    reach = np.arcsinh(40.0 + 40.0 / min(total, 1.0))
    low = -np.arcsinh(45.0)
    s = np.linspace(low, reach, 2 * int(np.ceil((reach - low) / (2.0 * OUTER_STEP))) + 1)
    log_t = centre + np.sinh(s)
    log_h = _log_laplace(values, log_t)
    log_h_next = _log_laplace(values + 1.0, log_t)
    everything = count @ log_h
    logs = log_h_next - log_h + everything + log_t + np.log(np.cosh(s))
    terms = 2.0 / np.sqrt(np.pi) * values[:, None] * np.exp(logs) * (s[1] - s[0])
    fine, coarse = terms.sum(axis=1), 2.0 * terms[:, ::2].sum(axis=1)
    error = float(np.sqrt(count @ (fine - coarse) ** 2))
    # The values of ln t reach 40/total, with a relative rounding error of 1e-16.
    return fine[inverse], error + ROUNDING + 1e-15 / total


def _log_laplace(a: FloatArray, log_t: FloatArray) -> FloatArray:
    """Return the logarithm of E[exp(-t^2 G^2)] for G ~ Gamma(a), of shape (a, t).

    Small shapes use h(a) = h(a + 1) + 2 t^2 (a + 1) h(a + 2), from integration by parts, in which
    all terms are positive. Others use an integral over x = ln G with a log-concave integrand.
    """
    if a.size > CHUNK:  # A long vector would need huge temporary arrays.
        chunks = [_log_laplace(a[i : i + CHUNK], log_t) for i in range(0, a.size, CHUNK)]
        return np.concatenate(chunks)
    small = a < 1.0
    shape = np.where(small, a + 1.0, a)
    plain = _log_laplace_integral(shape, log_t)
    if not small.any():
        return plain
    following = _log_laplace_integral(shape[small] + 1.0, log_t)
    factor = np.log(2.0 * shape[small])[:, None] + 2.0 * log_t
    plain[small] = np.logaddexp(plain[small], factor + following)
    return plain


def _log_laplace_integral(a: FloatArray, log_t: FloatArray) -> FloatArray:
    """Return the logarithm of the integral of exp(a x - e^x - t^2 e^2x) dx / Gamma(a), a >= 1."""
    shape = a[:, None]
    # The mode in g = e^x solves g + 2 t^2 g^2 = a. With r = sqrt(1 + 8 a t^2) it is 2a / (1 + r).
    # It is computed from ln r, because t may be huge and small t must not lose digits.
    log_r = 0.5 * np.logaddexp(0.0, np.log(8.0 * shape) + 2.0 * log_t)
    near = log_r < 1.0
    log_ratio = -np.where(
        near,
        np.log1p(0.5 * np.expm1(np.minimum(log_r, 1.0))),
        np.logaddexp(0.0, log_r) - np.log(2.0),
    )
    mode = shape * np.exp(log_ratio)
    bend = 0.5 * shape * -np.expm1(log_ratio)  # t^2 mode^2
    width = (1.0 / np.sqrt(mode + 4.0 * bend))[..., None]
    # The nodes are in units of the width at the mode. Beyond them, the integrand is negligible: its
    # right tail decays faster than a Gaussian, and its left tail like exp(a x) with a >= 1.
    s = np.linspace(-np.arcsinh(40.0), np.arcsinh(12.0), INNER)
    offset = np.sinh(s) * width
    drop = mode[..., None] * _exp_beyond_line(offset) + bend[..., None] * _exp_beyond_line(
        2 * offset
    )
    integral = (np.exp(-drop) * np.cosh(s)).sum(axis=-1) * (s[1] - s[0]) * width[..., 0]
    # This is a ln(mode) - mode - t^2 mode^2 - ln Gamma(a), with the large terms cancelled by hand.
    top = shape * (log_ratio - np.expm1(log_ratio)) - bend - _stirling_rest(shape)
    return np.asarray(np.log(integral) + top)


def _exp_beyond_line(x: FloatArray) -> FloatArray:
    """Return exp(x) - 1 - x, without cancellation near 0."""
    small = np.clip(x, -0.05, 0.05)
    series = small**2 * np.polyval(
        [1 / 40320, 1 / 5040, 1 / 720, 1 / 120, 1 / 24, 1 / 6, 0.5], small
    )
    with np.errstate(over="ignore"):
        return np.asarray(np.where(small == x, series, np.expm1(x) - x))


def _stirling_rest(a: FloatArray) -> FloatArray:
    """Return ln(Gamma(a)) - a ln(a) + a, for a >= 1."""
    large = np.maximum(a, 30.0)
    series = 0.5 * np.log(2.0 * np.pi / large) + np.polyval(
        [1 / 1260, 0.0, -1 / 360, 0.0, 1 / 12, 0.0], 1.0 / large
    )
    return np.asarray(np.where(a < 30.0, gammaln(a) - a * np.log(a) + a, series))
