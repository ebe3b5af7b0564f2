"""Adjusted indices of clusterings drawn from a random model, which is refitted to each.

In place of each side that is not fixed, a clustering of the same size is drawn, the model is fitted
to it as it was to the original, and the adjusted index is computed. Whatever effect a fit to few
points has on the adjusted index, it also has on those of the draws, so their ranks are fair.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from ..._analysis import Analysis
from ..._analysis.discordance.expected import expected_discordance, moments_suffice
from ..._analysis.discordance.observed import Observed
from ..._analysis.rough_expectation import rough_expectation
from ..._base.errors import NotApplicableError
from ..._base.estimate import ROUNDING
from ..._base.streams import Stream
from ..._base.types import FloatArray
from ..._base.wording import Option
from ..._clusterings.noise import sample
from ..._clusterings.partition import Partition
from ..._pairs.all_pairs import visit_pairs
from ..._pairs.route import Route
from ...indices import PairIndex
from ...models import Model
from ...models._laws.base import Law
from ...models._laws.redraws import Redraws, try_to_fit
from ...models._laws.side import SIDES, Side, laws_of, prepare_sides

#: Wanted error of an expectation relative to the spread of draws; number of pilot draws that
#: estimate both; most batches.
SHARE, PILOTS, MOST_BATCHES = 0.25, 12, 64
#: Draws in a batch.
BATCH = 8
#: Number of points from which loading the compiled loops is worthwhile.
WORTH_COMPILING = 64
#: Key of the stream of pilot draws; keys of the draws for expectations: of the observed sides, of
#: their first repetition, and of the first drawn sides.
PILOT, OBSERVED, AGAIN, FIRST_DRAW = 1, 0, 1, 1 << 10
#: Differences of adjusted indices up to this are rounding.
TIE = 1e-12


class ModelNull:
    """The law of the adjusted index when clusterings are drawn from a model.

    Parameters
    ----------
    analysis : Analysis
        The clusterings under the model.

    Attributes
    ----------
    observed : float
        The adjusted index of the tested points, with the same Monte Carlo error as the draws.
    points : int
        Number of points tested.
    draws_slowly : bool
        Whether a draw takes so long that fewer are made by default.
    """

    tolerance = TIE

    def __init__(self, analysis: Analysis) -> None:
        model = analysis.model
        self._index = analysis.index
        # The draws share the threads; a single draw starts none.
        self._effort = replace(analysis.effort, n_threads=1)
        own = prepare_sides(_some_points(analysis), analysis.index, self._effort)
        self._own = own[0], own[1]
        self.points = own[0].partition.n
        self._laws = laws_of(self._own, model, analysis.fixed)
        self._redraws = [
            None if name == analysis.fixed else _redraws_of(side, model, law)
            for name, side, law in zip(SIDES, own, self._laws, strict=True)
        ]
        self._model, self._batches = model, 1
        self._require_draws()
        self._settle_batches()
        self.observed = self._adjusted(self._own, self._laws, OBSERVED)

    @property
    def draws_slowly(self) -> bool:
        """Whether each draw takes more than a few milliseconds."""
        return not all(side.partition.is_hard for side in self._own)

    @property
    def refits(self) -> bool:
        """Whether the model is refitted to its draws."""
        return any(redraws is not None and redraws.fitted for redraws in self._redraws)

    def _require_draws(self) -> None:
        """Refuse a model from which no clustering can be drawn."""
        rng = self._effort.stream(Stream.SIGNIFICANCE, 0)
        for redraws in self._redraws:
            if redraws is not None and not redraws.are_possible(rng):
                raise NotApplicableError(
                    "no clustering of these {n:,} points can be drawn from the model {model!r} at "
                    "low cost. Use {perm}.",
                    n=self.points,
                    model=self._model.name,
                    perm=Option("model", "perm"),
                )

    def _settle_batches(self) -> None:
        """Choose enough batches to make errors of expectations small next to the draws' spread."""
        index = self._index
        if not isinstance(index, PairIndex):
            return
        if moments_suffice(*self._laws, index.concordance) is not None:
            return
        pilot = [self._draw(number, PILOT) for number in range(PILOTS)]
        spread = float(np.std(pilot))
        again = [self._adjusted(self._own, self._laws, AGAIN + number) for number in range(PILOTS)]
        error = float(np.std(again))
        self._batches = (
            int(np.clip((error / (SHARE * spread)) ** 2, 1, MOST_BATCHES)) if spread else 1
        )

    def batch(self, number: int) -> FloatArray:
        """Return the adjusted indices of a batch of draws."""
        return np.array([self._draw(BATCH * number + place, 0) for place in range(BATCH)])

    def _draw(self, number: int, purpose: int) -> float:
        """Return the adjusted index of clusterings drawn from the model."""
        rng = self._effort.stream(Stream.SIGNIFICANCE, 1 + purpose, number)
        found = try_to_fit(lambda: self._drawn_index(number, rng))
        if found is not None:
            return found
        raise NotApplicableError(
            "the model {model!r} can hardly ever be refitted to clusterings of {n} points that are "
            "drawn from it, so there is no null distribution. {perm} needs no fit.",
            model=self._model.name,
            n=self.points,
            perm=Option("model", "perm"),
        )

    def _drawn_index(self, number: int, rng: np.random.Generator) -> float:
        """Draw clusterings in place of the sides that are not fixed; return the adjusted index."""
        first, second = (
            side
            if redraws is None
            else Side(redraws.draw_given_sizes(rng), side.index, side.effort)
            for side, redraws in zip(self._own, self._redraws, strict=True)
        )
        one, two = (
            law if redraws is None else redraws.law_of(side)
            for side, redraws, law in zip((first, second), self._redraws, self._laws, strict=True)
        )
        # The expectation of each draw has its own random numbers.
        return self._adjusted((first, second), (one, two), FIRST_DRAW + 2 * number)

    def _adjusted(self, sides: tuple[Side, Side], laws: tuple[Law, Law], key: int) -> float:
        effort, index = self._effort, self._index
        if isinstance(index, PairIndex):
            expected = rough_expectation(laws, index.concordance, effort, key, self._batches)
        else:
            expected = expected_discordance(sides, laws, lambda _: math.inf).value
        discordance = self._discordance(sides)
        if expected <= ROUNDING:
            raise NotApplicableError("all random clusterings agree perfectly here.")
        return 1.0 - discordance / expected

    def _discordance(self, sides: tuple[Side, Side]) -> float:
        """Return the observed discordance; compiled loops visit the pairs if that is needed."""
        first, second = (side.partition for side in sides)
        index = self._index
        few = first.is_hard or second.is_hard or self.points < WORTH_COMPILING
        if few or not isinstance(index, PairIndex):
            return Observed(sides).estimate.value
        seen = visit_pairs(
            Route.SURVEY,
            first,
            second,
            index.agreement,
            index.concordance,
            law_of_first=False,
            law_of_second=False,
            effort=self._effort,
        )
        return seen.discordance


def _redraws_of(side: Side, model: Model, law: Law) -> Redraws:
    rows = model.rows(side.partition, side.effort)
    return Redraws(side, model if rows is None else model.refit_as(rows), law, rows)


def _some_points(analysis: Analysis) -> tuple[Partition, Partition]:
    """Return the clusterings, or a random sample of their points if there are very many."""
    partitions, model = analysis.partitions, analysis.model
    fuzzy = [not partition.is_hard for partition in partitions]
    if model.draws_fuzzy:
        fuzzy = [
            name != analysis.fixed or is_fuzzy for name, is_fuzzy in zip(SIDES, fuzzy, strict=True)
        ]
    refit_points = model.refit_points if not all(p.is_hard for p in partitions) else None
    entries = sum(partition.rows.row_size for partition in partitions)
    all_pairs = all(fuzzy) and isinstance(analysis.index, PairIndex)
    budget = analysis.effort.budget
    most = budget.test_points
    if not all_pairs:
        most = max(budget.test_entries // entries, most)
    if refit_points is not None:
        most = min(most, refit_points)
    first, second = sample(partitions, most, analysis.effort.stream(Stream.SIGNIFICANCE, 4))
    return first, second
