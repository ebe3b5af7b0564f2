"""The settings of the studies, and partly random clusterings drawn from them.

The rule is that of Sections 5.3 and 5.4 of the paper, with two details of the authors' published
script: the same points are randomised in both clusterings; and if no cluster is large, the 80% of
the Dirichlet precision that large clusters would have is left out.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product

import numpy as np
import numpy.typing as npt

import fuzzyrand as fr

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.intp]

#: Share of the points, and of the precision, that the large clusters have together.
HEAVY = 0.8

FACTORS = ("clusters", "points", "imbalance", "precision", "share")


@dataclass(frozen=True)
class Setting:
    """One combination of the factors.

    Attributes
    ----------
    clusters, points : int
        Numbers of clusters and of points.
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
        """Number of large clusters; 0 if the imbalance gives less than one cluster."""
        # The small number allows for rounding, as in 0.6 * 5 = 2.9999999999999996.
        return math.floor(self.imbalance * self.clusters + 1e-9)

    def labels(self) -> IntArray:
        """Return the hard clustering that is randomised."""
        first = math.ceil(HEAVY * self.points - 1e-9) if self.large else 0
        rest = self.points - first
        return np.concatenate(
            [
                np.arange(first) % max(self.large, 1),
                self.large + np.arange(rest) % (self.clusters - self.large),
            ]
        ).astype(np.intp)

    def weights(self) -> FloatArray:
        """Return the shares of the precision; they sum to 0.2 if no cluster is large, else to 1."""
        weights = np.full(self.clusters, (1.0 - HEAVY) / (self.clusters - self.large))
        weights[: self.large] = HEAVY / max(self.large, 1)
        return weights

    def draw(self, rng: np.random.Generator, sides: int) -> tuple[fr.Partition, fr.Partition]:
        """Draw two clusterings that are randomised at the same points.

        If ``sides`` is 1, only the first one is randomised.
        """
        size = round(self.share * self.points)
        chosen = rng.choice(self.points, size=size, replace=False)
        first = self._randomised(rng, chosen)
        second = self._randomised(rng, chosen) if sides == 2 else self._hard(self.labels())
        return first, second

    def _hard(self, labels: IntArray) -> fr.Partition:
        # Empty clusters count, because points could have been assigned to them.
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
    """Draw rows of a Dirichlet distribution by means of logarithms.

    A Gamma(a) variable is a Gamma(a + 1) variable times U^(1/a). Its logarithm does not underflow
    before the row is scaled; an entry that underflows afterwards is a membership of exactly 0.
    """
    logs = np.log(rng.standard_gamma(alpha + 1.0, (size, alpha.size)))
    logs -= rng.standard_exponential(logs.shape) / alpha
    rows = np.exp(logs - logs.max(axis=1, keepdims=True))
    return np.asarray(rows / rows.sum(axis=1, keepdims=True))


def every_setting(*levels: tuple[float, ...]) -> Iterator[Setting]:
    """Yield all combinations of levels of clusters, points, imbalance, precision and share."""
    for k, n, imbalance, precision, share in product(*levels):
        yield Setting(int(k), int(n), float(imbalance), float(precision), float(share))


def generator(seed: int, *coordinates: float) -> np.random.Generator:
    """Return the random stream of a cell, which depends on its coordinates only."""
    # Levels have at most three decimals, so thousandths distinguish all of them.
    key = [seed, *(round(1000 * value) for value in coordinates)]
    return np.random.default_rng(np.random.SeedSequence(key))


@contextmanager
def misfit_expected() -> Iterator[None]:
    """Silence the warning that a model does not describe a clustering: here that is the subject."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", fr.MisfitWarning)
        yield
