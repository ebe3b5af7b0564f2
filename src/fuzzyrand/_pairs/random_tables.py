"""Contingency tables of two clusterings whose points are shuffled."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import numpy.typing as npt

from .table import CrossTabulation, Table, table_of

#: Drawing a cell takes as long as shuffling POINTS_A_CELL points, and each shuffle has an overhead
#: of CELLS_A_SHUFFLE cells.
POINTS_A_CELL, CELLS_A_SHUFFLE = 8, 100

Counts = npt.NDArray[np.int64]


class ShuffledTables:
    """Tables of two clusterings, the points of one of which are in random order.

    Weighted points keep their weights.

    Those of two hard clusterings with few clusters are drawn cell by cell from hypergeometric laws,
    at a cost that does not depend on the number of points.

    Attributes
    ----------
    by_cells : bool
        Whether tables are drawn cell by cell.
    work : float
        Number of operations for one table.
    """

    def __init__(self, pair: CrossTabulation) -> None:
        first, second = pair.first, pair.second
        self._first, self._second, self._n = first, second, first.n
        cells = first.occupied * second.occupied
        hard = first.is_hard and second.is_hard
        self._weighting = first.weighting if first.weights is not None else None
        few = cells <= first.n // POINTS_A_CELL + CELLS_A_SHUFFLE
        self.by_cells = hard and few and self._weighting is None
        if self.by_cells:
            self.work = float(POINTS_A_CELL * cells)
        else:
            k1, k2 = (1 if p.is_hard else p.k for p in (first, second))
            self.work = float(first.n * k1 * k2)

    def draw(self, rng: np.random.Generator, size: int) -> Iterable[Table]:
        """Draw some tables."""
        if self.by_cells:
            rows, columns = (p.sizes.astype(np.int64) for p in (self._first, self._second))
            tables = random_tables(rng, rows, columns, size)
            return (Table.of_matrix(table, self._n) for table in tables)
        return (self.of_order(rng.permutation(self._n)) for _ in range(size))

    def draw_by_chance(self, rng: np.random.Generator, size: int) -> Iterable[Table]:
        """Draw some tables whose mean is that of independent clusterings.

        If weighted points were only shuffled, the clusters of the second clustering would lose the
        sizes that the weights give them. Each row is therefore drawn about as often as the weight
        of its point says.
        """
        weighting = self._weighting
        if weighting is None:
            return self.draw(rng, size)
        return (self.of_order(weighting.shuffle(rng)) for _ in range(size))

    def of_order(self, order: npt.NDArray[np.integer]) -> Table:
        """Return the table with the points of the second clustering in another order."""
        return table_of(self._first, self._second.take(order))


def random_tables(rng: np.random.Generator, rows: Counts, columns: Counts, size: int) -> Counts:
    """Draw tables with given margins.

    Parameters
    ----------
    rng : Generator
        Source of random numbers.
    rows, columns : array of int
        The margins, which sum to the same number of points.
    size : int
        Number of tables.

    Returns
    -------
    array of int, of shape (size, rows, columns)
    """
    tables = np.stack(list(random_rows(rng, rows, columns, size)))
    return np.moveaxis(tables, -1, 0)


def random_rows(
    rng: np.random.Generator, rows: Counts, columns: Counts, size: int
) -> Iterator[Counts]:
    """Yield the rows of tables with given margins, each of shape (columns, size)."""
    left = np.repeat(columns[:, None], size, axis=1)  # points of each column without a row so far
    for total in rows[:-1]:
        row = np.empty_like(left)
        wanted = np.full(size, total)
        others = left.sum(axis=0)
        for cell, column in zip(row[:-1], left[:-1], strict=True):
            others -= column
            cell[:] = rng.hypergeometric(column, others, wanted)
            wanted -= cell
        row[-1] = wanted  # the last column provides the remaining points
        left -= row
        yield row
    yield left  # the last row gets all remaining points
