"""The chart of many clusterings: a heat map of their adjusted indices."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..._base.naming import shorten
from ..._base.types import FloatArray, IntArray
from .axes import LABEL_WIDTH, Tick, decimal_ticks, round_values

if TYPE_CHECKING:
    from ...results import Pairwise

#: Largest number of rows of a matrix whose cells hold their numbers.
NUMBERED = 14
#: Strength of colour from which text on it is set in the opposite colour.
STRONG = 0.65
#: Largest number of clusterings for which the best order of the tree is computed; beyond it, that
#: takes too long.
BEST_ORDER = 300
#: Values above this are not called negative: they are shown as 0.00.
ZERO = -0.005


@dataclass(frozen=True)
class Cell:
    """One value of a heat map.

    Attributes
    ----------
    value : float
        The adjusted index.
    label : str
        The value as it is drawn.
    strength : float
        Strength of its colour, from 0 (chance) to 1.
    below : bool
        Whether the value is less than chance, which has a colour of its own.
    strong : bool
        Whether the colour is too strong for text in the usual colour.
    """

    value: float
    label: str
    strength: float
    below: bool
    strong: bool

    @classmethod
    def of(cls, value: float) -> Cell:
        """Make the cell of an adjusted index."""
        strength = min(abs(value), 1.0)
        return cls(value, f"{value:z.2f}", strength, value < 0.0, strength > STRONG)


@dataclass(frozen=True, eq=False)
class HeatMap:
    """An ordered matrix of adjusted indices; a single row is turned into a column.

    Attributes
    ----------
    values : array
        The values, in the order in which they are drawn.
    order : array of int
        Positions of the rows in the result.
    rows, columns : tuple of str
        The names of the clusterings, in full.
    row_labels, column_labels : tuple of str
        The names as they are drawn.
    upright : bool
        Whether this is one column, for clusterings compared with a single one.
    numbered : bool
        Whether there is room for numbers in the cells.
    low : float
        Lower end of the range that the colours must cover; the upper end is 1.
    ticks : tuple of Tick
        Marks on that range.
    title : str
        What the values are.
    description : str
        The whole chart in words.
    """

    values: FloatArray
    order: IntArray
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    row_labels: tuple[str, ...]
    column_labels: tuple[str, ...]
    upright: bool
    numbered: bool
    low: float
    ticks: tuple[Tick, ...]
    title: str
    description: str

    @classmethod
    def of(cls, result: Pairwise, order: bool = True) -> HeatMap:
        """Make the chart, with similar clusterings side by side if ``order`` is true."""
        values, rows, columns = result.adjusted, result.rows, result.columns
        upright = rows != columns or len(columns) == 1
        place = similar_first(values) if order else np.arange(len(columns))
        columns = tuple(columns[i] for i in place)
        c = result.comparisons[0][0]
        title = f"adjusted {shorten(c.title, LABEL_WIDTH)} under {shorten(c.model, LABEL_WIDTH)}"
        count = f"{len(columns)} clustering" + "s" * (len(columns) != 1)
        if upright:
            description = f"Heat map: {title} of {count} with {rows[0]}."
            # A column, so that each name has its own line.
            rows, columns, values = columns, rows, values[:, place].T
        else:
            description = f"Heat map: {title} of {count} with each other."
            rows, values = columns, values[np.ix_(place, place)]
        lowest = float(values.min())
        low = max(lowest, -1.0) if lowest < ZERO else 0.0
        return cls(
            values=values,
            order=place,
            rows=rows,
            columns=columns,
            row_labels=tuple(shorten(name, LABEL_WIDTH) for name in rows),
            column_labels=tuple(shorten(name, LABEL_WIDTH) for name in columns),
            upright=upright,
            numbered=upright or len(rows) <= NUMBERED,
            low=low,
            ticks=decimal_ticks(round_values(low, 1.0)),
            title=title,
            description=description,
        )

    def cells(self) -> Iterator[tuple[Cell, ...]]:
        """Yield the cells, row by row."""
        for row in self.values.tolist():
            yield tuple(Cell.of(value) for value in row)


def similar_first(similarities: FloatArray) -> IntArray:
    """Order rows and columns so that similar ones are neighbours.

    The order is that of the leaves of a hierarchical clustering, whose branches are turned to
    minimise the sum of the distances between neighbours (optimal leaf ordering).

    Parameters
    ----------
    similarities : array of shape (m, m), or (1, m)
        Similarities of every row with every column; made symmetric if they are not. A single row is
        put in descending order.

    Returns
    -------
    array of int
        Positions, in order.

    Examples
    --------
    >>> ordered = similar_first(np.array([[1, 0, 0.9], [0, 1, 0.1], [0.9, 0.1, 1]]))
    >>> ordered.tolist() in ([0, 2, 1], [1, 2, 0])
    True
    """
    m = similarities.shape[1]
    if similarities.shape[0] != m:
        return np.argsort(-similarities[0], kind="stable")
    if m < 3:
        return np.arange(m)
    # Deferred: rarely needed, and slow to import.
    from scipy.cluster.hierarchy import leaves_list, linkage
    from scipy.spatial.distance import squareform

    mean = 0.5 * (similarities + similarities.T)
    distances = mean.max() - mean
    # By some indices, a clustering is less similar to itself than to a harder one.
    np.fill_diagonal(distances, 0.0)
    tree = linkage(squareform(distances, checks=False), "average", optimal_ordering=m <= BEST_ORDER)
    return np.asarray(leaves_list(tree), dtype=np.intp)
