"""Plots of the stability of clusterings over a parameter, and of the firmness of their clusters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .._base.errors import NotApplicableError
from .._base.naming import shorten
from .._base.parameters import is_count, written
from .._clusterings.matching.jaccards import DOUBTFUL, FIRM
from ..indices.registry import title_of
from ._lettering import SMALL, plain, room_of, short, widest
from ._style import ground, head, hide, new_axes, new_grid

if TYPE_CHECKING:
    from ..results import Stability

#: Width of the sideways scatter of repeats, and of clusters; the distance of two values is 1.
SCATTER, ROOM = 0.22, 0.32
#: Largest number of values that are all named on the axis, and the length of a name.
NAMED, NAME = 20, 12
#: Size of a figure of both, in inches.
FIGURE = (6.4, 6.8)
#: Areas of the dots of the smallest and the largest cluster, in square points.
SMALLEST, LARGEST = 14.0, 180.0


def stability(result: Stability, ax: Any = None) -> Any:
    """Draw the adjusted indices of all repeats for each value of the parameter, with their means.

    Parameters
    ----------
    result : Stability
        Result of :func:`fuzzyrand.stability`.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; by default a new figure, in which :func:`firmness` is drawn below.

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
    fuzzyrand.stability : Compute what is drawn.
    firmness : Draw how firm the clusters are.

    Notes
    -----
    Small dots are repeats, each with other subsamples. The bar behind them spans the middle 90%,
    and is not a confidence interval. Circles are means, and that of the best value is filled.
    Squares are the means of data without clusters. Values of the parameter have the same distance
    from each other.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> import fuzzyrand as fr
    >>> import numpy as np
    >>> x = np.random.default_rng(0).normal(size=40)
    >>> halves = lambda k, x: np.argsort(np.argsort(x)) * k // x.size
    >>> result = fr.stability(halves, x, [2, 3], repeats=5, reference=None)
    >>> fr.plot.stability(result).get_ylabel()
    'adjusted NDC'
    """
    if ax is None and result.clusterings:
        return draw_both(result, new_grid(2, 1, FIGURE)[:, 0])
    return _draw(result, new_axes(ax), named=True)


def draw_both(result: Stability, axes: Sequence[Any]) -> Any:
    """Draw stability above firmness, and return the axes of the former."""
    _draw(result, axes[0], named=False)
    firmness(result, axes[1])
    return axes[0]


def _draw(result: Stability, axes: Any, *, named: bool) -> Any:
    """Draw stability, with the values of the parameter named on the axis or not."""
    from matplotlib.lines import Line2D  # Deferred: an extra.

    on = ground()
    means, spreads = result.means, result.spreads
    bar: dict[str, Any] = {
        "color": on.observed,
        "alpha": 0.3,
        "linewidth": 7,
        "solid_capstyle": "butt",
    }
    dot: dict[str, Any] = {
        "marker": ".",
        "linestyle": "",
        "color": on.observed,
        "alpha": 0.6,
        "markersize": 4,
    }
    ring: dict[str, Any] = {
        "marker": "o",
        "color": on.observed,
        "markersize": 8,
        "markeredgewidth": 1.8,
    }
    for x, (value, scores) in enumerate(result.scores.items()):
        axes.plot([x, x], spreads[value], **bar)
        # Values are spread in the order of repeats, so the same result gives the same picture.
        aside = np.linspace(-SCATTER, SCATTER, scores.size) if scores.size > 1 else [0.0]
        axes.plot(x + np.asarray(aside), scores, **dot)
    entries = [
        Line2D([], [], label="a repeat", **dot),
        Line2D([], [], label="their middle 90%", **bar),
        Line2D([], [], label="mean", linewidth=1.5, markerfacecolor=on.paper, **ring),
    ]
    if result.best is not None:
        entries.append(Line2D([], [], linestyle="", label="mean of the best", **ring))
    expected = result.reference_means
    if expected is not None:
        entries += axes.plot(
            range(len(expected)), [*expected.values()], "s--", color=on.model, markersize=5,
            linewidth=1.5, label="no clusters", zorder=3,
        )  # fmt: skip
    axes.plot(range(len(means)), [*means.values()], color=on.observed, linewidth=1.5, zorder=4)
    for x, (value, mean) in enumerate(means.items()):
        face = on.observed if value == result.best else on.paper
        axes.plot(x, mean, zorder=5, markerfacecolor=face, **ring)
    axes.axhline(0.0, color=on.faint, linewidth=0.8)
    low, high = axes.get_ylim()
    axes.set_ylim(min(low, -0.05), max(high, 1.05))
    axes.set_ylabel(f"adjusted {short(title_of(result.index))}")
    head(axes, plain(_title(result)), entries)
    hide(axes, "top", "right")
    axes.set_xlim(-0.5, len(result.values) - 0.5)
    _name_values(axes, result, named)
    return axes


def firmness(result: Stability, ax: Any = None) -> Any:
    """Draw how firm the clusters of all rows are, for each value of the parameter.

    Parameters
    ----------
    result : Stability
        Result of :func:`fuzzyrand.stability`.
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
    NotApplicableError
        If the result does not hold the clusterings.

    See Also
    --------
    stability : Draw the stability of the clusterings.

    Notes
    -----
    Each dot is a cluster, and its area grows with the size of the cluster. Clusters above the upper
    line, at 0.85, can be believed, and are filled; those below the lower one, at 0.6, should not
    be. A cluster above the upper line that is not filled would be found again by chance, because it
    holds most of the points, or is a single point.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> import fuzzyrand as fr
    >>> import numpy as np
    >>> x = np.random.default_rng(0).normal(size=40)
    >>> halves = lambda k, x: np.argsort(np.argsort(x)) * k // x.size
    >>> result = fr.stability(halves, x, [2, 3], repeats=5, reference=None)
    >>> fr.plot.firmness(result).get_ylabel()
    'firmness of clusters'
    """
    if not result.clusterings:
        raise NotApplicableError("this result does not hold the clusterings of all rows.")
    from matplotlib.lines import Line2D  # Deferred: an extra.

    axes = new_axes(ax)
    on = ground()
    for level in (DOUBTFUL, FIRM):
        axes.axhline(level, color=on.faint, linewidth=0.8, linestyle=":")
    verdicts = result.verdicts
    for x, (value, firm) in enumerate(result.firmness.items()):
        run = result.clusterings[value]
        # The firmest first, from left to right, so that dots of the same height do not hide.
        order = np.argsort(-np.nan_to_num(firm, nan=-1.0), kind="stable")
        aside = np.linspace(-ROOM, ROOM, order.size) if order.size > 1 else np.zeros(order.size)
        filled = [verdicts[value][c] == "firm" for c in order]
        sizes = run.sizes[: run.clusters][order]
        axes.scatter(
            x + aside, firm[order], s=SMALLEST + (LARGEST - SMALLEST) * sizes / run.n,
            facecolors=[on.observed if each else on.paper for each in filled],
            edgecolors=on.observed, linewidths=1.2, zorder=3, alpha=0.9,
        )  # fmt: skip
    axes.set_ylim(0.0, 1.05)
    axes.set_xlim(-0.5, len(result.values) - 0.5)
    axes.set_ylabel("firmness of clusters")
    round_: dict[str, Any] = {"marker": "o", "linestyle": "", "color": on.observed}
    head(
        axes,
        "",
        [
            Line2D([], [], label="a firm cluster", **round_),
            Line2D([], [], label="another cluster", markerfacecolor=on.paper, **round_),
            Line2D([], [], linestyle="", label="area: its size"),
        ],
    )
    hide(axes, "top", "right")
    for level, text in ((FIRM, "firm"), (DOUBTFUL, "doubtful")):
        high = text == "firm"
        axes.annotate(
            text, (1.0, level), xycoords=("axes fraction", "data"), fontsize=SMALL,
            xytext=(3, 3 if high else -3), textcoords="offset points", color=on.faint,
            va="bottom" if high else "top", annotation_clip=False,
        )  # fmt: skip
    _name_values(axes, result, True)
    return axes


def _name_values(axes: Any, result: Stability, named: bool) -> None:
    """Name the values on the horizontal axis, with the numbers of clusters where they differ."""
    count, numbers = is_count(result.parameter), result.numbers
    written_out = [shorten(written(value), NAME) for value in result.values]
    wide = (widest(written_out) + 6.0) * len(written_out)  # in points
    step = max(1, -(-len(written_out) // NAMED), int(np.ceil(wide / room_of(axes)[0])))
    names = []
    for value, name in list(zip(result.values, written_out, strict=True))[::step]:
        number = numbers.get(value)
        names.append(plain(name) if count or number is None else f"{plain(name)}\n({number})")
    axes.set_xticks(range(0, len(result.values), step), names if named else [""] * len(names))
    if named:
        title = f"{result.parameter} (number of clusters)" if numbers else result.parameter
        axes.set_xlabel("number of clusters" if count else plain(title))


def _title(result: Stability) -> str:
    count = is_count(result.parameter)
    if result.reference is None:
        top = "" if result.most_stable is None else written(result.most_stable)
        return f"most stable: {top}" if count else f"most stable: {result.parameter} = {top}"
    if result.best is None:
        return "nothing stands out"
    if count:
        return f"best: {result.best} clusters"
    return f"best: {result.parameter} = {written(result.best)}"
