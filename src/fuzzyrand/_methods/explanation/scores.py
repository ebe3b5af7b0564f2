"""Scores of points, and of clusters as means over their points."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..._analysis import Analysis
from ..._base.estimate import ROUNDING
from ..._base.types import FloatArray
from ..._clusterings.partition import Partition
from ..._pairs.cover_levels import point_discordances
from ..._pairs.point_sums import point_means
from ..._pairs.table import scores_of_points
from ...indices import Omega, PairIndex, TableIndex
from ...results import Comparison


class PointScores(NamedTuple):
    """The score of each point, and its Monte Carlo error if pairs were sampled."""

    scores: FloatArray
    stderr: FloatArray | None


def point_scores(comparison: Comparison) -> PointScores:
    """Return 1 − Dᵢ/E for each point, where Dᵢ is the mean discordance of its pairs."""
    analysis, index = comparison.analysis, comparison.analysis.index
    first, second = analysis.partitions
    expected = 1.0 - comparison.expected
    if expected <= ROUNDING:  # chance agrees on every pair, and so do these
        return PointScores(np.ones(first.n), None)
    if isinstance(index, TableIndex):
        return PointScores(1.0 - _table_discordances(analysis) / expected, None)
    if analysis.discordances is not None:
        return PointScores(1.0 - analysis.discordances / expected, None)
    if isinstance(index, Omega):
        return PointScores(1.0 - point_discordances(first, second) / expected, None)
    assert isinstance(index, PairIndex)
    means = point_means(first, second, index.agreement, index.concordance, analysis.effort)
    stderr = None if means.stderr is None else means.stderr / expected
    return PointScores(1.0 - means.discordance / expected, stderr)


def _table_discordances(analysis: Analysis) -> FloatArray:
    """Return the discordance of each point, for an index of tables that is a mean over points."""
    index, pair = analysis.index, analysis.sides[0].tabulated(analysis.sides[1])
    assert isinstance(index, TableIndex)
    values = scores_of_points(pair.first, pair.second, pair.table, index.heights(pair))
    mean = float(np.average(values, weights=pair.first.weights))
    discordance = index.observed(pair).value
    return values * (discordance / mean) if mean > 0.0 else np.full(values.size, discordance)


def cluster_scores(partition: Partition, scores: FloatArray) -> FloatArray:
    """Average the scores of points, weighted by memberships; NaN for an empty cluster."""
    clusters = partition.clusters
    if partition.weights is not None:
        scores = scores * partition.weights
    sums = partition.shared.sums(scores)[:clusters]
    sizes = partition.sizes[:clusters]
    means = np.full(clusters, np.nan)
    np.divide(sums, sizes, out=means, where=sizes > 0.0)
    return means
