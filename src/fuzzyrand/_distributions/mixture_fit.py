"""Fit a mixture of Dirichlet distributions to memberships with the EM algorithm.

EM runs from several starting values together, as one batch: arrays have the shape (starts,
components, rows), and each step is a few NumPy calls for all of them. Between two expectation
steps, concentrations take a single Newton step, which never makes the rows less likely. Maximising
fully before the shares of the rows have settled would be wasted effort.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .._base.errors import FuzzyRandError
from .._base.types import FloatArray, IntArray
from .._clusterings.rows import Rows
from .._clusterings.treatment import Treatment
from .dirichlet_fit import fit_by_likelihood, fit_by_moments, improve_likelihood
from .row_distributions import Categorical, Dirichlet, Identical, RowDistribution
from .row_families import DirichletMixture
from .row_logs import SMALLEST, RowLogs, evenly_spaced, log_sums, sorted_rows
from .row_statistics import row_statistics

#: Most rows that a mixture is fitted to, and most of their entries; up to 500 rows are always used.
MIXTURE_ROWS, MIXTURE_ENTRIES = 10_000, 200_000
#: Largest number of components tried, and number of starts for each.
MOST_COMPONENTS, STARTS = 6, 4
#: Most rounds (two steps and a leap each) from all starts, and from the best one.
FIRST_ROUNDS, MOST_ROUNDS = 7, 200
#: Gain in log-likelihood per row and round below which a start has converged.
LEAST_GAIN = 2e-6
#: Largest change of a logarithm by a leap, and lower limit for a squared change that divides.
LONGEST_LEAP, NO_CHANGE = 1.0, 1e-30
#: Precisions that represent one-hot and identical rows within a mixture.
HARD_PRECISION, SHARP_PRECISION = 1e-9, 1e7
#: Precisions of components whose likelihood has an ordinary maximum.
ORDINARY_PRECISION = 0.01, 1e5


def fit_mixture(
    rows: Rows,
    treatment: Treatment,
    components: int | None,
    weights: FloatArray | None = None,
) -> RowDistribution:
    """Fit a mixture of Dirichlets by EM; BIC chooses the number of components if it is None.

    Weights of the rows, if there are any, have a mean of 1. BIC then takes the number of rows of
    equal weight that would be as informative (Lumley and Scott, 2015).
    """
    if components == 1:
        return fit_by_likelihood(row_statistics(rows, treatment, weights=weights))
    most = int(np.clip(MIXTURE_ENTRIES // rows.k, MIXTURE_ROWS // 20, MIXTURE_ROWS))
    some, own = (evenly_spaced(each, most) for each in sorted_rows(rows.dense, weights))
    logs = RowLogs(some, treatment, own / own.mean())
    k = logs.rows.shape[1]
    n = float(own.sum() ** 2 / (own @ own))
    if components is not None:
        return _best_start(logs, components)[1]
    best, best_score, worse = None, np.inf, 0
    for m in range(1, min(MOST_COMPONENTS, max(1, int(n // (2 * k)))) + 1):
        likelihood, mixture = _best_start(logs, m)
        score = (m * (k + 1) - 1) * np.log(n) - 2.0 * likelihood * n / logs.rows.shape[0]
        if score < best_score:
            best, best_score, worse = mixture, score, 0
        else:
            worse += 1
        if worse == 2:
            break
    assert best is not None
    return best if best.weights.size > 1 else fit_mixture(rows, treatment, 1, weights)


class _Climb(NamedTuple):
    """State of EM from some starts; the first axis of each array runs over the starts.

    Attributes
    ----------
    likelihoods : array of shape (starts,)
        Total log-likelihoods of the rows, times their weights.
    weights : array of shape (starts, components)
        Weights of the components.
    alphas : array of shape (starts, components, k)
        Concentrations of the components.
    shares : array of shape (starts, components, n)
        Share of each component in each row, times the weight of the row.
    """

    likelihoods: FloatArray
    weights: FloatArray
    alphas: FloatArray
    shares: FloatArray

    def of(self, starts: IntArray) -> _Climb:
        """Return some of the starts."""
        return _Climb(*(array[starts] for array in self))

    def put(self, starts: IntArray, others: _Climb) -> None:
        """Replace some of the starts."""
        for array, values in zip(self, others, strict=True):
            array[starts] = values


def _best_start(logs: RowLogs, m: int) -> tuple[float, DirichletMixture]:
    """Run EM to convergence from the most promising of several starts."""
    begun = _climbed(logs, _starts(logs, m), FIRST_ROUNDS)
    best = begun.of(np.array([begun.likelihoods.argmax()]))
    ended = _climbed(logs, best, MOST_ROUNDS)
    weights, alphas = ended.weights[0], ended.alphas[0]
    order = np.argsort(-weights, kind="stable")
    mixture = DirichletMixture(weights[order] / weights.sum(), alphas[order])
    return float(ended.likelihoods[0]), mixture


def _climbed(logs: RowLogs, starts: _Climb, rounds: int) -> _Climb:
    """Run EM from several starts, each until a round gains little or ``rounds`` is reached."""
    least = LEAST_GAIN * logs.rows.shape[0]
    ended = _Climb(*(array.copy() for array in starts))
    numbers = np.arange(starts.likelihoods.size)
    for _ in range(rounds):
        before, starts = starts.likelihoods, _round(logs, starts)
        gaining = starts.likelihoods - before >= least
        if gaining.all():
            continue
        ended.put(numbers[~gaining], starts.of(~gaining))
        numbers, starts = numbers[gaining], starts.of(gaining)
        if not numbers.size:
            break
    ended.put(numbers, starts)
    return ended


def _round(logs: RowLogs, starts: _Climb) -> _Climb:
    """Take two steps of EM, and extrapolate from them.

    The extrapolation is that of Varadhan and Roland (2008), applied to the logarithms of weights
    and concentrations. Where it would lower the likelihood, the result of the two steps is kept.
    """
    first = _step(logs, starts)
    second = _step(logs, first)
    near, nearer, nearest = (_logarithms(climb) for climb in (starts, first, second))
    speed, change = nearer - near, nearest - 2.0 * nearer + near
    lengths = (speed**2).sum(axis=1) / np.maximum((change**2).sum(axis=1), NO_CHANGE)
    far = np.sqrt(np.maximum(lengths, 1.0))[:, None]
    leap = near + 2.0 * far * speed + far**2 * change - nearest
    factors = np.exp(np.clip(leap, -LONGEST_LEAP, LONGEST_LEAP))
    m = second.weights.shape[1]
    weights = np.maximum(second.weights * factors[:, :m], SMALLEST)
    weights /= weights.sum(axis=1, keepdims=True)
    alphas = second.alphas * factors[:, m:].reshape(second.alphas.shape)
    beyond = _expected(logs, weights, alphas)
    better = np.flatnonzero(beyond.likelihoods > second.likelihoods)
    second.put(better, beyond.of(better))
    return second


def _logarithms(climb: _Climb) -> FloatArray:
    """Return the logarithms of the weights and concentrations of each start, side by side."""
    alphas = climb.alphas.reshape(climb.likelihoods.size, -1)
    both = np.concatenate([climb.weights, alphas], axis=1)
    return np.asarray(np.log(np.maximum(both, SMALLEST)))


def _step(logs: RowLogs, starts: _Climb) -> _Climb:
    """Take a step of EM from all starts."""
    sets, m, n = starts.shares.shape
    weights = np.maximum(starts.shares.sum(axis=2), SMALLEST) / n
    shares, alphas = starts.shares.reshape(sets * m, n), starts.alphas.reshape(sets * m, -1)
    return _expected(logs, weights, _components(logs, shares, alphas).reshape(sets, m, -1))


def _expected(logs: RowLogs, weights: FloatArray, alphas: FloatArray) -> _Climb:
    """Return the shares of all rows for given weights and concentrations."""
    sets, m, k = alphas.shape
    densities = logs.densities(alphas.reshape(sets * m, k)).reshape(sets, m, -1)
    densities += np.log(weights)[:, :, None]
    norms, shares = log_sums(densities, axis=1)
    shares *= logs.weights
    return _Climb(norms @ logs.weights, weights, alphas, shares)


def _components(logs: RowLogs, shares: FloatArray, before: FloatArray) -> FloatArray:
    """Return more likely concentrations of all components, starting from ``before``.

    Ordinary components take a Newton step together. Components that are hard, sharp or nearly
    empty are fitted one by one.
    """
    low, high = ORDINARY_PRECISION
    sums = shares.sum(axis=1)
    scaled = shares / np.maximum(sums, SMALLEST)[:, None]
    total = before.sum(axis=1)
    censored, mean_logs, hidden = logs.means(scaled)
    # Each one-hot row has exactly one uncensored entry.
    fuzzy = ((1.0 - censored).sum(axis=1) >= 1.01) & (censored.max(axis=1) <= 0.99)
    ordinary = (sums > 1.0) & (total > low) & (total < high) & fuzzy
    alphas = np.zeros_like(before)
    if ordinary.any():
        alphas[ordinary] = improve_likelihood(
            before[ordinary],
            censored[ordinary],
            mean_logs[ordinary],
            hidden and hidden.of(ordinary),
        )
        ordinary &= alphas.sum(axis=1) < high
    for j in np.flatnonzero(~ordinary):
        alphas[j] = _component(logs, shares[j])
    return alphas


def _component(logs: RowLogs, shares: FloatArray) -> FloatArray:
    """Fit the concentrations of a component, within limits that keep it a density."""
    if shares.sum() < 1e-6:
        shares = shares + 1e-6  # A component that has lost all its rows starts again.
    statistics = logs.weighted(shares)
    try:
        rows = fit_by_likelihood(statistics)
    except FuzzyRandError:  # No maximum, e.g. if all rows have the same zeros.
        rows = fit_by_moments(statistics)
    if isinstance(rows, Categorical):
        return HARD_PRECISION * rows.p
    if isinstance(rows, Identical):
        return SHARP_PRECISION * rows.row
    assert isinstance(rows, Dirichlet)
    total = float(rows.alpha.sum())
    return rows.alpha * min(1.0, SHARP_PRECISION / total)


def _starts(logs: RowLogs, m: int) -> _Climb:
    """Return starting values: rows grouped by fuzziness, and by the nearest of random rows."""
    groupings = _groupings(logs.rows, m) if m > 1 else np.zeros((1, logs.rows.shape[0]))
    belongs = groupings[:, None] == np.arange(m)[:, None]
    # Every row belongs to every component a little, so that no component is empty.
    shares = (0.9 * belongs + 0.1 / m) * logs.weights
    sizes = shares.sum(axis=2, keepdims=True)
    # Match the mean and the total variance of each component.
    mean, square = shares @ logs.rows / sizes, shares @ logs.rows**2 / sizes
    hard, variance = (mean - mean**2).sum(axis=2), (square - mean**2).sum(axis=2)
    precision = np.maximum(hard / np.maximum(variance, SMALLEST) - 1.0, 0.0)
    alphas = precision[:, :, None] * mean
    return _Climb(np.full(len(shares), -np.inf), shares.mean(axis=2), alphas, shares)


def _groupings(rows: FloatArray, m: int) -> IntArray:
    """Return the group of each row, for each start."""
    fuzziness = 1.0 - (rows**2).sum(axis=1)
    rank = np.argsort(np.argsort(fuzziness, kind="stable"), kind="stable")
    groupings = [rank * m // rows.shape[0]]
    roots = np.sqrt(rows)
    for seed in range(STARTS - 1):
        rng = np.random.default_rng(seed)
        centres = roots[rng.integers(rows.shape[0])][None]
        while centres.shape[0] < m:  # Far from the earlier centres, as in k-means++.
            nearest = (1.0 - roots @ centres.T).clip(0.0).min(axis=1) + 1e-12
            chosen = rng.choice(rows.shape[0], p=nearest / nearest.sum())
            centres = np.vstack([centres, roots[chosen]])
        groupings.append((roots @ centres.T).argmax(axis=1))
    return np.stack(groupings)
