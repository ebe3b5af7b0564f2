"""The tables of a stability analysis: as text, and as named columns."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from .._base.naming import shorten
from .._base.parameters import is_count, written
from .frames import Columns, columns_of
from .numbers import number_written, p_written

if TYPE_CHECKING:
    from .stability import Stability

#: Share of the repeats between ``low`` and ``high``.
SPREAD = 0.9
#: Largest width of the values of the parameter.
WIDEST = 10


def printed_table(result: Stability) -> list[str]:
    """Return the lines of the table that ``print`` shows."""
    expected, excess = result.reference_means, result.excess
    means, errors, spreads = result.means, result.stderrs, result.spreads
    count = is_count(result.parameter)
    title = "k" if count else shorten(result.parameter, WIDEST)
    shown = {value: shorten(written(value), WIDEST) for value in result.values}
    left = max(4, len(title), *map(len, shown.values()))
    beside = _beside(result, means)
    head = f"{title:>{left}}{beside['']}    mean  ± error   {f'{100 * SPREAD:.0f}% of repeats':<16}"
    lines = [head.rstrip() if expected is None else f"{head}  no clusters  excess       p"]
    for value in result.values:
        start = f"{shown[value]:>{left}}{beside[value]}"
        if math.isnan(means[value]):
            lines.append(f"{start}       –")
            continue
        low, high = spreads[value]
        between = f"{low:z.3f} to {high:z.3f}"
        line = f"{start}  {means[value]:z6.3f}  {number_written(errors[value]):>7}   {between:<16}"
        if expected is not None and excess is not None and result.pvalues is not None:
            mark = "  best" if value == result.best else ""
            line += (
                f"  {number_written(expected[value]):>11}  {number_written(excess[value]):>6}  "
                f"{p_written(result.pvalues[value]):>6}{mark}"
            )
        lines.append(line.rstrip())
    if expected is not None:
        lines.append(
            f"No clusters: mean for {result.reference_words}.\n"
            "Excess: (mean - no clusters) / (1 - no clusters). p: tested against no clusters."
        )
    return lines


def _beside(result: Stability, rows: Mapping[Any, Any]) -> dict[Any, str]:
    """Return what stands beside each value, and the heading under "": how many clusters, how firm.

    Numbers of clusters that came out as asked for are not repeated.
    """
    numbers = result.numbers
    if not numbers:
        return dict.fromkeys(["", *rows], "")
    firm = {value: f"  {firm_clusters(result, value):>4}" for value in rows}
    beside = {"": "  firm", **firm}
    if is_count(result.parameter) and all(numbers[value] == value for value in rows):
        return beside
    return {
        value: f"  {numbers[value] if value != '' else 'clusters':>8}{text}"
        for value, text in beside.items()
    }


def firm_clusters(result: Stability, value: Any) -> int:
    """Return how many clusters of a value can be believed."""
    return result.verdicts[value].count("firm")


def summary(result: Stability) -> Columns:
    """Return a row for each value."""
    spreads, expected, excess = result.spreads, result.reference_means, result.excess
    columns: Columns = {result.parameter: list(result.values)}
    if result.clusterings:
        columns["clusters"] = list(result.numbers.values())
        columns["fewest"] = [int(counts.min()) for counts in result.counts.values()]
        columns["most"] = [int(counts.max()) for counts in result.counts.values()]
        columns["firm"] = [firm_clusters(result, value) for value in result.values]
    columns |= {
        "mean": list(result.means.values()),
        "stderr": list(result.stderrs.values()),
        "low": [low for low, _ in spreads.values()],
        "high": [high for _, high in spreads.values()],
        "repeats": [int((~np.isnan(scores)).sum()) for scores in result.scores.values()],
    }
    if expected is not None and excess is not None and result.pvalues is not None:
        columns["reference"] = list(expected.values())
        columns["excess"] = list(excess.values())
        columns["pvalue"] = list(result.pvalues.values())
    return columns


def scores(result: Stability) -> Columns:
    """Return a row for each value and repeat."""
    rows = [
        (value, repeat, score)
        for value, found in result.scores.items()
        for repeat, score in enumerate(found.tolist())
    ]
    return columns_of((result.parameter, "repeat", "adjusted"), rows)


def clusters(result: Stability) -> Columns:
    """Return a row for each value and cluster."""
    firmness, chance = result.firmness, result.chance
    labels, verdicts = result.labels, result.verdicts
    rows = []
    for value, run in result.clusterings.items():
        found = result.found_again[value]
        known = (~np.isnan(found)).sum(axis=0)
        with np.errstate(invalid="ignore", divide="ignore"):
            spread = np.sqrt(np.nansum((found - firmness[value]) ** 2, axis=0) / (known - 1.0))
            errors = np.where(known > 1, spread / np.sqrt(known), np.nan)
        rows += [
            (value, *row)
            for row in zip(
                labels[value],
                run.sizes[: run.clusters].tolist(),
                firmness[value].tolist(),
                errors.tolist(),
                chance[value].tolist(),
                verdicts[value],
                strict=True,
            )
        ]
    names = (result.parameter, "cluster", "size", "firmness", "stderr", "chance", "verdict")
    return columns_of(names, rows)


def points(result: Stability) -> Columns:
    """Return a row for each value and point; the cluster of noise points is None."""
    rows: list[tuple[Any, ...]] = []
    for value, run in result.clusterings.items():
        names = [*result.labels[value], None]
        ids = range(run.n) if run.ids is None else run.ids
        places = np.minimum(run.rows.strongest, run.clusters).tolist()
        firm = result.points[value].tolist()
        rows += [
            (value, point, names[place], score)
            for point, place, score in zip(ids, places, firm, strict=True)
        ]
    return columns_of((result.parameter, "point", "cluster", "firmness"), rows)


#: The tables of a result by name.
TABLES: Mapping[str, Callable[[Stability], Columns]] = {
    "summary": summary,
    "scores": scores,
    "clusters": clusters,
    "points": points,
}
