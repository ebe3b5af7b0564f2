"""The contingency table of two clusterings, which may be fuzzy: what each two clusters share.

A cell is the sum, over all points, of the product of their memberships in the two clusters: U'V.
For hard clusterings, it is the number of points in both clusters.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from .._base.budget import Budget
from .._base.errors import NotApplicableError
from .._base.types import FloatArray, IntArray
from .._clusterings.partition import Partition
from .._distributions.information_moments import ColumnMoments
from .gram import through

#: Rows that are multiplied at a time, few enough to stay in the cache.
ROWS = 1 << 12


@dataclass(frozen=True, eq=False)
class Table:
    """A contingency table, by the cells that are not empty.

    Attributes
    ----------
    n : int
        Number of points.
    rows, columns : array of int
        Clusters of the first and the second clustering that each cell belongs to.
    cells : array of float
        Their totals.
    first, second : array of float
        Sizes of the clusters of both clusterings, empty ones included.
    squares : float
        Sum of the squared weights of the points; their number if all count alike.
    """

    n: int
    rows: IntArray
    columns: IntArray
    cells: FloatArray
    first: FloatArray
    second: FloatArray
    squares: float

    @classmethod
    def of_matrix(cls, matrix: FloatArray, n: int) -> Table:
        """Return the table of a matrix whose rows and columns sum to the sizes of the clusters."""
        rows, columns = np.nonzero(matrix)
        sizes = matrix.sum(axis=1), matrix.sum(axis=0)
        return cls(n, rows, columns, matrix[rows, columns].astype(np.float64), *sizes, n)

    @property
    def matrix(self) -> FloatArray:
        """The table as a full matrix."""
        shape = self.first.size, self.second.size
        if shape[0] * shape[1] > Budget.table_cells:
            raise NotApplicableError(
                "{k1:,} clusters with {k2:,} would take a table of {cells:,} cells, and the most "
                "is {most:,}; merge the smallest clusters.",
                k1=shape[0],
                k2=shape[1],
                cells=shape[0] * shape[1],
                most=Budget.table_cells,
            )
        full = np.zeros(shape)
        full[self.rows, self.columns] = self.cells
        return full


class CrossTabulation:
    """Two clusterings of the same points with their contingency table, which is computed once."""

    def __init__(self, first: Partition, second: Partition, known: Table | None = None) -> None:
        self.first: Partition = first
        self.second: Partition = second
        self._known = known

    @property
    def table(self) -> Table:
        """The contingency table."""
        if self._known is not None:
            return self._known
        return self._tables[0] if self._dense else self._table

    @property
    def owns(self) -> tuple[CrossTabulation, CrossTabulation]:
        """Each clustering with itself."""
        one, two = self.selves
        return (
            CrossTabulation(self.first, self.first, one),
            CrossTabulation(self.second, self.second, two),
        )

    @property
    def selves(self) -> tuple[Table, Table]:
        """The tables of each clustering with itself."""
        return self._tables[1:] if self._dense else self._selves

    @property
    def moments(self) -> tuple[ColumnMoments, ColumnMoments] | None:
        """Means and variances of memberships without a pass over the rows, if both are fuzzy."""
        if not self._dense:
            return None
        one, two = (self._moments_of(table) for table in self.selves)
        return one, two

    def _moments_of(self, own: Table) -> ColumnMoments:
        mean, unknown = own.first / own.n, np.full(own.first.size, np.nan)
        squares = np.zeros(mean.size)
        diagonal = own.rows == own.columns
        squares[own.rows[diagonal]] = own.cells[diagonal] / own.n
        return ColumnMoments(mean, squares - mean**2, unknown, unknown)

    @cached_property
    def _table(self) -> Table:
        return table_of(self.first, self.second)

    @cached_property
    def _selves(self) -> tuple[Table, Table]:
        return table_of(self.first, self.first), table_of(self.second, self.second)

    @property
    def _dense(self) -> bool:
        """Whether all tables are found in one pass over two full matrices."""
        return all(
            part.rows.in_memory
            and not (part.is_hard or part.rows.mostly_zero or part.possibilistic)
            and part.weights is None
            for part in (self.first, self.second)
        )

    @cached_property
    def _tables(self) -> tuple[Table, Table, Table]:
        """The contingency table, and those of each clustering with itself.

        Each block of rows is read once, and the products find it in the cache.
        """
        u, v = self.first.rows.dense, self.second.rows.dense
        n, (k1, k2) = self.first.n, (u.shape[1], v.shape[1])
        shared, own1, own2 = np.zeros((k1, k2)), np.zeros((k1, k1)), np.zeros((k2, k2))
        for start in range(0, n, ROWS):
            one, two = u[start : start + ROWS], v[start : start + ROWS]
            shared += one.T @ two
            own1 += one.T @ one
            own2 += two.T @ two
        # Rows sum to 1, so that the sums of the table are the sizes of the clusters.
        for part, sizes in ((self.first, shared.sum(axis=1)), (self.second, shared.sum(axis=0))):
            part.keep_sizes(sizes)
        size1, size2 = self.first.sizes, self.second.sizes
        return (
            Table(n, *_filled(shared), size1, size2, n),
            Table(n, *_filled(own1), size1, size1, n),
            Table(n, *_filled(own2), size2, size2, n),
        )


def table_of(first: Partition, second: Partition) -> Table:
    """Return the contingency table of two clusterings of points with the weights of the first."""
    weights = first.weights
    if first.is_hard and second.is_hard:
        found = first.rows.cells(second.rows, weights)
        if weights is None:
            for partition, counted in zip((first, second), found.sizes, strict=True):
                partition.keep_sizes(counted)
        rows, columns = np.divmod(found.places, second.k)
        one, two = found.sizes
        cells, one, two = (each.astype(np.float64) for each in (found.counts, one, two))
    else:
        rows, columns, cells = _filled(first.rows.products(second.rows, weights))
        # The second clustering may be shuffled: its points have the weights of the first.
        one, two = first.sizes, second.sizes if weights is None else second.rows.sums(weights)
    squares = first.n if first.weighting is None else first.weighting.squares
    return Table(first.n, rows, columns, cells, one, two, squares)


def _filled(matrix: Any) -> tuple[IntArray, IntArray, FloatArray]:
    """Return the places and the values of the entries of a matrix that are not zero."""
    if not isinstance(matrix, np.ndarray):
        entries = matrix.tocoo()
        return entries.row, entries.col, entries.data
    rows, columns = np.nonzero(matrix)
    return rows, columns, matrix[rows, columns]


def scores_of_points(
    first: Partition, second: Partition, table: Table, heights: FloatArray
) -> FloatArray:
    """Return, for each point, the sum of the heights of all cells, weighted by its memberships.

    Parameters
    ----------
    first, second : Partition
        The clusterings.
    table : Table
        Their contingency table.
    heights : array
        A number for each of the cells of the table.
    """
    if first.is_hard and second.is_hard:
        # The places of the table are in increasing order.
        places = table.rows.astype(np.int64) * second.k + table.columns
        own = first.rows.codes.astype(np.int64) * second.k + second.rows.codes
        return np.asarray(heights[np.searchsorted(places, own)])
    from scipy.sparse import coo_array  # Deferred: slow to import and seldom needed.

    between = coo_array((heights, (table.rows, table.columns)), (first.k, second.k))
    return through(first.rows, between, second.rows)


def column_moments(partition: Partition) -> ColumnMoments:
    """Return the moments of the memberships in each cluster of a clustering."""
    shares = partition.sizes / partition.n
    if partition.is_hard:
        return ColumnMoments.of_shares(shares)
    if not partition.rows.in_memory:
        unknown = np.full(shares.size, np.nan)
        variances = partition.rows.variances * (1.0 - 1.0 / partition.n)
        return ColumnMoments(shares, variances, unknown, unknown)
    if not partition.rows.mostly_zero:
        return ColumnMoments.of_rows(partition.rows.dense)
    rows = partition.rows.without_zeros
    powers = (np.bincount(rows.columns, rows.values**m, rows.k) / rows.n for m in (1, 2, 3, 4))
    return ColumnMoments.of_raw(*powers)
