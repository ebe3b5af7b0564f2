"""Places of points on a map, where none are given: two principal components of memberships."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .._base.types import FloatArray, IntArray
from .._clusterings.partition import Partition

#: Largest number of clusters of a side that the components are computed from: the largest ones.
CLUSTERS = 500
#: Angle between neighbours in a spiral of points that would hide each other, as in a sunflower.
GOLDEN = np.pi * (3.0 - np.sqrt(5.0))
#: Distance of such neighbours, as a part of the map.
STEP = 0.012
#: Coordinates that differ by less than this part of the map are the same place.
SAME = 1e-4


def principal_components(partitions: Sequence[Partition]) -> FloatArray:
    """Return two principal components of the memberships of several clusterings side by side.

    Labels count as memberships of 0 and 1. Points in the same place are spread over a small disc,
    so that they can be told apart.
    """
    columns = np.hstack([_largest_columns(partition) for partition in partitions])
    columns -= columns.mean(axis=0)
    _, axes = np.linalg.eigh(columns.T @ columns)
    axes = axes[:, :-3:-1]
    if axes.shape[1] < 2:
        axes = np.pad(axes, ((0, 0), (0, 1)))
    # The sign of an axis is arbitrary: its largest entry is positive.
    axes = axes * np.sign(axes[np.argmax(np.abs(axes), axis=0), [0, 1]] + 1e-300)
    return _spread(columns @ axes)


def _largest_columns(partition: Partition) -> FloatArray:
    """Return the memberships in the largest clusters as a full matrix."""
    clusters = np.argsort(-partition.sizes, kind="stable")[:CLUSTERS]
    return np.column_stack([partition.rows.column(cluster) for cluster in clusters.tolist()])


def _spread(places: FloatArray) -> FloatArray:
    """Move points in the same place apart, in the order of the rows."""
    width = float(np.ptp(places, axis=0).max()) or 1.0
    _, group = np.unique(np.round(places / (SAME * width)), axis=0, return_inverse=True)
    number = _number_in_group(group.ravel())
    turn, radius = GOLDEN * number, STEP * width * np.sqrt(number)
    return np.asarray(places + np.stack([radius * np.cos(turn), radius * np.sin(turn)], axis=1))


def _number_in_group(group: IntArray) -> IntArray:
    """Return how many earlier rows are in the same group."""
    order = np.argsort(group, kind="stable")
    starts = np.searchsorted(group[order], group[order])
    number = np.empty(group.size, dtype=np.intp)
    number[order] = np.arange(group.size) - starts
    return number
