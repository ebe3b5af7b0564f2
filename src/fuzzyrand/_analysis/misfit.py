"""Whether a model describes the clusterings that it replaces, as far as the value depends on it."""

from __future__ import annotations

import math
from dataclasses import fields, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .._base.effort import Precision
from .._base.errors import FuzzyRandError
from .._base.estimate import Estimate
from .._base.streams import Stream
from .._base.wording import Sentence
from .._distributions.atoms import Atoms
from .._pairs.random_pairs import random_agreements
from ..indices import PairIndex
from ..models import Fit, Mixed, Model, Sym
from ..models._laws.base import Law
from ..models._laws.distance import atoms_of, distance
from ..models._laws.side import Side
from ..models.advice import RICHER
from .typical import typical_distances

if TYPE_CHECKING:
    from .analysis import Analysis

#: The kind of the note that a model does not describe the clusterings.
MISFIT = "misfit"
#: Smallest change of an adjusted index that is worth a note.
MATTERS = 0.02
#: The same for the largest possible change, with another clustering on the other side.
MAY_MATTER = 0.05
#: Number of agreements drawn from a law that has not been computed.
DRAWS = 1 << 14
#: Points, and partners of each, that show how much the mean agreement depends on the points.
POINTS, PARTNERS = 256, 64
#: Number of other rows that each drawn row is compared with when agreements are drawn.
PARTNERS_OF_A_ROW = 8
#: Distances, relative to the typical distance of another sample of points: up to the first, chance
#: may explain them; beyond the second, it cannot; in between, clusterings drawn from the model
#: decide.
MAY_BE_CHANCE, NO_CHANCE = 1.5, 3.5
#: Fewest points of equal weight from which this is told.
FEW_POINTS = 30
#: Share of the distance from which a difference of the means is reported instead of the distance.
SHIFT = 0.3
NOTHING = 1e-12


def misfit_of(analysis: Analysis) -> Gap | None:
    """Return the side that the model describes so badly that it affects the value, if any.

    It is also None if no fuzzy clustering is replaced, or the index is not a mean over pairs.
    """
    if not isinstance(analysis.index, PairIndex):
        return None
    gaps = [
        _gap_of(analysis, name, side, law)
        for name, side, law in analysis.replaced
        if not side.partition.is_hard
    ]
    gaps = [gap for gap in gaps if gap.ratio > MAY_BE_CHANCE]
    if not gaps or not _matters(analysis, max(gap.distance for gap in gaps)):
        return None
    gaps = [gap for gap in gaps if gap.ratio > NO_CHANCE or _untypical(analysis, gap)]
    return max(gaps, key=lambda gap: gap.distance, default=None)


def misfit_of_expected(analysis: Analysis, expected: Estimate) -> Sentence | None:
    """Note that a model does not describe the clusterings, where only its expectation is used."""
    # As far as the expectation matters, the observed index may be anything: it is taken as equal.
    return misfit_note(
        analysis.assuming(expected, observed=expected), "the expected index is about {expected:.3f}"
    )


def misfit_note(
    analysis: Analysis, shuffled: str = "the adjusted index is about {adjusted:z.2f}"
) -> Sentence | None:
    """Note how much the value depends on how well the model describes the clusterings."""
    if not isinstance(analysis.index, PairIndex):
        return None
    judged = _judged(analysis)
    gap = None if judged is None else judged.misfit
    if gap is None:
        return None
    better = _richer_model(analysis, gap)
    advice = f" The model {better} describes it." if better and analysis.model.describes else ""
    under_perm = _observed_on(analysis, True, True)
    modelled, observed = f"{gap.model.mean:.2f}", f"{gap.observed.mean:.2f}"
    difference = (
        f"the mean co-membership of two points is {modelled} under the model and {observed} here"
        if modelled != observed and abs(gap.shift) > SHIFT * gap.distance
        else f"the misfit is {gap.distance:.2f}"
    )
    adjusted = analysis.adjusted_by(under_perm)
    return Sentence(
        "the model {model} describes the {side} clustering poorly: {difference}. Under perm, "
        + shuffled
        + ".{advice}",
        {
            "model": analysis.model.name,
            "side": gap.name,
            "difference": difference,
            "adjusted": adjusted,
            "expected": 1.0 - under_perm,
            "advice": advice,
        },
        weight=abs(adjusted - analysis.adjusted_by(analysis.expected.value)),
        kind=MISFIT,
    )


def _judged(analysis: Analysis) -> Analysis | None:
    """Return the analysis whose misfit speaks against the model; None if none can.

    ``sym`` is meant to differ in the sizes of clusters, but not in fuzziness: it is judged by
    ``fit``, which has both. Models are judged for indices that are means over pairs.
    """
    if not isinstance(analysis.index, PairIndex):
        return None
    if analysis.model.describes:
        return analysis
    if not isinstance(analysis.model, Sym) or all(
        s.partition.is_hard for _, s, _ in analysis.replaced
    ):
        return None
    options = {field.name: getattr(analysis.model, field.name) for field in fields(analysis.model)}
    try:
        return _roughly_under(analysis, Fit(**options))
    except FuzzyRandError:  # it cannot be fitted here
        return None


def _roughly_under(analysis: Analysis, model: Model) -> Analysis:
    """Return the analysis under another model, with a rough expected discordance."""
    other = analysis.under(model, analysis.fixed)
    other.observed, other.expected = analysis.observed, Estimate(_rough(analysis, other.laws))
    return other


def _rough(analysis: Analysis, laws: tuple[Law, Law]) -> float:
    """Return the expected discordance of two laws from a few draws of each."""
    assert isinstance(analysis.index, PairIndex)
    one, two = (_quick_atoms(law, analysis.effort) for law in laws)
    return analysis.index.concordance.mean_between(one, two)[0]


def _observed_on(analysis: Analysis, first: bool, second: bool) -> float:
    """Return the expected discordance with observed laws on some sides, else the model's."""
    one, two = (
        side.pairs_law if observed else law
        for side, law, observed in zip(analysis.sides, analysis.laws, (first, second), strict=True)
    )
    return _rough(analysis, (one, two))


class Gap(NamedTuple):
    """Distance between the model and one side.

    Attributes
    ----------
    name : "first" or "second"
        The side.
    observed, model : Atoms
        The agreements of random pairs, as observed and under the model.
    distance : float
        Distance between the two laws.
    ratio : float
        The distance divided by the approximate distance of another sample of points.
    """

    name: str
    observed: Atoms
    model: Atoms
    distance: float
    ratio: float

    @property
    def shift(self) -> float:
        """Difference of the means, model minus observed."""
        return self.model.mean - self.observed.mean


def _gap_of(analysis: Analysis, name: str, side: Side, law: Law) -> Gap:
    effort = analysis.effort
    observed, model = (_quick_atoms(each, effort) for each in (side.pairs_law, law))
    apart = distance(observed, model)
    return Gap(name, observed, model, apart, apart / _noise(side, effort))


def _noise(side: Side, effort: Precision) -> float:
    """Return the approximate distance between the laws of two samples of this many points.

    It allows for laws that are estimated from a limited number of rows and pairs. A fitted law is
    nearer than that of another sample, so this errs on the safe side.
    """
    n = side.partition.n
    deviation, spread = _deviations(side, effort)
    by_points = deviation * math.sqrt(1.0 + n * PARTNERS_OF_A_ROW / DRAWS)
    by_points *= math.sqrt(n / side.partition.effective_n)
    return math.hypot(by_points, spread / math.sqrt(DRAWS)) + spread / n + NOTHING


def _untypical(analysis: Analysis, gap: Gap) -> bool:
    """Return whether all clusterings drawn from the model are nearer to the refitted model."""
    if analysis.model.refit == "slow":
        return False
    which = 0 if gap.name == "first" else 1
    side, law, atoms = analysis.sides[which], analysis.laws[which], (gap.observed, gap.model)
    if side.partition.weights is not None:
        # Clusterings are drawn for points that count alike, as those of such a sample do.
        some = _of_equal_weight(side)
        if some is None:
            return False
        side, law = some, some.law(analysis.model)
        atoms = _quick_atoms(side.pairs_law, analysis.effort), _quick_atoms(law, analysis.effort)
    budget = analysis.effort.budget
    redraws, points = budget.misfit_redraws, budget.misfit_points
    typical = typical_distances(
        side, analysis.model, law, atoms, repeats=redraws, most_points=points
    )
    return typical is not None and typical.pvalue <= 1.0 / (1.0 + redraws)


def _of_equal_weight(side: Side) -> Side | None:
    """Draw points in proportion to their weights, none of them twice; None if that leaves few."""
    weighting = side.partition.weighting
    assert weighting is not None
    size = int(1.0 / weighting.largest_share)
    if size < FEW_POINTS:
        return None
    points = weighting.represent(side.effort.stream(Stream.NOTES, 1), size)
    part = replace(side.partition.take(points), weighting=None)
    return Side(part, side.index, side.effort)


def _matters(analysis: Analysis, largest: float) -> bool:
    """Return whether the value would change if observed laws replaced those of the model.

    The change counts if it occurs here, on one side or on both, or if it could occur with another
    clustering, since changes on two sides may cancel here. The distance between the laws bounds the
    possible change of an expectation.
    """
    value = analysis.adjusted_by(analysis.expected.value)
    room = analysis.expected.value - analysis.floor.value
    if room > 0.0 and largest / room * abs(1.0 - value) >= MAY_MATTER:
        return True
    sides = {"first": [(False, True)], "second": [(True, False)]}.get(
        analysis.fixed or "", [(True, False), (False, True), (True, True)]
    )
    return any(
        abs(analysis.adjusted_by(_observed_on(analysis, *replaced)) - value) >= MATTERS
        for replaced in sides
    )


def _deviations(side: Side, effort: Precision) -> tuple[float, float]:
    """Estimate the standard deviations of the mean agreement and of the agreement of a pair.

    The former is that of the mean agreement of a random sample of this many points.
    """
    index, partition = side.index, side.partition.pilot
    assert isinstance(index, PairIndex)
    rng = effort.stream(Stream.NOTES)
    points = rng.choice(partition.n, size=min(partition.n, POINTS), replace=False)
    i = np.repeat(points, PARTNERS)
    j = (i + rng.integers(1, partition.n, size=i.size)) % partition.n
    agreements = random_agreements(partition, index.agreement, i, j)[0].reshape(-1, PARTNERS)
    between = float(agreements.mean(axis=1).var(ddof=1))
    within = float(agreements.var(axis=1, ddof=1).mean()) / PARTNERS
    deviation = 2.0 * math.sqrt(max(between - within, 0.0) / side.partition.n)
    return deviation, float(agreements.std())


def _quick_atoms(law: Law, effort: Precision) -> Atoms:
    return atoms_of(law, effort, DRAWS, visit=False)


def _richer_model(analysis: Analysis, gap: Gap) -> str:
    """Return the name of the first richer model that describes the clusterings, or ""."""
    partition = analysis.sides[0 if gap.name == "first" else 1].partition
    if not (partition.rows.in_memory and partition.rows.fits_dense):
        return ""
    some_hard = bool((partition.rows.largest == 1.0).any())
    quick = partition.n * partition.k <= analysis.effort.budget.quick_fit_entries
    for model in RICHER:
        if type(model) is type(analysis.model) or (isinstance(model, Mixed) and not some_hard):
            continue
        if not isinstance(model, Mixed) and not quick:
            continue
        try:
            richer = _roughly_under(analysis, model)
        except FuzzyRandError:  # it cannot be fitted here
            continue
        if richer.misfit is None:
            return model.name
    return ""
