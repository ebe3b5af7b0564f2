"""Memberships stored without their zeros."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .._base.types import FloatArray, IntArray
from .rows import LARGEST_DENSE, Rows, require_dense


class SortedEntries(NamedTuple):
    """Entries in increasing order within each column: starts of columns, points and values."""

    starts: npt.NDArray[np.int64]
    points: npt.NDArray[np.int32]
    values: FloatArray


@dataclass(frozen=True, eq=False)
class SparseRows(Rows):
    """Rows of memberships without their zeros, as in SciPy's CSR format.

    Attributes
    ----------
    starts : array of int64
        Where the entries of each row begin, and where those of the last row end.
    columns : array of int32
        The column of each entry, in increasing order within a row.
    values : array of float
        The entries, none of which is zero.
    width : int
        Number of columns.
    """

    mostly_zero = True

    starts: npt.NDArray[np.int64]
    columns: npt.NDArray[np.int32]
    values: FloatArray
    width: int

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
    def shape(self) -> tuple[int, int]:
        return self.starts.size - 1, self.width

    @property
    def fits_dense(self) -> bool:
        return self.n * self.k <= LARGEST_DENSE

    @cached_property
    def dense(self) -> FloatArray:
        require_dense(self)
        return np.asarray(self.matrix.toarray())

    @cached_property
    def without_zeros(self) -> SparseRows:
        return self

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
    def sums_of_rows(self) -> FloatArray:
        """Sum of each row."""
        return np.asarray(np.bincount(self.points, self.values, minlength=self.n))

    @cached_property
    def squared_lengths(self) -> FloatArray:
        return np.asarray(np.bincount(self.points, self.values**2, minlength=self.n))

    @property
    def filled(self) -> IntArray:
        return np.diff(self.starts)

    @cached_property
    def strongest(self) -> IntArray:
        order = np.lexsort((self.columns, -self.values, self.points))
        some = self.filled > 0
        out = np.zeros(self.n, dtype=np.intp)
        out[some] = self.columns[order[self.starts[:-1][some]]]
        return out

    @property
    def largest(self) -> FloatArray:
        return self._reduce(np.maximum, 0.0)

    @property
    def smallest(self) -> FloatArray:
        """The smallest entry of each row that is not zero; 1 if the row is empty."""
        return self._reduce(np.minimum, 1.0)

    def _reduce(self, function: np.ufunc, empty: float) -> FloatArray:
        out, some = np.full(self.n, empty), self.filled > 0
        if some.any():
            out[some] = function.reduceat(self.values, self.starts[:-1][some])
        return out

    def times(self, matrix: FloatArray) -> FloatArray:
        return np.asarray(self.matrix @ matrix)

    def column(self, number: int) -> FloatArray:
        here = self.columns == number
        out = np.zeros(self.n)
        out[self.points[here]] = self.values[here]
        return out

    def sums(self, weights: FloatArray | None = None) -> FloatArray:
        return self._add_up(self.values, weights)

    def squares(self, weights: FloatArray | None = None) -> FloatArray:
        return self._add_up(self.values**2, weights)

    def _add_up(self, values: FloatArray, weights: FloatArray | None) -> FloatArray:
        """Sum values of the entries in each column."""
        if weights is not None:
            values = weights[self.points] * values
        return np.bincount(self.columns, values, self.k).astype(np.float64, copy=False)

    @property
    def variances(self) -> FloatArray:
        return np.asarray((self.squares() - self.sums() ** 2 / self.n) / (self.n - 1.0))

    @property
    def extremes(self) -> tuple[FloatArray, FloatArray]:
        return np.zeros(self.k), np.ones(self.k)

    @property
    def entries(self) -> int:
        return self.values.size

    @property
    def all_equal(self) -> bool:
        filled = self.filled
        if (filled != filled[0]).any():
            return False
        columns = self.columns.reshape(self.n, filled[0])
        values = self.values.reshape(self.n, filled[0])
        return bool((columns == columns[0]).all() and (values == values[0]).all())

    def take(self, points: npt.NDArray[Any] | slice) -> SparseRows:
        if not isinstance(points, slice) and points.dtype == bool:
            points = np.flatnonzero(points)
        part = self.matrix[points]
        return SparseRows(part.indptr.astype(np.int64), part.indices, part.data, self.k)

    def drop_last(self) -> SparseRows:
        kept = self.columns < self.k - 1
        counts = np.bincount(self.points[kept], minlength=self.n)
        starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        return SparseRows(starts, self.columns[kept], self.values[kept], self.k - 1)

    def scale(self, factors: FloatArray) -> SparseRows:
        return replace(self, values=self.values * factors[self.points])

    def unit(self) -> SparseRows:
        lengths = np.sqrt(self.squared_lengths)
        return self.scale(1.0 / np.where(lengths > 0.0, lengths, 1.0))

    def products(self, other: Rows, weights: FloatArray | None = None) -> Any:
        rows = self if weights is None else self.scale(weights)
        return (rows.matrix.T @ other.without_zeros.matrix).tocsr()
