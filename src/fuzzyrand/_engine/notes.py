"""Notes that a reader must know before quoting an adjusted index.

Each function looks for one reason not to take the number at face value, and returns a sentence, or
None if there is nothing to report. An unnecessary note is a fault as well, so effects that may be
due to chance are not reported.
"""

from __future__ import annotations

import math
from dataclasses import fields, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .._base.effort import Precision
from .._base.errors import FuzzyRandError
from .._base.estimate import Estimate
from .._base.streams import Stream
from .._base.wording import Option, Sentence
from .._blocks.rows import BlockPartition, some_rows
from .._distributions.atoms import Atoms
from .._inputs.common_points import left_out_notes
from .._inputs.noise_notes import noise_notes
from .._inputs.partition import Partition
from .._inputs.weights import weight_notes
from .._laws.base import Law
from .._laws.distance import atoms_of, distance
from .._laws.side import Side
from .._pairs.random_pairs import random_agreements
from ..indices import PairIndex, TableIndex
from ..models import Fit, Mixed, Model, Sym
from ..models.advice import RICHER
from .degenerate import nothing_to_compare
from .treatment_notes import treatment_note
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
#: Number of clusterings drawn for this, and most points of each.
REDRAWS, REDRAWN_POINTS = 29, 400
#: Fewest points of equal weight from which this is told.
FEW_POINTS = 30
#: Share of the distance from which a difference of the means is reported instead of the distance.
SHIFT = 0.3
NOTHING = 1e-12
#: Number of memberships up to which richer models are fitted just to see whether they fit.
QUICK_FIT = 100_000
#: Expected index of information from which the adjusted one should not be quoted without a word.
MUCH_CHANCE = 0.6
#: Factor between the expected and the actual number of clusters from which a note is due.
FAR = 3.0


def notes_on(case: Analysis) -> tuple[Sentence, ...]:
    """Return the notes that a reader must know before quoting the number of a comparison."""
    named = [(name, s.partition) for name, s in zip(("first", "second"), case.sides, strict=True)]
    notes = [
        *left_out_notes(named),
        *weight_notes(case.sides[0].partition),
        *noise_notes(named),
        nothing_to_compare(case),
        *(treatment_note(case.model, name, side, law) for name, side, law in case.replaced),
        _misfit(case),
        _plug_in_bias(case),
        _much_chance(case),
        *(_number_of_clusters(case, name, side) for name, side, _ in case.replaced),
    ]
    return tuple(note for note in notes if note is not None)


def _much_chance(case: Analysis) -> Sentence | None:
    """Note that random clusterings share nearly as much information as these can share."""
    index, chance = case.index, 1.0 - case.expected.value
    vanishes = isinstance(index, TableIndex) and index.vanishes_by_chance
    if case.model.shuffles or not vanishes or chance < MUCH_CHANCE or case.floor.value > 0.0:
        return None
    return Sentence.of(
        "the expected index under {model} is {chance:.2f}, which leaves little to measure: the "
        "adjusted index depends on chance more than on the clusterings.",
        chance=chance,
        model=case.model.name,
    )


# --- misfit --------------------------------------------------------------------------------------


def misfit_of(case: Analysis) -> Gap | None:
    """Return the side that the model describes so badly that it affects the value, if any.

    It is also None if no fuzzy clustering is replaced, or the index is not a mean over pairs.
    """
    if not isinstance(case.index, PairIndex):
        return None
    gaps = [
        _gap_of(case, name, side, law)
        for name, side, law in case.replaced
        if not side.partition.is_hard
    ]
    gaps = [gap for gap in gaps if gap.ratio > MAY_BE_CHANCE]
    if not gaps or not _matters(case, max(gap.distance for gap in gaps)):
        return None
    gaps = [gap for gap in gaps if gap.ratio > NO_CHANCE or _untypical(case, gap)]
    return max(gaps, key=lambda gap: gap.distance, default=None)


def misfit_of_expected(case: Analysis, expected: Estimate) -> Sentence | None:
    """Note that a model does not describe the clusterings, where only its expectation is used."""
    # As far as the expectation matters, the observed index may be anything: it is taken as equal.
    return _misfit(
        case.assuming(expected, observed=expected), "the expected index is about {expected:.3f}"
    )


def _misfit(
    case: Analysis, shuffled: str = "the adjusted index is about {adjusted:z.2f}"
) -> Sentence | None:
    """Note how much the value depends on how well the model describes the clusterings."""
    if not isinstance(case.index, PairIndex):
        return None
    judged = _judged(case)
    gap = None if judged is None else judged.misfit
    if gap is None:
        return None
    better = _richer_model(case, gap)
    advice = f" The model {better} describes it." if better and case.model.describes else ""
    under_perm = _observed_on(case, True, True)
    modelled, observed = f"{gap.model.mean:.2f}", f"{gap.observed.mean:.2f}"
    difference = (
        f"the mean co-membership of two points is {modelled} under the model and {observed} here"
        if modelled != observed and abs(gap.shift) > SHIFT * gap.distance
        else f"the misfit is {gap.distance:.2f}"
    )
    adjusted = case.adjusted_by(under_perm)
    return Sentence(
        "the model {model} describes the {side} clustering poorly: {difference}. Under perm, "
        + shuffled
        + ".{advice}",
        {
            "model": case.model.name,
            "side": gap.name,
            "difference": difference,
            "adjusted": adjusted,
            "expected": 1.0 - under_perm,
            "advice": advice,
        },
        weight=abs(adjusted - case.adjusted_by(case.expected.value)),
        kind=MISFIT,
    )


def _judged(case: Analysis) -> Analysis | None:
    """Return the analysis whose misfit speaks against the model; None if none can.

    ``sym`` is meant to differ in the sizes of clusters, but not in fuzziness: it is judged by
    ``fit``, which has both. Models are judged for indices that are means over pairs.
    """
    if not isinstance(case.index, PairIndex):
        return None
    if case.model.describes:
        return case
    if not isinstance(case.model, Sym) or all(s.partition.is_hard for _, s, _ in case.replaced):
        return None
    options = {field.name: getattr(case.model, field.name) for field in fields(case.model)}
    try:
        return _roughly_under(case, Fit(**options))
    except FuzzyRandError:  # it cannot be fitted here
        return None


def _roughly_under(case: Analysis, model: Model) -> Analysis:
    """Return the analysis under another model, with a rough expected discordance."""
    other = case.under(model, case.fixed)
    other.observed, other.expected = case.observed, Estimate(_rough(case, other.laws))
    return other


def _rough(case: Analysis, laws: tuple[Law, Law]) -> float:
    """Return the expected discordance of two laws from a few draws of each."""
    assert isinstance(case.index, PairIndex)
    one, two = (_quick_atoms(law, case.effort) for law in laws)
    return case.index.concordance.mean_between(one, two)[0]


def _observed_on(case: Analysis, first: bool, second: bool) -> float:
    """Return the expected discordance with observed laws on some sides, else the model's."""
    one, two = (
        side.pairs_law if observed else law
        for side, law, observed in zip(case.sides, case.laws, (first, second), strict=True)
    )
    return _rough(case, (one, two))


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


def _gap_of(case: Analysis, name: str, side: Side, law: Law) -> Gap:
    effort = case.effort
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


def _untypical(case: Analysis, gap: Gap) -> bool:
    """Return whether all clusterings drawn from the model are nearer to the refitted model."""
    if case.model.refit == "slow":
        return False
    which = 0 if gap.name == "first" else 1
    side, law, atoms = case.sides[which], case.laws[which], (gap.observed, gap.model)
    if side.partition.weights is not None:
        # Clusterings are drawn for points that count alike, as those of such a sample do.
        some = _of_equal_weight(side)
        if some is None:
            return False
        side, law = some, some.law(case.model)
        atoms = _quick_atoms(side.pairs_law, case.effort), _quick_atoms(law, case.effort)
    typical = typical_distances(
        side, case.model, law, atoms, repeats=REDRAWS, most_points=REDRAWN_POINTS
    )
    return typical is not None and typical.pvalue <= 1.0 / (1.0 + REDRAWS)


def _of_equal_weight(side: Side) -> Side | None:
    """Draw points in proportion to their weights, none of them twice; None if that leaves few."""
    weighting = side.partition.weighting
    assert weighting is not None
    size = int(1.0 / weighting.largest_share)
    if size < FEW_POINTS:
        return None
    points = weighting.represent(side.effort.stream(Stream.NOTES, 1), size)
    part = replace(side.partition.rows_of(points), weighting=None)
    return Side(part, side.index, side.effort)


def _matters(case: Analysis, largest: float) -> bool:
    """Return whether the value would change if observed laws replaced those of the model.

    The change counts if it occurs here, on one side or on both, or if it could occur with another
    clustering, since changes on two sides may cancel here. The distance between the laws bounds the
    possible change of an expectation.
    """
    value = case.adjusted_by(case.expected.value)
    room = case.expected.value - case.floor.value
    if room > 0.0 and largest / room * abs(1.0 - value) >= MAY_MATTER:
        return True
    sides = {"first": [(False, True)], "second": [(True, False)]}.get(
        case.fixed or "", [(True, False), (False, True), (True, True)]
    )
    return any(
        abs(case.adjusted_by(_observed_on(case, *replaced)) - value) >= MATTERS
        for replaced in sides
    )


def _deviations(side: Side, effort: Precision) -> tuple[float, float]:
    """Estimate the standard deviations of the mean agreement and of the agreement of a pair.

    The former is that of the mean agreement of a random sample of this many points.
    """
    index, partition = side.index, some_rows(side.partition)
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


def _richer_model(case: Analysis, gap: Gap) -> str:
    """Return the name of the first richer model that describes the clusterings, or ""."""
    partition = case.sides[0 if gap.name == "first" else 1].partition
    if isinstance(partition, BlockPartition) or not partition.fits_dense:
        return ""
    some_hard = bool((partition.strengths == 1.0).any())
    for model in RICHER:
        if type(model) is type(case.model) or (isinstance(model, Mixed) and not some_hard):
            continue
        if not isinstance(model, Mixed) and partition.n * partition.k > QUICK_FIT:
            continue
        try:
            richer = _roughly_under(case, model)
        except FuzzyRandError:  # it cannot be fitted here
            continue
        if richer.misfit is None:
            return model.name
    return ""


# --- plug-in bias --------------------------------------------------------------------------------


def _plug_in_bias(case: Analysis) -> Sentence | None:
    """Note by how much the value is too high because the model was fitted to few points."""
    if not case.excess:
        return None
    sentence = (
        "{model} was fitted to few points ({n}, in {k} clusters), which makes the adjusted index "
        "too high by about {excess:.2f}."
    )
    of_pairs = isinstance(case.index, PairIndex)
    if case.model.corrects_bias is not None and of_pairs:
        sentence += " {correct} corrects this."
    elif case.model.resamples_rows:
        sentence = (
            "{model} may draw the same point twice. With few points ({n}), this makes the adjusted "
            "index too high by about {excess:.2f}. Use {perm}."
        )
    else:
        sentence += " {perm} needs no fit."
    return Sentence.of(
        sentence,
        weight=case.excess,
        model=case.model.name,
        n=case.sides[0].partition.n,
        k=max(side.partition.k for _, side, _ in case.replaced),
        excess=case.excess,
        correct=Option("bias", "corrected"),
        perm=Option("model", "perm"),
    )


# --- number of clusters --------------------------------------------------------------------------


def far_from_typical(model: Model, partition: Partition) -> bool:
    """Return whether a model draws clusterings with far more or fewer clusters than there are."""
    typical = model.typical_clusters(partition)
    return typical is not None and not 1.0 / FAR <= typical / partition.occupied <= FAR


def _number_of_clusters(case: Analysis, name: str, side: Side) -> Sentence | None:
    """Note that a model draws clusterings with far more or fewer clusters than there are."""
    if not far_from_typical(case.model, side.partition):
        return None
    typical, present = case.model.typical_clusters(side.partition), side.partition.occupied
    assert typical is not None
    return Sentence.of(
        "{model} draws about {typical:,.0f} clusters, but the {side} clustering has {present:,}. "
        "{num} keeps the number of clusters, and 'cat' their sizes.",
        weight=abs(math.log(typical / present)),
        model=case.model.name,
        typical=typical,
        side=name,
        present=present,
        num=Option("model", "num"),
    )
