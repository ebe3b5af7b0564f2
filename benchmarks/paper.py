"""The 48 settings of the paper's error analysis: clusterings that are partly random.

R. DeWolfe, J. L. Andrews, Random models for fuzzy clustering similarity measures,
arXiv:2312.10270.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
from peers import FloatArray, dirichlet_rows

#: Share of the points, and of the precision, that goes to the first clusters.
HEAVY = 0.8


@dataclass(frozen=True)
class Setting:
    """Numbers of clusters and points, shares of heavy clusters and random points, precision."""

    k: int
    n: int
    imbalance: float
    rate: float
    precision: float

    def __str__(self) -> str:
        return (
            f"k = {self.k}, n = {self.n}, imbalance {self.imbalance}, rate {self.rate}, "
            f"precision {self.precision}"
        )

    def clusterings(self, rng: np.random.Generator) -> tuple[FloatArray, FloatArray]:
        """Two copies of a hard clustering, with random rows inserted independently."""
        first, second = (self._randomised(rng) for _ in range(2))
        return first, second

    @property
    def heavy_clusters(self) -> int:
        """Number of clusters that share the larger part."""
        return int(self.imbalance * self.k)

    def _randomised(self, rng: np.random.Generator) -> FloatArray:
        memberships = np.eye(self.k)[self._labels()]
        chosen = rng.permutation(self.n)[: round(self.rate * self.n)]
        memberships[chosen] = dirichlet_rows(rng, self._concentrations(), chosen.size)
        return memberships

    def _labels(self) -> np.ndarray:
        heavy = self.heavy_clusters
        first = round(HEAVY * self.n) if heavy else 0
        light = heavy + np.arange(self.n - first) % (self.k - heavy)
        return np.concatenate([np.arange(first) % max(heavy, 1), light])

    def _concentrations(self) -> FloatArray:
        heavy = self.heavy_clusters
        share = HEAVY if heavy else 0.0
        alpha = np.full(self.k, (1.0 - share) / (self.k - heavy))
        alpha[:heavy] = share / max(heavy, 1)
        return self.precision * alpha


SETTINGS = [
    Setting(*values)
    for values in product((2, 50), (100, 1000), (0.8, 0.2), (0.5, 1.0), (0.1, 1.0, 1.5))
]
