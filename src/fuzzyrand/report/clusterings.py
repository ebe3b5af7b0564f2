"""Summary of one clustering in a report: sizes of its clusters and fuzziness of its points."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from .._base.types import FloatArray
from .._clusterings.partition import Partition

#: Largest number of clusters listed one by one; beyond it, the smaller ones are summed up.
LISTED = 20
#: Limits of the largest membership of a point, from clear to fuzzy.
LIMITS = (0.99, 0.9, 0.7, 0.5)


@dataclass(frozen=True)
class ClusterSize:
    """A cluster, or the smaller ones together: its size, its share, and the length of its bar.

    ``name`` is None for a cluster without a label.
    """

    name: str | None
    size: float
    share: float
    bar: float


@dataclass(frozen=True)
class MembershipRange:
    """How many points have their largest membership above ``lower`` and up to ``upper``."""

    lower: float | None
    upper: float | None
    count: int
    share: float


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
    sizes : list of ClusterSize
        Clusters, the largest first.
    others : ClusterSize or None
        All others together; the bar is that of the largest.
    other_count : int
        Number of the others.
    ranges : list of MembershipRange
        Points by their largest membership; empty for a hard clustering.
    largest_mean : float
        Mean of the largest membership.
    sums : tuple of float, or None
        Smallest and largest sum of the memberships of a point, where these need not be 1.
    """

    name: str
    side: str
    fixed: bool
    partition: Partition
    sizes: list[ClusterSize]
    others: ClusterSize | None
    other_count: int
    ranges: list[MembershipRange]
    largest_mean: float
    sums: tuple[float, float] | None

    @classmethod
    def of(cls, partition: Partition, name: str, side: str, fixed: bool) -> ClusteringSummary:
        """Summarise a clustering."""
        sizes = partition.sizes
        total, largest = float(sizes.sum()) or 1.0, float(sizes.max()) or 1.0
        order = np.argsort(-sizes, kind="stable")
        listed = order[: LISTED if partition.k > LISTED + 1 else partition.k]
        rest = sizes[order[listed.size :]]
        others = None
        if rest.size:
            size = float(rest.sum())
            others = ClusterSize(None, size, size / total, float(rest.max()) / largest)
        highest = partition.rows.largest
        sums = None
        if partition.possibilistic and not partition.cover:
            added = partition.rows.dense.sum(axis=1)
            sums = float(added.min()), float(added.max())
        return cls(
            name=name,
            side=side,
            fixed=fixed,
            partition=partition,
            sizes=[
                ClusterSize(
                    _cluster_name(partition, i),
                    float(sizes[i]),
                    float(sizes[i]) / total,
                    float(sizes[i]) / largest,
                )
                for i in listed.tolist()
            ],
            others=others,
            other_count=rest.size,
            ranges=[] if partition.is_hard or partition.cover else _ranges(highest),
            largest_mean=float(highest.mean()),
            sums=sums,
        )

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


def _ranges(largest: FloatArray) -> list[MembershipRange]:
    ranges = []
    for upper, lower in pairwise((np.inf, *LIMITS, -np.inf)):
        count = int(np.count_nonzero((largest > lower) & (largest <= upper)))
        ranges.append(
            MembershipRange(
                lower=None if lower == -np.inf else lower,
                upper=None if upper == np.inf else upper,
                count=count,
                share=count / largest.size,
            )
        )
    return ranges
