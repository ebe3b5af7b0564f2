"""Fitting the distributions of ``families`` to the memberships of a clustering.

Entries below the resolution are known only to lie below it, as in ``dirichlet_fit``. Clusters are
sorted by size (``size_order``), and rows are sorted where their order would matter, so that results
do not depend on how points and clusters are numbered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property

import numpy as np
import numpy.typing as npt
from scipy.special import gammaln

from .._base.errors import FuzzyRandError
from .._base.types import FloatArray, IntArray
from .._blocks.rows import BlockRows
from .dirichlet_fit import (
    RowStatistics,
    fit_by_likelihood,
    fit_by_moments,
    refit_by_likelihood,
)
from .families import DirichletMixture, GeneralisedDirichlet, HardOrFuzzy
from .rows import Categorical, Dirichlet, Identical, RowDistribution

#: Largest numbers of rows that a mixture is fitted to, and that a bandwidth is chosen from.
MIXTURE_ROWS, BANDWIDTH_ROWS = 10_000, 1_000
#: Largest number of entries of the rows that a mixture is fitted to.
MIXTURE_ENTRIES = 200_000
#: Largest number of components tried, and starts for each number.
MOST_COMPONENTS, STARTS = 6, 4
FIRST_STEPS, MOST_STEPS = 20, 500
#: Precisions that represent one-hot and identical rows within a mixture.
HARD_PRECISION, SHARP_PRECISION = 1e-9, 1e7
#: Precisions of components whose likelihood has an ordinary maximum.
ORDINARY_PRECISION = 0.01, 1e5
SMALLEST = 1e-300
#: Smallest bandwidth of a kernel density that the likelihood may choose, the smallest that rows
#: that are nearly the same may need, and the largest share that it may add to the variance.
SMALLEST_BANDWIDTH, FINEST_BANDWIDTH, MOST_ADDED = 1e-8, 1e-22, 0.05


def fit_generalised(rows: FloatArray, resolution: float) -> RowDistribution:
    """Fit a generalised Dirichlet by maximum likelihood.

    The likelihood separates into k - 1 fits of two columns: a share, and the rest.
    """
    splits: list[RowDistribution] = [
        Identical(np.array([1.0, 0.0])) if statistics is None else fit_by_likelihood(statistics)
        for statistics in _share_statistics(rows, resolution)
    ]
    return GeneralisedDirichlet(tuple(splits))


def _share_statistics(rows: FloatArray, resolution: float) -> Iterator[RowStatistics | None]:
    """Yield for each column but the last the statistics of its share, and of the rest.

    None stands for a column before which nothing is left in any row.
    """
    if isinstance(rows, BlockRows):
        yield from map(_statistics_of_sums, rows.share_sums(resolution))
        return
    left = np.cumsum(rows[:, ::-1], axis=1)[:, ::-1]
    for j in range(rows.shape[1] - 1):
        some = left[:, j] >= resolution
        if not some.any():
            yield None
            continue
        parts = np.stack([rows[some, j], left[some, j + 1]], axis=1)
        yield _statistics_of_shares(parts, resolution)


def _statistics_of_shares(parts: FloatArray, resolution: float) -> RowStatistics:
    """Return the statistics of the shares of two parts in their sum.

    The resolution applies to the parts. The smaller their sum, the coarser are the shares.
    """
    whole = parts.sum(axis=1, keepdims=True)
    shares = parts / whole
    # If the sum is hardly above the resolution, a share is known only to lie between 0 and 1.
    limits = np.minimum(resolution / whole, 0.5)
    below = shares < limits
    return RowStatistics(
        shares.mean(axis=0),
        shares.var(axis=0),
        below.mean(axis=0),
        np.log(np.maximum(shares, limits)).mean(axis=0),
    )


def _statistics_of_sums(sums: FloatArray) -> RowStatistics | None:
    """Return the statistics of the shares of a column from sums over blocks (``ShareSums``)."""
    if sums[0] == 0.0:
        return None
    mean, square, below, logs = (sums[1:] / sums[0]).reshape(4, 2)
    variance = np.maximum(square - (mean - 0.5) ** 2, 0.0)
    return RowStatistics(mean, variance, below, logs)


def fit_hard_or_fuzzy(memberships: FloatArray, resolution: float) -> RowDistribution:
    """Fit the share of hard rows, their proportions, and a Dirichlet for the other rows."""
    counts, statistics = _hard_and_fuzzy(memberships, resolution)
    hard = int(counts.sum())
    proportions = Categorical(counts / max(hard, 1))
    if statistics is None:
        return proportions
    fuzzy = fit_by_likelihood(statistics)
    return HardOrFuzzy(hard / memberships.shape[0], proportions, fuzzy) if hard else fuzzy


def _hard_and_fuzzy(
    memberships: FloatArray, resolution: float
) -> tuple[IntArray, RowStatistics | None]:
    """Count the hard rows of each cluster, and return the statistics of the others, if any."""
    if isinstance(memberships, BlockRows):
        counts, some, away, squares, below, logs = memberships.hard_or_fuzzy_sums(resolution)
        if not some:
            return counts, None
        shift = away / some
        variance = np.maximum(squares / some - shift**2, 0.0)
        mean = memberships.survey.mean + shift
        return counts, RowStatistics(mean, variance, below / some, logs / some)
    hard = (memberships >= resolution).sum(axis=1) == 1
    counts = np.bincount(memberships[hard].argmax(axis=1), minlength=memberships.shape[1])
    return counts, None if hard.all() else RowStatistics.of(memberships[~hard], resolution)


def fit_kernel(
    memberships: FloatArray, resolution: float, bandwidth: float | None
) -> DirichletMixture:
    """Fit a kernel density: a mixture of one Dirichlet for each row, with that row as its mean.

    Zeros remain zero, and hard rows remain hard. The precision is 1/bandwidth; by default it is
    the one that predicts each row best from the others.
    """
    rows = _sorted(memberships)
    if bandwidth is None:
        bandwidth = _best_bandwidth(rows, resolution)
    n = rows.shape[0]
    return DirichletMixture(np.full(n, 1.0 / n), rows / bandwidth, "kernel density")


def _best_bandwidth(rows: FloatArray, resolution: float) -> float:
    """Choose the bandwidth by leave-one-out likelihood, with a limit on the added variance."""
    from scipy.optimize import minimize_scalar  # Deferred: slow to import.

    some = _evenly(rows, BANDWIDTH_ROWS)
    logs = _Logs(some, resolution)
    _, groups = np.unique(some, axis=0, return_inverse=True)
    # A row must not predict itself nor its copies, because the best bandwidth would then be 0. Hard
    # rows are the exception: smoothing does not change them, so their copies may predict them.
    copies = np.where(logs.hard, np.arange(groups.size), groups.size + groups.ravel())
    same = copies[:, None] == copies

    predicted = ~same.all(axis=1)  # Rows that some other row predicts.
    if not predicted.any():
        return SMALLEST_BANDWIDTH

    densities = _scaled_densities(logs, ~same)

    def loss(log_bandwidth: float) -> float:
        return -float(_log_sums(densities(log_bandwidth)[predicted])[0].mean())

    limits = np.log([SMALLEST_BANDWIDTH, 2.0])
    best = float(np.exp(minimize_scalar(loss, bounds=limits, method="bounded").x))
    # More rows need less smoothing, at the usual rate in k - 1 dimensions.
    best *= (some.shape[0] / rows.shape[0]) ** (2.0 / (rows.shape[1] + 3.0))
    # Smoothing a row x adds a variance of x (1 - x) / (precision + 1). With many clusters all rows
    # are far apart, and the likelihood alone would choose far too much smoothing.
    added = float((rows * (1.0 - rows)).sum(axis=1).mean())
    most = MOST_ADDED * float(rows.var(axis=0).sum()) / max(added, SMALLEST)
    return float(max(min(best, most), FINEST_BANDWIDTH))


def fit_mixture(
    memberships: FloatArray, resolution: float, components: int | None
) -> RowDistribution:
    """Fit a mixture of Dirichlets by EM; BIC chooses the number of components if it is None."""
    if components == 1:
        return fit_by_likelihood(RowStatistics.of(memberships, resolution))
    most = int(np.clip(MIXTURE_ENTRIES // memberships.shape[1], MIXTURE_ROWS // 20, MIXTURE_ROWS))
    rows = _evenly(_sorted(memberships), most)
    logs = _Logs(rows, resolution)
    n, k = rows.shape
    if components is not None:
        return _best_start(logs, components)[1]
    best, best_score, worse = None, np.inf, 0
    for m in range(1, min(MOST_COMPONENTS, max(1, n // (2 * k))) + 1):
        likelihood, mixture = _best_start(logs, m)
        score = (m * (k + 1) - 1) * np.log(n) - 2.0 * likelihood
        if score < best_score:
            best, best_score, worse = mixture, score, 0
        else:
            worse += 1
        if worse == 2:
            break
    assert best is not None
    return best if best.weights.size > 1 else fit_mixture(memberships, resolution, 1)


def _scaled_densities(logs: _Logs, asked: npt.NDArray[np.bool_]) -> Callable[[float], FloatArray]:
    """Return the log-densities of rows around rows as a function of the logarithm of the bandwidth.

    The concentrations are rows divided by the bandwidth, so that its powers come out of all sums.
    Densities that are not asked for are -infinity.
    """
    rows, above = logs.rows, 1.0 - logs.censored
    used = rows > SMALLEST
    linear = logs.logs @ rows.T
    fixed = above @ np.log(np.maximum(rows, SMALLEST)).T
    fixed[~asked] = -np.inf
    degrees = above @ used.T.astype(np.float64)
    out, part = np.empty_like(linear), np.empty_like(linear)

    def densities(log_bandwidth: float) -> FloatArray:
        scale = np.exp(-log_bandwidth)
        np.multiply(linear, scale, out=out)
        np.multiply(degrees, log_bandwidth, out=part)
        np.subtract(out, part, out=out)
        np.add(out, fixed, out=out)
        np.add(out, _constants(rows * scale), out=out)
        return out

    return densities


def _constants(alphas: FloatArray) -> FloatArray:
    """Return the logarithm of the part of each Dirichlet's density that no row changes."""
    total = alphas.sum(axis=1)
    gammas = gammaln(np.maximum(alphas, SMALLEST) + 1.0).sum(axis=1)
    return np.asarray(gammaln(total + 1.0) - np.log(total) - gammas)


def _log_sums(logs: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the logarithm of each row's sum of exponentials, and their shares in it.

    SciPy's ``logsumexp`` does the same in several times the time. Destroys its argument.
    """
    largest = logs.max(axis=1, keepdims=True)
    logs -= largest
    shares = np.exp(logs, out=logs)
    sums = shares.sum(axis=1, keepdims=True)
    shares /= sums
    return (np.log(sums) + largest).ravel(), shares


class _Logs:
    """Rows with the logarithms that densities need, computed once."""

    def __init__(self, rows: FloatArray, resolution: float) -> None:
        self.rows = rows
        self.censored = (rows < resolution).astype(np.float64)
        self.logs = np.log(np.maximum(rows, resolution))
        self.hard = self.censored.sum(axis=1) == rows.shape[1] - 1

    def densities(self, alphas: FloatArray) -> FloatArray:
        """Return log-densities of rows under Dirichlets, up to a constant of each row: (n, m)."""
        powers = (1.0 - self.censored) @ np.log(np.maximum(alphas, SMALLEST)).T
        return np.asarray(self.logs @ alphas.T + powers + _constants(alphas))

    def weighted(self, weights: FloatArray) -> RowStatistics:
        """Return the statistics that a fit needs, with a weight for each row."""
        w = weights / weights.sum()
        mean = w @ self.rows
        variance = np.maximum(w @ (self.rows - mean) ** 2, 0.0)
        return RowStatistics(mean, variance, w @ self.censored, w @ self.logs)

    @cached_property
    def entries(self) -> FloatArray:
        """Whether entries are censored, and their logarithms, side by side."""
        return np.concatenate([self.censored, self.logs], axis=1)


def _best_start(logs: _Logs, m: int) -> tuple[float, DirichletMixture]:
    """Run EM to its end from the likeliest of several starts."""
    starts = _starts(logs, m) if m > 1 else [np.ones((logs.rows.shape[0], 1))]
    begun = [_climb(logs, memberships, FIRST_STEPS) for memberships in starts]
    likelihood, _, shares = max(begun, key=lambda climbed: climbed[0])
    likelihood, mixture, _ = _climb(logs, shares, MOST_STEPS)
    return likelihood, mixture


def _climb(
    logs: _Logs, shares: FloatArray, steps: int
) -> tuple[float, DirichletMixture, FloatArray]:
    """Run EM from the shares of each row in each component."""
    n = logs.rows.shape[0]
    likelihood = -np.inf
    alphas: FloatArray | None = None
    for _ in range(steps):
        weights = np.maximum(shares.sum(axis=0), SMALLEST) / n
        alphas = _components(logs, shares, alphas)
        norms, shares = _log_sums(logs.densities(alphas) + np.log(weights))
        gained, likelihood = float(norms.sum()) - likelihood, float(norms.sum())
        if gained < 1e-6 * n:
            break
    assert alphas is not None
    order = np.argsort(-weights, kind="stable")
    mixture = DirichletMixture(weights[order] / weights.sum(), alphas[order])
    return likelihood, mixture, shares


def _components(logs: _Logs, shares: FloatArray, before: FloatArray | None) -> FloatArray:
    """Fit the concentrations of all components, given those they had ``before`` a small change.

    Ordinary components start from these, and take their steps together. Components that are hard,
    sharp or nearly without rows are fitted one by one.
    """
    if before is not None:
        fitted = _refitted(logs, shares, before)
        if fitted is not None:
            return fitted
    return np.stack([_component(logs, column) for column in shares.T])


def _refitted(logs: _Logs, shares: FloatArray, before: FloatArray) -> FloatArray | None:
    """Fit all components together; None if one of them is not ordinary."""
    low, high = ORDINARY_PRECISION
    sums, total = shares.sum(axis=0), before.sum(axis=1)
    if not ((sums > 1.0) & (total > low) & (total < high)).all():
        return None
    censored, mean_logs = np.split((shares / sums).T @ logs.entries, 2, axis=1)
    # One-hot rows have one entry each above the resolution.
    hard = (1.0 - censored).sum(axis=1) < 1.01
    if hard.any() or (censored > 0.99).any():
        return None
    try:
        alphas = refit_by_likelihood(before, censored, mean_logs)
    except FuzzyRandError:  # No maximum.
        return None
    return alphas if (alphas.sum(axis=1) < high).all() else None


def _component(logs: _Logs, shares: FloatArray) -> FloatArray:
    """Fit the concentrations of a component, within limits that keep it a density."""
    if shares.sum() < 1e-6:
        shares = shares + 1e-6  # A component that has lost all its rows starts again.
    statistics = logs.weighted(shares)
    try:
        rows = fit_by_likelihood(statistics)
    except FuzzyRandError:  # No maximum, as with the same zeros in all rows.
        rows = fit_by_moments(statistics)
    if isinstance(rows, Categorical):
        return HARD_PRECISION * rows.p
    if isinstance(rows, Identical):
        return SHARP_PRECISION * rows.row
    assert isinstance(rows, Dirichlet)
    total = float(rows.alpha.sum())
    return rows.alpha * min(1.0, SHARP_PRECISION / total)


def _starts(logs: _Logs, m: int) -> list[FloatArray]:
    """Return start values: rows grouped by fuzziness, and by nearness to random rows."""
    rows = logs.rows
    fuzziness = 1.0 - (rows**2).sum(axis=1)
    rank = np.argsort(np.argsort(fuzziness, kind="stable"), kind="stable")
    groupings = [rank * m // rows.shape[0]]
    roots = np.sqrt(rows)
    for seed in range(STARTS - 1):
        rng = np.random.default_rng(seed)
        centres = roots[rng.integers(rows.shape[0])][None]
        while centres.shape[0] < m:  # Far from the earlier ones, as in k-means++.
            nearest = (1.0 - roots @ centres.T).clip(0.0).min(axis=1) + 1e-12
            chosen = rng.choice(rows.shape[0], p=nearest / nearest.sum())
            centres = np.vstack([centres, roots[chosen]])
        groupings.append((roots @ centres.T).argmax(axis=1))
    # Every row belongs a little to every component, so that no component is empty.
    return [0.9 * np.eye(m)[groups] + 0.1 / m for groups in groupings]


def size_order(memberships: FloatArray) -> IntArray:
    """Order clusters from large to small; the less concentrated of equal ones comes first."""
    if isinstance(memberships, BlockRows):
        seen = memberships.survey
        return np.lexsort((seen.spread + seen.n * seen.mean**2, -seen.mean))
    return np.lexsort(((memberships**2).sum(axis=0), -memberships.sum(axis=0)))


def _sorted(rows: FloatArray) -> FloatArray:
    """Sort rows by their entries."""
    return np.asarray(rows[np.lexsort(rows.T[::-1])])


def _evenly(rows: FloatArray, most: int) -> FloatArray:
    """Return at most ``most`` rows, evenly spaced."""
    n = rows.shape[0]
    return rows if n <= most else rows[np.linspace(0, n - 1, most).astype(np.intp)]
