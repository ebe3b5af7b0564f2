"""Overlap of the clusters of two clusterings: the total membership that two clusters share."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linear_sum_assignment

from ..._base.budget import Budget
from ..._base.errors import NotApplicableError
from ..._base.types import FloatArray
from ..partition import Partition


def overlap_of(a: Partition, b: Partition, most: int = Budget.table_cells) -> FloatArray:
    """Return UᵀV, the sums of products of memberships for all pairs of clusters of two clusterings.

    Noise that no two points share has no cluster and is left out. The points may have weights.
    Tables of more than ``most`` cells are refused.

    Examples
    --------
    >>> a, b = Partition.from_labels([0, 0, 1]), Partition.from_memberships([[1, 0]] * 2 + [[0, 1]])
    >>> overlap_of(a, b).tolist()
    [[2.0, 0.0], [0.0, 1.0]]
    """
    k1, k2 = a.clusters, b.clusters
    if k1 * k2 > most:
        raise NotApplicableError(
            "{k1:,} clusters with {k2:,} would take a table of {cells:,} overlaps, and the most is "
            "{most:,}; merge the smallest clusters, or match a part of the points.",
            k1=k1,
            k2=k2,
            cells=k1 * k2,
            most=most,
        )
    shared = a.shared.products(b.shared, a.weights)
    if not isinstance(shared, np.ndarray):
        # The clusters of hard noise points come after all others, and may be too many for a table.
        shared = shared.tocsr()[:k1, :k2].toarray()
    return np.ascontiguousarray(shared[:k1, :k2])


def self_share(partition: Partition) -> float:
    """Return the share of the overlap of a clustering with itself that is on the diagonal.

    No other pairing of its clusters has a larger share, since (UᵀU)_cd is at most the mean of
    (UᵀU)_cc and (UᵀU)_dd.

    Examples
    --------
    >>> self_share(Partition.from_memberships([[0.5, 0.5], [1, 0]]))
    0.75
    """
    if partition.is_hard:
        return 1.0
    rows = partition.shared
    weights = np.ones(rows.n) if partition.weights is None else partition.weights
    sums = rows.times(np.ones(rows.k))
    return float(weights @ rows.squared_lengths / (weights @ sums**2))


def matrix_of(partition: Partition, *, noise: bool = False) -> FloatArray:
    """Return the memberships in the clusters as a matrix, for hard clusterings as well.

    Parameters
    ----------
    partition : Partition
        The clustering.
    noise : bool
        Whether unshared noise gets a last column; otherwise it is left out.
    """
    k = partition.clusters
    extra = noise and partition.noise_is_singletons
    if not partition.is_hard:
        return partition.rows.dense if extra else partition.shared.dense
    rows = np.zeros((partition.n, k + 1))
    rows[np.arange(partition.n), np.minimum(partition.rows.codes, k, dtype=np.intp)] = 1.0
    return rows if extra else rows[:, :k]


def best_pairs(overlap: FloatArray) -> list[tuple[int, int]]:
    """Return the one-to-one pairs of rows and columns with the largest sum, without zero overlaps.

    Examples
    --------
    >>> best_pairs(np.array([[1.0, 5.0, 0.0], [0.0, 4.0, 0.0]]))
    [(0, 1)]
    >>> best_pairs(np.array([[3.0, 5.0, 0.0], [0.0, 4.0, 0.0]]))
    [(0, 0), (1, 1)]
    """
    rows, columns = linear_sum_assignment(overlap, maximize=True)
    pairs = zip(rows.tolist(), columns.tolist(), strict=True)
    return [(i, j) for i, j in pairs if overlap[i, j] > 0.0]
