"""Plots of explanations with Matplotlib: scores of points and of clusters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .._base.errors import MissingExtraError
from .._base.naming import shorten
from .._base.types import FloatArray
from .._inputs.rows_of_points import coordinates_of_points
from ._colours import dashed, ground

if TYPE_CHECKING:
    from ..results import Explanation

#: Largest number of clusters with names and sizes beside their bars, and largest number for which
#: these are written in the usual font size.
NAMED, WIDE = 80, 30
#: Longest name of a cluster, in characters.
LABEL_WIDTH = 18
#: Colours from the lowest score over 0, in the middle, to 1. Disagreement stands out from the
#: background, also in greyscale and for the colour-blind.
ON_LIGHT = ((0.0, "#4a0010"), (0.5, "#d7301f"), (0.75, "#f5a15d"), (1.0, "#a3c4e2"))
ON_DARK = ((0.0, "#fff2c4"), (0.5, "#ff6a45"), (0.75, "#b0714e"), (1.0, "#3c6ca6"))
#: Largest number of points whose dots have outlines; smaller dots would be mostly outline.
OUTLINED = 500
#: Ends of the colour scale, unless scores go further.
LOW, HIGH = -0.25, 1.0


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
    The points that the clusterings disagree on most are drawn last, on top of the others. Pale blue
    is agreement, and red is a score of 0, which chance would give. Below 0, colours change in finer
    steps.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> import fuzzyrand as fr
    >>> xy = [[0, 0], [0, 1], [1, 0], [3, 3], [3, 4], [4, 3]]
    >>> result = fr.explain([0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1])
    >>> fr.plot.points(xy, result).get_title(loc="left")
    'ndc adjusted by perm: 0.324'
    """
    places = coordinates_of_points(explanation.partitions, xy)
    scores = explanation.points
    order = np.argsort(-scores, kind="stable")
    axes = _axes(ax, (6.4, 4.8))
    from matplotlib.colors import LinearSegmentedColormap, TwoSlopeNorm  # Deferred: an extra.

    on = ground()
    colours = LinearSegmentedColormap.from_list("score", ON_DARK if on.dark else ON_LIGHT)
    low, high = min(float(scores.min()), LOW), max(float(scores.max()), HIGH)
    size = float(np.clip(4000.0 / scores.size, 4.0, 36.0))
    dots = axes.scatter(
        *places[order].T,
        c=scores[order],
        s=size,
        cmap=colours,
        norm=TwoSlopeNorm(0.0, low, high),
        edgecolor="0.1" if on.dark else "0.3",
        linewidth=0.3 if scores.size <= OUTLINED else 0.0,
    )
    bar = axes.figure.colorbar(dots, ax=axes, label="score of a point (0: chance, 1: agreement)")
    bar.outline.set_visible(False)
    c = explanation.comparison
    axes.set_title(
        f"{_plain(c.index)} adjusted by {_plain(c.model)}: {c.adjusted:z.3f}", loc="left"
    )
    axes.spines[["top", "right"]].set_visible(False)
    return axes


def clusters(explanation: Explanation, axes: Any = None) -> Any:
    """Draw the scores of the clusters of both clusterings as bars, with their sizes.

    Parameters
    ----------
    explanation : Explanation
        Result of :func:`fuzzyrand.explain`.
    axes : sequence of two matplotlib.axes.Axes, optional
        Axes for the first and the second clustering; by default a new figure.

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
    The clusters that agree least come first. If there are more than 80, bars have no names or
    sizes, and their thickness shows the sizes of the clusters.

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
    both = _two_axes(1.4 + height) if axes is None else np.asarray(axes, dtype=object)
    on = ground()
    sides = zip(
        both,
        ("first clustering", "second clustering"),
        explanation.clusters,
        explanation.sizes,
        explanation.names,
        strict=True,
    )
    ends = [scores[~np.isnan(scores)] for scores in explanation.clusters]
    low = min([0.0, *(float(end.min()) for end in ends if end.size)])
    high = max([1.0, *(float(end.max()) for end in ends if end.size)])
    for ax, title, scores, sizes, names in sides:
        _draw_bars(ax, scores, sizes, names)
        ax.axvline(0.0, color=on.faint, linewidth=0.8)
        for look in dashed():
            ax.axvline(explanation.adjusted, **look)
        margin = 0.02 * (high - low)
        ax.set_xlim(low - margin * (low < 0.0), high + margin)
        ax.set_title(f"{title}, {len(names)} clusters", loc="left")
        ax.set_xlabel(f"score of a cluster\ndashed: adjusted index {explanation.adjusted:z.3f}")
        ax.spines[["top", "right", "left"]].set_visible(False)
        ax.tick_params(axis="y", length=0)
    return both


def _draw_bars(ax: Any, scores: FloatArray, sizes: FloatArray, names: list[str]) -> None:
    known = np.flatnonzero(~np.isnan(scores))
    order = known[np.argsort(scores[known], kind="stable")]
    on = ground()
    colours = [on.model if scores[c] < 0.0 else on.observed for c in order]
    if order.size <= NAMED:
        ax.barh(range(order.size), scores[order], height=0.7, color=colours)
        labels = [f"{_plain(shorten(names[c], LABEL_WIDTH))} ({_size(sizes[c])})" for c in order]
        size = None if order.size <= WIDE else 6.5
        ax.set_yticks(range(order.size), labels, fontsize=size)
        ax.set_ylim(order.size - 0.4, -0.6)
        return
    heights = sizes[order]
    tops = np.cumsum(heights) - heights
    ax.barh(
        tops, scores[order], height=heights, align="edge", color=colours, edgecolor=on.paper,
        linewidth=0.3,
    )  # fmt: skip
    ax.set_ylim(float(heights.sum()), 0.0)
    ax.yaxis.set_major_formatter("{x:,.0f}")
    ax.set_ylabel("points, by clusters with rising scores")


def _size(size: float) -> str:
    return f"{size:,.0f}" if abs(size - round(size)) < 1e-9 else f"{size:,.1f}"


def _plain(text: str) -> str:
    """Escape dollar signs, which Matplotlib would read as mathematics."""
    return text.replace("$", r"\$")


def _axes(ax: Any, size: tuple[float, float]) -> Any:
    return _subplots(1, size) if ax is None else ax


def _two_axes(height: float) -> Any:
    return _subplots(2, (8.4, height))


def _subplots(columns: int, size: tuple[float, float]) -> Any:
    try:
        import matplotlib.pyplot as plt  # Deferred: an extra.
    except ImportError:
        raise MissingExtraError('plots need Matplotlib: pip install "fuzzyrand[plot]".') from None
    return plt.subplots(1, columns, figsize=size, layout="constrained")[1]
