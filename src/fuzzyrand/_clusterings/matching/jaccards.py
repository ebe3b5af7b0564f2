"""Jaccard similarity of clusters, hard or fuzzy: what two clusters share of what they cover."""

from __future__ import annotations

import numpy as np

from ..._base.types import FloatArray
from ..partition import Partition
from .overlap import overlap_of

#: Mean similarity from which a cluster can be believed, and below which it should not (Hennig
#: 2007), over clusterings of resampled data.
FIRM, DOUBTFUL = 0.85, 0.6


def jaccards_of(a: Partition, b: Partition) -> FloatArray:
    """Return Σ min(u, v) / Σ max(u, v) for all pairs of clusters of two clusterings.

    It is 0 where both clusters are empty. Noise that no two points share has no cluster and is left
    out.

    Examples
    --------
    >>> a, b = Partition.from_labels([0, 0, 1]), Partition.from_labels([0, 1, 1])
    >>> jaccards_of(a, b).tolist()
    [[0.5, 0.3333333333333333], [0.0, 0.5]]
    """
    shared = _minima(a, b)
    covered = a.sizes[: a.clusters, None] + b.sizes[None, : b.clusters] - shared
    return np.divide(shared, covered, out=np.zeros_like(shared), where=covered > 0.0)


def _minima(a: Partition, b: Partition) -> FloatArray:
    """Return Σ min(u, v) for all pairs of clusters."""
    if a.is_hard or b.is_hard:  # the smaller of two numbers is their product if one is 0 or 1
        return overlap_of(a, b)
    sums = np.empty((a.clusters, b.clusters))
    if not (a.rows.mostly_zero or b.rows.mostly_zero):
        rows, others = a.shared.dense, b.shared.dense
        for cluster, column in enumerate(rows.T):
            sums[cluster] = np.minimum(column[:, None], others).sum(axis=0)
        return sums
    columns, matrix = a.without_zeros.matrix.tocsc(), b.without_zeros.matrix
    for cluster in range(a.clusters):
        entries = slice(*columns.indptr[cluster : cluster + 2])
        part = matrix[columns.indices[entries]]
        values = np.repeat(columns.data[entries], np.diff(part.indptr))
        smaller = np.minimum(part.data, values)
        sums[cluster] = np.bincount(part.indices, smaller, minlength=b.clusters)
    return sums
