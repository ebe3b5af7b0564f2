"""Visit the pairs of sparse rows that have a column in common, through an index of columns.

All other pairs have agreement 0. With nᵪ entries in column c, the work is Σ nᵪ² on each side rather
than n² times the number of columns. The points are divided into tiles, small enough for the sums of
one row with all points of a tile to stay in the cache.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .._base.effort import Precision
from .._base.progress import progress
from .._base.threads import map_in_order
from .._base.types import FloatArray
from .._clusterings.sparse_rows import SparseRows
from .bins import SCOUTS, Grid, grid_around
from .random_pairs import agreements_of_pairs

#: Fewest and most points in a tile; unsigned 16-bit integers must be able to number them. Tiles are
#: larger if few of their points have an entry in a column: the aim is ENTRIES_A_COLUMN entries.
SMALLEST_TILE, LARGEST_TILE = 1 << 13, 1 << 15
ENTRIES_A_COLUMN = 32
#: Entries visited by one task: fewer than a bin can count.
TASK_ENTRIES = 1 << 22
#: Lower end of the bins. The agreement 0 is counted separately.
ABOVE_ZERO = 1e-300
#: Cells and bins of a grid. Few suffice, as most of the mass is at 0; they stay in the cache.
CELLS, BINS = 1 << 9, 1 << 12

#: Arrays that the compiled loop needs for rows, and for the columns of a tile.
_Rows = tuple[npt.NDArray[np.int64], npt.NDArray[np.uint32], FloatArray]
_Columns = tuple[npt.NDArray[np.int64], npt.NDArray[np.uint16], FloatArray]


class SharedPairs(NamedTuple):
    """Sums over the pairs that share a column.

    Attributes
    ----------
    discordance : float
        Sum of the discordances; with a single clustering, of powers of its agreements.
    bins1, bins2 : array
        Counts and positions of the agreements above 0, for the sides whose grid was given.
    points : array or None
        Sum of the discordances of each point, if wanted.
    """

    discordance: float
    bins1: FloatArray
    bins2: FloatArray
    points: FloatArray | None


class SharedTask(NamedTuple):
    """A tile of later points, its columns on both sides, and a range of earlier rows."""

    base: int
    size: int
    columns: tuple[_Columns, _Columns]
    rows: tuple[int, int]


def visit_shared_pairs(
    first: SparseRows,
    second: SparseRows | None,
    power: float,
    grids: tuple[Grid, Grid],
    effort: Precision,
    *,
    product: bool,
    by_points: bool = False,
    weights: FloatArray | None = None,
) -> SharedPairs:
    """Visit the pairs of points that share a column on some side.

    Parameters
    ----------
    first, second : SparseRows
        The clusterings; the second may be None.
    power : float
        Power of the difference between agreements.
    grids : pair of Grid
        Bins for the agreements of each side above 0; ``NO_GRID`` if they are not counted.
    effort : Precision
        Number of threads.
    product : bool
        Whether agreements are sums of products rather than of minima.
    by_points : bool
        Whether the sums of each point are wanted.
    weights : array, optional
        Weights of the points; a pair counts as often as their product says, and for the sum of a
        point as often as that of the other.
    """
    from .._base.compiling import compiling  # Deferred: loads Numba.
    from . import bin_kernels, sparse_kernels

    n = first.n
    beside = _nothing(n) if second is None else second
    rows1, rows2 = as_rows(first), as_rows(beside)
    tasks = list(tasks_of(first, beside))
    counting1, counting2 = (
        bin_kernels.counting_grid(grid) if weights is None else grid for grid in grids
    )

    def visit(task: SharedTask) -> tuple[float, FloatArray, FloatArray, FloatArray, FloatArray]:
        start, stop = task.rows
        of_rows = np.zeros(stop - start if by_points else 0)
        of_tile = np.zeros(task.size if by_points else 0)
        bins: list[npt.NDArray[Any]]
        more: tuple[FloatArray, ...] = ()
        if weights is None:
            bins = [np.zeros(grid.size, dtype=np.int64) for grid in grids]
            loop = sparse_kernels.tile_rows
        else:
            bins = [np.zeros((grid.size, 2)) for grid in grids]
            loop, more = sparse_kernels.weighted_tile_rows, (weights,)
        total = loop(
            rows1, task.columns[0], rows2, task.columns[1], task.base, start, stop, product, power,
            counting1, bins[0], counting2, bins[1], of_rows, of_tile,
            np.zeros((2, task.size)), np.empty((2, task.size + 1), dtype=np.uint16),
            np.empty((3, task.size)), *more,
        )  # fmt: skip
        one, two = (bin_kernels.decoded(each) if weights is None else each.T for each in bins)
        return total, one, two, of_rows, of_tile

    with compiling():  # compile now, before several threads would wait for it
        visit(tasks[0]._replace(rows=(0, 0)))

    seen1, seen2 = (np.zeros((2, grid.size)) for grid in grids)
    points = np.zeros(n if by_points else 0)
    totals = []
    parts = progress(map_in_order(visit, tasks, effort.n_threads), len(tasks), "pairs")
    for task, (total, bins1, bins2, of_rows, of_tile) in zip(tasks, parts, strict=True):
        totals.append(total)
        seen1 += bins1
        seen2 += bins2
        if by_points:
            points[slice(*task.rows)] += of_rows
            points[task.base : task.base + task.size] += of_tile
    return SharedPairs(math.fsum(totals), seen1, seen2, points if by_points else None)


def shared_pairs_grid(rows: SparseRows, *, product: bool) -> Grid:
    """Choose bins for the agreements above 0 from a sample of pairs that share a column."""
    counts = rows.entries_a_column.astype(np.float64)
    shared = counts * (counts - 1.0)
    if shared.sum() == 0.0:
        return grid_around(np.ones(1), ABOVE_ZERO, 1.0, CELLS, BINS)
    rng = np.random.default_rng(0)
    column = rng.choice(rows.k, size=SCOUTS, p=shared / shared.sum())
    size = rows.entries_a_column[column]
    first = rng.integers(size)
    second = (first + rng.integers(1, size)) % size
    starts, points, _ = rows.in_order
    i, j = (points[starts[column] + place] for place in (first, second))
    seen = agreements_of_pairs(rows, i, j, product=product)
    return grid_around(seen, ABOVE_ZERO, 1.0, CELLS, BINS)


def _nothing(n: int) -> SparseRows:
    """Return n empty rows."""
    none = np.zeros(0)
    return SparseRows(np.zeros(n + 1, dtype=np.int64), none.astype(np.int32), none, 1)


def as_rows(rows: SparseRows) -> _Rows:
    """Return the arrays that the compiled loops need for rows."""
    return rows.starts, rows.columns.astype(np.uint32), rows.values


def tasks_of(first: SparseRows, second: SparseRows) -> Iterator[SharedTask]:
    """Divide the triangle of pairs into tiles of later points, and ranges of earlier rows."""
    n = first.n
    size = _tile_size(first, second)
    for base in range(0, n, size):
        stop = min(base + size, n)
        columns = _columns_of(first, base, stop), _columns_of(second, base, stop)
        work = np.zeros(stop)
        for rows, (starts, _, _) in zip((first, second), columns, strict=True):
            entries = np.diff(starts)[rows.columns[: rows.starts[stop]]]
            work += np.bincount(rows.points[: rows.starts[stop]], entries, minlength=stop)
        # Even a row without entries takes a little time.
        passed = np.cumsum(work + 1.0)
        parts = max(math.ceil(passed[-1] / TASK_ENTRIES), 1)
        cuts = np.searchsorted(passed, passed[-1] * np.arange(1, parts) / parts)
        edges = np.unique(np.concatenate([[0], cuts, [stop]])).tolist()
        for low, high in pairwise(edges):
            yield SharedTask(base, stop - base, columns, (low, high))


def _tile_size(first: SparseRows, second: SparseRows) -> int:
    """Return a number of points that gives columns a reasonable number of entries in a tile."""
    entries = max(first.values.size / first.k, second.values.size / second.k, 1.0)
    wanted = ENTRIES_A_COLUMN * first.n / entries
    return int(np.clip(2 ** math.ceil(math.log2(wanted)), SMALLEST_TILE, LARGEST_TILE))


def _columns_of(rows: SparseRows, base: int, stop: int) -> _Columns:
    """Return the entries of a tile by column, with points numbered from the tile's first."""
    columns = rows.matrix[base:stop].tocsc()
    return columns.indptr.astype(np.int64), columns.indices.astype(np.uint16), columns.data
