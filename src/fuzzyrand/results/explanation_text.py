"""What an explanation says in words: the lowest scores, and how the clusterings differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import fill
from typing import TYPE_CHECKING

from .._base.naming import shorten
from .._clusterings.points.rows_of_points import are_numbered
from .comparison_text import headlines
from .frames import rows_of
from .result import WIDTH, paragraphs
from .worst_points import lowest

if TYPE_CHECKING:
    from .explanation import Explanation

SIDES = ("first", "second")
#: Numbers of points and of clusters of each side that are printed.
POINTS, CLUSTERS = 5, 3
#: What the scores are.
SCORES = "It is the mean of the scores of all points (1: perfect agreement, 0: chance)."


def explanation_lines(result: Explanation) -> list[str]:
    """Return the lines that ``print`` shows, without notes."""
    numbered = " (counted from 0)" if are_numbered(result.partitions) else ""
    return [
        *headlines(result.comparison),
        *paragraphs([f"{result.sentence} {SCORES}"]),
        f"Clusters with the lowest scores (means of their points{_counted(result)}):",
        *(_side_line(side, _lowest(result, side)) for side in (0, 1)),
        f"Points with the lowest scores{numbered}:",
        str(result.worst(POINTS)),
        *_left_out(result),
        *paragraphs(result.reasons),
    ]


def difference_sentence(result: Explanation) -> str:
    """Say how the clusterings differ."""
    if result.difference == "nothing":
        return "They hardly differ."
    if all(side.is_hard for side in result.partitions):
        return "They differ in structure only: both are hard."
    if result.mean_agreements and any(side.cover for side in result.partitions):
        first, second = result.mean_agreements
        return (
            f"They differ in structure. On average, two points share {first:.3g} clusters in "
            f"the first clustering and {second:.3g} in the second."
        )
    other = result.hardened_model != result.comparison.model
    numbers = (
        f"if each point belongs to its strongest cluster alone, the adjusted index is "
        f"{result.hardened:z.3f}{f' (under {result.hardened_model})' if other else ''} instead of "
        f"{result.adjusted:z.3f}"
    )
    agreements = ""
    if result.mean_agreements is not None:
        first, second = result.mean_agreements
        agreements = (
            f" The mean co-membership of two points is {first:.2f} in the first clustering and "
            f"{second:.2f} in the second."
        )
    if result.difference == "fuzziness":
        return f"They differ in fuzziness rather than in structure: {numbers}.{agreements}"
    if result.difference == "structure":
        return f"They differ in structure rather than in fuzziness: {numbers}."
    return f"They differ in structure and in fuzziness: {numbers}.{agreements}"


def _counted(result: Explanation) -> str:
    """Say whose clusters have no names."""
    sides = zip(SIDES, result.partitions, strict=True)
    unnamed = [side for side, run in sides if run.names is None]
    whose = f"those of the {unnamed[0]} are " if len(unnamed) == 1 else ""
    return f"; {whose}counted from 0" if unnamed else ""


def _lowest(result: Explanation, side: int) -> list[str]:
    scores, sizes, names = result.clusters[side], result.sizes[side], result.names[side]
    return [
        f"{shorten(names[c], 16)} {scores[c]:z.2f} ({_size(sizes[c])})"
        for c in lowest(scores, CLUSTERS).tolist()
    ]


def _left_out(result: Explanation) -> Iterator[str]:
    """Yield the clusters that lost most, if points were left out."""
    if not any(result.left_out):
        return
    yield "Clusters that lost the largest shares of their points (not in all clusterings):"
    rows = [row for row in rows_of(result.columns("left_out")) if row["share"] > 0.0]
    rows.sort(key=lambda row: -row["share"])
    for side, name in enumerate(SIDES):
        lost = [
            f"{shorten(row['cluster'], 16)} {row['share']:.0%} of {_size(row['size'])}"
            for row in rows
            if row["side"] == name
        ]
        yield _side_line(side, lost[:CLUSTERS])


def _side_line(side: int, clusters: Sequence[str]) -> str:
    """Return a line on some clusters of a side."""
    line = f"  {SIDES[side] + ':':<8} {'; '.join(clusters) or 'none'}"
    return fill(line, WIDTH, subsequent_indent=" " * 11)


def _size(size: float) -> str:
    whole = abs(size - round(size)) < 1e-9
    number = f"{size:,.0f}" if whole else f"{size:,.1f}"
    return f"{number} point{'s' * (number != '1')}"
