"""Compiled loops over pairs of points, and what they collect.

Importing this module imports Numba, so it is imported only when pairs must be visited. A loop is
compiled for each combination of types of what it is given, two sides and a collector, and contains
only what these need, because compiling takes as long as processing some thousands of points. Numba
caches what it has compiled.
"""

# Written for Numba, as ``agreement_kernels``. When it compiles a function for an argument that is
# None, it drops the branches that are for others, so what is None in a collector costs nothing.

from __future__ import annotations

from functools import cache
from types import FunctionType
from typing import Any, NamedTuple

import numba
import numpy as np
import numpy.typing as npt

from .._base.compiling import INNER, OUTER
from .._base.types import FloatArray
from .agreement_kernels import OF_SIDE
from .bin_kernels import Bins, CountingGrid, into_bins, into_cells, into_weighted_bins
from .bins import Grid
from .sides import BLOCK, ROWS, Side

#: Stands for the discordance a1 + a2 - 2 a1 a2 in place of a power.
PRODUCT = -1.0


class Counts(NamedTuple):
    """The sum of |a1 - a2|^power, and the agreements of each side in bins; None if not wanted."""

    power: float | None
    grid1: CountingGrid | None
    bins1: Bins | None
    grid2: CountingGrid | None
    bins2: Bins | None


class AbsoluteCounts(NamedTuple):
    """The same for two sides and a power of 1, the usual one, which is compiled sooner alone."""

    grid1: CountingGrid | None
    bins1: Bins | None
    grid2: CountingGrid | None
    bins2: Bins | None


class CellCounts(NamedTuple):
    """The number of agreements of the first side in each cell, for a grid with a bin in each."""

    grid: CountingGrid
    counts: Bins


class WeightedCounts(NamedTuple):
    """The sum and the bins of ``Counts`` for points with weights.

    A pair counts as often as the product of its weights says. Bins that are not wanted are empty;
    their shape is (bins, 2), for weights and positions.
    """

    power: float | None
    weights: FloatArray
    grid1: Grid
    bins1: FloatArray
    grid2: Grid
    bins2: FloatArray
    room: FloatArray


class PointSums(NamedTuple):
    """Sums of each point over its pairs.

    Attributes
    ----------
    power : float or None
        Power of the difference between agreements; None without a second side.
    squared : bool
        Whether to sum the squares of the powers of differences, too.
    weights : array or None
        Weights of the points: a pair counts for one of them as often as the other's says.
    nodes1, nodes2 : array
        Values of a curve for the agreements of each side at evenly spaced nodes from 0 to 1; empty
        if there is no curve.
    sums : array of shape (4, points)
        The powers of differences, their squares, and the values of the curves of both sides.
    room : array
        Room for the values of a row.
    cells : array of int
        Room for the cells of a row.
    """

    power: float | None
    squared: bool
    weights: FloatArray | None
    nodes1: FloatArray
    nodes2: FloatArray
    sums: FloatArray
    room: FloatArray
    cells: npt.NDArray[np.int32]


class ClusterSums(NamedTuple):
    """Sums of each cluster over all pairs, times the memberships of both points in the cluster.

    Attributes
    ----------
    power : float
        Power of the difference between agreements, or ``PRODUCT``.
    nodes1, nodes2 : array
        Values of a curve for the agreements of each side, at evenly spaced nodes from 0 to 1.
    weights1, weights2 : array
        Memberships of each side, one row for each cluster; no rows if not wanted.
    sums1, sums2 : array of shape (2, clusters)
        Discordances and values of the curve.
    room, cells : array
        As for ``PointSums``.
    """

    power: float
    nodes1: FloatArray
    nodes2: FloatArray
    weights1: FloatArray
    weights2: FloatArray
    sums1: FloatArray
    sums2: FloatArray
    room: FloatArray
    cells: npt.NDArray[np.int32]


Collector = Counts | AbsoluteCounts | CellCounts | WeightedCounts | PointSums | ClusterSums

#: What a loop calls. By these names, each compiled loop has the functions for the types of its
#: arguments.
agreements1: Any = None
agreements2: Any = None
collect: Any = None


def pair_loop(side1: Side, side2: Side | None, collector: type[Collector]) -> Any:
    """Return the loop over the pairs of a range of rows, for two sides and a kind of collector."""
    return _compiled(_visit, OF_SIDE[type(side1)], OF_SIDE[type(side2)], INTO[collector])


def keeping_loop(side: Side) -> Any:
    """Return the loop that stores agreements, for a side."""
    return _compiled(_keep, OF_SIDE[type(side)])


def sorting_loop(side: Side) -> Any:
    """Return the loop that sorts agreements into cells, for a side."""
    return _compiled(_sort, OF_SIDE[type(side)])


@cache
def _compiled(loop: Any, first: Any, second: Any = None, third: Any = None) -> Any:
    """Return a loop in which the three names above stand for the given functions.

    Numba looks up global names when it compiles. Its cache knows a loop by its code and the types
    of its arguments, which are all that the functions depend on. (It does not recognise functions
    that are variables of an enclosing function.)
    """
    names = {"agreements1": first, "agreements2": second, "collect": third}
    own = FunctionType(loop.__code__, {**loop.__globals__, **names}, loop.__name__)
    return numba.njit(**OUTER)(own)


def _visit(side1, side2, n, row_range, least, collector, scratch):  # type: ignore[no-untyped-def]
    """Hand the agreements of the pairs (i, j), i < j, of a range of rows i to a collector.

    Only pairs with j >= least are included. Return the sum of what the collector returns.
    """
    a1, a2 = scratch[0], scratch[1]
    first_row, last_row = row_range
    total = 0.0
    begin = first_row if first_row > least else least
    for block in range(begin - begin % BLOCK, n, BLOCK):
        hi = block + BLOCK if block + BLOCK < n else n
        stop = last_row if last_row < hi else hi
        i = first_row
        while i < stop:
            # Rows before the whole block are processed together; the agreements of one row
            # follow those of another.
            rows = ROWS if i + ROWS <= stop and i + ROWS <= block else 1
            lo = block if block > i else i + 1
            lo = lo if lo > least else least
            m = hi - lo if hi > lo else 0
            agreements1(side1, i, rows, lo, hi, a1)
            agreements2(side2, i, rows, lo, hi, a2)
            total += collect(collector, i, rows, lo, m, a1, a2)
            i += rows
    return total


def _keep(side, first, low, out, scratch):  # type: ignore[no-untyped-def]
    """Store the agreements of some points with others."""
    high = low + out.shape[1]
    for lo in range(low, high, BLOCK):
        hi = lo + BLOCK if lo + BLOCK < high else high
        m, i, last = hi - lo, first, first + out.shape[0]
        while i < last:
            rows = ROWS if i + ROWS <= last else 1
            agreements1(side, i, rows, lo, hi, scratch)
            for r in range(rows):
                here = out[i + r - first, lo - low :]
                for j in range(m):
                    here[j] = scratch[r * m + j]
            i += rows


def _sort(side, n, points, nodes, guide, counts, firsts, seconds, a):  # type: ignore[no-untyped-def]
    """Sort the agreements of some points with all others into cells between nodes.

    The guide holds the cell in which each of several equal parts of the range of the nodes begins,
    and the last cell. What is added to: the number of agreements of each point in each cell, the
    sums of their positions (from 0 to 1) in the cell, and, for all points together, the sums of
    squared positions.
    """
    low, last = nodes[0], guide.size - 2
    scale = (last + 1.0) / (nodes[nodes.size - 1] - low)
    for r in range(points.size):
        i = points[r]
        count, first = counts[r], firsts[r]
        for lo in range(0, n, BLOCK):
            hi = lo + BLOCK if lo + BLOCK < n else n
            agreements1(side, i, 1, lo, hi, a)
            for j in range(hi - lo):
                if lo + j == i:
                    continue
                place = (a[j] - low) * scale
                place = place if place > 0.0 else 0.0
                at = np.int64(place) if place < last else last
                cell, top = guide[at], guide[at + 1]
                while cell < top:
                    middle = (cell + top + 1) // 2
                    if nodes[middle] <= a[j]:
                        cell = middle
                    else:
                        top = middle - 1
                share = (a[j] - nodes[cell]) / (nodes[cell + 1] - nodes[cell])
                share = share if share > 0.0 else 0.0
                share = share if share < 1.0 else 1.0
                count[cell] += 1.0
                first[cell] += share
                seconds[cell] += share * share


# Functions that collect the agreements of points i + r and lo + j, at r m + j, for r < rows and
# j < m. They are inlined early, because what they call would otherwise be optimised once more on
# the way to the loop.


@numba.njit(**INNER, inline="always")
def _into_counts(collector, i, rows, lo, m, a1, a2):  # type: ignore[no-untyped-def]
    total = _sum_of_differences(collector.power, a1, a2, rows * m)
    into_bins(a1, rows * m, collector.grid1, collector.bins1)
    into_bins(a2, rows * m, collector.grid2, collector.bins2)
    return total


@numba.njit(**INNER, inline="always")
def _into_absolute_counts(collector, i, rows, lo, m, a1, a2):  # type: ignore[no-untyped-def]
    total = 0.0
    for j in range(rows * m):
        total += abs(a1[j] - a2[j])
    into_bins(a1, rows * m, collector.grid1, collector.bins1)
    into_bins(a2, rows * m, collector.grid2, collector.bins2)
    return total


@numba.njit(**INNER, inline="always")
def _into_cell_counts(collector, i, rows, lo, m, a1, a2):  # type: ignore[no-untyped-def]
    into_cells(a1, rows * m, collector.grid, collector.counts)
    return 0.0


@numba.njit(**INNER, inline="always")
def _into_weighted_counts(collector, i, rows, lo, m, a1, a2):  # type: ignore[no-untyped-def]
    total = 0.0
    others = collector.weights[lo : lo + m]
    for r in range(rows):
        own, here1, here2 = collector.weights[i + r], a1[r * m :], a2[r * m :]
        if _differences(collector.power, here1, here2, m, collector.room):
            part = 0.0
            for j in range(m):
                part += collector.room[j] * others[j]
            total += own * part
        if collector.bins1.size > 0:
            into_weighted_bins(here1, m, others, own, collector.grid1, collector.bins1)
        if collector.bins2.size > 0:
            into_weighted_bins(here2, m, others, own, collector.grid2, collector.bins2)
    return total


@numba.njit(**INNER, inline="always")
def _into_points(collector, i, rows, lo, m, a1, a2):  # type: ignore[no-untyped-def]
    weights, sums = collector.weights, collector.sums
    for r in range(rows):
        at, here1, here2, room = i + r, a1[r * m :], a2[r * m :], collector.room
        if _differences(collector.power, here1, here2, m, room):
            _share_out(room, m, at, lo, weights, sums[0])
            if collector.squared:
                for j in range(m):
                    room[j] *= room[j]
                _share_out(room, m, at, lo, weights, sums[1])
            if collector.nodes2.size > 0:
                _through_curve(here2, m, collector.nodes2, collector.cells)
                _share_out(here2, m, at, lo, weights, sums[3])
        if collector.nodes1.size > 0:
            _through_curve(here1, m, collector.nodes1, collector.cells)
            _share_out(here1, m, at, lo, weights, sums[2])
    return 0.0


@numba.njit(**INNER, inline="always")
def _into_clusters(collector, i, rows, lo, m, a1, a2):  # type: ignore[no-untyped-def]
    weights1, weights2 = collector.weights1, collector.weights2
    for r in range(rows):
        at, here1, here2, room = i + r, a1[r * m :], a2[r * m :], collector.room
        _differences(collector.power, here1, here2, m, room)
        if weights1.shape[0] > 0:
            _add_weighted(room, m, at, lo, weights1, collector.sums1[0])
            _through_curve(here1, m, collector.nodes1, collector.cells)
            _add_weighted(here1, m, at, lo, weights1, collector.sums1[1])
        if weights2.shape[0] > 0:
            _add_weighted(room, m, at, lo, weights2, collector.sums2[0])
            _through_curve(here2, m, collector.nodes2, collector.cells)
            _add_weighted(here2, m, at, lo, weights2, collector.sums2[1])
    return 0.0


#: The function for each kind of collector.
INTO = {
    Counts: _into_counts,
    AbsoluteCounts: _into_absolute_counts,
    CellCounts: _into_cell_counts,
    WeightedCounts: _into_weighted_counts,
    PointSums: _into_points,
    ClusterSums: _into_clusters,
}


@numba.njit(**INNER)
def _sum_of_differences(power, a, b, m):  # type: ignore[no-untyped-def]
    """Sum |a[j] - b[j]|^power; nothing without a power."""
    total = 0.0
    if power is not None:
        if power == 1.0:
            for j in range(m):
                total += abs(a[j] - b[j])
        elif power == 2.0:
            for j in range(m):
                total += (a[j] - b[j]) ** 2
        else:
            for j in range(m):
                total += abs(a[j] - b[j]) ** power
    return total


@numba.njit(**INNER)
def _differences(power, a, b, m, out):  # type: ignore[no-untyped-def]
    """out[j] = |a[j] - b[j]|^power; return whether there is a power, and thus a second side."""
    if power is not None:
        if power == 1.0:
            for j in range(m):
                out[j] = abs(a[j] - b[j])
        elif power == 2.0:
            for j in range(m):
                out[j] = (a[j] - b[j]) ** 2
        elif power == PRODUCT:
            for j in range(m):
                out[j] = a[j] + b[j] - 2.0 * a[j] * b[j]
        else:
            for j in range(m):
                out[j] = abs(a[j] - b[j]) ** power
    return power is not None


@numba.njit(**INNER)
def _share_out(values, m, i, lo, weights, sums):  # type: ignore[no-untyped-def]
    """Add the value of each pair (i, lo + j) to both points, times the weight of the other."""
    others = sums[lo : lo + m]
    total = 0.0
    if weights is None:
        for j in range(m):
            total += values[j]
            others[j] += values[j]
    else:
        own, theirs = weights[i], weights[lo : lo + m]
        for j in range(m):
            total += values[j] * theirs[j]
            others[j] += values[j] * own
    sums[i] += total


@numba.njit(**INNER)
def _add_weighted(values, m, i, lo, weights, sums):  # type: ignore[no-untyped-def]
    """Add each pair's value, times both memberships in a cluster, to the sum of the cluster."""
    for c in range(weights.shape[0]):
        own = weights[c, i]
        if own == 0.0:
            continue
        column = weights[c, lo : lo + m]
        total = 0.0
        for j in range(m):
            total += values[j] * column[j]
        sums[c] += own * total


@numba.njit(**INNER)
def _through_curve(values, m, nodes, index):  # type: ignore[no-untyped-def]
    """Replace each value by the value of a curve, given at evenly spaced nodes from 0 to 1.

    The curve is linear between the nodes.
    """
    last = np.int32(nodes.size - 2)
    cells = float(nodes.size - 1)
    for j in range(m):
        scaled = values[j] * cells
        cell = np.int32(scaled)
        cell = cell if cell < last else last
        index[j] = cell
        values[j] = scaled - cell
    for j in range(m):
        left = nodes[index[j]]
        values[j] = left + values[j] * (nodes[index[j] + 1] - left)
