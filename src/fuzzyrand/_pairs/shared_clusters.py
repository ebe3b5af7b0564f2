"""Sums over the pairs of sparse rows that share a cluster, weighted by each cluster.

As in ``weighted_sums``, a pair of points i and j has the weight v_ic v_jc in cluster c. All other
pairs have no weight and are not visited, as in ``shared_pairs``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .._base.effort import Precision
from .._base.progress import progress
from .._base.threads import map_in_order
from .._base.types import FloatArray
from .._clusterings.sparse_rows import SparseRows
from .curves import PairCurve
from .shared_pairs import SharedTask, as_rows, tasks_of


class SharedSide(NamedTuple):
    """One of two sparse clusterings.

    Attributes
    ----------
    rows : SparseRows
        Rows whose sums of minima, or dot products, are agreements.
    scale : array
        Factors that turn the rows into memberships.
    curve : PairCurve or None
        Function of the agreement that is summed; None if no sums are wanted for this side.
    """

    rows: SparseRows
    scale: FloatArray
    curve: PairCurve | None


def shared_cluster_sums(
    first: SharedSide, second: SharedSide, power: float | None, effort: Precision, *, product: bool
) -> tuple[FloatArray, FloatArray]:
    """Sum discordances and curves of agreements over the pairs of each cluster.

    Parameters
    ----------
    first, second : SharedSide
        The clusterings.
    power : float or None
        Power of the difference between agreements; None for the discordance a + b - 2 a b.
    effort : Precision
        Number of threads.
    product : bool
        Whether agreements are sums of products rather than of minima.

    Returns
    -------
    pair of arrays
        For each side, an array of shape (2, clusters): sums of the discordance and of the curve,
        times v_ic v_jc.
    """
    from .._base.compiling import compiling  # Deferred: loads Numba.
    from . import kernels, sparse_kernels

    sides = first, second
    exponent = kernels.PRODUCT if power is None else power
    nodes = [np.zeros(0) if side.curve is None else side.curve.nodes for side in sides]
    arrays = [as_rows(side.rows) for side in sides]

    def visit(task: SharedTask) -> list[FloatArray]:
        sums = [np.zeros((2, side.rows.k)) for side in sides]
        of_sides = zip(arrays, task.columns, sides, nodes, sums, strict=True)
        one, two = [(rows, tile, side.scale, at, out) for rows, tile, side, at, out in of_sides]
        sparse_kernels.cluster_rows(
            *one, *two, task.base, *task.rows, product, exponent,
            np.zeros((2, task.size)), np.empty((2, task.size + 1), dtype=np.uint16),
            np.zeros((2, task.size)),
        )  # fmt: skip
        return sums

    tasks = list(tasks_of(first.rows, second.rows))
    with compiling():  # compile now, before several threads would wait for it
        visit(tasks[0]._replace(rows=(0, 0)))
    sums1, sums2 = (np.zeros((2, side.rows.k)) for side in sides)
    for more1, more2 in progress(map_in_order(visit, tasks, effort.n_threads), len(tasks), "pairs"):
        sums1 += more1
        sums2 += more2
    return sums1, sums2
