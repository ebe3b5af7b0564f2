"""Draw the figure of docs/guide/stability.md: ``make figures``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from both_grounds import save_both
from sklearn.datasets import load_wine
from sklearn.mixture import GaussianMixture
from sklearn.preprocessing import StandardScaler

import fuzzyrand as fr

KS = range(2, 9)


def mixture(k: int) -> GaussianMixture:
    return GaussianMixture(k, covariance_type="diag")


def main(folder: Path) -> None:
    """Write the figure into a folder."""
    wines = StandardScaler().fit_transform(load_wine().data)
    cloud = np.random.default_rng(0).normal(size=(178, 2)) @ [[3, 1], [0, 1]]
    results = {
        name: fr.stability(mixture, data, KS, parameter="n_components")
        for name, data in (("wines", wines), ("a cloud", cloud))
    }
    for name, result in results.items():
        print(name, result, sep="\n")
    save_both(folder / "stability.png", lambda: draw(results))


def draw(results: dict[str, fr.Stability]) -> Any:
    """Draw stability above firmness, with a column for each data set."""
    figure, panels = plt.subplots(2, 2, figsize=(10.0, 7.0), sharey="row", layout="constrained")
    for (above, below), (name, result) in zip(panels.T, results.items(), strict=True):
        fr.plot.stability(result, above)
        fr.plot.firmness(result, below)
        above._left_title.set_text(f"{name}: {above.get_title('left')}")
        above.set_xlabel("")
    for ax in panels[:, 1]:
        ax.set_ylabel("")
    return figure


if __name__ == "__main__":
    main(Path(sys.argv[1]))
