"""Draw how running times grow with the number of points: ``make figures``.

The numbers come from the table "Growth" in benchmarks/RESULTS.md.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib.pyplot as plt
from both_grounds import save_both

from fuzzyrand.plot._style import palette

RESULTS = Path(__file__).parents[1] / "benchmarks" / "RESULTS.md"
SECONDS = {"µs": 1e-6, "ms": 1e-3, "s": 1.0}


class Growth(NamedTuple):
    """Running times of one route.

    Attributes
    ----------
    route : str
        What was computed.
    points : int
        The smallest number of points.
    seconds : tuple of float
        Times for this number of points, for twice and for four times as many.
    exponent : str
        Slope of the line, as given in the table.
    """

    route: str
    points: int
    seconds: tuple[float, ...]
    exponent: str


def growth_table(text: str) -> list[Growth]:
    """Return the rows of the table of a page of results."""
    _, found, after = text.partition("\n## Growth\n")
    lines = [line for line in after.split("\n## ")[0].splitlines() if line.startswith("|")]
    if not found or len(lines) < 3:
        raise SystemExit(f"{RESULTS} has no table under the heading Growth; run make bench.")
    rows = []
    for line in lines[2:]:
        route, points, *times, exponent = (cell.strip() for cell in line.strip("| ").split("|"))
        seconds = tuple(_seconds(time) for time in times)
        rows.append(Growth(route.replace("`", ""), _number(points), seconds, exponent))
    return rows


def _number(cell: str) -> int:
    return int(cell.replace(",", ""))


def _seconds(cell: str) -> float:
    value, unit = cell.split()
    return float(value) * SECONDS[unit]


def draw() -> Any:
    """Draw a line for each route."""
    figure = plt.figure(figsize=(7.2, 5.6), layout="constrained")
    axes = figure.subplots()
    rows = growth_table(RESULTS.read_text())
    for row, colour in zip(rows, palette(len(rows)), strict=True):
        points = [row.points * factor for factor in (1, 2, 4)]
        label = f"{row.route}: {row.exponent}"
        axes.loglog(points, row.seconds, "o-", color=colour, markersize=4, label=label)
    axes.set_xlabel("points")
    axes.set_ylabel("seconds")
    axes.grid(which="major", alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)
    figure.legend(
        title="route: exponent", loc="outside lower center", ncols=2, fontsize=9, frameon=False
    )
    return figure


if __name__ == "__main__":
    save_both(Path(sys.argv[1]) / "growth.png", draw)
