"""The Frobenius Rand index, which compares the matrices of dot products of two clusterings.

S = Z Z' is the n x n matrix of the dot products of the rows of a clustering, and
c = |Z'1|^2 / |Z'Z|^2 is its scale (1 for hard rows). The index is
1 - |c1 S1 - c2 S2|^2 / (n (n - 1)) in the Frobenius norm. No n x n matrix is formed, because
|Z1'Z2|^2 is the sum of the products of the entries of S1 and S2. The index is not a mean over pairs
of a function of two agreements, since the scale depends on all points. It therefore has a
closed-form expectation only if the points are shuffled.
"""

from __future__ import annotations

from dataclasses import dataclass

from .._base.errors import NotApplicableError
from .._base.estimate import ROUNDING, Estimate
from .._base.wording import Option
from .._clusterings.partition import Partition
from .._pairs import gram
from .._pairs.alike_pairs import all_together
from .._pairs.table import CrossTabulation, Table
from .base import Chance, TableIndex, how_tabulated


class Frobenius(TableIndex):
    """The Frobenius Rand index; with ``perm``, the Frobenius adjusted Rand index (FARI).

    It compares the matrices of dot products of all points, scaled for fuzziness. The index of a
    clustering with itself is 1. Possibilistic clusterings are accepted. The index of a few fuzzy
    points may be negative.

    See Also
    --------
    NDC : The default index, which is a mean over pairs and works with all models.

    Notes
    -----
    With S = ZZᵀ for memberships Z, and c = ΣS/‖S‖² (1 for hard rows), the index is
    1 − ‖c₁S₁ − c₂S₂‖²/(n(n−1)), in the Frobenius norm. It takes O(n k₁ k₂) time. For hard
    clusterings it equals the Rand index. The scale c depends on all points, so the index is not a
    mean over pairs of a function of two agreements, and only the model ``perm`` applies.

    References
    ----------
    .. [1] Andrews, J. L., R. Browne, C. D. Hvingelby, On assessments of agreement between fuzzy
           partitions, J. Classification 39 (2022).

    Examples
    --------
    >>> import fuzzyrand as fr
    >>> soft = [[0.9, 0.1], [0.9, 0.1], [0.1, 0.9], [0.5, 0.5]]
    >>> round(fr.similarity([0, 0, 1, 1], soft, index="frobenius"), 4)
    0.7143
    >>> round(fr.adjusted_similarity([0, 0, 1, 1], soft, index=fr.Frobenius()), 4)
    0.4414
    """

    citation = "Andrews et al., 2022"
    title = "Frobenius index"
    full_name = "the Frobenius index"
    measures = (
        "All pairs of points are compared at once, on a scale on which the index of a fuzzy "
        "clustering with itself is 1."
    )

    shuffles_only = True

    def __init__(self) -> None:
        super().__init__("frobenius")

    def require_applicable(self, *partitions: Partition) -> None:
        """Raise an error if the index is not defined for a clustering."""
        super().require_applicable(*partitions)
        if any(not partition.is_hard and partition.noise_is_singletons for partition in partitions):
            raise NotApplicableError(
                "the index 'frobenius' is not defined for noise treated as singletons; use "
                "{ndc}, or {cluster}.",
                ndc=Option("index", "ndc"),
                cluster=Option("noise_as", "cluster"),
            )

    @property
    def equals_rand(self) -> bool:
        return True

    def constants(self, pair: CrossTabulation) -> tuple[DotSums, DotSums]:
        return DotSums.of(pair.first), DotSums.of(pair.second)

    def discordance(self, table: Table, constants: tuple[DotSums, DotSums]) -> float:
        return _discordance(table.n**2 - table.squares, constants, float(table.cells @ table.cells))

    def observed(self, pair: CrossTabulation) -> Estimate:
        first, second = pair.first, pair.second
        if first is second:
            return Estimate(0.0, how="the same clustering twice")
        if all_together(first) and all_together(second):
            return Estimate(0.0, how="identical rows")  # all scaled dot products are 1
        hard = first.is_hard and second.is_hard
        how = how_tabulated(pair) if hard else "Gram matrices"
        # The terms of hard clusterings are whole numbers, unless points have weights.
        value = self.discordance(pair.table, self.constants(pair))
        rounding = 0.0 if hard and first.weights is None else ROUNDING
        return Estimate(value, error_bound=rounding, how=how)

    def expected(self, pair: CrossTabulation, first: Chance, second: Chance) -> Estimate:
        # Shuffling matches off-diagonal entries of S1 and S2 at random, and diagonal ones likewise.
        sums1, sums2 = constants = self.constants(pair)
        n, weighting = pair.first.n, pair.first.weighting
        squares = n if weighting is None else weighting.squares
        ordered = n**2 - squares
        off_diagonal = sums1.off_diagonal * sums2.off_diagonal / ordered
        products = off_diagonal + sums1.diagonal * sums2.diagonal / squares
        value = _discordance(ordered, constants, products)
        return Estimate(value, error_bound=ROUNDING, how="closed form")


@dataclass(frozen=True)
class DotSums:
    """Sums over the matrix of dot products of a clustering."""

    #: Sum of all entries, and of those on the diagonal.
    entries: float
    diagonal: float
    #: The factor that compensates for fuzziness.
    scale: float

    @property
    def off_diagonal(self) -> float:
        """Sum of the entries off the diagonal."""
        return self.entries - self.diagonal

    @classmethod
    def of(cls, partition: Partition) -> DotSums:
        """Return the sums of a clustering."""
        weights = partition.weights
        if partition.is_hard:
            diagonal = float(partition.n) if weights is None else float(weights @ weights)
            return cls(float(partition.sizes @ partition.sizes), diagonal, 1.0)
        rows = partition.rows
        scaled = rows if weights is None else rows.scale(weights)
        column_sums = partition.sizes
        entries = float(column_sums @ column_sums)
        squares = gram.squared_gram(scaled, rows)
        scale = entries / squares if squares > 0.0 else 0.0  # Zero if all memberships are.
        return cls(entries, scaled.total_square, scale)


def _discordance(ordered: float, constants: tuple[DotSums, DotSums], products: float) -> float:
    """Return the discordance, given the number (or weight) of ordered pairs of points."""
    sums1, sums2 = constants
    total = sums1.scale * sums1.entries + sums2.scale * sums2.entries
    total -= 2.0 * sums1.scale * sums2.scale * products
    return max(total / ordered, 0.0)
