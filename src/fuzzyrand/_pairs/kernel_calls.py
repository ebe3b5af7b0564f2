"""Functions that call the compiled loops of ``kernels`` for a range of rows.

Importing this module imports Numba, so it is imported only when pairs must be visited.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .._base.types import FloatArray, IntArray
from . import kernels
from .compiling import compiling
from .kernels import Bins, Grid, Side

#: Bytes in a cache line.
CACHE_LINE = 64


def _scratch(arrays: int, size: int) -> FloatArray:
    """Return temporary arrays that are aligned with a cache line.

    Writing vectors across two lines would cost up to a sixth of the time.
    """
    room = np.empty(arrays * size + CACHE_LINE // 8)
    start = -room.ctypes.data % CACHE_LINE // 8
    return room[start : start + arrays * size].reshape(arrays, size)


def agreements_in_cells(
    side: Side, n: int, nodes: FloatArray, guide: IntArray
) -> Callable[[IntArray, FloatArray, FloatArray, FloatArray], None]:
    """Return a function that sorts the agreements of points with all others into cells.

    Parameters
    ----------
    side : Side
        A clustering that is not hard.
    n : int
        Number of points.
    nodes : array
        Boundaries of the cells, in increasing order.
    guide : array of int
        The cell in which each of several equal parts of the range of the nodes begins, and the last
        cell.

    Returns
    -------
    callable
        Function of some points and three arrays, to which it adds: the number of agreements of each
        point in each cell, the sums of their positions (from 0 to 1) in the cell, and, for all
        points together, the sums of squared positions.
    """
    loop = kernels.cells_of_agreements(side.kind)

    def sort(points: IntArray, counts: FloatArray, firsts: FloatArray, seconds: FloatArray) -> None:
        loop(
            side.arrays,
            n,
            points,
            nodes,
            guide,
            counts,
            firsts,
            seconds,
            _scratch(1, kernels.BLOCK)[0],
        )

    with compiling():  # compile now, before several threads would wait for it
        none = np.zeros((0, nodes.size - 1))
        sort(np.zeros(0, dtype=np.intp), none, none, np.zeros(nodes.size - 1))
    return sort


def agreement_rows(side: Side, dtype: type[np.floating]) -> Callable[[int, int, FloatArray], None]:
    """Return a function that writes the agreements of some points with others.

    Parameters
    ----------
    side : Side
        The clustering.
    dtype : type
        Type of the array that is written to.

    Returns
    -------
    callable
        Function of a point, another point, and an array. The array gets a row for the point and
        for those after it, with their agreements with the other point and those after that.
    """
    loop = kernels.kept_agreements(side.kind)

    def write(first: int, low: int, out: FloatArray) -> None:
        loop(side.arrays, first, low, out, _scratch(kernels.ROWS, kernels.BLOCK).ravel())

    with compiling():  # compile now, before several threads would wait for it
        write(0, 0, np.zeros((0, 0), dtype=dtype))
    return write


def weighted_sums(
    sides: tuple[Side, Side],
    n: int,
    power: float,
    nodes: tuple[FloatArray, FloatArray],
    weights: tuple[FloatArray, FloatArray],
) -> Callable[[int, int, FloatArray, FloatArray], None]:
    """Return a function that adds pairs (i, j), i < j, to sums for each cluster.

    Parameters
    ----------
    sides : pair of Side
        The clusterings.
    n : int
        Number of points.
    power : float
        Power of the difference between agreements, or ``PRODUCT``.
    nodes : pair of arrays
        Values of a curve for the agreements of each side, at evenly spaced nodes from 0 to 1.
    weights : pair of arrays
        Memberships of each side used as weights, one row for each cluster; no rows if not wanted.

    Returns
    -------
    callable
        Function of the first row i, the row after the last, and an array of shape (2, clusters) for
        each side, to which it adds discordances and values of the curve, times the memberships of
        both points in the cluster.
    """
    loop = kernels.weighted_rows(sides[0].kind, sides[1].kind)

    def add_up(first_row: int, last_row: int, sums1: FloatArray, sums2: FloatArray) -> None:
        loop(
            sides[0].arrays,
            sides[1].arrays,
            n if last_row > first_row else 0,
            power,
            first_row,
            last_row,
            *nodes,
            *weights,
            sums1,
            sums2,
            _scratch(3, kernels.BLOCK),
            np.empty(kernels.BLOCK, np.int32),
        )

    with compiling():  # compile now, before several threads would wait for it
        add_up(0, 0, *(np.zeros((2, own.shape[0])) for own in weights))
    return add_up


def row_sums(
    side1: Side,
    side2: Side | None,
    n: int,
    power: float,
    grid1: Grid | None,
    grid2: Grid | None,
    least: int = 0,
) -> Callable[[int, int, Bins, Bins], float]:
    """Return a function that sums over the pairs (i, j), i < j, of a range of rows i.

    Parameters
    ----------
    side1, side2 : Side
        The clusterings; the second may be None.
    n : int
        Number of points.
    power : float
        Power of the difference between agreements.
    grid1, grid2 : Grid or None
        Bins of each side, or None if its agreements are not counted.
    least : int
        The smallest j: only pairs with points from there on are included.

    Returns
    -------
    callable
        Function of the first row, the row after the last, and the bins of both sides, which it
        fills. It returns the sum of |a1 - a2|^power, or 0 without a second side.
    """
    kind2, arrays2 = (kernels.NONE, ()) if side2 is None else side2
    whole_power = int(power) if power in (1.0, 2.0) else 0
    counting1 = () if grid1 is None else kernels.counting_grid(grid1)
    counting2 = () if grid2 is None else kernels.counting_grid(grid2)
    loop = kernels.pair_rows(side1.kind, kind2, whole_power, grid1 is not None, grid2 is not None)

    def add_up(first_row: int, last_row: int, bins1: Bins, bins2: Bins) -> float:
        total: float = loop(
            side1.arrays,
            arrays2,
            n,
            power,
            (first_row, last_row),
            least,
            counting1,
            bins1 if counting1 else (),
            counting2,
            bins2 if counting2 else (),
            _scratch(2, kernels.ROWS * kernels.BLOCK),
        )
        return total

    with compiling():  # compile now, before several threads would wait for it
        none = np.zeros(0, dtype=np.int64)
        add_up(0, 0, none, none)
    return add_up


def merged_sums(
    side1: Side, side2: Side | None, weights: FloatArray, power: float, grid1: Grid, grid2: Grid
) -> Callable[[int, int, FloatArray, FloatArray], float]:
    """Return a function that sums over pairs of rows, each of which stands for several points.

    Parameters
    ----------
    side1, side2 : Side
        The clusterings, with identical points merged; the second may be None.
    weights : array
        Number of points that each row stands for.
    power : float
        Power of the difference between agreements.
    grid1, grid2 : Grid
        Bins of each side.

    Returns
    -------
    callable
        Function of the first row, the row after the last, and arrays of shape (2, bins) for both
        sides, which it fills with counts and positions; they are empty if a side is not counted.
        It returns the sum of |a1 - a2|^power, or 0 without a second side.
    """
    kind2, arrays2 = (kernels.NONE, ()) if side2 is None else side2
    loop = kernels.merged_rows(side1.kind, kind2)

    def add_up(first_row: int, last_row: int, bins1: FloatArray, bins2: FloatArray) -> float:
        total: float = loop(
            side1.arrays,
            arrays2,
            weights.size if last_row > first_row else 0,
            power,
            first_row,
            last_row,
            weights,
            grid1,
            bins1,
            grid2,
            bins2,
            _scratch(3, kernels.BLOCK),
        )
        return total

    with compiling():  # compile now, before several threads would wait for it
        none = np.zeros((2, 0))
        add_up(0, 0, none, none)
    return add_up


def point_sums(
    side1: Side,
    side2: Side | None,
    power: float,
    nodes1: FloatArray,
    nodes2: FloatArray,
    *,
    squared: bool,
    weights: FloatArray | None = None,
) -> Callable[[int, int, int, FloatArray], None]:
    """Return a function that adds pairs (i, j), i < j, to the sums of both points.

    Parameters
    ----------
    side1, side2 : Side
        The clusterings; the second may be None.
    power : float
        Power of the difference between agreements.
    nodes1, nodes2 : array
        Values of a curve for the agreements of each side at evenly spaced nodes from 0 to 1; empty
        if there is no curve.
    squared : bool
        Whether to sum the squares of the powers of differences, too.
    weights : array, optional
        Weights of the points: a pair counts for one of them as often as the other's says.

    Returns
    -------
    callable
        Function of the first row i, the row after the last, the point after the last j, and an
        array of shape (4, points), to which it adds the powers of differences, their squares, and
        the values of the curves of both sides.
    """
    kind2, arrays2 = (kernels.NONE, ()) if side2 is None else side2
    loop = kernels.point_rows(side1.kind, kind2, weights is not None)
    of_points = np.zeros(0) if weights is None else weights

    def add_up(first_row: int, last_row: int, end: int, sums: FloatArray) -> None:
        loop(
            side1.arrays,
            arrays2,
            end,
            power,
            first_row,
            last_row,
            nodes1,
            nodes2,
            squared,
            sums,
            _scratch(3, kernels.BLOCK),
            np.empty(kernels.BLOCK, np.int32),
            of_points,
        )

    with compiling():  # compile now, before several threads would wait for it
        add_up(0, 0, 0, np.zeros((4, 0)))
    return add_up
