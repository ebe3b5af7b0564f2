"""Fits to weighted rows: whole weights are repeated rows, and samples show their population."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array

import fuzzyrand as fr
from fuzzyrand._base.effort import Precision
from fuzzyrand._clusterings.weights import with_weights
from fuzzyrand._distributions.row_families import TreatedRows

from .. import brute
from ..clusterings import kept_sparse

MODELS = [
    fr.Fit(),
    fr.Sym(),
    fr.Fit(estimator="moments"),
    fr.Fit(resolution=0.05),
    fr.Generalised(),
    fr.Mixed(),
    fr.Mixture(components=2),
    fr.Kernel(),
    fr.Kernel(bandwidth=0.02),
]


def partly_hard(rng, n):
    """Hard rows, fuzzy rows, rows with zeros and copies of rows, in unequal clusters."""
    rows = rng.dirichlet([4.0, 2.0, 1.0, 0.2], n)
    rows[rng.random(n) < 0.2, 3] = 0.0
    rows /= rows.sum(axis=1, keepdims=True)
    hard = rng.random(n) < 0.3
    rows[hard] = np.eye(4)[rng.choice(4, hard.sum(), p=[0.4, 0.3, 0.2, 0.1])]
    rows[:5] = rows[5:10]
    return rows


def fitted(model, rows, weights=None):
    (partition,) = with_weights([kept_sparse(rows)], weights)
    return model.rows(partition, Precision())


def moments(rows):
    """E[X] and E[X X'] of a fit, before it is cut as the rows were."""
    while isinstance(rows, TreatedRows):
        rows = rows.rows
    return np.append(rows.mean(), rows.products())


@pytest.mark.parametrize("model", MODELS, ids=str)
@pytest.mark.parametrize("form", [np.asarray, csr_array])
def test_whole_weights_are_repeated_rows(model, form):
    rng = np.random.default_rng(1)
    rows = partly_hard(rng, 90)
    counts = rng.integers(1, 4, 90) + 3 * (rows[:, 0] > 0.5)
    found = moments(fitted(model, form(rows), counts))
    whole = moments(fitted(model, form(np.repeat(rows, counts, axis=0))))
    assert found == pytest.approx(whole, abs=1e-6)
    assert np.abs(moments(fitted(model, rows)) - whole).max() > 1e-3


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_a_column_without_weight_stays_empty(model):
    """Rounding of sums of weights makes no cluster out of a column of zeros."""
    rng = np.random.default_rng(2)
    rows = np.insert(rng.dirichlet([2.0, 1.0, 1.0], 50), 1, 0.0, axis=1)
    for seed in range(5):
        drawn = fitted(model, rows, np.random.default_rng(seed).gamma(0.7, size=50))
        empty = drawn.sample(np.random.default_rng(0), 500)[:, 1]
        assert (empty == 0.0).all() or model.name == "sym"


def test_bic_counts_points_that_are_as_informative():
    """Few rows with nearly all of the weight do not pay for several components."""
    rng = np.random.default_rng(3)
    rows = np.vstack([rng.dirichlet([9, 1, 1], 150), rng.dirichlet([1, 9, 9], 150)])
    assert len(fr.compare(rows, rows[::-1], model="mixture").laws[0]["weights"]) >= 2
    heavy = np.where(np.arange(300) % 75 == 0, 1e4, 1.0)
    assert "weights" not in fr.compare(rows, rows[::-1], model="mixture", weights=heavy).laws[0]


@pytest.mark.parametrize("model", ["generalised", "mixture", "kernel", "mixed"])
@pytest.mark.parametrize("index", ["ndc", "mi"])
def test_weights_estimate_the_expectation_of_a_population(model, index):
    """Rows that were drawn three times as often as others count a third."""
    rng = np.random.default_rng(4)
    fuzzy = rng.dirichlet([3.0, 3.0, 3.0], 900)
    sharp = rng.dirichlet([0.3, 0.05, 0.05], 900)
    labels = (rng.random(1800) < 0.1).astype(int)
    rows = np.vstack([fuzzy, sharp])
    oversampled = np.r_[np.arange(900), 900 + np.arange(300)]
    weights = np.r_[np.ones(900), np.full(300, 3.0)]
    options = {"model": model, "index": index, "tol": 2e-3}
    population = fr.compare(rows, labels, **options).expected
    part = rows[oversampled], labels[oversampled]
    found = fr.compare(*part, **options, weights=weights).expected
    plain = fr.compare(*part, **options).expected
    if index == "ndc":
        assert abs(found - population) < 0.5 * abs(plain - population) + 2e-3
    else:
        assert found == pytest.approx(population, abs=5e-3)


def test_corrected_bias_of_hard_points_is_that_of_weighted_pairs():
    rng = np.random.default_rng(5)
    a, b, w = rng.integers(4, size=30), rng.integers(3, size=30), rng.gamma(1.0, size=30)
    i, j = np.triu_indices(30, 1)
    p = w[i] * w[j] / (w[i] @ w[j])
    q1, q2 = (float(p @ (x[i] == x[j])) for x in (a, b))
    found = fr.expected_similarity(a, b, model=fr.Fit(bias="corrected"), weights=w)
    assert found == pytest.approx(q1 * q2 + (1.0 - q1) * (1.0 - q2), abs=1e-12)


def test_corrected_bias_of_fuzzy_points_is_removed():
    """With few weighted points, the corrected expectation is nearer to that of the true law."""
    rng = np.random.default_rng(6)
    alpha, labels = np.full(5, 0.2), np.arange(24) // 20
    true = fr.Custom(fr.Fit().rows(fr.as_partition(rng.dirichlet(alpha, 20_000)), Precision()))
    gaps = {"plugin": [], "corrected": []}
    for _ in range(12):
        rows, w = rng.dirichlet(alpha, 24), rng.gamma(1.0, size=24)
        wanted = fr.compare(rows, labels, model=true, fixed="second", weights=w).expected
        for bias, seen in gaps.items():
            model = fr.Fit(bias=bias)
            options = {"fixed": "second", "weights": w, "tol": 5e-3}
            seen.append(fr.compare(rows, labels, model=model, **options).expected - wanted)
    plugin, corrected = (np.array(each) for each in gaps.values())
    error = corrected.std() / np.sqrt(12)
    assert abs(corrected.mean()) < 4.0 * error
    assert abs(corrected.mean()) < abs(plugin.mean())


def test_brute_force_of_a_kernel_is_a_weighted_mixture():
    rng = np.random.default_rng(7)
    rows, w = rng.dirichlet([1.0, 1.0], 12), rng.gamma(1.0, size=12)
    labels = rng.integers(2, size=12)
    model = fr.Kernel(bandwidth=0.05)
    found = fr.expected_similarity(rows, labels, model=model, weights=w, fixed="second", tol=1e-3)
    chosen = rng.choice(12, size=(2, 100_000), p=w / w.sum())
    drawn = [
        np.array([rng.dirichlet(row / 0.05) for row in rows[each[:20_000]]]) for each in chosen
    ]
    a = 1.0 - 0.5 * np.abs(drawn[0] - drawn[1]).sum(axis=1)
    i, j = np.triu_indices(12, 1)
    p = w[i] * w[j] / (w[i] @ w[j])
    b = p @ (brute.memberships(labels)[i] * brute.memberships(labels)[j]).sum(axis=1)
    assert found == pytest.approx(b * a.mean() + (1.0 - b) * (1.0 - a.mean()), abs=5e-3)
