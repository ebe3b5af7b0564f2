"""Pairs of two hard clusterings, counted by the contingency table.

Counts of pairs are added in 64 bits, which hold them up to 10^9 points, and multiplied only as
Python integers or floats: products of two of them overflow near 100,000 points.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .._base.types import IntArray

#: Points counted at a time, so that the scratch arrays stay in the cache.
CHUNK = 1 << 15


class Together(NamedTuple):
    """Numbers of pairs of points that share a cluster: in both clusterings, and in each one."""

    both: int
    first: int
    second: int

    @property
    def discordant(self) -> int:
        """Pairs that are together in exactly one of the two."""
        return self.first + self.second - 2 * self.both


def pairs_together(first: IntArray, second: IntArray, k1: int, k2: int) -> Together:
    """Count the pairs that two hard clusterings put together.

    Parameters
    ----------
    first, second : array of int
        The cluster of each point, from 0.
    k1, k2 : int
        Numbers of clusters, empty ones included.
    """
    n, cells = first.size, k1 * k2
    if cells > 4 * n + (1 << 16):  # A dense table would be nearly empty.
        table = np.unique(first * k2 + second, return_counts=True)[1]
        sizes = np.bincount(first), np.bincount(second)
    else:
        table = np.zeros(cells, dtype=np.int64)
        cell = np.empty(min(n, CHUNK), dtype=np.intp)
        for start in range(0, n, CHUNK):
            chunk = cell[: min(CHUNK, n - start)]
            np.multiply(first[start : start + CHUNK], k2, out=chunk)
            chunk += second[start : start + CHUNK]
            table += np.bincount(chunk, minlength=cells)
        # The margins of the table are the sizes of the clusters.
        square = table.reshape(k1, k2)
        sizes = square.sum(axis=1), square.sum(axis=0)
    return Together(_pairs(table), _pairs(sizes[0]), _pairs(sizes[1]))


def _pairs(counts: npt.NDArray[np.int64]) -> int:
    """Return the number of pairs within groups of these sizes."""
    return int((counts * (counts - 1)).sum()) // 2
