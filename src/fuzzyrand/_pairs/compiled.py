"""Agreements of pairs from the compiled loops of ``kernels``, loaded when first needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from .._base.types import FloatArray, IntArray
from .._clusterings.partition import Partition
from .bins import Grid
from .curves import PairCurve
from .sides import BLOCK, ROWS, Side, side_of

if TYPE_CHECKING:
    from ..indices.agreements import Agreement
    from .all_pairs import Seen, Visit, WriteRows
    from .cells import InCells
    from .point_sums import VisitPoints
    from .weighted_sums import VisitClusters

# Each function compiles its loop before it returns, because several threads would wait for it.

#: Bytes in a cache line.
CACHE_LINE = 64


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
    from .._base.compiling import compiling  # Deferred: loads Numba.
    from . import kernels

    side = side_of(partition, agreement, np.arange(partition.n))
    loop = kernels.keeping_loop(side)

    def write(first: int, low: int, out: FloatArray) -> None:
        loop(side, first, low, out, _scratch(1)[0])

    with compiling():
        write(0, 0, np.zeros((0, 0), dtype=dtype))
    return write


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
    from .._base.compiling import compiling  # Deferred: loads Numba.
    from . import bin_kernels, kernels

    assert first.n < bin_kernels.BIN_CAPACITY  # with more points, it is not feasible to visit all
    sides = _sides(first, second, agreement, order)
    exponent = None if second is None else power
    loop = kernels.pair_loop(*sides, kernels.AbsoluteCounts if exponent == 1.0 else kernels.Counts)
    grid1, grid2 = (bin_kernels.counting_grid(grid) if grid.size else None for grid in grids)

    def visit(rows: tuple[int, int]) -> Seen:
        bins1, bins2 = (np.zeros(grid.size, dtype=np.int64) for grid in grids)
        into = grid1, bins1 if grid1 else None, grid2, bins2 if grid2 else None
        counts = (
            kernels.AbsoluteCounts(*into) if exponent == 1.0 else kernels.Counts(exponent, *into)
        )
        total = loop(*sides, first.n, rows, least, counts, _scratch(2))
        return total, bin_kernels.decoded(bins1), bin_kernels.decoded(bins2)

    with compiling():
        visit((0, 0))
    return visit


def cell_counts(partition: Partition, agreement: Agreement, grid: Grid) -> IntArray:
    """Count the agreements of all pairs in the cells of a grid, each of which is one bin."""
    from .._base.compiling import compiling  # Deferred: loads Numba.
    from . import bin_kernels, kernels

    n = partition.n
    side = side_of(partition, agreement, np.arange(n))
    counts = np.zeros(grid.size, dtype=np.int64)
    into = kernels.CellCounts(bin_kernels.counting_grid(grid), counts)
    with compiling():
        loop = kernels.pair_loop(side, None, kernels.CellCounts)
        loop(side, None, n, (0, n), 0, into, _scratch(2))
    return counts


def merged_visitor(
    first: Partition,
    second: Partition | None,
    agreement: Agreement,
    power: float,
    weights: FloatArray,
    grids: tuple[Grid, Grid],
) -> Visit:
    """Return a function that sums over the pairs of a range of rows, each for several points."""
    from .._base.compiling import compiling  # Deferred: loads Numba.
    from . import kernels

    sides = _sides(first, second, agreement, np.arange(first.n))
    loop = kernels.pair_loop(*sides, kernels.WeightedCounts)
    exponent = None if second is None else power

    def visit(rows: tuple[int, int]) -> Seen:
        bins1, bins2 = (np.zeros((grid.size, 2)) for grid in grids)
        scratch = _scratch(3)
        counts = kernels.WeightedCounts(
            exponent, weights, grids[0], bins1, grids[1], bins2, scratch[2]
        )
        total = loop(*sides, first.n, rows, 0, counts, scratch)
        return total, bins1.T, bins2.T

    with compiling():
        visit((0, 0))
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
    from .._base.compiling import compiling  # Deferred: loads Numba.
    from . import kernels

    order, size = groups.ravel(), groups.shape[1]
    sides = _sides(first, second, agreement, order)
    loop = kernels.pair_loop(*sides, kernels.PointSums)
    # Copies, because Numba would compile other functions for read-only arrays.
    nodes1, nodes2 = (np.zeros(0) if curve is None else curve.nodes.copy() for curve in curves)
    weights = None if first.weights is None else first.weights[order]
    exponent = None if second is None else power

    def visit(rows: tuple[int, int]) -> FloatArray:
        sums, scratch = np.zeros((4, order.size)), _scratch(3)
        cells = np.empty(BLOCK, np.int32)
        into = kernels.PointSums(
            exponent, squared, weights, nodes1, nodes2, sums, scratch[2], cells
        )
        for start in range(0, order.size, size):
            here = start + rows[0], start + rows[1]
            loop(*sides, start + size, here, 0, into, scratch)
        return sums.reshape(4, *groups.shape)

    with compiling():
        visit((0, 0))
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
    from .._base.compiling import compiling  # Deferred: loads Numba.
    from . import kernels

    n = order.size
    sides = _sides(*partitions, agreement, order)
    loop = kernels.pair_loop(*sides, kernels.ClusterSums)
    rows1, rows2 = (
        np.zeros((0, n)) if own is None else np.ascontiguousarray(own[order].T) for own in weights
    )
    nodes = curves[0].nodes.copy(), curves[1].nodes.copy()
    given = kernels.PRODUCT if power is None else power

    def visit(rows: tuple[int, int]) -> tuple[FloatArray, FloatArray]:
        sums, scratch = (np.zeros((2, rows1.shape[0])), np.zeros((2, rows2.shape[0]))), _scratch(3)
        into = kernels.ClusterSums(
            given, *nodes, rows1, rows2, *sums, scratch[2], np.empty(BLOCK, np.int32)
        )
        loop(*sides, n, rows, 0, into, scratch)
        return sums

    with compiling():
        visit((0, 0))
    return visit


def sorter(
    partition: Partition, agreement: Agreement, nodes: FloatArray, guide: IntArray
) -> Callable[[IntArray], InCells]:
    """Return a function that sorts the agreements of given points with all others into cells."""
    from .._base.compiling import compiling  # Deferred: loads Numba.
    from . import kernels

    side = side_of(partition, agreement, np.arange(partition.n))
    loop = kernels.sorting_loop(side)

    def sort(points: IntArray) -> InCells:
        counts, firsts = np.zeros((2, points.size, nodes.size - 1))
        seconds = np.zeros(nodes.size - 1)
        loop(side, partition.n, points, nodes, guide, counts, firsts, seconds, _scratch(1)[0])
        return counts, firsts, seconds

    with compiling():
        sort(np.zeros(0, dtype=np.intp))
    return sort


def _sides(
    first: Partition, second: Partition | None, agreement: Agreement, order: IntArray
) -> tuple[Side, Side | None]:
    side1 = side_of(first, agreement, order)
    return side1, None if second is None else side_of(second, agreement, order)


def _scratch(arrays: int) -> FloatArray:
    """Return temporary arrays that are aligned with a cache line.

    Writing vectors across two lines would cost up to a sixth of the time.
    """
    size = ROWS * BLOCK
    room = np.empty(arrays * size + CACHE_LINE // 8)
    start = -room.ctypes.data % CACHE_LINE // 8
    return room[start : start + arrays * size].reshape(arrays, size)
