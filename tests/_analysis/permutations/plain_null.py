"""Discordances of shuffled points by the definition, with the matrices of all agreements."""

from __future__ import annotations

import itertools

import numpy as np

import fuzzyrand as fr
from fuzzyrand._base.effort import Precision
from fuzzyrand.models._laws.side import Side

from ... import brute
from ...own_indices import own_ndc

#: Indices by a short name, with the agreements of all pairs and the discordance of two.
INDICES = {
    "ndc": fr.NDC(),
    "brouwer": fr.Brouwer(),
    "consistency": fr.Consistency(),
    "jousselme": fr.Jousselme(),
    "belief": fr.Belief(),
    "ndc, q=2": fr.NDC(q=2),
    "ndc, q=1.5": fr.NDC(q=1.5),
    "ndc, p=2": fr.NDC(p=2),
    "own": own_ndc(),
}


def sides_of(name, *clusterings, **effort):
    """The two sides of a comparison."""
    index = fr.Frobenius() if name == "frobenius" else INDICES[name]
    partitions = (fr.as_partition(clustering) for clustering in clusterings)
    return tuple(Side(partition, index, Precision(**effort)) for partition in partitions)


def _agreements(name, clustering):
    u = brute.memberships(clustering)
    if name in brute.DEFINITIONS:
        return brute.pair_agreements(name, u)
    return brute.agreements(u, p=2.0 if name == "ndc, p=2" else 1.0)


def _square(name, clustering):
    n = len(clustering)
    out = np.zeros((n, n))
    out[np.triu_indices(n, 1)] = _agreements(name, clustering)
    return out + out.T


def _discordance(name, a, b):
    if name in brute.DEFINITIONS:
        return 1.0 - brute.concordance(name, a, b)
    return np.abs(a - b) ** {"ndc, q=2": 2.0, "ndc, q=1.5": 1.5}.get(name, 1.0)


def discordances(name, first, second, orders):
    """Mean discordance of all pairs for each order of the points of the second side."""
    orders = np.asarray(orders)
    if name == "frobenius":
        u, v = brute.memberships(first), brute.memberships(second)
        return np.array([1.0 - brute.frobenius(u, v[order]) for order in orders])
    i, j = np.triu_indices(len(first), 1)
    a, b = _agreements(name, first), _square(name, second)
    parts = np.array_split(orders, max(1, orders.shape[0] * i.size >> 22))
    return np.concatenate(
        [_discordance(name, a, b[part[:, i], part[:, j]]).mean(axis=1) for part in parts]
    )


def permutations(n):
    """All orders of n points."""
    return np.array(list(itertools.permutations(range(n))))


def random_orders(seed, n, size):
    """Some orders of n points."""
    rng = np.random.default_rng(seed)
    return np.array([rng.permutation(n) for _ in range(size)])


def some_pair(kinds, seed, n, k=3):
    """Two clusterings, hard ("h") or fuzzy ("f"), that are somewhat alike."""
    rng = np.random.default_rng(seed)
    common = rng.dirichlet(np.full(k, 0.3), n)
    out = []
    for kind in kinds:
        rows = 0.6 * common + 0.4 * rng.dirichlet(np.full(k, 0.4), n)
        out.append(rows.argmax(axis=1) if kind == "h" else rows)
    return out
