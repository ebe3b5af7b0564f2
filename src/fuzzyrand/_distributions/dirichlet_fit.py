"""Fit a Dirichlet distribution to memberships that may contain zeros.

Real memberships contain zeros: one-hot rows, entries that underflowed, values rounded to a few
decimals. An entry below a limit is therefore treated as censored: it is only known to lie below the
limit, which depends on what was done to the rows (``Treatment``). With f_j the share of such
entries in column j and L_j the mean of ln max(x_j, limit), the mean log-likelihood of a row is, up
to a constant,

    ln Gamma(A) - sum_j [(1 - f_j) ln Gamma(a_j) + f_j ln Gamma(a_j + 1)] + sum_j a_j L_j.

If rows were rescaled without their small entries, it has another term (``hidden``).

If nothing is censored, this is the usual log-likelihood. If all rows are hard, it is largest in the
limit of a precision A of 0 with means at the proportions of the clusters, which is the categorical
distribution.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import digamma, gammaln, zeta

from .._base.errors import FuzzyRandError
from .._base.types import FloatArray
from .hidden import Hidden, solve
from .row_distributions import Categorical, Dirichlet, Identical, RowDistribution
from .row_statistics import RowStatistics

#: Precision beyond which rows cannot be distinguished in double precision.
INFINITE_PRECISION = 1e24
#: Precision beyond which the likelihood has no correct digits; mean and variance are used instead.
LIKELIHOOD_PRECISION = 1e9


def fit_by_likelihood(stats: RowStatistics) -> RowDistribution:
    """Return the Dirichlet with the largest censored likelihood, or a limit if there is none."""
    used = stats.censored < 1.0
    if stats.hard:
        return Categorical(1.0 - stats.censored)
    start = fit_by_moments(stats)
    if isinstance(start, Identical):
        return start
    precision = float(start.alpha.sum()) if isinstance(start, Dirichlet) else 0.0
    if precision > LIKELIHOOD_PRECISION:
        return start
    # For nearly hard rows, the likelihood hardly depends on precisions far below 0.01.
    start_alpha = np.maximum(max(precision, 0.01) * stats.mean[used], 1e-8)
    alpha = np.zeros_like(stats.mean)
    censored, mean_log = stats.censored[used], stats.mean_log[used]
    hidden = stats.hidden and stats.hidden.of((None, used))
    likelihood = _Likelihoods(censored[None], mean_log[None], hidden)
    (alpha[used],) = _newton(start_alpha[None], likelihood)
    return Dirichlet(alpha) if alpha.sum() < INFINITE_PRECISION else Identical(stats.mean)


def improve_likelihood(
    alphas: FloatArray, censored: FloatArray, mean_logs: FloatArray, hidden: Hidden | None = None
) -> FloatArray:
    """Increase the likelihood for several sets of rows at once, by one Newton step for each.

    Parameters
    ----------
    alphas : array of shape (sets, k)
        Concentrations from which the step starts.
    censored, mean_logs, hidden : array of shape (sets, k)
        As in :class:`RowStatistics`. No column of a set may be censored throughout, and no set may
        be hard.
    """
    likelihoods = _Likelihoods(censored, mean_logs, hidden)
    alphas = np.maximum(alphas, 1e-8)
    return likelihoods.step(alphas, likelihoods.values(alphas)).alpha


def fit_symmetric_by_likelihood(stats: RowStatistics) -> RowDistribution:
    """Return the most likely Dirichlet with equal concentrations, including empty clusters."""
    k = stats.mean.size
    if stats.hard:
        return Categorical(np.full(k, 1.0 / k))
    start = fit_symmetric_by_moments(stats)
    if isinstance(start, Identical) or (
        isinstance(start, Dirichlet) and start.alpha.sum() > LIKELIHOOD_PRECISION
    ):
        return start
    above, logs = float((1.0 - stats.censored).sum()), float(stats.mean_log.sum())

    def slope(log_a: float) -> float:  # Derivative of the log-likelihood with respect to ln a.
        a = np.exp(log_a)
        slope = k * (digamma(k * a + 1.0) - digamma(a + 1.0)) + logs
        if stats.hidden is not None:
            slope += stats.hidden.slopes(np.full(k, a)).sum()
        return float(above - 1.0 + a * slope)

    low, high = np.log(1e-14), np.log(1e12 / k)
    if k == 1 or slope(high) >= 0.0:
        return Identical(np.full(k, 1.0 / k))
    from scipy.optimize import brentq  # Deferred: slow to import and seldom needed.

    return Dirichlet(np.full(k, np.exp(brentq(slope, low, high, xtol=1e-14, rtol=1e-14))))


def fit_by_moments(stats: RowStatistics) -> RowDistribution:
    """Match the mean and the total variance.

    This fit always exists, and changes continuously into the categorical distribution.
    """
    return _with_precision(stats.mean, float(stats.variance.sum()))


def fit_symmetric_by_moments(stats: RowStatistics) -> RowDistribution:
    """Match the total variance about equal means."""
    k = stats.mean.size
    even = np.full(k, 1.0 / k)
    return _with_precision(even, float((stats.variance + (stats.mean - even) ** 2).sum()))


def _with_precision(mean: FloatArray, variance: float) -> RowDistribution:
    largest = float((mean * (1.0 - mean)).sum())  # The variance of hard rows.
    if variance * INFINITE_PRECISION <= largest:
        return Identical(mean)
    precision = largest / variance - 1.0
    if precision <= 1e-12:
        return Categorical(mean)
    return Dirichlet(precision * mean)


def _newton(alpha: FloatArray, likelihoods: _Likelihoods) -> FloatArray:
    """Maximise the log-likelihoods of several Dirichlets, one in each row."""
    value = likelihoods.values(alpha)
    running = np.ones(alpha.shape[0], dtype=bool)
    for _ in range(500):
        after = likelihoods.step(alpha, value)
        alpha = np.where(running[:, None], after.alpha, alpha)
        running &= ~after.last
        if not running.any():
            return alpha
        value = after.value
    raise FuzzyRandError(
        "the Dirichlet likelihood did not converge in 500 steps; "
        'Fit(estimator="moments") needs no iteration.'
    )


class _Step(NamedTuple):
    """Concentrations after a step, their log-likelihoods, and whether this was the last step.

    If it was the last step for all rows, the log-likelihoods are those before the step.
    """

    alpha: FloatArray
    value: FloatArray
    last: npt.NDArray[np.bool_]


class _Likelihoods:
    """Log-likelihoods of several Dirichlets, one in each row, as functions of ln(alpha).

    Logarithms suit both tiny and huge concentrations. The Hessian is diagonal plus rank one (three
    with hidden membership), so a Newton step costs O(k). Gamma functions are evaluated at
    alpha + 1, away from their pole, so precisions near 0 lose no digits.
    """

    def __init__(
        self, censored: FloatArray, mean_log: FloatArray, hidden: Hidden | None = None
    ) -> None:
        self.above, self.mean_log, self.hidden = 1.0 - censored, mean_log, hidden
        self.k = censored.shape[1]

    def values(self, alpha: FloatArray) -> FloatArray:
        """Return the log-likelihoods."""
        total = alpha.sum(axis=1)
        gammas = gammaln(_beside(alpha, total) + 1.0)
        terms = gammas[:, :-1] - self.above * np.log(alpha) - alpha * self.mean_log
        values = np.asarray(gammas[:, -1] - np.log(total) - terms.sum(axis=1))
        return values if self.hidden is None else values + self.hidden.values(alpha)

    def step(self, alpha: FloatArray, value: FloatArray) -> _Step:
        """Take a Newton step from concentrations with known log-likelihoods.

        A step that does not increase the likelihood enough is halved until it does.
        """
        total = alpha.sum(axis=1)
        places = _beside(alpha, total) + 1.0
        slopes = digamma(places)
        slopes = slopes[:, -1:] - slopes[:, :-1] + self.mean_log
        if self.hidden is not None:
            slopes += self.hidden.slopes(alpha)
        gradient = self.above - alpha / total[:, None] + alpha * slopes
        places[:, -1] = total
        bends = zeta(2.0, places)  # The trigamma function.
        squares = alpha**2
        curvature = squares * bends[:, :-1] + self.above
        # The true diagonal is curvature - gradient, which may change sign far from the optimum.
        diagonal = np.maximum(curvature - gradient, 0.5 * curvature)
        coupling = bends[:, -1]
        if self.hidden is not None:
            step = self._step_with_hidden(alpha, gradient, diagonal, coupling)
        else:
            step = gradient / diagonal
            room = 1.0 - coupling * (squares / diagonal).sum(axis=1)
            free = room > 1e-12
            joint = coupling * (alpha * step).sum(axis=1) / np.where(free, room, 1.0)
            step += (alpha / diagonal) * np.where(free, joint, 0)[:, None]
        step *= (5.0 / np.maximum(np.abs(step).max(axis=1), 5.0))[:, None]
        promised = (gradient * step).sum(axis=1)
        # For large precisions, the likelihood is a difference of large numbers and has this
        # rounding error. Since convergence is quadratic, a step that promises less is the last.
        rounding = 1e-15 * (10.0 * self.k + total * (1.0 + np.log1p(total)))
        trial = alpha * np.exp(step)
        last = (promised <= rounding) | (total > 1e12)
        if last.all():
            return _Step(trial, value, last)
        reached = self.values(trial)
        for _halving in range(60):
            short = ~last & (reached < value + 1e-4 * promised - rounding)
            if not short.any():
                break
            factor = np.where(short, 0.5, 1.0)
            step, promised = step * factor[:, None], promised * factor
            trial = alpha * np.exp(step)
            reached = self.values(trial)
        return _Step(trial, reached, last)

    def _step_with_hidden(
        self, alpha: FloatArray, gradient: FloatArray, diagonal: FloatArray, coupling: FloatArray
    ) -> FloatArray:
        """Return the Newton step, or a shorter one along the gradient if that would not go up."""
        assert self.hidden is not None
        bends = self.hidden.bends(alpha)
        diagonal = np.maximum(diagonal - alpha**2 * bends.diagonal, 0.5 * diagonal)
        columns = np.concatenate([np.ones_like(alpha)[..., None], bends.columns], axis=2)
        core = np.zeros((alpha.shape[0], 3, 3))
        core[:, 0, 0], core[:, 1:, 1:] = coupling, bends.core
        try:
            step = solve(diagonal, alpha[..., None] * columns, core, gradient)
        except np.linalg.LinAlgError:  # Huge precisions leave no digits for the inverse.
            return gradient / diagonal
        upwards = (gradient * step).sum(axis=1, keepdims=True) > 0.0
        return np.where(upwards, step, gradient / diagonal)


def _beside(alpha: FloatArray, total: FloatArray) -> FloatArray:
    """Return entries and their sums side by side, so that one call evaluates a function of both."""
    return np.concatenate([alpha, total[:, None]], axis=1)
