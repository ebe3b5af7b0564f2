"""Linked charts of two clusterings with Altair: a map, scores, overlaps, and one point."""

from __future__ import annotations

from typing import Any

from .linked_charts import HEIGHT, IN_MAP, IN_SCORES, WIDTH, histogram, linked, point_map
from .pair_data import ALL, NONE, SHOWN, PairData
from .vega import BLUE, INK, LINE, ORANGE, PAPER, SOFT, altair, variables

SIDES = ("first", "second")
#: Vega's name for the width that all charts share.
ROOM = {"expr": "childWidth"}
#: Largest number of columns of a table whose cells have room for numbers.
NUMBERED = 12


def pair_explorer(data: PairData) -> Any:
    """Return the linked charts, as an Altair chart that notebooks display."""
    alt = altair()
    model = alt.VariableParameter(
        name="model",
        value=data.comparisons[0].model,
        bind=alt.binding_select(options=list(data.chance), name="random model "),
    )
    known = variables(
        chance=data.chance,
        adjusted={c.model: data.adjusted(c) for c in data.comparisons},
        first_names=data.clusters[0],
        second_names=data.clusters[1],
    )
    views = [_map(data), histogram("score", "Scores of points")]
    if data.overlap is not None:
        views.append(_overlaps(data))
    views.append(_memberships(data))
    return linked(
        views,
        {"point": data.points, "cell": data.cells},
        _rules(data),
        [model, *known],
        "'adjusted index under ' + model + ': ' + format(adjusted[model], '.4f')",
    )


def _rules(data: PairData) -> dict[str, str]:
    """Return how scores, names and what is chosen follow from the data."""
    score = "chance[model] > 0 ? 1 - {0} / chance[model] : 1"
    sides = list(zip(SIDES, ("row", "column"), data.covers, strict=True))
    rules, inside = {}, []
    for side, place, cover in sides:
        cluster, wanted = f"datum.{place}", f"cell.{place}[0]"
        strongest = f"length(datum.in_{side}) ? datum.in_{side}[0] : {NONE}"
        rules[place] = f"isValid(datum.point) ? ({strongest}) : {cluster}"
        rules[side] = (
            f"{cluster} >= 0 ? {side}_names[{cluster}] : {cluster} == {ALL} ? 'all' : 'none'"
        )
        among = f"indexof(datum.in_{side}, {wanted}) >= 0" if cover else f"{cluster} == {wanted}"
        inside.append(f"({wanted} == {ALL} || {among})")
    in_cell = f"(!isValid(cell.row) || {' && '.join(inside)})"
    return {
        **rules,
        "score": f"isValid(datum.point) ? {score.format('datum.discordance')} : null",
        "cluster_score": f"isValid(datum.mean) ? {score.format('datum.mean')} : null",
        "chosen": f"isValid(datum.point) && {IN_SCORES} && {IN_MAP} && {in_cell} ? 1 : 0",
    }


def _map(data: PairData) -> Any:
    alt = altair()
    lowest = int(data.explanation.points[data.shown].argmin())
    first, second = data.titles
    return point_map(
        data.shown.size,
        alt.Color(
            "score:Q",
            scale=alt.Scale(range=[ORANGE, BLUE], interpolate="lab"),
            legend=alt.Legend(title=None, orient="bottom", gradientThickness=10),
        ),
        {
            "point": "point.id",
            "score": "format(point.score, '.4f')",
            first: "point.first",
            second: "point.second",
        },
        title="Points, coloured by score",
        given=data.xy is not None,
        start=lowest,
    )


def _overlaps(data: PairData) -> Any:
    alt = altair()
    chart = data.overlap
    assert chart is not None
    cell = alt.selection_point(name="cell", fields=["row", "column"], on="click", toggle=False)
    counted = not any(data.covers)
    rows, columns = [*chart.rows, ALL], [*chart.columns, ALL]
    narrow = len(columns) > NUMBERED
    base = (
        alt.Chart()
        .transform_joinaggregate(total="sum(chosen)", points="valid(point)")
        .transform_joinaggregate(both="sum(chosen)", groupby=["row", "column"])
        .transform_joinaggregate(in_row="sum(chosen)", groupby=["row"])
        .transform_joinaggregate(in_column="sum(chosen)", groupby=["column"])
        .transform_filter("isValid(datum.overlap)")
        .transform_calculate(
            part="datum.column < 0 ? datum.in_row : datum.row < 0 ? datum.in_column : datum.both",
            whole="datum.row < 0 || datum.column < 0",
            some="datum.total < datum.points",
        )
        .encode(
            x=alt.X(
                "column:O",
                scale=alt.Scale(domain=columns),
                title=data.titles[1],
                axis=alt.Axis(
                    labelExpr="datum.value < 0 ? 'all' : second_names[datum.value]",
                    labelAngle=-45 if len(columns) > 4 else 0,
                    labelLimit=90,
                    orient="bottom",
                ),
            ),
            y=alt.Y(
                "row:O",
                scale=alt.Scale(domain=rows),
                title=data.titles[0],
                axis=alt.Axis(
                    labelExpr="datum.value < 0 ? 'all' : first_names[datum.value]", labelLimit=90
                ),
            ),
        )
    )
    dimmed = "datum.some && datum.part == 0" if counted else "false"
    look = {
        "opacity": alt.condition(dimmed, alt.value(0.25), alt.value(1)),
        "stroke": alt.condition(cell, alt.value(INK), alt.value(LINE), empty=False),
        "strokeWidth": alt.condition(cell, alt.value(2.5), alt.value(0.5), empty=False),
    }
    names = [alt.Tooltip(f"{side}:N", title=data.titles[i]) for i, side in enumerate(SIDES)]
    cells = (
        base.transform_filter("!datum.whole")
        .mark_rect(cursor="pointer")
        .encode(
            color=alt.Color(
                "of_first:Q",
                scale=alt.Scale(domain=[0, 1], range=[PAPER, BLUE], interpolate="lab"),
                legend=None,
            ),
            tooltip=[
                *names,
                alt.Tooltip("overlap:Q", format=",.6~g"),
                alt.Tooltip("of_first:Q", title="of the first", format=".1%"),
                alt.Tooltip("of_second:Q", title="of the second", format=".1%"),
            ],
            **look,
        )
    )
    whole = (
        base.transform_filter("datum.whole")
        .mark_rect(cursor="pointer", color=PAPER)
        .encode(
            tooltip=[
                *names,
                alt.Tooltip("overlap:Q", title="size", format=",.6~g"),
                alt.Tooltip("cluster_score:Q", title="score of the cluster", format=".3f"),
            ],
            **look,
        )
    )
    view = cells.add_params(cell) + whole
    if not narrow:
        amount = "datum.some ? datum.part : datum.overlap" if counted else "datum.overlap"
        written = f"format({amount}, ({amount}) < 10 && ({amount}) % 1 ? '.1f' : ',.0f')"
        dark = f"!datum.whole && datum.of_first > 0.55 && !({dimmed})"
        view = view + base.transform_calculate(written=written).mark_text(fontSize=11).encode(
            text="written:N",
            color=alt.condition(dark, alt.value(PAPER), alt.value(INK)),
            opacity=alt.condition(dimmed, alt.value(0.6), alt.value(1)),
        )
    return view.properties(name="overlaps", width=WIDTH, height=HEIGHT, title="Overlap of clusters")


def _memberships(data: PairData) -> Any:
    alt = altair()
    hovered = "isValid(hover.point) && datum.point === hover.point[0]"
    heading = (
        alt.Chart(name="heading", width=WIDTH, height=20)
        .transform_filter(hovered)
        .transform_calculate(
            written="'point ' + datum.id + ', score ' + format(datum.score, '.4f')"
        )
        .mark_text(align="left", fontWeight="bold", fontSize=13, x=0, limit=ROOM, color=INK)
        .encode(text="written:N")
    )
    parts = [heading]
    for side, name in zip(SIDES, data.titles, strict=True):
        base = (
            alt.Chart()
            .transform_filter(hovered)
            .transform_flatten([f"in_{side}", f"{side}_memberships"], ["cluster", "membership"])
            .transform_filter("isValid(datum.cluster)")
            .transform_window(place="row_number()")
            .transform_filter(f"datum.place <= {SHOWN}")
            .transform_calculate(
                name=f"{side}_names[datum.cluster]",
                written="datum.name + ': ' + format(datum.membership, '.3~f')",
            )
            .encode(
                y=alt.Y("place:O", scale=alt.Scale(domain=list(range(1, SHOWN + 1))), axis=None)
            )
        )
        bars = base.mark_bar(color=BLUE, opacity=0.45, height=alt.RelativeBandSize(0.85)).encode(
            x=alt.X(
                "membership:Q",
                scale=alt.Scale(domain=[0, 1], clamp=True),
                axis=alt.Axis(title=None, grid=False, ticks=False, values=[0, 0.5, 1]),
            )
        )
        texts = base.mark_text(align="left", x=4, limit=ROOM, color=INK).encode(text="written:N")
        parts.append(
            alt.layer(bars, texts).properties(
                name=f"{side}_view",
                width=WIDTH,
                height=(HEIGHT - 70) // 2,
                title=alt.TitleParams(
                    text=name, fontSize=11, fontWeight="normal", color=SOFT, anchor="start"
                ),
            )
        )
    return alt.vconcat(*parts, spacing=8, title="The point under the pointer")
