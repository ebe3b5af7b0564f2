"""Plots of results and clusterings with Matplotlib (``pip install "fuzzyrand[plot]"``)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .._base.errors import NotApplicableError, ParameterError
from .._base.types import FloatArray
from .._clusterings.matching.labels import labels_of
from .._clusterings.partition import as_partition
from ..indices.registry import title_of
from ._charts import BINS, HeatMap, LawChart, ScaleChart, ScaleRow
from ._charts.law import bin_edges
from ._charts.scale import has_row
from ._style import (
    SMALL,
    TINY,
    colour_map,
    fit,
    fold,
    frame,
    ground,
    head,
    hide,
    label_below,
    new_axes,
    plain,
    points_of,
    room_of,
    short,
    widest,
)

if TYPE_CHECKING:
    from ..results import (
        Comparison,
        ComparisonTable,
        ConfidenceInterval,
        ModelCheck,
        Pairwise,
        Significance,
    )

#: Largest number of rows or columns of a heat map that have names.
NAMED = 60
#: Room at both ends of the scale of a comparison, as a share of its range.
MARGIN = 0.02
#: Smallest cell of a heat map whose row has a name, in points.
SMALLEST = 4.0
#: Height of a null distribution; the distance of two models is 1.
NULL_HEIGHT = 0.4
#: Corners of the triangle of three clusters: the first on the left, the third on top.
CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(0.75)]])
#: Number of different memberships beyond which dots of a simplex shrink.
MANY_DOTS = 1000


def comparison(
    table: Comparison | ComparisonTable,
    ax: Any = None,
    *,
    interval: ConfidenceInterval | None = None,
    test: Significance | None = None,
) -> Any:
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
    interval : ConfidenceInterval, optional
        Result of :func:`fuzzyrand.confidence_interval` for one of the models.
    test : Significance, optional
        Result of :func:`fuzzyrand.significance` for one of the models.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that hold the drawing.

    Raises
    ------
    ParameterError
        If the interval or the test is for another index or model.
    MissingExtraError
        If Matplotlib is not installed.

    See Also
    --------
    interval, significance : Draw a confidence interval or a null distribution by itself.
    pairwise : Draw the adjusted indices of many clusterings.
    fuzzyrand.report.comparison_report : Write a page with the same chart, tables and explanations.

    Notes
    -----
    Where the expected index was sampled, an error bar shows its 95% Monte Carlo interval, unless
    that is too narrow to be seen. A confidence interval and a null distribution of the adjusted
    index are drawn in the row of their model, where an adjusted index of 0 is the expected index
    and one of 1 the best; the ends of the interval and the p-value are on the right.

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
    rows = [*table] if isinstance(table, Sequence) else [table]
    for given, own in (
        ("interval", [] if interval is None else interval.comparisons),
        ("test", [] if test is None else [test.comparison]),
    ):
        if own and not has_row(own, rows):
            raise ParameterError(
                "the {given} is not that of a comparison in this table: it is for {what} of "
                "{index} adjusted by {model}.",
                given=given,
                what="the value" if len(own) == 1 else "a difference",
                index=own[0].index,
                model=own[0].model,
            )
    chart = ScaleChart.of(rows, interval, test)
    details = max(len(row.details) for row in chart.rows)
    axes = new_axes(ax, (6.4, 1.8 + 0.42 * len(chart.rows) + 0.2 * details))
    on = ground()
    axes.axvline(chart.observed, color=on.ink, linewidth=1.0, linestyle="--", zorder=1)
    # Numbers are in a column of their own, to the right of everything.
    beside = axes.get_yaxis_transform()
    for y, row in enumerate(chart.rows):
        _draw_track(axes, y, row, chart.observed)
        axes.text(1.02, y, row.adjusted, transform=beside, va="center")
        if row.details:
            axes.annotate(
                "\n".join(row.details), (1.02, y), xycoords=beside, fontsize=SMALL, va="top",
                xytext=(0.0, -0.6 * points_of()), textcoords="offset points", color=on.ink,
            )  # fmt: skip
    axes.text(1.02, -0.75, "adjusted", transform=beside, va="center")
    names = fit([row.label for row in chart.rows], 0.35 * room_of(axes)[0], None)
    axes.set_yticks(range(len(chart.rows)), names)
    axes.set_ylim(len(chart.rows) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.set_xticks([tick.value for tick in chart.ticks], [tick.label for tick in chart.ticks])
    room = MARGIN * (chart.high - chart.low)
    axes.set_xlim(chart.low - room, chart.high + room)
    axes.set_xlabel(plain(chart.axis_label))
    head(axes, "", _meanings(chart))
    hide(axes, "top", "right", "left")
    return axes


def _draw_track(axes: Any, y: int, row: ScaleRow, observed: float) -> None:
    on = ground()
    axes.plot([row.expected, row.maximum], [y, y], color="0.6", linewidth=1.2, zorder=2)
    axes.plot(row.maximum, y, "|", color=on.faint, markersize=9, zorder=2)
    colour = on.model if row.below else on.observed
    reach = [row.expected, observed]
    axes.plot(reach, [y, y], color=colour, linewidth=5.0, solid_capstyle="butt", zorder=3)
    if row.null:
        left, width, height = np.array(row.null).T
        axes.bar(
            left, -NULL_HEIGHT * height, width, y - 0.08, align="edge", color=on.model,
            edgecolor=on.model, linewidth=0.4, zorder=1.5,
        )  # fmt: skip
    if row.interval is not None:
        axes.plot(row.interval, [y, y], color=on.ink, linewidth=1.5, zorder=4)
    if row.confidence is not None:
        for look in ({"color": on.paper, "linewidth": 4.0}, {"color": on.ink, "linewidth": 1.6}):
            axes.plot(row.confidence, [y, y], solid_capstyle="butt", zorder=4, **look)
        axes.plot(row.confidence, [y, y], "|", color=on.ink, markersize=9, zorder=4)
    axes.plot(
        row.expected, y, "o", markersize=6.5, color=on.ink, markerfacecolor=on.paper, zorder=5
    )


def _meanings(chart: ScaleChart) -> list[Any]:
    """Return the entries of the legend."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    on = ground()
    entries: list[Any] = [
        Line2D(
            [], [], marker="o", linestyle="", color=on.ink, markerfacecolor=on.paper,
            label="expected by chance",
        ),
        Line2D([], [], color=on.ink, linewidth=1.0, linestyle="--", label=chart.observed_label),
        Line2D([], [], marker="|", linestyle="", color=on.faint, markersize=9, label="best"),
    ]  # fmt: skip
    if chart.confidence_label:
        entries.append(Line2D([], [], color=on.ink, linewidth=1.6, label=chart.confidence_label))
    if chart.null_label:
        entries.append(Patch(color=on.model, label=chart.null_label))
    return entries


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
    'co-membership of two points (NDC)'
    """
    (chart,) = LawChart.side_by_side([check.atoms])
    assert chart.model is not None
    axes = new_axes(ax)
    edges, observed, modelled = bin_edges(), chart.observed.shares, chart.model.shares
    on = ground()
    bars = axes.stairs(observed, edges, fill=True, color=on.observed, alpha=0.85, label="observed")
    axes.stairs(modelled, edges, color="black", linewidth=3.0)
    name = short(check.model)
    line = axes.stairs(modelled, edges, color=on.model, linewidth=1.8, label=f"model {name}")
    for axis, ticks in ((axes.xaxis, chart.agreement_ticks), (axes.yaxis, chart.share_ticks)):
        axis.set_ticks([tick.value for tick in ticks], [tick.label for tick in ticks])
    axes.set_xlim(0.0, 1.0)
    axes.set_ylim(0.0, chart.top)
    label_below(axes, f"co-membership of two points ({short(title_of(check.index))})")
    axes.set_ylabel(f"share of pairs, in steps of {1 / BINS:g}")
    head(axes, f"{name}: misfit {check.distance:.3f}", [bars, line])
    hide(axes, "top", "right")
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
    The background is agreement as expected by chance, blue is more and orange less. The order comes
    from a hierarchical clustering of the clusterings (average linkage) with optimal leaf ordering.
    Clusterings that are compared with a single reference are drawn as one column, the most similar
    on top. With up to 14 clusterings, cells hold their values if there is room; with up to 60, rows
    and columns have names.

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
    size: str | float = SMALL if len(chart.rows) <= 20 else TINY
    # Inches: the map, the names on its left and below, and the colour bar with its label.
    down, across = (
        min(max(0.5 * count, least), 8.0)
        for count, least in zip(
            chart.values.shape, (2.4, 1.0 if chart.upright else 2.4), strict=True
        )
    )
    beside = widest(chart.row_labels, size) / 72.0
    below = widest(chart.column_labels, size) / 72.0
    rotated = not chart.upright and below > 0.9 * across / len(chart.columns)
    axes = new_axes(ax, (across + beside + 1.8, down + (below if rotated else 0.2) + 0.4))
    from matplotlib.colors import TwoSlopeNorm  # Deferred: an extra.

    # The paper is chance. Blue and orange differ in lightness as well as in colour.
    on = ground()
    colours = colour_map(on.model, on.paper, on.observed)
    norm = TwoSlopeNorm(0.0, -1.0, 1.0)
    image = axes.imshow(chart.values, cmap=colours, norm=norm, aspect="equal")
    room = room_of(axes)
    cell = min(room) / max(chart.values.shape)  # in points
    if ax is not None:
        size = min(points_of(size), 0.7 * cell)
        names = widest(fit(chart.row_labels, _share_of(room[0], ax), size), size)
        cell = min((room[0] - names - 30.0) / chart.values.shape[1], 0.8 * cell)
        rotated = not chart.upright and widest(chart.column_labels, size) > 0.9 * cell
    for axis, labels, side in (
        (axes.xaxis, chart.column_labels, room[1]),
        (axes.yaxis, chart.row_labels, room[0]),
    ):
        # A figure has no room for more names; a report page, which scrolls, has.
        shown = labels if len(labels) <= NAMED and cell > SMALLEST else ()
        axis.set_ticks(range(len(shown)), fit(shown, _share_of(side, ax), size), fontsize=size)
        axis.set_tick_params(length=0)
    axes.tick_params(axis="x", rotation=90 if rotated else 0)
    if chart.numbered and cell > 2.4 * points_of(SMALL):
        _write_numbers(axes, chart)
    bar = axes.figure.colorbar(image, ax=axes, shrink=0.8)
    bar.set_label(fold(plain(chart.title), 0.7 * room[1]))
    frame([bar.outline, *axes.spines.values()])
    bar.ax.set_ylim(chart.low, 1.0)
    bar.set_ticks([tick.value for tick in chart.ticks], labels=[tick.label for tick in chart.ticks])
    return axes


def _share_of(side: float, ax: Any) -> float:
    """Return the room for names, in points: without limit in a figure that was made for them."""
    return 1e9 if ax is None else 0.35 * side


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
        rounded = np.round(partition.rows.dense, 3)
        rows, counts = np.unique(rounded, axis=0, return_counts=True)
    axes = new_axes(ax, (5.0, 4.4) if partition.k == 3 else (6.4, 1.6))
    outline = np.vstack([corners, corners[0]])
    on = ground()
    axes.plot(*outline.T, color=on.faint, linewidth=1.0, zorder=1)
    places = rows @ corners
    if partition.k == 2:
        # Dots are moved up and down a little, evenly spread, so that they do not hide each other.
        # Hard points, which have one dot per cluster, need not be moved.
        golden = np.arange(len(places)) * 0.5 * (np.sqrt(5.0) - 1.0)
        places[:, 1] = np.where(rows.max(axis=1) < 1.0, 0.12 * (golden % 1.0 - 0.5), 0.0)
    # Areas are proportional to numbers of points, but single points stay visible. Very many dots
    # are small and transparent, so that it is seen where they crowd.
    many = min(MANY_DOTS / len(rows), 1.0)
    areas = np.maximum(14.0 * max(many, 0.1), 700.0 * counts / partition.n)
    axes.scatter(
        *places.T, s=areas, color=on.observed, alpha=0.6 * max(many, 0.05) ** 0.5,
        edgecolor=on.paper, linewidth=0.5 * (many == 1.0), rasterized=many < 1.0,
    )  # fmt: skip
    _name_corners(axes, corners, [str(label) for label in labels_of(partition)])
    many_points = f"{partition.n:,} points; area of a dot: number of points"
    axes.set_title(fold(many_points, room_of(axes)[0], SMALL), fontsize=SMALL, pad=18)
    axes.set_axis_off()
    axes.set_aspect("equal")
    return axes


def _name_corners(axes: Any, corners: FloatArray, names: Sequence[str]) -> None:
    """Write the names of clusters: above the upper corner, and below those at the bottom."""
    room = room_of(axes)[0]
    labels = [f"cluster {name}" for name in names]
    if widest(labels) > 0.45 * room:
        labels = list(names)
    above = len(corners) == 3
    lower = [fold(label, 0.45 * room, None, 3) for label in labels[:2]]
    low = np.array([0.0, 0.0 if above else -0.07])  # below points that were moved down
    for corner, label, side in zip(corners, lower, ("left", "right"), strict=False):
        axes.annotate(
            plain(label), corner + low, xytext=(-8.0 if side == "left" else 8.0, -11.0), ha=side,
            textcoords="offset points", va="top",
        )  # fmt: skip
    if above:
        top = fold(labels[2], room, None, 2)
        axes.annotate(
            plain(top), corners[2], xytext=(0.0, 8.0), textcoords="offset points", ha="center",
            va="bottom",
        )  # fmt: skip
    axes.margins(0.08, 0.08 if above else 0.5)


def _write_numbers(axes: Any, chart: HeatMap) -> None:
    on = ground()
    for i, row in enumerate(chart.cells()):
        for j, cell in enumerate(row):
            colour = on.paper if cell.strong and (on.dark or not cell.below) else on.ink
            axes.text(j, i, cell.label, ha="center", va="center", color=colour, fontsize=SMALL)
