"""Contingency tables and Gram matrices of two clusterings in blocks, which add up over blocks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..._base.types import FloatArray, IntArray
from .source import BlockPlace, BlockTask, Sums

#: Number of cells up to which a table is counted as a dense array.
DENSE = 1 << 20


class TableCounts(NamedTuple):
    """The nonempty cells of a contingency table, and the number of points in each."""

    cells: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int64]


@dataclass(frozen=True)
class TableTask(BlockTask[TableCounts]):
    """Contingency table of two hard clusterings."""

    k1: int
    k2: int

    def partial(self, place: BlockPlace, *chunks: Any) -> TableCounts:
        """Count the points of a block in each cell."""
        first, second = chunks
        cells = first.astype(np.int64) * self.k2 + second
        if self.k1 * self.k2 <= DENSE:
            counts = np.bincount(cells, minlength=self.k1 * self.k2)
            full = np.flatnonzero(counts)
            return TableCounts(full.astype(np.int64), counts[full].astype(np.int64))
        full, counts = np.unique(cells, return_counts=True)
        return TableCounts(full, counts.astype(np.int64))

    def combined(self, one: TableCounts, two: TableCounts) -> TableCounts:
        """Add the counts of the same cells."""
        cells, at = np.unique(np.concatenate([one.cells, two.cells]), return_inverse=True)
        counts = np.zeros(cells.size, dtype=np.int64)
        np.add.at(counts, at.reshape(-1), np.concatenate([one.counts, two.counts]))
        return TableCounts(cells, counts)


@dataclass(frozen=True)
class Gram(Sums):
    """The matrix U'V, and the sums over points of |u|^2, |v|^2 and |u|^2 |v|^2.

    A hard clustering is given by its codes, which stand for one-hot rows.
    """

    k1: int
    k2: int

    def partial(self, place: BlockPlace, *chunks: Any) -> tuple[Any, ...]:
        """Return the sums of a block."""
        u, v = chunks
        own_u, own_v = _squared_lengths(u), _squared_lengths(v)
        return self._gram(u, v), own_u.sum(), own_v.sum(), float(own_u @ own_v)

    def _gram(self, u: Any, v: Any) -> FloatArray:
        if u.ndim == 1 and v.ndim == 1:
            cells = np.bincount(u * self.k2 + v, minlength=self.k1 * self.k2)
            return cells.reshape(self.k1, self.k2).astype(np.float64)
        if u.ndim == 1:
            return _sums_of_groups(v, u, self.k1)
        if v.ndim == 1:
            return _sums_of_groups(u, v, self.k2).T
        return np.asarray(u.T @ v, dtype=np.float64)


def _squared_lengths(u: Any) -> FloatArray:
    return np.ones(u.size) if u.ndim == 1 else np.asarray(np.einsum("ij,ij->i", u, u))


def _sums_of_groups(rows: FloatArray, groups: IntArray, size: int) -> FloatArray:
    sums = [np.bincount(groups, column, minlength=size) for column in rows.T]
    return np.stack(sums, axis=1)
