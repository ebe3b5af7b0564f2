"""The report of many clusterings: an ordered heat map and the matrix as a table."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from operator import itemgetter
from typing import Any

import numpy as np

from .._base.naming import shorten
from .._clusterings.points.common_points import left_out_line
from .._clusterings.weights import weight_line
from ..plot._charts import HeatMap
from ..plot._charts.axes import LABEL_WIDTH
from ..results import Comparison, Pairwise
from ..results.frames import rows_of
from ..results.numbers import shown_ends
from .aligned_bars import aligned_bars
from .heat_drawing import HeatDrawing
from .rendering import render

#: Numbers of draws, which may differ between values that were computed in the same way.
DRAWN = re.compile(r"\d[\d,]*")
#: Largest numbers of columns of the matrix that have names, and that fit on paper in portrait and
#: in landscape.
NAMED, PORTRAIT, LANDSCAPE = 6, 12, 22
#: Largest number of tested pairs that are listed.
TESTED = 200


def pairwise_report(result: Pairwise, *, command: str = "", stdin: bool = False) -> str:
    """Write a comparison of many clusterings as an HTML page.

    Parameters
    ----------
    result : Pairwise
        Result of :func:`fuzzyrand.pairwise`: all pairs, or all compared with one reference.
    command : str
        The command line that gives the same result, which the page quotes.
    stdin : bool, default False
        Whether this command reads standard input. The page then says that it needs the same input.

    Returns
    -------
    str
        A complete HTML page, to be written as UTF-8. It loads nothing from the network.

    Raises
    ------
    MissingExtraError
        If Jinja2 is not installed.

    See Also
    --------
    comparison_report : Write a page about two clusterings under several models.
    fuzzyrand.plot.pairwise : Draw the heat map with Matplotlib.

    Notes
    -----
    Similar clusterings are placed next to each other, as in :func:`fuzzyrand.plot.pairwise`. If
    none has more than 12 clusters, and their common order has at most 20, the memberships are drawn
    as in :func:`fuzzyrand.plot.memberships`: those of a sample if there are more than 20,000
    points, and of the first 30 clusterings only. Names may contain any characters: they are
    escaped, and characters that HTML cannot hold are replaced.

    Examples
    --------
    >>> import fuzzyrand as fr
    >>> from fuzzyrand.report import pairwise_report
    >>> result = fr.pairwise({"a": [0, 0, 1], "b": [0, 1, 1]})
    >>> page = pairwise_report(result, command="fuzzyrand pairwise a.csv b.csv")
    >>> page.count("<svg")  # the heat map, and the bars of both clusterings
    3
    """
    chart = HeatMap.of(result)
    table = result.long_table()
    pairs = list(zip(table["first"], table["second"], table["value"], strict=True))
    first = result.comparisons[0][0]
    comparisons = [c for row in result.comparisons for c in row]
    if chart.upright:
        title = f"{len(chart.rows)} clusterings compared with "
        title += shorten(result.rows[0], LABEL_WIDTH)
    else:
        title = f"{len(chart.rows)} clusterings compared"
    return render(
        "pairwise.html",
        title=title,
        chart=chart,
        drawing=HeatDrawing(chart),
        reference=result.rows[0] if chart.upright else None,
        most=max(pairs, key=itemgetter(2), default=None),
        least=min(pairs, key=itemgetter(2), default=None),
        median=float(np.median(table["value"])) if pairs else None,
        c=first,
        symmetric=np.array_equal(result.adjusted, result.adjusted.T),
        weights=weight_line(result.weights),
        left_out=left_out_line(tuple(result.left_out.values()), tuple(result.left_out)),
        notes=result.notes,
        neighbours=[] if chart.upright else _neighbours(result, chart),
        medoid=result.medoid,
        means=dict(zip(result.columns, result.means.tolist(), strict=True)),
        aligned=aligned_bars(result, chart.rows),
        tested=[] if result.tests is None else _tested(result),
        tests_left_out=max(0, len(result.tests or ()) - TESTED),
        ends=_ends(result) if chart.upright else {},
        level=next((i.level for i in (result.intervals or {}).values()), 0.0),
        differences=_differences(result),
        differences_in_all=len(result.differences or ()),
        null=None if not result.tests else next(iter(result.tests.values())),
        against_reference=_against_reference(result, chart) if chart.upright else [],
        named_columns=len(chart.columns) <= NAMED,
        fits_portrait=len(chart.columns) <= PORTRAIT,
        fits_landscape=len(chart.columns) <= LANDSCAPE,
        exact=sum(c.exact for c in comparisons),
        worst=max(comparisons, key=lambda c: (not c.exact, c.stderr, c.error_bound)),
        ways=_ways(comparisons),
        total=len(comparisons),
        command=command,
        stdin=stdin,
    )


def _ends(result: Pairwise) -> dict[str, tuple[str, str]]:
    """Return the ends of the interval of each clustering with the reference; {} if none has any."""
    found = {
        column: shown_ends(i.low, i.high) for (_, column), i in (result.intervals or {}).items()
    }
    return {column: found.get(column, ("–", "–")) for column in result.columns} if found else {}


def _differences(result: Pairwise) -> list[dict[str, Any]]:
    """Return the differences of clusterings, the clearest first, as many as are listed."""
    if not result.differences:
        return []
    rows = rows_of(result.differences_table())
    rows.sort(key=lambda row: (row["pvalue"], -abs(row["difference"])))
    for row in rows:
        row["low"], row["high"] = shown_ends(row["low"], row["high"])
        for what in ("pvalue", "qvalue"):
            value = row[what]
            row[what] = "–" if value != value else f"{value:.4f}" if value >= 1e-4 else "<0.0001"
    return rows[:TESTED]


def _tested(result: Pairwise) -> list[tuple[str, str, float, float, float]]:
    """Return the tested pairs, the least certain first, as many as are listed."""
    return sorted(result.tested_pairs(), key=lambda pair: (-pair[3], pair[2]))[:TESTED]


def _neighbours(result: Pairwise, chart: HeatMap) -> list[tuple[str, str, float, float]]:
    """Return each clustering, the one most like it, their index, and its mean with all others."""
    rows, means = [], result.means[chart.order].tolist()
    for i, row in enumerate(chart.values):
        others = np.where(np.arange(row.size) == i, -np.inf, row)
        nearest = int(others.argmax())
        rows.append((chart.rows[i], chart.rows[nearest], float(row[nearest]), means[i]))
    return rows


def _against_reference(result: Pairwise, chart: HeatMap) -> list[tuple[str, Comparison]]:
    """Return the comparisons with the reference, in the order of the chart."""
    comparisons = (result.comparisons[0][i] for i in chart.order)
    return list(zip(chart.rows, comparisons, strict=True))


def _ways(comparisons: Sequence[Comparison]) -> list[tuple[str, str, int]]:
    """Return how observed and expected indices were computed, the most frequent way first."""
    ways = defaultdict(list)
    for c in comparisons:
        observed, expected = str(c.computed["observed"]), str(c.computed["expected"])
        ways[DRAWN.sub("", observed), DRAWN.sub("", expected)].append((observed, expected))
    return [
        (_merged([o for o, _ in same]), _merged([e for _, e in same]), len(same))
        for same in sorted(ways.values(), key=len, reverse=True)
    ]


def _merged(texts: Sequence[str]) -> str:
    """Return one text for several that differ in a number."""
    drawn = [int(digits.replace(",", "")) for text in texts for digits in DRAWN.findall(text)]
    if not drawn or min(drawn) == max(drawn):
        return texts[0]
    return DRAWN.sub(f"{min(drawn):,} to {max(drawn):,}", texts[0])
