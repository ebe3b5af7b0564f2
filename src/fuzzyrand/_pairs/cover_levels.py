"""Numbers of clusters that two points share, in covers whose clusters may overlap.

The number of clusters that a pair shares is its *level*. Nearly all pairs share none, so only those
that share a cluster are visited, on one side at a time: what a pair shares on the other side is
looked up. If n_c points are in cluster c, the work is the sum of n_c². Equal points are merged
first if there are many. Hard clusterings have closed forms. Points may have weights; a pair then
counts as often as the product of both says.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .._base.errors import NotApplicableError
from .._base.progress import progress
from .._base.threads import map_in_order
from .._base.types import FloatArray, IntArray
from .._clusterings.contingency import weigh_pairs_together
from .._clusterings.partition import Partition
from .._clusterings.sparse_rows import SparseRows

#: Work of one task, work from which equal points are merged, and most work.
TASK, MERGED, MOST = 1 << 24, 1e8, 1e12
#: Number of points from which they are sorted, for better use of the cache.
MANY = 1 << 15
#: Largest level for which the levels of pairs that share a point are counted.
MOST_LEVELS = 255

#: Clusters of each point (starts, columns), and points of each cluster (starts, members).
Sides = tuple[
    npt.NDArray[np.int64], npt.NDArray[np.int32], npt.NDArray[np.int64], npt.NDArray[np.int32]
]


@dataclass(frozen=True, eq=False)
class Levels:
    """How many clusters the pairs of a clustering share.

    Attributes
    ----------
    shares : array
        Share of the pairs that have 0, 1, 2, ... clusters in common.
    partners : array
        Number of points, or their weight, with which each point shares a cluster.
    forks : array or None
        Covariance of the levels of two pairs that share a point: probability that they are s and t,
        minus the product of shares s and t. None if there are too many levels, or weights.
    """

    shares: FloatArray
    partners: FloatArray
    forks: FloatArray | None


class _Merged(NamedTuple):
    """Distinct points of one or two clusterings, and which each point is.

    ``weights`` says how many points each stands for, or how much it counts; ``itself`` how much of
    that is the point with which it makes no pair.
    """

    rows: tuple[SparseRows, ...]
    weights: FloatArray
    itself: FloatArray
    points: IntArray | None

    def spread(self, values: FloatArray) -> FloatArray:
        """Return values of distinct points for all points."""
        return values if self.points is None else np.asarray(values[self.points])


def levels_of(partition: Partition, threads: int | None = None) -> Levels:
    """Count the clusters that pairs share; kept with the clustering, which does not change."""
    kept: Levels | None = partition.__dict__.get("_levels")
    if kept is None:
        kept = partition.__dict__["_levels"] = _count_levels(partition, threads)
    return kept


def _count_levels(partition: Partition, threads: int | None) -> Levels:
    n, own = partition.n, partition.weights
    if partition.is_hard:
        together = partition.same_cluster_pairs / partition.pair_total
        sizes = partition.sizes
        partners = sizes[partition.rows.codes] - (1.0 if own is None else own)
        shares = np.array([1.0 - together, together])
        if own is not None:
            return Levels(shares, partners, None)
        centred = sizes - 1.0 - (n - 1.0) * together
        return Levels(shares, partners, _forks(n, shares, np.array([[sizes @ centred**2]])))
    merged = _merge(partition)
    rows = merged.rows[0]
    top = int(np.diff(rows.starts).max(initial=0))
    wanted = top + 1 if top <= MOST_LEVELS and own is None else 0
    found = _visit_levels(merged, np.zeros(top + 1), threads, wanted)
    histogram = found.histogram / (2.0 * partition.pair_total)
    histogram[0] = max(1.0 - histogram[1:].sum(), 0.0)
    forks = None
    if wanted:
        means = histogram[1:] * (n - 1.0)
        centred = found.cross[1:, 1:] - n * means[:, None] * means[None, :]
        forks = _forks(n, histogram, centred)
    return Levels(histogram, merged.spread(found.partners), forks)


def _forks(n: int, shares: FloatArray, centred: FloatArray) -> FloatArray:
    """Return the covariances of the levels of pairs that share a point.

    Parameters
    ----------
    n : int
        Number of points.
    shares : array
        Shares of the levels.
    centred : array
        For levels from 1, sums over points of the product of numbers of partners, each minus its
        mean. Those of level 0 follow, since every point has n - 1 partners in all.
    """
    full = np.zeros((shares.size, shares.size))
    full[1:, 1:] = centred
    full[0, 1:] = full[1:, 0] = -centred.sum(axis=0)
    full[0, 0] = centred.sum()
    apart = max(n - 2.0, 1.0)
    around = np.outer(shares, shares) - np.diag(shares)
    return np.asarray(full / (n * (n - 1.0) * apart) + around / apart)


def expected_by_level(other: Partition) -> FloatArray:
    """Return the share of the pairs of a clustering that have another level, for each level."""
    return np.append(1.0 - levels_of(other).shares, 1.0)


def levels_of_pairs(partition: Partition, i: IntArray, j: IntArray) -> IntArray:
    """Return the number of clusters that the points of given pairs share."""
    if partition.is_hard:
        codes = partition.rows.codes
        return np.asarray(codes[i] == codes[j], dtype=np.intp)
    rows = partition.without_zeros.matrix
    return np.asarray(rows[i].multiply(rows[j]).sum(axis=1), dtype=np.intp).reshape(-1)


def mean_heights(
    partition: Partition, heights: FloatArray, threads: int | None = None
) -> FloatArray:
    """Return the mean over the pairs of each point of a function of their levels.

    With weights, it is scaled as :class:`PointMeans` are.
    """
    own = 1.0 if partition.weights is None else partition.weights
    if partition.is_hard:
        sums = (partition.sizes[partition.rows.codes] - own) * (heights[1] - heights[0])
    else:
        merged = _merge(partition)
        sums = merged.spread(_visit_levels(merged, heights, threads).sums)
    return np.asarray(_scale(partition) * (heights[0] * (partition.n - own) + sums))


def _scale(partition: Partition) -> float:
    """Return the factor that makes a sum over the partners of each point a mean over pairs."""
    return partition.n / (2.0 * partition.pair_total)


def point_discordances(
    first: Partition, second: Partition, threads: int | None = None
) -> FloatArray:
    """Return the share of the pairs of each point that have different levels on the two sides.

    With weights, it is scaled as :class:`PointMeans` are.
    """
    if first.is_hard and second.is_hard:
        one, two = first.rows.codes, second.rows.codes
        cells = one.astype(np.int64) * second.k + two
        _, where = np.unique(cells, return_inverse=True)
        where = where.reshape(-1)
        counts = np.bincount(where, first.weights)
        sizes = first.sizes[one] + second.sizes[two]
        return np.asarray(_scale(first) * np.maximum(sizes - 2.0 * counts[where], 0.0))
    partners = levels_of(first, threads).partners + levels_of(second, threads).partners
    merged = _merge(first, second)
    same, both = _visit_joint(merged, threads)
    # Pairs that share a cluster on either side, without those that have the same level.
    differing = partners - merged.spread(both) - merged.spread(same)
    return np.asarray(_scale(first) * np.maximum(differing, 0.0))


class FormProducts(NamedTuple):
    """Means of products of centred concordances, as ``variance_of_mean`` takes them."""

    vv: float
    vc: float
    cv: float
    cc: float


def shuffled_products(first: Partition, second: Partition) -> FormProducts | None:
    """Return what the variance over permutations follows from; None if there are many levels."""
    one, two = levels_of(first), levels_of(second)
    if one.forks is None or two.forks is None:
        return None
    p, q = one.shares, two.shares
    few = min(p.size, q.size)
    other = np.zeros(p.size), np.zeros(q.size)  # shares of the same levels on the other side
    other[0][:few], other[1][:few] = q[:few], p[:few]
    centred = np.eye(p.size, q.size) - other[0][:, None] - other[1][None, :] + p[:few] @ q[:few]
    of_second = centred @ two.forks @ centred.T
    return FormProducts(
        float(p @ centred**2 @ q),
        float(p @ np.diag(of_second)),
        float(np.diag(centred.T @ one.forks @ centred) @ q),
        float((one.forks * of_second).sum()),
    )


def mean_discordance(first: Partition, second: Partition) -> float | None:
    """Return the share of pairs with different levels if a table suffices, else None."""
    if not (first.is_hard and second.is_hard):
        return None
    if first.weights is not None:
        found = first.rows.cells(second.rows, first.weights)
        return weigh_pairs_together(found).discordant / first.pair_total
    return first.rows.count_together(second.rows).discordant / first.pairs


def cluster_discordances(
    own: Partition, other: Partition, heights: FloatArray, threads: int | None = None
) -> FloatArray:
    """Sum discordances, and a function of the level, over the pairs within each cluster."""
    from . import cover_kernels  # Deferred: loads Numba.

    rows, weights, itself, _ = _merge(own, other)
    arrays = both_orders(rows[0])
    beside = rows[1].starts, rows[1].columns
    k = rows[0].k
    heights = _reaching(heights, rows[0])

    def visit(task: tuple[int, int]) -> FloatArray:
        sums = np.zeros((2, k))
        cover_kernels.cluster_rows(
            arrays, *beside, weights, itself, heights, rows[1].k, *task, sums
        )
        return sums

    total = np.zeros((2, k))
    for sums in _over_rows(visit, rows[0], threads):
        total += sums
    return 0.5 * total


class _Counted(NamedTuple):
    """Sums over pairs by level, and of each point."""

    histogram: FloatArray
    cross: FloatArray
    partners: FloatArray
    sums: FloatArray


def _visit_levels(
    merged: _Merged, heights: FloatArray, threads: int | None, levels: int = 0
) -> _Counted:
    from . import cover_kernels  # Deferred: loads Numba.

    (rows,), weights, itself, _ = merged
    arrays, heights = both_orders(rows), _reaching(heights, rows)

    def visit(task: tuple[int, int]) -> _Counted:
        size = task[1] - task[0]
        found = _Counted(
            np.zeros(heights.size), np.zeros((levels, levels)), np.zeros(size), np.zeros(size)
        )
        cover_kernels.level_rows(arrays, weights, itself, heights, *task, *found)
        return found

    parts = list(_over_rows(visit, rows, threads))
    return _Counted(
        sum((part.histogram for part in parts), np.zeros(heights.size)),
        sum((part.cross for part in parts), np.zeros((levels, levels))),
        np.concatenate([part.partners for part in parts]),
        np.concatenate([part.sums for part in parts]),
    )


def _visit_joint(merged: _Merged, threads: int | None) -> tuple[FloatArray, FloatArray]:
    from . import cover_kernels  # Deferred: loads Numba.

    rows, weights, itself, _ = merged
    own, other = rows if _work(rows[0]) <= _work(rows[1]) else rows[::-1]
    arrays = both_orders(own)

    def visit(task: tuple[int, int]) -> tuple[FloatArray, FloatArray]:
        same, both = np.zeros(task[1] - task[0]), np.zeros(task[1] - task[0])
        cover_kernels.joint_rows(
            arrays, other.starts, other.columns, weights, itself, other.k, *task, same, both
        )
        return same, both

    parts = list(_over_rows(visit, own, threads))
    return np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])


def _reaching(heights: FloatArray, rows: SparseRows) -> FloatArray:
    """Return a function of the level with as many values as a pair may have levels."""
    levels = int(np.diff(rows.starts).max(initial=0)) + 1
    more = max(levels - heights.size, 0)
    return np.concatenate([heights, np.full(more, heights[-1])])


def _over_rows(
    visit: Callable[[tuple[int, int]], Any], rows: SparseRows, threads: int | None
) -> Any:
    """Visit ranges of rows that take about the same time, on several threads."""
    from .._base.compiling import compiling  # Deferred: loads Numba.

    entries = np.append(0, np.cumsum(rows.entries_a_column[rows.columns].astype(np.float64)))
    passed = entries[rows.starts[1:]] + np.arange(1.0, rows.n + 1.0)
    if passed[-1] > MOST:
        raise NotApplicableError(
            "pairs that share a cluster would take {work:.0e} steps to visit, which is hours: some "
            "clusters are very large. Compare a sample of the points, the same of both "
            "clusterings.",
            work=float(passed[-1]),
        )
    parts = int(passed[-1] // TASK) + 1
    cuts = np.searchsorted(passed, passed[-1] * np.arange(1, parts) / parts)
    edges = np.unique(np.concatenate([[0], cuts, [rows.n]])).tolist()
    tasks = list(pairwise(edges))
    with compiling():  # compile now, before several threads would wait for it
        visit((0, 0))
    return progress(map_in_order(visit, tasks, threads), len(tasks), "pairs")


def _work(rows: SparseRows) -> float:
    counts = rows.entries_a_column.astype(np.float64)
    return float(counts @ counts)


def both_orders(rows: SparseRows) -> Sides:
    """Return the clusters of each point, and the points of each cluster."""
    columns = rows.matrix.tocsc()
    return (
        rows.starts,
        rows.columns,
        columns.indptr.astype(np.int64),
        columns.indices.astype(np.int32),
    )


def _merge(*partitions: Partition) -> _Merged:
    """Merge equal points, if visiting all pairs would take long and many points are equal.

    Points with weights stay apart, because equal ones may count differently.
    """
    rows = tuple(partition.without_zeros for partition in partitions)
    own = partitions[0].weights
    if min(map(_work, rows)) <= MERGED or own is not None:
        return _sorted(rows, np.ones(rows[0].n) if own is None else own)
    rng, keys = np.random.default_rng(0), np.zeros(rows[0].n, dtype=np.uint64)
    for each in rows:  # equal sets of clusters have equal sums of random words
        words = rng.integers(1 << 63, size=each.k, dtype=np.uint64)
        passed = np.append(np.uint64(0), np.cumsum(words[each.columns], dtype=np.uint64))
        keys = keys * np.uint64(0x9E3779B97F4A7C15) + passed[each.starts[1:]]
        keys -= passed[each.starts[:-1]]
    _, chosen, which, counts = np.unique(
        keys, return_index=True, return_inverse=True, return_counts=True
    )
    points = which.reshape(-1)
    distinct = tuple(each.take(chosen) for each in rows)
    if 2 * chosen.size > points.size or not all(map(_same, rows, distinct, [points] * len(rows))):
        return _sorted(rows, np.ones(points.size))
    return _Merged(distinct, counts.astype(np.float64), np.ones(chosen.size), points)


def _sorted(rows: tuple[SparseRows, ...], weights: FloatArray) -> _Merged:
    """Sort many points by their first cluster, so that those of a cluster are near in memory."""
    n = rows[0].n
    if n < MANY:
        return _Merged(rows, weights, weights, None)
    first = np.append(rows[0].columns, 0)[rows[0].starts[:-1]]
    order = np.argsort(first, kind="stable")
    places = np.empty(n, dtype=np.intp)
    places[order] = np.arange(n)
    weights = weights[order]
    return _Merged(tuple(each.take(order) for each in rows), weights, weights, places)


def _same(rows: SparseRows, distinct: SparseRows, points: IntArray) -> bool:
    """Return whether rows equal those that stand for them, since sums of words might collide."""
    again = distinct.take(points)
    return np.array_equal(rows.starts, again.starts) and np.array_equal(rows.columns, again.columns)
