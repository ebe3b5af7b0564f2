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
        figure, panels = plt.subplots(2, 2, figsize=(10.0, 6.4), sharey="row", layout="constrained")
        for column, name, data in zip(panels.T, ("wines", "a cloud"), (wines, cloud), strict=True):
            result = fr.stability(mixture, data, KS, parameter="n_components")
            above, below = column
            fr.plot.stability(result, above)
            fr.plot.firmness(result, below)
            above.set_title(f"{name}: {above.get_title('left')}", loc="left")
            above.set_xlabel("")
            print(name, result, sep="\n")
        for ax in panels[:, 1]:
            ax.set_ylabel("")
        panels[0, 1].get_legend().remove()
        panels[0, 0].legend(loc="lower right", frameon=False)
        figure.savefig(folder / "stability.png", dpi=120)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
