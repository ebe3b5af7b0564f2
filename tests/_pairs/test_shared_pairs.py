"""Sparse clusterings give the numbers of their full matrices, by every route."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import fuzzyrand as fr
from fuzzyrand._base.effort import Precision
from fuzzyrand._clusterings.rows import DenseRows
from fuzzyrand._clusterings.sparse_rows import SparseRows
from fuzzyrand._distributions.resolution import treatment_of
from fuzzyrand._distributions.row_statistics import row_statistics
from fuzzyrand._pairs import route, shared_pairs
from fuzzyrand._pairs.bins import NO_GRID
from fuzzyrand._pairs.shared_draws import SharedDraws, mean_of_smaller
from fuzzyrand._pairs.sparse_columns import minima_of_points, sum_of_minima

from .._methods.explanation.test_wallace import divide_finely
from ..clusterings import SPARSE, kept_sparse
from ..examples import examples

EFFORT = Precision(max_draws=1 << 20, n_threads=2)
#: Keeps small matrices sparse and full ones full, and visits the pairs of few points.
VISIT = fr.Effort(budget=replace(SPARSE, mostly_zero_share=0.0, kept_pairs=0))


@pytest.fixture(scope="module", autouse=True)
def small_things():
    with pytest.MonkeyPatch.context() as patch:
        divide_finely(patch)
        yield


@st.composite
def rows(draw, n):
    """Rows with few entries, some of which are alone in their column."""
    k = draw(st.integers(1, 12))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    out = np.zeros((n, k))
    for row in out:
        columns = rng.choice(k, rng.integers(1, min(4, k) + 1), replace=False)
        row[columns] = rng.dirichlet(np.full(columns.size, 0.7)) + 1e-9
    if draw(st.booleans()):
        out[: n // 2] = out[n - n // 2 :]
    return out / out.sum(axis=1, keepdims=True)


@st.composite
def two(draw):
    n = draw(st.integers(2, 30))
    return draw(rows(n)), draw(rows(n))


def minima(x):
    return np.minimum(x[:, None], x[None]).sum(axis=2)


@given(two())
def test_the_pairs_that_share_a_column_are_all_that_matter(pair):
    above = np.triu_indices(pair[0].shape[0], 1)
    for product, power in itertools.product((False, True), (1.0, 2.0, 1.5)):
        agreements = [np.minimum(x @ x.T if product else minima(x), 1.0) for x in pair]
        discordance = np.abs(agreements[0] - agreements[1]) ** power
        np.fill_diagonal(discordance, 0.0)
        sparse = [SparseRows.of_dense(x) for x in pair]
        grids = [shared_pairs.shared_pairs_grid(x, product=product) for x in sparse]
        seen = shared_pairs.visit_shared_pairs(
            *sparse, power, tuple(grids), EFFORT, product=product, by_points=True
        )
        assert seen.discordance == pytest.approx(discordance[above].sum(), abs=1e-11)
        np.testing.assert_allclose(seen.points, discordance.sum(axis=1), atol=1e-11)
        for agreed, bins, grid in zip(agreements, (seen.bins1, seen.bins2), grids, strict=True):
            values = agreed[above]
            assert bins[0].sum() == np.count_nonzero(values)
            bracket = grid.bracket(bins, values.size - bins[0].sum())
            assert bracket.inner.mean == pytest.approx(values.mean(), abs=1e-7)
            for at in (0.0, 0.1, 0.5, 1.0):
                exact = np.abs(values - at).mean()
                low, high = (
                    float(np.abs(end.values - at) @ end.weights)
                    for end in (bracket.inner, bracket.outer)
                )
                assert low - 1e-7 <= exact <= high + 1e-7


def test_products_that_underflow_count_a_point_once():
    """Points that share several columns, in each of which their product is 0 to the machine."""
    x = np.full((12, 40), 1e-170)
    x[:, 0] = np.arange(12) % 2
    x[:, 1] = 1.0 - x[:, 0]
    sparse = [SparseRows.of_dense(x), SparseRows.of_dense(np.roll(x, 3, axis=0))]
    seen = shared_pairs.visit_shared_pairs(
        *sparse, 1.0, (NO_GRID, NO_GRID), EFFORT, product=True, by_points=True
    )
    agreements = [np.minimum(y @ y.T, 1.0) for y in (x, np.roll(x, 3, axis=0))]
    discordance = np.abs(agreements[0] - agreements[1])
    np.testing.assert_allclose(seen.points, discordance.sum(axis=1), atol=1e-12)


@given(rows(25))
def test_one_clustering_alone(x):
    seen = shared_pairs.visit_shared_pairs(
        SparseRows.of_dense(x), None, 1.0, (NO_GRID, NO_GRID), EFFORT, product=False
    )
    assert seen.discordance == pytest.approx(minima(x)[np.triu_indices(25, 1)].sum(), abs=1e-11)


@given(rows(20), st.lists(st.integers(0, 3), min_size=20, max_size=20))
def test_sums_by_sorted_entries(x, groups):
    groups = np.array(groups)
    agreements = minima(x)
    np.fill_diagonal(agreements, 0.0)
    sparse = SparseRows.of_dense(x)
    within = agreements * (groups[:, None] == groups)
    assert sum_of_minima(sparse) == pytest.approx(0.5 * agreements.sum(), abs=1e-11)
    assert sum_of_minima(sparse, groups) == pytest.approx(0.5 * within.sum(), abs=1e-11)
    np.testing.assert_allclose(minima_of_points(sparse), agreements.sum(axis=1), atol=1e-11)
    np.testing.assert_allclose(minima_of_points(sparse, groups), within.sum(axis=1), atol=1e-11)


INDICES = ("ndc", fr.NDC(q=2), fr.NDC(q=1.5), fr.NDC(p=2), "brouwer", "belief", "jousselme")


@examples(25)
@given(two(), st.lists(st.integers(0, 3), min_size=30, max_size=30), st.sampled_from(INDICES))
def test_sparse_and_full_compare_alike(pair, labels, index):
    first, second = pair
    labels = np.array(labels[: first.shape[0]])
    for a, b in ((first, second), (first, labels), (labels, second)):
        sparse = [x if x.ndim == 1 else sp.csr_array(x) for x in (a, b)]
        # The adjusted index is not always defined, but these are.
        options = {"index": index, "effort": VISIT}
        observed, expected = (
            [function(*sides, **more) for sides in ((a, b), sparse)]
            for function, more in (
                (fr.similarity, options),
                (fr.expected_similarity, {**options, "model": "perm"}),
            )
        )
        assert observed[1] == pytest.approx(observed[0], abs=1e-11)
        # Bins are fewer than those of full matrices.
        assert expected[1] == pytest.approx(expected[0], abs=2e-6)


@examples(30)
@given(two(), st.sampled_from(("ndc", "brouwer", "belief")))
def test_explanations_of_sparse_clusterings(pair, index):
    options = {"index": index, "model": "flat", "effort": replace(VISIT, max_draws=1000)}
    full = fr.explain(*pair, **options)
    found = fr.explain(*map(sp.csr_array, pair), **options)
    np.testing.assert_allclose(found.points, full.points, atol=1e-9)
    for mine, theirs in zip(found.clusters, full.clusters, strict=True):
        np.testing.assert_allclose(mine, theirs, atol=1e-9)
    np.testing.assert_allclose(found.overlap, full.overlap, atol=1e-12)
    assert found.hardened == pytest.approx(full.hardened, abs=1e-9, nan_ok=True)


@examples(25)
@given(two())
def test_noise_that_is_nobodys_company(pair):
    first, second = (x.copy() for x in pair)
    first[::3] *= 0.6
    options = {"missing": "noise", "noise_as": "singletons", "model": "perm", "effort": VISIT}
    for index in ("ndc", "brouwer", "belief"):
        sides = (first, second), tuple(map(sp.csr_array, (first, second)))
        full, found = (fr.expected_similarity(*each, index=index, **options) for each in sides)
        assert found == pytest.approx(full, abs=2e-6)
        del options["model"]
        full, found = (fr.similarity(*each, index=index, **options) for each in sides)
        assert found == pytest.approx(full, abs=1e-11)
        options["model"] = "perm"


@given(rows(15), st.sampled_from(["auto", 0.05, 1e-12]))
def test_fits_see_the_same_statistics(x, given_resolution):
    sparse = SparseRows.of_dense(x)
    full, found = (treatment_of(form, given_resolution) for form in (DenseRows(x), sparse))
    assert found == full
    stats1, stats2 = (row_statistics(form, full) for form in (DenseRows(x), sparse))
    for name in ("mean", "variance", "censored", "mean_log"):
        np.testing.assert_allclose(getattr(stats2, name), getattr(stats1, name), atol=1e-12)


@pytest.mark.parametrize("model", ["fit", "sym", "flat"])
def test_models_of_rows_are_the_same_for_sparse_clusterings(model):
    rng = np.random.default_rng(5)
    x = np.zeros((200, 12))
    for row in x:
        row[rng.choice(12, 3, replace=False)] = rng.dirichlet(np.ones(3))
    labels = rng.integers(4, size=200)
    full, found = (
        fr.compare(form, labels, model=model, effort=VISIT) for form in (x, sp.csr_array(x))
    )
    assert found.adjusted == pytest.approx(full.adjusted, abs=1e-10)


def test_pairs_are_drawn_in_proportion_to_their_agreement():
    x = np.array([[0.5, 0.5, 0, 0], [0.2, 0.8, 0, 0], [0, 0.3, 0.7, 0], [0.5, 0, 0, 0.5], [0] * 4])
    agreements = minima(x)[np.triu_indices(5, 1)]
    draws = SharedDraws(SparseRows.of_dense(x))
    assert draws.total == pytest.approx(agreements.sum())
    i, j = draws.draw(np.random.default_rng(0), 200_000)
    assert (i != j).all()
    counts = np.zeros((5, 5))
    np.add.at(counts, (np.minimum(i, j), np.maximum(i, j)), 1.0)
    found = counts[np.triu_indices(5, 1)]
    assert found[agreements == 0.0].sum() == 0.0
    positive = agreements > 0.0
    expected = 200_000 * agreements[positive] / agreements.sum()
    assert stats.chisquare(found[positive], expected).pvalue > 1e-3


def test_mean_of_smaller_is_that_of_all_pairs():
    rng = np.random.default_rng(1)
    first, second = rng.random(50), rng.random(70)
    direct = np.mean(1.0 / np.maximum(first[:, None], second[None]))
    assert mean_of_smaller(first, second) == pytest.approx(direct, rel=1e-12)


def test_sampled_pairs_cover_the_exact_value():
    rng = np.random.default_rng(2)
    x = np.zeros((300, 40))
    for row in x:
        row[rng.choice(40, 3, replace=False)] = rng.dirichlet(np.ones(3))
    y = x.copy()
    y[:150] = x[rng.permutation(150)]
    first, second = kept_sparse(sp.csr_array(x)), kept_sparse(sp.csr_array(y))
    exact = fr.compare(first, second, model="perm", effort=VISIT)
    assert exact.computed["observed"] == "pairs that share a cluster"
    scores = []
    for seed in range(200):
        found = fr.compare(
            first,
            second,
            model="perm",
            effort=replace(VISIT, pairs=2_000, exact_work=1.0),
            random_state=seed,
            tol=0.05,
        )
        assert "share a cluster" in found.computed["observed"]
        assert "share a cluster" in found.computed["expected"]
        scores.append(
            [
                (found.observed - exact.observed) / found.computed["observed_stderr"],
                (found.expected - exact.expected) / found.computed["expected_stderr"],
                (found.adjusted - exact.adjusted) / found.stderr,
            ]
        )
    inside = np.mean(np.abs(scores) < 1.96, axis=0)
    # Of 200 with 95% each, between 90.5% and 99% are inside but for one time in 200.
    assert (inside > 0.905).all(), inside
    assert (inside < 0.99).all(), inside
    assert np.abs(np.mean(scores, axis=0)).max() < 0.25


def test_the_cheaper_of_all_pairs_and_shared_pairs_is_chosen(monkeypatch):
    monkeypatch.setattr(route, "SHARED_COST", 32.0)
    rng = np.random.default_rng(0)
    few = np.zeros((400, 2))
    few[:, 0] = rng.random(400)
    few[:, 1] = 1.0 - few[:, 0]
    many = np.zeros((400, 200))
    many[np.arange(400), rng.integers(200, size=400)] = 0.5
    many[np.arange(400), rng.integers(200, size=400)] += 0.5
    for rows, visited in ((few, "all pairs"), (many, "pairs that share a cluster")):
        first = kept_sparse(sp.csr_array(rows))
        found = fr.compare(first, first.take(np.arange(400)[::-1]), effort=VISIT)
        assert found.computed["observed"] == visited
