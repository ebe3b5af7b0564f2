"""Plots of a comparison under several models, and of a model beside what was observed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .._base.errors import ParameterError
from ..indices.registry import title_of
from ._charts import BINS, LawChart, ScaleChart, ScaleRow
from ._charts.law import bin_edges
from ._charts.scale import has_row
from ._lettering import SMALL, fit, plain, points_of, room_of, short
from ._style import ground, head, hide, label_below, new_axes

if TYPE_CHECKING:
    from ..results import (
        Comparison,
        ComparisonTable,
        ConfidenceInterval,
        ModelCheck,
        Significance,
    )

#: Room at both ends of the scale of a comparison, as a share of its range.
MARGIN = 0.02
#: Height of a null distribution; the distance of two models is 1.
NULL_HEIGHT = 0.4


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
