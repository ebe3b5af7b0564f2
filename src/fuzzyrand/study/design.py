"""The settings of the studies, and partly random clusterings drawn from them.

The rule is that of the paper's Sections 5.3 and 5.4, with the details as the authors' published
script has them: the same points are randomised in both clusterings, and where no cluster is large
the 80% of the Dirichlet precision that would go to the large ones goes to nobody.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np
import numpy.typing as npt

import fuzzyrand as fr

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.intp]

#: Share of the points, and of the precision, that the large clusters have among them.
HEAVY = 0.8

FACTORS = ("clusters", "points", "imbalance", "precision", "share")


@dataclass(frozen=True)
class Setting:
    """One combination of the factors.

    Attributes
    ----------
    clusters, points : int
    imbalance : float
        Share of the clusters that are large: together they have 80% of the points.
    precision : float
        Sum of the concentrations of the Dirichlet that random rows come from; 0 for random labels.
    share : float
        Share of the points that are randomised.
    """

    clusters: int
    points: int
    imbalance: float
    precision: float
    share: float

    @property
    def large(self) -> int:
        """How many clusters are large; none if the share of them is less than one."""
        # 0.6 * 5 is 3.0000000000000004 one way and 2.9999999999999996 another.
        return math.floor(self.imbalance * self.clusters + 1e-9)

    def labels(self) -> IntArray:
        """The hard clustering that everything starts from."""
        first = math.ceil(HEAVY * self.points - 1e-9) if self.large else 0
        rest = self.points - first
        return np.concatenate(
            [
                np.arange(first) % max(self.large, 1),
                self.large + np.arange(rest) % (self.clusters - self.large),
            ]
        ).astype(np.intp)

    def weights(self) -> FloatArray:
        """Shares of the precision; they sum to 0.2 where no cluster is large, else to 1."""
        weights = np.full(self.clusters, (1.0 - HEAVY) / (self.clusters - self.large))
        weights[: self.large] = HEAVY / max(self.large, 1)
        return weights

    def draw(self, rng: np.random.Generator, sides: int) -> tuple[fr.Partition, fr.Partition]:
        """Two clusterings: randomised at the same points, or the first one only.

        The second stays the hard one it was if ``sides`` is 1.
        """
        size = round(self.share * self.points)
        chosen = rng.choice(self.points, size=size, replace=False)
        first = self._randomised(rng, chosen)
        second = self._randomised(rng, chosen) if sides == 2 else self._hard(self.labels())
        return first, second

    def _hard(self, labels: IntArray) -> fr.Partition:
        # Clusters that no point is in are still clusters there could have been.
        return fr.Partition.from_labels(labels, clusters=self.clusters)

    def _randomised(self, rng: np.random.Generator, chosen: IntArray) -> fr.Partition:
        labels, weights = self.labels(), self.weights()
        if self.precision == 0.0:
            labels[chosen] = rng.choice(self.clusters, chosen.size, p=weights / weights.sum())
            return self._hard(labels)
        memberships = np.eye(self.clusters)[labels]
        memberships[chosen] = dirichlet_rows(rng, self.precision * weights, chosen.size)
        return fr.Partition.from_memberships(memberships)


def dirichlet_rows(rng: np.random.Generator, alpha: FloatArray, size: int) -> FloatArray:
    """Rows of a Dirichlet distribution, drawn in logarithms.

    A Gamma(a) variable is a Gamma(a + 1) one times U^(1/a). In logarithms it cannot underflow
    before the row is scaled; what underflows then is a membership of exactly 0.
    """
    logs = np.log(rng.standard_gamma(alpha + 1.0, (size, alpha.size)))
    logs -= rng.standard_exponential(logs.shape) / alpha
    rows = np.exp(logs - logs.max(axis=1, keepdims=True))
    return np.asarray(rows / rows.sum(axis=1, keepdims=True))


def every_setting(*levels: tuple[float, ...]) -> Iterator[Setting]:
    """All combinations of levels of clusters, points, imbalance, precision and share."""
    for k, n, imbalance, precision, share in product(*levels):
        yield Setting(int(k), int(n), float(imbalance), float(precision), float(share))


def generator(seed: int, *coordinates: float) -> np.random.Generator:
    """The random stream of one cell: a function of where it is, not of when it is computed."""
    # Levels have at most three decimals, so thousandths tell all of them apart.
    key = [seed, *(round(1000 * value) for value in coordinates)]
    return np.random.default_rng(np.random.SeedSequence(key))
