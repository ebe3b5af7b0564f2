"""Plots of matched clusters with Matplotlib (``pip install "fuzzyrand[plot]"``)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .._base.naming import abbreviate
from .._base.types import FloatArray
from ._charts.axes import LABEL_WIDTH
from ._colours import palette
from ._matplotlib import MORE, _axes, _plain

if TYPE_CHECKING:
    from ..results import Matching

#: Clusters up to which cells have numbers.
NUMBERED = 20
#: Clusters up to which they have names.
NAMED = 80
#: Share of both its clusters below which a band is left out.
TINY = 0.03


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
    points, unless it rounds to nothing; up to 80, clusters have names.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> import fuzzyrand as fr
    >>> axes = fr.plot.overlap(fr.match([0, 0, 1, 1, 1], [1, 1, 0, 0, 1]))
    >>> axes.images[0].get_array().round(2).tolist()
    [[1.0, 0.0], [0.33, 0.67]]
    """
    rows = [i for i, _ in matching.pairs] + matching.unmatched[0]
    columns = [j for _, j in matching.pairs] + matching.unmatched[1]
    amounts = matching.overlap[np.ix_(rows, columns)]
    sums = amounts.sum(axis=1, keepdims=True)
    shares = np.divide(amounts, sums, out=np.zeros_like(amounts), where=sums > 0.0)
    down, across = (min(max(0.4 * count, 2.0), 8.5) for count in amounts.shape)
    axes = _axes(ax, (across + 2.8, down + 1.4))
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.patches import Rectangle

    colours = LinearSegmentedColormap.from_list("share", ["white", MORE])
    image = axes.imshow(shares, cmap=colours, vmin=0.0, vmax=1.0, aspect="equal")
    labels = [_named(matching.names[0], rows), _named(matching.names[1], columns)]
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
        whole = bool((amounts == np.round(amounts)).all())
        _write_amounts(axes, amounts, shares, whole)
    axes.set_ylabel("clusters of a")
    axes.set_xlabel("clusters of b")
    axes.figure.colorbar(image, ax=axes, shrink=0.8, label="share of the cluster of a")
    return axes


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
    table = matching.overlap
    left, right = _facing(matching)
    most = max(len(left), len(right))
    height = min(max(4.0, 0.2 * most + 1.0), 13.0)
    axes = _axes(ax, (6.4, height))
    from matplotlib.patches import PathPatch, Rectangle
    from matplotlib.path import Path

    size = 9.0 if most <= 30 else 6.5
    sums = table.sum(axis=1), table.sum(axis=0)
    least, spans = 0.0, [0.0, 0.0]
    for _ in range(5):  # the room that names take is a share of the whole, which grows with it
        starts_a, starts_b = _stacked(sums[0], left, least), _stacked(sums[1], right, least)
        spans = [_end(starts_a, sums[0]), _end(starts_b, sums[1])]
        if most <= NAMED:
            least = max(spans) * 1.15 * size / 72.0 / (height - 0.8)
    starts_a, starts_b = (
        starts + 0.5 * (max(spans) - span)
        for starts, span in zip((starts_a, starts_b), spans, strict=True)
    )
    colours = palette(len(left))
    of_b = {j: colours[i] for i, j in matching.pairs}
    taken_a, taken_b = starts_a.copy(), starts_b.copy()
    pairs, hidden, lost = set(matching.pairs), 0, 0.0
    tops: dict[tuple[int, int], list[float]] = {}
    for i in left:
        for j in right:
            tops[i, j] = [float(taken_a[i])]
            taken_a[i] += table[i, j]
    for j in right:
        for i in left:
            tops[i, j].append(float(taken_b[j]))
            taken_b[j] += table[i, j]
    # Partners last, on top of the bands that cross from one to another.
    for (i, j), (top_a, top_b) in sorted(tops.items(), key=lambda band: band[0] in pairs):
        width = float(table[i, j])
        if width == 0.0:
            continue
        if (i, j) not in pairs and width < TINY * min(sums[0][i], sums[1][j]):
            hidden, lost = hidden + 1, lost + width
            continue
        corners = [
            (0.0, top_a), (0.5, top_a), (0.5, top_b), (1.0, top_b),
            (1.0, top_b + width), (0.5, top_b + width), (0.5, top_a + width), (0.0, top_a + width),
            (0.0, top_a),
        ]  # fmt: skip
        steps = [Path.MOVETO, *[Path.CURVE4] * 3, Path.LINETO, *[Path.CURVE4] * 3, Path.CLOSEPOLY]
        alpha = 0.7 if (i, j) in pairs else 0.45
        axes.add_patch(
            PathPatch(Path(corners, steps), facecolor=colours[i], alpha=alpha, linewidth=0.0)
        )
    for side, (order, starts, names) in enumerate(
        ((left, starts_a, matching.names[0]), (right, starts_b, matching.names[1]))
    ):
        labels = dict(zip(order, _named(names, order), strict=True))
        for cluster in order:
            colour = colours[cluster] if side == 0 else of_b.get(cluster, "0.6")
            at, tall = (-0.03, 1.0)[side], float(sums[side][cluster])
            axes.add_patch(Rectangle((at, starts[cluster]), 0.03, tall, color=colour, linewidth=0))
            if most <= NAMED:
                axes.text(
                    (-0.045, 1.045)[side], starts[cluster] + 0.5 * tall, labels[cluster],
                    ha=("right", "left")[side], va="center", fontsize=size,
                )  # fmt: skip
    axes.set_xlim(-0.04, 1.04)
    axes.set_ylim(max(spans) + 0.5 * least, 0.0)
    axes.set_xticks([-0.015, 1.015], ["a", "b"])
    axes.tick_params(axis="x", length=0)
    axes.set_yticks([])
    axes.spines[:].set_visible(False)
    if hidden:
        share = f"{100 * lost / table.sum():.2g}% of the overlap"
        bands = f"{hidden:,} thin band{'s' * (hidden != 1)}"
        axes.set_xlabel(f"{bands} with {share} left out", fontsize=8.0)
    return axes


def _facing(matching: Matching) -> tuple[list[int], list[int]]:
    """Return the clusters of both sides from top to bottom."""
    left = list(range(matching.overlap.shape[0]))
    partners = dict(matching.pairs)
    below: dict[int, list[int]] = {i: [] for i in left}
    for j in matching.unmatched[1]:
        below[int(np.argmax(matching.overlap[:, j]))].append(j)
    right = [j for i in left for j in ([partners[i]] if i in partners else []) + below[i]]
    return left, right


def _stacked(sizes: FloatArray, order: Sequence[int], least: float) -> FloatArray:
    """Return where each block begins, with gaps that leave room for names.

    Parameters
    ----------
    sizes : array
        Heights of the blocks, by cluster.
    order : sequence of int
        Clusters from top to bottom.
    least : float
        Least distance of the middles of two blocks.
    """
    gap = 0.25 * sizes.sum() / max(len(order), 8)
    starts = np.zeros(len(sizes))
    place, before = 0.5 * max(0.0, least - sizes[order[0]]), None
    for cluster in order:
        if before is not None:
            place += max(gap, least - 0.5 * (sizes[before] + sizes[cluster]))
        starts[cluster] = place
        place += sizes[cluster]
        before = cluster
    return starts


def _end(starts: FloatArray, sizes: FloatArray) -> float:
    return float((starts + sizes).max())


def _named(names: Sequence[str], order: Sequence[int]) -> list[str]:
    """Return names in another order, short enough for an axis."""
    if not order:
        return []
    return [_plain(name) for name in abbreviate([names[place] for place in order], LABEL_WIDTH)]
