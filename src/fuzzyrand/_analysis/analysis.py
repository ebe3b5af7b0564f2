"""The analysis of two clusterings under a random model, each part of which is computed once."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from .._base.effort import Precision
from .._base.errors import FuzzyRandError, NotApplicableError, NoValueError
from .._base.estimate import PAIR_ROUNDING, ROUNDING, Estimate
from .._base.types import FloatArray
from .._base.wording import Option, Sentence
from .._clusterings.partition import Partition
from ..indices import Index, PairIndex, TableIndex
from ..models import Model
from ..models._laws.base import Law
from ..models._laws.row_pairs import RowPairs
from ..models._laws.side import SIDES, Side, laws_of, prepare_sides
from .bias import corrected_expectation, excess_of
from .degenerate import lost_in_rounding
from .discordance.expected import expected_discordance, laws_to_visit
from .discordance.monte_carlo import Goal
from .discordance.observed import Observed
from .misfit import Gap, misfit_of
from .notes import notes_on

#: An expected discordance must be so many times as large as its error.
LEAST_ROOM = 10.0


class Observation:
    """What is observed of two clusterings, whatever the model.

    Parameters
    ----------
    sides : pair of Side
        The clusterings, with index and effort.
    maximum : None or "self"
        What corresponds to an adjusted index of 1: an index of 1, or the mean index of each
        clustering with itself.
    by_points : bool
        Whether a pass over all pairs should also sum the discordances of each point.
    """

    def __init__(
        self, sides: tuple[Side, Side], maximum: str | None = None, *, by_points: bool = False
    ) -> None:
        self.sides: tuple[Side, Side] = sides
        self.maximum: str | None = maximum
        self._by_points = by_points
        self._laws: list[tuple[Law, Law]] = []
        self._expected: dict[tuple[int, int, bool], Estimate] = {}

    def also_visit(self, laws: tuple[Law, Law]) -> None:
        """Let the pass over the pairs compute these laws of observed pairs as well."""
        self._laws.append(laws)

    @cached_property
    def observed(self) -> Observed:
        """The observed discordance."""
        index = self.sides[0].index
        wanted = [laws_to_visit(pair, index) for pair in self._laws]
        first = next((pair[0] for pair in wanted if pair[0] is not None), None)
        second = next((pair[1] for pair in wanted if pair[1] is not None), None)
        return Observed(self.sides, (first, second), by_points=self._by_points)

    @cached_property
    def selves(self) -> tuple[Estimate, Estimate] | None:
        """The discordance of each clustering with itself; None if it is always 0."""
        sides, index = self.sides, self.sides[0].index
        if index.reflexive or all(side.partition.is_hard for side in sides):
            return None
        if isinstance(index, TableIndex):
            own1, own2 = sides[0].tabulated(sides[1]).owns
            return index.observed(own1), index.observed(own2)
        one, two = (Observed((side, side)).refine(side.effort.tol / 4.0) for side in sides)
        return one, two

    @cached_property
    def floor(self) -> Estimate:
        """The discordance that corresponds to an adjusted index of 1."""
        if self.maximum is None or self.selves is None:
            return Estimate(0.0)
        index = self.sides[0].index
        if isinstance(index, TableIndex):
            return index.self_discordance(self.sides[0].tabulated(self.sides[1]))
        one, two = self.selves
        return Estimate(
            0.5 * (one.value + two.value),
            0.5 * math.hypot(one.stderr, two.stderr),
            0.5 * (one.error_bound + two.error_bound),
        )

    @cached_property
    def goal(self) -> Goal:
        """The allowed Monte Carlo error of the expected discordance E, as a function of E.

        The adjusted index is 1 - (D - M)/(E - M), where M is the discordance that corresponds to 1.
        """
        observed, floor = self.observed.estimate, self.floor
        tol = self.sides[0].effort.tol
        share = tol if observed.stderr == 0.0 else tol / math.sqrt(2.0)
        above = abs(observed.value - floor.value)

        def goal(expected: float) -> float:
            room = expected - floor.value
            return math.inf if above == 0.0 or room <= 0.0 else share * room**2 / above

        return goal

    def refine(self, expected: Iterable[Estimate]) -> None:
        """Sample more pairs, if they are sampled, until ``tol`` is reached for all expectations."""
        values = [estimate.value for estimate in expected]
        if self.observed.estimate.stderr > 0.0 and values:
            room = min(values) - self.floor.value
            self.observed.refine(self.sides[0].effort.tol * room / math.sqrt(2.0))

    def expected(self, analysis: Analysis) -> Estimate:
        """Return the expected discordance under the model of an analysis, once for equal laws."""
        first, second = analysis.laws  # both are kept by their sides, so their ids are not reused
        key = id(first), id(second), bool(analysis.model.corrects_bias)
        if key not in self._expected:
            self._expected[key] = _expected(analysis, self.goal)
        return self._expected[key]


class Adjusted(NamedTuple):
    """An adjusted index, its Monte Carlo error and a bound on its other errors."""

    value: float
    stderr: float
    error_bound: float


class Analysis:
    """Two clusterings under a random model: laws, observed and expected discordance, notes.

    Everything is computed when it is first used, and only once. Analyses of the same clusterings
    under several models share an observation.

    Parameters
    ----------
    sides : pair of Side
        The clusterings, with index and effort.
    model : Model
        The random model.
    fixed : None, "first" or "second"
        The side that the model does not replace.
    maximum : None or "self"
        What corresponds to an adjusted index of 1: an index of 1, or the mean index of each
        clustering with itself.
    observation : Observation, optional
        That of another model, if there is one; ``maximum`` is then that of the observation.
    """

    def __init__(
        self,
        sides: tuple[Side, Side],
        model: Model,
        fixed: str | None = None,
        maximum: str | None = None,
        *,
        observation: Observation | None = None,
    ) -> None:
        self.sides: tuple[Side, Side] = sides
        self.model: Model = model
        self.fixed: str | None = fixed
        self.observation: Observation = observation or Observation(sides, maximum)
        self.maximum: str | None = self.observation.maximum

    @classmethod
    def of(
        cls,
        partitions: Sequence[Partition],
        index: Index,
        model: Model,
        effort: Precision,
        fixed: str | None = None,
        maximum: str | None = None,
        *,
        by_points: bool = False,
    ) -> Analysis:
        """Return the analysis of two clusterings; refuse those that the index is not defined for.

        With ``by_points``, a pass over all pairs also sums the discordances of each point.
        """
        first, second = prepare_sides(partitions, index, effort)
        sides = first, second
        return cls(
            sides, model, fixed, observation=Observation(sides, maximum, by_points=by_points)
        )

    def __reduce__(self) -> tuple[Any, ...]:
        # What was computed is left behind, and computed again when it is needed.
        given = self.partitions, self.index, self.model, self.effort, self.fixed, self.maximum
        return Analysis.of, given

    @property
    def index(self) -> Index:
        """The index."""
        return self.sides[0].index

    @property
    def effort(self) -> Precision:
        """Requested accuracy and allowed work."""
        return self.sides[0].effort

    @property
    def partitions(self) -> tuple[Partition, Partition]:
        """The clusterings."""
        return self.sides[0].partition, self.sides[1].partition

    @property
    def replaced(self) -> list[tuple[str, Side, Law]]:
        """The sides that the model replaces, with their names and laws."""
        names = "first", "second"
        return [
            (name, side, law)
            for name, side, law in zip(names, self.sides, self.laws, strict=True)
            if name != self.fixed
        ]

    @cached_property
    def laws(self) -> tuple[Law, Law]:
        """The law of each side under the model; for a fixed side, that of its observed pairs."""
        one, two = self.sides
        if isinstance(self.index, PairIndex) and one.partition.is_hard and two.partition.is_hard:
            one.together(two)  # first, so that laws need not count cluster sizes separately
        laws = laws_of(self.sides, self.model, self.fixed)
        self.observation.also_visit(laws)
        return laws

    @cached_property
    def expected(self) -> Estimate:
        """The expected discordance, minus the bias of a fit if the model corrects for it."""
        return self.observation.expected(self)

    @cached_property
    def observed(self) -> Estimate:
        """The observed discordance."""
        self.observation.refine([self.expected])
        return self.observation.observed.estimate

    @property
    def discordances(self) -> FloatArray | None:
        """Mean discordance of the pairs of each point, if it was computed with the observed one."""
        return self.observation.observed.points

    @property
    def floor(self) -> Estimate:
        """The discordance that corresponds to an adjusted index of 1."""
        return self.observation.floor

    @cached_property
    def adjusted(self) -> Adjusted:
        """The adjusted index, with its errors."""
        return _adjusted(self)

    def adjusted_by(self, expected: float) -> float:
        """Return the adjusted index for another expected discordance; NaN if there is none."""
        room = expected - self.floor.value
        return 1.0 - (self.observed.value - self.floor.value) / room if room > 0.0 else math.nan

    @property
    def details(self) -> dict[str, float]:
        """What else a result says of clusterings compared by their table."""
        if not isinstance(self.index, TableIndex):
            return {}
        return self.index.details(self.sides[0].tabulated(self.sides[1]))

    # --- notes -----------------------------------------------------------------------------------

    @cached_property
    def misfit(self) -> Gap | None:
        """The side that the model describes so badly that it affects the value, if there is one."""
        return misfit_of(self)

    @cached_property
    def excess(self) -> float:
        """Amount by which the value is too high because the model was fitted to few points."""
        return excess_of(self)

    @cached_property
    def notes(self) -> tuple[Sentence, ...]:
        """What a reader must know before quoting the number."""
        return notes_on(self)

    @cached_property
    def distances(self) -> tuple[float | None, float | None] | None:
        """Distance of the model from each side that it replaces; None if pairs have no agreement.

        It is the distance between the laws of the agreements of pairs.
        """
        if not isinstance(self.index, PairIndex):
            return None
        first, second = (
            None if name == self.fixed else side.distance_from(law)
            for name, side, law in zip(SIDES, self.sides, self.laws, strict=True)
        )
        return first, second

    # --- other analyses of the same clusterings --------------------------------------------------

    def under(self, model: Model, fixed: str | None = None) -> Analysis:
        """Return the analysis under another model, which shares the observation."""
        return Analysis(self.sides, model, fixed, observation=self.observation)

    def against_one(self) -> Analysis:
        """Return the analysis in which an adjusted index of 1 stands for perfect agreement."""
        if self.maximum is None:
            return self
        return Analysis(self.sides, self.model, self.fixed)

    def of_others(self, partitions: Sequence[Partition]) -> Analysis:
        """Return the same analysis of other clusterings."""
        return Analysis.of(partitions, self.index, self.model, self.effort, self.fixed)

    def swapped(self) -> Analysis:
        """Return the analysis with the clusterings exchanged, whichever of them is fixed."""
        return Analysis(self.sides[::-1], self.model, self.fixed, self.maximum)

    def assuming(self, expected: Estimate, observed: Estimate | None = None) -> Analysis:
        """Return the analysis with other discordances, such as rough ones."""
        other = self.under(self.model, self.fixed)
        other.laws, other.expected = self.laws, expected
        other.observed = self.observed if observed is None else observed
        return other


def analyse_models(
    sides: tuple[Side, Side],
    models: Iterable[Model],
    fixed: str | None = None,
    maximum: str | None = None,
    *,
    skip: bool = False,
) -> tuple[list[Analysis], dict[str, FuzzyRandError]]:
    """Analyse two clusterings under several models; the observed index is computed once.

    A model that has no value raises an error. If ``skip`` is true, it is left out, and its error is
    returned under its name.
    """
    observation = Observation(sides, maximum)
    analyses = [Analysis(sides, model, fixed, observation=observation) for model in models]
    refusals: dict[str, FuzzyRandError] = {}

    def try_each(part: str) -> None:
        """Compute a part of each analysis, before the next part of any."""
        for analysis in list(analyses):
            try:
                getattr(analysis, part)
            except FuzzyRandError as error:
                if not skip:
                    raise
                refusals[str(analysis.model)] = error
                analyses.remove(analysis)

    try_each("laws")  # all laws first: one pass over the pairs computes what they need
    observation.refine([analysis.expected for analysis in analyses])
    try_each("adjusted")
    return analyses, refusals


def _expected(analysis: Analysis, goal: Goal) -> Estimate:
    """Return the expected discordance, minus the bias of a fit if the model corrects for it."""
    sides, laws = analysis.sides, analysis.laws
    estimate = expected_discordance(sides, laws, goal)
    if not analysis.model.corrects_bias or not any(isinstance(law, RowPairs) for law in laws):
        return estimate
    if not sides[0].partition.rows.in_memory:
        raise NotApplicableError(
            "{bias} draws and refits clusterings of as many points, for which clusterings in "
            "blocks (dask) are too large. The bias of a fit to {n:,} points is only of the order "
            "of 1/{n:,}. Use {plugin}.",
            bias=Option("bias", "corrected"),
            plugin=Option("bias", "plugin"),
            n=sides[0].partition.n,
        )
    return corrected_expectation(analysis, estimate)


def _adjusted(analysis: Analysis) -> Adjusted:
    observed, expected, floor = analysis.observed, analysis.expected, analysis.floor
    d, e = observed.value - floor.value, expected.value - floor.value
    if observed.is_zero and floor.value == 0.0:
        return Adjusted(1.0, 0.0, 0.0)  # the same clustering, or the same agreement for every pair
    off = expected.error_bound + floor.error_bound
    # Where something was sampled, the errors say how much of the value is left.
    vague = expected.bound_is_estimate or expected.stderr > 0.0 or observed.stderr > 0.0
    if e > (ROUNDING if vague else LEAST_ROOM * off):
        stderr = math.hypot(
            observed.stderr / e, d * expected.stderr / e**2, (e - d) * floor.stderr / e**2
        )
        error_bound = abs(d / (e - off) - d / e) if off < e else math.inf
        error_bound += (observed.error_bound + floor.error_bound) / e
        return Adjusted(1.0 - d / e, stderr, error_bound)
    if floor.value > 0.0 and abs(d) <= ROUNDING and e < -LEAST_ROOM * off:
        return Adjusted(1.0, 0.0, math.inf)  # as alike as each is to itself
    if floor.value > 0.0:
        raise NoValueError(
            "under the model {model!r}, the expected index ({chance:.4g}) is not below the mean "
            "self-similarity of these clusterings ({top:.4g}): the adjusted index is undefined. "
            "Use {one}, or another model.",
            model=str(analysis.model),
            chance=1.0 - expected.value,
            top=1.0 - floor.value,
            one=Option("maximum", 1),
        )
    if e < -LEAST_ROOM * (off + expected.stderr):
        raise NoValueError(
            "under the model {model!r}, the expected index ({chance:.4g}) is above the largest "
            "possible one (1): the adjusted index is undefined. Use {perm}, or another index.",
            model=str(analysis.model),
            chance=1.0 - expected.value,
            perm=Option("model", "perm"),
        )
    if observed.value > LEAST_ROOM * observed.error_bound:
        raise NoValueError(
            "under the model {model!r}, all random clusterings agree perfectly, but these differ: "
            "the adjusted index is undefined. Choose another model.",
            model=str(analysis.model),
        )
    if _same_to_the_last_digit(analysis):
        return Adjusted(1.0, 0.0, math.inf)
    raise lost_in_rounding(analysis)


def _same_to_the_last_digit(analysis: Analysis) -> bool:
    """Whether the agreements of all pairs, compared one by one, differ by no more than rounding."""
    index, observed = analysis.index, analysis.observed
    power = index.concordance.power if isinstance(index, PairIndex) else None
    if power is None or observed.error_bound > PAIR_ROUNDING or observed.stderr > 0.0:
        return False
    return bool(observed.value ** (1.0 / power) <= PAIR_ROUNDING)
