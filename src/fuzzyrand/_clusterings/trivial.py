"""Clusterings that do not tell points apart."""

from __future__ import annotations

import numpy as np

from .._base.estimate import ROUNDING
from .partition import Partition


def is_trivial(partition: Partition) -> bool:
    """Return whether all points have the same memberships, so that shuffling them changes nothing.

    Examples
    --------
    >>> is_trivial(Partition.from_labels([3, 3])), is_trivial(Partition.from_labels([3, 4]))
    (True, False)
    """
    if partition.is_hard:
        return partition.occupied == 1
    if not partition.rows.fits_dense:
        return False
    return bool(np.ptp(partition.rows.dense, axis=0).max() <= ROUNDING)
