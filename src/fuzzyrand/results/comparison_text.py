"""What a comparison says in words, and as a table for notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from .._base.wording import Option, Sentence, Voice
from .._clusterings.points.common_points import left_out_line
from .._clusterings.weights import weight_line
from .result import html_table, paragraphs

if TYPE_CHECKING:
    from .comparison import Comparison

#: The model that shuffles the points, under which it makes no difference which side is fixed.
SHUFFLES = "perm"
OTHER_MODELS = Sentence.of("Other meanings of chance: {every}.", every=Option("model", "every"))
#: Numbers above this are printed as 1.
NEARLY_ONE = 0.99995


def comparison_lines(c: Comparison, voice: Voice) -> list[str]:
    """Return the lines that ``print`` shows, without notes."""
    fixed = "" if c.fixed is None else f", {c.fixed} clustering fixed"
    if fixed and c.model == SHUFFLES:
        fixed = " (the same whichever is fixed)"
    chance = c.model + fixed
    rows = (
        (f"observed {c.title}", c.observed, c.computed["observed"]),
        ("expected by chance", c.expected, f"{chance}; {c.computed['expected']}"),
        (f"adjusted {c.title}", c.adjusted, f"{c.accuracy}{_known_as(c)}"),
    )
    width = max(len(label) for label, _, _ in rows) + 2
    # Covers have no other model.
    others = c.model == SHUFFLES and not c.analysis.index.takes_covers
    return [
        *headlines(c),
        *(f"  {label:<{width}}{value:z8.4f}   {how}" for label, value, how in rows),
        *paragraphs([c.sentence, OTHER_MODELS.text(voice) if others else ""]),
    ]


def _known_as(c: Comparison) -> str:
    """Say what the adjusted index is usually called, where it has such a name."""
    hard = all(partition.is_hard for partition in c.analysis.partitions)
    usual = hard and c.model == SHUFFLES and c.weights is None
    return "; this is the adjusted Rand index" * (usual and c.analysis.index.equals_rand)


def verdict(c: Comparison) -> str:
    """Say how much the clusterings agree."""
    if c.expected >= 1.0 - 1e-14:
        return "Random clusterings match perfectly, too."
    if c.observed >= 1.0 - 1e-14 and c.maximum == 1.0:
        sampled = " sampled" if c.computed["observed_stderr"] > 0.0 else ""
        return f"They agree on every{sampled} pair of points; chance gives {c.expected:.3f}."
    if abs(c.adjusted) < max(0.005, 2.0 * c.stderr):
        return "They agree about as much as expected by chance."
    if c.adjusted < 0.0:
        return f"They agree less ({c.observed:.3f}) than expected by chance ({c.expected:.3f})."
    top = "a perfect match (1)"
    if c.maximum < 1.0:
        top = f"their mean self-similarity ({c.maximum:.3f})"
    return f"They close {c.adjusted:.0%} of the gap between chance ({c.expected:.3f}) and {top}."


def about_self_similarity(c: Comparison) -> Sentence | None:
    """Return a note that the index of a clustering with itself is below 1, if it is."""
    if c.self_similarities is None or min(c.self_similarities) > NEARLY_ONE:
        return None
    first, second = c.self_similarities
    scale = "{self} uses their mean in place of 1."
    if c.maximum < 1.0:
        scale = "An adjusted index of 1 stands for their mean, {maximum:.4f}."
    return Sentence(
        "the {index} of a fuzzy clustering with itself is below 1: {first:.4f} for the first "
        "and {second:.4f} for the second clustering. " + scale,
        {
            "index": c.title,
            "first": first,
            "second": second,
            "maximum": c.maximum,
            "self": Option("maximum", "self"),
        },
        weight=1.0 - min(first, second),
    )


def replaced_side(c: Comparison) -> str:
    """Return the words that name the replaced clustering, if it matters which one is replaced."""
    other = {"first": "second", "second": "first"}.get(c.held or "")
    return f"the {other} clustering replaced by " if other else ""


def headlines(c: Comparison, after: str = "") -> list[str]:
    """Return what was compared, followed by ``after``, and which points were left out, if any."""
    head = f"Two clusterings of {c.n:,} points: {c.clusterings[0]}; {c.clusterings[1]}{after}"
    lines = left_out_line(c.left_out, ("the first", "the second")), weight_line(c.weights)
    return [head, *(line for line in lines if line)]


def html_of(comparisons: Sequence[Comparison]) -> str:
    """Return the comparisons as a table for notebooks."""
    rows = (
        f"<td>{escape(c.model)}</td><td>{c.expected:z.4f}</td><td><b>{c.adjusted:z.4f}</b></td>"
        f"<td>{escape(c.accuracy)}</td><td style='text-align:left'>{escape(c.sentence)}</td>"
        for c in comparisons
    )
    first = comparisons[0]
    fixed = "" if first.fixed is None else f"; {escape(first.fixed)} clustering fixed"
    notes = dict.fromkeys(note for c in comparisons for note in c.notes)
    told = "".join(f"<p>Note: {escape(note)}</p>" for note in notes)
    caption = (
        f"{escape('; '.join(headlines(first)))}{fixed}. Observed {escape(first.title)}: "
        f"<b>{first.observed:.4f}</b>"
    )
    return html_table(caption, ("model", "expected", "adjusted", "", ""), rows) + told
