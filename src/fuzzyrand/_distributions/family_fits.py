"""Fit the distributions of ``families`` to the memberships of a clustering.

Entries below their limits are censored, as in ``dirichlet_fit``. Clusters are sorted by size
(``size_order``), and rows are sorted where their order would matter, so that results do not depend
on how points and clusters are numbered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from .._base.types import FloatArray, IntArray
from .._clusterings.blocks.rows import BlockRows
from .._clusterings.treatment import Treatment
from .dirichlet_fit import RowStatistics, fit_by_likelihood, hidden_in
from .families import DirichletMixture, GeneralisedDirichlet, HardOrFuzzy
from .row_logs import SMALLEST, UNTHREADED, RowLogs, evenly_spaced, log_constants, sorted_rows
from .rows import Categorical, Identical, RowDistribution

#: Most rows used to choose a bandwidth, and most densities computed at a time.
BANDWIDTH_ROWS, DENSITIES = 1_000, 1 << 16
#: Smallest bandwidth that the likelihood may choose, the smallest that nearly equal rows may need,
#: and the largest relative increase of the variance by smoothing.
SMALLEST_BANDWIDTH, FINEST_BANDWIDTH, MOST_ADDED = 1e-8, 1e-22, 0.05


def fit_generalised(
    rows: FloatArray, treatment: Treatment, weights: FloatArray | None = None
) -> RowDistribution:
    """Fit a generalised Dirichlet by maximum likelihood, with weights of the rows if there are any.

    The likelihood separates into k - 1 fits of two columns: a share and the remainder.
    """
    splits: list[RowDistribution] = [
        Identical(np.array([1.0, 0.0])) if statistics is None else fit_by_likelihood(statistics)
        for statistics in _share_statistics(rows, treatment, weights)
    ]
    return GeneralisedDirichlet(tuple(splits))


def _share_statistics(
    rows: FloatArray, treatment: Treatment, weights: FloatArray | None
) -> Iterator[RowStatistics | None]:
    """Yield, for each column but the last, the statistics of its share and of the remainder.

    None stands for a column at which no row has anything left to share.
    """
    if isinstance(rows, BlockRows):
        for sums in rows.share_sums(treatment):
            yield _statistics_of_sums(sums, treatment)
        return
    left = np.cumsum(rows[:, ::-1], axis=1)[:, ::-1]
    limits = np.broadcast_to(treatment.limits(rows), (rows.shape[0], 1))
    for j in range(rows.shape[1] - 1):
        some = left[:, j] >= limits[:, 0]
        if not some.any():
            yield None
            continue
        parts = np.stack([rows[some, j], left[some, j + 1]], axis=1)
        own = None if weights is None else weights[some]
        yield _statistics_of_shares(parts, limits[some], treatment, own)


def _statistics_of_shares(
    parts: FloatArray, limits: FloatArray, treatment: Treatment, weights: FloatArray | None
) -> RowStatistics:
    """Return the statistics of the shares of two parts in their sum.

    Limits apply to the parts; the smaller their sum, the coarser the shares.
    """
    whole = parts.sum(axis=1, keepdims=True)
    shares = parts / whole
    # If the sum is hardly above the limit, a share is only known to lie between 0 and 1.
    limits = np.minimum(limits / whole, 0.5)
    below = shares < limits

    def mean(values: npt.NDArray[Any]) -> FloatArray:
        return np.asarray(np.average(values, axis=0, weights=weights))

    center = mean(shares)
    # Exactly 1 where all entries are below, although sums of weights have some rounding.
    censored = below.mean(axis=0) if weights is None else np.maximum(1.0 - mean(~below), 0.0)
    return RowStatistics(
        center,
        mean((shares - center) ** 2),
        censored,
        mean(np.log(np.maximum(shares, limits))),
        hidden_in(mean(below * limits), censored, treatment),
    )


def _statistics_of_sums(sums: FloatArray, treatment: Treatment) -> RowStatistics | None:
    """Return the statistics of the shares of a column from sums over blocks (``ShareSums``)."""
    if sums[0] == 0.0:
        return None
    mean, square, below, logs, limits = (sums[1:] / sums[0]).reshape(5, 2)
    variance = np.maximum(square - (mean - 0.5) ** 2, 0.0)
    return RowStatistics(mean, variance, below, logs, hidden_in(limits, below, treatment))


def fit_hard_or_fuzzy(
    memberships: FloatArray, treatment: Treatment, weights: FloatArray | None = None
) -> RowDistribution:
    """Fit the share of hard rows, their proportions, and a Dirichlet for the other rows.

    Weights of the rows, if there are any, have a mean of 1.
    """
    counts, statistics = _hard_and_fuzzy(memberships, treatment, weights)
    hard = float(counts.sum())
    proportions = Categorical(counts / (hard or 1.0))
    if statistics is None:
        return proportions
    fuzzy = fit_by_likelihood(statistics)
    return HardOrFuzzy(hard / memberships.shape[0], proportions, fuzzy) if hard else fuzzy


def _hard_and_fuzzy(
    memberships: FloatArray, treatment: Treatment, weights: FloatArray | None
) -> tuple[npt.NDArray[Any], RowStatistics | None]:
    """Count the hard rows of each cluster, and return the statistics of the others, if any."""
    if isinstance(memberships, BlockRows):
        counts, some, away, squares, *sums = memberships.hard_or_fuzzy_sums(treatment)
        if not some:
            return counts, None
        shift = away / some
        variance = np.maximum(squares / some - shift**2, 0.0)
        mean = memberships.survey.mean + shift
        below, logs, limits = (each / some for each in sums)
        hidden = hidden_in(limits, below, treatment)
        return counts, RowStatistics(mean, variance, below, logs, hidden)
    hard = (memberships >= treatment.limits(memberships)).sum(axis=1) == 1
    own = None if weights is None else weights[hard]
    counts = np.bincount(memberships[hard].argmax(axis=1), own, memberships.shape[1])
    if hard.all():
        return counts, None
    own = None if weights is None else weights[~hard]
    return counts, RowStatistics.of(memberships[~hard], treatment, weights=own)


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


def size_order(memberships: FloatArray, weights: FloatArray | None = None) -> IntArray:
    """Order clusters from large to small; among equal ones, the least concentrated comes first."""
    if isinstance(memberships, BlockRows):
        seen = memberships.survey
        return np.lexsort((seen.spread + seen.n * seen.mean**2, -seen.mean))
    if weights is not None:
        return np.lexsort((weights @ memberships**2, -(weights @ memberships)))
    return np.lexsort(((memberships**2).sum(axis=0), -memberships.sum(axis=0)))
