"""Plots of matched clusters with Matplotlib (``pip install "fuzzyrand[plot]"``)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .._base.naming import abbreviate
from .._base.types import FloatArray
from ._charts.axes import LABEL_WIDTH
from ._charts.flow import FlowChart
from ._charts.overlap import OverlapChart
from ._lettering import LINE, SMALL, TINY, fit, fold, plain, points_of, room_of, text_width, widest
from ._style import colour_bar, colour_map, ground, hide, label_below, new_axes, palette

if TYPE_CHECKING:
    from ..results import Matching

#: Largest number of clusters for which cells have numbers.
NUMBERED = 20
#: Largest number of clusters that have names.
NAMED = 80
#: Names of the two clusterings, unless others are given.
NAMES = "the first", "the second"
#: Most lines of a name in a flow.
LINES = 3


def overlap(matching: Matching, ax: Any = None, *, names: tuple[str, str] = NAMES) -> Any:
    """Draw how the clusters of two clusterings overlap, with partners on the diagonal.

    Parameters
    ----------
    matching : Matching
        Result of :func:`fuzzyrand.match`.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; by default a new figure.
    names : tuple of str, optional
        Names of the two clusterings.

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
    flow : Draw the same as bands.
    fuzzyrand.match : Compute what is drawn.

    Notes
    -----
    Colours show shares of the clusters of the first, so each row adds up to 1. Partners have a
    frame, and clusters without a partner come last. With up to 20 clusters, cells hold the overlap,
    a number of points, unless it rounds to zero or there is no room; with up to 80, clusters have
    names.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> import fuzzyrand as fr
    >>> axes = fr.plot.overlap(fr.match([0, 0, 1, 1, 1], [1, 1, 0, 0, 1]))
    >>> axes.images[0].get_array().round(2).tolist()
    [[1.0, 0.0], [0.33, 0.67]]
    """
    chart = OverlapChart.of(matching)
    amounts, shares = chart.amounts, chart.shares
    axes = new_axes(ax, overlap_size(matching))
    from matplotlib.patches import Rectangle  # Deferred: an extra.

    on = ground()
    image = axes.imshow(
        shares, cmap=colour_map(on.paper, on.observed), vmin=0.0, vmax=1.0, aspect="equal"
    )
    room = room_of(axes)
    cell = min(side / count for side, count in zip(room, shares.shape[::-1], strict=True))
    if ax is not None:  # names beside the map and the colour bar take their part
        names_too = widest(fit(chart.names[0], 0.4 * room[0], TINY), TINY)
        cell = min(cell, max(room[0] - names_too - 30.0, 0.3 * room[0]) / shares.shape[1])
    size = SMALL if cell > 1.2 * points_of(SMALL) else min(points_of(TINY), 0.9 * cell)
    upright = widest(chart.names[1], size) < 0.85 * cell
    for axis, side, share in ((axes.yaxis, 0, room[0]), (axes.xaxis, 1, room[1])):
        shown = chart.names[side] if len(chart.names[side]) <= NAMED and cell > 4.0 else []
        axis.set_ticks(range(len(shown)), fit(shown, 0.4 * share, size), fontsize=size)
        axis.set_tick_params(length=0)
    axes.tick_params(axis="x", rotation=0 if upright else 90)
    for place in range(len(matching.pairs)):
        axes.add_patch(
            Rectangle(
                (place - 0.5, place - 0.5), 1.0, 1.0, fill=False, edgecolor=on.ink,
                linewidth=1.2 if cell > 12.0 else 0.5,
            )
        )  # fmt: skip
    if max(amounts.shape) <= NUMBERED:
        _write_amounts(axes, amounts, shares, chart.whole, cell)
    first, second = names
    axes.set_ylabel(fold(f"clusters of {plain(first)}", 0.9 * room[1]))
    label_below(axes, f"clusters of {plain(second)}")
    colour_bar(axes, image, "share of the row")
    return axes


def overlap_size(matching: Matching) -> tuple[float, float]:
    """Return the width and the height in inches of a figure of overlaps."""
    down, across = (min(max(0.4 * count, 2.0), 8.5) for count in matching.overlap.shape)
    beside, below = (
        widest(abbreviate(names, LABEL_WIDTH), SMALL) / 72.0 if names else 0.0
        for names in matching.names
    )
    turned = below > 0.7 * across / matching.overlap.shape[1]
    return across + beside + 2.0, down + (below if turned else 0.2) + 0.6


def _write_amounts(
    axes: Any, amounts: FloatArray, shares: FloatArray, whole: bool, cell: float
) -> None:
    """Write the overlaps into cells with a given width in points, if they fit."""
    texts = [f"{value:.0f}" if whole else f"{value:.1f}" for value in amounts.ravel()]
    size = points_of(SMALL)
    size *= min(1.0, 0.85 * cell / max(widest(texts, SMALL), 1.0))
    if size < 0.8 * points_of(TINY):
        return
    on = ground()
    for number, ((i, j), share) in enumerate(np.ndenumerate(shares)):
        if float(texts[number]) > 0.0:
            colour = on.paper if share > 0.6 else on.ink
            axes.text(j, i, texts[number], ha="center", va="center", color=colour, fontsize=size)


def flow(matching: Matching, ax: Any = None, *, names: tuple[str, str] = NAMES) -> Any:
    """Draw how the points of the first clusters are spread over the second ones, as bands.

    Parameters
    ----------
    matching : Matching
        Result of :func:`fuzzyrand.match`.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; by default a new figure.
    names : tuple of str, optional
        Names of the two clusterings.

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
    overlap : Draw the same as a heat map.
    fuzzyrand.match : Compute what is drawn.

    Notes
    -----
    The width of a band is the overlap of its two clusters, and its colour is that of the first.
    Partners face each other. A second cluster without a partner is grey, and its position is that
    of the first cluster that it shares most points with, below the partner of that cluster. Bands
    between clusters that are not partners are left out if they hold less than 3% of both, and a
    line below the picture says how many. Clusters have names if there are at most 80.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> import fuzzyrand as fr
    >>> axes = fr.plot.flow(fr.match(["x", "x", "y", "y", "y"], [1, 1, 0, 0, 1]))
    >>> [text.get_text() for text in axes.texts]
    ['x', 'y', 'the first', '1', '0', 'the second']
    """
    most = max(matching.overlap.shape)
    axes = new_axes(ax, (6.4, min(max(4.0, 0.2 * most + 1.0), 13.0)))
    from matplotlib.patches import PathPatch, Rectangle  # Deferred: an extra.
    from matplotlib.path import Path

    width, height = room_of(axes)
    size = min(points_of(SMALL), 0.8 * height / most)
    named = most <= NAMED and size > 0.55 * points_of(SMALL)
    lines = int(np.clip(height / (most * LINE * size), 1, LINES))
    labels = [_in_lines(side, 0.36 * width, size, lines) for side in matching.names]
    used = max(label.count("\n") + 1 for label in (*labels[0], *labels[1]))
    chart = FlowChart.of(matching, LINE * used * size / height if named else 0.0)
    colours = palette(len(chart.sides[0]))
    for band in chart.bands:
        (top_a, top_b), thick = band.tops, band.width
        corners = [
            (0.0, top_a), (0.5, top_a), (0.5, top_b), (1.0, top_b),
            (1.0, top_b + thick), (0.5, top_b + thick), (0.5, top_a + thick), (0.0, top_a + thick),
            (0.0, top_a),
        ]  # fmt: skip
        steps = [Path.MOVETO, *[Path.CURVE4] * 3, Path.LINETO, *[Path.CURVE4] * 3, Path.CLOSEPOLY]
        alpha = 0.7 if band.partners else 0.45
        axes.add_patch(
            PathPatch(Path(corners, steps), facecolor=colours[band.first], alpha=alpha, linewidth=0)
        )
    wide = sum(widest(side, size) for side in labels) if named else 0.0
    inwards = sum(text_width(name) for name in names) < 0.6 * (width - wide)
    for side, blocks in enumerate(chart.sides):
        at, align = ((-0.03, "right"), (1.03, "left"))[side]
        for block in blocks:
            colour = "0.6" if block.colour is None else colours[block.colour]
            left = (-0.03, 1.0)[side]
            axes.add_patch(
                Rectangle((left, block.start), 0.03, block.size, color=colour, linewidth=0)
            )
            if named:
                axes.annotate(
                    labels[side][block.cluster], (at, block.start + 0.5 * block.size),
                    xytext=((-4.0, 4.0)[side], 0.0), textcoords="offset points", ha=align,
                    va="center", fontsize=size, annotation_clip=False,
                )  # fmt: skip
        # The name of a side is above the bands or, if it is long, above the names of its clusters.
        edge = (-0.03, 1.03) if inwards else (0.0, 1.0)
        axes.annotate(
            fold(plain(names[side]), 0.36 * width, None, 2), (edge[side], 1.0),
            xycoords=("data", "axes fraction"), xytext=(0.0, 4.0), textcoords="offset points",
            ha=("left", "right")[side] if inwards else align, va="bottom", fontweight="bold",
            annotation_clip=False,
        )  # fmt: skip
    axes.set_xlim(-0.04, 1.04)
    axes.set_ylim(chart.height + 0.5 * chart.least, 0.0)
    axes.set_xticks([])
    axes.set_yticks([])
    hide(axes, "top", "right", "bottom", "left")
    if chart.omission:
        label_below(axes, chart.omission, SMALL)
    return axes


def _in_lines(names: Sequence[str], room: float, size: float, lines: int) -> list[str]:
    """Return names that are broken into lines, and cut if that does not suffice."""
    folded = [fold(name, room, size, lines) for name in names]
    if lines > 1 and not any(" …" in name for name in folded):
        return [plain(name) for name in folded]
    return fit(names, room, size)
