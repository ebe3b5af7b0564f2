"""Agreements of pairs from the compiled loops of ``kernels``, loaded when first needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from .._base.types import FloatArray, IntArray
from .._clusterings.partition import Partition
from .bins import Grid
from .curves import PairCurve

if TYPE_CHECKING:
    from ..indices.agreements import Agreement
    from .all_pairs import Seen, Visit, WriteRows
    from .cells import InCells
    from .kernels import Side
    from .point_sums import VisitPoints
    from .weighted_sums import VisitClusters


def pair_agreements(partition: Partition, agreement: Agreement) -> FloatArray:
    """Compute the agreements of all pairs in the order (0,1), (0,2), ..."""
    n = partition.n
    out, at = np.empty(partition.pairs), 0
    write = agreement_rows(partition, agreement, np.float64)
    for i in range(n - 1):
        stop = at + n - 1 - i
        write(i, i + 1, out[None, at:stop])
        at = stop
    return out


def agreement_rows(
    partition: Partition, agreement: Agreement, dtype: type[np.floating]
) -> WriteRows:
    """Return a function that writes agreements of some points with others to an array."""
    from . import kernel_calls  # Deferred: loads Numba.

    return kernel_calls.agreement_rows(_side(partition, agreement, np.arange(partition.n)), dtype)


def visitor(
    first: Partition,
    second: Partition | None,
    agreement: Agreement,
    power: float,
    order: IntArray,
    grids: tuple[Grid, Grid],
    least: int = 0,
) -> Visit:
    """Return a function that sums over the pairs of a range of rows.

    The later point of a pair is at position ``least`` or later in the order.
    """
    from . import kernel_calls, kernels  # Deferred: loads Numba.

    assert first.n < kernels.BIN_CAPACITY  # with more points, visiting all pairs is not feasible
    side1 = _side(first, agreement, order)
    side2 = None if second is None else _side(second, agreement, order)
    grid1, grid2 = (tuple(grid) if grid.size else None for grid in grids)
    add_up = kernel_calls.row_sums(side1, side2, first.n, power, grid1, grid2, least)

    def visit(rows: tuple[int, int]) -> Seen:
        bins1, bins2 = (np.zeros(grid.size, dtype=np.int64) for grid in grids)
        total = add_up(*rows, bins1, bins2)
        return total, kernels.decoded(bins1), kernels.decoded(bins2)

    return visit


def merged_visitor(
    first: Partition,
    second: Partition | None,
    agreement: Agreement,
    power: float,
    weights: FloatArray,
    grids: tuple[Grid, Grid],
) -> Visit:
    """Return a function that sums over the pairs of a range of rows, each for several points."""
    from . import kernel_calls  # Deferred: loads Numba.

    order = np.arange(first.n)
    side1 = _side(first, agreement, order)
    side2 = None if second is None else _side(second, agreement, order)
    add_up = kernel_calls.merged_sums(
        side1, side2, weights, power, tuple(grids[0]), tuple(grids[1])
    )

    def visit(rows: tuple[int, int]) -> Seen:
        bins1, bins2 = (np.zeros((grid.size, 2)) for grid in grids)
        return add_up(*rows, bins1, bins2), bins1.T, bins2.T

    return visit


def point_visitor(
    first: Partition,
    second: Partition | None,
    agreement: Agreement,
    power: float,
    groups: IntArray,
    curves: tuple[PairCurve | None, PairCurve | None],
    *,
    squared: bool,
) -> VisitPoints:
    """Return a function that adds the pairs of a range of rows to the sums of their points."""
    from . import kernel_calls  # Deferred: loads Numba.

    order, size = groups.ravel(), groups.shape[1]
    side1 = _side(first, agreement, order)
    side2 = None if second is None else _side(second, agreement, order)
    # Copies, because Numba would compile other functions for read-only arrays.
    nodes1, nodes2 = (np.zeros(0) if curve is None else curve.nodes.copy() for curve in curves)
    weights = None if first.weights is None else first.weights[order]
    add_up = kernel_calls.point_sums(
        side1, side2, power, nodes1, nodes2, squared=squared, weights=weights
    )

    def visit(rows: tuple[int, int]) -> FloatArray:
        sums = np.zeros((4, order.size))
        for start in range(0, order.size, size):
            add_up(start + rows[0], start + rows[1], start + size, sums)
        return sums.reshape(4, *groups.shape)

    return visit


def weighted_visitor(
    partitions: tuple[Partition, Partition],
    agreement: Agreement,
    power: float | None,
    order: IntArray,
    weights: tuple[FloatArray | None, FloatArray | None],
    curves: tuple[PairCurve, PairCurve],
) -> VisitClusters:
    """Return a function that adds the pairs of a range of rows to the sums of clusters.

    A ``power`` of None stands for the discordance a1 + a2 - 2 a1 a2.
    """
    from . import kernel_calls, kernels  # Deferred: loads Numba.

    n = order.size
    side1, side2 = (_side(partition, agreement, order) for partition in partitions)
    rows1, rows2 = (
        np.zeros((0, n)) if own is None else np.ascontiguousarray(own[order].T) for own in weights
    )
    nodes = curves[0].nodes.copy(), curves[1].nodes.copy()
    given = kernels.PRODUCT if power is None else power
    add_up = kernel_calls.weighted_sums((side1, side2), n, given, nodes, (rows1, rows2))

    def visit(rows: tuple[int, int]) -> tuple[FloatArray, FloatArray]:
        sums1, sums2 = np.zeros((2, rows1.shape[0])), np.zeros((2, rows2.shape[0]))
        add_up(*rows, sums1, sums2)
        return sums1, sums2

    return visit


def sorter(
    partition: Partition, agreement: Agreement, nodes: FloatArray, guide: IntArray
) -> Callable[[IntArray], InCells]:
    """Return a function that sorts the agreements of given points with all others into cells."""
    from . import kernel_calls  # Deferred: loads Numba.

    side = _side(partition, agreement, np.arange(partition.n))
    add_to = kernel_calls.agreements_in_cells(side, partition.n, nodes, guide)

    def sort(points: IntArray) -> InCells:
        counts, firsts = np.zeros((2, points.size, nodes.size - 1))
        seconds = np.zeros(nodes.size - 1)
        add_to(points, counts, firsts, seconds)
        return counts, firsts, seconds

    return sort


def _side(partition: Partition, agreement: Agreement, order: IntArray) -> Side:
    """Arrange a clustering as the kernels need it, with its points in the given order."""
    from . import kernels  # Deferred: loads Numba.

    if partition.is_hard:
        codes = partition.rows.codes[order].astype(np.intp, copy=False)
        return kernels.Side(kernels.HARD, (codes,))
    agreement = agreement.of(partition)
    loop = agreement.loop
    assert loop is not None
    rows = agreement.rows(partition.rows.dense[order])
    columns = np.ascontiguousarray(rows.T)
    if loop.kind == "norm" and loop.p != 1.0:
        return kernels.Side(kernels.NORM, (columns, loop.p))
    start, nonzero = _nonzero(rows)
    if loop.kind == "dot":
        return kernels.Side(kernels.DOT, (columns, start, nonzero))
    if not partition.possibilistic:
        return kernels.Side(kernels.FUZZY, (columns, start, nonzero))
    # 1 - ||u - v||_1 / 2 is the sum of minima plus the offsets of both rows, which are 0 for rows
    # that sum to 1.
    offset = 0.5 * (1.0 - rows.sum(axis=1))
    return kernels.Side(kernels.POSSIBILISTIC, (columns, start, nonzero, offset))


def _nonzero(rows: FloatArray) -> tuple[IntArray, IntArray]:
    """Return where each row starts among the nonzero entries, and the columns of these."""
    n, k = rows.shape
    used = rows != 0.0
    if used.all():
        return np.arange(0, (n + 1) * k, k, dtype=np.intp), np.tile(np.arange(k), n)
    start = np.concatenate([[0], np.cumsum(used.sum(axis=1))]).astype(np.intp)
    return start, np.nonzero(used)[1]
