"""Fitting the distributions of ``families`` to the memberships of a clustering.

Entries below the resolution are taken as known only to lie below it, as in ``fitting``. Clusters
come in the order of their sizes (``size_order``), and rows are sorted where their order would
matter, so that results do not depend on how points and clusters happen to be numbered.
"""

from __future__ import annotations

import numpy as np
from scipy.special import gammaln, logsumexp

from .._base.errors import FuzzyRandError
from .._base.types import FloatArray, IntArray
from .dirichlet_fit import RowStatistics, fit_by_likelihood, fit_by_moments
from .families import DirichletMixture, GeneralisedDirichlet, HardOrFuzzy
from .rows import Categorical, Dirichlet, Identical, RowDistribution

#: Rows that a mixture is fitted to, and that choose a bandwidth, where there are more.
MIXTURE_ROWS, BANDWIDTH_ROWS = 10_000, 1_000
#: Entries of these rows, where there are many clusters.
MIXTURE_ENTRIES = 200_000
#: Components tried where their number is to be chosen, and starts of each.
MOST_COMPONENTS, STARTS = 6, 4
FIRST_STEPS, MOST_STEPS = 20, 500
#: Precisions that stand for one-hot and for identical rows within a mixture.
HARD_PRECISION, SHARP_PRECISION = 1e-9, 1e7
SMALLEST = 1e-300
#: Least smoothing of a kernel density that likelihood may choose, least that rows nearly the same
#: may call for, and most that smoothing may add to the total variance.
SMALLEST_BANDWIDTH, FINEST_BANDWIDTH, MOST_ADDED = 1e-8, 1e-22, 0.05


def fit_generalised(rows: FloatArray, resolution: float) -> RowDistribution:
    """Maximum likelihood splits into k - 1 fits of two columns: a share, and what is left."""
    left = np.cumsum(rows[:, ::-1], axis=1)[:, ::-1]
    splits: list[RowDistribution] = []
    for j in range(rows.shape[1] - 1):
        some = left[:, j] >= resolution
        if not some.any():
            splits.append(Identical(np.array([1.0, 0.0])))
            continue
        parts = np.stack([rows[some, j], left[some, j + 1]], axis=1)
        splits.append(fit_by_likelihood(_statistics_of_shares(parts, resolution)))
    return GeneralisedDirichlet(tuple(splits))


def _statistics_of_shares(parts: FloatArray, resolution: float) -> RowStatistics:
    """Return what a fit needs of the shares of two parts in their sum.

    The resolution is one of the parts: the less there is to share, the coarser are the shares.
    """
    whole = parts.sum(axis=1, keepdims=True)
    shares = parts / whole
    # Where no more is left than may be lost, a share of it is known to be a share and no more.
    limits = np.minimum(resolution / whole, 0.5)
    below = shares < limits
    return RowStatistics(
        shares.mean(axis=0),
        shares.var(axis=0),
        below.mean(axis=0),
        np.log(np.maximum(shares, limits)).mean(axis=0),
    )


def fit_hard_or_fuzzy(memberships: FloatArray, resolution: float) -> RowDistribution:
    """The share of hard rows with their proportions, and a Dirichlet for the others."""
    hard = (memberships >= resolution).sum(axis=1) == 1
    clusters = memberships[hard].argmax(axis=1)
    counts = np.bincount(clusters, minlength=memberships.shape[1])
    proportions = Categorical(counts / max(clusters.size, 1))
    if hard.all():
        return proportions
    fuzzy = fit_by_likelihood(RowStatistics.of(memberships[~hard], resolution))
    return HardOrFuzzy(float(hard.mean()), proportions, fuzzy) if hard.any() else fuzzy


def fit_kernel(
    memberships: FloatArray, resolution: float, bandwidth: float | None
) -> DirichletMixture:
    """A Dirichlet about every row, its mean that row: zeros stay zero and hard rows hard.

    The precision is 1/bandwidth; by default the one that predicts each row best from the others.
    """
    rows = _sorted(memberships)
    if bandwidth is None:
        bandwidth = _best_bandwidth(rows, resolution)
    n = rows.shape[0]
    return DirichletMixture(np.full(n, 1.0 / n), rows / bandwidth, "kernel density")


def _best_bandwidth(rows: FloatArray, resolution: float) -> float:
    """Leave-one-out likelihood, on some rows if there are many; but no more than the data bear."""
    from scipy.optimize import minimize_scalar  # slow to import

    some = _evenly(rows, BANDWIDTH_ROWS)
    logs = _Logs(some, resolution)
    _, groups = np.unique(some, axis=0, return_inverse=True)
    # A row must not predict itself, nor a copy of it, which would call for no smoothing at all;
    # hard rows are no density that smoothing could lower, and copies of them may.
    copies = np.where(logs.hard, np.arange(groups.size), groups.size + groups.ravel())
    same = copies[:, None] == copies

    predicted = ~same.all(axis=1)  # by some other row
    if not predicted.any():
        return SMALLEST_BANDWIDTH

    def loss(log_bandwidth: float) -> float:
        densities = logs.densities(some * np.exp(-log_bandwidth))
        densities[same] = -np.inf
        return -float(logsumexp(densities[predicted], axis=1).mean())

    limits = np.log([SMALLEST_BANDWIDTH, 2.0])
    found = float(np.exp(minimize_scalar(loss, bounds=limits, method="bounded").x))
    # More rows need less smoothing: the usual rate in k - 1 dimensions.
    found *= (some.shape[0] / rows.shape[0]) ** (2.0 / (rows.shape[1] + 3.0))
    # Blurring a row x adds a variance of x (1 - x) / (precision + 1). Among many clusters all rows
    # are far apart, and likelihood alone would blur away what there is.
    added = float((rows * (1.0 - rows)).sum(axis=1).mean())
    most = MOST_ADDED * float(rows.var(axis=0).sum()) / max(added, SMALLEST)
    return float(max(min(found, most), FINEST_BANDWIDTH))


def fit_mixture(
    memberships: FloatArray, resolution: float, components: int | None
) -> RowDistribution:
    """Expectation-maximisation; the number of components by BIC unless it is given."""
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


class _Logs:
    """Rows with the logarithms that densities need, taken once."""

    def __init__(self, rows: FloatArray, resolution: float) -> None:
        self.rows = rows
        self.censored = (rows < resolution).astype(np.float64)
        self.logs = np.log(np.maximum(rows, resolution))
        self.hard = self.censored.sum(axis=1) == rows.shape[1] - 1

    def densities(self, alphas: FloatArray) -> FloatArray:
        """Log-density of each row (a constant of the row aside) under each Dirichlet: (n, m)."""
        positive = np.maximum(alphas, SMALLEST)
        total = alphas.sum(axis=1)
        constant = gammaln(total + 1.0) - np.log(total) - gammaln(positive + 1.0).sum(axis=1)
        return np.asarray(
            self.logs @ alphas.T + (1.0 - self.censored) @ np.log(positive).T + constant
        )

    def weighted(self, weights: FloatArray) -> RowStatistics:
        """What a fit needs, with a weight for each row."""
        w = weights / weights.sum()
        mean = w @ self.rows
        variance = np.maximum(w @ (self.rows - mean) ** 2, 0.0)
        return RowStatistics(mean, variance, w @ self.censored, w @ self.logs)


def _best_start(logs: _Logs, m: int) -> tuple[float, DirichletMixture]:
    """The likeliest of several starts, followed to its end."""
    starts = _starts(logs, m) if m > 1 else [np.ones((logs.rows.shape[0], 1))]
    begun = [_climb(logs, memberships, FIRST_STEPS) for memberships in starts]
    likelihood, _, shares = max(begun, key=lambda climbed: climbed[0])
    likelihood, mixture, _ = _climb(logs, shares, MOST_STEPS)
    return likelihood, mixture


def _climb(
    logs: _Logs, shares: FloatArray, steps: int
) -> tuple[float, DirichletMixture, FloatArray]:
    """Expectation-maximisation from shares of each row in each component."""
    n = logs.rows.shape[0]
    likelihood = -np.inf
    for _ in range(steps):
        weights = np.maximum(shares.sum(axis=0), SMALLEST) / n
        alphas = np.stack([_component(logs, column) for column in shares.T])
        joint = logs.densities(alphas) + np.log(weights)
        norms = logsumexp(joint, axis=1)
        shares = np.exp(joint - norms[:, None])
        gained, likelihood = float(norms.sum()) - likelihood, float(norms.sum())
        if gained < 1e-6 * n:
            break
    order = np.argsort(-weights, kind="stable")
    mixture = DirichletMixture(weights[order] / weights.sum(), alphas[order])
    return likelihood, mixture, shares


def _component(logs: _Logs, shares: FloatArray) -> FloatArray:
    """Concentrations of one component, kept away from both limits that are no densities."""
    if shares.sum() < 1e-6:
        shares = shares + 1e-6  # a component that has lost all rows starts anew
    statistics = logs.weighted(shares)
    try:
        rows = fit_by_likelihood(statistics)
    except FuzzyRandError:  # the same zeros in all of its rows may leave no maximum
        rows = fit_by_moments(statistics)
    if isinstance(rows, Categorical):
        return HARD_PRECISION * rows.p
    if isinstance(rows, Identical):
        return SHARP_PRECISION * rows.row
    assert isinstance(rows, Dirichlet)
    total = float(rows.alpha.sum())
    return rows.alpha * min(1.0, SHARP_PRECISION / total)


def _starts(logs: _Logs, m: int) -> list[FloatArray]:
    """Rows dealt out by how fuzzy they are, and by nearness to some of them."""
    rows = logs.rows
    fuzziness = 1.0 - (rows**2).sum(axis=1)
    rank = np.argsort(np.argsort(fuzziness, kind="stable"), kind="stable")
    dealt = [rank * m // rows.shape[0]]
    roots = np.sqrt(rows)
    for seed in range(STARTS - 1):
        rng = np.random.default_rng(seed)
        centres = roots[rng.integers(rows.shape[0])][None]
        while centres.shape[0] < m:  # far from those chosen, as k-means++ does
            nearest = (1.0 - roots @ centres.T).clip(0.0).min(axis=1) + 1e-12
            chosen = rng.choice(rows.shape[0], p=nearest / nearest.sum())
            centres = np.vstack([centres, roots[chosen]])
        dealt.append((roots @ centres.T).argmax(axis=1))
    # A little of every component in every row, so that none is empty.
    return [0.9 * np.eye(m)[group] + 0.1 / m for group in dealt]


def size_order(memberships: FloatArray) -> IntArray:
    """Clusters from large to small; of equal ones the less concentrated first."""
    return np.lexsort(((memberships**2).sum(axis=0), -memberships.sum(axis=0)))


def _sorted(rows: FloatArray) -> FloatArray:
    """Rows in the order of their entries."""
    return np.asarray(rows[np.lexsort(rows.T[::-1])])


def _evenly(rows: FloatArray, most: int) -> FloatArray:
    """So many rows at most, evenly spaced."""
    n = rows.shape[0]
    return rows if n <= most else rows[np.linspace(0, n - 1, most).astype(np.intp)]
