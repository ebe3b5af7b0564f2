"""Notes that a reader must know before quoting an adjusted index.

Each function looks for one reason not to take the number at face value, and returns a sentence, or
None if there is nothing to report. An unnecessary note is a fault as well, so effects that may be
due to chance are not reported.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from .._base.wording import Option, Sentence
from .._clusterings.noise_notes import noise_notes
from .._clusterings.partition import Partition
from .._clusterings.points.common_points import left_out_notes
from .._clusterings.treatment import Cut, Largest, Rounded, Treatment
from .._clusterings.weights import weight_notes
from .._distributions.resolution import share_of_zeros
from .._distributions.row_families import TreatedRows
from ..indices import PairIndex, TableIndex
from ..models import Model
from ..models._laws.base import Law
from ..models._laws.row_pairs import RowPairs
from ..models._laws.side import SIDES, Side
from .degenerate import nothing_to_compare
from .misfit import misfit_note

if TYPE_CHECKING:
    from .analysis import Analysis

#: Expected index of information from which the adjusted one should not be quoted without a word.
MUCH_CHANCE = 0.6
#: Factor between the expected and the actual number of clusters from which a note is due.
FAR = 3.0
#: Share of all membership from which it is noted that this much was taken away.
MUCH_LOST = 0.2


def notes_on(analysis: Analysis) -> tuple[Sentence, ...]:
    """Return the notes that a reader must know before quoting the number of a comparison."""
    named = [(name, s.partition) for name, s in zip(SIDES, analysis.sides, strict=True)]
    notes = [
        *left_out_notes(named),
        *weight_notes(analysis.sides[0].partition),
        *noise_notes(named),
        nothing_to_compare(analysis),
        *(treatment_note(analysis.model, name, side, law) for name, side, law in analysis.replaced),
        misfit_note(analysis),
        _plug_in_bias(analysis),
        _much_chance(analysis),
        *(_number_of_clusters(analysis, name, side) for name, side, _ in analysis.replaced),
    ]
    return tuple(note for note in notes if note is not None)


def _much_chance(analysis: Analysis) -> Sentence | None:
    """Note that random clusterings share nearly as much information as these can share."""
    index, chance = analysis.index, 1.0 - analysis.expected.value
    vanishes = isinstance(index, TableIndex) and index.vanishes_by_chance
    if (
        analysis.model.shuffles
        or not vanishes
        or chance < MUCH_CHANCE
        or analysis.floor.value > 0.0
    ):
        return None
    return Sentence.of(
        "the expected index under {model} is {chance:.2f}, which leaves little to measure: the "
        "adjusted index depends on chance more than on the clusterings.",
        chance=chance,
        model=analysis.model.name,
    )


# --- memberships that were cut or rounded ---------------------------------------------------------


def treatment_note(model: Model, name: str, side: Side, law: Law) -> Sentence | None:
    """Note what the zeros of a clustering were taken for, if that was inferred."""
    if not (isinstance(law, RowPairs) and isinstance(law.rows, TreatedRows)):
        return None
    if getattr(model, "resolution", None) != "auto" or side.partition.is_hard:
        return None
    sentence, fields = _about(law.rows.treatment)
    if law.rows.lost > MUCH_LOST:
        sentence += (
            " Then {lost:.0%} of all membership is missing, which the model has to guess; {perm} "
            "and 'empirical' do not."
        )
    return Sentence.of(
        sentence,
        **fields,
        side=name,
        zeros=share_of_zeros(side.partition.rows),
        resolution=Option("resolution"),
        lost=law.rows.lost,
        perm=Option("model", "perm"),
    )


def _about(treatment: Treatment) -> tuple[str, dict[str, Any]]:
    """Return a sentence about a treatment, and its fields."""
    zeros = "{zeros:.0%} of the memberships of the {side} clustering are zero, "
    if isinstance(treatment, Rounded):
        return (
            zeros + "and the others look rounded to multiples of {unit:g}. Zeros are treated as "
            "rounded, and what the model draws is rounded likewise. {resolution} sets a limit for "
            "zeros instead.",
            {"unit": 10.0**-treatment.decimals},
        )
    if isinstance(treatment, Largest):
        return (
            "no point of the {side} clustering has more than {entries} non-zero memberships, and "
            "most have as many. Rows are treated as truncated to their {entries} largest "
            "memberships, and what the model draws is truncated likewise. {resolution} sets a "
            "limit for zeros instead.",
            {"entries": treatment.entries},
        )
    assert isinstance(treatment, Cut)
    return (
        zeros + 'and hardly any of the others is below {limit:.3g}. Zeros are treated as "below '
        '{limit:.3g}", and what the model draws is truncated likewise. {resolution} sets another '
        "limit.",
        {"limit": treatment.limit},
    )


# --- plug-in bias --------------------------------------------------------------------------------


def _plug_in_bias(analysis: Analysis) -> Sentence | None:
    """Note by how much the value is too high because the model was fitted to few points."""
    if not analysis.excess:
        return None
    sentence = (
        "{model} was fitted to few points ({n}, in {k} clusters), which makes the adjusted index "
        "too high by about {excess:.2f}."
    )
    of_pairs = isinstance(analysis.index, PairIndex)
    if analysis.model.corrects_bias is not None and of_pairs:
        sentence += " {correct} corrects this."
    elif analysis.model.resamples_rows:
        sentence = (
            "{model} may draw the same point twice. With few points ({n}), this makes the adjusted "
            "index too high by about {excess:.2f}. Use {perm}."
        )
    else:
        sentence += " {perm} needs no fit."
    return Sentence.of(
        sentence,
        weight=analysis.excess,
        model=analysis.model.name,
        n=analysis.sides[0].partition.n,
        k=max(side.partition.k for _, side, _ in analysis.replaced),
        excess=analysis.excess,
        correct=Option("bias", "corrected"),
        perm=Option("model", "perm"),
    )


# --- number of clusters --------------------------------------------------------------------------


def far_from_typical(model: Model, partition: Partition) -> bool:
    """Return whether a model draws clusterings with far more or fewer clusters than there are."""
    typical = model.typical_clusters(partition)
    return typical is not None and not 1.0 / FAR <= typical / partition.occupied <= FAR


def _number_of_clusters(analysis: Analysis, name: str, side: Side) -> Sentence | None:
    """Note that a model draws clusterings with far more or fewer clusters than there are."""
    if not far_from_typical(analysis.model, side.partition):
        return None
    typical, present = analysis.model.typical_clusters(side.partition), side.partition.occupied
    assert typical is not None
    return Sentence.of(
        "{model} draws about {typical:,.0f} clusters, but the {side} clustering has {present:,}. "
        "{num} keeps the number of clusters, and 'cat' their sizes.",
        weight=abs(math.log(typical / present)),
        model=analysis.model.name,
        typical=typical,
        side=name,
        present=present,
        num=Option("model", "num"),
    )
