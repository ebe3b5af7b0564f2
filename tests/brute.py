"""Plain definitions, pair by pair, with which every fast route must agree; slow on purpose."""

from __future__ import annotations

import itertools

import numpy as np
from scipy.special import gammaln


def one_hot(labels):
    """Memberships of a label vector, with a column for each label that occurs."""
    labels = np.asarray(labels)
    return (labels[:, None] == np.unique(labels)[None, :]).astype(float)


def memberships(clustering):
    """Labels or memberships, as memberships."""
    clustering = np.asarray(clustering)
    return one_hot(clustering) if clustering.ndim == 1 else clustering


def agreements(u, p=1.0):
    """Agreement of each pair (i, j), i < j, by the definition."""
    u = np.asarray(u, dtype=float)
    values = []
    for i, j in itertools.combinations(range(len(u)), 2):
        if np.isinf(p):
            distance = np.abs(u[i] - u[j]).max()
        else:
            distance = (np.abs(u[i] - u[j]) ** p).sum() ** (1 / p) / 2 ** (1 / p)
        values.append(max(0.0, 1.0 - distance))
    return np.array(values)


def index(u, v, p=1.0, q=1.0):
    """Mean concordance over all pairs."""
    return 1.0 - (np.abs(agreements(u, p) - agreements(v, p)) ** q).mean()


def expected_perm(u, v, p=1.0, q=1.0):
    """Mean concordance over every pair of one side with every pair of the other."""
    a, b = agreements(u, p), agreements(v, p)
    return 1.0 - (np.abs(a[:, None] - b[None, :]) ** q).mean()


def expected_by_shuffling(u, v):
    """Mean index over all permutations of the points of v (n <= 6)."""
    orders = itertools.permutations(range(len(u)))
    return np.mean([index(u, np.asarray(v)[list(order)]) for order in orders])


def dirichlet_rows(rng, alpha, size):
    """Rows of a Dirichlet distribution from plain gammas; concentrations must not be tiny."""
    g = rng.standard_gamma(np.asarray(alpha), size=(size, len(alpha)))
    return g / g.sum(axis=1, keepdims=True)


def row_agreements(x, y, p=1.0):
    """Agreement of each row of x with the same row of y."""
    if np.isinf(p):
        return 1.0 - np.abs(x - y).max(axis=1)
    return 1.0 - (np.abs(x - y) ** p).sum(axis=1) ** (1 / p) / 2 ** (1 / p)


def dirichlet_agreements(rng, alpha, size, p=1.0):
    """Agreements of independent pairs of Dirichlet rows."""
    x, y = dirichlet_rows(rng, alpha, size), dirichlet_rows(rng, alpha, size)
    return row_agreements(x, y, p)


def censored_log_likelihood(alpha, memberships, resolution):
    """Mean log-likelihood of the rows, with entries below the resolution censored."""
    alpha, x = np.asarray(alpha), np.asarray(memberships)
    below = x < resolution
    # ln of the integral of t^(a-1) up to the resolution, in place of ln x^(a-1)
    entries = np.where(
        below,
        alpha * np.log(resolution) - np.log(alpha),
        (alpha - 1.0) * np.log(np.maximum(x, resolution)),
    )
    normaliser = gammaln(alpha.sum()) - gammaln(alpha).sum()
    return float(normaliser + entries.sum(axis=1).mean())


ROW_AGREEMENTS = {
    "l1": lambda u, v: 1.0 - 0.5 * np.abs(u - v).sum(axis=-1),
    "dot": lambda u, v: (u * v).sum(axis=-1),
    "cosine": lambda u, v: (
        (u * v).sum(axis=-1) / np.sqrt((u**2).sum(axis=-1) * (v**2).sum(axis=-1))
    ),
}
CONCORDANCES = {
    "absolute": lambda a, b: 1.0 - np.abs(a - b),
    "squared": lambda a, b: 1.0 - (a - b) ** 2,
    "product": lambda a, b: a * b + (1.0 - a) * (1.0 - b),
}
#: Agreement and concordance of every index for fuzzy clusterings.
DEFINITIONS = {
    "ndc": ("l1", "absolute"),
    "brouwer": ("cosine", "product"),
    "consistency": ("dot", "product"),
    "belief": ("dot", "absolute"),
    "jousselme": ("dot", "squared"),
}


def pair_agreements(name, u):
    """Agreements of all pairs (i, j), i < j, for the index with the given name."""
    u = np.asarray(u, dtype=float)
    i, j = np.triu_indices(len(u), 1)
    return ROW_AGREEMENTS[DEFINITIONS[name][0]](u[i], u[j])


def concordance(name, a, b):
    """Concordance of agreements, for the index with the given name."""
    return CONCORDANCES[DEFINITIONS[name][1]](a, b)


def index_by_name(name, u, v):
    """Mean concordance over all pairs."""
    return concordance(name, pair_agreements(name, u), pair_agreements(name, v)).mean()


def expected_perm_by_name(name, u, v):
    """Mean concordance over every pair of one side with every pair of the other."""
    a, b = pair_agreements(name, u), pair_agreements(name, v)
    return concordance(name, a[:, None], b[None, :]).mean()


def frobenius(u, v):
    """The Frobenius Rand index, from the n x n matrices of its definition."""
    n = len(u)
    bonds = []
    for z in (np.asarray(u, dtype=float), np.asarray(v, dtype=float)):
        bond = z @ z.T
        bonds.append(bond * bond.sum() / (bond**2).sum())
    one, two = bonds
    return ((one * two).sum() + ((1 - one) * (1 - two)).sum() - n) / (n * (n - 1))


def is_mean_of(sample, exact, errors=4.0):
    """Return whether a number is within some standard errors of the mean of a sample."""
    stderr = sample.std() / np.sqrt(sample.size)
    return abs(sample.mean() - exact) <= errors * stderr + 1e-12


#: Largest number of points in ``STIRLING`` and ``BELL``.
LARGEST = 300


def _stirling_numbers(largest):
    rows = [[1]]
    for n in range(1, largest + 1):
        before = [*rows[-1], 0]
        rows.append([0] + [k * before[k] + before[k - 1] for k in range(1, n + 1)])
    return rows


#: Numbers of partitions of n points, into k clusters and into any number of clusters.
STIRLING = _stirling_numbers(LARGEST)
BELL = [sum(row) for row in STIRLING]


def levels(u):
    """Number of clusters that each pair (i, j), i < j, of a cover shares, by the definition."""
    u = np.asarray(u)
    pairs = itertools.combinations(range(len(u)), 2)
    return np.array([sum(x == 1 == y for x, y in zip(u[i], u[j], strict=True)) for i, j in pairs])


def omega(u, v, w=None):
    """Observed and expected omega index of two covers, by the definition."""
    a, b = levels(u), levels(v)
    p = pair_weights(np.ones(len(u)) if w is None else w)
    return p @ (a == b), p @ (a[:, None] == b[None, :]) @ p


def pair_weights(w):
    """Products of the weights of each pair (i, j), i < j, divided by their sum."""
    products = np.array([w[i] * w[j] for i, j in itertools.combinations(range(len(w)), 2)])
    return products / products.sum()
