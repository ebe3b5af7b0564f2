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

from .._base.numba_options import OUTER
from .._base.types import FloatArray, IntArray
from .._pairs.compiling import compiling

if TYPE_CHECKING:
    import numpy.typing as npt

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
    def differences(a, b, starts, orders, places, power, weights, totals):  # type: ignore[no-untyped-def]
        n = starts.size
        row = np.empty(n)
        for q in range(n):
            # The agreements of point q, which all orders look up, are gathered first.
            for r in range(q):
                row[r] = b[starts[r] + q]
            for r in range(q + 1, n):
                row[r] = b[starts[q] + r]
            for s in range(orders.shape[0]):
                i = places[s, q]
                here = a[starts[i] + i + 1 : starts[i] + n]
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
    a: FloatArray,
    b: FloatArray,
    starts: IntArray,
    power: float,
    weights: FloatArray | None = None,
) -> Callable[[npt.NDArray[np.int32]], FloatArray]:
    """Return a function of orders of the points that sums |a_ij - b_st|^power over all pairs.

    Parameters
    ----------
    a, b : array
        Agreements of all pairs in the order (0,1), (0,2), ...
    starts : array of int
        The pair (i, j), i < j, is at ``starts[i] + j``.
    power : float
        Power of the differences.
    weights : array, optional
        Weights of the points of the first side; a pair counts with the product of two.

    Returns
    -------
    callable
        Function of orders of the points of the second side, one in each row.
    """
    loop = _differences(int(power) if power in (1.0, 2.0) else 0, weights is not None)
    given = np.zeros(0) if weights is None else weights

    def add_up(orders: npt.NDArray[np.int32]) -> FloatArray:
        places = np.empty_like(orders)
        np.put_along_axis(places, orders, np.arange(orders.shape[1], dtype=np.int32)[None], axis=1)
        totals = np.zeros(orders.shape[0])
        loop(a, b, starts, orders, places, power, given, totals)
        return totals

    with compiling():  # compile now, before several threads would wait for it
        add_up(np.zeros((0, starts.size), dtype=np.int32))
    return add_up
