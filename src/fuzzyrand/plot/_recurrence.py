"""Plot of the clusters that recur in many runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .._base.naming import abbreviate
from ._charts.axes import LABEL_WIDTH
from ._charts.bands import Bands
from ._charts.spread_out import spread_out
from ._lettering import SMALL, TINY, fit, fold, plain, points_of, room_of, widest
from ._style import ground, hide, label_below, new_axes, palette

if TYPE_CHECKING:
    from ..results import Recurrence

#: Largest number of runs whose names are written.
NAMED = 40


def recurrence(result: Recurrence, ax: Any = None) -> Any:
    """Draw the clusters that recur: runs are columns, and each family is a band of one colour.

    Parameters
    ----------
    result : Recurrence
        Result of :func:`fuzzyrand.recurrence`.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; by default a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that hold the drawing.

    Raises
    ------
    MissingExtraError
        If Matplotlib is not installed.

    See Also
    --------
    fuzzyrand.recurrence : Compute what is drawn.
    memberships : Draw the memberships of all points in several runs.

    Notes
    -----
    A band is as thick as the cluster is large, and fades where the cluster is little like its
    family in other runs. A gap is a run that lacks it. Runs are ordered by their number of clusters
    and then by mode. Grey are families that recur no more often than by chance, and clusters that
    were found once; beyond 14 families, the others share a lane.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> import fuzzyrand as fr
    >>> result = fr.recurrence([[0, 0, 0, 1, 1, 1, 2, 2], [1, 1, 1, 0, 0, 0, 0, 0]])
    >>> [label.get_text() for label in fr.plot.recurrence(result).get_yticklabels()]
    ['family 0', 'family 1', 'found once']
    """
    chart = Bands.of(result)
    count = len(chart.runs)
    axes = new_axes(ax, recurrence_size(result))
    on = ground()
    colours = palette(chart.colours)
    for lane in chart.lanes:
        colour = on.faint if lane.colour is None else colours[lane.colour]
        axes.axhline(lane.middle, color=on.faint, alpha=0.35, linewidth=0.8, zorder=0)
        heights = [max(bar.size * lane.scale, 0.004) for bar in lane.bars]
        axes.bar(
            [bar.place for bar in lane.bars],
            heights,
            bottom=[lane.middle - 0.5 * height for height in heights],
            width=1.0 if count > 60 else 0.92,
            color=[_mixed(colour, bar.opacity, on.paper) for bar in lane.bars],
            linewidth=0.0,
        )
    axes.set_xlim(-0.5, count - 0.5)
    axes.set_ylim(1.02, -0.02)
    room = room_of(axes)
    below = _name_runs(axes, chart, room)
    # Names of thin lanes are smaller, and moved apart if that does not suffice.
    high = 0.8 * room[1] - below
    middles = np.array([lane.middle for lane in chart.lanes])
    gap = float(np.diff(middles).min(initial=1.0))
    line = max(min(1.2 * points_of(SMALL) / high, gap), 0.9 * points_of(TINY) / high)
    line = min(line, 0.98 / len(chart.lanes))
    middles = spread_out(middles, np.full(len(chart.lanes), line), 0.0, 1.0)
    small = min(points_of(SMALL), line * high)
    size = None if high / len(chart.lanes) > 1.6 * points_of() else small
    axes.set_yticks(middles, [lane.label for lane in chart.lanes], fontsize=size)
    right = axes.secondary_yaxis("right")
    details = [fold(plain(lane.detail), 0.35 * room[0], SMALL, 2) for lane in chart.lanes]
    right.set_yticks(middles, details, fontsize=small)
    right.tick_params(length=0)
    right.spines["right"].set_visible(False)
    axes.tick_params(length=0)
    _mark_levels(axes, chart, on.faint)
    order = f"{count} runs, by {'number of clusters and ' if chart.levels else ''}mode"
    label_below(axes, f"{order}; thick: large; faint: little like itself in other runs", SMALL)
    hide(axes, "top", "right", "bottom", "left")
    return axes


def _name_runs(axes: Any, chart: Bands, room: tuple[float, float]) -> float:
    """Write the names of runs, and return the height in points that they take if they are turned.

    Names and details of families take about half of the width of a narrow picture.
    """
    count = len(chart.runs)
    wide = 0.6 * room[0] / count
    if count > NAMED or wide < 0.9 * points_of(TINY):
        axes.set_xticks([])
        return 0.0
    size = SMALL if wide > 1.2 * points_of(SMALL) else TINY
    upright = widest(chart.runs, size) < wide
    names = fit(chart.runs, wide if upright else 0.4 * room[1], size)
    axes.set_xticks(range(count), names, rotation=0 if upright else 90, fontsize=size)
    return 0.0 if upright else widest(names, size)


def recurrence_size(result: Recurrence) -> tuple[float, float]:
    """Return the width and the height in inches of a figure."""
    chart = Bands.of(result)
    named = widest(abbreviate(chart.runs, LABEL_WIDTH), SMALL) / 72.0
    below = min(named, 1.2) if len(chart.runs) <= NAMED else 0.0
    width = min(max(7.0, 3.4 + 0.22 * len(chart.runs)), 12.0)
    return width, 1.4 + 0.42 * max(len(chart.lanes), 4) + below


def _mark_levels(axes: Any, chart: Bands, colour: Any) -> None:
    """Separate runs with different numbers of clusters, and write the numbers above."""
    if not chart.levels:
        return
    for level in chart.levels[1:]:
        axes.axvline(level.first - 0.5, color=colour, linewidth=0.8, alpha=0.6)
    top = axes.secondary_xaxis("top")
    places = [level.first + 0.5 * (level.runs - 1) for level in chart.levels]
    top.set_xticks(places, [str(level.clusters) for level in chart.levels], fontsize=SMALL)
    top.tick_params(length=0)
    top.spines["top"].set_visible(False)
    top.set_xlabel("clusters in the run", fontsize=SMALL)


def _mixed(colour: Any, opacity: float, paper: Any) -> Any:
    """Mix a colour with the paper; unlike transparency, this hides lines behind."""
    from matplotlib.colors import to_rgb

    front, back = to_rgb(colour), to_rgb(paper)
    return tuple(opacity * f + (1.0 - opacity) * b for f, b in zip(front, back, strict=True))
