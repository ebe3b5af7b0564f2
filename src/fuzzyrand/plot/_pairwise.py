"""Plot of the adjusted indices of many clusterings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._charts import HeatMap
from ._lettering import SMALL, TINY, fit, fold, plain, points_of, room_of, widest
from ._style import colour_bar, colour_map, ground, new_axes

if TYPE_CHECKING:
    from ..results import Pairwise

#: Largest number of rows or columns of a heat map that have names.
NAMED = 60
#: Smallest cell of a heat map whose row has a name, in points.
SMALLEST = 4.0


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
    bar = colour_bar(axes, image, fold(plain(chart.title), 0.7 * room[1]))
    bar.ax.set_ylim(chart.low, 1.0)
    bar.set_ticks([tick.value for tick in chart.ticks], labels=[tick.label for tick in chart.ticks])
    return axes


def _share_of(side: float, ax: Any) -> float:
    """Return the room for names, in points: without limit in a figure that was made for them."""
    return 1e9 if ax is None else 0.35 * side


def _write_numbers(axes: Any, chart: HeatMap) -> None:
    on = ground()
    for i, row in enumerate(chart.cells()):
        for j, cell in enumerate(row):
            colour = on.paper if cell.strong and (on.dark or not cell.below) else on.ink
            axes.text(j, i, cell.label, ha="center", va="center", color=colour, fontsize=SMALL)
