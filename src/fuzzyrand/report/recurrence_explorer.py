"""Linked charts of many runs with Altair: families over runs, runs, points and their firmness."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._base.types import FloatArray, IntArray
from .._clusterings.points.rows_of_points import coordinates_of_points
from ..plot._charts.bands import Bands
from ..plot._charts.palette import palette
from ..results import Recurrence
from .coordinates import principal_components
from .linked_charts import HEIGHT, IN_MAP, IN_SCORES, WIDTH, histogram, linked, point_map
from .pair_data import rounded, shown_points
from .vega import BLUE, INK, LINE, altair, variables

#: Colour of points that belong to none of the families.
GREY = "#8c8c8c"
#: Largest number of families with a row of their own.
FAMILIES = 30
#: Whether a run is where the user dragged over the map of runs.
IN_RUNS = (
    "(!isValid(runs.run_x) || inrange(datum.run_x, runs.run_x) && inrange(datum.run_y, runs.run_y))"
)
#: Whether a point belongs most often to the family that was clicked.
IN_FAMILY = "(!isValid(cell.family) || datum.family == cell.family[0])"


def recurrence_explorer(result: Recurrence, xy: Any = None) -> Any:
    """Return the linked charts, as an Altair chart that notebooks display."""
    shown = shown_points(result.points)
    found = [f.number for f in result.families if f.runs > 1][:FAMILIES]
    by_chance = [f.number for f in result.families if f.by_chance]
    order = Bands.of(result).runs
    tables = {
        "point": _points(result, shown, xy),
        "cluster": _clusters(result, order, found),
        "run": _runs(result),
    }
    rules = {
        "in_runs": f"isValid(datum.run_x) && {IN_RUNS} ? 1 : 0",
        "chosen": f"isValid(datum.point) && {IN_SCORES} && {IN_MAP} && {IN_FAMILY} ? 1 : 0",
        "home": "datum.family < 0 ? 'none' : 'family ' + datum.family",
        "shown_home": "indexof(shown_families, datum.family) < 0 ? 'none' : datum.home",
    }
    points = point_map(
        shown.size,
        _colour(found),
        {
            "point": "point.id",
            "firmness": "format(point.score, '.4f')",
            "most often in": "point.home",
            "share of its runs": "format(point.share, '.0%')",
        },
        title="Points, coloured by family",
        given=xy is not None,
        start=int(np.nan_to_num(result.points[shown], nan=np.inf).argmin()),
    )
    views = [
        _families(order, found),
        _run_map(),
        points,
        histogram("firmness", "Firmness of points"),
    ]
    title = f"'{len(result.runs)} runs, {len(found)} families that recur'"
    return linked(views, tables, rules, variables(by_chance=by_chance, shown_families=found), title)


def _points(result: Recurrence, shown: IntArray, xy: Any) -> dict[str, list[Any]]:
    if xy is None:
        places = principal_components([result.consensus.take(shown)])
    else:
        places = coordinates_of_points([result.consensus], xy)[shown]
    return {
        "point": list(range(shown.size)),
        "id": [str(result.ids[place]) for place in shown.tolist()],
        "x": rounded(places[:, 0], 5),
        "y": rounded(places[:, 1], 5),
        "score": rounded(result.points[shown], 8),
        "family": result.home[shown].tolist(),
        "share": rounded(result.home_share[shown], 4),
        "present": result.present[shown].tolist(),
    }


def _clusters(result: Recurrence, order: list[str], found: list[int]) -> dict[str, list[Any]]:
    """Return the clusters of the families that are shown, with the places of their runs."""
    kept = [c for c in result.clusters if c.family in set(found)]
    places = dict(zip(result.runs, run_places(result.adjusted).tolist(), strict=True))
    number = {run: place for place, run in enumerate(order)}
    return {
        "run": [number[c.run] for c in kept],
        "run_name": [c.run for c in kept],
        "cluster": [str(c.cluster) for c in kept],
        "family": [c.family for c in kept],
        "size": rounded([float(c.size) for c in kept], 5),
        "firmness": rounded([float(c.firmness) for c in kept], 4),
        "run_x": rounded([places[c.run][0] for c in kept], 5),
        "run_y": rounded([places[c.run][1] for c in kept], 5),
    }


def _runs(result: Recurrence) -> dict[str, list[Any]]:
    table, places = result.columns("runs"), run_places(result.adjusted)
    return {
        "run_name": list(result.runs),
        "clusters": table["clusters"],
        "mode": table["mode"],
        "mean_adjusted": rounded(table["mean_adjusted"], 5),
        "consensus": rounded(table["consensus"], 5),
        "run_x": rounded(places[:, 0], 5),
        "run_y": rounded(places[:, 1], 5),
    }


def run_places(adjusted: FloatArray) -> FloatArray:
    """Return places of the runs in the plane, by classical scaling of 1 − the adjusted index."""
    apart = np.maximum(1.0 - adjusted, 0.0) ** 2
    centred = apart - apart.mean(axis=0) - apart.mean(axis=1)[:, None] + apart.mean()
    values, vectors = np.linalg.eigh(-0.5 * centred)
    return np.asarray(vectors[:, :-3:-1] * np.sqrt(np.maximum(values[:-3:-1], 0.0)))


def _colour(found: list[int]) -> Any:
    alt = altair()
    names, colours = [f"family {number}" for number in found], palette(len(found))
    return alt.Color(
        "shown_home:N",
        scale=alt.Scale(domain=[*names, "none"], range=[*colours, GREY]),
        legend=None,
    )


def _families(order: list[str], found: list[int]) -> Any:
    alt = altair()
    cell = alt.selection_point(name="cell", fields=["family"], on="click", toggle=False)
    dimmed = "datum.in_runs == 0 || datum.total < datum.points && datum.in_family == 0"
    return (
        alt.Chart(name="families", width=WIDTH, height=HEIGHT, title="Families over runs")
        .transform_joinaggregate(total="sum(chosen)", points="valid(point)")
        .transform_joinaggregate(in_family="sum(chosen)", groupby=["family"])
        .transform_filter("isValid(datum.run)")
        .mark_rect(cursor="pointer")
        .encode(
            x=alt.X(
                "run:O",
                scale=alt.Scale(domain=list(range(len(order))), paddingInner=0.08),
                axis=alt.Axis(labels=False, ticks=False, title="runs"),
            ),
            y=alt.Y(
                "family:O",
                scale=alt.Scale(domain=found, paddingInner=0.12),
                axis=alt.Axis(
                    ticks=False,
                    domain=False,
                    title="family",
                    labelExpr="datum.value + (indexof(by_chance, datum.value) < 0 ? '' : '*')",
                ),
            ),
            color=_colour(found),
            opacity=alt.condition(
                dimmed,
                alt.value(0.1),
                alt.Opacity(
                    "firmness:Q",
                    scale=alt.Scale(domain=[0.3, 1], range=[0.3, 1], clamp=True),
                    legend=None,
                ),
            ),
            stroke=alt.condition(cell, alt.value(INK), alt.value(None), empty=False),
            tooltip=[
                alt.Tooltip("home:N", title="family"),
                alt.Tooltip("run_name:N", title="run"),
                alt.Tooltip("cluster:N"),
                alt.Tooltip("size:Q", title="size in points", format=",.0f"),
                alt.Tooltip("firmness:Q", format=".3f"),
            ],
        )
        .add_params(cell)
    )


def _run_map() -> Any:
    alt = altair()
    runs = alt.selection_interval(name="runs", encodings=["x", "y"])
    scale, axis = alt.Scale(zero=False), alt.Axis(grid=False, labels=False, ticks=False, title=None)
    return (
        alt.Chart(name="run_map", width=WIDTH, height=HEIGHT, title="Runs: similar ones are close")
        .transform_filter("isValid(datum.mode)")
        .mark_circle(size=90, color=BLUE, stroke=LINE)
        .encode(
            x=alt.X("run_x:Q", scale=scale, axis=axis),
            y=alt.Y("run_y:Q", scale=scale, axis=axis),
            opacity=alt.condition("datum.in_runs", alt.value(0.8), alt.value(0.12)),
            tooltip=[
                alt.Tooltip("run_name:N", title="run"),
                alt.Tooltip("clusters:Q"),
                alt.Tooltip("mode:O", title="tells story (mode)"),
                alt.Tooltip("mean_adjusted:Q", title="mean adjusted index", format=".3f"),
                alt.Tooltip("consensus:Q", title="with the consensus", format=".3f"),
            ],
        )
        .add_params(runs)
    )
