"""The expected discordance under a random model: exact if possible, otherwise sampled.

The routes, in order of preference, are: moments, if the concordance needs nothing else (products,
squares, a hard side); prefix sums for two finite laws; quadrature for continuous laws; Monte Carlo
otherwise.
"""

from __future__ import annotations

from dataclasses import replace

from ..._base.effort import Precision
from ..._base.estimate import PAIR_ROUNDING, ROUNDING, Estimate
from ..._distributions.continuous import mean_distance
from ...indices import Index, Omega, PairIndex
from ...indices.concordances import Concordance
from ...models._laws.base import Law
from ...models._laws.observed_pairs import ObservedPairs
from ...models._laws.side import Side
from .expected_tables import expected_of_tables
from .monte_carlo import Goal, by_sampling
from .shared_sample import expected_by_sharing

#: Rounding error of the expected discordance of two hard clusterings, relative to its terms.
BINARY_ROUNDING = 1e-15


def expected_discordance(sides: tuple[Side, Side], laws: tuple[Law, Law], goal: Goal) -> Estimate:
    """Compute the expected discordance of two sides under a model with the given laws.

    Parameters
    ----------
    sides : pair of Side
        The two clusterings, with index and effort.
    laws : pair of Law
        The law of each side under the model.
    goal : function
        Function from an estimate of the result to the Monte Carlo error that it should have.

    Returns
    -------
    Estimate
    """
    index = sides[0].index
    if isinstance(index, Omega):
        return index.expected(sides[0].partition, sides[1].partition)
    if not isinstance(index, PairIndex):
        return expected_of_tables(sides, laws, goal)
    return discordance_of_laws(*laws, index.concordance, goal, sides[0].effort)


def discordance_of_laws(
    first: Law, second: Law, concordance: Concordance, goal: Goal, effort: Precision
) -> Estimate:
    """Compute E[discordance(A1, A2)] for independent A1, A2."""
    needed = moments_suffice(first, second, concordance)
    if needed is not None:
        return _by_moments(first, second, needed)
    exact = _both_finite(first, second, concordance) or _by_quadrature(first, second, concordance)
    if exact is None:
        exact = expected_by_sharing(first, second, concordance, goal, effort)
    if exact is None:
        exact = by_sampling(first, second, concordance, goal, effort)
    return replace(exact, bound_is_estimate=concordance.bound_is_estimate)


def moments_suffice(first: Law, second: Law, concordance: Concordance) -> int | None:
    """Return how many moments the expected discordance needs; None if they do not suffice."""
    needed = concordance.moments_needed(first.binary + second.binary)
    if needed is None or not (first.knows(needed) and second.knows(needed)):
        return None
    return needed


def laws_to_visit(laws: tuple[Law, Law], index: Index) -> tuple[ObservedPairs | None, ...]:
    """Return, for each side, the law of observed pairs whose bracket the expectation needs.

    The entry is None if there is no such law, if moments suffice, if the bracket has been computed
    already, or if there are too many pairs to visit.
    """
    if not isinstance(index, PairIndex) or moments_suffice(*laws, index.concordance) is not None:
        return None, None
    observed = (law.observed for law in laws)
    return tuple(law if law is not None and law.wanted else None for law in observed)


def _by_moments(first: Law, second: Law, needed: int) -> Estimate:
    """Compute E[A1] + E[A2] - 2 E[A1] E[A2]; E[A1^2] + E[A2^2] replace the first two if needed."""
    mean1, mean2 = first.mean, second.mean
    moment1, moment2 = (law.mean if needed == 1 else law.square for law in (first, second))
    assert mean1 is not None
    assert mean2 is not None
    assert moment1 is not None
    assert moment2 is not None
    value = moment1.value + moment2.value - 2.0 * mean1.value * mean2.value
    error = moment1.error + moment2.error + 2.0 * (mean1.error + mean2.error)
    # Probabilities of hard clusters have full relative accuracy, and so has their sum.
    binary = first.binary and second.binary
    rounding = BINARY_ROUNDING * (moment1.value + moment2.value) if binary else ROUNDING
    value = min(max(value, 0.0), 1.0)
    return Estimate(value, error_bound=error + rounding, how="closed form")


def _both_finite(first: Law, second: Law, concordance: Concordance) -> Estimate | None:
    # Check this first, because the bracket of observed pairs takes long to compute.
    if first.drawn or second.drawn:
        return None
    bracket1, bracket2 = first.bracket(), second.bracket()
    if bracket1 is None or bracket2 is None:
        return None
    low, error = concordance.mean_between(bracket1.inner, bracket2.inner)
    if bracket1.exact and bracket2.exact:
        return Estimate(low, error_bound=error + PAIR_ROUNDING, how="all pairs, sorted")
    high, _ = concordance.mean_between(bracket1.outer, bracket2.outer)
    middle, half = 0.5 * (low + high), 0.5 * abs(high - low)
    return Estimate(middle, error_bound=half + error + PAIR_ROUNDING, how="all pairs, binned")


def _by_quadrature(first: Law, second: Law, concordance: Concordance) -> Estimate | None:
    if concordance.power != 1.0:
        return None
    continuous1, continuous2 = first.continuous, second.continuous
    if continuous1 is not None and continuous2 is not None:
        value, error = mean_distance(continuous1, continuous2)
        return Estimate(value, error_bound=error, how="quadrature")
    if continuous1 is not None:
        continuous, bracket = continuous1, second.bracket()
    elif continuous2 is not None:
        continuous, bracket = continuous2, first.bracket()
    else:
        return None
    if bracket is None:
        return None
    curve, error = continuous.absolute_curve()
    low, high = bracket.inner.expect(curve), bracket.outer.expect(curve)
    return Estimate(0.5 * (low + high), error_bound=error + 0.5 * (high - low), how="quadrature")
