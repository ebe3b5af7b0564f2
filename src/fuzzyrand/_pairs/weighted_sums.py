"""Sums over all pairs, in which clusters give pairs their weights: v_ic v_jc for cluster c.

Blocks of rows of the matrix of pairs are computed one after another and multiplied by the
memberships, so that memory stays bounded.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from .._base.effort import Effort
from .._base.progress import progress
from .._base.threads import map_in_order
from .._base.types import FloatArray
from .._inputs.partition import Partition
from . import compiled, plain
from .all_pairs import NUMPY_WORK

if TYPE_CHECKING:
    from ..indices.agreements import Agreement
    from ..indices.concordances import Concordance

#: Entries of a block, and most of its rows.
ENTRIES, ROWS = 1 << 18, 64

#: A function of an agreement.
Curve = Callable[[FloatArray], FloatArray]
#: Agreements of a range of points with the points from another one on.
Block = Callable[[int, int, int], FloatArray]


def weights_of_clusters(memberships: FloatArray) -> FloatArray:
    """Sum v_ic v_jc over all pairs, for each cluster c."""
    sizes = memberships.sum(axis=0)
    squares = np.einsum("ic,ic->c", memberships, memberships)
    # What rounding leaves of a cluster with a single point is no weight.
    total = 0.5 * (sizes**2 - squares)
    return np.where(total > 1e-15 * sizes**2, total, 0.0)


def weighted_sums(
    partitions: tuple[Partition, Partition],
    agreement: Agreement,
    concordance: Concordance,
    weights: tuple[FloatArray | None, FloatArray | None],
    curves: tuple[Curve, Curve],
    effort: Effort,
) -> tuple[FloatArray | None, FloatArray | None]:
    """Sum discordances and curves of agreements over all pairs, weighted by clusters.

    Parameters
    ----------
    partitions : pair of Partition
        The clusterings.
    agreement, concordance
        Of the index.
    weights : pair of arrays or None
        Memberships in the clusters of each side that give weights; None where none are wanted.
    curves : pair of functions
        Of the agreements of each side, for the weights of that side.
    effort : Effort
        Threads.

    Returns
    -------
    pair of arrays or None
        For each side that gives weights, of shape (2, clusters): sums of the discordance and of
        the curve, times v_ic v_jc.
    """
    n = partitions[0].n
    columns = sum(1 if side.is_hard else side.k for side in partitions)
    heavy = 0.5 * n * n * columns > NUMPY_WORK
    blocks = [_block(side, agreement, heavy) for side in partitions]
    rows = int(np.clip(ENTRIES // n, 1, ROWS))

    def add_up(low: int) -> list[FloatArray | None]:
        high = min(low + rows, n)
        agreements = [block(low, high, low) for block in blocks]
        discordance = concordance.discordance(*agreements)
        # Of the block on the diagonal, only pairs i < j count.
        later = np.tril_indices(high - low)
        discordance[later] = 0.0
        sums: list[FloatArray | None] = []
        for own, curve, agreed in zip(weights, curves, agreements, strict=True):
            if own is None:
                sums.append(None)
                continue
            height = curve(agreed)
            height[later] = 0.0
            here, others = own[low:high], own[low:]
            sums.append(
                np.stack(
                    [
                        np.einsum("ic,ic->c", here, values @ others)
                        for values in (discordance, height)
                    ]
                )
            )
        return sums

    tasks = range(0, n, rows)
    totals = [None if own is None else np.zeros((2, own.shape[1])) for own in weights]
    threads = effort.threads if heavy else 1
    for part in progress(map_in_order(add_up, tasks, threads), len(tasks), "pairs"):
        for total, more in zip(totals, part, strict=True):
            if total is not None and more is not None:
                total += more
    return totals[0], totals[1]


def _block(partition: Partition, agreement: Agreement, heavy: bool) -> Block:
    """Return a function of a range of points and a start: agreements with points from there on."""
    n, codes = partition.n, partition.codes
    if codes is not None:

        def together(low: int, high: int, start: int) -> FloatArray:
            return (codes[low:high, None] == codes[None, start:]).astype(np.float64)

        return together
    if heavy and agreement.of(partition).loop is not None:
        return compiled.agreement_block(partition, agreement)
    agree = plain.row_agreements(partition, agreement, np.arange(n))

    def block(low: int, high: int, start: int) -> FloatArray:
        out = np.empty((high - low, n - start))
        for i in range(low, high):
            for begin in range(start, n, plain.BLOCK):
                end = min(n, begin + plain.BLOCK)
                out[i - low, begin - start : end - start] = agree(i, begin, end)
        return out

    return block
