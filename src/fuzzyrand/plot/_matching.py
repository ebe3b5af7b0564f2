"""Plots of matched clusters with Matplotlib (``pip install "fuzzyrand[plot]"``)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .._base.errors import InputError, MissingExtraError
from .._base.naming import abbreviate
from .._base.types import FloatArray
from .._inputs.named import read_named
from .._inputs.options import InputOptions
from .._matching.series import common_order, in_common_order, most_central
from ._charts.axes import LABEL_WIDTH
from ._charts.flow import FlowChart
from ._charts.memberships import MembershipBars
from ._charts.overlap import OverlapChart
from ._charts.palette import palette
from ._matplotlib import OBSERVED, _axes, _plain

if TYPE_CHECKING:
    from ..results import Alignment, Matching

#: Clusters up to which cells have numbers and colours have a legend.
NUMBERED = 20
#: Clusters up to which they have names.
NAMED = 80
#: Bars up to which each point has its own.
BARS = 2000


def overlap(matching: Matching, ax: Any = None) -> Any:
    """Draw how the clusters of two clusterings overlap, with partners on the diagonal.

    Parameters
    ----------
    matching : Matching
        Result of :func:`fuzzyrand.match`.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default a new figure.

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
    Colours are shares of the clusters of a, so that each row adds up to 1. Partners have a frame,
    and clusters without one come last. Up to 20 clusters, cells hold the overlap, a number of
    points; up to 80, clusters have names.

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

    colours = LinearSegmentedColormap.from_list("share", ["white", OBSERVED])
    image = axes.imshow(shares, cmap=colours, vmin=0.0, vmax=1.0, aspect="equal")
    labels = [_named(names, range(len(names))) for names in chart.names]
    size = 9.0 if max(amounts.shape) <= NUMBERED else 6.5
    for axis, names in zip((axes.yaxis, axes.xaxis), labels, strict=True):
        shown = names if len(names) <= NAMED else []
        axis.set_ticks(range(len(shown)), shown, fontsize=size)
        axis.set_tick_params(length=0)
    if max(map(len, labels[1]), default=0) > 3:
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


def _write_amounts(axes: Any, amounts: FloatArray, shares: FloatArray, whole: bool) -> None:
    texts = [f"{value:.0f}" if whole else f"{value:.1f}" for value in amounts.ravel()]
    size = 8.0 if max(map(len, texts)) <= 4 else 6.0
    for cell, ((i, j), share) in enumerate(np.ndenumerate(shares)):
        if amounts[i, j] > 0.0:
            colour = "white" if share > 0.6 else "black"
            axes.text(j, i, texts[cell], ha="center", va="center", color=colour, fontsize=size)


def memberships(runs: Alignment | Mapping[str, Any] | Iterable[Any], axes: Any = None) -> Any:
    """Draw the memberships of all points in one or more clusterings, as stacked bars.

    Each point has a narrow bar, and each clustering a row. A cluster has the same colour in all
    rows.

    Parameters
    ----------
    runs : Alignment, dict or list
        Result of :func:`fuzzyrand.align`, or clusterings, which are aligned first.
    axes : sequence of matplotlib.axes.Axes, optional
        Where to draw, one for each clustering; by default a new figure.

    Returns
    -------
    list of matplotlib.axes.Axes
        The axes that hold the drawing.

    Raises
    ------
    InputError
        If there are not as many axes as clusterings.
    MissingExtraError
        If Matplotlib is not installed.

    See Also
    --------
    fuzzyrand.align : Bring clusters into a common order.
    simplex : Draw the memberships in two or three clusters.

    Notes
    -----
    Points are in the order of the first clustering: by main cluster, then by the membership in it.
    Of more than 2,000 points, neighbours share a bar with their mean memberships.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> import fuzzyrand as fr
    >>> soft = [[0.9, 0.1], [0.2, 0.8], [0.6, 0.4]]
    >>> axes = fr.plot.memberships({"soft": soft, "hard": [1, 0, 1]})
    >>> [ax.get_ylabel() for ax in axes]
    ['soft', 'hard']
    """
    matrices, names = _aligned(runs)
    if axes is None:
        axes = _rows_of_axes(len(matrices))
    axes = list(np.ravel(np.asarray(axes, dtype=object)))
    if len(axes) != len(matrices):
        raise InputError(
            "{axes} axes for {runs} clusterings; give one for each.",
            axes=len(axes),
            runs=len(matrices),
        )
    first = next(iter(matrices.values()))
    chart, n = MembershipBars.of(first, BARS), len(first)
    colours = palette(len(names))
    titles = abbreviate(list(matrices), LABEL_WIDTH)
    for ax, title, rows in zip(axes, titles, matrices.values(), strict=True):
        bars = chart.means(rows)
        tops = np.cumsum(bars, axis=1)
        below = np.zeros(len(bars))
        for column, colour in enumerate(colours):
            if bars[:, column].any():
                # Without smooth edges, or light would shine through between two colours.
                ax.stairs(
                    tops[:, column], chart.edges, baseline=below, fill=True, color=colour,
                    linewidth=0.0, antialiased=False,
                )  # fmt: skip
            below = tops[:, column]
        ax.set_xlim(0.0, n)
        ax.set_ylim(0.0, max(1.0, float(tops[:, -1].max())))
        ax.set_yticks([])
        ax.set_xticks([])
        ax.set_ylabel(_plain(title), rotation=0, ha="right", va="center")
    ordered = f"{n:,} points, in the order of {_plain(titles[0])}"
    shared = "" if n <= BARS else f"; {n / len(chart.starts):.3g} points a bar"
    axes[-1].set_xlabel(f"{ordered}; {len(names)} clusters{shared}")
    if len(names) <= NUMBERED:
        _colour_legend(axes[0], names, colours)
    return axes


def _aligned(
    runs: Any,
) -> tuple[dict[str, FloatArray], list[str]]:
    """Return matrices in a common order, and the names of their columns."""
    if hasattr(runs, "partitions") and hasattr(runs, "order"):  # results know plots, not reverse
        return runs.runs, runs.names
    partitions, _ = read_named(runs, None, InputOptions())
    found = common_order(partitions, partitions[most_central(partitions)])
    k = len(found.labels)
    matrices = {
        name: in_common_order(run, found.order[name], k) for name, run in partitions.items()
    }
    return matrices, [str(label) for label in found.labels]


def _rows_of_axes(count: int) -> Any:
    try:
        import matplotlib.pyplot as plt  # Deferred: an extra.
    except ImportError:
        raise MissingExtraError('plots need Matplotlib: pip install "fuzzyrand[plot]".') from None
    size = memberships_size(count)
    return plt.subplots(count, figsize=size, layout="constrained", squeeze=False)[1]


def memberships_size(count: int) -> tuple[float, float]:
    """Return the width and the height in inches of a figure of several clusterings."""
    return 8.0, 0.9 + min(max(0.9 * count, 1.2), 12.0)


def _colour_legend(ax: Any, names: Sequence[str], colours: Sequence[Any]) -> None:
    from matplotlib.patches import Patch

    shown = [_plain(name) for name in abbreviate(names, LABEL_WIDTH)]
    patches = [Patch(color=c, label=name) for c, name in zip(colours, shown, strict=True)]
    columns = max(1, min(len(names), 10, 70 // (max(map(len, shown)) + 4)))
    ax.legend(
        handles=patches, loc="lower center", bbox_to_anchor=(0.5, 1.02), ncols=columns,
        frameon=False, handlelength=1.0, columnspacing=1.2, fontsize=8.0,
    )  # fmt: skip


def flow(matching: Matching, ax: Any = None) -> Any:
    """Draw how the points of the clusters of a go to the clusters of b, as bands.

    Parameters
    ----------
    matching : Matching
        Result of :func:`fuzzyrand.match`.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default a new figure.

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
    The width of a band is the overlap of its two clusters, and its colour that of the cluster of a.
    Partners face each other; a cluster of b without a partner is grey, and stands below the one
    that it shares most points with. Bands of less than 3% of both their clusters are left out, and
    a line below the picture says how many. Up to 80 clusters have names.

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
