"""Plots of explanations with Matplotlib: scores of points and of clusters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .._clusterings.points.rows_of_points import coordinates_of_points
from ._lettering import SMALL, TINY, fit, fold, plain, points_of, room_of
from ._style import colour_map, ground, head, hide, label_below, new_axes, new_grid

if TYPE_CHECKING:
    from ..results import Explanation

#: Largest number of clusters with names and sizes beside their dots, and largest number for which
#: these are written in the usual font size.
NAMED, WIDE = 80, 30
#: Width of axes, in points, up to which sizes and numbers of clusters are not written.
NARROW = 150.0
#: Areas of the dots of the smallest and the largest cluster, in square points.
SMALLEST, LARGEST = 12.0, 90.0
#: Largest number of points whose dots have outlines; smaller dots would be mostly outline.
OUTLINED = 500
#: Number of points beyond which each hexagon of a grid has the mean score of its points, and the
#: number of hexagons side by side.
HEXAGONS, ACROSS = 20_000, 60
#: Ends of their colour scale, as quantiles: at the rim, the mean may be that of a single point.
TAILS = 0.05, 0.95
#: Smallest range of the colour scale: smaller differences hardly matter.
RANGE = 0.1
#: Scores below this are drawn together with 0, chance.
CLOSE = 0.25


def points(xy: Any, explanation: Explanation, ax: Any = None) -> Any:
    """Draw points at given coordinates, coloured by their scores.

    Parameters
    ----------
    xy : array-like of shape (points, 2)
        Coordinates of the points, such as two variables or two principal components. If these and
        a clustering come from pandas, they are matched by their indexes, and by position otherwise.
        Points that the comparison left out may be among them.
    explanation : Explanation
        Result of :func:`fuzzyrand.explain`.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; by default a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that hold the drawing.

    Raises
    ------
    InputError
        If there are not two coordinates for each point, or if the indexes differ.
    MissingExtraError
        If Matplotlib is not installed.

    See Also
    --------
    fuzzyrand.explain : Compute what is drawn.
    clusters : Draw the scores of clusters.

    Notes
    -----
    Colours span the scores that occur, and a line on their scale marks 0, which chance would give.
    The points that the clusterings disagree on most have the strongest colours and are drawn last,
    on top of the others. If there are more than 20,000 points, a dot would hide many others; then
    hexagons show the mean scores of the points in them.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> import fuzzyrand as fr
    >>> xy = [[0, 0], [0, 1], [1, 0], [3, 3], [3, 4], [4, 3]]
    >>> result = fr.explain([0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1])
    >>> fr.plot.points(xy, result).get_title(loc="left")
    'adjusted NDC under perm: 0.324'
    """
    places = coordinates_of_points(explanation.partitions, xy)
    scores = explanation.points
    axes = new_axes(ax, (6.4, 4.8))
    on = ground()
    colours = colour_map(*on.scores)
    if scores.size > HEXAGONS:
        dots = axes.hexbin(*places.T, C=scores, gridsize=ACROSS, cmap=colours, linewidths=0.1)
        whose, ends = "mean score of points", TAILS
    else:
        order = np.argsort(-scores, kind="stable")
        dots = axes.scatter(
            *places[order].T,
            c=scores[order],
            s=float(np.clip(6000.0 / scores.size, 5.0, 36.0)),
            cmap=colours,
            edgecolor=on.paper,
            linewidth=0.4 if scores.size <= OUTLINED else 0.0,
            rasterized=scores.size > 10 * OUTLINED,
        )
        whose, ends = "score of a point", (0.0, 1.0)
    low, high = np.quantile(np.asarray(dots.get_array()), ends)
    low = min(low, high - RANGE)
    dots.set_clim(low, high)
    bar = axes.figure.colorbar(dots, ax=axes, extend="neither" if ends == (0.0, 1.0) else "both")
    what = f"{whose} (0:\N{NO-BREAK SPACE}chance, 1:\N{NO-BREAK SPACE}agreement)"
    bar.set_label(fold(what, 0.9 * room_of(axes)[1]))
    bar.outline.set_visible(False)
    if low < 0.0 < high:
        bar.ax.axhline(0.0, color=on.paper, linewidth=1.5)
    c = explanation.comparison
    head(axes, f"adjusted {plain(c.title)} under {plain(c.model)}: {c.adjusted:z.3f}")
    hide(axes, "top", "right")
    return axes


def clusters(
    explanation: Explanation, axes: Any = None, *, names: tuple[str, str] | None = None
) -> Any:
    """Draw the scores of the clusters of both clusterings, with their sizes.

    Parameters
    ----------
    explanation : Explanation
        Result of :func:`fuzzyrand.explain`.
    axes : sequence of two matplotlib.axes.Axes, optional
        Axes for the first and the second clustering; by default a new figure.
    names : tuple of str, optional
        Names of the two clusterings.

    Returns
    -------
    array of two matplotlib.axes.Axes
        The axes that hold the drawings.

    Raises
    ------
    MissingExtraError
        If Matplotlib is not installed.

    See Also
    --------
    fuzzyrand.explain : Compute what is drawn.
    points : Draw the scores of points.

    Notes
    -----
    The clusters that agree least come first. A line leads from the adjusted index, which is dashed,
    to the score of a cluster, and the area of the dot grows with the size of the cluster. Scores
    below 0, which is chance, have another colour. If there are more than 80 clusters, they have no
    names.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> import fuzzyrand as fr
    >>> result = fr.explain(list("aaabbb"), list("xxyyyy"))
    >>> first, second = fr.plot.clusters(result)
    >>> [label.get_text() for label in first.get_yticklabels()]
    ['a (3)', 'b (3)']
    """
    largest = max(scores.size for scores in explanation.clusters)
    height = 0.28 * largest if largest <= WIDE else min(0.16 * largest, 9.6)
    if axes is None:
        axes = new_grid(1, 2, (8.4, 1.5 + height))[0]
    from matplotlib.lines import Line2D  # Deferred: an extra.

    both = np.asarray(axes, dtype=object)
    known = np.concatenate([[explanation.adjusted], *explanation.clusters])
    low, high = float(np.nanmin(known)), float(np.nanmax(known))
    if low < CLOSE:
        low = min(low, 0.0)  # chance
    margin = 0.06 * max(high - low, RANGE)
    titles = names or ("first clustering", "second clustering")
    for side, (ax, title) in enumerate(zip(both, titles, strict=True)):
        _draw_scores(ax, explanation, side)
        ax.set_xlim(low - margin, high + margin)
        count = explanation.clusters[side].size
        overall = f"overall {explanation.adjusted:z.3f}"
        line = Line2D([], [], color=ground().ink, linewidth=1.0, linestyle="--", label=overall)
        clusters_too = f", {count} cluster{'s' * (count != 1)}" if room_of(ax)[0] > NARROW else ""
        head(ax, plain(title) + clusters_too, [line])
        label_below(ax, "score of a cluster (0:\N{NO-BREAK SPACE}chance)")
        hide(ax, "top", "right", "left")
    return both


def _draw_scores(ax: Any, explanation: Explanation, side: int) -> None:
    """Draw a dot for each cluster, on a line from the adjusted index."""
    scores, sizes = explanation.clusters[side], explanation.sizes[side]
    known = np.flatnonzero(~np.isnan(scores))
    order = known[np.argsort(scores[known], kind="stable")]
    on = ground()
    colours = [on.model if scores[c] < 0.0 else on.observed for c in order]
    places = np.arange(order.size)
    ax.axvline(0.0, color=on.faint, linewidth=0.8, zorder=0)
    ax.axvline(explanation.adjusted, color=on.ink, linewidth=1.0, linestyle="--", zorder=1)
    ax.hlines(places, explanation.adjusted, scores[order], colors=colours, linewidth=1.4, zorder=2)
    room = room_of(ax)
    line = room[1] / max(order.size, 1)
    areas = SMALLEST + (LARGEST - SMALLEST) * sizes[order] / max(float(sizes.max()), 1e-300)
    ax.scatter(
        scores[order], places, np.minimum(areas, max(line, 2.0) ** 2), colours, zorder=3,
        edgecolor=on.paper, linewidth=0.5,
    )  # fmt: skip
    ax.set_ylim(order.size - 0.4, -0.6)
    ax.tick_params(axis="y", length=0)
    size = min(points_of(SMALL), 0.75 * line)
    if order.size > NAMED or size < 0.6 * points_of(TINY):
        ax.set_yticks([])
        ax.set_ylabel("clusters, by rising score")
        return
    names = fit([explanation.names[side][c] for c in order], 0.4 * room[0], size)
    labels = names
    if room[0] > NARROW:
        labels = [f"{name} ({_size(sizes[c])})" for name, c in zip(names, order, strict=True)]
    ax.set_yticks(places, labels, fontsize=size)


def _size(size: float) -> str:
    return f"{size:,.0f}" if abs(size - round(size)) < 1e-9 else f"{size:,.1f}"
