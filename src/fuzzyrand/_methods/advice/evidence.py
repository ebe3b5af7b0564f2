"""The evidence for choosing a model: two clusterings under all models."""

from __future__ import annotations

from ..._analysis import Analysis, analyse_models
from ..._analysis.misfit import MATTERS
from ..._base.errors import FuzzyRandError, NotApplicableError
from ..._base.wording import Sentence
from ..._clusterings.partition import Partition
from ...models import MODELS, Generalised, Kernel, Mixture, Model
from ...models._laws.side import SIDES, Side
from ...results import Comparison
from ...results.advice import ModelAdvice
from ..explanation.hardened import Hardened, hardened_index

#: Models that are slow for many memberships or clusters.
SLOW = (Generalised, Mixture, Kernel)


class Evidence:
    """Two clusterings under all models that apply, with the facts that the rules need.

    Parameters
    ----------
    sides : pair of Side
        The clusterings, with index and effort.
    fixed : None, "first" or "second"
        The side that is not replaced.
    """

    def __init__(self, sides: tuple[Side, Side], fixed: str | None) -> None:
        self.sides, self.fixed, self.index = sides, fixed, sides[0].index
        #: Reasons why models are not in ``comparisons``, by name.
        self.refusals: dict[str, Sentence] = {}
        #: Models that equal ``cat`` for these clusterings.
        self.same_as_cat = [m.name for m in MODELS.values() if self.hard and m.refines_cat]
        models = [m for m in MODELS.values() if m.name not in self.same_as_cat and self._tries(m)]
        analyses, refusals = analyse_models(sides, models, fixed, skip=True)
        self.refusals |= {name: _sentence(error) for name, error in refusals.items()}
        #: The comparison under each model, by name.
        self.comparisons = {
            str(analysis.model): Comparison.of(analysis, with_misfit=True) for analysis in analyses
        }
        self._described: dict[str, bool | None] = {}

    def _tries(self, model: Model) -> bool:
        """Return whether a model is tried; if not, store the reason."""
        try:
            for partition in self.replaced:
                model.require_applicable(partition, self.index)
        except NotApplicableError as error:
            self.refusals[model.name] = _sentence(error)
            return False
        slow = isinstance(model, SLOW)
        budget = self.sides[0].effort.budget
        most = budget.quick_fit_entries if slow else budget.full_fit_entries
        for partition in self.replaced:
            n, k = partition.n, partition.k
            if partition.is_hard or not model.refines_cat:
                continue
            if n * k > most or (slow and k > budget.quick_fit_clusters):
                self.refusals[model.name] = Sentence.of(
                    "not tried, because it takes long for {n:,} points in {k:,} clusters.", n=n, k=k
                )
                return False
        return True

    # --- the clusterings -------------------------------------------------------------------------

    @property
    def replaced(self) -> list[Partition]:
        """The clusterings that are replaced by random ones."""
        named = zip(SIDES, self.sides, strict=True)
        return [side.partition for name, side in named if name != self.fixed]

    @property
    def hard(self) -> bool:
        """Whether all replaced clusterings are hard."""
        return all(partition.is_hard for partition in self.replaced)

    @property
    def both_hard(self) -> bool:
        """Whether both clusterings are hard, including one that is not replaced."""
        return all(side.partition.is_hard for side in self.sides)

    @property
    def possibilistic(self) -> bool:
        """Whether a replaced clustering has rows that do not sum to 1."""
        return any(partition.possibilistic for partition in self.replaced)

    @property
    def hard_rows(self) -> float:
        """The largest share of hard rows in a fuzzy clustering that is replaced."""
        fuzzy = [partition for partition in self.replaced if not partition.is_hard]
        return max((float((p.rows.largest == 1.0).mean()) for p in fuzzy), default=0.0)

    # --- the models ------------------------------------------------------------------------------

    def applies(self, name: str) -> bool:
        """Whether there is a value under a model."""
        return name in self.comparisons

    def bias(self, name: str) -> float:
        """Return by how much the value is too high because a model was fitted to few points."""
        return self.comparisons[name].analysis.excess if self.applies(name) else 0.0

    def describes(self, name: str) -> bool | None:
        """Whether a model describes the clusterings closely enough for the value.

        It does if :func:`compare` would have no note on its misfit. None if there is no value under
        the model, and for ``perm``, which draws the clusterings themselves.
        """
        if not self.applies(name) or MODELS[name].shuffles:
            return None
        if name not in self._described:
            self._described[name] = self._fits_closely(name)
        return self._described[name]

    def _fits_closely(self, name: str) -> bool:
        # Notes look at fuzzy clusterings only. For hard ones, a model either keeps the sizes or
        # does not.
        keeps_sizes = all(
            MODELS[name].saturated(partition) for partition in self.replaced if partition.is_hard
        )
        change = abs(self.adjusted(name) - self.adjusted("perm"))
        return (keeps_sizes or change < MATTERS) and self.comparisons[name].analysis.misfit is None

    def adjusted(self, name: str) -> float:
        """Return the adjusted index under a model."""
        return self.comparisons[name].adjusted

    def compared(self, model: Model) -> Comparison:
        """Compare under a model, perhaps one with options."""
        known = self.comparisons.get(str(model))
        return self.with_fixed(model, self.fixed) if known is None else known

    def with_fixed(self, model: Model, fixed: str | None) -> Comparison:
        """Compare under a model with another side fixed."""
        return Comparison.of(Analysis(self.sides, model, fixed), with_misfit=True)

    def hardened(self, comparison: Comparison) -> Hardened:
        """Return the adjusted index with each point in its strongest cluster only."""
        return hardened_index(comparison.analysis)

    def models(self, report: Comparison) -> tuple[ModelAdvice, ...]:
        """Return the findings on every model, and on the one to report."""
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
            if report.analysis.model.name == name and report.model != name:
                rows.append(ModelAdvice(report.model, report, self.describes(name)))
        return tuple(rows)


def _sentence(error: FuzzyRandError) -> Sentence:
    return Sentence(error.template, error.fields)
