"""What a result for many runs says in words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from .._base.naming import shorten
from .._base.wording import Voice, capitalised
from .result import paragraphs

if TYPE_CHECKING:
    from .recurrence import Family, Recurrence

#: Largest numbers of families and modes that are listed.
LISTED, MODES = 20, 5
#: What the columns mean.
LEGEND = (
    "Size: number of points. Firmness: mean correlation of the clusters of a family (1: the same "
    "points in every run). Core: points in it in at least 90% of its runs. By chance: number of "
    "families in as many runs if the points are shuffled. Parts: families into which it splits, "
    "and the number of clusters from which it does."
)
#: Width of names of runs.
NAME = 24


def recurrence_text(result: Recurrence, width: int, voice: Voice) -> str:
    """Return the text that ``print`` shows."""
    notes = (f"Note: {note.text(voice)}" for note in result.note_sentences)
    return "\n".join(
        [
            *paragraphs([headline(result)], width),
            *_families(result, width),
            *_modes(result, width),
            *paragraphs([_points(result), *notes], width),
        ]
    )


def headline(result: Recurrence) -> str:
    """Say which clusters come back, for readers who have never seen such a table."""
    runs, found = len(result.runs), result.recurring
    always = sum(f.runs == runs for f in found)
    often = sum(runs > f.runs >= 0.5 * runs for f in found)
    seldom = len(found) - always - often
    counts = [
        (always, f"in all of the {runs} runs" if runs > 2 else "in both runs"),
        (often, "in at least half of them" if always else f"in at least half of the {runs} runs"),
        (seldom, "in fewer" if always or often else f"in less than half of the {runs} runs"),
    ]
    said = [f"{count} cluster{'s' * (count != 1)} {where}" for count, where in counts if count]
    if not said:
        return (
            f"No cluster recurs in the {runs} runs more often than in runs whose points are "
            "shuffled."
        )
    verb = "recurs" if next(count for count, _ in counts if count) == 1 else "recur"
    first, *others = said
    head, _, where = first.partition(" in ")
    text = _listed([f"{head} {verb} in {where}", *others])
    return f"{text}. {_by_chance(result)}"


def _by_chance(result: Recurrence) -> str:
    found, times = result.recurring, f"{result.draws:,} times"
    most, fewest = max(f.expected for f in found), min(f.runs for f in found)
    if most == 0.0:
        return f"If the points of each run are shuffled ({times}), no cluster does."
    return (
        f"If the points of each run are shuffled ({times}), {most:.2g} clusters recur in {fewest} "
        "runs or more, on average."
    )


def _families(result: Recurrence, width: int) -> list[str]:
    shown = [f for f in result.families if f.runs > 1][:LISTED]
    once = sum(f.runs == 1 for f in result.families)
    more = len(result.families) - once - len(shown)
    lines = []
    if shown:
        lines.append("family  runs  share  95% CI          size  firmness   core  by chance  parts")
        lines += [_line(f, width) for f in shown]
        lines += paragraphs([LEGEND], width)
    rest = [
        f"{more} more recur less often" if more else "",
        f"{once} cluster{'s were' if once != 1 else ' was'} found in one run only" if once else "",
    ]
    said = "; ".join(part for part in rest if part)
    return lines + paragraphs([f"{capitalised(said)}." if said else ""], width)


def _line(family: Family, width: int) -> str:
    low, high = family.interval
    interval = f"{low:.2f} to {high:.2f}"
    parts = " ".join(map(str, family.children))
    if family.splits_at is not None:
        parts += f" (from {family.splits_at})"
    line = (
        f"{family.number:>6}{'*' if family.by_chance else ' '}{family.runs:>5}{family.share:>7.2f}"
        f"  {interval:<12}{family.size:>8,.0f}{_number(family.firmness):>10}"
        f"{len(family.core):>7,}{family.expected:>11.2g}  {parts}"
    ).rstrip()
    return line if len(line) <= width else f"{line[: width - 2].rstrip()} …"


def _modes(result: Recurrence, width: int) -> list[str]:
    runs, level = len(result.runs), f"an adjusted index of at least {result.alike:g}"
    several = [mode for mode in result.modes if len(mode.runs) > 1]
    if not several:
        most = result.adjusted[~np.eye(runs, dtype=bool)].max()
        return paragraphs([f"No two runs have {level}; the largest is {most:.2f}."], width)
    if len(several[0].runs) == runs:
        return paragraphs([f"All runs agree: any two have {level}."], width)
    alone = runs - sum(len(mode.runs) for mode in several)
    lines = paragraphs([f"Groups of runs that agree (any two have {level}):"], width)
    for mode in several[:MODES]:
        count = len(mode.runs)
        names = ", ".join(shorten(name, NAME) for name in mode.runs)
        line = f"  {count:>4} of {runs} runs: {names}"
        if len(line) > width:
            line = f"  {count:>4} of {runs} runs, most typical: {shorten(mode.medoid, NAME)}"
        lines.append(line)
    rest = [
        f"{len(several) - MODES} more such groups" if len(several) > MODES else "",
        f"{alone} run{'s' * (alone != 1)} that agree{'s' * (alone == 1)} with no other"
        if alone
        else "",
    ]
    said = " and ".join(part for part in rest if part)
    return [*lines, *([f"  and {said}"] if said else [])]


def _points(result: Recurrence) -> str:
    known = result.points[~np.isnan(result.points)]
    if not known.size:
        return "No point is in two runs."
    loose = int(np.count_nonzero(known < 0.5))
    return (
        f"Points have a mean firmness of {known.mean():.2f} (1: together with the same points in "
        f"all runs, 0: chance); {loose:,} of {known.size:,} are below 0.5."
    )


def _number(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:z.2f}"


def _listed(items: Sequence[str]) -> str:
    *others, last = items
    return f"{', '.join(others)} and {last}" if others else last
