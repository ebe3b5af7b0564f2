"""The contingency table of two clusterings, which may be fuzzy: what each two clusters share.

A cell is the sum, over all points, of the product of their memberships in the two clusters: U'V.
For hard clusterings, it is the number of points in both clusters.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from .._base.budget import Budget
from .._base.errors import NotApplicableError
from .._base.types import FloatArray, IntArray
from .._clusterings.blocks.rows import BlockPartition, BlockRows
from .._clusterings.partition import Partition
from .._distributions.information_moments import ColumnMoments
from .contingency import nonempty_cells, weighted_cells

#: Rows that are multiplied at a time, few enough to stay in the cache.
ROWS = 1 << 12
#: Points whose scores are computed at a time.
CHUNK = 1 << 14


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
            part.memberships is not None
            and part.weights is None
            and not part.possibilistic
            and not isinstance(part, BlockPartition)
            for part in (self.first, self.second)
        )

    @cached_property
    def _tables(self) -> tuple[Table, Table, Table]:
        """The contingency table, and those of each clustering with itself.

        Each block of rows is read once, and the products find it in the cache.
        """
        u, v = self.first.dense, self.second.dense
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
    if first.weights is not None:
        return _weighted_table(first, second)
    if first.codes is not None and second.codes is not None:
        found = nonempty_cells(first.codes, second.codes, first.k, second.k)
        for partition, sizes in zip((first, second), found.sizes, strict=True):
            partition.keep_sizes(sizes)
        rows, columns = np.divmod(found.places, second.k)
        cells = found.counts.astype(np.float64)
    elif isinstance(first, BlockPartition) or isinstance(second, BlockPartition):
        rows, columns, cells = _filled(_products_of_blocks(first, second))
    elif first.sparse is not None or second.sparse is not None:
        shared = (one_hot_or_rows(first).T @ one_hot_or_rows(second)).tocoo()
        rows, columns, cells = shared.row, shared.col, shared.data
    elif first.codes is not None:
        rows, columns, cells = _filled(_sums_of_clusters(first, second))
    elif second.codes is not None:
        rows, columns, cells = _filled(_sums_of_clusters(second, first).T)
    else:
        rows, columns, cells = _filled(first.dense.T @ second.dense)
    return Table(first.n, rows, columns, cells, first.sizes, second.sizes, first.n)


def _weighted_table(first: Partition, second: Partition) -> Table:
    """Return the table U'WV, where W holds the weights of the points."""
    weights = first.weights
    assert weights is not None
    if first.codes is not None and second.codes is not None:
        found = weighted_cells(first.codes, second.codes, first.k, second.k, weights)
        rows, columns = np.divmod(found.places, second.k)
        cells, sizes = found.counts, found.sizes
    else:
        if first.sparse is not None or second.sparse is not None:
            scaled = one_hot_or_rows(first).multiply(weights[:, None])
            shared = (scaled.T @ one_hot_or_rows(second)).tocoo()
            rows, columns, cells = shared.row, shared.col, shared.data
        elif first.codes is not None:
            rows, columns, cells = _filled(_sums_of_clusters(first, second, weights))
        elif second.codes is not None:
            rows, columns, cells = _filled(_sums_of_clusters(second, first, weights).T)
        else:
            rows, columns, cells = _filled((first.dense * weights[:, None]).T @ second.dense)
        # The second clustering may be shuffled: its points have the weights of the first.
        sizes = first.sizes, replace(second, weighting=first.weighting).sizes
    assert first.weighting is not None
    squares = first.weighting.squares
    return Table(first.n, rows, columns, cells, *sizes, squares)


def one_hot_or_rows(partition: Partition) -> Any:
    """Return the memberships of a clustering, hard ones included, as a sparse array of SciPy."""
    from scipy.sparse import csr_array  # Deferred: slow to import and seldom needed.

    if partition.sparse is not None:
        return partition.sparse.matrix
    if partition.codes is None:
        return csr_array(partition.dense)
    starts = np.arange(partition.n + 1)
    return csr_array((np.ones(partition.n), partition.codes, starts), (partition.n, partition.k))


def _filled(matrix: FloatArray) -> tuple[IntArray, IntArray, FloatArray]:
    """Return the places and the values of the entries of a matrix that are not zero."""
    rows, columns = np.nonzero(matrix)
    return rows, columns, matrix[rows, columns]


def _sums_of_clusters(
    hard: Partition, fuzzy: Partition, weights: FloatArray | float = 1.0
) -> FloatArray:
    """Sum the rows of a fuzzy clustering over the points of each cluster of a hard one."""
    assert hard.codes is not None
    codes = hard.codes.astype(np.intp, copy=False)
    columns = fuzzy.dense.T
    return np.stack([np.bincount(codes, column * weights, hard.k) for column in columns], axis=1)


def _products_of_blocks(first: Partition, second: Partition) -> FloatArray:
    assert isinstance(first, BlockPartition)
    assert isinstance(second, BlockPartition)
    if isinstance(first.held, BlockRows):
        return first.held.gram(second.held)[0]
    return second.rows.gram(first.held)[0].T


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
    if first.codes is not None and second.codes is not None:
        # The places of the table are in increasing order.
        places = table.rows.astype(np.int64) * second.k + table.columns
        own = first.codes.astype(np.int64) * second.k + second.codes
        return np.asarray(heights[np.searchsorted(places, own)])
    if first.sparse is not None or second.sparse is not None:
        from scipy.sparse import csr_array  # Deferred: slow to import and seldom needed.

        shape = first.k, second.k
        between = csr_array((heights, (table.rows, table.columns)), shape)
        left, right = one_hot_or_rows(first), one_hot_or_rows(second)
        parts = [
            (left[here] @ between).multiply(right[here]).sum(axis=1) for here in _chunks(first.n)
        ]
        return np.concatenate([np.asarray(part).ravel() for part in parts])
    full = np.zeros((first.k, second.k))
    full[table.rows, table.columns] = heights
    if second.codes is not None:
        first, second, full = second, first, full.T
    scores = np.empty(first.n)
    for here in _chunks(first.n):
        through = full[first.codes[here]] if first.codes is not None else first.dense[here] @ full
        scores[here] = np.einsum("ij,ij->i", through, second.dense[here])
    return scores


def _chunks(n: int) -> Iterator[slice]:
    return (slice(start, start + CHUNK) for start in range(0, n, CHUNK))


def column_moments(partition: Partition) -> ColumnMoments:
    """Return the moments of the memberships in each cluster of a clustering."""
    shares = partition.sizes / partition.n
    if partition.is_hard:
        return ColumnMoments.of_shares(shares)
    if isinstance(partition, BlockPartition):
        unknown = np.full(shares.size, np.nan)
        return ColumnMoments(shares, partition.rows.variance, unknown, unknown)
    rows = partition.sparse
    if rows is None:
        return ColumnMoments.of_rows(partition.dense)
    powers = (np.bincount(rows.columns, rows.values**m, rows.k) / rows.n for m in (1, 2, 3, 4))
    return ColumnMoments.of_raw(*powers)
