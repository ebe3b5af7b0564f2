"""Interactive pages: linked charts with all their scripts in one file."""

from __future__ import annotations

import json
from typing import Any

from ..results import Comparison, ComparisonTable, Explanation, Recurrence
from .pair_data import PairData, shown_points
from .pair_explorer import pair_explorer
from .recurrence_explorer import FAMILIES, recurrence_explorer
from .rendering import render
from .vega import COLOURS, vega_scripts


def interactive_report(
    result: Explanation | Comparison | ComparisonTable,
    *,
    names: tuple[str, str] = ("first", "second"),
    xy: Any = None,
    command: str = "",
    stdin: bool = False,
) -> str:
    """Write two clusterings as an HTML page that can be explored.

    Parameters
    ----------
    result : Explanation, Comparison or ComparisonTable
        Result of :func:`fuzzyrand.explain` or :func:`fuzzyrand.compare`. The menu has the models of
        a table, and all models that apply otherwise.
    names : tuple of str
        Names of the clusterings, such as file names.
    xy : array-like of shape (points, 2), optional
        Coordinates of the points on the map, as in :func:`fuzzyrand.plot.points`. By default, two
        principal components of the memberships in both clusterings.
    command : str
        The command line that gives the same result, which the page quotes.
    stdin : bool, default False
        Whether this command reads standard input. The page then says that it needs the same input.

    Returns
    -------
    str
        A complete HTML page of about 1 MB, to be written as UTF-8. It loads nothing from the
        network.

    Raises
    ------
    InputError
        If there are not two coordinates for each point.
    MissingExtraError
        If Altair, vl-convert-python or Jinja2 is not installed.
    NotApplicableError
        If the index is not a mean over points or pairs of points, so that points have no scores.

    See Also
    --------
    comparison_report, explanation_report : Write pages that can be printed.

    Notes
    -----
    The score of a point is 1 − Dᵢ/E, where only E depends on the model, so that the page needs one
    number for each point and one for each model. With more than 5,000 points, it has the 2,500 with
    the lowest scores and 2,500 others, drawn at random.
    """
    data = PairData.of(result, names, xy)
    explanation = data.explanation
    fuzzy = any(not (side.is_hard or side.cover) for side in explanation.partitions)
    own = ({"field": "first", "title": names[0]}, {"field": "second", "title": names[1]})
    return _page(
        "explore_pair.html",
        pair_explorer(data),
        title=f"Explore {names[0]} and {names[1]}",
        columns=[
            {"field": "id", "title": "point"},
            {"field": "score", "title": "score", "decimals": 4},
            *own,
        ],
        notes=[
            *_sample_notes(data.shown.size, explanation.points.size),
            *_table_notes(data),
            *map(str, explanation.own_notes),
        ],
        names=names,
        comparisons=[(c, data.adjusted(c)) for c in data.comparisons],
        shown=data.shown.size,
        total=explanation.points.size,
        fuzzy=fuzzy,
        covers=any(data.covers),
        given=xy is not None,
        command=command,
        stdin=stdin,
    )


def interactive_recurrence_report(
    result: Recurrence, *, xy: Any = None, command: str = "", stdin: bool = False
) -> str:
    """Write the clusters that recur in many runs as an HTML page that can be explored.

    Parameters
    ----------
    result : Recurrence
        Result of :func:`fuzzyrand.recurrence`.
    xy : array-like of shape (points, 2), optional
        Coordinates of the points on their map. By default, two principal components of the
        consensus.
    command, stdin
        As in :func:`interactive_report`.

    Returns
    -------
    str
        A complete HTML page of about 1 MB, to be written as UTF-8. It loads nothing from the
        network.

    Raises
    ------
    InputError
        If there are not two coordinates for each point.
    MissingExtraError
        If Altair, vl-convert-python or Jinja2 is not installed.

    See Also
    --------
    recurrence_report : Write a page that can be printed.
    """
    shown = shown_points(result.points).size
    families = sum(f.runs > 1 for f in result.families)
    return _page(
        "explore_runs.html",
        recurrence_explorer(result, xy),
        title=f"Explore {len(result.runs)} runs",
        columns=[
            {"field": "id", "title": "point"},
            {"field": "score", "title": "firmness", "decimals": 4},
            {"field": "home", "title": "most often in"},
            {"field": "share", "title": "share of its runs", "decimals": 2},
        ],
        notes=[*_sample_notes(shown, result.n), *result.notes],
        result=result,
        given=xy is not None,
        more=max(0, families - FAMILIES),
        command=command,
        stdin=stdin,
    )


def _page(template: str, chart: Any, **values: Any) -> str:
    """Fill in a template with a chart, its data and the scripts that draw it."""
    vega = vega_scripts()  # first, as it may be missing
    from markupsafe import Markup  # Deferred: an extra.

    spec = json.dumps(chart.to_dict(), separators=(",", ":"), allow_nan=False)
    safe = spec.replace("<", "\\u003c")  # nothing in a name may end the script that holds it
    return render(template, chart=Markup(safe), vega=Markup(vega), colours=list(COLOURS), **values)


def _table_notes(data: PairData) -> list[str]:
    """Say which clusters the table of overlaps lacks."""
    chart = data.overlap
    if chart is None:
        return ["There is no table of overlaps: there are too many clusters, or none overlap."]
    if not any(chart.left_out):
        return []
    first, second = chart.left_out
    return [
        f"The table of overlaps has the largest clusters; {first:,} of the first clustering and "
        f"{second:,} of the second are not in it."
    ]


def _sample_notes(shown: int, total: int) -> list[str]:
    if shown == total:
        return []
    return [
        f"The charts and the list show {shown:,} of {total:,} points: half of them have the lowest "
        "scores, and the others are drawn at random. Overlaps and indices are those of all points; "
        "what is chosen is counted among the points that are shown."
    ]
