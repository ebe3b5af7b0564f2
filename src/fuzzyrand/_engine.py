"""From two prepared clusterings to a Comparison: observed, expected and adjusted index."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ._base.effort import Effort
from ._base.errors import FuzzyRandError, NotApplicableError
from ._base.estimate import ROUNDING, Estimate
from ._discordance.expected import Goal, expected_discordance, moments_suffice
from ._discordance.observed import Observed
from ._inputs.partition import Partition
from ._laws.laws import Law, ObservedPairs
from ._laws.side import Side, laws_of
from .indices import frobenius
from .indices.indices import Index
from .models import Model
from .results.comparison import Comparison

#: A number with a larger error bound is not called exact, though nothing was sampled.
EXACT = 1e-5


@dataclass(frozen=True)
class Question:
    """What is asked of two clusterings, apart from the model.

    Attributes
    ----------
    index : Index
    effort : Effort
    fixed : None, "first" or "second"
        The side that stays as it is.
    maximum : None or "self"
        What an adjusted index of 1 stands for: an index of 1, or that of each with itself.
    """

    index: Index
    effort: Effort
    fixed: str | None = None
    maximum: str | None = None

    def sides(self, *partitions: Partition) -> tuple[Side, ...]:
        """The clusterings, prepared."""
        self.index.require_applicable(*partitions)
        return tuple(Side(partition, self.index, self.effort) for partition in partitions)


def compare_sides(
    sides: tuple[Side, Side],
    models: Sequence[Model],
    question: Question,
    skipped: dict[str, str] | None = None,
) -> list[Comparison]:
    """Compare under several models; the observed index comes once.

    Models that fail are noted in ``skipped``, if it is given.
    """
    laws: dict[Model, tuple[Law, Law]] = {}
    for model in models:
        try:
            laws[model] = laws_of(sides, model, question.fixed)
        except FuzzyRandError as error:
            if skipped is None:
                raise
            skipped[str(model)] = str(error)
    index, effort = question.index, question.effort
    first, second = (side.partition for side in sides)
    observed = Observed(first, second, index, effort, _learners(list(laws.values()), index))
    selves = _self_discordances(sides, index, effort)
    floor = _floor(selves, question.maximum)
    goal = _goal(observed.estimate, floor, effort.tol)
    expected = {m: expected_estimate(sides, pair, index, goal, effort) for m, pair in laws.items()}
    if observed.estimate.stderr > 0.0 and expected:
        smallest = min(estimate.value for estimate in expected.values())
        observed.refine(effort.tol * (smallest - floor.value) / math.sqrt(2.0))
    found = []
    for model, estimate in expected.items():
        try:
            found.append(
                _comparison(
                    sides, model, question, laws[model], observed.estimate, estimate, selves
                )
            )
        except NotApplicableError as error:
            if skipped is None:
                raise
            skipped[str(model)] = str(error)
    return found


def expected_estimate(
    sides: tuple[Side, Side], laws: tuple[Law, Law], index: Index, goal: Goal, effort: Effort
) -> Estimate:
    """The expected discordance under a model that gives these laws."""
    if not index.pairwise:
        return frobenius.expected(sides[0].partition, sides[1].partition)
    return expected_discordance(*laws, index.concordance, goal, effort)


def _learners(
    laws: list[tuple[Law, Law]], index: Index
) -> tuple[ObservedPairs | None, ObservedPairs | None]:
    """Laws of observed pairs whose bracket will be needed: to be filled in the same pass."""
    found: list[ObservedPairs | None] = [None, None]
    for pair in laws:
        if not index.pairwise or moments_suffice(*pair, index.concordance) is not None:
            continue
        for position, law in enumerate(pair):
            observed = law.observed
            if observed is not None and observed.missing and observed.visitable:
                found[position] = observed
    return found[0], found[1]


def _self_discordances(
    sides: tuple[Side, Side], index: Index, effort: Effort
) -> tuple[Estimate, Estimate] | None:
    """Of each clustering with itself, where that may be more than 0."""
    partitions = [side.partition for side in sides]
    if index.reflexive or all(partition.is_hard for partition in partitions):
        return None
    one, two = (Observed(p, p, index, effort).refine(effort.tol / 4.0) for p in partitions)
    return one, two


def _floor(selves: tuple[Estimate, Estimate] | None, maximum: str | None) -> Estimate:
    """The discordance that an adjusted index of 1 stands for."""
    if selves is None or maximum is None:
        return Estimate(0.0)
    one, two = selves
    return Estimate(
        0.5 * (one.value + two.value),
        0.5 * math.hypot(one.stderr, two.stderr),
        0.5 * (one.error_bound + two.error_bound),
    )


def _goal(observed: Estimate, floor: Estimate, tol: float) -> Goal:
    """The standard error of the expected discordance E that the adjusted index allows.

    It is 1 - (D - M)/(E - M), M the discordance that stands for 1.
    """
    share = tol if observed.stderr == 0.0 else tol / math.sqrt(2.0)
    above = abs(observed.value - floor.value)

    def goal(expected: float) -> float:
        room = expected - floor.value
        return math.inf if above == 0.0 or room <= 0.0 else share * room**2 / above

    return goal


def _comparison(
    sides: tuple[Side, Side],
    model: Model,
    question: Question,
    laws: tuple[Law, Law],
    observed: Estimate,
    expected: Estimate,
    selves: tuple[Estimate, Estimate] | None,
) -> Comparison:
    floor = _floor(selves, question.maximum)
    adjusted, stderr, error_bound = _adjusted(observed, expected, floor, model)
    sampled = observed.stderr > 0.0 or expected.stderr > 0.0 or floor.stderr > 0.0
    first, second = (side.partition for side in sides)
    own = None if selves is None else (1.0 - selves[0].value, 1.0 - selves[1].value)
    return Comparison(
        observed=1.0 - observed.value,
        expected=1.0 - expected.value,
        adjusted=adjusted,
        stderr=stderr,
        exact=not (sampled or expected.judged) and error_bound < EXACT,
        index=question.index.name,
        model=str(model),
        fixed=question.fixed,
        n=first.n,
        clusterings=(first.summary, second.summary),
        laws=(
            {**laws[0].to_dict(), "text": laws[0].describe()},
            {**laws[1].to_dict(), "text": laws[1].describe()},
        ),
        computed={
            "observed": observed.how,
            "observed_stderr": observed.stderr,
            "expected": expected.how,
            "expected_stderr": expected.stderr,
        },
        error_bound=error_bound,
        # Whatever each part was given of it: where one needs less, another may take more.
        converged=stderr <= question.effort.tol * (1.0 + ROUNDING),
        tol=question.effort.tol,
        assumption=model.assumption,
        maximum=1.0 - floor.value,
        self_similarities=own,
    )


def _adjusted(
    observed: Estimate, expected: Estimate, floor: Estimate, model: Model
) -> tuple[float, float, float]:
    """The adjusted index, its standard error and a bound on its other errors."""
    d, e = observed.value - floor.value, expected.value - floor.value
    if e > ROUNDING:
        stderr = math.hypot(
            observed.stderr / e, d * expected.stderr / e**2, (e - d) * floor.stderr / e**2
        )
        off = expected.error_bound + floor.error_bound
        error_bound = abs(d / (e - off) - d / e) if off < e else math.inf
        return 1.0 - d / e, stderr, error_bound + (observed.error_bound + floor.error_bound) / e
    if abs(d) <= ROUNDING:
        return 1.0, 0.0, 0.0
    if floor.value > 0.0:
        raise NotApplicableError(
            f"under the model {str(model)!r} chance ({1 - expected.value:.4g}) does as well as "
            f"the self-similarity of these clusterings ({1 - floor.value:.4g}): the adjusted "
            "index is undefined. Use maximum=1, or another model."
        )
    raise NotApplicableError(
        f"under the model {str(model)!r} chance always gives perfect agreement, yet these "
        "clusterings differ: the adjusted index is undefined. Choose another model."
    )
