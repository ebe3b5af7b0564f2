"""Draw the figure of docs/guide/recurrence.md: ``make figures``."""

from __future__ import annotations

import sys
from pathlib import Path

from both_grounds import save_both
from sklearn.datasets import load_wine
from sklearn.mixture import GaussianMixture
from sklearn.preprocessing import StandardScaler

import fuzzyrand as fr


def main(folder: Path) -> None:
    """Write the figure into a folder."""
    wines = StandardScaler().fit_transform(load_wine().data)
    runs = {}
    for k in (3, 4, 5):
        for seed in range(10):
            mixture = GaussianMixture(
                k, covariance_type="diag", init_params="random_from_data", random_state=seed
            )
            runs[f"K{k} start {seed}"] = mixture.fit(wines).predict_proba(wines)
    result = fr.recurrence(runs)
    print(result)
    save_both(folder / "recurrence.png", result.plot)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
