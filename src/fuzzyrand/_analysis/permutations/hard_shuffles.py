"""Shuffle points of two hard clusterings through their contingency tables.

Only the table is random; its margins are the sizes of the clusters. It is drawn cell by cell from
hypergeometric laws, for many tables at once, at a cost that does not depend on the number of
points. If a table has many cells relative to the number of points, labels are shuffled instead.
"""

from __future__ import annotations

import numpy as np

from ..._base.types import FloatArray
from ..._clusterings.contingency import Together, count_pairs_together
from ..._clusterings.partition import Partition
from ..._pairs.random_tables import CELLS_A_SHUFFLE, POINTS_A_CELL, Counts, random_rows
from .base import Shuffles

#: Most tables drawn together; with fewer, most of the time would go into function calls.
TABLES = 1024


class HardShuffles(Shuffles):
    """Discordances of two hard clusterings whose points are shuffled.

    Counts of pairs are integers, so rounding only occurs when they are divided.

    Parameters
    ----------
    first, second : Partition
        The clusterings.
    together : Together
        Counts of the pairs that they put together.
    """

    def __init__(self, first: Partition, second: Partition, together: Together) -> None:
        self._codes = first.rows.codes, second.rows.codes
        self._clusters = first.k, second.k
        self.points, self._pairs = first.n, first.pairs
        self._within = together.first + together.second
        self.observed = together.discordant / self._pairs
        self.tolerance = 4.0 * float(np.finfo(float).eps) * self.observed
        self._sizes = _occupied(first), _occupied(second)
        cells = self._sizes[0].size * self._sizes[1].size
        self.by_tables = cells <= first.n // POINTS_A_CELL + CELLS_A_SHUFFLE
        self.how = "random tables" if self.by_tables else "shuffled labels"
        self.work = float(POINTS_A_CELL * cells if self.by_tables else first.n)
        self.largest_batch = TABLES if self.by_tables else Shuffles.largest_batch

    def draw(self, rng: np.random.Generator, size: int) -> FloatArray:
        if self.by_tables:
            both = pairs_in_random_tables(rng, *self._sizes, size)
        else:
            both = np.array([self._shuffled(rng) for _ in range(size)], dtype=np.int64)
        return np.asarray((self._within - 2 * both) / self._pairs)

    def _shuffled(self, rng: np.random.Generator) -> int:
        first, second = self._codes
        return count_pairs_together(first, rng.permutation(second), *self._clusters).both


def _occupied(partition: Partition) -> Counts:
    """Return the sizes of the nonempty clusters."""
    return partition.sizes[partition.sizes > 0.0].astype(np.int64)


def pairs_in_random_tables(
    rng: np.random.Generator, rows: Counts, columns: Counts, size: int
) -> Counts:
    """Draw tables with given margins, and count the pairs of points that share a cell.

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
    array of int
        The number of pairs for each table.
    """
    if rows.size > columns.size:
        rows, columns = columns, rows
    each = random_rows(rng, rows, columns, size)  # which are not kept: tables may be large
    return np.asarray(sum((row * (row - 1)).sum(axis=0) for row in each) // 2)
