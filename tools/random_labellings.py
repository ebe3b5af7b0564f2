"""Write the page on what random labellings score by mutual information: ``make panel``.

scikit-learn's documentation shows that measures without adjustment grow with the number of clusters
even if the labels are random. This draws the same curve for hard and fuzzy clusterings, and for the
index adjusted under each model.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib.pyplot as plt
import numpy as np
from both_grounds import ink, save_both

import fuzzyrand as fr
from fuzzyrand.plot._style import palette

REPEATS, TOL = 10, 5e-3
CLUSTERS = {100: (2, 5, 10, 20, 35, 50), 1000: (2, 5, 10, 20, 50, 100, 200)}
HARD = ("perm", "cat", "num", "sym")
FUZZY = ("perm", "fit", "sym", "mixed", "empirical", "generalised", "mixture", "kernel")
#: Models that take long to fit, and the most clusters that they are fitted with here.
SLOW, MOST = ("generalised", "mixture", "kernel"), 20
#: Number of colours, which are then used again with other marks.
COLOURS = 7

Draw = Callable[[np.random.Generator, int, int], Any]


class Mean(NamedTuple):
    """Mean of a few scores, its standard error, and whether the first one has a note."""

    value: float
    error: float
    noted: bool = False

    def __str__(self) -> str:
        return f"{self.value:.3f} ± {self.error:.3f}{'*' if self.noted else ''}"


Scores = dict[str, list[Mean | None]]


def hard(rng: np.random.Generator, n: int, k: int) -> fr.Partition:
    """Draw labels that are all equally likely."""
    return fr.Partition.from_labels(rng.integers(k, size=n), clusters=k)


def fuzzy(rng: np.random.Generator, n: int, k: int) -> fr.Partition:
    """Draw rows of a symmetric Dirichlet distribution with precision 1."""
    return fr.as_partition(rng.dirichlet(np.full(k, 1.0 / k), n))


def flat(rng: np.random.Generator, n: int, k: int) -> fr.Partition:
    """Draw rows that are uniformly distributed."""
    return fr.as_partition(rng.dirichlet(np.ones(k), n))


def anything(rng: np.random.Generator, n: int, k: int) -> fr.Partition:
    """Draw one of all clusterings of the points."""
    sizes = fr.All().draw_sizes(fr.Partition.from_labels(np.arange(n)), rng)
    assert sizes is not None
    return fr.Partition.from_labels(rng.permutation(np.repeat(np.arange(sizes.size), sizes)))


def scores(draw: Draw, models: Sequence[str], n: int, k: int) -> dict[str, Mean | None]:
    """Return the mean index of random clusterings, as it is and adjusted under each model."""
    pairs = []
    for seed in range(REPEATS):
        rng = np.random.default_rng(seed)
        pairs.append((draw(rng, n, k), draw(rng, n, k)))
    found: dict[str, Mean | None] = {
        "not adjusted": mean([fr.similarity(*pair, index="mi") for pair in pairs])
    }
    for model in models:
        if model in SLOW and k > MOST:
            found[model] = None
            continue
        results = [fr.compare(*pair, index="mi", model=model, tol=TOL) for pair in pairs]
        # A fuzzy clustering with itself has a note of its own, whatever the model is.
        noted = any("with itself" not in note for note in results[0].notes)
        found[model] = mean([result.adjusted for result in results], noted=noted)
    return found


def mean(values: Sequence[float], *, noted: bool = False) -> Mean:
    """Return the mean of values, with its standard error."""
    error = float(np.std(values, ddof=1)) / len(values) ** 0.5
    return Mean(float(np.mean(values)), error, noted)


def curves(draw: Draw, models: Sequence[str], n: int) -> Scores:
    """Return the scores for each number of clusters, by column of the table."""
    rows = [scores(draw, models, n, k) for k in CLUSTERS[n]]
    return {column: [row[column] for row in rows] for column in rows[0]}


def table(clusters: Sequence[object], columns: Scores) -> str:
    """Return a table in Markdown."""
    lines = [f"| clusters | {' | '.join(columns)} |", "|---:|" + "---:|" * len(columns)]
    for row, k in enumerate(clusters):
        cells = ("–" if cell[row] is None else str(cell[row]) for cell in columns.values())
        lines.append(f"| {k} | {' | '.join(cells)} |")
    return "\n".join(lines).replace("| -0.000 ", "| 0.000 ")


def page(found: dict[tuple[str, int], Scores], own: Scores) -> str:
    """Return the page in Markdown."""
    parts = [
        f"""# What random labellings score by mutual information

The curve that made adjustment for chance known: draw labels at random, twice, and compare them.
They have nothing in common, but normalised mutual information grows with the number of clusters,
because small clusters coincide by chance. The adjusted index stays at 0. scikit-learn's
documentation shows this for hard labels and permutations ([Clustering performance
evaluation](https://scikit-learn.org/stable/auto_examples/cluster/plot_adjusted_for_chance_measures.html)).
Here it is drawn for fuzzy clusterings, too, and for every model.

Each number is the mean of the mutual information (`mi`) over {REPEATS} pairs of clusterings
that were drawn independently, with its standard error. A star marks values that come with a note
(`Comparison.notes`). `make panel` writes the page.

![Mean of mutual information of random clusterings](random-labellings.png)
"""
    ]
    for (kind, n), columns in found.items():
        parts.append(f"## {kind}, {n:,} points\n\n{table(CLUSTERS[n], columns)}\n")
    parts.append(
        f"""## Reading the tables

- *Hard labels* are all equally likely, and *fuzzy memberships* are rows of a symmetric Dirichlet
  distribution with precision 1: most points belong mainly to one cluster.
- Labels drawn from estimated proportions (`cat`) leave some clusters empty, so that chance seems to
  give less than it does. This matters for few points in many clusters, and the result then has a
  note that says by how much. `empirical` repeats points, with the same effect.
- `sym` was told how many clusters there could have been (`Partition.from_labels(labels,
  clusters=k)`). Otherwise it counts those that occur.
- `generalised`, `mixture` and `kernel` were fitted with up to {MOST} clusters.
- `cat` and `num` draw hard clusterings. For hard labels, `fit`, `generalised`, `mixture`, `kernel`,
  `mixed` and `empirical` are the same as `cat`.

Two models stand for other clusterings than these, and are not expected to give 0 here: `all` draws
clusterings with many more clusters, and `flat` draws fuzzier ones. These are the scores of
clusterings of 1,000 points that were drawn as these models say:

{table(["any number", *CLUSTERS[1000]], own)}
"""
    )
    return "\n".join(parts)


def draw_figure(found: dict[tuple[str, int], Scores]) -> Any:
    """Draw the curves, with the number of clusters on the horizontal axis."""
    figure = plt.figure(figsize=(8.4, 6.4), layout="constrained")
    grid = figure.subplots(2, 2, sharey="row")
    models = [*dict.fromkeys((*HARD, *FUZZY))]
    colours = dict(zip(models, palette(COLOURS) * 2, strict=False))
    second = models[COLOURS:]  # with colours that others have, too
    shown = {}
    for axes, ((kind, n), columns) in zip(grid.flat, found.items(), strict=True):
        for name, cells in columns.items():
            known = [(k, m) for k, m in zip(CLUSTERS[n], cells, strict=True) if m is not None]
            plain = name == "not adjusted"
            shown[name] = axes.errorbar(
                [k for k, _ in known],
                [m.value for _, m in known],
                [2.0 * m.error for _, m in known],
                color=ink() if plain else colours[name],
                linestyle="--" if plain else "-",
                linewidth=1.6 if plain else 1.2,
                marker="s" if plain else "x" if name in second else "o",
                markersize=6.0 if name in second else 3.5,
            )
        axes.axhline(0.0, color="0.6", linewidth=0.8, zorder=0)
        axes.set_xscale("log")
        axes.set_xticks(CLUSTERS[n], [str(k) for k in CLUSTERS[n]])
        axes.minorticks_off()
        axes.set_title(f"{kind.lower()}, {n:,} points", loc="left", fontsize=10)
        axes.spines[["top", "right"]].set_visible(False)
    for axes in grid[1]:
        axes.set_xlabel("clusters")
    for axes in grid[:, 0]:
        axes.set_ylabel("mutual information, normalised")
    figure.legend(shown.values(), shown, loc="outside lower center", ncols=6, frameon=False)
    return figure


def main(folder: Path) -> None:
    """Write the page and its figure into a folder."""
    found = {
        (kind, n): curves(draw, models, n)
        for kind, draw, models in (
            ("Hard labels", hard, HARD),
            ("Fuzzy memberships", fuzzy, FUZZY),
        )
        for n in CLUSTERS
    }
    n = 1000
    of_all = scores(anything, ("all",), n, 0)
    of_flat = curves(flat, ("flat",), n)
    own: Scores = {
        "`all`, not adjusted": [of_all["not adjusted"], *(None for _ in CLUSTERS[n])],
        "`all`": [of_all["all"], *(None for _ in CLUSTERS[n])],
        "`flat`, not adjusted": [None, *of_flat["not adjusted"]],
        "`flat`": [None, *of_flat["flat"]],
    }
    save_both(folder / "random-labellings.png", lambda: draw_figure(found))
    (folder / "random-labellings.md").write_text(page(found, own), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
