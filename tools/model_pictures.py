"""Draw the figures of which-model.md and what-values-mean.md in docs/guide: ``make figures``.

They are a diagram of the questions, random clusterings from each model next to the clustering that
they replace, and three pairs of clusterings under several models.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import numpy.typing as npt
from both_grounds import DPI, both_styles, save_both
from matplotlib.patches import FancyBboxPatch
from sklearn.cluster import AgglomerativeClustering
from sklearn.datasets import load_iris
from sklearn.mixture import GaussianMixture

import fuzzyrand as fr
from fuzzyrand.models.advice import DEFAULT_KEEP, KEEPS
from fuzzyrand.plot._style import ground, palette

SEED = 4
#: Size in inches of the figure of one clustering.
PANEL = (2.6, 2.2)
#: Colours of the species of iris.
COLOURS = palette(3)
#: Standard deviation of the jitter of dots.
JITTER = 0.018
#: Number of points in the pairs of clusterings.
POINTS = 300
PAIR_MODELS = ["perm", "fit", "sym", "flat"]

#: The questions, and what chance keeps if the answer is yes. If no answer is, it keeps the default.
QUESTIONS = {
    "Should agreement about\ncluster sizes count?": "number",
    "Are the points a sample,\nand does a distribution\ndescribe their rows?": "sizes",
    "Was no clustering more\nlikely than another?": "nothing",
}
#: The question that follows every answer, and what to do if the answer is yes.
LAST = "Is one of them a known truth?", 'fixed="first"\nor fixed="second"\n(perm: no difference)'

#: Edges of the boxes of questions and of answers, which are filled with a tinge of the same.
QUESTION, ANSWER = "#5b87b5", "#d07c0c"
ARROW = {"arrowstyle": "-|>", "color": "0.5", "shrinkA": 0, "shrinkB": 0}

Rows = npt.NDArray[np.float64]
Labels = npt.NDArray[np.intp]


# --- the diagram ---------------------------------------------------------------------------------


def draw_questions() -> Any:
    """Draw the questions from top to bottom, their answers on the right, and the last below all."""
    rows = len(QUESTIONS) + 2
    figure = plt.figure(figsize=(5.3, 0.95 * rows))
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_xlim(0.0, 5.3)
    axes.set_ylim(rows, 0.0)
    axes.set_axis_off()
    answers = {question: models_of(keep) for question, keep in QUESTIONS.items()}
    for y, (question, answer) in enumerate([*answers.items(), ("", ""), LAST]):
        middle = y + 0.5
        if not question:
            box(axes, (0.4, middle), 1.95, f"{models_of(DEFAULT_KEEP)}, the default", ANSWER)
            continue
        box(axes, (0.1, middle), 2.55, question, QUESTION)
        box(axes, (3.15, middle), 1.8, answer, ANSWER)
        axes.annotate("", (3.15, middle), (2.65, middle), arrowprops=ARROW)
        axes.text(2.9, middle - 0.06, "yes", ha="center", va="bottom", fontsize=9)
    for y in range(1, rows):
        axes.annotate("", (1.375, y + 0.16), (1.375, y - 0.16), arrowprops=ARROW)
        if y < rows - 1:
            axes.text(1.45, y, "no", va="center", fontsize=9)
    # From every answer, a line down the right side and into the arrow above the last question.
    for y in range(len(QUESTIONS)):
        axes.plot([4.95, 5.12], [y + 0.5, y + 0.5], color=ARROW["color"], linewidth=1.0)
    axes.plot([5.12, 5.12, 1.375], [0.5, rows - 1, rows - 1], color=ARROW["color"], linewidth=1.0)
    return figure


def models_of(keep: str) -> str:
    """Return the names of the models that keep something, for fuzzy and for hard clusterings."""
    entry = KEEPS[keep]
    return entry.fuzzy if entry.fuzzy == entry.hard else f"{entry.fuzzy}\nboth hard: {entry.hard}"


def box(axes: Any, left: tuple[float, float], width: float, text: str, edge: str) -> None:
    """Draw a rounded box with text; ``left`` is the middle of its left side."""
    x, y = left
    style = "round,pad=0,rounding_size=0.08"
    axes.add_patch(
        FancyBboxPatch((x, y - 0.34), width, 0.68, style, facecolor=(edge, 0.15), edgecolor=edge)
    )
    axes.text(x + width / 2, y, text, ha="center", va="center", fontsize=9.5)


# --- random clusterings --------------------------------------------------------------------------


def drawn_rows(given: Rows, model: str, rng: np.random.Generator) -> Rows:
    """Draw a fuzzy clustering under a model."""
    if model == "perm":
        return rng.permutation(given)
    law: Any = fr.compare(given, given, model=model).analysis.laws[0]
    return np.asarray(law.rows.sample(rng, len(given)))


def drawn_labels(given: Labels, model: str, rng: np.random.Generator) -> Labels:
    """Draw a hard clustering under a model."""
    sizes = np.bincount(given)
    if model == "cat":
        return rng.choice(sizes.size, size=given.size, p=sizes / given.size)
    if model in ("num", "all"):
        chosen = {"num": fr.Num(), "all": fr.All()}[model]
        sizes = chosen.draw_sizes(fr.as_partition(given), rng)
    return rng.permutation(np.repeat(np.arange(sizes.size), sizes))


def draw_simplex(axes: Any, rows: Rows, species: Labels) -> None:
    """Draw memberships in a triangle, each point in the colour of its species."""
    bare_simplex(axes, rows)
    # One dot for each point, with some jitter, so that dots do not hide each other.
    axes.collections[0].remove()
    corners = axes.lines[0].get_xydata()[:3]
    moved = rows @ corners + np.random.default_rng(0).normal(0.0, JITTER, (len(rows), 2))
    axes.scatter(*moved.T, 16.0, np.take(COLOURS, species), edgecolor=ground().paper, linewidth=0.4)
    axes.margins(0.06)


def bare_simplex(axes: Any, rows: Rows) -> None:
    """Draw memberships in a triangle without any text."""
    fr.plot.simplex(rows, axes)
    for text in [*axes.texts]:
        text.remove()
    axes.set_title("")


def draw_sizes(axes: Any, labels: Labels, species: Labels) -> None:
    """Draw the sizes of hard clusters as bars, from large to small, divided by species."""
    table = np.zeros((labels.max() + 1, len(COLOURS)), dtype=np.intp)
    np.add.at(table, (labels, species), 1)
    table = table[np.argsort(-table.sum(axis=1), kind="stable")]
    below = np.zeros(len(table))
    for count, colour in zip(table.T, COLOURS, strict=True):
        axes.bar(np.arange(len(table)), count, 0.8, below, color=colour)
        below += count
    axes.set_ylim(0, 108)
    axes.set_yticks([0, 50, 100])
    axes.set_xticks([])
    axes.set_xlabel(f"{len(table)} clusters")
    axes.set_ylabel("points")
    axes.spines[["top", "right"]].set_visible(False)


def draw_models(folder: Path) -> None:
    """Draw a clustering and one random clustering for each model, fuzzy and hard."""
    flowers, species = load_iris(return_X_y=True)
    sepals = flowers[:, :2]
    mixture = GaussianMixture(3, n_init=10, random_state=0).fit(sepals)
    soft = np.asarray(fr.match(species, mixture.predict_proba(sepals)).relabel())
    linkage = AgglomerativeClustering(3, linkage="single").fit_predict(flowers)
    for model in ("given", "perm", "fit", "sym", "flat", "mixture"):
        rng = np.random.default_rng(SEED)
        rows = soft if model == "given" else drawn_rows(soft, model, rng)
        save(folder / f"fuzzy-{model}.png", lambda axes, r=rows: draw_simplex(axes, r, species))
    for model in ("given", "perm", "cat", "num", "all"):
        rng = np.random.default_rng(SEED)
        labels = linkage if model == "given" else drawn_labels(linkage, model, rng)
        save(folder / f"hard-{model}.png", lambda axes, r=labels: draw_sizes(axes, r, species))


def save(path: Path, draw: Callable[[Any], None]) -> None:
    """Draw into a figure with one panel, and write it."""
    for target in both_styles(path):
        figure = plt.figure(figsize=PANEL, layout="constrained")
        draw(figure.subplots())
        figure.savefig(target, dpi=DPI)
        plt.close(figure)


# --- pairs of clusterings ------------------------------------------------------------------------


def pairs() -> dict[str, tuple[Rows, Rows]]:
    """Return three pairs of fuzzy clusterings with rows from Dirichlet distributions."""
    rng = np.random.default_rng(0)
    even, one_large = [0.3, 0.3, 0.3], [1.6, 0.1, 0.1]
    first = rng.dirichlet(even, POINTS)
    kept = rng.random(POINTS) < 0.8
    blurred = first**0.2
    return {
        "alike": (first, np.where(kept[:, None], first, rng.dirichlet(even, POINTS))),
        "one-large": (rng.dirichlet(one_large, POINTS), rng.dirichlet(one_large, POINTS)),
        "fuzzier": (first, blurred / blurred.sum(axis=1, keepdims=True)),
    }


def draw_pair(pair: tuple[Rows, Rows], table: fr.ComparisonTable) -> Any:
    """Draw two clusterings in triangles above the chart of models."""
    figure = plt.figure(figsize=(5.6, 5.2), layout="constrained")
    panels = figure.subplot_mosaic([["first", "second"], ["both", "both"]])
    for title, rows in zip(("first", "second"), pair, strict=True):
        bare_simplex(panels[title], rows)
        panels[title].set_title(title, fontsize="medium")
    fr.plot.comparison(table, panels["both"])
    return figure


def draw_pairs(folder: Path) -> None:
    """Draw each pair of clusterings, and its observed and expected indices."""
    for name, (first, second) in pairs().items():
        table = fr.compare(first, second, model=PAIR_MODELS)
        save_both(folder / f"pair-{name}.png", lambda p=(first, second), t=table: draw_pair(p, t))
        hardened = fr.explain(first, second, model="perm").hardened
        print(name, table, f"hardened, perm: {hardened:.3f}", sep="\n")


def main(folder: Path) -> None:
    """Write all figures into a folder."""
    folder.mkdir(exist_ok=True)
    save_both(folder / "questions.png", draw_questions)
    draw_models(folder)
    draw_pairs(folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
