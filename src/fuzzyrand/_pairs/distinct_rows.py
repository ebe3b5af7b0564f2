"""Points that are the same on all sides, merged: rounded memberships have many of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .._base.types import FloatArray, IntArray
from .._inputs.partition import Partition

#: Points from which on it pays to look for points that are the same.
FEWEST_POINTS = 1000
#: Points looked at first.
SAMPLE = 2000
#: Different points are merged if they are at most this share of all: pairs are then the square of
#: it, and each costs up to four times as much, as it has a weight.
LARGEST_SHARE = 0.25

Words = npt.NDArray[np.uint64]


class DistinctRows(NamedTuple):
    """Different points, and how often each occurs.

    Attributes
    ----------
    points : array of int
        One of the points that are the same, for all different ones.
    counts : array of float
        How many there are.
    """

    points: IntArray
    counts: FloatArray


def distinct_rows(*partitions: Partition) -> DistinctRows | None:
    """Find the points that differ on some side; None if they are not far fewer than all.

    A sample is looked at first, so that nothing is lost where all points differ.
    """
    n = partitions[0].n
    if n < FEWEST_POINTS:
        return None
    most = LARGEST_SHARE * n
    if n > SAMPLE:
        some = np.random.default_rng(0).choice(n, SAMPLE, replace=False)
        repeats = SAMPLE - np.unique(_hashes(partitions, some)).size
        # Of m different points, equally frequent, a sample of s has about s^2/2m repeats; more if
        # they are not. Half of that may be chance.
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
    """Return a number for each point, the same for points that are the same."""
    hashes = np.zeros(points.size, dtype=np.uint64)
    # An odd factor loses no bits, and the shift brings upper ones down to those it does not reach.
    factor = np.uint64(0x9E3779B97F4A7C15)
    for partition in partitions:
        for column in _columns(partition, points):
            hashes ^= column.view(np.uint64)
            hashes *= factor
            hashes ^= hashes >> np.uint64(29)
    return hashes


def _columns(partition: Partition, points: IntArray) -> list[npt.NDArray[np.int64] | FloatArray]:
    if partition.codes is not None:
        return [partition.codes[points].astype(np.int64)]
    return [np.ascontiguousarray(column) for column in partition.dense[points].T]


def _all_same(partitions: tuple[Partition, ...], standing: IntArray) -> bool:
    """Whether all points are the same as those that stand for them: hashes might collide."""
    for partition in partitions:
        if partition.codes is not None:
            if not np.array_equal(partition.codes, partition.codes[standing]):
                return False
        elif not np.array_equal(partition.dense, partition.dense[standing]):
            return False
    return True
