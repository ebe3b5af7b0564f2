"""Sums over all pairs, weighted by clusters: pair (i, j) has the weight v_ic v_jc in cluster c."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from .._base.effort import Precision
from .._base.progress import progress
from .._base.threads import map_in_order
from .._base.types import FloatArray
from .._clusterings.partition import Partition
from . import compiled, plain
from .all_pairs import balanced_rows, row_cost
from .curves import PairCurve

if TYPE_CHECKING:
    from ..indices.agreements import Agreement
    from ..indices.concordances import Concordance

#: A function of an agreement; the compiled loops support it if it is a :class:`PairCurve`.
Curve = Callable[[FloatArray], FloatArray] | PairCurve
#: Function that sums over the pairs of a range of rows for the clusters of both sides. Each result
#: has the shape (2, clusters): discordances, and curves of the side; no clusters if not wanted.
VisitClusters = Callable[[tuple[int, int]], tuple[FloatArray, FloatArray]]


def weights_of_clusters(memberships: FloatArray) -> FloatArray:
    """Sum v_ic v_jc over all pairs, for each cluster c."""
    # Each point with those before it. The difference of the squared sum and the sum of squares
    # would lose all digits where a single point has nearly all of a cluster.
    return np.array([column[1:] @ np.cumsum(column)[:-1] for column in memberships.T])


def weighted_sums(
    partitions: tuple[Partition, Partition],
    agreement: Agreement,
    concordance: Concordance,
    weights: tuple[FloatArray | None, FloatArray | None],
    curves: tuple[Curve, Curve],
    effort: Precision,
) -> tuple[FloatArray, FloatArray]:
    """Sum discordances and curves of agreements over all pairs, weighted by clusters.

    Parameters
    ----------
    partitions : pair of Partition
        The clusterings.
    agreement, concordance
        Those of the index.
    weights : pair of arrays or None
        Memberships of each side used as weights; None if no sums are wanted for a side.
    curves : pair of functions
        Functions of the agreements of each side, summed with the weights of that side.
    effort : Precision
        Number of threads.

    Returns
    -------
    pair of arrays
        For each side, an array of shape (2, clusters): sums of the discordance and of the curve,
        times v_ic v_jc. There are no clusters for a side without weights.
    """
    n = partitions[0].n
    cost = row_cost(partitions[0]) + row_cost(partitions[1])
    order = np.argsort(cost, kind="stable")  # the earlier point of a pair determines its cost
    by_product = concordance.moments_needed(0) == 1
    one, two = curves
    if (
        isinstance(one, PairCurve)
        and isinstance(two, PairCurve)
        and all(side.is_hard or agreement.of(side).loop is not None for side in partitions)
        and (by_product or concordance.power is not None)
    ):
        power = None if by_product else concordance.power
        visit = compiled.weighted_visitor(partitions, agreement, power, order, weights, (one, two))
    else:
        visit = _plain_visitor(partitions, agreement, concordance, weights, curves)
    tasks = balanced_rows(cost[order], n)
    sums1, sums2 = (np.zeros((2, 0 if own is None else own.shape[1])) for own in weights)
    for more1, more2 in progress(map_in_order(visit, tasks, effort.n_threads), len(tasks), "pairs"):
        sums1 += more1
        sums2 += more2
    return sums1, sums2


def _plain_visitor(
    partitions: tuple[Partition, Partition],
    agreement: Agreement,
    concordance: Concordance,
    weights: tuple[FloatArray | None, FloatArray | None],
    curves: tuple[Curve, Curve],
) -> VisitClusters:
    """Return a function that sums over the pairs of a range of rows in NumPy."""
    n = partitions[0].n
    agree = [plain.row_agreements(side, agreement, np.arange(n)) for side in partitions]
    heights = [curve.at if isinstance(curve, PairCurve) else curve for curve in curves]

    def visit(rows: tuple[int, int]) -> tuple[FloatArray, FloatArray]:
        sums1, sums2 = (np.zeros((2, 0 if own is None else own.shape[1])) for own in weights)
        for i in range(*rows):
            for low in range(i + 1, n, plain.BLOCK):
                high = min(n, low + plain.BLOCK)
                agreements = [of_side(i, low, high) for of_side in agree]
                discordance = concordance.discordance(*agreements)
                for sums, own, height, agreed in zip(
                    (sums1, sums2), weights, heights, agreements, strict=True
                ):
                    if own is not None:
                        values = np.stack([discordance, height(agreed)])
                        # Not a matrix product, because starting the threads of BLAS takes longer.
                        sums += own[i] * np.einsum("rj,jc->rc", values, own[low:high])
        return sums1, sums2

    return visit
