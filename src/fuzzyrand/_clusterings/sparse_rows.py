"""Memberships stored without their zeros."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .._base.types import FloatArray, IntArray


class SortedEntries(NamedTuple):
    """Entries in increasing order within each column: starts of columns, points and values."""

    starts: npt.NDArray[np.int64]
    points: npt.NDArray[np.int32]
    values: FloatArray


@dataclass(frozen=True, eq=False)
class SparseRows:
    """Rows of memberships without their zeros, as in SciPy's CSR format.

    Attributes
    ----------
    starts : array of int64
        Where the entries of each row begin, and where those of the last row end.
    columns : array of int32
        The column of each entry, in increasing order within a row.
    values : array of float
        The entries, none of which is zero.
    k : int
        Number of columns.
    """

    starts: npt.NDArray[np.int64]
    columns: npt.NDArray[np.int32]
    values: FloatArray
    k: int

    @classmethod
    def of(cls, matrix: Any) -> SparseRows:
        """Make rows from a SciPy matrix that has no duplicates."""
        csr = matrix.tocsr()
        csr.eliminate_zeros()
        csr.sort_indices()
        return cls(
            csr.indptr.astype(np.int64),
            csr.indices.astype(np.int32),
            csr.data.astype(np.float64, copy=False),
            csr.shape[1],
        )

    @classmethod
    def of_dense(cls, rows: FloatArray) -> SparseRows:
        """Make rows from a full matrix, leaving out its zeros."""
        filled = rows != 0.0
        starts = np.concatenate([[0], np.cumsum(filled.sum(axis=1))])
        columns = np.nonzero(filled)[1].astype(np.int32)
        return cls(starts.astype(np.int64), columns, rows[filled], rows.shape[1])

    @property
    def n(self) -> int:
        """Number of rows."""
        return self.starts.size - 1

    @property
    def shape(self) -> tuple[int, int]:
        """Number of rows and columns."""
        return self.n, self.k

    @property
    def matrix(self) -> Any:
        """The rows as a SciPy array that shares their memory."""
        from scipy.sparse import csr_array  # Deferred: slow to import and seldom needed.

        return csr_array((self.values, self.columns, self.starts), shape=(self.n, self.k))

    @cached_property
    def points(self) -> npt.NDArray[np.int32]:
        """The row of each entry."""
        return np.repeat(np.arange(self.n, dtype=np.int32), np.diff(self.starts))

    @cached_property
    def in_order(self) -> SortedEntries:
        """The entries sorted by column, and by value within each column."""
        from scipy.sparse import csr_array  # Deferred: slow to import and seldom needed.

        # Sort by value first, then by column in a way that keeps this order.
        order = np.argsort(self.values)
        every = np.arange(order.size + 1)
        shape = (order.size, self.k)
        by_columns = csr_array((order, self.columns[order], every), shape=shape).tocsc()
        order = by_columns.data
        return SortedEntries(by_columns.indptr, self.points[order], self.values[order])

    @cached_property
    def entries_a_column(self) -> IntArray:
        """Number of entries in each column."""
        return np.asarray(np.bincount(self.columns, minlength=self.k))

    @cached_property
    def shared_entries(self) -> float:
        """Number of pairs of entries in the same column, summed over columns."""
        counts = self.entries_a_column.astype(np.float64)
        return 0.5 * float((counts * (counts - 1.0)).sum())

    @property
    def sums_of_columns(self) -> FloatArray:
        """Sum of each column."""
        return np.asarray(np.bincount(self.columns, self.values, minlength=self.k))

    @property
    def sums_of_rows(self) -> FloatArray:
        """Sum of each row."""
        return np.asarray(np.bincount(self.points, self.values, minlength=self.n))

    @cached_property
    def squared_lengths(self) -> FloatArray:
        """Sum of the squares of each row."""
        return np.asarray(np.bincount(self.points, self.values**2, minlength=self.n))

    @cached_property
    def strongest(self) -> IntArray:
        """The column of the largest entry of each row, the first if there are several."""
        order = np.lexsort((self.columns, -self.values, self.points))
        filled = np.diff(self.starts) > 0
        out = np.zeros(self.n, dtype=np.intp)
        out[filled] = self.columns[order[self.starts[:-1][filled]]]
        return out

    @property
    def largest(self) -> FloatArray:
        """The largest entry of each row; 0 if the row is empty."""
        out = np.zeros(self.n)
        filled = np.diff(self.starts) > 0
        if filled.any():
            out[filled] = np.maximum.reduceat(self.values, self.starts[:-1][filled])
        return out

    @property
    def smallest(self) -> FloatArray:
        """The smallest entry of each row that is not zero; 1 if the row is empty."""
        out = np.ones(self.n)
        filled = np.diff(self.starts) > 0
        if filled.any():
            out[filled] = np.minimum.reduceat(self.values, self.starts[:-1][filled])
        return out

    def take(self, points: npt.NDArray[Any]) -> SparseRows:
        """Return some rows, given by their numbers or a mask."""
        part = self.matrix[np.flatnonzero(points) if points.dtype == bool else points]
        return SparseRows(part.indptr.astype(np.int64), part.indices, part.data, self.k)

    def without_last_column(self) -> SparseRows:
        """Return all columns but the last."""
        kept = self.columns < self.k - 1
        counts = np.bincount(self.points[kept], minlength=self.n)
        starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        return SparseRows(starts, self.columns[kept], self.values[kept], self.k - 1)

    def column(self, number: int) -> FloatArray:
        """Return one column, with its zeros."""
        here = self.columns == number
        out = np.zeros(self.n)
        out[self.points[here]] = self.values[here]
        return out

    def row(self, number: int) -> FloatArray:
        """Return one row, with its zeros."""
        here = slice(*self.starts[number : number + 2])
        out = np.zeros(self.k)
        out[self.columns[here]] = self.values[here]
        return out

    def scaled(self, factors: FloatArray) -> SparseRows:
        """Multiply each row by a factor."""
        return replace(self, values=self.values * factors[self.points])

    def unit_rows(self) -> SparseRows:
        """Scale rows to length 1; empty rows stay empty."""
        lengths = np.sqrt(self.squared_lengths)
        return self.scaled(1.0 / np.where(lengths > 0.0, lengths, 1.0))

    def to_dense(self) -> FloatArray:
        """Return the matrix with its zeros."""
        return np.asarray(self.matrix.toarray())
