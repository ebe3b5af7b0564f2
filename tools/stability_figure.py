"""Draw the figure of docs/guide/stability.md: ``make figures``."""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib as mpl
import numpy as np
from sklearn.datasets import load_wine
from sklearn.mixture import GaussianMixture
from sklearn.preprocessing import StandardScaler

import fuzzyrand as fr

KS = range(2, 9)


def mixture(k: int) -> GaussianMixture:
    return GaussianMixture(k, covariance_type="diag")


def main(folder: Path, style: str = "default") -> None:
    """Write the figure into a folder."""
    mpl.use("agg")
    import matplotlib.pyplot as plt  # Deferred: after the backend is chosen.

    wines = StandardScaler().fit_transform(load_wine().data)
    cloud = np.random.default_rng(0).normal(size=(178, 2)) @ [[3, 1], [0, 1]]
    with plt.style.context(style):
        figure, panels = plt.subplots(1, 2, figsize=(10.0, 3.6), sharey=True, layout="constrained")
        for ax, name, data in zip(panels, ("wines", "a cloud"), (wines, cloud), strict=True):
            result = fr.stability(mixture, data, KS)
            result.plot(ax)
            ax.set_title(f"{name}: {ax.get_title('left')}", loc="left")
            print(name, result, sep="\n")
        panels[1].set_ylabel("")
        panels[1].get_legend().remove()
        figure.savefig(folder / "stability.png", dpi=120)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
