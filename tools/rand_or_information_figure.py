"""Draw where the Rand index and mutual information differ: ``make figures``.

The figure belongs to docs/guide/rand-or-information.md, which quotes the numbers that are printed.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from both_grounds import save_both
from matplotlib.lines import Line2D

import fuzzyrand as fr
from fuzzyrand.plot._charts.palette import palette

RAND, INFORMATION, OWN = palette(3)
#: Sizes of the true clusters in the first panel: one large cluster and ten small ones.
LARGE, SMALL, NUMBER = 900, 10, 10
POINTS, MOVED, REPEATS = 1000, 0.3, 5
CLUSTERS = (2, 5, 10, 20, 50, 100)
BLURS = np.linspace(0.0, 0.9, 10)


def unbalanced() -> dict[str, tuple[float, float]]:
    """Return both adjusted indices of three wrong clusterings with an unbalanced truth."""
    truth = np.repeat(np.arange(NUMBER + 1), [LARGE, *[SMALL] * NUMBER])
    halved, merged = truth.copy(), np.minimum(truth, 1)
    halved[: LARGE // 2] = NUMBER + 1
    quarter = truth.copy()
    quarter[: LARGE // 4] = NUMBER + 1
    found = {
        "the large one\nhalved": halved,
        "a quarter of the\nlarge one split off": quarter,
        "the small ones\nall merged": merged,
    }
    return {name: both(truth, labels) for name, labels in found.items()}


def both(a: Any, b: Any) -> tuple[float, float]:
    """Return the adjusted ndc and the adjusted mutual information."""
    return fr.adjusted_similarity(a, b), fr.adjusted_similarity(a, b, index="mi")


def moved() -> list[tuple[float, float]]:
    """Return both indices of equal clusters, some of whose points moved to any cluster."""
    rows = []
    for k in CLUSTERS:
        values = []
        for seed in range(REPEATS):
            rng = np.random.default_rng(seed)
            truth = np.arange(POINTS) % k
            somewhere = rng.integers(k, size=POINTS)
            values.append(both(truth, np.where(rng.random(POINTS) < MOVED, somewhere, truth)))
        rows.append(tuple(np.mean(values, axis=0).tolist()))
    return rows


def blurred() -> list[tuple[float, float, float]]:
    """Return the indices of a clustering with itself, the fuzzier the further to the right."""
    labels = np.arange(POINTS) % 5
    rows = []
    for share in BLURS:
        soft = (1.0 - share) * np.eye(5)[labels] + share / 5.0
        own = fr.compare(soft, soft, index="mi", maximum="self").adjusted
        rows.append((*both(soft, soft), own))
    return rows


def bars(axes: Any, values: dict[str, tuple[float, float]]) -> None:
    """Draw pairs of bars."""
    places = np.arange(len(values))
    for shift, colour, numbers in zip(
        (-0.2, 0.2), (RAND, INFORMATION), zip(*values.values(), strict=True), strict=True
    ):
        drawn = axes.bar(places + shift, numbers, 0.36, color=colour)
        axes.bar_label(drawn, [f"{number:.2f}" for number in numbers], fontsize=8)
    axes.set_xticks(places, list(values), fontsize=8)


def lines(axes: Any, x: Sequence[float], columns: Sequence[Sequence[float]]) -> None:
    """Draw one line for each column."""
    for colour, values, style in zip(
        (RAND, INFORMATION, OWN), columns, ("-", "-", ":"), strict=False
    ):
        axes.plot(x, values, f"o{style}", color=colour, markersize=4)


def main(folder: Path) -> None:
    """Write the figure into a folder."""
    imbalance, small, fuzzy = unbalanced(), moved(), blurred()
    save_both(folder / "rand-or-information.png", lambda: draw(imbalance, small, fuzzy))
    for name, values in imbalance.items():
        print(name.replace("\n", " "), np.round(values, 3))
    for k, values in zip(CLUSTERS, small, strict=True):
        print(k, np.round(values, 3))
    for share, values in zip(BLURS, fuzzy, strict=True):
        print(f"{share:.1f}", np.round(values, 3))


def draw(imbalance: Any, small: Any, fuzzy: Any) -> Any:
    """Draw the three panels."""
    figure = plt.figure(figsize=(11.0, 3.9), layout="constrained")
    left, middle, right = figure.subplots(1, 3, sharey=True)
    bars(left, imbalance)
    left.set_title("imbalance: a cluster of 900, ten of 10", loc="left", fontsize=10)
    left.set_ylabel("adjusted by perm")
    lines(middle, CLUSTERS, list(zip(*small, strict=True)))
    middle.set_xscale("log")
    middle.set_xticks(CLUSTERS, [str(k) for k in CLUSTERS])
    middle.minorticks_off()
    middle.set_xlabel("clusters of equal size")
    middle.set_title(f"{MOVED:.0%} of {POINTS:,} points moved anywhere", loc="left", fontsize=10)
    lines(right, BLURS, list(zip(*fuzzy, strict=True)))
    right.set_xlabel("share of each row that is spread evenly")
    right.set_title("five clusters, each with itself", loc="left", fontsize=10)
    for axes in (left, middle, right):
        axes.set_ylim(0.0, 1.08)
        axes.spines[["top", "right"]].set_visible(False)
    names = ("ndc (Rand)", "mi (information)", 'mi, maximum="self"')
    handles = [
        Line2D([], [], color=colour, marker="o", linestyle=style)
        for colour, style in zip((RAND, INFORMATION, OWN), ("-", "-", ":"), strict=True)
    ]
    figure.legend(handles, names, loc="outside lower center", ncols=3, frameon=False)
    return figure


if __name__ == "__main__":
    main(Path(sys.argv[1]))
