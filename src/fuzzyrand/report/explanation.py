"""The report of an explanation: where two clusterings disagree."""

from __future__ import annotations

from typing import Any

from .._base.naming import shorten
from .._clusterings.weights import weight_line
from ..plot._charts.axes import LABEL_WIDTH
from ..results import Explanation
from ..results.frames import rows_of
from ..results.result import NAMES
from .disagreement import Disagreement
from .matching_drawings import FlowDrawing
from .rendering import render

#: Largest number of clusters of a side that are listed.
LISTED = 40


def explanation_report(
    explanation: Explanation,
    *,
    names: tuple[str, str] = NAMES,
    command: str = "",
    stdin: bool = False,
) -> str:
    """Write an explanation as an HTML page.

    Parameters
    ----------
    explanation : Explanation
        Result of :func:`fuzzyrand.explain`.
    names : tuple of str
        Names of the clusterings, such as file names.
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
    comparison_report : Write a page about the same clusterings under several models.
    fuzzyrand.plot.overlap, fuzzyrand.plot.flow : Draw overlaps with Matplotlib.

    Notes
    -----
    With more than 25 clusters on a side, the table of overlaps becomes a heat map; with more than
    100, it shows the largest. Bands are drawn for up to 80 clusters on a side. The 20 points that
    agree least are listed, and up to 1,000 more open with a click.

    Examples
    --------
    >>> import fuzzyrand as fr
    >>> from fuzzyrand.report import explanation_report
    >>> result = fr.explain(list("aaabbb"), list("xxyyyy"))
    >>> page = explanation_report(result, names=("a.csv", "b.csv"), command="fuzzyrand explain")
    >>> "Neither is a refinement of the other" in page
    True
    """
    d = Disagreement(explanation, names, LISTED)
    c = explanation.comparison
    short = [shorten(name, LABEL_WIDTH) for name in names]
    return render(
        "explanation.html",
        title=f"Where {short[0]} and {short[1]} disagree",
        names=names,
        d=d,
        c=c,
        weights=weight_line(c.weights),
        left_out=_left_out(explanation),
        flow=FlowDrawing.of(d.matching, names),
        fuzzy=any(not (side.is_hard or side.cover) for side in explanation.partitions),
        command=command,
        stdin=stdin,
    )


def _left_out(explanation: Explanation) -> list[dict[str, Any]]:
    """Return the clusters that lost points which the other clustering lacks, by their share."""
    rows = [row for row in rows_of(explanation.columns("left_out")) if row["share"] > 0.0]
    return sorted(rows, key=lambda row: -row["share"])[:LISTED]
