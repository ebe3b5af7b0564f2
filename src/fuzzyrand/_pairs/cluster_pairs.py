"""The pairs of points within clusters, where points i and j have the weight v_ic v_jc in cluster c.

The entries of a cluster are in increasing order. A pair is drawn by its larger entry, in proportion
to the entry times the sum of all smaller ones, and then by its smaller entry, in proportion to this
entry. No cluster is left out, however small its memberships are, and sums of positive numbers in
increasing order lose no digits.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from .._base.types import FloatArray, IntArray
from .._clusterings.sparse_rows import SortedEntries


class ClusterPairs:
    """Pairs of points that share a cluster, with their weights.

    Parameters
    ----------
    entries : SortedEntries
        The memberships of each cluster, without zeros, in increasing order.

    Attributes
    ----------
    counts : array
        Number of pairs of each cluster.
    totals : array
        Sum of the weights of all pairs of each cluster.
    """

    def __init__(self, entries: SortedEntries) -> None:
        self._starts, self._points, self._values = entries
        self._below = self._sums_in_clusters(self._values)
        before = np.concatenate([[0.0], self._below[:-1]])
        occupied = self._starts[:-1] < self._starts[1:]
        before[self._starts[:-1][occupied]] = 0.0
        self._passed = self._sums_in_clusters(self._values * before)
        sizes = np.diff(self._starts)
        self.counts = sizes * (sizes - 1) // 2
        self.totals: FloatArray = np.zeros(sizes.size)
        self.totals[occupied] = self._passed[self._starts[1:][occupied] - 1]

    def _sums_in_clusters(self, values: FloatArray) -> FloatArray:
        out = np.empty(values.size)
        for start, stop in pairwise(self._starts.tolist()):
            np.cumsum(values[start:stop], out=out[start:stop])
        return out

    def draw(self, rng: np.random.Generator, clusters: IntArray) -> tuple[IntArray, IntArray]:
        """Draw a pair of each of the given clusters, whose totals must not be 0."""
        first, last = self._starts[clusters], self._starts[clusters + 1] - 1
        u = rng.random(clusters.shape) * self._passed[last]
        larger = _first_above(self._passed, u, first, last)
        u = rng.random(clusters.shape) * self._below[larger - 1]
        smaller = _first_above(self._below, u, first, larger - 1)
        return self._points[larger].astype(np.intp), self._points[smaller].astype(np.intp)

    def all_of(self, clusters: IntArray) -> tuple[IntArray, IntArray, IntArray, FloatArray]:
        """Return all pairs of the given clusters: both points, the cluster and the weight."""
        sizes = self._starts[clusters + 1] - self._starts[clusters]
        # The larger entry of rank r has r smaller ones.
        ranks = np.concatenate([np.arange(size) for size in sizes.tolist()])
        start = np.repeat(self._starts[clusters], sizes)
        larger = np.repeat(start + ranks, ranks)
        smaller = np.repeat(start - np.cumsum(ranks) + ranks, ranks) + np.arange(larger.size)
        return (
            self._points[larger].astype(np.intp),
            self._points[smaller].astype(np.intp),
            np.repeat(np.repeat(clusters, sizes), ranks),
            self._values[larger] * self._values[smaller],
        )


def _first_above(sums: FloatArray, u: FloatArray, low: IntArray, high: IntArray) -> IntArray:
    """Return the first position from low to high where a sum exceeds u; high if none does."""
    low, high = low.copy(), high.copy()
    while (low < high).any():
        middle = (low + high) // 2
        above = sums[middle] > u
        high = np.where(above, middle, high)
        low = np.where(above, low, np.minimum(middle + 1, high))
    return low
