"""Pairs of two hard clusterings, counted from the contingency table.

Counts of pairs are added in 64 bits, which suffices for up to 10^9 points. They are multiplied only
as Python integers or floats, since the product of two counts overflows near 100,000 points.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .._base.threads import map_in_order
from .._base.types import FloatArray, IntArray

#: Points counted at a time, few enough for temporary arrays to stay in the cache.
CHUNK = 1 << 16
#: Points in one task; fewer would be counted before a second thread has started.
TASK = 1 << 20

Counts = npt.NDArray[np.int64]


class Together(NamedTuple):
    """Numbers of pairs of points that share a cluster, in both clusterings and in each one.

    The sizes of the clusters of both clusterings are a by-product.
    """

    both: int
    first: int
    second: int
    sizes: tuple[IntArray, IntArray]

    @classmethod
    def of_counts(cls, cells: Counts, sizes: tuple[Counts, Counts]) -> Together:
        """Count pairs, given the numbers of points in the cells and in the clusters."""
        one, two = sizes
        return cls(_pairs(cells), _pairs(one), _pairs(two), sizes)

    @property
    def discordant(self) -> int:
        """Number of pairs that are together in exactly one of the two clusterings."""
        return self.first + self.second - 2 * self.both


class Cells(NamedTuple):
    """The nonempty cells of a table: their places (row times columns plus column) and counts.

    Points with weights are not counted, but their weights are added. The sizes of the clusters of
    both clusterings are a by-product.
    """

    places: npt.NDArray[np.int64]
    counts: npt.NDArray[Any]
    sizes: tuple[npt.NDArray[Any], npt.NDArray[Any]]

    @property
    def matrix(self) -> Any:
        """The table as a SciPy array."""
        from scipy.sparse import coo_array  # Deferred: slow to import and seldom needed.

        shape = self.sizes[0].size, self.sizes[1].size
        places = np.divmod(self.places, shape[1])
        return coo_array((self.counts.astype(np.float64), places), shape)


def count_pairs_together(first: IntArray, second: IntArray, k1: int, k2: int) -> Together:
    """Count the pairs that two hard clusterings put together.

    Parameters
    ----------
    first, second : array of int
        The cluster of each point, from 0.
    k1, k2 : int
        Numbers of clusters, empty ones included.
    """
    if _nearly_empty(first.size, k1 * k2):
        return Together.of_counts(*_counts(first, second, k1, k2))
    table = _dense_table(first, second, k1, k2)
    # The margins of the table are the sizes of the clusters.
    return Together.of_counts(table, (table.sum(axis=1), table.sum(axis=0)))


class WeightedTogether(NamedTuple):
    """Total weights of pairs of points: apart in one clustering only; and sizes of clusters."""

    discordant: float
    sizes: tuple[FloatArray, FloatArray]


def weigh_pairs_together(found: Cells) -> WeightedTogether:
    """Sum the weights of the pairs that exactly one of two hard clusterings puts together.

    The weight of a pair is the product of those of its points. Points that share a cluster of one
    clustering but no cell of the table are such pairs; all terms are positive, and no digits are
    lost if there are few.
    """
    cells, (sizes1, sizes2) = found.counts, found.sizes
    rows, columns = np.divmod(found.places, sizes2.size)
    apart = (sizes1[rows] - cells) + (sizes2[columns] - cells)
    return WeightedTogether(0.5 * float(cells @ np.maximum(apart, 0.0)), found.sizes)


def weighted_cells(
    first: IntArray, second: IntArray, k1: int, k2: int, weights: FloatArray
) -> Cells:
    """Return the nonempty cells of the contingency table of weighted points, in order."""
    if _nearly_empty(first.size, k1 * k2):
        places, cell = np.unique(_cells(first, second, k2), return_inverse=True)
        counts = np.bincount(cell.reshape(-1), weights)
    else:
        table = _dense_table(first, second, k1, k2, weights).ravel()
        places = np.flatnonzero(table)
        counts = table[places]
    rows, columns = np.divmod(places, k2)
    sizes = np.bincount(rows, counts, k1), np.bincount(columns, counts, k2)
    first_sizes, second_sizes = (each.astype(np.float64) for each in sizes)
    return Cells(places, counts.astype(np.float64), (first_sizes, second_sizes))


def nonempty_cells(first: IntArray, second: IntArray, k1: int, k2: int) -> Cells:
    """Return the nonempty cells of the contingency table of two hard clusterings, in order.

    The parameters are those of :func:`count_pairs_together`.
    """
    if _nearly_empty(first.size, k1 * k2):
        places, counts = np.unique(_cells(first, second, k2), return_counts=True)
        sizes = np.bincount(first, minlength=k1), np.bincount(second, minlength=k2)
        return Cells(places, counts, sizes)
    table = _dense_table(first, second, k1, k2)
    places = np.flatnonzero(table)
    return Cells(places, table.ravel()[places], (table.sum(axis=1), table.sum(axis=0)))


def discordant_partners(
    first: IntArray, second: IntArray, k1: int, k2: int, weights: FloatArray | None = None
) -> FloatArray:
    """Count, for each point, the points that share a cluster with it in exactly one clustering.

    The parameters are those of :func:`count_pairs_together`. Points with weights are not
    counted, but their weights are added.
    """
    if _nearly_empty(first.size, k1 * k2):
        cells = _cells(first, second, k2)
        _, cell = np.unique(cells, return_inverse=True)
        cell = cell.reshape(-1)
        partners = -2.0 * np.bincount(cell, weights)[cell]
        partners += np.bincount(first, weights)[first]
        partners += np.bincount(second, weights)[second]
        return np.asarray(np.maximum(partners, 0.0))
    table = _dense_table(first, second, k1, k2, weights)
    # All points of a cell have the same number of such partners.
    sums = table.sum(axis=1)[:, None] + table.sum(axis=0) - 2.0 * table
    of_cell = np.maximum(sums, 0.0).ravel()
    partners = np.empty(first.size)
    for start in range(0, first.size, CHUNK):
        here = slice(start, start + CHUNK)
        partners[here] = of_cell[_cells(first[here], second[here], k2)]
    return partners


def _nearly_empty(n: int, cells: int) -> bool:
    """Return whether a dense table would be nearly empty."""
    return cells > 4 * n + (1 << 16)


def _dense_table(
    first: IntArray, second: IntArray, k1: int, k2: int, weights: FloatArray | None = None
) -> npt.NDArray[Any]:
    """Count the points of each cell, or sum their weights.

    A sparse matrix of ones sums duplicate entries when it is converted to a dense one. For many
    points, this is faster than ``np.bincount``, which needs the cell number of each point.
    """
    if first.size <= CHUNK:
        counts = np.bincount(_cells(first, second, k2), weights, k1 * k2)
        return counts.reshape(k1, k2)

    from scipy.sparse import coo_array  # Deferred: slow to import and seldom needed.

    def count(points: tuple[int, int]) -> npt.NDArray[Any]:
        start, stop = points
        table = np.zeros((k1, k2), dtype=np.int64 if weights is None else np.float64)
        chunk = max(CHUNK, k1 * k2)  # so that adding the tables takes no longer than counting
        for size, begin, end in _even_parts(start, stop, chunk):
            places = np.zeros((2, size), dtype=np.int32)
            kind = np.int32 if weights is None else np.float64
            ones = coo_array((np.ones(size, dtype=kind), places), shape=(k1, k2))
            rows, columns = ones.row, ones.col
            for at in range(begin, end, size):
                np.copyto(rows, first[at : at + size], casting="unsafe")
                np.copyto(columns, second[at : at + size], casting="unsafe")
                if weights is not None:
                    ones.data = weights[at : at + size]
                _require_within(rows, k1)
                _require_within(columns, k2)
                table += ones.toarray()
        return table

    # Adding one large table for each of many tasks would take longer than counting into one.
    size = max(TASK, k1 * k2)
    tasks = list(pairwise([*range(0, first.size, size), first.size]))
    tables = map_in_order(count, tasks, 1 if len(tasks) == 1 else None)
    return np.asarray(sum(tables))


def _even_parts(start: int, stop: int, size: int) -> Iterator[tuple[int, int, int]]:
    """Divide a range into parts made of equal chunks; yield the chunk size and the part."""
    whole = start + (stop - start) // size * size
    if whole > start:
        yield size, start, whole
    if stop > whole:
        yield stop - whole, whole, stop


def _require_within(codes: npt.NDArray[np.int32], k: int) -> None:
    """Check the codes, which SciPy does not: other codes would be written outside the table."""
    if codes.view(np.uint32).max() >= k:
        raise ValueError(f"the codes of a hard clustering must be from 0 to k - 1 = {k - 1}.")


def _cells(first: IntArray, second: IntArray, k2: int) -> npt.NDArray[np.int64]:
    """Return the cell of each point in 64 bits, since narrower types might overflow."""
    return np.asarray(first.astype(np.int64) * k2 + second)


def _counts(
    first: IntArray, second: IntArray, k1: int, k2: int
) -> tuple[Counts, tuple[Counts, Counts]]:
    """Count the points of each nonempty cell, and of each cluster, by sorting in linear time."""
    ordered, of_second = _grouped(first, second, k2)
    repeated = np.repeat(np.arange(k2, dtype=np.int32), np.diff(of_second))
    numbers, of_first = _grouped(repeated, ordered, k1)
    begins = np.ones(first.size + 1, dtype=bool)
    np.not_equal(numbers[1:], numbers[:-1], out=begins[1:-1])
    begins[of_first] = True
    return np.diff(np.flatnonzero(begins)), (np.diff(of_first), np.diff(of_second))


def _grouped(values: IntArray, codes: IntArray, k: int) -> tuple[IntArray, Counts]:
    """Return values in the order of their codes, stably, and where each code starts.

    This is how SciPy turns the columns of a matrix, with one entry each, into rows.
    """
    from scipy.sparse import csc_array  # Deferred: slow to import and seldom needed.

    columns = codes.astype(np.int32)
    _require_within(columns, k)
    places = np.arange(codes.size + 1, dtype=np.int32)
    rows = csc_array((values, columns, places), shape=(k, codes.size)).tocsr()
    return rows.data, rows.indptr.astype(np.int64)  # numbers of pairs follow from these


def _pairs(counts: Counts) -> int:
    """Return the number of pairs within groups of these sizes."""
    return int((counts * (counts - 1)).sum()) // 2
