"""Draw the null distribution of docs/guide/certainty.md, which is not normal: ``make figures``."""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib as mpl
import numpy as np

import fuzzyrand as fr

POINTS, DRAWS, SEED = 200, 9999, 2


def main(folder: Path) -> None:
    """Write the figure into a folder."""
    mpl.use("agg")
    from matplotlib.figure import Figure  # Deferred: after the backend is chosen.

    halves = np.repeat([0, 1], POINTS // 2)
    # A clustering with itself: no shuffle comes near it, so drawing never stops early.
    test = fr.significance(halves, halves, draws=DRAWS, random_state=SEED)
    figure = Figure(figsize=(6.4, 3.2), layout="constrained")
    axes = test.plot(figure.subplots())
    for arrow in [*axes.texts]:  # arrows to the observed value, which is not of interest here
        arrow.remove()
    axes.lines[-1].remove()
    axes.set_xlim(-0.012, 0.045)
    beyond = float(np.mean(test.null > test.null_mean + 3.0 * test.null_sd))
    axes.axvspan(test.null_mean + 3.0 * test.null_sd, 0.045, color="#1b4f8a", alpha=0.08)
    axes.text(0.044, axes.get_ylim()[1] * 0.5, f"z > 3: {beyond:.1%}\n(normal: 0.13%)", ha="right")
    axes.set_title("two balanced halves of 200 points", loc="left")
    axes.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=2, frameon=False)
    figure.savefig(folder / "certainty.png", dpi=150)
    print(f"z > 3 in {beyond:.2%} of {test.draws:,} shuffles")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
