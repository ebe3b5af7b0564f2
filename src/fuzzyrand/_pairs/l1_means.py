"""Mean agreements 1 - |u - v| / 2 over all pairs of points, for each form of the rows."""

from __future__ import annotations

from functools import singledispatch
from typing import NamedTuple

from .._base.estimate import Moment
from .._base.types import FloatArray
from .._clusterings.blocks.blocked_rows import BlockedMemberships
from .._clusterings.partition import Partition
from .._clusterings.rows import Rows
from .._clusterings.sparse_rows import SparseRows
from .sorted_columns import (
    Distances,
    sum_of_distances,
    sums_of_distances,
    weighted_sums_of_distances,
)
from .sparse_columns import sum_of_minima


class L1Means(NamedTuple):
    """Mean agreement of a fuzzy clustering, and its mean product with that of a hard clustering.

    The mean is None if the product was computed without it, and the product if none was asked for.
    """

    mean: Moment | None
    product: Moment | None


@singledispatch
def l1_means(rows: Rows, fuzzy: Partition, hard: Partition | None, threads: int | None) -> L1Means:
    """Return mean agreements over all pairs, which may have weights.

    Parameters
    ----------
    rows : Rows
        The rows of the fuzzy clustering, by whose form the way is chosen.
    fuzzy : Partition
        The clustering; its rows sum to 1.
    hard : Partition, optional
        A hard clustering of the same points.
    threads : int or None
        Number of threads.
    """
    # The fuzzy clustering may be shuffled: its points have the weights of the hard one.
    first = fuzzy if hard is None else hard
    weights, n, pairs = first.weights, first.n, first.pair_total
    total, within = _distances(fuzzy, hard, weights, threads)
    alone, own = fuzzy.unshared, 1.0 if weights is None else weights
    if alone.size > 1:
        # Memberships that a point shares with no other add to its distance from all other points.
        total += float((alone * own * (n - own)).sum())
    mean = Moment(1.0 - 0.5 * total / pairs)
    if hard is None:
        return L1Means(mean, None)
    if alone.size > 1:
        within += float((alone * own * (hard.sizes[hard.rows.codes] - own)).sum())
    return L1Means(mean, Moment((hard.same_cluster_pairs - 0.5 * within) / pairs))


def _distances(
    fuzzy: Partition, hard: Partition | None, weights: FloatArray | None, threads: int | None
) -> Distances:
    """Sum distances over all pairs, and over those in the same hard cluster."""
    rows = fuzzy.shared
    if weights is not None:
        codes = None if hard is None else hard.rows.codes
        return weighted_sums_of_distances(rows, weights, codes, threads)
    if hard is None:
        return Distances(sum_of_distances(rows, threads), 0.0)
    return sums_of_distances(rows, hard.rows.codes, threads)


@l1_means.register
def _of_sparse(
    rows: SparseRows, fuzzy: Partition, hard: Partition | None, threads: int | None
) -> L1Means:
    # The agreement of rows that sum to 1 is the sum of the smaller entries.
    if hard is None:
        total = sum_of_minima(fuzzy.without_zeros, None, fuzzy.weights)
        return L1Means(Moment(total / fuzzy.pair_total), None)
    total = sum_of_minima(fuzzy.without_zeros, hard.rows.codes, hard.weights)
    return L1Means(None, Moment(total / hard.pair_total))


@l1_means.register
def _of_blocks(
    rows: BlockedMemberships, fuzzy: Partition, hard: Partition | None, threads: int | None
) -> L1Means:
    pairs = fuzzy.pairs
    found = rows.distances if hard is None else rows.grouped_distances(hard.rows)
    mean = Moment(1.0 - 0.5 * found.all_pairs / pairs, 0.5 * found.error / pairs)
    if hard is None:
        return L1Means(mean, None)
    value = (hard.same_cluster_pairs - 0.5 * found.within_groups) / pairs
    return L1Means(mean, Moment(value, 0.5 * found.within_error / pairs))
