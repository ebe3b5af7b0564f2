"""Clusterings that several tests use."""

from __future__ import annotations

import numpy as np

import fuzzyrand as fr
from fuzzyrand._clusterings.options import InputOptions
from fuzzyrand._clusterings.partition import read_partition

from . import brute

#: Keeps sparse matrices sparse that would be made full, as they are small or have few zeros.
SPARSE = fr.Budget(full_entries=0, sparse_share=1.0)

#: Seven points: their labels, the same clusters by name, and memberships in two other clusters.
LABELS = [2, 0, 0, 1, 2, 1, 0]
PEOPLE = ["ann", "bob", "bob", "cy", "ann", "cy", "bob"]
SOFT = np.array(
    [[0.7, 0.3], [0.2, 0.8], [0.5, 0.5], [1.0, 0.0], [0.1, 0.9], [0.4, 0.6], [0.25, 0.75]]
)

#: Names of runs of an experiment, by number.
LONG_NAME = "experiment-2024-gaussian-mixture-full-covariance-seed-{}"

#: Concentrations of Dirichlet distributions, from nearly hard rows to nearly identical ones.
ALPHAS = [
    (1.0, 1.0, 1.0),
    (5.0, 3.0, 2.0, 9.0),
    (0.1, 0.2, 0.7),
    (0.02, 0.05, 0.01, 0.3),
    (30.0, 2.0),
    (0.3, 0.1),
    tuple(np.linspace(0.1, 0.6, 20)),
    (400.0, 300.0, 500.0),
]


def _runs():
    rng = np.random.default_rng(0)
    return {
        "soft": brute.dirichlet_rows(rng, [0.5] * 3, 60),
        "softer": brute.dirichlet_rows(rng, [2.0] * 4, 60),
        "two": brute.dirichlet_rows(rng, [0.7] * 2, 60),
        "hard": rng.integers(3, size=60),
    }


#: Clusterings of the same points, by name.
RUNS = _runs()


def many_labels(points, clusters, seed=0):
    """Labels of very many clusters."""
    return np.random.default_rng(seed).integers(clusters, size=points)


def fuzzy_pair(seed, alpha1, alpha2, n=80):
    """Two independent clusterings, each with rows from one Dirichlet distribution."""
    rng = np.random.default_rng(seed)
    return brute.dirichlet_rows(rng, alpha1, n), brute.dirichlet_rows(rng, alpha2, n)


def alike_pair(seed, n, k, share_hard=0.0):
    """Two fuzzy clusterings that have much in common; some rows of the second are hard."""
    rng = np.random.default_rng(seed)
    u = rng.dirichlet(np.full(k, 0.3), n)
    v = 0.7 * u + 0.3 * rng.dirichlet(np.ones(k), n)
    one_hot = rng.random(n) < share_hard
    v[one_hot] = np.eye(k)[rng.integers(k, size=one_hot.sum())]
    return u, v


def nearly_even(rng, n, eps):
    """Rows that differ from (1/3, 1/3, 1/3), and hence from each other, by about ``eps``."""
    x = 1 / 3 + eps * rng.standard_normal((n, 3))
    return x / x.sum(axis=1, keepdims=True)


def groups(rng, n):
    """Rows of three Dirichlet distributions, equally many of each."""
    parts = [[40, 2, 2], [2, 40, 2], [10, 10, 10]]
    return np.vstack([rng.dirichlet(alpha, n // 3) for alpha in parts])


def ring(rng, n):
    """Rows on a ring around (1/3, 1/3, 1/3)."""
    angle = rng.uniform(0, 2 * np.pi, n)
    x = 1 / 3 + 0.25 * np.cos(angle[:, None] + [0.0, 2 * np.pi / 3])
    return np.c_[x, 1 - x.sum(axis=1)]


def kept_sparse(rows, **options):
    """Read a clustering as ``as_partition`` does, but keep a small one sparse."""
    return read_partition(rows, InputOptions(**options, budget=SPARSE), "clustering")
