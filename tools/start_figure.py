"""Draw the wines of docs/start.md, by grower and by memberships: ``make figures``."""

import sys
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from both_grounds import save_both
from matplotlib.colors import to_rgb
from sklearn.datasets import load_wine
from sklearn.mixture import GaussianMixture
from sklearn.preprocessing import StandardScaler

import fuzzyrand as fr
from fuzzyrand.plot._charts.palette import palette

#: Colours of the clusters, which are mixed.
COLOURS = np.array([to_rgb(colour) for colour in palette(3)])


def main(folder: str) -> None:
    X, growers = load_wine(return_X_y=True)
    X = StandardScaler().fit_transform(X)[:, [0, 6, 9]]
    soft = GaussianMixture(3, random_state=0).fit(X).predict_proba(X)
    # The columns in the order of the growers, so that both panels have the same colours.
    columns = [j for _, j in fr.match(growers, soft).pairs]

    save_both(Path(folder) / "start.png", lambda: draw(X, growers, soft[:, columns]))


def draw(X: Any, growers: Any, soft: Any) -> Any:
    """Draw both clusterings."""
    figure, axes = plt.subplots(1, 2, figsize=(9, 3.9), sharey=True, layout="constrained")
    axes[0].scatter(X[:, 1], X[:, 2], c=COLOURS[growers], s=22)
    axes[0].set_title("hard: the grower of each wine")
    axes[1].scatter(X[:, 1], X[:, 2], c=soft @ COLOURS, s=22)
    axes[1].set_title("fuzzy: memberships, as mixtures of colours")
    axes[0].set_ylabel("colour intensity (standardised)")
    for ax in axes:
        ax.set_xlabel("flavanoids (standardised)")
        ax.spines[["top", "right"]].set_visible(False)
    return figure


if __name__ == "__main__":
    main(sys.argv[1])
