"""The plug-in bias: two rows of a law that was fitted to few points agree too often.

With k proportions estimated from n rows, two rows of the fitted law agree too often by about 1/n,
so the expected similarity is too small. A parametric bootstrap shows by how much: clusterings of n
rows are drawn from the fitted laws and refitted, and the mean of their expected discordances
exceeds that of the fitted laws by about as much as the latter exceeds the truth.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from .._base.errors import FuzzyRandError
from .._base.estimate import Estimate
from .._base.streams import Stream
from .._discordance.expected import discordance_of_laws
from .._discordance.tables import expected_of_tables, is_reliable
from .._distributions.rows import Categorical
from .._inputs.partition import Partition
from .._laws.base import Law
from .._laws.known import Bernoulli
from .._laws.redraws import drawn_from_rows
from .._laws.rows import RowPairs
from .._laws.side import Side
from .._laws.whole import WholeClustering
from ..indices import PairIndex, TableIndex
from ..models import Model
from .question import Question
from .rough_expectation import rough_expectation

#: Clusterings drawn to see whether a note is due; first and largest number drawn for a correction.
GLANCE, FIRST, MOST = 6, 16, 128
#: Most memberships of a clustering that a model which is not fast to fit is repeatedly fitted to.
SLOW_ENTRIES = 20_000
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


def estimated_bias(
    sides: tuple[Side, Side],
    laws: tuple[Law, Law],
    model: Model,
    question: Question,
    expected: Estimate,
    worth: float,
) -> Bias | None:
    """Estimate the bias, or return None if it cannot reach ``worth`` on the adjusted scale.

    Parameters
    ----------
    sides, laws, model, question
        The comparison.
    expected : Estimate
        Its expected discordance.
    worth : float
        Bias of the adjusted index from which a few redraws are worthwhile.
    """
    if expected.value <= 0.0:
        return None
    if isinstance(question.index, TableIndex):
        return _bias_of_tables(sides, laws, model, question, expected, worth)
    # Upper bound on how much too often rows agree if k proportions are fitted to n rows.
    replaced = [side.partition for side in question.randomised(sides)]
    bound = sum((1.0 - 1.0 / part.k) / max(part.effective_n - 1.0, 0.1) for part in replaced)
    if bound < worth * expected.value:
        return None
    if _knows_points(sides, laws, model, question):
        return Bias(expected.value - _of_observed_pairs(sides, laws, question))
    few = max(part.n * part.k for part in replaced) <= SLOW_ENTRIES
    if model.refit != "fast" and not (model.describes and few):
        return None
    return _summary(redrawn_bias(sides, laws, model, question, expected, range(GLANCE)))


def _bias_of_tables(
    sides: tuple[Side, Side],
    laws: tuple[Law, Law],
    model: Model,
    question: Question,
    expected: Estimate,
    worth: float,
) -> Bias | None:
    """Estimate the bias for an index of contingency tables.

    If a model knows the clusterings by their sizes or rows, the mean over shuffles has no bias: its
    own mean over random clusterings is the expectation. Other models are refitted, as far as no
    tables must be drawn for that.
    """
    index, pair = question.index, sides[0].tabulated(sides[1])
    assert isinstance(index, TableIndex)
    replaced = [side.partition for side in question.randomised(sides)]
    few = sum((part.k - 1.0) / part.effective_n for part in replaced) >= worth * expected.value
    if not few or all(isinstance(law, WholeClustering) and law.rows is None for law in laws):
        return None
    if _knows_points(sides, laws, model, question):
        as_they_are = WholeClustering(sides[0].partition), WholeClustering(sides[1].partition)
        shuffled = expected_of_tables(sides, as_they_are, lambda value: 0.25 * worth * value)
        error = math.hypot(expected.stderr, shuffled.stderr)
        return Bias(expected.value - shuffled.value, error)
    slow = max(part.n * part.k for part in replaced) > SLOW_ENTRIES
    if model.refit != "fast" and (slow or not model.describes):
        return None

    def excess(number: int) -> float:
        try:
            first, second = _redrawn_laws(sides, laws, model, question, number)
        except FuzzyRandError:  # for few points, the likelihood may have no maximum
            return math.nan
        assert isinstance(first, WholeClustering)
        assert isinstance(second, WholeClustering)
        again = index.expected(pair, first.chance, second.chance)
        reliable = again is not None and is_reliable(again)
        return again.value - expected.value if again is not None and reliable else math.nan

    return _summary([excess(number) for number in range(GLANCE)])


def _knows_points(
    sides: tuple[Side, Side], laws: tuple[Law, Law], model: Model, question: Question
) -> bool:
    """Return whether the model knows the replaced clusterings by the sizes or the rows they have.

    Two points drawn from it may then be the same point, which two points of a pair never are. This
    is all of its bias, and no redraws are needed to find it.
    """
    replaced = question.randomised(sides)
    return all(
        model.resamples_rows or knows_sizes_alone(model, side, law)
        for side, law in zip(sides, laws, strict=True)
        if side in replaced
    )


def knows_sizes_alone(model: Model, side: Side, law: Law) -> bool:
    """Return whether a model depends on a clustering only through the sizes of hard clusters."""
    return (
        side.partition.is_hard
        and isinstance(law, Bernoulli | WholeClustering)
        and isinstance(law.rows, Categorical)
        and model.fitted(side.partition)
    )


def _of_observed_pairs(
    sides: tuple[Side, Side], laws: tuple[Law, Law], question: Question
) -> float:
    """Return the expected discordance with the laws of observed pairs on the replaced sides."""
    assert isinstance(question.index, PairIndex)  # other indices have no fitted models
    replaced, effort = question.randomised(sides), question.effort
    first, second = (
        side.pairs_law if side in replaced else law for side, law in zip(sides, laws, strict=True)
    )
    return discordance_of_laws(
        first, second, question.index.concordance, lambda value: effort.tol * value, effort
    ).value


def redrawn_bias(
    sides: tuple[Side, Side],
    laws: tuple[Law, Law],
    model: Model,
    question: Question,
    expected: Estimate,
    redraws: range,
) -> list[float]:
    """Draw clusterings from the laws, refit them, and return the changes of the expectation."""
    assert isinstance(question.index, PairIndex)  # other indices have no fitted models
    concordance = question.index.concordance

    def excess(number: int) -> float:
        try:
            again = _redrawn_laws(sides, laws, model, question, number)
        except FuzzyRandError:  # for few points, the likelihood may have no maximum
            return math.nan
        # A few draws suffice, since their error is smaller than the spread of the redraws.
        return rough_expectation(again, concordance, question.effort, number) - expected.value

    return [excess(number) for number in redraws]


def corrected_expectation(
    sides: tuple[Side, Side],
    laws: tuple[Law, Law],
    model: Model,
    question: Question,
    expected: Estimate,
) -> Estimate:
    """Subtract the bias from an expected discordance.

    Redraws continue until their own error is small, or their limit is reached.
    """
    excesses: list[float] = []
    while True:
        have, want = len(excesses), max(FIRST, 2 * len(excesses))
        excesses += redrawn_bias(sides, laws, model, question, expected, range(have, want))
        bias = _summary(excesses)
        if bias.stderr <= ACCURACY * expected.value or want >= MOST:
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


def _redrawn_laws(
    sides: tuple[Side, Side],
    laws: tuple[Law, Law],
    model: Model,
    question: Question,
    number: int,
) -> tuple[Law, Law]:
    """Return the laws of clusterings that were drawn from the laws and refitted."""
    redrawn = []
    for position, (side, law) in enumerate(zip(sides, laws, strict=True)):
        kept = side not in question.randomised(sides)
        redrawn.append(law if kept else _redrawn_law(side, law, model, number, position))
    first, second = redrawn
    return first, second


def _redrawn_law(side: Side, law: Law, model: Model, number: int, position: int) -> Law:
    """Return the law of a clustering drawn from a law and refitted, computed once for each side.

    The position makes the redraws of two equal sides independent.
    """

    def compute() -> Law:
        rng = side.effort.stream(Stream.REDRAWS, number, position)
        drawn = _drawn(law, side.partition, rng)
        return law if drawn is None else Side(drawn, side.index, side.effort).law(model)

    return side.redrawn(model, number, position, compute)


def _drawn(law: Law, partition: Partition, rng: np.random.Generator) -> Partition | None:
    """Draw a clustering with the same number of points; None if the law is not fitted."""
    rows = law.rows if isinstance(law, RowPairs | Bernoulli | WholeClustering) else None
    return None if rows is None else drawn_from_rows(rows, partition, rng)
