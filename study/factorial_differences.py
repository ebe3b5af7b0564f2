"""Differences between the default and the published means, divided by cause."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .design import FloatArray
from .factorial import COLUMNS
from .tables import level, markdown_table, number

if TYPE_CHECKING:
    from .factorial_page import Panel, Results

CAUSES = (
    "hard rows, share below 1",
    "Σp² for pairs, share below 1",
    "unrelated, share 1",
    "left over",
)


def differences_table(results: Results, panels: list[Panel], sides: int, close: float) -> str:
    """List the means of the default that differ from the published ones, with the causes.

    The parts are means over all cells of the level, so they add up. Where hard rows remain, they
    lead from the default to categorical zeros, and from there to the authors' expectation with a
    fixed side. Where all rows are random, they lead from the default to the authors' rule. The last
    part is the unexplained remainder.
    """
    rows = []
    for panel in (p for p in panels if p.sides == sides and p.theirs):
        for model in ("fit", "sym", "perm", "flat"):
            for i, at in enumerate(panel.levels):
                ours, theirs = float(panel.ours[model][i]), float(panel.theirs[model][i])
                if abs(ours - theirs) <= close:
                    continue
                chosen = (results.factors["sides"] == sides) & (results.factors[panel.factor] == at)
                parts = _parts(results, model, chosen)
                parts.append(theirs - ours - sum(parts))
                head = [f"{panel.factor} {level(at)}", model]
                rows.append([*head, *(number(value) for value in (ours, theirs, *parts))])
    if not rows:
        return "None."
    return markdown_table(["mean over", "model", "default", "published", *CAUSES], rows)


def _parts(results: Results, model: str, chosen: np.ndarray) -> list[float]:
    """Return what the authors' rules add to the mean of a model over the chosen cells."""
    if model not in ("fit", "sym"):
        return [0.0, 0.0, 0.0]

    def column(name: str) -> FloatArray:
        return np.asarray(results.adjusted[chosen, COLUMNS.index(name)])

    ours, categorical = column(model), column(f"{model}_categorical")
    theirs = column(f"{model}_authors")
    noise = results.factors["share"][chosen] == 1.0
    return [
        float(np.where(noise, 0.0, categorical - ours).mean()),
        float(np.where(noise, 0.0, theirs - categorical).mean()),
        float(np.where(noise, theirs - ours, 0.0).mean()),
    ]
