"""Draw the figure of docs/guide/recurrence.md: ``make figures``."""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib as mpl
from sklearn.datasets import load_wine
from sklearn.mixture import GaussianMixture
from sklearn.preprocessing import StandardScaler

import fuzzyrand as fr


def main(folder: Path, style: str = "default") -> None:
    """Write the figure into a folder."""
    mpl.use("agg")
    import matplotlib.pyplot as plt  # Deferred: after the backend is chosen.

    wines = StandardScaler().fit_transform(load_wine().data)
    runs = {}
    for k in (3, 4, 5):
        for seed in range(10):
            mixture = GaussianMixture(
                k, covariance_type="diag", init_params="random_from_data", random_state=seed
            )
            runs[f"K{k} start {seed}"] = mixture.fit(wines).predict_proba(wines)
    with plt.style.context(style):
        result = fr.recurrence(runs)
        print(result)
        result.plot().figure.savefig(folder / "recurrence.png", dpi=120)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
