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
from ._colours import palette
from ._matplotlib import MORE, _axes, _plain

if TYPE_CHECKING:
    from ..results import Matching

#: Largest number of clusters for which cells have numbers.
NUMBERED = 20
#: Largest number of clusters that have names.
NAMED = 80


def overlap(matching: Matching, ax: Any = None) -> Any:
    """Draw how the clusters of two clusterings overlap, with partners on the diagonal.

    Parameters
    ----------
    matching : Matching
        Result of :func:`fuzzyrand.match`.
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
    flow : Draw the same as bands.
    fuzzyrand.match : Compute what is drawn.

    Notes
    -----
    Colours show shares of the clusters of a, so each row adds up to 1. Partners have a frame, and
    clusters without a partner come last. With up to 20 clusters, cells hold the overlap, a number
    of points, unless it rounds to zero; with up to 80, clusters have names.

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
    axes = _axes(ax, overlap_size(matching))
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.patches import Rectangle

    colours = LinearSegmentedColormap.from_list("share", ["white", MORE])
    image = axes.imshow(shares, cmap=colours, vmin=0.0, vmax=1.0, aspect="equal")
    labels = [_named(names, range(len(names))) for names in chart.names]
    size = 9.0 if max(amounts.shape) <= NUMBERED else 6.5
    for axis, names in zip((axes.yaxis, axes.xaxis), labels, strict=True):
        shown = names if len(names) <= NAMED else []
        axis.set_ticks(range(len(shown)), shown, fontsize=size)
        axis.set_tick_params(length=0)
    if _crowded(axes, labels[1], size):
        axes.tick_params(axis="x", rotation=90)
    for place in range(len(matching.pairs)):
        axes.add_patch(
            Rectangle((place - 0.5, place - 0.5), 1.0, 1.0, fill=False, edgecolor="black")
        )
    if max(amounts.shape) <= NUMBERED:
        _write_amounts(axes, amounts, shares, chart.whole)
    axes.set_ylabel("clusters of a")
    axes.set_xlabel("clusters of b")
    axes.figure.colorbar(image, ax=axes, shrink=0.8, label="share of the cluster of a")
    return axes


def overlap_size(matching: Matching) -> tuple[float, float]:
    """Return the width and the height in inches of a figure of overlaps."""
    down, across = (min(max(0.4 * count, 2.0), 8.5) for count in matching.overlap.shape)
    return across + 2.8, down + 1.4


def _crowded(axes: Any, names: Sequence[str], size: float) -> bool:
    """Return whether names beside each other would touch."""
    room = 72.0 * axes.bbox.width / axes.figure.dpi / max(len(names), 1)  # in points
    return bool(max(map(len, names), default=0) * 0.65 * size > 0.85 * room)


def _write_amounts(axes: Any, amounts: FloatArray, shares: FloatArray, whole: bool) -> None:
    texts = [f"{value:.0f}" if whole else f"{value:.1f}" for value in amounts.ravel()]
    size = 8.0 if max(map(len, texts)) <= 4 else 6.0
    for cell, ((i, j), share) in enumerate(np.ndenumerate(shares)):
        if float(texts[cell]) > 0.0:
            colour = "white" if share > 0.6 else "black"
            axes.text(j, i, texts[cell], ha="center", va="center", color=colour, fontsize=size)


def flow(matching: Matching, ax: Any = None) -> Any:
    """Draw how the points of the clusters of a are spread over the clusters of b, as bands.

    Parameters
    ----------
    matching : Matching
        Result of :func:`fuzzyrand.match`.
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
    overlap : Draw the same as a heat map.
    fuzzyrand.match : Compute what is drawn.

    Notes
    -----
    The width of a band is the overlap of its two clusters, and its colour is that of the cluster of
    a. Partners face each other. A cluster of b without a partner is grey, and its position is that
    of the cluster of a that it shares most points with, below the partner of that cluster. Bands
    between clusters that are not partners are left out if they hold less than 3% of both, and a
    line below the picture says how many. Clusters have names if there are at most 80.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> import fuzzyrand as fr
    >>> axes = fr.plot.flow(fr.match(["x", "x", "y", "y", "y"], [1, 1, 0, 0, 1]))
    >>> [text.get_text() for text in axes.texts]
    ['x', 'y', '1', '0']
    """
    most = max(matching.overlap.shape)
    height = min(max(4.0, 0.2 * most + 1.0), 13.0)
    axes = _axes(ax, (6.4, height))
    from matplotlib.patches import PathPatch, Rectangle
    from matplotlib.path import Path

    size = 9.0 if most <= 30 else 6.5
    line = 1.15 * size / 72.0 / (height - 0.8) if most <= NAMED else 0.0
    chart = FlowChart.of(matching, line)
    colours = palette(len(chart.sides[0]))
    for band in chart.bands:
        (top_a, top_b), width = band.tops, band.width
        corners = [
            (0.0, top_a), (0.5, top_a), (0.5, top_b), (1.0, top_b),
            (1.0, top_b + width), (0.5, top_b + width), (0.5, top_a + width), (0.0, top_a + width),
            (0.0, top_a),
        ]  # fmt: skip
        steps = [Path.MOVETO, *[Path.CURVE4] * 3, Path.LINETO, *[Path.CURVE4] * 3, Path.CLOSEPOLY]
        alpha = 0.7 if band.partners else 0.45
        axes.add_patch(
            PathPatch(Path(corners, steps), facecolor=colours[band.first], alpha=alpha, linewidth=0)
        )
    for side, blocks in enumerate(chart.sides):
        labels = _named([block.name for block in blocks], range(len(blocks)))
        for block, label in zip(blocks, labels, strict=True):
            colour = "0.6" if block.colour is None else colours[block.colour]
            at = (-0.03, 1.0)[side]
            axes.add_patch(
                Rectangle((at, block.start), 0.03, block.size, color=colour, linewidth=0)
            )
            if most <= NAMED:
                axes.text(
                    (-0.045, 1.045)[side], block.start + 0.5 * block.size, label,
                    ha=("right", "left")[side], va="center", fontsize=size,
                )  # fmt: skip
    axes.set_xlim(-0.04, 1.04)
    axes.set_ylim(chart.height + 0.5 * chart.least, 0.0)
    axes.set_xticks([-0.015, 1.015], ["a", "b"])
    axes.tick_params(axis="x", length=0)
    axes.set_yticks([])
    axes.spines[:].set_visible(False)
    if chart.omission:
        axes.set_xlabel(chart.omission, fontsize=8.0)
    return axes


def _named(names: Sequence[str], order: Sequence[int]) -> list[str]:
    """Return names in another order, short enough for an axis."""
    if not order:
        return []
    return [_plain(name) for name in abbreviate([names[place] for place in order], LABEL_WIDTH)]
