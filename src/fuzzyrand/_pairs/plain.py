"""Agreements of pairs in NumPy, for few points and for functions without a compiled loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from .._base.types import FloatArray, IntArray
from .._clusterings.partition import Partition
from .bins import Grid
from .curves import PairCurve

if TYPE_CHECKING:
    from ..indices.agreements import Agreement
    from ..indices.concordances import Concordance
    from .all_pairs import Seen, Visit, WriteRows
    from .point_sums import VisitPoints

#: Points compared with one point at a time, few enough to fit into the cache.
BLOCK = 1 << 12


def row_agreements(
    partition: Partition, agreement: Agreement, order: IntArray
) -> Callable[[int, int, int], FloatArray]:
    """Return a function of i, low and high: the agreements of point i with points low to high - 1.

    If ``order`` has several rows, these are groups of points, each with its own point i.
    """
    if partition.is_hard:
        codes = partition.rows.codes[order]
        return lambda i, low, high: (codes[..., low:high] == codes[..., i, None]).astype(np.float64)
    columns = np.ascontiguousarray(np.moveaxis(partition.rows.dense[order], -1, 0))
    agreement = agreement.of(partition)
    return lambda i, low, high: agreement.between(columns[..., i, None], columns[..., low:high])


def pair_agreements(partition: Partition, agreement: Agreement) -> FloatArray:
    """Compute the agreements of all pairs in the order (0,1), (0,2), ..."""
    out, at, n = np.empty(partition.pairs), 0, partition.n
    agree = row_agreements(partition, agreement, np.arange(n))
    for i in range(n - 1):
        m = n - 1 - i
        out[at : at + m] = agree(i, i + 1, n)
        at += m
    return out


def agreement_rows(partition: Partition, agreement: Agreement) -> WriteRows:
    """Return a function that writes agreements of some points with others to an array."""
    agree = row_agreements(partition, agreement, np.arange(partition.n))

    def write(first: int, low: int, out: FloatArray) -> None:
        for i, row in enumerate(out, first):
            row[:] = agree(i, low, low + row.size)

    return write


def visitor(
    first: Partition,
    second: Partition | None,
    agreement: Agreement,
    concordance: Concordance | None,
    order: IntArray,
    grids: tuple[Grid, Grid],
    least: int = 0,
    weights: FloatArray | None = None,
) -> Visit:
    """Return a function that sums over the pairs of a range of rows.

    The later point of a pair is at position ``least`` or later in the order. The weights of points
    are in this order.
    """
    n = first.n
    agree1 = row_agreements(first, agreement, order)
    agree2 = None if second is None else row_agreements(second, agreement, order)

    def visit(rows: tuple[int, int]) -> Seen:
        bins1, bins2 = (np.zeros((2, grid.size)) for grid in grids)
        total = 0.0
        for i in range(*rows):
            for low in range(max(i + 1, least), n, BLOCK):
                high = min(n, low + BLOCK)
                a1 = agree1(i, low, high)
                of_pairs = 1.0 if weights is None else weights[i] * weights[low:high]
                grids[0].fill(a1, bins1, of_pairs)
                if agree2 is not None:
                    a2 = agree2(i, low, high)
                    grids[1].fill(a2, bins2, of_pairs)
                    if concordance is not None:
                        total += float((of_pairs * concordance.discordance(a1, a2)).sum())
        return total, bins1, bins2

    return visit


def point_visitor(
    first: Partition,
    second: Partition | None,
    agreement: Agreement,
    concordance: Concordance | None,
    groups: IntArray,
    curves: tuple[PairCurve | None, PairCurve | None],
    *,
    squared: bool,
) -> VisitPoints:
    """Return a function that adds the pairs of a range of rows to the sums of their points."""
    size = groups.shape[1]
    weights = None if first.weights is None else first.weights[groups]
    agree1 = row_agreements(first, agreement, groups)
    agree2 = None if second is None else row_agreements(second, agreement, groups)
    curve1, curve2 = curves

    def visit(rows: tuple[int, int]) -> FloatArray:
        sums = np.zeros((4, *groups.shape))

        def add(values: FloatArray, to: FloatArray, i: int, low: int, high: int) -> None:
            if weights is None:
                to[:, i] += values.sum(axis=1)
                to[:, low:high] += values
            else:
                to[:, i] += (values * weights[:, low:high]).sum(axis=1)
                to[:, low:high] += values * weights[:, i, None]

        for i in range(*rows):
            for low in range(i + 1, size, BLOCK):
                high = min(size, low + BLOCK)
                a1 = agree1(i, low, high)
                if curve1 is not None:
                    add(curve1.at(a1), sums[2], i, low, high)
                if agree2 is None:
                    continue
                a2 = agree2(i, low, high)
                if curve2 is not None:
                    add(curve2.at(a2), sums[3], i, low, high)
                if concordance is not None:
                    discordance = concordance.discordance(a1, a2)
                    add(discordance, sums[0], i, low, high)
                    if squared:
                        add(discordance**2, sums[1], i, low, high)
        return sums

    return visit
