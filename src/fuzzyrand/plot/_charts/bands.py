"""What the chart of many runs shows: a lane for each family, a bar in it for each run."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from ...results import Family, Recurrence

#: Largest number of families with a lane of their own.
LANES = 14
#: Gap between lanes, and least height of a lane, as shares of the heights of all lanes.
GAP, LEAST = 0.02, 0.035
#: Opacity of a cluster that correlates by 0.4 with its family elsewhere; that of 1 is opaque.
FAINT, LOOSE = 0.25, 0.4


class Bar(NamedTuple):
    """The clusters of a family in one run.

    Attributes
    ----------
    place : int
        Place of the run from the left, from 0.
    run : str
        Name of the run.
    size : float
        Points.
    opacity : float
        From 0 to 1: the firmer, the more opaque.
    clusters : str
        Labels of the clusters.
    """

    place: int
    run: str
    size: float
    opacity: float
    clusters: str


class Lane(NamedTuple):
    """A family, or what is left.

    Attributes
    ----------
    label, detail : str
        Names on the left, and what is said on the right.
    colour : int or None
        Number of the colour; None for grey.
    middle, height : float
        Position from the top and height, on a scale on which all lanes together are 1.
    scale : float
        Height of a point.
    bars : list of Bar
        The bars, from left to right.
    """

    label: str
    detail: str
    colour: int | None
    middle: float
    height: float
    scale: float
    bars: list[Bar]


class Level(NamedTuple):
    """Neighbouring runs with the same number of clusters: the number, first place, runs."""

    clusters: int
    first: int
    runs: int


@dataclass(frozen=True)
class Bands:
    """The chart of many runs.

    Attributes
    ----------
    lanes : list of Lane
        The lanes from top to bottom.
    runs : list of str
        Names of the runs from left to right: by number of clusters, then by mode.
    levels : list of Level
        Runs with the same number of clusters; empty if all have as many, or if there are too many.
    colours : int
        Number of colours.
    """

    lanes: list[Lane]
    runs: list[str]
    levels: list[Level]
    colours: int

    @classmethod
    def of(cls, result: Recurrence) -> Bands:
        """Lay out a result."""
        mode = {run: number for number, m in enumerate(result.modes) for run in m.runs}
        counts = dict(zip(result.runs, result.cluster_counts, strict=True))
        runs = sorted(result.runs, key=lambda run: (counts[run], mode[run]))
        ordered = [counts[run] for run in runs]
        levels = [
            Level(count, ordered.index(count), ordered.count(count))
            for count in dict.fromkeys(ordered)
        ]
        recurring = [f for f in result.families if f.runs > 1]
        own = {f.number: place for place, f in enumerate(recurring[:LANES])}
        bars = _bars(result, {run: place for place, run in enumerate(runs)}, own)
        parents = {c: f.number for f in result.families for c in f.children}
        # What is in a lane, its label, its detail and its colour.
        found: list[tuple[object, str, str, int | None]] = [
            (
                place,
                f"family {f.number}",
                _detail(f, len(runs), parents.get(f.number)),
                None if f.by_chance else place,
            )
            for place, f in enumerate(recurring[:LANES])
        ]
        if len(recurring) > LANES:
            found.append(("other", "other families", f"{len(recurring) - LANES} in all", None))
        once = len(result.families) - len(recurring)
        if once:
            found.append(("once", "found once", f"{once} cluster{'s' * (once != 1)}", None))
        lanes = _lanes(found, bars)
        return cls(lanes, runs, levels if 1 < len(levels) <= 20 else [], len(own))


def _detail(family: Family, total: int, parent: int | None) -> str:
    runs = family.runs
    share = f"all {total} runs" if runs == total else f"{runs} of {total} runs"
    if family.by_chance:
        return f"{share}, as by chance"
    return share if parent is None else f"{share}, part of {parent}"


def _bars(
    result: Recurrence, places: dict[str, int], own: dict[int, int]
) -> dict[object, list[Bar]]:
    """Return the bars of each lane."""
    runs = [f.runs for f in result.families]
    cells = defaultdict(list)
    for cluster in result.clusters:
        lane: object = own.get(cluster.family, "once" if runs[cluster.family] == 1 else "other")
        cells[lane, places[cluster.run]].append(cluster)
    bars = defaultdict(list)
    for (lane, place), clusters in sorted(cells.items(), key=lambda cell: cell[0][1]):
        size = sum(cluster.size for cluster in clusters)
        firm = sum(np.nan_to_num(cluster.firmness) * cluster.size for cluster in clusters) / size
        shade = FAINT + (1.0 - FAINT) * float(np.clip((firm - LOOSE) / (1.0 - LOOSE), 0.0, 1.0))
        labels = ", ".join(str(cluster.cluster) for cluster in clusters)
        opacity = 0.55 if isinstance(lane, str) else shade
        bars[lane].append(Bar(place, clusters[0].run, size, opacity, labels))
    return bars


def _lanes(
    found: list[tuple[object, str, str, int | None]], bars: dict[object, list[Bar]]
) -> list[Lane]:
    """Stack the lanes; each is as high as its largest bar, and none too low to be seen."""
    tops = [max(bar.size for bar in bars[key]) for key, *_ in found]
    free = 1.0 - GAP * max(len(found) - 1, 0)
    heights = np.maximum(np.array(tops) / sum(tops), LEAST)
    heights *= free / heights.sum()
    scale = min(height / top for height, top in zip(heights.tolist(), tops, strict=True))
    lanes, top = [], 0.0
    for (key, label, detail, colour), height in zip(found, heights.tolist(), strict=True):
        lanes.append(Lane(label, detail, colour, top + 0.5 * height, height, scale, bars[key]))
        top += height + GAP
    return lanes
