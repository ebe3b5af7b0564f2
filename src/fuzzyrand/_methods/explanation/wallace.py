"""Wallace indices: how the pairs of a cluster fare in the other clustering.

The weights of pairs come from one clustering: v_ic v_jc for its cluster c. If it is hard, only the
pairs within the cluster have a weight, and their agreement is 1; then only the mean discordance of
the other clustering from 1 is needed. ``fuzzy_clusters`` has the other case.

Under permutations, each pair meets every pair of the other clustering equally often. The expected
discordance of a pair with agreement b is therefore H(b), the mean over all pairs of the other
clustering. With weights w of the points, pairs count w_i w_j times as much, on both sides.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..._analysis.discordance.observed import Observed
from ..._base.estimate import ROUNDING
from ..._base.types import FloatArray, IntArray
from ..._clusterings.noise import subset
from ..._clusterings.partition import Partition
from ..._clusterings.rows import LabelRows
from ..._pairs.cover_levels import cluster_discordances, expected_by_level
from ..._pairs.point_moments import PointMoments
from ...indices import Omega, PairIndex, Rand
from ...models._laws.side import Side
from ...results.wallace import Wallace, WallaceClusters, WallaceSide
from .discordances import Discordances, adjusted_by, with_total
from .fuzzy_clusters import by_fuzzy_clusters


def wallace_of(sides: tuple[Side, Side], *, quick: bool = False) -> Wallace:
    """Return how the pairs of each clustering's clusters fare in the other clustering.

    Parameters
    ----------
    sides : pair of Side
        The clusterings.
    quick : bool
        Whether to sample fewer pairs, and to sample already when visiting all would take seconds.
    """
    found: list[Discordances | None] = [None, None]
    if isinstance(sides[0].index, Omega):
        own, other = sides[0].partition, sides[1].partition
        if not (own.is_hard and other.is_hard):
            one_way, other_way = _by_levels(own, other), _by_levels(other, own)
            return Wallace(_side(one_way, by_chance=False), _side(other_way, by_chance=False))
        sides = Side(own, Rand(), sides[0].effort), Side(other, Rand(), sides[1].effort)
    for place, side in enumerate(sides):
        if side.partition.is_hard:
            found[place] = _by_hard_clusters(side, sides[1 - place])
    if found[0] is None or found[1] is None:
        fuzzy = by_fuzzy_clusters(sides, quick=quick)
        found = [mine or other for mine, other in zip(found, fuzzy, strict=True)]
    one, two = (side.partition.is_trivial for side in sides)
    # Shuffling the points of a trivial clustering changes nothing: chance does as well as any other
    # clustering, even where the adjusted index would be 0/0, as for the clusters of a hard one.
    by_chance = two and not one, one and not two
    first, second = (
        _side(each, chance)
        for each, chance in zip(found, by_chance, strict=True)
        if each is not None
    )
    return Wallace(first, second, trivial=(one, two))


def _side(found: Discordances, by_chance: bool) -> WallaceSide:
    observed, expected = (
        with_total(found.weights, each) for each in (found.observed, found.expected)
    )
    stderr = found.stderrs
    adjusted = np.where(np.isnan(stderr), np.nan, adjusted_by(observed, expected))
    if by_chance:
        adjusted, stderr = np.where(np.isnan(adjusted), np.nan, 0.0), np.zeros(adjusted.size)
    return WallaceSide(
        observed=float(1.0 - observed[-1]),
        expected=float(1.0 - expected[-1]),
        adjusted=float(adjusted[-1]),
        stderr=float(stderr[-1]),
        clusters=WallaceClusters(
            observed=1.0 - observed[:-1],
            expected=1.0 - expected[:-1],
            adjusted=adjusted[:-1],
            stderr=stderr[:-1],
        ),
    )


def _by_hard_clusters(hard: Side, other: Side) -> Discordances:
    """Average the discordance from 1 over the pairs within each hard cluster."""
    codes, clusters = hard.partition.rows.codes, hard.partition.clusters
    weights = _pairs_within(codes, hard.partition.weights, hard.partition.k)[:clusters]
    observed, errors = _within_clusters(hard, other, weights)
    chance = _from_one(other)
    expected = np.where(weights > 0.0, chance.value, np.nan)
    total = weights.sum()
    error = float(np.sqrt(np.nansum((weights * errors) ** 2))) / total if total > 0.0 else np.nan
    mean = float(np.nansum(weights * observed)) / total if total > 0.0 else np.nan
    means, errors = np.append(observed, mean), np.append(errors, error)
    stderrs = np.zeros(clusters + 1)
    if chance.value > ROUNDING:
        stderrs = np.hypot(errors, means * chance.stderr / chance.value) / chance.value
    return Discordances(weights, observed, expected, np.nan_to_num(stderrs))


def _pairs_within(groups: IntArray, weights: FloatArray | None, count: int) -> FloatArray:
    """Return the number of pairs within each group of points, or their total weight."""
    if weights is None:
        sizes = np.bincount(groups, minlength=count).astype(np.float64)
        return 0.5 * sizes * (sizes - 1.0)
    totals, squares = (np.bincount(groups, each, count) for each in (weights, weights**2))
    return np.asarray(np.maximum(0.5 * (totals**2 - squares), 0.0))


def _by_levels(own: Partition, other: Partition) -> Discordances:
    """Average the discordance of two covers over the pairs within each cluster."""
    rows, weights = own.without_zeros, own.weights
    of_entries = None if weights is None else weights[rows.points]
    pairs = _pairs_within(rows.columns, of_entries, own.k)
    sums = cluster_discordances(own, other, expected_by_level(other))
    return Discordances.of_sums(pairs[: own.clusters], sums[:, : own.clusters])


class _Mean(NamedTuple):
    value: float
    stderr: float


def _from_one(side: Side) -> _Mean:
    """Return the mean discordance of a clustering from one in which all points are together."""
    if side.partition.n < 2:
        return _Mean(np.nan, 0.0)
    labels = LabelRows(np.zeros(side.partition.n, dtype=np.intp), 1)
    together = Partition(labels, weighting=side.partition.weighting)
    observed = Observed((side, Side(together, side.index, side.effort)))
    estimate = observed.refine(0.5 * side.effort.tol)
    return _Mean(estimate.value, estimate.stderr)


def _within_clusters(hard: Side, other: Side, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the mean discordance from 1 of the pairs of each hard cluster, and its error."""
    index, partition = hard.index, hard.partition
    assert isinstance(index, PairIndex)
    codes, clusters = partition.rows.codes, partition.clusters
    agreements = _agreements_within(hard, other, index)
    means, errors = np.full(clusters, np.nan), np.zeros(clusters)
    if agreements is not None:
        np.divide(agreements, weights, out=means, where=weights > 0.0)
        # Sums and differences of many numbers have some rounding error.
        return np.clip(1.0 - means, 0.0, 1.0), errors
    for cluster in np.flatnonzero(weights > 0.0).tolist():
        part = subset(other.partition, codes == cluster, recount=False)
        means[cluster], errors[cluster] = _from_one(Side(part, index, other.effort))
    return means, errors


def _agreements_within(hard: Side, other: Side, index: PairIndex) -> FloatArray | None:
    """Sum the agreements of the pairs within each hard cluster; None if they do not suffice."""
    partition, beside = hard.partition, other.partition
    codes, clusters = partition.rows.codes, partition.clusters
    if beside.is_hard:
        cells, which = np.unique(
            codes.astype(np.int64) * beside.k + beside.rows.codes, return_inverse=True
        )
        pairs = _pairs_within(which.reshape(-1), partition.weights, cells.size)
        sums = np.bincount(cells // beside.k, pairs, minlength=partition.k)
        return np.asarray(sums[:clusters], dtype=np.float64)
    if index.concordance.moments_needed(1) != 1:
        return None
    moments = PointMoments(partition, beside, index.agreement, hard.effort.n_threads)
    of_points = moments.agreements_within()
    if of_points is None:
        return None
    own = of_points if partition.weights is None else of_points * partition.weights
    return np.asarray(0.5 * np.bincount(codes, own, minlength=partition.k)[:clusters])
