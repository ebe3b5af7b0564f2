"""Linked charts with Altair: their data, a map of points and a histogram of scores."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from .vega import BLUE, INK, LINE, altair, theme

#: Sizes in pixels; a page changes the width, which is the same for all charts.
WIDTH, HEIGHT = 400, 300
#: What screen readers say of the charts.
DESCRIPTION = "Linked charts. The points that are chosen in them are listed below."
#: Whether a point is where the user dragged over the scores, and over the map.
IN_SCORES = "(!isValid(scores.low) || isValid(datum.score) && inrange(datum.score, scores.low))"
IN_MAP = "(!isValid(area.x) || inrange(datum.x, area.x) && inrange(datum.y, area.y))"


def linked(
    views: Sequence[Any],
    tables: Mapping[str, Mapping[str, Sequence[Any]]],
    rules: Mapping[str, str],
    params: Sequence[Any],
    title: str,
) -> Any:
    """Return charts of the same data, two in a row.

    Parameters
    ----------
    views : sequence of charts
        The charts.
    tables : mapping of str to columns
        Data of several kinds, such as points and clusters. Points have a column ``point``.
    rules : mapping of str to str
        Expressions for further columns; one is called ``chosen``.
    params : sequence of parameters
        Variables of the expressions.
    title : str
        Expression for the title.
    """
    alt = altair()
    # In few bytes: each kind of data is one row of arrays, which the first transform expands.
    # Columns that it lacks are empty there.
    fields = list(dict.fromkeys(name for table in tables.values() for name in table))
    rows = [{name: list(table.get(name, ())) for name in fields} for table in tables.values()]
    calculated = [
        alt.CalculateTransform(calculate=rule, **{"as": name}) for name, rule in rules.items()
    ]
    return alt.ConcatChart(
        data=alt.Data(values=rows),
        concat=list(views),
        columns=2,
        description=DESCRIPTION,
        spacing=40,
        transform=[alt.FlattenTransform(flatten=fields), *calculated],
        params=list(params),
        title=alt.TitleParams(text=alt.expr(title), anchor="start"),
        resolve=alt.Resolve(scale={"color": "independent"}),
        config=theme(),
    )


def point_map(
    count: int, colour: Any, tooltip: Mapping[str, str], *, title: str, given: bool, start: int
) -> Any:
    """Return a map of points, of which the nearest is framed and an area can be chosen.

    Parameters
    ----------
    count : int
        Number of points.
    colour : channel
        Colour of the points.
    tooltip : mapping of str to str
        What is said of a point: headings, and expressions in which ``point`` is the point.
    title : str
        Title of the map.
    given : bool
        Whether the user gave the coordinates.
    start : int
        The point that is framed at first.
    """
    alt = altair()
    hover = alt.selection_point(
        name="hover",
        fields=["point"],
        on="pointerover",
        nearest=True,
        clear=False,
        value=[{"point": start}],
    )
    area = alt.selection_interval(name="area", encodings=["x", "y"])
    scale = alt.Scale(zero=False)
    # Principal components have no units.
    axis = alt.Axis(grid=False, labels=given, ticks=given)
    titles = ("x", "y") if given else ("principal component 1", "principal component 2")
    return (
        alt.Chart(name="map", width=WIDTH, height=HEIGHT, title=title)
        .transform_filter("isValid(datum.point)")
        .mark_circle(size=max(12, min(60, 40_000 // max(count, 1))))
        .encode(
            x=alt.X("x:Q", title=titles[0], scale=scale, axis=axis),
            y=alt.Y("y:Q", title=titles[1], scale=scale, axis=axis),
            color=colour,
            opacity=alt.condition("datum.chosen", alt.value(0.9), alt.value(0.08)),
            stroke=alt.condition(hover, alt.value(INK), alt.value(None), empty=False),
            strokeWidth=alt.value(2),
            order=alt.Order("chosen:Q"),
            tooltip=alt.value({"expr": _object(tooltip)}),
        )
        .add_params(hover, area)
    )


def _object(entries: Mapping[str, str]) -> str:
    """Return an expression for an object with such entries."""
    # The nearest point is that of a cell around it, in which it is the datum.
    inside = (
        f"{json.dumps(heading)}: {entry.replace('point.', '(datum.datum || datum).')}"
        for heading, entry in entries.items()
    )
    return f"{{{', '.join(inside)}}}"


def histogram(score: str, title: str) -> Any:
    """Return a histogram of the scores on which a range can be chosen."""
    alt = altair()
    scores = alt.selection_interval(name="scores", encodings=["x"])
    base = (
        alt.Chart()
        .transform_filter("isValid(datum.point) && isValid(datum.score)")
        .transform_bin(["low", "high"], "score", bin=alt.Bin(maxbins=40))
        .transform_aggregate(points="count()", chosen="sum(chosen)", groupby=["low", "high"])
        .encode(
            x=alt.X("low:Q", title=score, bin="binned"),
            x2="high:Q",
            tooltip=[
                alt.Tooltip("low:Q", title=f"{score} from", format=".3f"),
                alt.Tooltip("high:Q", title="to", format=".3f"),
                alt.Tooltip("points:Q"),
                alt.Tooltip("chosen:Q"),
            ],
        )
    )
    every = base.mark_bar(color=LINE).encode(y=alt.Y("points:Q", title="points"))
    chosen = base.mark_bar(color=BLUE).encode(y=alt.Y("chosen:Q"))
    return alt.layer(every.add_params(scores), chosen).properties(
        name="histogram", width=WIDTH, height=HEIGHT, title=title
    )
