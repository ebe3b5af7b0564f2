"""Compiled loops over shuffled points.

Importing this module imports Numba, so it is imported only when there is enough to do.
"""

# Written for Numba, which handles plain loops best.

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

import numba
import numpy as np

from ..._base.compiling import OUTER, compiling
from ..._base.types import FloatArray, IntArray

if TYPE_CHECKING:
    from .base import Orders
    from .sorted_shuffles import Labels, SortedColumns


@numba.njit(**OUTER)
def _distances_within(values, points, starts, labels, sizes):  # type: ignore[no-untyped-def]
    weights = np.empty(sizes.size)
    total = 0.0
    for d in range(starts.size - 1):
        for group in range(sizes.size):
            weights[group] = sizes[group] - 1.0
        for r in range(starts[d], starts[d + 1]):
            group = labels[points[r]]
            total += values[r] * weights[group]
            weights[group] -= 2.0
    return total


def distances_within(
    columns: SortedColumns, labels: Labels, sizes: IntArray
) -> Callable[[Labels], float]:
    """Return a function of labels that sums distances over the pairs within groups.

    Parameters
    ----------
    columns : SortedColumns
        The memberships.
    labels : array of int
        The groups of the points, in any order.
    sizes : array of int
        The size of each group.
    """
    arrays = columns.values, columns.points

    def within(labels: Labels) -> float:
        total: float = _distances_within(*arrays, columns.starts, labels, sizes)
        return total

    with compiling():  # compile now, before several threads would wait for it
        _distances_within(*arrays, columns.starts[:1], labels, sizes)
    return within


@cache
def _differences(whole_power: int, weighted: bool) -> Any:
    """Return the loop that sums differences of agreements, for several orders of the points.

    A ``whole_power`` of 0 stands for any power.
    """

    @numba.njit(**OUTER)
    def differences(a, low, rows, start, orders, places, power, weights, totals):  # type: ignore[no-untyped-def]
        n = orders.shape[1]
        for r in range(rows.shape[0]):
            row = rows[r]
            for s in range(orders.shape[0]):
                i = np.int64(places[start + r, s])
                if i < low or i >= low + a.shape[0]:
                    continue
                here = a[i - low, i + 1 - low :]
                order = orders[s, i + 1 :]
                total = 0.0
                for j in range(n - 1 - i):
                    difference = abs(here[j] - row[order[j]])
                    if whole_power == 2:
                        difference *= difference
                    elif whole_power == 0:
                        difference = difference**power
                    if weighted:
                        difference *= weights[i + 1 + j]
                    total += difference
                totals[s] += total * weights[i] if weighted else total

    return differences


def sums_of_differences(
    power: float, weights: FloatArray | None, dtype: type[np.floating]
) -> Callable[..., FloatArray]:
    """Return a function that adds |a_ij - b_st|^power over pairs, for each order of the points.

    Parameters
    ----------
    power : float
        Power of the differences.
    weights : array or None
        Weights of the points of the first side; a pair counts with the product of two.
    dtype : type
        Type of the agreements.

    Returns
    -------
    callable
        Function of agreements of points of the first side with those from the first of them on;
        the first of these points; agreements of points of the second side with all; the first of
        these points; orders of the points of the second side, one in each row; and the place of
        each point in each order, one point in each row. Both are of type uint16. It visits the
        pairs (i, j), i < j, for the given points i whose place takes one of the given points s.
    """
    loop = _differences(int(power) if power in (1.0, 2.0) else 0, weights is not None)
    given = np.zeros(0) if weights is None else weights

    def add_up(
        a: FloatArray, low: int, rows: FloatArray, start: int, orders: Orders, places: Orders
    ) -> FloatArray:
        totals = np.zeros(orders.shape[0])
        loop(a, low, rows, start, orders, places, power, given, totals)
        return totals

    with compiling():  # compile now, before several threads would wait for it
        nothing, none = np.zeros((0, 0), dtype=dtype), np.zeros((0, 0), dtype=np.uint16)
        add_up(nothing, 0, nothing, 0, none, none)
    return add_up
