"""Populations whose adjusted indices are known exactly, and samples of points from them.

A population consists of finitely many kinds of points, each with a probability, and of the labels
or memberships of each kind in two or more clusterings.
"""

import itertools
from dataclasses import dataclass

import numpy as np

#: Number of kinds of points where memberships are drawn at random.
KINDS = 1000
#: Share of the memberships of a fuzzy clustering that is not noise.
CLEAR = 0.7


@dataclass(frozen=True)
class Population:
    """Kinds of points: their probabilities, and their labels or memberships."""

    shares: np.ndarray
    clusterings: tuple

    def sample(self, rng, n):
        """Draw points, and return their clusterings."""
        points = rng.choice(self.shares.size, n, p=self.shares)
        return [clustering[points] for clustering in self.clusterings]

    def adjusted(self, other=1):
        """Return the index of the first clustering with another, adjusted by perm."""
        pairs = np.outer(self.shares, self.shares).ravel()
        a, b = (_agreements(self.clusterings[i]).ravel() for i in (0, other))
        return 1.0 - pairs @ np.abs(a - b) / _mean_distance(a, b, pairs)

    def difference(self):
        """Return how much closer the second clustering is to the first than the third is."""
        return self.adjusted(1) - self.adjusted(2)


def _agreements(clustering):
    if clustering.ndim == 1:
        return (clustering[:, None] == clustering).astype(float)
    return 1.0 - 0.5 * sum(np.abs(column[:, None] - column) for column in clustering.T)


def _mean_distance(a, b, weights):
    """Return E|A - B|, the area of F(1 - G) + G(1 - F) for their distribution functions F and G."""
    values, order = np.concatenate([a, b]), np.argsort(np.concatenate([a, b]))
    zeros = np.zeros(a.size)
    f = np.cumsum(np.concatenate([weights, zeros])[order])[:-1]
    g = np.cumsum(np.concatenate([zeros, weights])[order])[:-1]
    return np.diff(values[order]) @ (f * (1.0 - g) + g * (1.0 - f))


def of_table(table):
    """Return a population of two hard clusterings from the probabilities of their cells."""
    table = np.asarray(table, dtype=float)
    rows, columns = np.nonzero(table)
    return Population(table[rows, columns] / table.sum(), (rows, columns))


def found(sizes, *chances, others=None):
    """Return a population with a truth, and hard clusterings that find it with some probability.

    Otherwise they have any cluster, with the same sizes, or with ``others`` instead. If those are
    more or fewer, cluster j is found from the same part of the points in order of their clusters.
    """
    p = np.asarray(sizes) / np.sum(sizes)
    q = p if others is None else np.asarray(others) / np.sum(others)
    overlap = np.maximum(
        np.minimum(np.cumsum(p)[:, None], np.cumsum(q))
        - np.maximum((np.cumsum(p) - p)[:, None], np.cumsum(q) - q),
        0.0,
    )
    tables = [r * overlap / p[:, None] + (1.0 - r) * q for r in chances]
    cells = list(itertools.product(range(p.size), *[range(q.size)] * len(chances)))
    truth, *rest = np.array(cells).T
    shares = p[truth] * np.prod([t[truth, x] for t, x in zip(tables, rest, strict=True)], axis=0)
    some = shares > 0.0
    return Population(shares[some] / shares.sum(), tuple(x[some] for x in (truth, *rest)))


def one_shared(k, share):
    """Return a population of two clusterings that have one cluster in common, and else nothing."""
    table = np.full((k, k), (1.0 - share) / (k - 1) ** 2)
    table[0], table[:, 0], table[0, 0] = 0.0, 0.0, share
    return of_table(table)


def blurred(population, fuzzy, seed=0, clear=CLEAR):
    """Return a population whose clusterings with the given numbers are fuzzy: Dirichlet noise."""
    rng = np.random.default_rng(seed)
    labels = population.sample(rng, KINDS)
    for number in fuzzy:
        k = int(population.clusterings[number].max()) + 1
        noise = rng.dirichlet(np.full(k, 0.7), KINDS)
        labels[number] = clear * np.eye(k)[labels[number]] + (1.0 - clear) * noise
    return Population(np.full(KINDS, 1.0 / KINDS), tuple(labels))
