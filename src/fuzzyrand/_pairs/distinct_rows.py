"""Merge points that are identical in all clusterings, of which rounded memberships have many."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .._base.types import FloatArray, IntArray
from .._clusterings.partition import Partition

#: Number of points sampled first.
SAMPLE = 2000
#: Points are merged if the distinct ones are at most this share of all. The number of pairs shrinks
#: by the square of it, but each pair costs up to four times as much, because it has a weight.
LARGEST_SHARE = 0.25

Words = npt.NDArray[np.uint64]


class DistinctRows(NamedTuple):
    """Distinct points, and how often each occurs.

    Attributes
    ----------
    points : array of int
        One representative of each set of identical points.
    counts : array of float
        Size of each set.
    """

    points: IntArray
    counts: FloatArray


def distinct_rows(*partitions: Partition, unmerged: int) -> DistinctRows | None:
    """Find the distinct points; return None unless they are far fewer than all points.

    A sample is checked first, so that little time is lost if all points differ. Points that are
    fewer than ``unmerged`` are not looked through.
    """
    n = partitions[0].n
    if n < unmerged:
        return None
    most = LARGEST_SHARE * n
    if n > SAMPLE:
        some = np.random.default_rng(0).choice(n, SAMPLE, replace=False)
        repeats = SAMPLE - np.unique(_hashes(partitions, some)).size
        # If m distinct points are equally frequent, a sample of s has about s^2/2m repeats, and
        # more otherwise. The factor 0.5 allows for chance.
        if repeats < 0.5 * SAMPLE**2 / (2.0 * most):
            return None
    hashes = _hashes(partitions, np.arange(n))
    _, points, inverse, counts = np.unique(
        hashes, return_index=True, return_inverse=True, return_counts=True
    )
    if points.size > most or not _all_same(partitions, points[inverse.ravel()]):
        return None
    order = np.argsort(points)
    return DistinctRows(points[order], counts[order].astype(np.float64))


def _hashes(partitions: tuple[Partition, ...], points: IntArray) -> Words:
    """Return a hash of each point, equal for identical points."""
    hashes = np.zeros(points.size, dtype=np.uint64)
    # Multiplying by an odd factor loses no bits; the shift feeds upper bits back into lower ones.
    factor = np.uint64(0x9E3779B97F4A7C15)
    for partition in partitions:
        for column in _columns(partition, points):
            hashes ^= column.view(np.uint64)
            hashes *= factor
            hashes ^= hashes >> np.uint64(29)
    return hashes


def _columns(partition: Partition, points: IntArray) -> list[npt.NDArray[np.int64] | FloatArray]:
    rows = partition.rows.take(points)
    if rows.hard:
        return [rows.codes.astype(np.int64)]
    return [np.ascontiguousarray(column) for column in rows.dense.T]


def _all_same(partitions: tuple[Partition, ...], standing: IntArray) -> bool:
    """Return whether all points equal their representatives, since hashes might collide."""
    stored = [part.rows.codes if part.is_hard else part.rows.dense for part in partitions]
    return all(np.array_equal(rows, rows[standing]) for rows in stored)
