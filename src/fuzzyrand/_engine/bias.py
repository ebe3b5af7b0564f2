"""The plug-in bias: a law fitted to few points agrees with itself too often.

With k proportions estimated from n rows, two rows of the fitted law agree too often by about 1/n,
so that chance looks less alike than it is. A parametric bootstrap shows by how much: clusterings of
n rows are drawn from the fitted laws and fitted again, and the mean of their expected discordances
lies above that of the fitted laws by about as much as that lies above the truth.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from .._base.estimate import Estimate
from .._base.streams import Stream
from .._discordance.expected import discordance_of_laws
from .._inputs.partition import Partition, as_partition
from .._laws.base import Law
from .._laws.rows import RowPairs
from .._laws.side import Side
from ..indices import PairIndex
from ..models import Model
from .question import Question

#: Clusterings drawn to see whether a note is due, and first and most to correct by.
GLANCE, FIRST, MOST = 4, 16, 64
#: Agreements drawn for each: redraws differ by more among themselves than these err.
DRAWS = 1
#: Share of the expected discordance that the correction may err by.
ACCURACY = 0.01


@dataclass(frozen=True)
class Bias:
    """How far the expected discordance is too large.

    Attributes
    ----------
    expected : float
        The excess of the expected discordance.
    stderr : float
        Its Monte Carlo error.
    corrected : bool
        Whether it was taken away.
    """

    expected: float
    stderr: float = 0.0
    corrected: bool = False


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
    return redrawn_bias(sides, laws, model, question, expected, GLANCE)


def redrawn_bias(
    sides: tuple[Side, Side],
    laws: tuple[Law, Law],
    model: Model,
    question: Question,
    expected: Estimate,
    redraws: int,
) -> Bias:
    """Draw clusterings from the laws, fit them again, and see how far the expectation moves."""
    excess = np.array(
        [
            _redrawn_expectation(sides, laws, model, question, number) - expected.value
            for number in range(redraws)
        ]
    )
    spread = float(excess.std(ddof=1)) / math.sqrt(redraws)
    return Bias(float(excess.mean()), math.hypot(spread, expected.stderr))


def corrected_expectation(
    sides: tuple[Side, Side],
    laws: tuple[Law, Law],
    model: Model,
    question: Question,
    expected: Estimate,
) -> tuple[Estimate, Bias]:
    """Take the bias away from an expected discordance.

    Redraws go on until their own error is small, or their limit is reached.
    """
    redraws = FIRST
    while True:
        bias = redrawn_bias(sides, laws, model, question, expected, redraws)
        if bias.stderr <= ACCURACY * expected.value or redraws >= MOST:
            break
        redraws *= 2
    value = expected.value - bias.expected
    stderr = math.hypot(2.0 * expected.stderr, bias.stderr)
    how = f"{expected.how}; bias by {redraws} redraws"
    corrected = Estimate(
        value, stderr, expected.error_bound, how, expected.draws, judged=expected.judged
    )
    return corrected, Bias(bias.expected, bias.stderr, corrected=True)


def _redrawn_expectation(
    sides: tuple[Side, Side],
    laws: tuple[Law, Law],
    model: Model,
    question: Question,
    number: int,
) -> float:
    """Return the expected discordance of clusterings drawn from the laws and fitted again."""
    assert isinstance(question.index, PairIndex)  # no other has a model that is fitted
    effort = replace(question.effort, max_draws=DRAWS)
    redrawn = []
    for position, (side, law) in enumerate(zip(sides, laws, strict=True)):
        if side not in question.randomised(sides):
            redrawn.append(law)
            continue
        rng = effort.stream(Stream.REDRAWS, number, position)
        drawn = _drawn(law, side.partition, rng)
        again = side if drawn is None else Side(drawn, side.index, effort)
        redrawn.append(law if drawn is None else again.law(model))
    first, second = redrawn
    concordance = question.index.concordance
    return discordance_of_laws(first, second, concordance, lambda _: 1.0, effort).value


def _drawn(law: Law, partition: Partition, rng: np.random.Generator) -> Partition | None:
    """Draw a clustering of as many points; None where the law is not fitted."""
    if isinstance(law, RowPairs):
        return as_partition(law.rows.sample(rng, partition.n))
    rows = getattr(law, "rows", None)
    if rows is None or not hasattr(rows, "codes"):
        return None
    return Partition(rows.codes(rng, partition.n), None, partition.k)
