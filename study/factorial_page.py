"""Tables, figures and page of the factorial study."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from . import published
from .design import FACTORS, FloatArray
from .factorial import COLUMNS, FULL, columns_of
from .factorial_differences import differences_table
from .factorial_figures import draw
from .factorial_findings import findings
from .store import Record, Store
from .tables import level, markdown_table, number, page, write_parquet

#: Our column that follows the rule behind a published column.
COUNTERPART = {"perm": "perm", "fit": "fit_authors", "sym": "sym_authors", "flat": "flat"}
#: A difference from a published mean up to this counts as agreement.
CLOSE = 0.02


@dataclass(frozen=True)
class Panel:
    """Means over everything but one factor.

    Attributes
    ----------
    sides : int
        2, or 1 if the other clustering is fixed.
    factor : str
        The factor.
    levels : tuple of float
        Its levels.
    ours : dict of array
        A mean for each level, by column of the results.
    theirs : dict of array
        The published means, by model; empty where the levels are not those of the paper.
    """

    sides: int
    factor: str
    levels: tuple[float, ...]
    ours: dict[str, FloatArray]
    theirs: dict[str, FloatArray]

    def differences(self) -> Iterator[tuple[float, str, float, float]]:
        """Yield level, model, our mean by the authors' rules, and the published mean."""
        for model, means in self.theirs.items():
            for at, theirs in zip(self.levels, means, strict=True):
                mine = self.ours[COUNTERPART[model]][self.levels.index(at)]
                yield at, model, float(mine), float(theirs)


class Results:
    """The cells of the study as arrays."""

    def __init__(self, records: list[Record]) -> None:
        self.factors: dict[str, npt.NDArray[Any]] = {
            name: np.array([r[name] for r in records]) for name in (*FACTORS, "sides")
        }
        self.adjusted: FloatArray = np.array([r["adjusted"] for r in records])
        self.stderr: FloatArray = np.array([r["stderr"] for r in records])
        self.zeros: FloatArray = np.array([r["zeros"] for r in records])

    def mean(self, column: str, **where: float) -> float:
        """Return the mean of a column over the cells with these levels."""
        chosen = np.ones(len(self.adjusted), dtype=bool)
        for name, value in where.items():
            chosen &= self.factors[name] == value
        return float(self.adjusted[chosen, COLUMNS.index(column)].mean())

    def levels(self, factor: str) -> tuple[float, ...]:
        """Return the levels of a factor that occur, in the order of the paper."""
        return tuple(sorted(set(self.factors[factor].tolist()), reverse=factor == "imbalance"))

    def panel(self, sides: int, factor: str) -> Panel:
        """Return the means over everything but a factor."""
        levels = self.levels(factor)
        ours = {
            column: np.array([self.mean(column, sides=sides, **{factor: at}) for at in levels])
            for column in COLUMNS
        }
        # A published mean is over all levels of the other factors, so there is none for a
        # selection.
        whole = all(self.levels(f) == FULL[FACTORS.index(f)] for f in FACTORS)
        means = published.TWO_SIDED if sides == 2 else published.ONE_SIDED
        theirs = {m: np.array(v) for m, v in means[factor].items()} if whole else {}
        return Panel(sides, factor, levels, ours, theirs)


def write(store: Store, *, quick: bool) -> Path:
    """Write everything that follows from the cells."""
    records = store.table()
    runs = len({r["run"] for r in records})
    store.write("factorial.parquet", lambda path: write_parquet(path, columns_of(records)))
    results = Results(records)
    panels = [results.panel(sides, factor) for sides in (2, 1) for factor in FACTORS]
    store.write("means.parquet", lambda path: write_parquet(path, _mean_columns(panels)))
    for sides in (2, 1):
        draw(store, sides, [p for p in panels if p.sides == sides])
    text = page(
        "factorial",
        cells=f"{len(records):,}",
        runs=str(runs),
        options=" --quick" if quick else "" if runs == 5 else f" --runs {runs}",
        scope="a selection of the settings" if quick else "all 4,900 settings",
        stderr=number(float(results.stderr.max()), 4),
        agreement=_agreement(panels),
        two_sided=_means_table(panels, 2),
        one_sided=_means_table(panels, 1),
        differences_two_sided=differences_table(results, panels, 2, CLOSE),
        differences_one_sided=differences_table(results, panels, 1, CLOSE),
        **findings(results, panels),
    )
    return store.write("factorial.md", lambda path: path.write_text(text, encoding="utf-8"))


def _mean_columns(panels: list[Panel]) -> dict[str, Any]:
    rows = [
        (p.sides, p.factor, at, column, float(p.ours[column][i]))
        for p in panels
        for i, at in enumerate(p.levels)
        for column in COLUMNS
    ]
    names = ("sides", "factor", "level", "model", "mean")
    return dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))


def _agreement(panels: list[Panel]) -> str:
    """Say how many of the published means agree with ours, and list the others."""
    compared = [(p, *d) for p in panels for d in p.differences()]
    if not compared:
        return (
            "This is a selection of the settings, so its means cannot be held against the "
            "published ones."
        )
    far = [row for row in compared if abs(row[3] - row[4]) > CLOSE]
    largest = max(abs(row[3] - row[4]) for row in compared)
    met = (
        f"Of {len(compared)} published means, {len(compared) - len(far)} are met within {CLOSE} "
        f"by the authors' rules on our data; the largest difference is {number(largest)}."
    )
    if not far:
        return met
    rows = [
        [f"{_SIDES[p.sides]}, {p.factor} {level(at)}", m, number(ours), number(theirs)]
        for p, at, m, ours, theirs in far
    ]
    return met + "\n\n" + markdown_table(["mean over", "model", "ours", "published"], rows)


_SIDES = {2: "two-sided", 1: "one-sided"}


def _means_table(panels: list[Panel], sides: int) -> str:
    header = ["", "perm", "publ."]
    for model in ("fit", "sym"):
        header += [model, f"{model}, categorical", f"{model}, authors' rule", "publ."]
    header += ["flat", "publ."]
    rows = []
    for panel in (p for p in panels if p.sides == sides):
        for i, at in enumerate(panel.levels):
            row = [f"{panel.factor} {level(at)}"]
            for model in ("perm", "fit", "sym", "flat"):
                row += [number(float(panel.ours[c][i])) for c in COLUMNS if c.startswith(model)]
                theirs = panel.theirs.get(model)
                row.append(number(float(theirs[i])) if theirs is not None else "")
            rows.append(row)
    return markdown_table(header, rows)
