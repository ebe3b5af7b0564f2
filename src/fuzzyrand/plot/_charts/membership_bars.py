"""The chart of memberships: points in a common order, and their mean memberships in bars."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..._base.types import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class MembershipBars:
    """Which points each bar stands for.

    Attributes
    ----------
    order : array of int
        The points from left to right.
    starts : array of int
        Where in this order each bar begins.
    """

    order: IntArray
    starts: IntArray

    @classmethod
    def of(
        cls, memberships: FloatArray, most: int, groups: IntArray | None = None
    ) -> MembershipBars:
        """Order points by group, main cluster, and the membership in it.

        Parameters
        ----------
        memberships : array of shape (points, clusters)
            The clustering that sets the order.
        most : int
            Largest number of bars; neighbouring points share one if there are more points.
        groups : array of int, optional
            Groups of points that stay side by side.
        """
        n = len(memberships)
        main = memberships.argmax(axis=1)
        largest = memberships[np.arange(n), main]
        starts = np.unique(np.linspace(0, n, min(n, most), endpoint=False).astype(np.intp))
        by = (-largest, main) if groups is None else (-largest, main, groups)
        return cls(np.lexsort(by).astype(np.intp), starts)

    @property
    def edges(self) -> FloatArray:
        """Where the bars begin, and where the last one ends."""
        return np.append(self.starts, self.order.size).astype(np.float64)

    def means(self, memberships: FloatArray) -> FloatArray:
        """Return the mean memberships of each bar."""
        sums = np.add.reduceat(memberships[self.order], self.starts, axis=0)
        return np.asarray(sums / np.diff(self.edges)[:, None])
