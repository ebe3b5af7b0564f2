"""The report of many runs: which clusters come back, which runs agree, which points are loose."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..plot._charts.bands import Bands, Lane
from ..plot._charts.palette import palette
from ..results import Family, Recurrence
from .rendering import render

#: Largest numbers of families, modes and points that are listed.
FAMILIES, MODES, POINTS = 100, 50, 20
#: Height of a lane of average height, in pixels.
HEIGHT = 42
#: Lowest lane and lowest bar, in pixels.
LOWEST, THIN = 10.0, 1.5


def recurrence_report(result: Recurrence, *, command: str = "", stdin: bool = False) -> str:
    """Write the clusters that recur in many runs as an HTML page.

    Parameters
    ----------
    result : Recurrence
        Result of :func:`fuzzyrand.recurrence`.
    command : str
        The command line that gives the same result, which the page quotes.
    stdin : bool, default False
        Whether this command reads standard input. The page then says that it needs the same input.

    Returns
    -------
    str
        A complete HTML page, to be written as UTF-8. It loads nothing from the network.

    Raises
    ------
    MissingExtraError
        If Jinja2 is not installed.

    See Also
    --------
    fuzzyrand.plot.recurrence : Draw the families with Matplotlib.
    pairwise_report : Write a page about all pairs of clusterings.

    Examples
    --------
    >>> import fuzzyrand as fr
    >>> from fuzzyrand.report import recurrence_report
    >>> result = fr.recurrence([[0, 0, 0, 1, 1, 1, 2, 2], [1, 1, 1, 0, 0, 0, 0, 0]])
    >>> recurrence_report(result).count("<svg")  # two families, and a cluster found once
    3
    """
    chart = Bands.of(result)
    families = [f for f in result.families if f.runs > 1]
    order = np.argsort(result.points, kind="stable")
    loose = order[~np.isnan(result.points[order])][:POINTS].tolist()
    modes = [mode for mode in result.modes if len(mode.runs) > 1]
    counts = result.cluster_counts
    return render(
        "recurrence.html",
        title=f"Clusters that recur in {len(result.runs)} runs",
        result=result,
        chart=chart,
        lanes=[_Drawing.of(lane, chart, HEIGHT * len(chart.lanes)) for lane in chart.lanes],
        families=families[:FAMILIES],
        more=max(0, len(families) - FAMILIES),
        once=len(result.families) - len(families),
        parts=_parts,
        modes=modes[:MODES],
        more_modes=max(0, len(modes) - MODES),
        alone=len(result.modes) - len(modes),
        loose=[
            (result.ids[p], float(result.points[p]), int(result.home[p]), result.home_share[p])
            for p in loose
        ],
        runs=list(zip(*result.columns("runs").values(), strict=True)),
        clusters=f"{min(counts)}"
        if min(counts) == max(counts)
        else f"{min(counts)} to {max(counts)}",
        likeness=(float(result.likeness.min()), float(result.likeness.max())),
        notes=result.notes,
        command=command,
        stdin=stdin,
    )


@dataclass(frozen=True)
class _Drawing:
    """A lane as a drawing that stretches: its height in pixels, its colour and its bars."""

    lane: Lane
    height: float
    colour: str | None
    bars: list[tuple[int, float, float, float, str]]
    description: str

    @classmethod
    def of(cls, lane: Lane, chart: Bands, total: float) -> _Drawing:
        height = max(lane.height * total, LOWEST)
        bars = []
        for bar in lane.bars:
            tall = min(max(bar.size * lane.scale * total, THIN), height)
            title = f"{bar.run}: {bar.clusters}, {bar.size:,.0f} points"
            bars.append((bar.place, 0.5 * (height - tall), tall, bar.opacity, title))
        colours = palette(chart.colours)
        return cls(
            lane,
            height,
            None if lane.colour is None else colours[lane.colour],
            bars,
            f"{lane.label}: {lane.detail}",
        )


def _parts(family: Family) -> str:
    if not family.children:
        return ""
    said = " ".join(map(str, family.children))
    return said if family.splits_at is None else f"{said}, from {family.splits_at} clusters"
