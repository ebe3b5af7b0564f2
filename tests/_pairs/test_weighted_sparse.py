"""Weighted points of sparse clusterings: every route, against plain sums over all pairs."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

import fuzzyrand as fr
from fuzzyrand._clusterings.sparse_rows import SparseRows
from fuzzyrand._pairs.shared_draws import SharedDraws
from fuzzyrand._pairs.sparse_columns import sum_of_minima

from .. import brute
from .._methods.explanation.test_wallace import (
    VISIT,
    plain_wallace,
    shared,
    small_tiles,  # noqa: F401
    two_sparse,
)
from ..examples import examples

NAMES = ["ndc", "consistency", "jousselme"]


def weights_of(pair, seed):
    return np.random.default_rng(seed).gamma(0.7, size=len(pair[0])) + 1e-3


@examples(20)
@given(two_sparse(), st.sampled_from(NAMES), st.integers(0, 2**32 - 1))
@pytest.mark.usefixtures("small_tiles")
def test_values_scores_and_wallace_indices(pair, name, seed):
    if len(pair[0]) < 4:
        return
    w = weights_of(pair, seed)
    u, v = (brute.memberships(side) for side in pair)
    a, b = (np.asarray(brute.pair_agreements(name, x)) for x in (u, v))
    p = brute.pair_weights(w)
    discordance = 1.0 - brute.concordance(name, a, b)
    found = fr.explain(*map(shared, pair), index=name, weights=w, effort=VISIT)
    assert 1.0 - found.comparison.observed == pytest.approx(p @ discordance, abs=1e-12)
    expected = p @ (1.0 - brute.concordance(name, a[:, None], b[None, :])) @ p
    error = 3e-6 + found.comparison.error_bound  # agreements are in bins
    assert 1.0 - found.comparison.expected == pytest.approx(expected, abs=error)
    i, j = np.triu_indices(len(w), 1)
    sums = sum(np.bincount(each, p * discordance, len(w)) for each in (i, j))
    chance = 1.0 - found.comparison.expected
    if chance > 1e-9:
        scores = 1.0 - 0.5 * sums / w * w.sum() / chance
        assert found.points == pytest.approx(scores, abs=1e-9)
    for own, other, side in ((u, v, found.wallace.first), (v, u, found.wallace.second)):
        (observed, _), weights = plain_wallace(name, other, own, w)
        known = weights > 0.0
        mine = np.append(side.clusters.observed, side.observed)
        np.testing.assert_allclose(mine[known], observed[known], atol=1e-9)


@examples(20)
@given(two_sparse(), st.integers(0, 2**32 - 1))
def test_sums_of_minima_count_products_of_weights(pair, seed):
    rows, w = pair[0], weights_of(pair, seed)
    groups = np.random.default_rng(seed).integers(3, size=len(rows))
    every = within = 0.0
    for i, j in itertools.combinations(range(len(rows)), 2):
        minimum = w[i] * w[j] * np.minimum(rows[i], rows[j]).sum()
        every += minimum
        within += minimum * (groups[i] == groups[j])
    entries = SparseRows.of_dense(rows)
    assert sum_of_minima(entries, None, w) == pytest.approx(every, rel=1e-10)
    assert sum_of_minima(entries, groups, w) == pytest.approx(within, rel=1e-10, abs=1e-12)


def test_pairs_are_drawn_in_proportion_to_weights_and_agreements():
    rng = np.random.default_rng(0)
    rows = rng.dirichlet([0.3] * 6, 12) * (rng.random((12, 6)) < 0.6)
    w = rng.gamma(1.0, size=12)
    draws = SharedDraws(SparseRows.of_dense(rows), w)
    i, j = np.triu_indices(12, 1)
    shares = w[i] * w[j] * np.minimum(rows[i], rows[j]).sum(axis=1)
    assert draws.total == pytest.approx(shares.sum())
    one, two = draws.draw(rng, 200_000)
    low, high = np.minimum(one, two), np.maximum(one, two)
    seen = np.bincount(low * 12 + high, minlength=144)[i * 12 + j] / 200_000
    error = np.sqrt(shares / shares.sum() / 200_000)
    assert (np.abs(seen - shares / shares.sum()) <= 5.0 * error).all()


@pytest.mark.usefixtures("small_tiles")
def test_sampled_pairs_that_share_a_cluster_have_valid_errors():
    rng = np.random.default_rng(1)
    n, k = 2000, 300
    sides = []
    for _ in range(2):
        columns = (rng.integers(k, size=(n, 1)) + np.array([0, 1, 5])) % k
        values = rng.dirichlet([1, 1, 1], n)
        sides.append(
            sp.csr_array((values.ravel(), (np.repeat(np.arange(n), 3), columns.ravel())), (n, k))
        )
    w = rng.gamma(1.0, size=n)
    exact = fr.compare(*sides, weights=w, effort=VISIT)
    assert exact.exact or exact.error_bound < 1e-6
    z = []
    for seed in range(12):
        some = replace(VISIT, pairs=20_000)
        found = fr.compare(*sides, weights=w, random_state=seed, effort=some, tol=0.05)
        assert "random pairs that share a cluster" in found.computed["observed"]
        z.append((found.adjusted - exact.adjusted) / found.stderr)
    assert np.abs(z).max() < 4.0
    assert 0.5 < np.std(z) < 1.8


@pytest.mark.parametrize("index", ["ndc", "brouwer", fr.NDC(p=2)], ids=str)
def test_compiled_point_means_are_those_of_numpy(index):
    rng = np.random.default_rng(2)
    u, v, w = rng.dirichlet([1, 1, 1], 300), rng.dirichlet([1, 1], 300), rng.gamma(1.0, size=300)
    for pairs, tol in (("auto", 5e-4), (3000, 0.5)):
        found, plain = (
            fr.explain(
                u,
                v,
                index=index,
                weights=w,
                effort=fr.Effort(pairs=pairs, budget=fr.Budget(numpy_work=work)),
                tol=tol,
            )
            for work in (0.0, np.inf)
        )
        assert found.points == pytest.approx(plain.points, abs=1e-10)
        if pairs != "auto":
            assert found.points_stderr == pytest.approx(plain.points_stderr, abs=1e-10)
