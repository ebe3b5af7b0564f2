"""Indices of the table of two hard clusterings: pairs that are together, and matched clusters."""

from __future__ import annotations

import math
from abc import abstractmethod
from typing import Any, NamedTuple

import numpy as np

from .._base.estimate import ROUNDING, Estimate
from .._base.types import FloatArray
from .._pairs.table import CrossTabulation, Table
from .base import Chance, TableIndex


class PairCounts(NamedTuple):
    """Numbers of pairs of points that are together in both clusterings, and in each of them."""

    both: float
    first: float
    second: float

    @classmethod
    def of(cls, table: Table) -> PairCounts:
        """Count the pairs of a table."""
        sides = table.cells, table.first, table.second
        return cls(*(_pairs(sizes, table.squares) for sizes in sides))

    @property
    def trivial(self) -> bool:
        """Whether all points are apart in both clusterings."""
        return self.first == 0.0 and self.second == 0.0


def _pairs(sizes: FloatArray, squares: float) -> float:
    """Return the pairs within clusters, given the sum of the squared weights of all points."""
    return 0.5 * max(float(sizes @ sizes) - squares, 0.0)


class HardTableIndex(TableIndex):
    """Base class of indices of tables that are defined for hard clusterings only."""

    def __init__(self, name: str) -> None:
        super().__init__(name, hard_only=True)

    @abstractmethod
    def similarity(self, table: Table) -> float:
        """Return the index of a table."""

    def discordance(self, table: Table, constants: Any) -> float:
        return 1.0 - self.similarity(table)

    def observed(self, pair: CrossTabulation) -> Estimate:
        found = super().observed(pair)
        table = pair.table
        same = table.cells.size == np.count_nonzero(table.first) == np.count_nonzero(table.second)
        return Estimate(0.0, how=found.how) if same else found


class FowlkesMallows(HardTableIndex):
    """The Fowlkes–Mallows index: pairs together in both, relative to those in each clustering.

    It is the geometric mean of two shares: of the pairs that the first clustering puts together,
    and of those that the second does, the share that is together in both. For hard clusterings
    only.

    See Also
    --------
    Jaccard : Pairs together in both, relative to those together in any.
    NDC : The default index, which also takes fuzzy clusterings.

    Notes
    -----
    If two clusterings put N₁ and N₂ of all N pairs together, and T of them both, the index is
    T/√(N₁N₂). Its mean over permutations is √(N₁N₂)/N. It is drawn under other models.

    References
    ----------
    .. [1] Fowlkes, E. B., C. L. Mallows, A method for comparing two hierarchical clusterings, J.
           American Statistical Association 78 (1983).

    Examples
    --------
    >>> import fuzzyrand as fr
    >>> round(fr.similarity([0, 0, 1, 1], [0, 0, 1, 2], index="fm"), 4)
    0.7071
    """

    citation = "Fowlkes & Mallows, 1983"
    title = "Fowlkes–Mallows index"
    full_name = "the Fowlkes–Mallows index"
    measures = (
        "Of the pairs of points that a clustering puts together, the index is the share that the "
        "other one puts together, too: the geometric mean for both clusterings."
    )

    def __init__(self) -> None:
        super().__init__("fm")

    def similarity(self, table: Table) -> float:
        counts = PairCounts.of(table)
        if counts.trivial:
            return 1.0
        in_each = math.sqrt(counts.first * counts.second)
        return counts.both / in_each if in_each > 0.0 else 0.0

    def expected(self, pair: CrossTabulation, first: Chance, second: Chance) -> Estimate | None:
        counts = PairCounts.of(pair.table)
        if first is not None or second is not None or counts.trivial:
            return None
        value = 1.0 - math.sqrt(counts.first * counts.second) / pair.first.pair_total
        return Estimate(value, error_bound=ROUNDING, how="closed form")


class Jaccard(HardTableIndex):
    """The Jaccard index: pairs together in both clusterings, relative to those together in any.

    For hard clusterings only. Its expectation is drawn under every model.

    See Also
    --------
    FowlkesMallows : The geometric mean of two shares.

    References
    ----------
    .. [1] Jaccard, P., The distribution of the flora in the alpine zone, New Phytologist 11 (1912).

    Examples
    --------
    >>> import fuzzyrand as fr
    >>> fr.similarity([0, 0, 1, 1], [0, 0, 1, 2], index="jaccard")
    0.5
    """

    citation = "Jaccard, 1912"
    title = "Jaccard index"
    full_name = "the Jaccard index of pairs"
    measures = (
        "Of the pairs of points that are together in at least one of the clusterings, the index is "
        "the share that is together in both."
    )

    def __init__(self) -> None:
        super().__init__("jaccard")

    def similarity(self, table: Table) -> float:
        counts = PairCounts.of(table)
        in_any = counts.first + counts.second - counts.both
        return counts.both / in_any if in_any > 0.0 else 1.0


class Accuracy(HardTableIndex):
    """Accuracy under the best one-to-one matching of clusters.

    It is the largest share of points whose labels agree after the clusters of one clustering are
    renamed. For hard clusterings only. Its expectation is drawn under every model.

    See Also
    --------
    NCA : The same with every cluster of the first clustering counting alike.
    match : Which clusters correspond, for fuzzy clusterings as well.

    Examples
    --------
    >>> import fuzzyrand as fr
    >>> fr.similarity([0, 0, 1, 1], [0, 0, 1, 2], index="accuracy")
    0.75
    """

    title = "accuracy"
    full_name = "the accuracy of the best one-to-one matching of clusters"
    measures = (
        "The clusters are matched one to one as well as possible; the index is the share of points "
        "in matched clusters."
    )

    def __init__(self) -> None:
        super().__init__("accuracy")

    def similarity(self, table: Table) -> float:
        return _best_sum(table.matrix) / table.n


class NCA(HardTableIndex):
    """Normalised clustering accuracy, in which every cluster of the first clustering counts alike.

    The first clustering is the reference. Its clusters are matched one to one with those of the
    second so that the mean share of their points in matched clusters is largest. For hard
    clusterings only. Its expectation is drawn under every model.

    See Also
    --------
    Accuracy : The share of all points in matched clusters.

    Notes
    -----
    With a mean share m over the k clusters of the first clustering, the index is
    (m − 1/k)/(1 − 1/k); 1 if k = 1. It is not symmetric, and may be negative.

    References
    ----------
    .. [1] Gagolewski, M., Normalised clustering accuracy: an asymmetric external cluster validity
           measure, J. Classification 42 (2025).

    Examples
    --------
    >>> import fuzzyrand as fr
    >>> fr.similarity([0, 0, 1, 1], [0, 0, 1, 2], index="nca")
    0.5
    """

    citation = "Gagolewski, 2025"
    title = "NCA"
    full_name = "the normalised clustering accuracy (NCA)"
    measures = (
        "The clusters are matched one to one; the index is the mean share of matched points in the "
        "clusters of the first clustering, on a scale where equal shares in all clusters give 0."
    )

    def __init__(self) -> None:
        super().__init__("nca")

    def similarity(self, table: Table) -> float:
        used = table.first > 0.0
        k = int(np.count_nonzero(used))
        if k == 1:
            return 1.0
        shares = table.matrix[used] / table.first[used, None]
        return (_best_sum(shares) - 1.0) / (k - 1.0)


def _best_sum(matrix: FloatArray) -> float:
    """Return the largest sum of entries, at most one of each row and column."""
    from scipy.optimize import linear_sum_assignment  # Deferred: slow to import, seldom needed.

    return float(matrix[linear_sum_assignment(matrix, maximize=True)].sum())
