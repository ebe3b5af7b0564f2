"""Notes on what was inferred to have been done to memberships: cut, rounded, or listed by size."""

from __future__ import annotations

from typing import Any

from .._base.wording import Option, Sentence
from .._distributions.families import TreatedRows
from .._distributions.resolution import share_of_zeros
from .._inputs.treatment import Cut, Largest, Rounded, Treatment
from .._laws.base import Law
from .._laws.rows import RowPairs
from .._laws.side import Side
from ..models import Model

#: Share of all membership from which it is noted that this much was taken away.
MUCH_LOST = 0.2


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
        zeros=share_of_zeros(side.partition.rows_stored),
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
