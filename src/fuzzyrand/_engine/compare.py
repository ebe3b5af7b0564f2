"""Compare two prepared clusterings: observed, expected and adjusted index."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from .._base.errors import FuzzyRandError, NotApplicableError, NoValueError
from .._base.estimate import PAIR_ROUNDING, ROUNDING, Estimate
from .._base.types import FloatArray
from .._base.wording import Option
from .._blocks.rows import BlockPartition
from .._discordance.expected import expected_discordance, laws_to_visit
from .._discordance.monte_carlo import Goal
from .._discordance.observed import Observed
from .._inputs.common_points import left_out_of
from .._inputs.weights import weight_facts
from .._laws.base import Law
from .._laws.distance import atoms_of, distance
from .._laws.observed import ObservedPairs
from .._laws.rows import RowPairs
from .._laws.side import Side, laws_of
from ..indices import Index, PairIndex, TableIndex
from ..models import Model
from ..results import Comparison, Setting
from .bias import corrected_expectation
from .degenerate import lost_in_rounding
from .notes import Case, remarks_on
from .question import Question

#: A number with a larger error bound is not called exact, even if nothing was sampled.
EXACT = 1e-5
#: An expected discordance must be so many times as large as its error.
LEAST_ROOM = 10.0


@dataclass(frozen=True)
class Outcome:
    """Comparisons under several models, and the errors of models that have no value."""

    comparisons: list[Comparison]
    reasons: dict[str, FuzzyRandError]


def compare_under(
    sides: tuple[Side, Side], model: Model, question: Question, *, by_points: bool = False
) -> Comparison:
    """Compare under one model; see :func:`compare_sides`."""
    return compare_sides(sides, [model], question, by_points=by_points).comparisons[0]


def compare_sides(
    sides: tuple[Side, Side],
    models: Sequence[Model],
    question: Question,
    *,
    skip: bool = False,
    by_points: bool = False,
) -> Outcome:
    """Compare under several models; the observed index is computed once.

    A model that has no value raises an error, or is left out with its reason if ``skip`` is true.
    With ``by_points``, a pass over all pairs also sums the discordances of each point.
    """
    if isinstance(question.index, PairIndex) and all(side.partition.is_hard for side in sides):
        sides[0].together(sides[1])  # first, so that laws need not count cluster sizes separately
    laws: dict[Model, tuple[Law, Law]] = {}
    reasons: dict[str, FuzzyRandError] = {}
    for model in models:
        try:
            laws[model] = laws_of(sides, model, question.fixed)
        except FuzzyRandError as error:
            if not skip:
                raise
            reasons[str(model)] = error
    tol = question.effort.tol
    wanted = _laws_to_visit(laws.values(), question.index)
    observed = Observed(sides, wanted, by_points=by_points)
    selves = _self_discordances(sides)
    floor = _floor(sides, selves, question.maximum)
    goal = _goal(observed.estimate, floor, tol)
    known: dict[tuple[int, int, bool], Estimate] = {}
    expected = {}
    for model, pair in laws.items():
        key = id(pair[0]), id(pair[1]), bool(model.corrects_bias)
        if key not in known:
            known[key] = _expected(sides, pair, model, question, goal)
        expected[model] = known[key]
    if observed.estimate.stderr > 0.0 and expected:
        smallest = min(estimate.value for estimate in expected.values())
        observed.refine(tol * (smallest - floor.value) / math.sqrt(2.0))
    comparisons = []
    for model, estimate in expected.items():
        case = Case(sides, laws[model], model, question, observed.estimate, estimate, floor)
        try:
            comparisons.append(_comparison(case, selves, observed.points))
        except NotApplicableError as error:
            if not skip:
                raise
            reasons[str(model)] = error
    return Outcome(comparisons, reasons)


def with_misfits(
    comparisons: Iterable[Comparison], sides: tuple[Side, Side], question: Question
) -> list[Comparison]:
    """Add to each comparison the misfit of its model for each side that is not fixed.

    An index that is not a mean over pairs has no agreement law, and therefore no misfit.
    """
    if not isinstance(question.index, PairIndex):
        return list(comparisons)
    own = [
        atoms_of(side.pairs_law, side.effort) if side in question.randomised(sides) else None
        for side in sides
    ]

    known: dict[tuple[int, int], float] = {}

    def misfit_of(number: int, law: Law) -> float | None:
        atoms, key = own[number], (number, id(law))
        if atoms is None:
            return None
        if key not in known:
            known[key] = distance(atoms, atoms_of(law, question.effort))
        return known[key]

    def misfit(comparison: Comparison) -> tuple[float | None, float | None]:
        assert comparison.setting is not None
        first, second = comparison.setting.laws
        return misfit_of(0, first), misfit_of(1, second)

    return [replace(comparison, misfit=misfit(comparison)) for comparison in comparisons]


def _laws_to_visit(
    laws: Iterable[tuple[Law, Law]], index: Index
) -> tuple[ObservedPairs | None, ObservedPairs | None]:
    """Return, for each side, the observed law whose bracket some model needs, or None."""
    wanted = [laws_to_visit(pair, index) for pair in laws]
    first = next((pair[0] for pair in wanted if pair[0] is not None), None)
    second = next((pair[1] for pair in wanted if pair[1] is not None), None)
    return first, second


def _self_discordances(sides: tuple[Side, Side]) -> tuple[Estimate, Estimate] | None:
    """Return the discordance of each clustering with itself; None if it is always 0."""
    index = sides[0].index
    if index.reflexive or all(side.partition.is_hard for side in sides):
        return None
    if isinstance(index, TableIndex):
        own1, own2 = sides[0].tabulated(sides[1]).owns
        return index.observed(own1), index.observed(own2)
    one, two = (Observed((side, side)).refine(side.effort.tol / 4.0) for side in sides)
    return one, two


def _floor(
    sides: tuple[Side, Side], selves: tuple[Estimate, Estimate] | None, maximum: str | None
) -> Estimate:
    """Return the discordance that corresponds to an adjusted index of 1."""
    if selves is None or maximum is None:
        return Estimate(0.0)
    index = sides[0].index
    if isinstance(index, TableIndex):
        return index.self_discordance(sides[0].tabulated(sides[1]))
    one, two = selves
    return Estimate(
        0.5 * (one.value + two.value),
        0.5 * math.hypot(one.stderr, two.stderr),
        0.5 * (one.error_bound + two.error_bound),
    )


def _goal(observed: Estimate, floor: Estimate, tol: float) -> Goal:
    """Return the allowed Monte Carlo error of the expected discordance E, as a function of E.

    The adjusted index is 1 - (D - M)/(E - M), where M is the discordance that corresponds to 1.
    """
    share = tol if observed.stderr == 0.0 else tol / math.sqrt(2.0)
    above = abs(observed.value - floor.value)

    def goal(expected: float) -> float:
        room = expected - floor.value
        return math.inf if above == 0.0 or room <= 0.0 else share * room**2 / above

    return goal


def _expected(
    sides: tuple[Side, Side], laws: tuple[Law, Law], model: Model, question: Question, goal: Goal
) -> Estimate:
    """Return the expected discordance, minus the bias of a fit if the model corrects for it."""
    estimate = expected_discordance(sides, laws, goal)
    if not model.corrects_bias or not any(isinstance(law, RowPairs) for law in laws):
        return estimate
    if any(isinstance(side.partition, BlockPartition) for side in sides):
        raise NotApplicableError(
            "{bias} draws and refits clusterings of as many points, for which clusterings in "
            "blocks "
            "(dask) are too large. The bias of a fit to {n:,} points is only of the order of "
            "1/{n:,}. Use {plugin}.",
            bias=Option("bias", "corrected"),
            plugin=Option("bias", "plugin"),
            n=sides[0].partition.n,
        )
    return corrected_expectation(sides, laws, model, question, estimate)


def _comparison(
    case: Case, selves: tuple[Estimate, Estimate] | None, points: FloatArray | None
) -> Comparison:
    laws, model, question = case.laws, case.model, case.question
    observed, expected, floor = case.observed, case.expected, case.floor
    adjusted, stderr, error_bound = _adjusted(case)
    sampled = observed.stderr > 0.0 or expected.stderr > 0.0 or floor.stderr > 0.0
    first, second = (side.partition for side in case.sides)
    own = None if selves is None else (1.0 - selves[0].value, 1.0 - selves[1].value)
    return Comparison(
        observed=1.0 - observed.value,
        expected=1.0 - expected.value,
        adjusted=adjusted,
        stderr=stderr,
        exact=bool(not (sampled or expected.bound_is_estimate) and error_bound < EXACT),
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
            **_details(case),
        },
        error_bound=error_bound,
        # Only the total error counts: if one part has less than its share, another may have more.
        converged=bool(stderr <= question.effort.tol * (1.0 + ROUNDING)),
        tol=question.effort.tol,
        assumption=model.assumption,
        maximum=1.0 - floor.value,
        self_similarities=own,
        left_out=(left_out_of(first), left_out_of(second)),
        weights=weight_facts(first),
        find_remarks=partial(remarks_on, case),
        setting=Setting(question.index, model, case.sides, laws, question.effort, points),
    )


def _details(case: Case) -> dict[str, float]:
    """Return what else a result says of clusterings compared by their table."""
    index, sides = case.question.index, case.sides
    return index.details(sides[0].tabulated(sides[1])) if isinstance(index, TableIndex) else {}


def _adjusted(case: Case) -> tuple[float, float, float]:
    """Return the adjusted index, its Monte Carlo error and a bound on its other errors."""
    observed, expected, floor = case.observed, case.expected, case.floor
    d, e = observed.value - floor.value, expected.value - floor.value
    if observed.is_zero and floor.value == 0.0:
        return 1.0, 0.0, 0.0  # the same clustering, or the same agreement for every pair
    off = expected.error_bound + floor.error_bound
    # Where something was sampled, the errors say how much of the value is left.
    vague = expected.bound_is_estimate or expected.stderr > 0.0 or observed.stderr > 0.0
    if e > (ROUNDING if vague else LEAST_ROOM * off):
        stderr = math.hypot(
            observed.stderr / e, d * expected.stderr / e**2, (e - d) * floor.stderr / e**2
        )
        error_bound = abs(d / (e - off) - d / e) if off < e else math.inf
        return 1.0 - d / e, stderr, error_bound + (observed.error_bound + floor.error_bound) / e
    if floor.value > 0.0 and abs(d) <= ROUNDING and e < -LEAST_ROOM * off:
        return 1.0, 0.0, math.inf  # as alike as each is to itself
    if floor.value > 0.0:
        raise NoValueError(
            "the adjusted index is undefined: under the model {model!r}, the expected index "
            "({chance:.4g}) is not below the mean self-similarity of these clusterings "
            "({top:.4g}). "
            "Use {one}, or another model.",
            model=str(case.model),
            chance=1.0 - expected.value,
            top=1.0 - floor.value,
            one=Option("maximum", 1),
        )
    if e < -LEAST_ROOM * (off + expected.stderr):
        raise NoValueError(
            "the adjusted index is undefined: under the model {model!r}, the expected index "
            "({chance:.4g}) is larger than the largest possible one (1). Use {perm}, or another "
            "index.",
            model=str(case.model),
            chance=1.0 - expected.value,
            perm=Option("model", "perm"),
        )
    if observed.value > LEAST_ROOM * observed.error_bound:
        raise NoValueError(
            "the adjusted index is undefined: under the model {model!r}, all random clusterings "
            "agree perfectly, but these differ. Choose another model.",
            model=str(case.model),
        )
    if _same_to_the_last_digit(case):
        return 1.0, 0.0, math.inf
    raise lost_in_rounding(case)


def _same_to_the_last_digit(case: Case) -> bool:
    """Whether the agreements of all pairs, compared one by one, differ by no more than rounding."""
    index, observed = case.question.index, case.observed
    power = index.concordance.power if isinstance(index, PairIndex) else None
    if power is None or observed.error_bound > PAIR_ROUNDING or observed.stderr > 0.0:
        return False
    return bool(observed.value ** (1.0 / power) <= PAIR_ROUNDING)
