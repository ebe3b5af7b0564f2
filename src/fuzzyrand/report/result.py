"""The page of a result that has no page of its own: its text, and its picture if there is one."""

from __future__ import annotations

from io import StringIO
from typing import Any

from ..results import Alignment, ConfidenceInterval, Matching, ModelCheck, Significance
from .rendering import render

#: What a page is about, for each kind of result.
HEADINGS: dict[type, str] = {
    Significance: "Are two clusterings more alike than by chance?",
    ConfidenceInterval: "How certain is the adjusted index?",
    ModelCheck: "Does the random model describe this clustering?",
    Matching: "Which clusters correspond?",
    Alignment: "The clusters of many runs in a common order",
}
#: What Matplotlib would write about a file, and when.
METADATA = ("Creator", "Date", "Format", "Type")


def result_report(result: Any, *, command: str = "") -> str:
    """Write a result as an HTML page: what ``print`` shows, and what ``plot`` draws.

    Parameters
    ----------
    result : Significance, ConfidenceInterval, ModelCheck, Matching or Alignment
        The result. The picture is left out if Matplotlib is not installed.
    command : str
        The command line that gives the same result, which the page quotes.

    Returns
    -------
    str
        A complete HTML page, to be written as UTF-8. It loads nothing from the network.

    Raises
    ------
    MissingExtraError
        If Jinja2 is not installed.

    Examples
    --------
    >>> import fuzzyrand as fr
    >>> from fuzzyrand.report import result_report
    >>> "Which clusters correspond?" in result_report(fr.match([0, 0, 1], [1, 1, 0]))
    True
    """
    heading = HEADINGS[type(result)]
    return render(
        "result.html",
        title=heading,
        heading_text=heading,
        answer=getattr(result, "sentence", ""),
        text=str(result),
        picture=_picture(result),
        command=command,
        stdin=False,
    )


def _picture(result: Any) -> Any:
    """Return the plot of a result as SVG; None for many runs, or without Matplotlib."""
    if isinstance(result, Alignment):  # it would be as long as there are runs
        return None
    try:
        from matplotlib import style  # Deferred: an extra.
        from matplotlib.figure import Figure
    except ImportError:
        return None
    from markupsafe import Markup

    file = StringIO()
    # On white, whatever style is set; and the same result gives the same page.
    with style.context(["default", {"svg.hashsalt": "fuzzyrand"}]):
        figure = Figure(layout="constrained")
        result.plot(figure.subplots())
        figure.savefig(file, format="svg", metadata=dict.fromkeys(METADATA))
    svg = file.getvalue()
    return Markup(svg[svg.index("<svg") :])
