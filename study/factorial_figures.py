"""The ten panels of the factorial study: the mean of each model against a factor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .figures import STYLES, canvas, save
from .store import Store
from .tables import level

if TYPE_CHECKING:
    from .factorial_page import Panel

LABELS = {
    "clusters": "number of clusters",
    "points": "number of points",
    "imbalance": "share of clusters that hold 80% of the points",
    "precision": "precision of the random rows (steps not to scale)",
    "share": "share of points randomised",
}
#: Full lines for the library's models, dotted ones for the authors' treatment of zeros.
LINES = {
    "perm": "-",
    "fit": "-",
    "fit_categorical": ":",
    "sym": "-",
    "sym_categorical": ":",
    "flat": "-",
}
NAMES = {
    "fit_categorical": 'fit, zeros="categorical"',
    "sym_categorical": 'sym, zeros="categorical"',
}


def draw(store: Store, sides: int, panels: list[Panel]) -> None:
    """Draw five panels and a legend, for two-sided or one-sided comparisons."""
    figure, axes = canvas(2, 3, (12.0, 7.2))
    *drawn, legend = axes.ravel()
    for axis, panel in zip(drawn, panels, strict=True):
        _draw_panel(axis, panel)
    for axis in axes[:, 0]:
        axis.set_ylabel("mean adjusted NDC")
    handles, names = drawn[0].get_legend_handles_labels()
    legend.set_axis_off()
    legend.legend(handles, names, loc="center", fontsize=11, labelspacing=0.9, frameon=False)
    name = "factorial-two-sided" if sides == 2 else "factorial-one-sided"
    save(store, figure, name)


def _draw_panel(axis: Any, panel: Panel) -> None:
    doubling = panel.factor in ("clusters", "points")
    x = np.array(panel.levels) if doubling else np.arange(len(panel.levels), dtype=float)
    if doubling:
        axis.set_xscale("log", base=2)
    for column, line in LINES.items():
        style = STYLES[column.split("_")[0]]
        axis.plot(
            x,
            panel.ours[column],
            line,
            color=style["color"],
            marker=style["marker"] if line == "-" else None,
            ms=5,
            lw=1.6,
            label=NAMES.get(column, column),
        )
    for model in (model for model in STYLES if model in panel.theirs):
        style = STYLES[model]
        axis.plot(
            x,
            panel.theirs[model],
            style["marker"],
            ms=10,
            mfc="none",
            mec=style["color"],
            mew=1.1,
            label=f"{model}, published",
        )
    axis.set_xticks(x, [level(at) for at in panel.levels])
    axis.minorticks_off()
    axis.axhline(0.0, color="black", lw=0.7, zorder=1)
    axis.set_xlabel(LABELS[panel.factor])
