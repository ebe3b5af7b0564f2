"""Plots of results and clusterings with Matplotlib (``pip install "fuzzyrand[plot]"``)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .._base.errors import MissingExtraError, NotApplicableError
from .._base.naming import shorten
from .._base.types import FloatArray
from .._inputs.partition import as_partition
from .._matching.labels import labels_of
from ._charts import BINS, HeatMap, LawChart, ScaleChart, ScaleRow
from ._charts.axes import LABEL_WIDTH
from ._charts.law import bin_edges
from ._colours import ground

if TYPE_CHECKING:
    from ..results import Comparison, ComparisonTable, ModelCheck, Pairwise

#: Dark blue and light orange of heat maps, whose middle is white on any background.
MORE, LESS = "#1b4f8a", "#f0a13a"
#: Largest number of rows or columns of a heat map that have names.
NAMED = 60
#: Room at both ends of the scale of a comparison, as a share of its range.
MARGIN = 0.02
#: Corners of the triangle of three clusters: the first on the left, the third on top.
CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(0.75)]])


def comparison(table: Comparison | ComparisonTable, ax: Any = None) -> Any:
    """Draw the observed index and the index expected under each model.

    Every model has a line that starts at its expected index, which has an adjusted index of 0, and
    ends at the best possible index, which has an adjusted index of 1. The thick part of the line
    reaches from the expected to the observed index.

    Parameters
    ----------
    table : Comparison or ComparisonTable
        Result of :func:`fuzzyrand.compare`, for one or several models.
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
    pairwise : Draw the adjusted indices of many clusterings.
    fuzzyrand.report.comparison_report : Write a page with the same chart, tables and explanations.

    Notes
    -----
    Where the expected index was sampled, an error bar shows its 95% Monte Carlo interval, unless
    that is too narrow to be seen.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> import fuzzyrand as fr
    >>> table = fr.compare([0, 0, 1, 1, 2], [0, 0, 1, 1, 1], model=["perm", "num"])
    >>> axes = fr.plot.comparison(table)
    >>> [label.get_text() for label in axes.get_yticklabels()]
    ['perm', 'num']
    """
    chart = ScaleChart.of([*table] if isinstance(table, Sequence) else [table])
    axes = _axes(ax, (6.4, 1.6 + 0.42 * len(chart.rows)))
    axes.axvline(chart.observed, color=ground().ink, linewidth=1.0, linestyle="--", zorder=1)
    # Numbers are in a column of their own, to the right of everything.
    beside = axes.get_yaxis_transform()
    for y, row in enumerate(chart.rows):
        _draw_track(axes, y, row, chart.observed)
        axes.text(1.02, y, row.adjusted, transform=beside, va="center")
    axes.text(1.02, -0.75, "adjusted", transform=beside, va="center")
    axes.set_yticks(range(len(chart.rows)), [_plain(row.label) for row in chart.rows])
    axes.set_ylim(len(chart.rows) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.set_xticks([tick.value for tick in chart.ticks], [tick.label for tick in chart.ticks])
    room = MARGIN * (chart.high - chart.low)
    axes.set_xlim(chart.low - room, chart.high + room)
    marks = f"circle: expected, dashed: {chart.observed_label}, end: best"
    axes.set_xlabel(f"{_plain(chart.axis_label)}\n{marks}")
    axes.spines[["top", "right", "left"]].set_visible(False)
    return axes


def _draw_track(axes: Any, y: int, row: ScaleRow, observed: float) -> None:
    on = ground()
    axes.plot([row.expected, row.maximum], [y, y], color="0.6", linewidth=1.2, zorder=2)
    axes.plot(row.maximum, y, "|", color=on.faint, markersize=9, zorder=2)
    colour = on.model if row.below else on.observed
    reach = [row.expected, observed]
    axes.plot(reach, [y, y], color=colour, linewidth=5.0, solid_capstyle="butt", zorder=3)
    if row.interval is not None:
        axes.plot(row.interval, [y, y], color=on.ink, linewidth=1.5, zorder=4)
    axes.plot(
        row.expected, y, "o", markersize=6.5, color=on.ink, markerfacecolor=on.paper, zorder=5
    )


def laws(check: ModelCheck, ax: Any = None) -> Any:
    """Draw how much pairs of points agree, as observed and under the model.

    Parameters
    ----------
    check : ModelCheck
        Result of :func:`fuzzyrand.check_model`.
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
    fuzzyrand.check_model : Compute what is drawn.

    Notes
    -----
    Bars show the observed shares of pairs in 50 bins, and the outline those under the model.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> import fuzzyrand as fr
    >>> check = fr.check_model([0, 0, 1, 1, 1, 2], model="cat")
    >>> fr.plot.laws(check).get_xlabel()
    'agreement of two points (ndc)'
    """
    (chart,) = LawChart.side_by_side([check.atoms])
    assert chart.model is not None
    axes = _axes(ax)
    edges, observed, modelled = bin_edges(), chart.observed.shares, chart.model.shares
    on = ground()
    axes.stairs(observed, edges, fill=True, color=on.observed, alpha=0.85, label="observed")
    axes.stairs(modelled, edges, color="black", linewidth=3.0)
    name = _short(check.model)
    axes.stairs(modelled, edges, color=on.model, linewidth=1.8, label=f"model {name}")
    for axis, ticks in ((axes.xaxis, chart.agreement_ticks), (axes.yaxis, chart.share_ticks)):
        axis.set_ticks([tick.value for tick in ticks], [tick.label for tick in ticks])
    axes.set_xlim(0.0, 1.0)
    axes.set_ylim(0.0, chart.top)
    axes.set_xlabel(f"agreement of two points ({_short(check.index)})")
    axes.set_ylabel(f"share of pairs, in steps of {1 / BINS:g}")
    axes.set_title(f"{name}: distance {check.distance:.3f}", loc="left")
    axes.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=2, frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    return axes


def pairwise(result: Pairwise, ax: Any = None, order: bool = True) -> Any:
    """Draw the adjusted indices of many clusterings as a heat map.

    Parameters
    ----------
    result : Pairwise
        Result of :func:`fuzzyrand.pairwise`.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; by default a new figure.
    order : bool, default True
        Whether to put similar clusterings side by side. Otherwise they keep their order.

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
    comparison : Draw two clusterings under several models.
    fuzzyrand.report.pairwise_report : Write a page with the same chart, tables and explanations.

    Notes
    -----
    White is agreement as expected by chance, blue is more and orange less. The order comes from a
    hierarchical clustering of the clusterings (average linkage) with optimal leaf ordering.
    Clusterings that are compared with a single reference are drawn as one column, the most similar
    on top. With up to 14 clusterings, cells hold their values; with up to 60, rows and columns have
    names.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> import fuzzyrand as fr
    >>> clusterings = {"a": [0, 0, 1, 1], "b": [0, 1, 0, 1], "c": [0, 0, 1, 2]}
    >>> axes = fr.plot.pairwise(fr.pairwise(clusterings))
    >>> axes.images[0].get_array().shape
    (3, 3)
    """
    chart = HeatMap.of(result, order)
    longest = max(map(len, chart.column_labels))
    rotated = not chart.upright and (len(chart.columns) > 3 or longest > 6)
    # Inches: the map, the names on its left and below, and the colour bar with its label.
    down, across = (
        min(max(0.5 * count, least), 8.0)
        for count, least in zip(
            chart.values.shape, (2.0, 1.0 if chart.upright else 2.0), strict=True
        )
    )
    below = max(1.6, 0.08 * longest) if rotated else 1.6
    axes = _axes(ax, (across + 3.2, down + below))
    from matplotlib.colors import LinearSegmentedColormap, TwoSlopeNorm

    # White is chance. Dark blue and mid orange differ in lightness as well as in colour.
    colours = LinearSegmentedColormap.from_list("chance", [LESS, "white", MORE])
    norm = TwoSlopeNorm(0.0, -1.0, 1.0)
    image = axes.imshow(chart.values, cmap=colours, norm=norm, aspect="equal")
    size = 9.0 if len(chart.rows) <= 20 else 6.5
    for axis, labels in ((axes.xaxis, chart.column_labels), (axes.yaxis, chart.row_labels)):
        # A figure has no room for more names; a report page, which scrolls, has.
        shown = labels if len(labels) <= NAMED else ()
        axis.set_ticks(range(len(shown)), [_plain(label) for label in shown], fontsize=size)
        axis.set_tick_params(length=0)
    axes.tick_params(axis="x", rotation=90 if rotated else 0)
    if chart.numbered:
        _write_numbers(axes, chart)
    bar = axes.figure.colorbar(image, ax=axes, shrink=0.8)
    bar.set_label(_plain(chart.title))
    bar.ax.set_ylim(chart.low, 1.0)
    bar.set_ticks([tick.value for tick in chart.ticks], labels=[tick.label for tick in chart.ticks])
    return axes


def simplex(clustering: Any, ax: Any = None) -> Any:
    """Draw the memberships of all points: in a triangle for three clusters, on a line for two.

    Every corner is a cluster, with its name or its number from 0. The larger the membership of a
    point in a cluster, the closer the point lies to its corner. Points in the same place are drawn
    as one dot whose area is proportional to their number, with a minimum that keeps single points
    visible.

    Parameters
    ----------
    clustering : array_like of shape (n,) or (n, k), or Partition
        Labels or memberships in any form that :func:`fuzzyrand.as_partition` accepts, with two or
        three clusters.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; by default a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that hold the drawing.

    Raises
    ------
    NotApplicableError
        For other numbers of clusters, and for memberships that do not sum to 1.
    MissingExtraError
        If Matplotlib is not installed.

    See Also
    --------
    fuzzyrand.as_partition : Read a clustering.

    Notes
    -----
    Memberships are rounded to three decimals first. With two clusters, points with memberships in
    both are moved up or down a little, so that they hide each other less.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> import fuzzyrand as fr
    >>> axes = fr.plot.simplex([[0.2, 0.3, 0.5], [0.9, 0.1, 0.0], [0.9, 0.1, 0.0]])
    >>> len(axes.collections[0].get_offsets())
    2
    """
    partition = as_partition(clustering)
    if partition.k not in (2, 3):
        raise NotApplicableError(
            f"the simplex is drawn for two or three clusters, and this clustering has "
            f"{partition.k}; merge some of its columns, or draw three of them, divided by their "
            "sums."
        )
    if partition.possibilistic:
        raise NotApplicableError(
            "memberships that do not sum to 1 do not lie in the simplex; read them with "
            "normalize=True."
        )
    corners = CORNERS[: partition.k]
    if partition.is_hard:
        used = partition.sizes > 0
        rows, counts = np.eye(partition.k)[used], partition.sizes[used].astype(np.intp)
    else:
        # Points closer together than a pixel are in the same place.
        rounded = np.round(partition.dense, 3)
        rows, counts = np.unique(rounded, axis=0, return_counts=True)
    axes = _axes(ax, (5.0, 4.6) if partition.k == 3 else (6.4, 1.8))
    outline = np.vstack([corners, corners[0]])
    on = ground()
    axes.plot(*outline.T, color=on.faint, linewidth=1.0, zorder=1)
    places = rows @ corners
    if partition.k == 2:
        # Dots are moved up and down a little, evenly spread, so that they do not hide each other.
        # Hard points, which have one dot per cluster, need not be moved.
        golden = np.arange(len(places)) * 0.5 * (np.sqrt(5.0) - 1.0)
        places[:, 1] = np.where(rows.max(axis=1) < 1.0, 0.12 * (golden % 1.0 - 0.5), 0.0)
    # Areas are proportional to numbers of points, but single points stay visible.
    areas = np.maximum(14.0, 700.0 * counts / partition.n)
    axes.scatter(
        *places.T, s=areas, color=on.observed, alpha=0.6, edgecolor=on.paper, linewidth=0.5
    )
    _name_corners(axes, corners, [str(label) for label in labels_of(partition)])
    axes.set_title(f"{partition.n:,} points; area of a dot: number of points", fontsize=9, pad=16)
    axes.set_axis_off()
    axes.set_aspect("equal")
    return axes


def _name_corners(axes: Any, corners: FloatArray, names: Sequence[str]) -> None:
    middle = corners.mean(axis=0)
    for name, corner in zip(names, corners, strict=True):
        away = (corner - middle) / np.linalg.norm(corner - middle)
        axes.annotate(
            f"cluster {_short(name)}",
            corner,
            xytext=22.0 * away,
            textcoords="offset points",
            ha="center" if abs(away[0]) < 0.5 else "right" if away[0] < 0.0 else "left",
            va="center",
        )
    axes.margins(0.12)


def _write_numbers(axes: Any, chart: HeatMap) -> None:
    for i, row in enumerate(chart.cells()):
        for j, cell in enumerate(row):
            colour = "white" if cell.strong and not cell.below else "black"
            axes.text(j, i, cell.label, ha="center", va="center", color=colour, fontsize=8)


def _short(text: str) -> str:
    """Shorten a name so that it fits on an axis."""
    return _plain(shorten(text, LABEL_WIDTH))


def _plain(text: str) -> str:
    """Escape dollar signs, which Matplotlib would read as mathematics."""
    return text.replace("$", r"\$")


def _axes(ax: Any, size: tuple[float, float] = (6.4, 4.0)) -> Any:
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as plt  # Deferred: an extra.
    except ImportError:
        raise MissingExtraError('plots need Matplotlib: pip install "fuzzyrand[plot]".') from None
    return plt.subplots(figsize=size, layout="constrained")[1]
