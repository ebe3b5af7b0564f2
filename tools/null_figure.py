"""Draw the null distribution of docs/guide/certainty.md, which is not normal: ``make figures``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from both_grounds import ink, save_both
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

import fuzzyrand as fr
from fuzzyrand.plot._style import head

POINTS, DRAWS, SEED = 200, 9999, 2


def main(folder: Path) -> None:
    """Write the figure into a folder."""
    halves = np.repeat([0, 1], POINTS // 2)
    # A clustering with itself: no shuffle comes near it, so drawing never stops early.
    test = fr.significance(halves, halves, draws=DRAWS, random_state=SEED)
    beyond = float(np.mean(test.null > test.null_mean + 3.0 * test.null_sd))
    save_both(folder / "certainty.png", lambda: draw(test, beyond))
    print(f"z > 3 in {beyond:.2%} of {test.draws:,} shuffles")


def draw(test: fr.Significance, beyond: float) -> Any:
    """Draw the null distribution without the observed value, which is not of interest here."""
    axes = test.plot(plt.figure(figsize=(6.4, 3.2), layout="constrained").subplots())
    for arrow in [*axes.texts]:
        arrow.remove()
    axes.lines[-1].remove()
    axes.set_xlim(-0.012, 0.045)
    axes.axvspan(test.null_mean + 3.0 * test.null_sd, 0.045, color=ink(), alpha=0.08)
    axes.text(0.044, axes.get_ylim()[1] * 0.5, f"z > 3: {beyond:.1%}\n(normal: 0.13%)", ha="right")
    bars = Patch(color=axes.patches[0].get_facecolor(), label=f"{test.draws:,} shuffles")
    line = Line2D([], [], color=ink(), linewidth=1.0, linestyle="--", label="normal")
    head(axes, "two balanced halves of 200 points", [bars, line])
    return axes


if __name__ == "__main__":
    main(Path(sys.argv[1]))
