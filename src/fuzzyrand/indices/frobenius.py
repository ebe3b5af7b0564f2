"""The Frobenius Rand index: two clusterings compared by their matrices of dot products.

With S = Z Z' the n x n matrix of dot products of a clustering's rows, scaled by
c = |Z'1|^2 / |Z'Z|^2 (1 for hard rows), the index is 1 - |c1 S1 - c2 S2|^2 / (n (n - 1)), in
Frobenius norms and with the diagonal. Nothing of size n x n is ever made: |Z1'Z2|^2 is the sum of
the products of the entries of S1 and S2. It is no mean over pairs of a function of two
agreements, as the scale depends on all points, so that only shuffling the points has a closed
expectation.
"""

from __future__ import annotations

from dataclasses import dataclass

from .._base.estimate import ROUNDING, Estimate
from .._inputs.partition import Partition
from .._pairs import gram
from .._pairs.contingency import pairs_together
from .base import WholeIndex


class Frobenius(WholeIndex):
    """The Frobenius Rand index; with ``perm``, the Frobenius adjusted Rand index (FARI).

    The matrices of dot products of all points, scaled for fuzziness, are compared in the
    Frobenius norm. The index of a clustering with itself is 1. It is no mean over pairs of a
    function of two agreements, so that only the model ``perm`` applies.

    References
    ----------
    J. L. Andrews, R. Browne, C. D. Hvingelby, On assessments of agreement between fuzzy
    partitions, J. Classification 39 (2022).
    """

    measures = (
        "All pairs of points are compared at once, on a scale on which the index of a fuzzy "
        "clustering with itself is 1."
    )

    def __init__(self) -> None:
        super().__init__("frobenius")

    def observed(self, first: Partition, second: Partition) -> Estimate:
        if first is second:
            return Estimate(0.0, how="the same clustering twice")
        if first.codes is not None and second.codes is not None:
            together = pairs_together(first.codes, second.codes, first.k, second.k)
            products = float(2 * together.both + first.n)
        else:
            products = gram.squared_gram(_rows(first), _rows(second))
        value = _discordance(first, second, products)
        return Estimate(value, error_bound=ROUNDING, how="Gram matrices")

    def expected(self, first: Partition, second: Partition) -> Estimate:
        # Entries off the diagonal of S1 meet those of S2 at random, and so do the diagonals.
        one, two = DotSums.of(first), DotSums.of(second)
        n = first.n
        beside = (one.entries - one.diagonal) * (two.entries - two.diagonal) / (n * (n - 1.0))
        products = beside + one.diagonal * two.diagonal / n
        value = _discordance(first, second, products)
        return Estimate(value, error_bound=ROUNDING, how="closed form")


@dataclass(frozen=True)
class DotSums:
    """What the index needs of one clustering: sums over its matrix of dot products."""

    #: All entries, and the diagonal.
    entries: float
    diagonal: float
    #: The factor that makes up for fuzziness.
    scale: float

    @classmethod
    def of(cls, partition: Partition) -> DotSums:
        """Return the sums of one clustering."""
        if partition.is_hard:
            return cls(float(partition.sizes @ partition.sizes), float(partition.n), 1.0)
        rows = _rows(partition)
        column_sums = partition.sizes
        entries = float(column_sums @ column_sums)
        squares = gram.squared_gram(rows, rows)
        scale = entries / squares if squares > 0.0 else 0.0  # no point belongs anywhere
        return cls(entries, float(gram.squared_lengths(rows).sum()), scale)


def _discordance(first: Partition, second: Partition, products: float) -> float:
    one, two = DotSums.of(first), DotSums.of(second)
    total = one.scale * one.entries + two.scale * two.entries
    total -= 2.0 * one.scale * two.scale * products
    return max(total / (first.n * (first.n - 1.0)), 0.0)


def _rows(partition: Partition) -> gram.Rows:
    if partition.codes is not None:
        return partition.codes
    assert partition.memberships is not None
    return partition.memberships
