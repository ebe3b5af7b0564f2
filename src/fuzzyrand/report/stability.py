"""The report of a stability analysis: a parameter, its clusters and their points."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from .._base.naming import shorten
from .._base.parameters import Value, is_count, written
from .._clusterings.matching.jaccards import DOUBTFUL, FIRM
from ..results import Stability
from ..results.numbers import number_written, p_written
from ..results.stability import CAVEAT
from .rendering import render

#: Height of a drawing in pixels, and the lowest adjusted index that is drawn.
HEIGHT, LOWEST = 180, -0.1
#: Share of the place of a value that its dots take, and radii of the dots of clusters in pixels.
ROOM, SMALLEST, LARGEST = 0.6, 2.5, 9.0
#: Largest numbers of values that are all named below a drawing, and of clusters that are listed.
NAMED, LISTED = 20, 40
#: Largest number of points that are listed, and the firmness below which they are.
POINTS, LOOSE = 20, 0.5


@dataclass(frozen=True)
class Dot:
    """A cluster: its place in percent and pixels, its radius, and whether it is filled."""

    x: float
    y: float
    radius: float
    filled: bool
    title: str


@dataclass(frozen=True)
class Column:
    """What is drawn for one value of the parameter.

    Attributes
    ----------
    x : float
        Place of its middle, in percent.
    name, below : str
        The value, and the number of clusters that came out; empty where there is no room.
    mean : float or None
        Height of the mean of the repeats.
    best : bool
        Whether it is that of the best value.
    bar : tuple of float or None
        Top and bottom of the middle 90% of the repeats.
    expected : float or None
        Height of the mean of data without clusters.
    clusters : list of Dot
        The clusters of all rows, by their firmness.
    """

    x: float
    name: str
    below: str
    mean: float | None
    best: bool
    bar: tuple[float, float] | None
    expected: float | None
    clusters: list[Dot]


def stability_report(result: Stability, *, command: str = "", stdin: bool = False) -> str:
    """Write a stability analysis as an HTML page.

    Parameters
    ----------
    result : Stability
        Result of :func:`fuzzyrand.stability`.
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
    fuzzyrand.plot.stability, fuzzyrand.plot.firmness : Draw the same with Matplotlib.

    Notes
    -----
    The clusters and points of the best value are listed, or those of the most stable one if there
    is no best: up to 40 clusters, and the 20 points that are least firm.

    Examples
    --------
    >>> import fuzzyrand as fr
    >>> from fuzzyrand.report import stability_report
    >>> cut = lambda k, x: [k * value // 40 for value in x]
    >>> result = fr.stability(cut, list(range(40)), [2, 3], repeats=3)
    >>> page = stability_report(result, command="stability(cut, x, [2, 3])")
    >>> page.count("<svg")
    2
    """
    value = result.most_stable if result.best is None else result.best
    count = is_count(result.parameter)
    table = result.columns("clusters")
    rows = list(zip(*table.values(), strict=True))
    of_value = [row[1:] for row in rows if row[0] == value]
    return render(
        "stability.html",
        title=f"Stability over {shorten(result.parameter, 40)}",
        result=result,
        question="number of clusters" if count else result.parameter,
        count=count,
        shown=None if value is None else written(value),
        columns=_columns(result),
        height=HEIGHT,
        y=height_of,
        limits=[(FIRM, height_of(FIRM)), (DOUBTFUL, height_of(DOUBTFUL))],
        summary=_summary(result),
        clusters=sorted(of_value, key=lambda row: -_known(row[2]))[:LISTED],
        clusters_left_out=max(0, len(of_value) - LISTED),
        points=[] if value is None else _loosest(result, value),
        caveat=CAVEAT if result.best is not None else "",
        firm=FIRM,
        doubtful=DOUBTFUL,
        describe=_described(result),
        command=command,
        stdin=stdin,
    )


def height_of(value: float) -> float:
    """Return the place of an adjusted index, or of a firmness, in pixels from the top.

    Examples
    --------
    >>> height_of(1.0), height_of(LOWEST)
    (0.0, 180.0)
    """
    return round(HEIGHT * (1.0 - value) / (1.0 - LOWEST), 1) + 0.0


def _columns(result: Stability) -> list[Column]:
    means, spreads, expected = result.means, result.spreads, result.reference_means
    numbers, firmness, verdicts = result.numbers, result.firmness, result.verdicts
    labels, values = result.labels, result.values
    width, step = 100.0 / len(values), -(-len(values) // NAMED)
    columns = []
    for place, value in enumerate(values):
        x, clusters = width * (place + 0.5), []
        firm = firmness.get(value, np.empty(0))
        order = np.argsort(-np.nan_to_num(firm, nan=-1.0), kind="stable")
        aside = np.linspace(-0.5, 0.5, firm.size) if firm.size > 1 else np.zeros(firm.size)
        for offset, cluster in zip(aside.tolist(), order.tolist(), strict=True):
            if math.isnan(firm[cluster]):
                continue
            run = result.clusterings[value]
            share = math.sqrt(run.sizes[cluster] / run.n)
            clusters.append(
                Dot(
                    round(x + ROOM * width * offset, 2),
                    height_of(firm[cluster]),
                    round(SMALLEST + (LARGEST - SMALLEST) * share, 1),
                    verdicts[value][cluster] == "firm",
                    f"cluster {labels[value][cluster]}: {firm[cluster]:.2f}",
                )
            )
        named = place % step == 0
        mean, low = means[value], max(LOWEST, spreads[value][0])
        columns.append(
            Column(
                x=round(x, 2),
                name=shorten(written(value), 8) if named else "",
                below=f"({numbers[value]})" if named and not is_count(result.parameter) else "",
                mean=None if math.isnan(mean) else height_of(max(mean, LOWEST)),
                best=value == result.best,
                bar=None if math.isnan(mean) else (height_of(spreads[value][1]), height_of(low)),
                expected=None
                if expected is None or math.isnan(expected[value])
                else height_of(max(expected[value], LOWEST)),
                clusters=clusters,
            )
        )
    return columns


def _summary(result: Stability) -> list[dict[str, str]]:
    """Return the table of values as text, without the spread of repeats, which is drawn."""
    drawn = ("low", "high", "repeats")
    columns = {name: cells for name, cells in result.columns().items() if name not in drawn}
    rows = zip(*columns.values(), strict=True)
    return [
        {
            name: p_written(cell)
            if name == "pvalue"
            else number_written(cell)
            if isinstance(cell, float) and place
            else written(cell)
            for place, (name, cell) in enumerate(zip(columns, row, strict=True))
        }
        for row in rows
    ]


def _loosest(result: Stability, value: Value) -> list[tuple[str, str, float]]:
    """Return the points that are least firm: their names, clusters and firmness."""
    table = result.columns("points")
    rows = [row[1:] for row in zip(*table.values(), strict=True) if row[0] == value]
    loose = [row for row in rows if row[2] < LOOSE]  # NaN is not
    return [
        (str(point), "noise" if cluster is None else str(cluster), firm)
        for point, cluster, firm in sorted(loose, key=lambda row: row[2])[:POINTS]
    ]


def _described(result: Stability) -> str:
    """Return the drawing of means in words."""
    return "; ".join(
        f"{result.parameter} {written(value)}: mean {number_written(mean, 2)}"
        for value, mean in result.means.items()
    )


def _known(value: float) -> float:
    return -1.0 if math.isnan(value) else value
