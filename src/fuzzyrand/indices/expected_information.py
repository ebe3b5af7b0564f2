"""Mean information and entropies of random clusterings.

For hard clusterings, each cell of the contingency table is a hypergeometric or a binomial count,
and the means are exact. For fuzzy ones, the information is expanded around the table of independent
clusterings: the means of the first terms are known, and those of the rest are small or drawn.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy.special import xlogy

from .._base.types import FloatArray
from .._clusterings.partition import Partition
from .._distributions.count_means import (
    jensen_gap_binomial,
    jensen_gap_shuffled,
    mean_cells_binomial,
)
from .._distributions.information_moments import (
    ColumnMoments,
    InformationTerms,
    independent_information,
    information_remainder,
    one_sided_information,
    shuffled_information,
    taylor_remainder,
)
from .._distributions.row_distributions import Categorical, ClusterSizes
from .._pairs.table import CrossTabulation, Table, column_moments
from .base import Chance

#: Terms of the mean information, in nats, that are left out.
NEGLIGIBLE = 1e-7
EXPANSION = "expansion around independence"


class Information(NamedTuple):
    """The mutual information of two clusterings and their entropies, in nats, or weights of them.

    For random clusterings, these are means.
    """

    mutual: float
    first: float
    second: float

    def dot(self, other: Information) -> float:
        """Return the sum of the products with others."""
        mutual, first, second = self
        return mutual * other.mutual + first * other.first + second * other.second


class Expected(NamedTuple):
    """Mean information, bounds on the errors, and how it was computed."""

    information: Information
    errors: Information
    how: str
    #: Whether the bound is an estimate.
    is_estimate: bool = False


def entropy(shares: FloatArray) -> float:
    """Return the entropy of shares, in nats."""
    return -float(xlogy(shares, shares).sum())


def expected_information(pair: CrossTabulation, first: Chance, second: Chance) -> Expected | None:
    """Return the mean information under a model, as far as it is known without drawing tables.

    Parameters
    ----------
    pair : CrossTabulation
        The observed clusterings.
    first, second : RowDistribution, ClusterSizes or None
        What a model puts in place of each, as in :meth:`TableIndex.expected`.
    """
    n = pair.first.n
    if pair.first.weights is not None:  # and cells are no counts
        shuffled = first is None and second is None
        return _weighted(pair.first, pair.second) if shuffled else None
    counted = _Counted.of(pair.first, first), _Counted.of(pair.second, second)
    if counted[0] is not None and counted[1] is not None:
        return _of_counts(n, counted[0], counted[1])
    roughly = _roughly(pair, first, second)
    if roughly is not None:
        return roughly
    sides = _Rows.of(pair.first, first), _Rows.of(pair.second, second)
    if sides[0] is None or sides[1] is None:
        return None
    return _expanded(n, sides[0], sides[1])


# --- hard clusterings ----------------------------------------------------------------------------


class _Counted(NamedTuple):
    """A hard clustering under a model: sizes with their numbers, or probabilities of clusters."""

    sizes: FloatArray
    numbers: FloatArray
    probabilities: FloatArray | None = None

    @classmethod
    def of(cls, partition: Partition, chance: Chance) -> _Counted | None:
        if isinstance(chance, Categorical):
            p = chance.p[chance.p > 0.0]
            return cls(p, np.ones(p.size), p / p.sum())
        if isinstance(chance, ClusterSizes):
            return cls(chance.sizes.astype(np.float64), chance.numbers)
        if chance is not None or not partition.is_hard:
            return None
        sizes = partition.sizes[partition.sizes > 0.0]
        return cls(sizes, np.ones(sizes.size))

    def entropy(self, n: int) -> tuple[float, float]:
        """Return the mean entropy, and its error."""
        if self.probabilities is not None:
            mean, error = mean_cells_binomial(n, n, self.probabilities)
            return -mean, error
        return -float(self.numbers @ xlogy(self.sizes / n, self.sizes / n)), 0.0


def _of_counts(n: int, one: _Counted, two: _Counted) -> Expected | None:
    p, q = one.probabilities, two.probabilities
    if p is None and q is None:
        mutual = _shuffled(n, *(values.tobytes() for side in (one, two) for values in side[:2]))
    elif p is not None and q is not None:
        mutual = _less(jensen_gap_binomial(n, n, p, q), n, p, q)
    else:
        given, drawn = (one, q) if p is None else (two, p)
        assert drawn is not None
        if (given.numbers != 1.0).any():  # no model has independent points on one side only
            return None
        mutual = _less(jensen_gap_binomial(n, given.sizes, drawn), n, drawn)
    (first, error1), (second, error2) = one.entropy(n), two.entropy(n)
    errors = Information(mutual[1], error1, error2)
    return Expected(Information(max(mutual[0], 0.0), first, second), errors, "closed form")


@lru_cache(maxsize=32)
def _shuffled(n: int, *sides: bytes) -> tuple[float, float]:
    """Return the mean information for sizes and their numbers, which tests ask for often."""
    sizes1, numbers1, sizes2, numbers2 = (np.frombuffer(side) for side in sides)
    return jensen_gap_shuffled(n, sizes1, sizes2, numbers1, numbers2)


def _less(cells: tuple[float, float], n: int, *random: FloatArray) -> tuple[float, float]:
    """Subtract the gaps of the random margins from that of the cells."""
    margins = [jensen_gap_binomial(n, n, probabilities) for probabilities in random]
    value = cells[0] - sum(margin[0] for margin in margins)
    return value, cells[1] + sum(margin[1] for margin in margins)


# --- fuzzy clusterings ---------------------------------------------------------------------------


class _Rows(NamedTuple):
    """A clustering under a model: the moments of its memberships, and whether it is given."""

    moments: ColumnMoments
    given: bool

    @classmethod
    def of(cls, partition: Partition, chance: Chance) -> _Rows | None:
        if isinstance(chance, ClusterSizes):
            return None
        moments = column_moments(partition) if chance is None else chance.column_moments()
        return None if moments is None else cls(moments, chance is None)

    def entropy(self, n: int) -> float:
        """Return the mean entropy up to second order; of random rows it is a little smaller."""
        return entropy(self.moments.mean) - (0.0 if self.given else self.spread() / (2.0 * n))

    def spread(self) -> float:
        """Return the sum of the variances of the memberships, relative to their means."""
        used = self.moments.mean > 0.0
        return float((self.moments.second[used] / self.moments.mean[used]).sum())

    def crude(self) -> float:
        """Return an upper bound on sums of third moments, where those are not known."""
        used = self.moments.mean > 0.0
        mean, second = self.moments.mean[used], self.moments.second[used]
        return float(((second + mean**2) / mean**2).sum())


def _roughly(pair: CrossTabulation, first: Chance, second: Chance) -> Expected | None:
    """Return the second order if the rest is negligible, as for many shuffled points."""
    n, moments = pair.first.n, None
    if first is None and second is None and pair.first.k * pair.second.k <= NEGLIGIBLE * n**2:
        moments = pair.moments
    if moments is None:
        return None
    found = _expanded(n, *(_Rows(side, given=True) for side in moments))
    return found if found.errors.mutual <= NEGLIGIBLE else None


def _weighted(first: Partition, second: Partition) -> Expected:
    """Return the second order for weighted points that get rows in proportion to their weights.

    A cell is the sum of v u times a random row, where v are the weights divided by their sum. With
    S - 1 the sum of the variances of the rows relative to their means, the mean information is
    (S - 1)/2 times the sum of v^2 u^2/E[u] over points and clusters, less that of v^2.
    """
    assert first.weights is not None
    shares = first.weights / first.weights.sum()
    own, squares1 = _weighted_squares(first, shares), _weighted_squares(first, shares**2)
    used = own.means > 0.0
    unequal = float(shares @ shares)
    spread1 = float((squares1.squares[used] / own.means[used]).sum()) - unequal
    other = _weighted_squares(second, shares)
    filled = other.means > 0.0
    spread2 = float((other.squares[filled] / other.means[filled]).sum()) - 1.0
    mutual = 0.5 * spread1 * spread2
    crude1, crude2 = (
        float((side.squares[side.means > 0.0] / side.means[side.means > 0.0] ** 2).sum())
        for side in (own, other)
    )
    # What follows is of the order of the squared number of points that would count alike.
    error = unequal**2 * crude1 * crude2 + unequal * mutual
    lacking = 0.5 * spread2 * (unequal - 1.0 / first.n)
    information = Information(mutual, entropy(own.means), entropy(other.means) - lacking)
    errors = Information(error, 0.0, unequal**2 * crude2)
    return Expected(information, errors, EXPANSION, is_estimate=True)


class _Squares(NamedTuple):
    """Weighted sums of memberships and of their squares, for each cluster."""

    means: FloatArray
    squares: FloatArray


def _weighted_squares(partition: Partition, weights: FloatArray) -> _Squares:
    return _Squares(partition.rows.sums(weights), partition.rows.squares(weights))


def _terms(n: int, one: _Rows, two: _Rows) -> InformationTerms:
    if one.given and two.given:
        return shuffled_information(n, one.moments, two.moments)
    if one.given or two.given:
        random, given = (two, one) if one.given else (one, two)
        return one_sided_information(n, random.moments, given.moments)
    return independent_information(n, one.moments, two.moments)


def _expanded(n: int, one: _Rows, two: _Rows) -> Expected:
    """Return the mean information by the first orders of an expansion."""
    second, third, fourth = _terms(n, one, two)
    mutual, error = second + third + fourth, abs(third) + abs(fourth)
    if np.isnan(mutual):
        mutual, error = second, (one.crude() * two.crude()) / n**2
    information = Information(mutual, one.entropy(n), two.entropy(n))
    entropies = (0.0 if side.given else side.crude() / n**2 for side in (one, two))
    return Expected(information, Information(error, *entropies), EXPANSION, is_estimate=True)


def remaining_information(
    pair: CrossTabulation, first: Chance, second: Chance
) -> tuple[Information, Callable[[Table], Information]] | None:
    """Return the means of a second-order polynomial, and what is left of a table beyond it.

    The parameters are those of :func:`expected_information`. None if moments are not known.
    """
    one, two = _Rows.of(pair.first, first), _Rows.of(pair.second, second)
    if one is None or two is None:
        return None
    n, means = pair.first.n, (one.moments.mean, two.moments.mean)
    known = Information(_terms(n, one, two).second, one.entropy(n), two.entropy(n))

    def left(table: Table) -> Information:
        entropies = (
            0.0 if side.given else -float(taylor_remainder(sizes / n, side.moments.mean))
            for side, sizes in zip((one, two), (table.first, table.second), strict=True)
        )
        return Information(float(information_remainder(table.matrix / n, *means)), *entropies)

    return known, left
