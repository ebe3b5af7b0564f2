"""Clusterings between which there is nothing to compare: what is said of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._base.errors import NoValueError
from .._base.estimate import ROUNDING
from .._base.wording import Option, Sentence
from .._pairs.alike_pairs import all_apart, all_together
from ..models._laws.side import Side

if TYPE_CHECKING:
    from .analysis import Analysis


def nothing_to_compare(analysis: Analysis) -> Sentence | None:
    """Note that a clustering does not distinguish pairs of points, or that there is but one."""
    sides = analysis.sides
    if sides[0].partition.n == 2:
        return Sentence.of(
            "two points are a single pair, which cannot tell agreement from chance. Do not quote "
            "the adjusted index."
        )
    reasons = [_reason(side) for side in sides]
    if reasons[0] is None and reasons[1] is None:
        return _always_perfect(analysis)
    if reasons[0] == reasons[1]:
        where, reason = "both clusterings", reasons[0]
    else:
        where = "the first clustering" if reasons[0] else "the second clustering"
        reason = reasons[0] or reasons[1]
    return Sentence.of(
        "in {where}, {reason}, so there is nothing to compare. Do not quote the adjusted index.",
        where=where,
        reason=reason,
    )


def _always_perfect(analysis: Analysis) -> Sentence | None:
    """Note that chance agrees on every pair as well, and the value is 1 by convention."""
    if analysis.observed.value > ROUNDING or analysis.expected.value > ROUNDING:
        return None
    return Sentence.of(
        "all pairs of points have the same co-membership in both clusterings, up to rounding, so "
        "there is nothing to compare. Do not quote the adjusted index."
    )


def _reason(side: Side) -> str | None:
    partition = side.partition
    if all_together(partition):
        return "all points are in one cluster" if partition.is_hard else "all rows are identical"
    return "every point is a cluster of its own" if all_apart(partition) else None


def lost_in_rounding(analysis: Analysis) -> NoValueError:
    """Return the error for discordances that are too small to be compared."""
    index = analysis.index
    message = (
        "the adjusted index would be rounding error only: {index!r} is 1 to within "
        "{observed:.1g}, and its expected value under the model {model!r} to within {expected:.1g}."
    )
    if analysis.sides[0].partition.n == 2:
        message += " Two points are a single pair; compare more of them."
    elif index.name == "ndc":
        message += " Rows that differ so little cannot be compared."
    else:
        message += " {ndc} loses fewer digits; try it."
    return NoValueError(
        message,
        index=index.name,
        model=str(analysis.model),
        observed=analysis.observed.value,
        expected=analysis.expected.value,
        ndc=Option("index", "ndc"),
    )
