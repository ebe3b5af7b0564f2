"""Mean discordances of the pairs of fuzzy clusters, from a sample of pairs.

Pairs are drawn within each cluster, in proportion to their weights, so that every cluster that has
pairs gets some; a cluster with few pairs gets all of them. The expected discordance of a pair with
agreement b is its mean over all pairs of the other clustering. If these are too many to visit, they
are drawn as well. Independent batches give the errors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from ..._base.estimate import ROUNDING
from ..._base.progress import progress
from ..._base.streams import Stream
from ..._base.threads import map_in_order
from ..._base.types import FloatArray, IntArray
from ..._clusterings.partition import Partition
from ..._clusterings.sparse_rows import SortedEntries, SparseRows
from ..._distributions.atoms import Atoms, Curve
from ..._pairs.cluster_pairs import ClusterPairs
from ..._pairs.random_pairs import pairs_of, random_agreements
from ...indices import PairIndex
from ...models._laws.side import Side
from .discordances import Discordances, adjusted_by, with_total

#: Number of independent batches, and fewest pairs of a cluster in each.
BATCHES, FEWEST = 32, 4
#: Number of memberships, and of pairs drawn, of the clusters that are processed together.
ENTRIES, PAIRS = 1 << 22, 1 << 18


class _Means(NamedTuple):
    """What the pairs of some clusters show.

    Attributes
    ----------
    weights : array of shape (clusters,)
        Total weight of each cluster.
    observed, expected : array of shape (BATCHES, clusters)
        Mean discordances in each batch; NaN for a cluster without pairs.
    unseen : array of shape (clusters,)
        Share of the weight of a cluster that a sample of this size may well miss.
    """

    weights: FloatArray
    observed: FloatArray
    expected: FloatArray
    unseen: FloatArray


def drawn_discordances(own: Side, other: Side, place: int, *, quick: bool) -> Discordances:
    """Estimate the discordances of the pairs of each cluster of a fuzzy clustering.

    Parameters
    ----------
    own, other : Side
        The clustering whose clusters provide the weights, and the other one.
    place : int
        Position of ``own`` among the two sides, 0 or 1, for streams of random numbers.
    quick : bool
        Whether to draw fewer pairs.
    """
    curves = _expected_curves(other, place, visit=not quick)
    budget = own.effort.budget
    total = budget.quick_cluster_pairs if quick else budget.cluster_pairs
    sizes = _pairs_of_clusters(own.partition.sizes[: own.partition.clusters], total)
    tasks = list(_portions(own.partition, sizes))
    entries = _entries_of(own.partition)

    def work(number: int) -> _Means:
        here = tasks[number]
        pairs = ClusterPairs(entries(here))
        rng = own.effort.stream(Stream.EXPLANATIONS, place, number)
        return _means(pairs, sizes[here], own, other, curves, rng)

    found = map_in_order(work, range(len(tasks)), own.effort.n_threads)
    parts = list(progress(found, len(tasks), "clusters"))
    joined = _Means(*(np.concatenate(each, axis=-1) for each in zip(*parts, strict=True)))
    unseen_chance = 0.0 if len(curves) == 1 else 1.0 / (BATCHES * budget.chance_pairs)
    return _pooled(joined, unseen_chance)


def _pairs_of_clusters(sizes: FloatArray, total: int) -> IntArray:
    """Divide the pairs of a batch among clusters: half of them by weight, half of them evenly."""
    squares = (sizes / sizes.max()) ** 2
    share = 0.5 * (squares / squares.sum() + 1.0 / sizes.size)
    return np.asarray(np.maximum(np.ceil(total * share), FEWEST).astype(np.intp))


def _portions(partition: Partition, sizes: IntArray) -> Iterator[slice]:
    """Divide the clusters into portions that are processed together, in little memory."""
    rows = 0 if partition.rows.mostly_zero else partition.n
    start, entries, pairs = 0, 0, 0
    for cluster, size in enumerate(sizes.tolist()):
        entries, pairs = entries + rows, pairs + BATCHES * size
        if cluster > start and (entries > ENTRIES or pairs > PAIRS):
            yield slice(start, cluster)
            start, entries, pairs = cluster, rows, BATCHES * size
    yield slice(start, sizes.size)


def _entries_of(partition: Partition) -> Callable[[slice], SortedEntries]:
    """Return a function of some clusters: their memberships, times weights, in increasing order."""
    weights = partition.weights

    def weighted(rows: SparseRows) -> SparseRows:
        return rows if weights is None else rows.scale(weights)

    if not partition.rows.mostly_zero:
        rows = partition.shared.dense
        return lambda here: weighted(SparseRows.of_dense(rows[:, here])).in_order
    starts, points, values = weighted(partition.without_zeros).in_order

    def entries(here: slice) -> SortedEntries:
        first, last = int(starts[here.start]), int(starts[here.stop])
        own = starts[here.start : here.stop + 1] - first
        return SortedEntries(own, points[first:last], values[first:last])

    return entries


def _expected_curves(other: Side, place: int, *, visit: bool) -> list[Curve]:
    """Return the mean discordance of an agreement from all pairs of the other clustering.

    There is one curve for each batch, each from its own sample; only one if the law is known.
    """
    index, law = other.index, other.pairs_law
    assert isinstance(index, PairIndex)
    bracket = law.bracket() if visit or law.visited or law.at_hand else None
    if bracket is not None:
        low, high = (index.concordance.curve(end)[0] for end in (bracket.inner, bracket.outer))
        return [low if bracket.exact else lambda a: np.asarray(0.5 * (low(a) + high(a)))]
    curves = []
    for batch in range(BATCHES):
        rng = other.effort.stream(Stream.EXPLANATIONS, 2 + place, batch)
        pairs = pairs_of(other.partition, rng, other.effort.budget.chance_pairs)
        agreements = random_agreements(other.partition, index.agreement, *pairs)[0]
        curves.append(index.concordance.curve(Atoms.of_sample(agreements))[0])
    return curves


def _means(
    pairs: ClusterPairs,
    sizes: IntArray,
    own: Side,
    other: Side,
    curves: list[Curve],
    rng: np.random.Generator,
) -> _Means:
    """Draw pairs of each cluster, or take all of its pairs if these are fewer."""
    observed, expected = (np.full((BATCHES, sizes.size), np.nan) for _ in range(2))

    def average(i: IntArray, j: IntArray, cluster: IntArray, share: FloatArray) -> None:
        discordances, heights = _of_pairs(own, other, i, j, curves)
        here = np.unique(cluster)
        for values, out in ((discordances, observed), (heights, expected)):
            sums = np.stack([np.bincount(cluster, row * share, sizes.size) for row in values])
            out[:, here] = sums[:, here]

    few = (pairs.totals > 0.0) & (pairs.counts <= BATCHES * sizes)
    many = (pairs.totals > 0.0) & ~few
    if few.any():
        i, j, cluster, weights = pairs.all_of(np.flatnonzero(few))
        average(i[np.newaxis], j[np.newaxis], cluster, weights / pairs.totals[cluster])
    if many.any():
        cluster = np.repeat(np.flatnonzero(many), sizes[many])
        i, j = pairs.draw(rng, np.tile(cluster, (BATCHES, 1)))
        average(i, j, cluster, 1.0 / sizes[cluster])
    return _Means(pairs.totals, observed, expected, np.where(many, 1.0 / (BATCHES * sizes), 0.0))


def _of_pairs(
    own: Side, other: Side, i: IntArray, j: IntArray, curves: list[Curve]
) -> tuple[FloatArray, FloatArray]:
    """Return the discordances of pairs, and their expected discordances in each batch.

    Either result has a single row if it is the same in all batches.
    """
    index = own.index
    assert isinstance(index, PairIndex)
    mine, theirs = (
        random_agreements(side.partition, index.agreement, i.ravel(), j.ravel())[0].reshape(i.shape)
        for side in (own, other)
    )
    batches = range(max(len(curves), len(mine)))
    heights = [curves[batch % len(curves)](mine[batch % len(mine)]) for batch in batches]
    return index.concordance.discordance(mine, theirs), np.stack(heights)


def _pooled(means: _Means, unseen_chance: float) -> Discordances:
    """Average over the batches, whose spread gives the errors."""
    weights = means.weights
    observed, expected = (with_total(weights, each) for each in (means.observed, means.expected))
    # The jackknife, for the ratio of two means.
    others = [(each.sum(axis=0) - each) / (BATCHES - 1.0) for each in (observed, expected)]
    without = adjusted_by(*others)
    spread = without - without[0]  # exactly 0 if nothing was drawn
    spread -= spread.mean(axis=0)
    error = np.sqrt((BATCHES - 1.0) / BATCHES * (spread**2).sum(axis=0))
    # Pairs that are all alike show no spread, but those that were not drawn may differ.
    share = weights / max(float(weights.sum()), np.finfo(float).tiny)
    unseen = np.append(means.unseen, np.sqrt(((share * means.unseen) ** 2).sum()))
    d, e = observed.mean(axis=0), expected.mean(axis=0)
    possible = e > ROUNDING
    missed = np.zeros(e.size)
    missed[possible] = np.hypot(unseen, d / np.where(possible, e, 1.0) * unseen_chance)[possible]
    missed[possible] /= e[possible]
    # If chance agreed on every pair drawn, there is no telling by how much.
    missed[(e <= ROUNDING) & (unseen_chance > 0.0)] = np.nan
    return Discordances(weights, d[:-1], e[:-1], np.hypot(error, missed))
