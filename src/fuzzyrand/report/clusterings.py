"""Summary of one clustering in a report: sizes of its clusters and fuzziness of its points."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from .._base.types import FloatArray, IntArray
from .._clusterings.partition import Partition

#: Largest number of clusters listed one by one; beyond it, the smaller ones are summed up.
LISTED = 20
#: Limits of the largest membership of a point, from clear to fuzzy.
LIMITS = (0.99, 0.9, 0.7, 0.5)


class ClusterSize(NamedTuple):
    """A cluster, or the smaller ones together: its size, its share, and the length of its bar.

    ``name`` is None for a cluster without a label.
    """

    name: str | None
    size: float
    share: float
    bar: float


@dataclass(frozen=True)
class ClusteringSummary:
    """One clustering, as a column of the page.

    Attributes
    ----------
    name, side : str
        Its name, and whether it is the first or the second.
    fixed : bool
        Whether it is taken as given.
    partition : Partition
        The clustering itself.
    """

    name: str
    side: str
    fixed: bool
    partition: Partition

    @cached_property
    def sizes(self) -> list[ClusterSize]:
        """The largest clusters, the largest first."""
        k = self.partition.k
        listed = self._order[: LISTED if k > LISTED + 1 else k].tolist()
        sizes = self.partition.sizes
        return [self._size(_cluster_name(self.partition, i), sizes[[i]]) for i in listed]

    @property
    def other_count(self) -> int:
        """Number of the other clusters."""
        return self.partition.k - len(self.sizes)

    @property
    def others(self) -> ClusterSize:
        """All others together; the bar is that of the largest."""
        return self._size(None, self.partition.sizes[self._order[len(self.sizes) :]])

    @cached_property
    def _order(self) -> IntArray:
        return np.argsort(-self.partition.sizes, kind="stable")

    def _size(self, name: str | None, sizes: FloatArray) -> ClusterSize:
        every = self.partition.sizes
        size, total, largest = float(sizes.sum()), float(every.sum()), float(every.max())
        return ClusterSize(name, size, size / (total or 1.0), float(sizes.max()) / (largest or 1.0))

    @property
    def ranges(self) -> list[tuple[float | None, float | None, int, float]]:
        """Points by their largest membership: bounds, number, share; empty for hard clusterings."""
        if self.whole:
            return []
        largest, ranges = self.partition.rows.largest, []
        for upper, lower in pairwise((None, *LIMITS, None)):
            inside = np.ones(largest.size, dtype=np.bool_)
            if lower is not None:
                inside &= largest > lower
            if upper is not None:
                inside &= largest <= upper
            count = int(np.count_nonzero(inside))
            ranges.append((lower, upper, count, count / largest.size))
        return ranges

    @property
    def largest_mean(self) -> float:
        """Mean of the largest membership."""
        return float(self.partition.rows.largest.mean())

    @property
    def sums(self) -> tuple[float, float] | None:
        """Smallest and largest sum of the memberships of a point, where these need not be 1."""
        if not self.partition.possibilistic or self.partition.cover:
            return None
        sums = self.partition.rows.dense.sum(axis=1)
        return float(sums.min()), float(sums.max())

    @property
    def whole(self) -> bool:
        """Whether sizes are numbers of points."""
        return self.partition.is_hard or self.partition.cover

    @property
    def several(self) -> int:
        """Number of points of a cover that are in several clusters."""
        return int(np.count_nonzero(self.partition.rows.filled > 1))

    @property
    def empty(self) -> int:
        """Number of clusters without points."""
        return self.partition.k - self.partition.occupied

    @property
    def has_names(self) -> bool:
        """Whether clusters have names rather than numbers."""
        return self.partition.names is not None


def _cluster_name(partition: Partition, cluster: int) -> str | None:
    if partition.names is None:
        return str(cluster)
    return partition.names[cluster] if cluster < len(partition.names) else None
