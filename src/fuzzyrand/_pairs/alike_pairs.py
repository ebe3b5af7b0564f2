"""Clusterings in which every pair of points has the same agreement, so that nothing is compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .._clusterings.partition import Partition

if TYPE_CHECKING:
    from ..indices.agreements import Agreement


def same_agreement(partition: Partition, agreement: Agreement) -> float | None:
    """Return the agreement that all pairs of points evidently share, or None."""
    if all_together(partition):
        if partition.is_hard:
            return 1.0
        row = partition.rows.take(np.zeros(1, dtype=np.intp)).dense.T
        return float(agreement.of(partition).between(row, row)[0])
    return 0.0 if all_apart(partition) else None


def all_together(partition: Partition) -> bool:
    """Whether all points evidently have the same memberships, shared with each other."""
    if partition.is_hard:
        return partition.occupied == 1
    return partition.rows.all_equal and not partition.unshared[0] > 0.0


def all_apart(partition: Partition) -> bool:
    """Whether every point is a hard cluster of its own."""
    return partition.is_hard and partition.occupied == partition.n
