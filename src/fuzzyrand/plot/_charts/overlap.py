"""The chart of matched clusters: a table of overlaps with partners on its diagonal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ..._base.types import FloatArray

if TYPE_CHECKING:
    from ...results import Matching


@dataclass(frozen=True, eq=False)
class OverlapChart:
    """Overlaps of the clusters of two clusterings, in matched order.

    Attributes
    ----------
    rows, columns : list of int
        Clusters of the first and of the second clustering: partners in the same place, then the
        others.
    names : tuple of two lists of str
        Their names.
    sizes : tuple of two arrays
        Their sizes.
    amounts : array of shape (rows, columns)
        The overlaps.
    shares : array of shape (rows, columns)
        The overlaps as shares of the clusters of the first.
    partners : int
        Number of cells of the diagonal that are pairs.
    left_out : tuple of int
        Number of clusters of each side that are not shown because others are larger.
    empty : tuple of int
        Number of clusters of each side that are not shown because they are empty.
    """

    rows: list[int]
    columns: list[int]
    names: tuple[list[str], list[str]]
    sizes: tuple[FloatArray, FloatArray]
    amounts: FloatArray
    shares: FloatArray
    partners: int
    left_out: tuple[int, int] = (0, 0)
    empty: tuple[int, int] = (0, 0)

    @classmethod
    def of(cls, matching: Matching) -> OverlapChart:
        """Make the chart of all clusters."""
        return cls._chosen(matching, list(matching.pairs), *matching.unmatched)

    @classmethod
    def of_largest(cls, matching: Matching, most: int) -> OverlapChart:
        """Make the chart of the largest clusters of both sides, without empty ones.

        Parameters
        ----------
        matching : Matching
            The matched clusters.
        most : int
            Largest number of clusters of each side. On the second side, partners of shown clusters
            take precedence.
        """
        sizes = matching.sizes
        rows = _largest(range(sizes[0].size), sizes[0], most)
        pairs = [(i, j) for i, j in matching.pairs if i in rows]
        partners = {j for _, j in pairs}
        others = (j for j in range(sizes[1].size) if j not in partners)
        columns = partners | _largest(others, sizes[1], most - len(pairs))
        matched = {i for i, _ in pairs}
        alone = sorted(rows - matched), sorted(columns - partners)
        there = [int(np.count_nonzero(side)) for side in sizes]
        return replace(
            cls._chosen(matching, pairs, *alone),
            left_out=(there[0] - len(rows), there[1] - len(columns)),
            empty=(sizes[0].size - there[0], sizes[1].size - there[1]),
        )

    @classmethod
    def _chosen(
        cls,
        matching: Matching,
        pairs: Sequence[tuple[int, int]],
        alone_a: Sequence[int],
        alone_b: Sequence[int],
    ) -> OverlapChart:
        rows, columns = [i for i, _ in pairs] + [*alone_a], [j for _, j in pairs] + [*alone_b]
        amounts = matching.overlap[np.ix_(rows, columns)]
        sizes = matching.sizes[0][rows], matching.sizes[1][columns]
        sums = sizes[0][:, None]
        return cls(
            rows=rows,
            columns=columns,
            names=([matching.names[0][i] for i in rows], [matching.names[1][j] for j in columns]),
            sizes=sizes,
            amounts=amounts,
            shares=np.divide(amounts, sums, out=np.zeros_like(amounts), where=sums > 0.0),
            partners=len(pairs),
        )

    @property
    def whole(self) -> bool:
        """Whether all overlaps are whole numbers, as those of hard clusterings are."""
        return bool((self.amounts == np.round(self.amounts)).all())


def _largest(clusters: Iterable[int], sizes: FloatArray, most: int) -> set[int]:
    """Return the largest of the given clusters, without empty ones."""
    there = [c for c in clusters if sizes[c] > 0.0]
    return set(sorted(there, key=lambda c: -sizes[c])[: max(most, 0)])
