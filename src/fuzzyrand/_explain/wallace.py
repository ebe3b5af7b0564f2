"""Wallace indices: how the pairs of a cluster fare in the other clustering.

The weights of pairs come from one clustering: v_ic v_jc for its cluster c. If it is hard, only the
pairs within the cluster have a weight, and their agreement is 1; then only the mean discordance of
the other clustering from 1 is needed. Otherwise, all pairs are visited once for both sides, or
sampled if there are too many.

Under permutations, each pair meets every pair of the other clustering equally often. The expected
discordance of a pair with agreement b is therefore H(b), the mean over all pairs of the other
clustering.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from .._base.estimate import ROUNDING
from .._base.streams import Stream
from .._base.types import FloatArray
from .._discordance.observed import Observed
from .._distributions.atoms import Atoms
from .._inputs.noise import subset
from .._inputs.partition import Partition
from .._inputs.trivial import is_trivial
from .._laws.side import Side
from .._pairs.curves import PairCurve
from .._pairs.point_moments import PointMoments
from .._pairs.random_pairs import random_agreements, random_pairs
from .._pairs.route import KEPT_PAIRS, Route, route_of
from .._pairs.weighted_sums import Curve, weighted_sums, weights_of_clusters
from ..indices import PairIndex
from ..results.wallace import Wallace, WallaceClusters, WallaceSide
from .sparse_wallace import SharedWeights

#: Number of cells of a curve that would take long to evaluate exactly.
CELLS = 1 << 16
#: Number of independent batches of sampled pairs, and fewest and most pairs in a batch.
BATCHES, FEWEST, MOST = 32, 1 << 13, 1 << 17
#: Pairs in a batch of pairs that share a cluster of a sparse clustering.
SHARED_BATCH = 1 << 14
#: Number of memberships of the pairs in a batch.
ENTRIES = 1 << 22
#: For a quick answer: number of pairs up to which all are visited, and most pairs in a batch.
QUICK_VISITS, QUICK_BATCH = 1 << 25, 1 << 14


class Discordances(NamedTuple):
    """Mean discordances of pairs, weighted by each cluster of a side.

    Attributes
    ----------
    weights : array
        Total weight of each cluster.
    observed, expected : array
        Mean discordance of each cluster's pairs; NaN if there are none.
    stderrs : array of shape (3, clusters + 1)
        Monte Carlo errors of the observed, expected and adjusted values, for each cluster and for
        all clusters together.
    """

    weights: FloatArray
    observed: FloatArray
    expected: FloatArray
    stderrs: FloatArray


def wallace_of(sides: tuple[Side, Side], *, quick: bool = False) -> Wallace:
    """Return how the pairs of each clustering's clusters fare in the other clustering.

    Parameters
    ----------
    sides : pair of Side
        The clusterings.
    quick : bool
        Whether to sample fewer pairs, and to sample already when visiting all would take seconds.
    """
    partitions = sides[0].partition, sides[1].partition
    found: list[Discordances | None] = [None, None]
    for number in (0, 1):
        if partitions[number].is_hard:
            found[number] = _by_hard_clusters(sides[number], sides[1 - number])
    if found[0] is None or found[1] is None:
        by_pairs = _by_pairs(sides, quick)
        found = [mine or other for mine, other in zip(found, by_pairs, strict=True)]
    one, two = is_trivial(partitions[0]), is_trivial(partitions[1])
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
    known = found.weights > 0.0
    total = found.weights.sum()
    if total > 0.0:
        observed, expected = (
            float(found.weights[known] @ values[known] / total)
            for values in (found.observed, found.expected)
        )
    else:
        observed = expected = np.nan
    adjusted = _adjusted(np.append(found.observed, observed), np.append(found.expected, expected))
    stderr = found.stderrs[2]
    if by_chance:
        adjusted, stderr = np.where(np.isnan(adjusted), np.nan, 0.0), np.zeros(adjusted.size)
    return WallaceSide(
        observed=1.0 - observed,
        expected=1.0 - expected,
        adjusted=float(adjusted[-1]),
        stderr=float(stderr[-1]),
        clusters=WallaceClusters(
            observed=1.0 - found.observed,
            expected=1.0 - found.expected,
            adjusted=adjusted[:-1],
            stderr=stderr[:-1],
        ),
    )


def _adjusted(observed: FloatArray, expected: FloatArray) -> FloatArray:
    """Return 1 − observed/expected; if nothing is expected, 1 if nothing is observed, else NaN."""
    out = np.where(np.isnan(observed) | (observed > ROUNDING), np.nan, 1.0)
    possible = expected > ROUNDING
    out[possible] = 1.0 - observed[possible] / expected[possible]
    return out


# --- weights from a hard clustering ---------------------------------------------------------------


def _by_hard_clusters(hard: Side, other: Side) -> Discordances:
    """Average the discordance from 1 over the pairs within each hard cluster."""
    codes, clusters = hard.partition.codes, hard.partition.clusters
    assert codes is not None
    sizes = hard.partition.sizes[:clusters]
    weights = 0.5 * sizes * (sizes - 1.0)
    observed, errors = _within_clusters(hard, other, weights)
    chance = _from_one(other)
    expected = np.where(weights > 0.0, chance.value, np.nan)
    total = weights.sum()
    error = float(np.sqrt(np.nansum((weights * errors) ** 2))) / total if total > 0.0 else np.nan
    mean = float(np.nansum(weights * observed)) / total if total > 0.0 else np.nan
    means, errors = np.append(observed, mean), np.append(errors, error)
    stderrs = np.zeros((3, clusters + 1))
    stderrs[0], stderrs[1] = errors, chance.stderr
    if chance.value > ROUNDING:
        stderrs[2] = np.hypot(errors, means * chance.stderr / chance.value) / chance.value
    return Discordances(weights, observed, expected, np.nan_to_num(stderrs))


class _Mean(NamedTuple):
    value: float
    stderr: float


def _from_one(side: Side) -> _Mean:
    """Return the mean discordance of a clustering from one in which all points are together."""
    if side.partition.n < 2:
        return _Mean(np.nan, 0.0)
    together = Partition(np.zeros(side.partition.n, dtype=np.intp), None, 1)
    observed = Observed((side, Side(together, side.index, side.effort)))
    estimate = observed.refine(0.5 * side.effort.tol)
    return _Mean(estimate.value, estimate.stderr)


def _within_clusters(hard: Side, other: Side, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the mean discordance from 1 of the pairs of each hard cluster, and its error."""
    index, partition = hard.index, hard.partition
    assert isinstance(index, PairIndex)
    codes, clusters = partition.codes, partition.clusters
    assert codes is not None
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
    codes, clusters = partition.codes, partition.clusters
    assert codes is not None
    if beside.codes is not None:
        cells, counts = np.unique(
            codes.astype(np.int64) * beside.k + beside.codes, return_counts=True
        )
        pairs = 0.5 * counts * (counts - 1.0)
        sums = np.bincount(cells // beside.k, pairs, minlength=partition.k)
        return np.asarray(sums[:clusters], dtype=np.float64)
    if index.concordance.moments_needed(1) != 1:
        return None
    moments = PointMoments(partition, beside, index.agreement, hard.effort.threads)
    of_points = moments.agreements_within()
    if of_points is None:
        return None
    return np.asarray(0.5 * np.bincount(codes, of_points, minlength=partition.k)[:clusters])


# --- weights from a fuzzy clustering --------------------------------------------------------------


def _by_pairs(sides: tuple[Side, Side], quick: bool) -> list[Discordances | None]:
    """Visit all pairs, or a sample of them, for the sides that are not hard."""
    index, effort = sides[0].index, sides[0].effort
    assert isinstance(index, PairIndex)
    partitions = sides[0].partition, sides[1].partition
    route = route_of(index.agreement, effort, *partitions)
    if route is not Route.KEEP and any(side.sparse is not None for side in partitions):
        return _by_shared_pairs(sides, index)
    weights = _shared(partitions[0]), _shared(partitions[1])
    sampled = route is Route.SAMPLE
    if sampled or (quick and partitions[0].pairs > QUICK_VISITS):
        return _by_sample(sides, index, weights, QUICK_BATCH if quick else MOST)
    curves = _expected_curve(sides[1], index), _expected_curve(sides[0], index)
    sums = weighted_sums(partitions, index.agreement, index.concordance, weights, curves, effort)
    return [
        None if own is None else _exactly(weights_of_clusters(own), found)
        for own, found in zip(weights, sums, strict=True)
    ]


def _exactly(totals: FloatArray, sums: FloatArray) -> Discordances:
    means = np.full(sums.shape, np.nan)
    np.divide(sums, totals, out=means, where=totals > 0.0)
    return Discordances(totals, means[0], means[1], np.zeros((3, totals.size + 1)))


def _shared(partition: Partition) -> FloatArray | None:
    """Return the memberships that provide the weights of pairs; None for a hard clustering."""
    return None if partition.is_hard else partition.columns_shared[0]


def _expected_curve(other: Side, index: PairIndex) -> Curve:
    """Return the mean discordance between an agreement and all pairs of the other clustering."""
    bracket = other.pairs_law.bracket()
    assert bracket is not None
    ends = (bracket.inner,) if bracket.exact else (bracket.inner, bracket.outer)
    curves = [index.concordance.curve(atoms)[0] for atoms in ends]
    if other.partition.pairs <= KEPT_PAIRS:
        return curves[0]
    nodes = np.linspace(0.0, 1.0, CELLS + 1)
    heights = np.mean([curve(nodes) for curve in curves], axis=0)
    return PairCurve(np.ascontiguousarray(heights))


def _by_sample(
    sides: tuple[Side, Side],
    index: PairIndex,
    weights: tuple[FloatArray | None, FloatArray | None],
    most: int,
) -> list[Discordances | None]:
    """Estimate from independent batches of random pairs, whose spread gives the errors."""
    columns = max(own.shape[1] for own in weights if own is not None)
    size = int(np.clip(ENTRIES // columns, FEWEST, most))
    batches = [_batch(sides, index, weights, size, number) for number in range(BATCHES)]
    return [
        None if own is None else _of_batches(weights_of_clusters(own), of_side)
        for own, of_side in zip(weights, zip(*batches, strict=True), strict=True)
    ]


def _by_shared_pairs(sides: tuple[Side, Side], index: PairIndex) -> list[Discordances | None]:
    """Estimate from independent batches of random pairs that share a cluster."""
    found: list[Discordances | None] = [None, None]
    for position, own in enumerate(sides):
        if not own.partition.is_hard:
            shared = SharedWeights(own, sides[1 - position], position)
            batches = [shared.batch(index, SHARED_BATCH, number) for number in range(BATCHES)]
            found[position] = _of_batches(shared.totals(), batches)
    return found


def _of_batches(totals: FloatArray, batches: Sequence[FloatArray]) -> Discordances:
    """Pool independent batches, whose spread gives the errors.

    Each has the shape (3, clusters + 1): weights, and weights times observed and expected values.
    """
    sums = np.stack(batches)
    pooled = _ratios(sums.sum(axis=0))
    # The jackknife, for ratios of sums.
    without = np.stack([_ratios(sums.sum(axis=0) - batch) for batch in sums])
    spread = without - without.mean(axis=0)
    errors = np.sqrt((BATCHES - 1.0) / BATCHES * (spread**2).sum(axis=0))
    return Discordances(totals, pooled[0, :-1], pooled[1, :-1], errors)


def _ratios(sums: FloatArray) -> FloatArray:
    """Return the observed and expected means, and the adjusted index."""
    means = np.full((2, sums.shape[1]), np.nan)
    np.divide(sums[1:], sums[0], out=means, where=sums[0] > 0.0)
    return np.vstack([means, _adjusted(means[0], means[1])])


def _batch(
    sides: tuple[Side, Side],
    index: PairIndex,
    weights: tuple[FloatArray | None, FloatArray | None],
    size: int,
    number: int,
) -> list[FloatArray]:
    """Sum weights, discordances and expected discordances over random pairs."""
    effort, n = sides[0].effort, sides[0].partition.n
    i, j = random_pairs(effort.stream(Stream.EXPLANATIONS, number, 0), n, size)
    agreements = [random_agreements(side.partition, index.agreement, i, j)[0] for side in sides]
    discordance = index.concordance.discordance(agreements[0], agreements[1])
    i2, j2 = random_pairs(effort.stream(Stream.EXPLANATIONS, number, 1), n, size)
    sums: list[FloatArray] = []
    for own, agreed, other in zip(weights, agreements, sides[::-1], strict=True):
        if own is None:
            sums.append(np.zeros((3, 0)))
            continue
        chance = random_agreements(other.partition, index.agreement, i2, j2)[0]
        height = index.concordance.curve(Atoms.of_sample(chance))[0](agreed)
        products = own[i] * own[j]
        # Not by @: on a busy machine, BLAS threads that wait for each other take 100 times as long
        # for such a flat product.
        values = np.einsum("vp,pc->vc", np.stack([np.ones(size), discordance, height]), products)
        sums.append(np.hstack([values, values.sum(axis=1, keepdims=True)]))
    return sums
