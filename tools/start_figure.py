"""Draw the pictures of docs/index.md and docs/start.md, for light and dark pages: ``make figures``.

The 178 wines by grower and by the memberships of a mixture, and what shuffled memberships score.
"""

import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from both_grounds import DPI, both_styles
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from sklearn.datasets import load_wine
from sklearn.mixture import GaussianMixture
from sklearn.preprocessing import StandardScaler

import fuzzyrand as fr
from fuzzyrand.plot._style import ground, palette

#: The colours of the growers, which are mixed by memberships.
COLOURS = np.array([to_rgb(colour) for colour in palette(3)])
LAYOUT = {"axes.spines.top": False, "axes.spines.right": False, "axes.titlesize": "medium"}
SHUFFLES = 999


def wines() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return three measurements of the wines, their growers, and the memberships of a mixture."""
    X, growers = load_wine(return_X_y=True)
    X = StandardScaler().fit_transform(X)[:, [0, 6, 9]]
    soft = GaussianMixture(3, random_state=0).fit(X).predict_proba(X)
    # The columns in the order of the growers, so that both panels have the same colours.
    return X, growers, soft[:, [j for _, j in fr.match(growers, soft).pairs]]


def draw_wines(axes: list[Axes]) -> None:
    X, growers, soft = wines()
    for ax, colours, title in (
        (axes[0], COLOURS[growers], "hard: the grower of each wine"),
        (axes[1], soft @ COLOURS, "fuzzy: memberships, mixed colours"),
    ):
        ax.scatter(X[:, 1], X[:, 2], c=colours, s=20)
        ax.set(title=title, xlabel="flavanoids (standardised)")
    axes[0].set_ylabel("colour intensity (standardised)")


def draw_null(ax: Axes) -> None:
    """Draw the loop of docs/start.md: adjusted indices of shuffled memberships."""
    _, growers, soft = wines()
    rng = np.random.default_rng(0)
    null = [fr.adjusted_similarity(growers, rng.permutation(soft)) for _ in range(SHUFFLES)]
    observed = fr.adjusted_similarity(growers, soft)
    ax.hist(null, bins=20, color=ground().model)
    ax.axvline(observed, color=ground().observed, lw=2.5)
    top = ax.get_ylim()[1]
    ax.annotate(f"the mixture: {observed:.2f}", (observed - 0.02, 0.62 * top), ha="right")
    ax.annotate(f"{SHUFFLES} shuffles", (0.06, 0.86 * top))
    ax.set(xlim=(-0.05, 1), yticks=[], title="adjusted index: 0 is chance, 1 a perfect match")
    ax.spines["left"].set_visible(False)
    ax.set_xlabel("adjusted NDC")


def main(folder: str) -> None:
    for path in both_styles(Path(folder) / "theme.png"):
        theme = "dark" if path.stem.endswith("dark") else "light"
        with plt.rc_context(LAYOUT):
            home, axes = plt.subplots(1, 3, figsize=(11.5, 3.4), layout="constrained")
            draw_wines(axes)
            draw_null(axes[2])
            start, axes = plt.subplots(1, 2, figsize=(8.5, 3.6), sharey=True, layout="constrained")
            draw_wines(axes)
            null, ax = plt.subplots(figsize=(6, 2.6), layout="constrained")
            draw_null(ax)
            for name, figure in (("home", home), ("start", start), ("start-null", null)):
                figure.savefig(path.with_name(f"{name}-{theme}.png"), dpi=DPI, transparent=True)
                plt.close(figure)


if __name__ == "__main__":
    main(sys.argv[1])
