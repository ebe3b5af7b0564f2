"""Shuffle points for an index of contingency tables."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ..._base.types import FloatArray
from ..._pairs.random_tables import ShuffledTables
from ..._pairs.table import Table
from ...indices import TableIndex
from ...models._laws.side import Side
from .base import TIE, Orders, Shuffles

#: Most tables drawn together.
TABLES = 1024


class TableShuffles(Shuffles):
    """Discordances of two clusterings with shuffled points, from their contingency tables."""

    def __init__(self, sides: tuple[Side, Side], index: TableIndex) -> None:
        pair = sides[0].tabulated(sides[1])
        self._tables, self._index = ShuffledTables(pair), index
        self._constants = index.constants(pair)
        self.points, self.work = pair.first.n, self._tables.work
        self.how = "random tables" if self._tables.by_cells else "shuffles of all points"
        self.largest_batch = TABLES if self._tables.by_cells else Shuffles.largest_batch
        self.observed = index.discordance(pair.table, self._constants)
        self.tolerance = TIE

    def of_orders(self, orders: Orders) -> FloatArray:
        """Return the discordance for points of the second side in the order of each row."""
        return self._of_tables(self._tables.of_order(order) for order in orders)

    def draw(self, rng: np.random.Generator, size: int) -> FloatArray:
        return self._of_tables(self._tables.draw(rng, size))

    def _of_tables(self, tables: Iterable[Table]) -> FloatArray:
        return np.array([self._index.discordance(table, self._constants) for table in tables])
