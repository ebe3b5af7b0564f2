"""Clusterings in which every pair of points has the same agreement, so that nothing is compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .._clusterings.blocks.rows import BlockPartition
from .._clusterings.partition import Partition

if TYPE_CHECKING:
    from ..indices.agreements import Agreement


def same_agreement(partition: Partition, agreement: Agreement) -> float | None:
    """Return the agreement that all pairs of points evidently share, or None."""
    if all_together(partition):
        if partition.codes is not None:
            return 1.0
        row = partition.rows_of(np.zeros(1, dtype=np.intp)).dense.T
        return float(agreement.of(partition).between(row, row)[0])
    return 0.0 if all_apart(partition) else None


def all_together(partition: Partition) -> bool:
    """Whether all points evidently have the same memberships, shared with each other."""
    if partition.codes is not None:
        return partition.occupied == 1
    if isinstance(partition, BlockPartition):  # which would have to be read for it
        return False
    rows = partition.sparse
    if rows is not None:
        counts = np.diff(rows.starts)
        if (counts != counts[0]).any():
            return False
        columns = rows.columns.reshape(rows.n, counts[0])
        values = rows.values.reshape(rows.n, counts[0])
        same = bool((columns == columns[0]).all() and (values == values[0]).all())
        noise = bool((columns[0] == rows.k - 1).any())
    else:
        dense = partition.dense
        # Most clusterings differ in their first rows already.
        same = bool((dense[1] == dense[0]).all() and (dense == dense[0]).all())
        noise = bool(dense[0, -1] > 0.0)
    return same and not (noise and partition.noise_is_singletons)


def all_apart(partition: Partition) -> bool:
    """Whether every point is a hard cluster of its own."""
    return partition.codes is not None and partition.occupied == partition.n
