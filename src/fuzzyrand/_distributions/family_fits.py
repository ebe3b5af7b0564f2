"""Fit the distributions of ``row_families`` to the memberships of a clustering.

Entries below their limits are censored, as in ``dirichlet_fit``. Clusters are sorted by size
(``size_order``), and rows are sorted where their order would matter, so that results do not depend
on how points and clusters are numbered.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from .._base.types import FloatArray, IntArray
from .._clusterings.rows import Rows
from .._clusterings.treatment import Treatment
from .dirichlet_fit import fit_by_likelihood
from .row_distributions import Categorical, Identical, RowDistribution
from .row_families import DirichletMixture, GeneralisedDirichlet, HardOrFuzzy
from .row_logs import SMALLEST, UNTHREADED, RowLogs, evenly_spaced, log_constants, sorted_rows
from .row_statistics import hard_and_fuzzy, share_statistics

#: Most rows used to choose a bandwidth, and most densities computed at a time.
BANDWIDTH_ROWS, DENSITIES = 1_000, 1 << 16
#: Smallest bandwidth that the likelihood may choose, the smallest that nearly equal rows may need,
#: and the largest relative increase of the variance by smoothing.
SMALLEST_BANDWIDTH, FINEST_BANDWIDTH, MOST_ADDED = 1e-8, 1e-22, 0.05


def fit_generalised(
    rows: Rows, treatment: Treatment, weights: FloatArray | None = None
) -> RowDistribution:
    """Fit a generalised Dirichlet by maximum likelihood, with weights of the rows if there are any.

    The likelihood separates into k - 1 fits of two columns: a share and the remainder.
    """
    splits: list[RowDistribution] = [
        Identical(np.array([1.0, 0.0])) if statistics is None else fit_by_likelihood(statistics)
        for statistics in share_statistics(rows, treatment, weights)
    ]
    return GeneralisedDirichlet(tuple(splits))


def fit_hard_or_fuzzy(
    rows: Rows, treatment: Treatment, weights: FloatArray | None = None
) -> RowDistribution:
    """Fit the share of hard rows, their proportions, and a Dirichlet for the other rows.

    Weights of the rows, if there are any, have a mean of 1.
    """
    counts, statistics = hard_and_fuzzy(rows, treatment, weights)
    hard = float(counts.sum())
    proportions = Categorical(counts / (hard or 1.0))
    if statistics is None:
        return proportions
    fuzzy = fit_by_likelihood(statistics)
    return HardOrFuzzy(hard / rows.n, proportions, fuzzy) if hard else fuzzy


def fit_kernel(
    memberships: FloatArray,
    treatment: Treatment,
    bandwidth: float | None,
    weights: FloatArray | None = None,
) -> DirichletMixture:
    """Fit a kernel density: a mixture of one Dirichlet for each row, with that row as its mean.

    Zeros remain zero, and hard rows remain hard. The precision is 1/bandwidth; by default, the
    bandwidth is the one that best predicts each row from the others, within limits. Weights of the
    rows, if there are any, have a mean of 1.
    """
    rows, own = sorted_rows(memberships, weights)
    if bandwidth is None:
        bandwidth = _best_bandwidth(rows, treatment, own)
    return DirichletMixture(own / own.sum(), rows / bandwidth, "kernel density")


def _best_bandwidth(rows: FloatArray, treatment: Treatment, weights: FloatArray) -> float:
    """Choose the bandwidth by leave-one-out likelihood, with a limit on the added variance."""
    from scipy.optimize import minimize_scalar  # Deferred: slow to import.

    some = evenly_spaced(rows, BANDWIDTH_ROWS)
    logs = RowLogs(some, treatment, evenly_spaced(weights, BANDWIDTH_ROWS))
    _, groups = np.unique(some, axis=0, return_inverse=True)
    # A row must not predict itself or its copies, because the best bandwidth would then be 0. Hard
    # rows are an exception: smoothing does not change them, so their copies may predict them.
    copies = np.where(logs.hard, np.arange(groups.size), groups.size + groups.ravel())
    same = copies[:, None] == copies
    if same.all():  # No row is predicted by another.
        return SMALLEST_BANDWIDTH
    predictions = _predictions(logs, same)

    def loss(log_bandwidth: float) -> float:
        return -float(np.average(predictions(log_bandwidth), weights=logs.weights))

    limits = np.log([SMALLEST_BANDWIDTH, 2.0])
    best = float(np.exp(minimize_scalar(loss, bounds=limits, method="bounded").x))
    # More rows need less smoothing, at the usual rate in k - 1 dimensions.
    best *= (some.shape[0] / rows.shape[0]) ** (2.0 / (rows.shape[1] + 3.0))
    # Smoothing a row x adds a variance of x (1 - x) / (precision + 1). With many clusters, all rows
    # are far apart, and the likelihood alone would choose far too much smoothing.
    added = float(np.average((rows * (1.0 - rows)).sum(axis=1), weights=weights))
    spread = (rows - np.average(rows, axis=0, weights=weights)) ** 2
    varying = float(np.average(spread, axis=0, weights=weights).sum())
    most = MOST_ADDED * varying / max(added, SMALLEST)
    return float(max(min(best, most), FINEST_BANDWIDTH))


def _predictions(logs: RowLogs, same: npt.NDArray[np.bool_]) -> Callable[[float], FloatArray]:
    """Return how well rows are predicted, as a function of the logarithm of the bandwidth.

    This is, for each row, the logarithm of the (weighted) sum of its densities around all rows that
    are not marked as the same. Since the concentrations are rows divided by the bandwidth, a
    density is the exponential of a dot product of two vectors: one depends on the predicted row,
    the other on the predicting row.
    """
    rows = logs.rows
    n, k = rows.shape
    powers, used = np.log(np.maximum(rows, SMALLEST)), rows > SMALLEST
    of_rows = np.log(logs.weights)
    predicted = np.concatenate([logs.logs, 1.0 - logs.censored, np.ones((n, 1))], axis=1)
    predicting = np.empty((n, 2 * k + 1))
    # A few rows at a time, so that their densities stay in the cache.
    chunk = max(min(DENSITIES, UNTHREADED // (2 * k + 1)) // n, 1)
    out = np.empty((chunk, n))
    blocks = [(low, min(low + chunk, n)) for low in range(0, n, chunk)]
    excluded = [np.nonzero(same[low:high]) for low, high in blocks]

    def predictions(log_bandwidth: float) -> FloatArray:
        alphas = rows * np.exp(-log_bandwidth)
        predicting[:, :k] = alphas
        predicting[:, k:-1] = powers - log_bandwidth * used
        predicting[:, -1] = log_constants(alphas) + of_rows
        sums = np.empty(n)
        for (low, high), itself in zip(blocks, excluded, strict=True):
            densities = np.matmul(predicted[low:high], predicting.T, out=out[: high - low])
            densities[itself] = -np.inf
            largest = densities.max(axis=1)
            densities -= largest[:, None]
            sums[low:high] = np.log(np.exp(densities, out=densities).sum(axis=1)) + largest
        return sums

    return predictions


def size_order(rows: Rows, weights: FloatArray | None = None) -> IntArray:
    """Order clusters from large to small; among equal ones, the least concentrated comes first."""
    return np.lexsort((rows.squares(weights), -rows.sums(weights)))
