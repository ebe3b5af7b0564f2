"""Random pairs of points, and the agreements of given ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .._base.types import FloatArray, IntArray
from .._inputs.partition import Partition

if TYPE_CHECKING:
    from ..indices.agreements import Agreement

#: Memberships gathered at a time, so that what is done with them finds them in the cache.
PIECE = 1 << 15


def random_agreements(
    partition: Partition, agreement: Agreement, i: IntArray, j: IntArray
) -> FloatArray:
    """Return agreements of given pairs, and the controls drawn with them; shape (2, m)."""
    if partition.codes is not None:
        together = (partition.codes[i] == partition.codes[j]).astype(np.float64)
        return np.stack([together, together])  # hard pairs have no curvature to follow
    assert partition.memberships is not None
    agreement = agreement.of(partition)
    rows, out = partition.memberships, np.empty((2, i.size))
    piece = max(PIECE // partition.k, 1)
    for start in range(0, i.size, piece):
        here = slice(start, start + piece)
        out[:, here] = agreement.with_control(rows[i[here]].T, rows[j[here]].T)
    return out


def random_pairs(rng: np.random.Generator, n: int, size: int) -> tuple[IntArray, IntArray]:
    """Draw pairs of different points, each pair equally likely."""
    i = rng.integers(n, size=size)
    return i, (i + rng.integers(1, n, size=size)) % n
