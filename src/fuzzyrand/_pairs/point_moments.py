"""Sums of agreements over the partners of each point, without visiting pairs.

They are computed from the sizes of hard clusters, from sorted columns or from Gram matrices.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .._base.types import FloatArray
from .._clusterings.contingency import discordant_partners
from .._clusterings.partition import Partition
from .._clusterings.rows import Rows
from . import gram
from .sorted_columns import distances_of_grouped_points, distances_of_points
from .sparse_columns import minima_of_points

if TYPE_CHECKING:
    from ..indices.agreements import Agreement
    from ..indices.concordances import Concordance


class PointMoments:
    """Sums over all other points, for each point of two clusterings; None if not known.

    If points have weights, the terms of a sum have those of the other points.

    Parameters
    ----------
    first, second : Partition
        The clusterings.
    agreement : Agreement
        That of the index.
    threads : int or None
        Number of threads.
    """

    def __init__(
        self, first: Partition, second: Partition, agreement: Agreement, threads: int | None
    ) -> None:
        self._sides, self._weights = (first, second), first.weights
        #: How much each point counts itself.
        self._own = np.ones(first.n) if first.weights is None else first.weights
        self._agreement = agreement
        self._threads = threads
        # Sums of agreements, once they are known.
        self._sums: list[FloatArray | None] = [None, None]

    def discordance(self, concordance: Concordance) -> FloatArray | None:
        """Return the sums of discordances, if they only need moments that are known."""
        first, second = self._sides
        if first is second and concordance.reflexive:
            return np.zeros(first.n)
        if first.is_hard and second.is_hard:
            codes = first.rows.codes, second.rows.codes
            return discordant_partners(*codes, first.k, second.k, self._weights)
        needed = concordance.moments_needed(first.is_hard + second.is_hard)
        if needed is None or not self._knows_products(needed):
            return None
        sums = -2.0 * self._products()
        for side in (0, 1):
            moment = self.agreements(side) if needed == 1 else self._squares(side)
            assert moment is not None
            sums += moment
        return np.maximum(sums, 0.0, out=sums)

    def agreements(self, side: int) -> FloatArray | None:
        """Return the sums of the agreements of a side."""
        found, partition = self._sums[side], self._sides[side]
        if found is None and partition.is_hard:
            found = partition.sizes[partition.rows.codes] - self._own
        elif found is None and self._is_dot:
            found = gram.dots_of_points(self._rows(partition), self._weights)
        elif found is None and self._is_sorted(partition):
            found = sums_of_point_agreements(partition, self._threads)
        self._sums[side] = found
        return found

    def agreements_within(self) -> FloatArray | None:
        """Return the sums of the agreements of a fuzzy side with the points of its hard cluster.

        One of the two sides must be hard, and the other not.
        """
        return self._products() if self._knows_products(1) else None

    @property
    def _is_dot(self) -> bool:
        loop = self._agreement.loop
        return loop is not None and loop.kind == "dot"

    def _is_sorted(self, partition: Partition) -> bool:
        """Return whether the agreements of a fuzzy clustering follow from L1 distances."""
        loop = self._agreement.loop
        is_norm = loop is not None and loop.kind == "norm" and loop.p == 1.0
        return is_norm and not partition.possibilistic

    def _knows_products(self, needed: int) -> bool:
        """Return whether products are known, with the first or second moments that are needed."""
        if self._is_dot:
            return True
        hard = [side for side in self._sides if side.is_hard]
        fuzzy = [side for side in self._sides if not side.is_hard]
        return needed == 1 and len(hard) == 1 and self._is_sorted(fuzzy[0])

    def _products(self) -> FloatArray:
        """Return the sums of products of the agreements of both sides, which are not both hard."""
        if self._is_dot:
            first, second = map(self._rows, self._sides)
            return gram.dot_products_of_points(first, second, self._weights)
        hard = 0 if self._sides[0].is_hard else 1
        codes, fuzzy = self._sides[hard].rows.codes, self._sides[1 - hard]
        if fuzzy.rows.mostly_zero:
            return minima_of_points(fuzzy.without_zeros, codes, self._weights)
        rows, alone = fuzzy.shared, fuzzy.unshared
        distances = distances_of_grouped_points(rows, codes, self._threads, self._weights)
        all_rows, within, own = distances.all_rows, distances.within_group, self._own
        together = self.agreements(hard)
        assert together is not None
        if fuzzy.noise_is_singletons:
            all_rows = all_rows + (fuzzy.n - 2.0 * own) * alone + own @ alone
            within = within + (together - own) * alone + np.bincount(codes, own * alone)[codes]
        self._sums[1 - hard] = codes.size - own - 0.5 * all_rows
        return together - 0.5 * within

    def _squares(self, side: int) -> FloatArray | None:
        partition = self._sides[side]
        if partition.is_hard:
            return self.agreements(side)
        rows = self._rows(partition)
        return gram.dot_products_of_points(rows, rows, self._weights)

    def _rows(self, partition: Partition) -> Rows:
        """Return the rows whose dot products are the agreements."""
        rows = self._agreement.shared_rows(partition)
        assert rows is not None
        return rows


def sums_of_point_agreements(partition: Partition, threads: int | None) -> FloatArray:
    """Sum, for each row of a fuzzy clustering, 1 - L1 distance / 2 over all other rows.

    If points have weights, the terms have those of the other rows.
    """
    weights, n = partition.weights, partition.n
    if partition.rows.mostly_zero:
        return minima_of_points(partition.without_zeros, None, weights)
    rows, alone = partition.shared, partition.unshared
    own = np.ones(n) if weights is None else weights
    distances = distances_of_points(rows, threads, weights)
    if alone.size > 1:  # Unshared noise adds to the distances of both points of a pair.
        distances = distances + (n - 2.0 * own) * alone + own @ alone
    return np.asarray(n - own - 0.5 * distances)
