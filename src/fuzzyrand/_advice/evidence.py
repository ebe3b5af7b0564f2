"""What two clusterings and the models say about each other."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from .._base.errors import FuzzyRandError, NotApplicableError
from .._base.wording import Sentence
from .._engine import Question, compare_sides, with_misfits
from .._engine.notes import MATTERS, QUICK_FIT, Case, remarks_on
from .._explain.hardened import Hardened, hardened_index
from .._inputs.partition import Partition
from .._laws.side import Side
from ..models import MODELS, Generalised, Kernel, Mixture, Model
from ..results import Comparison
from ..results.advice import ModelAdvice

#: Models that take long for many memberships, and most clusters that they are tried for.
SLOW, MOST_CLUSTERS = (Generalised, Mixture, Kernel), 50
#: Memberships up to which the others are tried that need the rows as a full matrix.
FULL_MATRIX = 20 * QUICK_FIT


class Evidence:
    """Two clusterings under all models that apply, and what the rules ask about them.

    Parameters
    ----------
    sides : pair of Side
        The clusterings.
    question : Question
        Index, effort and fixed side.
    """

    def __init__(self, sides: tuple[Side, Side], question: Question) -> None:
        self.sides, self.question = sides, question
        #: Why models are not in ``comparisons``, by name.
        self.refusals: dict[str, Sentence] = {}
        #: Models that are ``cat`` here, under another name.
        self.same_as_cat = [m.name for m in MODELS.values() if self.hard and m.refines_cat]
        models = [m for m in MODELS.values() if m.name not in self.same_as_cat and self._tries(m)]
        outcome = compare_sides(sides, models, question, skip=True)
        self.refusals |= {name: _sentence(error) for name, error in outcome.reasons.items()}
        #: The comparison under each model, by name.
        self.comparisons = {
            comparison.model: comparison
            for comparison in with_misfits(outcome.comparisons, sides, question)
        }
        self._cases: dict[str, Case] = {}
        self._described: dict[str, bool | None] = {}

    def _tries(self, model: Model) -> bool:
        """Whether a model is tried; if not, keep the reason."""
        try:
            for partition in self.replaced:
                model.require_applicable(partition, self.question.index)
        except NotApplicableError as error:
            self.refusals[model.name] = _sentence(error)
            return False
        slow = isinstance(model, SLOW)
        most = QUICK_FIT if slow else FULL_MATRIX
        for partition in self.replaced:
            n, k = partition.n, partition.k
            if partition.is_hard or not model.refines_cat:
                continue
            if n * k > most or (slow and k > MOST_CLUSTERS):
                self.refusals[model.name] = Sentence.of(
                    "not tried, because it takes long for {n:,} points in {k:,} clusters.", n=n, k=k
                )
                return False
        return True

    # --- the clusterings -------------------------------------------------------------------------

    @property
    def replaced(self) -> list[Partition]:
        """The clusterings that random ones take the place of."""
        return [side.partition for side in self.question.randomised(self.sides)]

    @property
    def hard(self) -> bool:
        """Whether all of these are hard."""
        return all(partition.is_hard for partition in self.replaced)

    @property
    def both_hard(self) -> bool:
        """Whether both clusterings are hard, also one that is not replaced."""
        return all(side.partition.is_hard for side in self.sides)

    @property
    def possibilistic(self) -> bool:
        """Whether rows of one of these do not sum to 1."""
        return any(partition.possibilistic for partition in self.replaced)

    @property
    def hard_rows(self) -> float:
        """The largest share of hard rows in a fuzzy clustering that is replaced."""
        fuzzy = [partition for partition in self.replaced if not partition.is_hard]
        return max((float((p.strengths == 1.0).mean()) for p in fuzzy), default=0.0)

    # --- the models ------------------------------------------------------------------------------

    def applies(self, name: str) -> bool:
        """Whether there is a value under a model."""
        return name in self.comparisons

    def case(self, name: str) -> Case:
        """Return the comparison under a model as the notes look at it."""
        if name not in self._cases:
            self._cases[name] = Case.of(self.comparisons[name])
        return self._cases[name]

    def bias(self, name: str) -> float:
        """Return by how much the value is too high because a model was fitted to few points."""
        return self.case(name).excess if self.applies(name) else 0.0

    def describes(self, name: str) -> bool | None:
        """Whether a model describes the clusterings closely enough for the value.

        It does if :func:`compare` would have no note on its misfit. None where that is no
        question: ``perm`` draws the clusterings themselves.
        """
        if not self.applies(name) or MODELS[name].shuffles:
            return None
        if name not in self._described:
            self._described[name] = self._judged(name)
        return self._described[name]

    def _judged(self, name: str) -> bool:
        # Notes look at fuzzy clusterings only. Of hard ones, models keep the sizes or do not.
        keeps_sizes = all(
            MODELS[name].saturated(partition) for partition in self.replaced if partition.is_hard
        )
        change = abs(self.adjusted(name) - self.adjusted("perm"))
        return (keeps_sizes or change < MATTERS) and self.case(name).misfit is None

    def adjusted(self, name: str) -> float:
        """Return the adjusted index under a model."""
        return self.comparisons[name].adjusted

    def compared(self, model: Model, question: Question | None = None) -> Comparison:
        """Compare under a model, perhaps one with options, or with another side fixed."""
        if question is None and str(model) in self.comparisons:
            # The notes of the comparison need not look again at what the rules have seen.
            find = partial(remarks_on, self.case(str(model)))
            return replace(self.comparisons[str(model)], find_remarks=find)
        asked = question or self.question
        outcome = compare_sides(self.sides, [model], asked)
        (comparison,) = with_misfits(outcome.comparisons, self.sides, asked)
        return comparison

    def hardened(self, comparison: Comparison) -> Hardened:
        """Return the adjusted index of the strongest clusters alone."""
        return hardened_index(comparison, self.question)

    def models(self, report: Comparison) -> tuple[ModelAdvice, ...]:
        """Return what is known of every model, and of the one to report."""
        rows = []
        for name in MODELS:
            rows.append(
                ModelAdvice(
                    model=name,
                    comparison=self.comparisons.get(name),
                    describes=self.describes(name),
                    same_as="cat" if name in self.same_as_cat else "",
                    refusal=self.refusals.get(name),
                )
            )
            setting = report.setting
            assert setting is not None
            if setting.model.name == name and report.model != name:
                rows.append(ModelAdvice(report.model, report, self.describes(name)))
        return tuple(rows)


def _sentence(error: FuzzyRandError) -> Sentence:
    return Sentence(error.template, error.fields)
