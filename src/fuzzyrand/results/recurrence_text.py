"""What a result for many runs says in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from .._base.naming import shorten
from .._base.wording import Sentence, Voice, capitalised
from .numbers import listed, number_written
from .result import paragraphs

if TYPE_CHECKING:
    from .recurrence import Family, Recurrence

#: Largest p-value at which a family is called more frequent than chance.
LEVEL = 0.05
#: Number of runs below which a note says that they are few.
FEW_RUNS = 5
#: Mean firmness below which a note says that families may be incomplete: if none is in half of the
#: runs, and otherwise.
LOOSE, LOOSER = 0.6, 0.5
#: Median adjusted index above which runs without any family are called too noisy.
RELATED = 0.05
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


def notes_on(result: Recurrence) -> Iterator[Sentence]:
    """Say what a reader must know about the runs and their families."""
    runs = len(result.runs)
    if runs < FEW_RUNS:
        yield Sentence.of(
            "{runs} runs are few: the confidence intervals of the shares are wide. 20 runs "
            "or more are better.",
            runs=runs,
        )
    if result.common < result.n:
        yield Sentence.of(
            "points differ between runs: {common:,} of {n:,} are in all of them. Runs are "
            "compared on the points that they share.",
            common=result.common,
            n=result.n,
        )
    found, pairs = result.recurring, result.adjusted[np.triu_indices(runs, 1)]
    firmness = float(np.mean([f.firmness for f in found])) if found else 0.0
    if not found and np.median(pairs) > RELATED:
        yield Sentence.of(
            "the runs agree more than by chance (median adjusted index {median:.2f}), but "
            "no clusters of theirs correlate enough to count as the same. The runs may be "
            "too noisy to tell which clusters recur.",
            median=float(np.median(pairs)),
        )
    elif found and firmness < (LOOSE if found[0].share < 0.5 else LOOSER):
        yield Sentence.of(
            "clusters of the same family correlate weakly here (mean firmness "
            "{firmness:.2f}). With runs this noisy, families may be missed, or be listed "
            "as several.",
            firmness=firmness,
        )
    chance = sum(f.by_chance and f.runs > 1 for f in result.families)
    if chance:
        yield Sentence.of(
            "{chance} {families} marked with * recur{s} no more often than in runs whose "
            "points are shuffled (p > {level:g}), and may be due to chance.",
            chance=chance,
            families="family" if chance == 1 else "families",
            s="s" * (chance == 1),
            level=LEVEL,
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
    text = listed([f"{head} {verb} in {where}", *others])
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
        f"  {interval:<12}{family.size:>8,.0f}{number_written(family.firmness, 2):>10}"
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
