"""The plug-in bias: two rows of a law that was fitted to few points agree too often.

With k proportions estimated from n rows, two rows of the fitted law agree too often by about 1/n,
so the expected similarity is too small. A parametric bootstrap shows by how much: clusterings of n
rows are drawn from the fitted laws and refitted, and the mean of their expected discordances
exceeds that of the fitted laws by about as much as the latter exceeds the truth.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .._base.errors import FuzzyRandError
from .._base.estimate import Estimate
from .._base.streams import Stream
from .._distributions.row_distributions import Categorical
from ..indices import PairIndex, TableIndex
from ..models import Model
from ..models._laws.base import Bernoulli, Law
from ..models._laws.redraws import Redraws
from ..models._laws.row_pairs import RowPairs
from ..models._laws.side import SIDES, Side
from ..models._laws.whole import WholeClustering
from .discordance.expected import discordance_of_laws
from .discordance.expected_tables import expected_of_tables, is_reliable
from .rough_expectation import rough_expectation

if TYPE_CHECKING:
    from .analysis import Analysis

#: Smallest bias of an adjusted index that is worth a note.
BIAS_MATTERS = 0.01
#: Monte Carlo error that the correction may have, relative to the expected discordance.
ACCURACY = 0.005


@dataclass(frozen=True)
class Bias:
    """Estimated bias of the expected discordance.

    Attributes
    ----------
    expected : float
        Amount by which the expected discordance is too large.
    stderr : float
        Its Monte Carlo error.
    """

    expected: float
    stderr: float = 0.0


def excess_of(analysis: Analysis) -> float:
    """Return how much too high the value is because the model was fitted to few points.

    It is 0 if it does not matter, may be due to chance, or was corrected.
    """
    if analysis.model.corrects_bias:
        return 0.0
    bias = estimated_bias(analysis, BIAS_MATTERS)
    if bias is None:
        return 0.0
    expected = analysis.expected.value
    value = analysis.adjusted_by(expected)
    # A few redraws have a Monte Carlo error: an excess within it is no reason for a note.
    sure = value - analysis.adjusted_by(expected - bias.expected + 2.0 * bias.stderr)
    if not sure >= BIAS_MATTERS:
        return 0.0
    return value - analysis.adjusted_by(expected - bias.expected)


def estimated_bias(analysis: Analysis, worth: float) -> Bias | None:
    """Estimate the bias, or return None if it cannot reach ``worth`` on the adjusted scale.

    Parameters
    ----------
    analysis : Analysis
        The clusterings under the model.
    worth : float
        Bias of the adjusted index from which a few redraws are worthwhile.
    """
    expected, model, budget = analysis.expected, analysis.model, analysis.effort.budget
    if expected.value <= 0.0:
        return None
    if isinstance(analysis.index, TableIndex):
        return _bias_of_tables(analysis, worth)
    # Upper bound on how much too often rows agree if k proportions are fitted to n rows.
    replaced = [side.partition for _, side, _ in analysis.replaced]
    bound = sum((1.0 - 1.0 / part.k) / max(part.effective_n - 1.0, 0.1) for part in replaced)
    if bound < worth * expected.value:
        return None
    if _knows_points(analysis):
        return Bias(expected.value - _of_observed_pairs(analysis))
    few = max(part.n * part.k for part in replaced) <= budget.slow_entries
    if model.refit != "fast" and not (model.describes and few):
        return None
    return _summary(redrawn_bias(analysis, expected, range(budget.note_redraws)))


def _bias_of_tables(analysis: Analysis, worth: float) -> Bias | None:
    """Estimate the bias for an index of contingency tables.

    If a model knows the clusterings by their sizes or rows, the mean over shuffles has no bias: its
    own mean over random clusterings is the expectation. Other models are refitted, as far as no
    tables must be drawn for that.
    """
    index, sides, expected = analysis.index, analysis.sides, analysis.expected
    budget = analysis.effort.budget
    assert isinstance(index, TableIndex)
    pair = sides[0].tabulated(sides[1])
    replaced = [side.partition for _, side, _ in analysis.replaced]
    few = sum((part.k - 1.0) / part.effective_n for part in replaced) >= worth * expected.value
    laws = analysis.laws
    if not few or all(isinstance(law, WholeClustering) and law.rows is None for law in laws):
        return None
    if _knows_points(analysis):
        as_they_are = WholeClustering(sides[0].partition), WholeClustering(sides[1].partition)
        shuffled = expected_of_tables(sides, as_they_are, lambda value: 0.25 * worth * value)
        error = math.hypot(expected.stderr, shuffled.stderr)
        return Bias(expected.value - shuffled.value, error)
    slow = max(part.n * part.k for part in replaced) > budget.slow_entries
    if analysis.model.refit != "fast" and (slow or not analysis.model.describes):
        return None

    def excess(number: int) -> float:
        try:
            first, second = _redrawn_laws(analysis, number)
        except FuzzyRandError:  # for few points, the likelihood may have no maximum
            return math.nan
        assert isinstance(first, WholeClustering)
        assert isinstance(second, WholeClustering)
        again = index.expected(pair, first.chance, second.chance)
        reliable = again is not None and is_reliable(again)
        return again.value - expected.value if again is not None and reliable else math.nan

    return _summary([excess(number) for number in range(budget.note_redraws)])


def _knows_points(analysis: Analysis) -> bool:
    """Return whether the model knows the replaced clusterings by the sizes or the rows they have.

    Two points drawn from it may then be the same point, which two points of a pair never are. This
    is all of its bias, and no redraws are needed to find it.
    """
    model = analysis.model
    return all(
        model.resamples_rows or knows_sizes_alone(model, side, law)
        for _, side, law in analysis.replaced
    )


def knows_sizes_alone(model: Model, side: Side, law: Law) -> bool:
    """Return whether a model depends on a clustering only through the sizes of hard clusters."""
    return (
        side.partition.is_hard
        and isinstance(law, Bernoulli | WholeClustering)
        and isinstance(law.rows, Categorical)
        and model.fitted(side.partition)
    )


def _of_observed_pairs(analysis: Analysis) -> float:
    """Return the expected discordance with the laws of observed pairs on the replaced sides."""
    assert isinstance(analysis.index, PairIndex)  # other indices have no fitted models
    # A fixed side has the law of its observed pairs in any case.
    first, second = (side.pairs_law for side in analysis.sides)
    effort = analysis.effort
    return discordance_of_laws(
        first, second, analysis.index.concordance, lambda value: effort.tol * value, effort
    ).value


def redrawn_bias(analysis: Analysis, expected: Estimate, redraws: range) -> list[float]:
    """Draw clusterings from the laws, refit them, and return the changes of the expectation."""
    assert isinstance(analysis.index, PairIndex)  # other indices have no fitted models
    concordance = analysis.index.concordance

    def excess(number: int) -> float:
        try:
            again = _redrawn_laws(analysis, number)
        except FuzzyRandError:  # for few points, the likelihood may have no maximum
            return math.nan
        # A few draws suffice, since their error is smaller than the spread of the redraws.
        return rough_expectation(again, concordance, analysis.effort, number) - expected.value

    return [excess(number) for number in redraws]


def corrected_expectation(analysis: Analysis, expected: Estimate) -> Estimate:
    """Subtract the bias from an expected discordance.

    Redraws continue until their own error is small, or their limit is reached.
    """
    excesses: list[float] = []
    budget = analysis.effort.budget
    while True:
        have, want = len(excesses), max(budget.first_redraws, 2 * len(excesses))
        excesses += redrawn_bias(analysis, expected, range(have, want))
        bias = _summary(excesses)
        if bias.stderr <= ACCURACY * expected.value or want >= budget.most_redraws:
            break
    return Estimate(
        expected.value - bias.expected,
        math.hypot(expected.stderr, bias.stderr),
        expected.error_bound,
        f"{expected.how}; bias by {len(excesses)} redraws",
        expected.draws,
        bound_is_estimate=expected.bound_is_estimate,
    )


def _summary(excesses: list[float]) -> Bias:
    known = [excess for excess in excesses if not math.isnan(excess)]
    if len(known) < 2:
        return Bias(0.0)
    return Bias(float(np.mean(known)), float(np.std(known, ddof=1)) / math.sqrt(len(known)))


def _redrawn_laws(analysis: Analysis, number: int) -> tuple[Law, Law]:
    """Return the laws of clusterings that were drawn from the laws and refitted."""
    first, second = (
        law if name == analysis.fixed else _redrawn_law(side, law, analysis.model, number, position)
        for position, (name, side, law) in enumerate(
            zip(SIDES, analysis.sides, analysis.laws, strict=True)
        )
    )
    return first, second


def _redrawn_law(side: Side, law: Law, model: Model, number: int, position: int) -> Law:
    """Return the law of a clustering drawn from a law and refitted, computed once for each side.

    The position makes the redraws of two equal sides independent.
    """
    rows = law.rows if isinstance(law, RowPairs | Bernoulli | WholeClustering) else None
    if rows is None:  # the law is not fitted
        return law
    redraws = Redraws(side, model, law, rows)

    def compute() -> Law:
        drawn = redraws.draw(side.effort.stream(Stream.REDRAWS, number, position))
        return Side(drawn, side.index, side.effort).law(model)

    return side.redrawn(model, number, position, compute)
