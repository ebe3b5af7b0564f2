"""Agreements of points with all others, in cells between nodes: counts and positions.

The agreements in a cell are summarised by their number and by the sums of their positions and
squared positions. This suffices to integrate functions that are linear between the nodes, and
products of two such functions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from .._base.types import FloatArray, IntArray
from .._clusterings.partition import Partition
from . import compiled, plain

if TYPE_CHECKING:
    from ..indices.agreements import Agreement

#: Number of equal parts of the range of the nodes; a table of them helps to find a cell quickly.
PARTS = 1 << 12


#: For each of some points, the number of agreements in each cell and the sums of their positions,
#: from 0 to 1; and for these points together, the sums of squared positions.
InCells = tuple[FloatArray, FloatArray, FloatArray]


def sorter(
    partition: Partition, agreement: Agreement, nodes: FloatArray, points: int, numpy_work: float
) -> Callable[[IntArray], InCells]:
    """Return a function that sorts the agreements of given points into cells.

    Parameters
    ----------
    partition : Partition
        A fuzzy clustering.
    agreement : Agreement
        That of the index.
    nodes : array
        Boundaries of the cells in increasing order; values beyond them count as the ends.
    points : int
        Total number of points that will be sorted.
    numpy_work : float
        Number of memberships to go through from which compiled loops are worth loading.
    """
    work = float(points) * partition.n * partition.k
    if agreement.loop is not None and work > numpy_work:
        return compiled.sorter(partition, agreement, nodes, _guide(nodes))
    return _plain_sorter(partition, agreement, nodes)


def _guide(nodes: FloatArray) -> IntArray:
    """Return the cell in which each equal part of the range begins, and the last cell."""
    begins = np.linspace(nodes[0], nodes[-1], PARTS + 1)
    cells = np.searchsorted(nodes, begins, side="right") - 1
    return np.asarray(np.clip(cells, 0, nodes.size - 2), dtype=np.intp)


def _plain_sorter(
    partition: Partition, agreement: Agreement, nodes: FloatArray
) -> Callable[[IntArray], InCells]:
    n, cells = partition.n, nodes.size - 1
    agree = plain.row_agreements(partition, agreement, np.arange(n))
    widths = np.diff(nodes)

    def sort(points: IntArray) -> InCells:
        counts, firsts = np.zeros((2, points.size, cells))
        seconds = np.zeros(cells)
        for count, first, i in zip(counts, firsts, points.tolist(), strict=True):
            for low in range(0, n, plain.BLOCK):
                values = agree(i, low, min(n, low + plain.BLOCK))
                if low <= i < low + plain.BLOCK:
                    values = np.delete(values, i - low)
                at = np.clip(np.searchsorted(nodes, values, side="right") - 1, 0, cells - 1)
                shares = np.clip((values - nodes[at]) / widths[at], 0.0, 1.0)
                count += np.bincount(at, minlength=cells)
                first += np.bincount(at, shares, minlength=cells)
                seconds += np.bincount(at, shares**2, minlength=cells)
        return counts, firsts, seconds

    return sort
