"""The plug-in bias: a law fitted to few points agrees with itself too often.

With k proportions estimated from n rows, two rows of the fitted law agree too often by about 1/n,
so that chance looks less alike than it is. A parametric bootstrap shows by how much: clusterings of
n rows are drawn from the fitted laws and fitted again, and the mean of their expected discordances
lies above that of the fitted laws by about as much as that lies above the truth.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from .._base.errors import FuzzyRandError
from .._base.estimate import Estimate
from .._base.streams import Stream
from .._inputs.partition import Partition
from .._laws.base import Law
from .._laws.known import Bernoulli
from .._laws.rows import RowPairs
from .._laws.side import Side
from ..indices import PairIndex
from ..models import Model
from .light_expectation import light_expectation
from .question import Question
from .redraws import drawn_from_rows

#: Clusterings drawn to see whether a note is due, and first and most to correct by.
GLANCE, FIRST, MOST = 6, 16, 128
#: Share of the expected discordance that the correction may err by.
ACCURACY = 0.005


@dataclass(frozen=True)
class Bias:
    """How far the expected discordance is too large.

    Attributes
    ----------
    expected : float
        The excess of the expected discordance.
    stderr : float
        Its Monte Carlo error.
    """

    expected: float
    stderr: float = 0.0


def judged_bias(
    sides: tuple[Side, Side],
    laws: tuple[Law, Law],
    model: Model,
    question: Question,
    expected: Estimate,
    worth: float,
) -> Bias | None:
    """Estimate the bias, or return None where it cannot reach ``worth`` on the adjusted scale.

    Parameters
    ----------
    sides, laws, model, question
        The comparison.
    expected : Estimate
        Its expected discordance.
    worth : float
        A bias of the adjusted index that is worth a few redraws.
    """
    if not model.refits_quickly or expected.value <= 0.0:
        return None
    # No fit of k proportions to n rows agrees with itself too often by more than this.
    bound = sum(
        (1.0 - 1.0 / side.partition.k) / (side.partition.n - 1.0)
        for side in question.randomised(sides)
    )
    if bound < worth * expected.value:
        return None
    return _summary(redrawn_bias(sides, laws, model, question, expected, range(GLANCE)))


def redrawn_bias(
    sides: tuple[Side, Side],
    laws: tuple[Law, Law],
    model: Model,
    question: Question,
    expected: Estimate,
    redraws: range,
) -> list[float]:
    """Draw clusterings from the laws, fit them again, and see how far the expectation moves."""
    assert isinstance(question.index, PairIndex)  # no other has a model that is fitted
    concordance = question.index.concordance

    def excess(number: int) -> float:
        try:
            again = _redrawn_laws(sides, laws, model, question, number)
        except FuzzyRandError:  # few points may happen to have no likeliest law
            return math.nan
        # Redraws differ by more among themselves than few draws err.
        return light_expectation(again, concordance, question.effort, number) - expected.value

    return [excess(number) for number in redraws]


def corrected_expectation(
    sides: tuple[Side, Side],
    laws: tuple[Law, Law],
    model: Model,
    question: Question,
    expected: Estimate,
) -> Estimate:
    """Take the bias away from an expected discordance.

    Redraws go on until their own error is small, or their limit is reached.
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
        judged=expected.judged,
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
    """Return the laws of clusterings drawn from the laws and fitted again."""
    redrawn = []
    for position, (side, law) in enumerate(zip(sides, laws, strict=True)):
        kept = side not in question.randomised(sides)
        redrawn.append(law if kept else _redrawn_law(side, law, model, number, position))
    first, second = redrawn
    return first, second


def _redrawn_law(side: Side, law: Law, model: Model, number: int, position: int) -> Law:
    """Return the law of a clustering drawn from a law and fitted again, computed once for a side.

    The position makes the redraws of two equal sides independent.
    """

    def compute() -> Law:
        rng = side.effort.stream(Stream.REDRAWS, number, position)
        drawn = _drawn(law, side.partition, rng)
        return law if drawn is None else Side(drawn, side.index, side.effort).law(model)

    return side.redrawn(model, number, position, compute)


def _drawn(law: Law, partition: Partition, rng: np.random.Generator) -> Partition | None:
    """Draw a clustering of as many points; None where the law is not fitted."""
    rows = law.rows if isinstance(law, RowPairs | Bernoulli) else None
    return None if rows is None else drawn_from_rows(rows, partition, rng)
