"""The expected discordance under a random model: exact where possible, else sampled.

In order of preference: moments, where the concordance needs no more (products, squares, a hard
side); two finite laws are combined by prefix sums, two continuous ones by quadrature; everything
else by Monte Carlo.
"""

from __future__ import annotations

from dataclasses import replace

from .._base.effort import Effort
from .._base.estimate import PAIR_ROUNDING, ROUNDING, Estimate
from .._distributions.continuous import mean_distance
from .._laws.base import Law
from .._laws.observed import ObservedPairs
from .._laws.side import Side
from ..indices import Index, PairIndex, WholeIndex
from ..indices.concordances import Concordance
from .monte_carlo import Goal, by_sampling


def expected_discordance(sides: tuple[Side, Side], laws: tuple[Law, Law], goal: Goal) -> Estimate:
    """Compute the expected discordance of two sides under a model that gives these laws.

    Parameters
    ----------
    sides : pair of Side
        The two clusterings, with index and effort.
    laws : pair of Law
        What the model makes of each.
    goal : function
        From an estimate of the result to the Monte Carlo error wanted of it.
    """
    first, second = sides
    index = first.index
    if isinstance(index, WholeIndex):
        return index.expected(first.partition, second.partition)
    assert isinstance(index, PairIndex)
    return discordance_of_laws(*laws, index.concordance, goal, first.effort)


def discordance_of_laws(
    first: Law, second: Law, concordance: Concordance, goal: Goal, effort: Effort
) -> Estimate:
    """Compute E[discordance(A1, A2)] for independent A1, A2."""
    needed = moments_suffice(first, second, concordance)
    if needed is not None:
        return _by_moments(first, second, needed)
    exact = _both_finite(first, second, concordance) or _by_quadrature(first, second, concordance)
    if exact is None:
        exact = by_sampling(first, second, concordance, goal, effort)
    return replace(exact, judged=concordance.judged)


def moments_suffice(first: Law, second: Law, concordance: Concordance) -> int | None:
    """Return how many moments give the expected discordance, if they are known; else None."""
    needed = concordance.moments_needed(first.binary + second.binary)
    if needed is None or not (first.knows(needed) and second.knows(needed)):
        return None
    return needed


def laws_to_visit(laws: tuple[Law, Law], index: Index) -> tuple[ObservedPairs | None, ...]:
    """Return the observed laws, one for each side, that an expectation needs written down.

    None for a side that needs none: its law is known otherwise, moments suffice, or there are too
    many pairs to visit.
    """
    if not isinstance(index, PairIndex) or moments_suffice(*laws, index.concordance) is not None:
        return None, None
    observed = (law.observed for law in laws)
    return tuple(law if law is not None and law.wanted else None for law in observed)


def _by_moments(first: Law, second: Law, needed: int) -> Estimate:
    """E[A1] + E[A2] - 2 E[A1] E[A2], or with squares in place of the first two."""
    mean1, mean2 = first.mean, second.mean
    one, two = (law.mean if needed == 1 else law.square for law in (first, second))
    assert mean1 is not None
    assert mean2 is not None
    assert one is not None
    assert two is not None
    value = one.value + two.value - 2.0 * mean1.value * mean2.value
    error = one.error + two.error + 2.0 * (mean1.error + mean2.error)
    rounding = 0.0 if first.binary and second.binary else ROUNDING
    return Estimate(max(value, 0.0), error_bound=error + rounding, how="closed form")


def _both_finite(first: Law, second: Law, concordance: Concordance) -> Estimate | None:
    # Laws to be drawn from first: asking observed pairs for their bracket is the costly part.
    if first.drawn or second.drawn:
        return None
    one, two = first.bracket(), second.bracket()
    if one is None or two is None:
        return None
    low, error = concordance.mean_between(one.inner, two.inner)
    if one.exact and two.exact:
        return Estimate(low, error_bound=error + PAIR_ROUNDING, how="all pairs, sorted")
    high, _ = concordance.mean_between(one.outer, two.outer)
    middle, half = 0.5 * (low + high), 0.5 * abs(high - low)
    return Estimate(middle, error_bound=half + error + PAIR_ROUNDING, how="all pairs, binned")


def _by_quadrature(first: Law, second: Law, concordance: Concordance) -> Estimate | None:
    if concordance.power != 1.0:
        return None
    one, two = first.continuous, second.continuous
    if one is not None and two is not None:
        value, error = mean_distance(one, two)
        return Estimate(value, error_bound=error, how="quadrature")
    known = one if one is not None else two
    bracket = (second if one is not None else first).bracket() if known is not None else None
    if known is None or bracket is None:
        return None
    curve, error = known.absolute_curve()
    low, high = bracket.inner.expect(curve), bracket.outer.expect(curve)
    return Estimate(0.5 * (low + high), error_bound=error + 0.5 * (high - low), how="quadrature")
