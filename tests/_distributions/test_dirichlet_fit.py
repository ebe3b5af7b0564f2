"""Fitting Dirichlet distributions: against a general optimiser, and on data that break others."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

import fuzzyrand as fr
from fuzzyrand._base.effort import Precision
from fuzzyrand._base.estimate import FINEST
from fuzzyrand._clusterings.rows import DenseRows
from fuzzyrand._clusterings.treatment import AsRead
from fuzzyrand._distributions import dirichlet_fit, row_kernels
from fuzzyrand._distributions import row_statistics as statistics_of_rows
from fuzzyrand._distributions.dirichlet_fit import (
    fit_by_likelihood,
    fit_symmetric_by_likelihood,
    improve_likelihood,
)
from fuzzyrand._distributions.row_distributions import Categorical, Dirichlet, Identical
from fuzzyrand._distributions.row_statistics import row_statistics

from .. import brute
from ..examples import examples

RESOLUTION = 2.2e-16


def fit(x, model=None, **options):
    """Fit without looking for a cut, which ``test_resolution`` is about."""
    options = {"resolution": 2.2e-16, **options}
    return (model or fr.Fit)(**options).rows(fr.as_partition(x), Precision())


def _sample(seed, alpha, n):
    return Dirichlet(np.asarray(alpha, dtype=float)).sample(np.random.default_rng(seed), n)


def _with_hard_rows(x, share, seed=0):
    rng = np.random.default_rng(seed)
    x = x.copy()
    one_hot = rng.random(len(x)) < share
    x[one_hot] = np.eye(x.shape[1])[rng.integers(x.shape[1], size=one_hot.sum())]
    return x


CASES = {
    "plain": _sample(1, [2.0, 0.7, 5.0], 200),
    "sharp": _sample(2, [0.05, 0.1, 0.02], 200),
    "concentrated": _sample(3, [900.0, 300.0, 500.0], 200),
    "mixed": _with_hard_rows(_sample(4, [1.0, 2.0, 3.0], 200), 0.3),
    "mostly hard": _with_hard_rows(_sample(5, [1.0, 2.0, 3.0], 200), 0.97),
    "underflowed": np.where(_sample(6, [0.01, 0.02, 0.3], 200) < 1e-20, 0.0, 1.0)
    * _sample(6, [0.01, 0.02, 0.3], 200),
    "rounded": np.round(_sample(7, [0.3, 0.3, 2.0], 300), 3),
}


@pytest.mark.parametrize("name", CASES)
def test_likelihood_is_that_of_a_general_optimiser(name):
    x = CASES[name] / CASES[name].sum(axis=1, keepdims=True)
    resolution = 5e-4 if name == "rounded" else RESOLUTION
    stats = row_statistics(DenseRows(x), AsRead(resolution))
    ours = fit_by_likelihood(stats)
    assert isinstance(ours, Dirichlet)

    def loss(log_alpha):
        return -brute.censored_log_likelihood(np.exp(log_alpha), x, resolution)

    best = min(
        minimize(
            loss,
            np.log(start),
            method="Nelder-Mead",
            options={"xatol": 1e-9, "fatol": 1e-12, "maxiter": 5000},
        ).fun
        for start in (ours.alpha, np.ones(3), np.full(3, 0.1))
    )
    assert loss(np.log(ours.alpha)) <= best + 1e-9
    gradient = [
        (loss(np.log(ours.alpha) + step) - loss(np.log(ours.alpha) - step)) / 2e-5
        for step in 1e-5 * np.eye(3)
    ]
    assert np.abs(gradient).max() < 1e-6

    symmetric = fit_symmetric_by_likelihood(stats)
    assert isinstance(symmetric, Dirichlet)
    values = [loss(np.log(symmetric.alpha * factor)) for factor in (0.999, 1.0, 1.001)]
    assert values[1] < values[0]
    assert values[1] < values[2]


@pytest.mark.parametrize("k", [2, 8, 32, 128])
@pytest.mark.parametrize("precision", [0.01, 0.1, 1.0, 5.0, 100.0])
def test_recovers_what_it_was_drawn_from(k, precision):
    large = max(1, int(0.8 * k))
    alpha = np.r_[np.full(large, 0.8 / large), np.full(k - large, 0.2 / (k - large))] * precision
    x = _sample(k, alpha, 4000)
    found = fit(x)
    assert found.alpha.sum() == pytest.approx(precision, rel=0.12)
    assert found.alpha[:large].sum() / found.alpha.sum() == pytest.approx(0.8, abs=0.03)


def test_hard_rows_at_the_resolution_are_categorical():
    x = np.full((10, 3), 1e-6)
    x[:7, 0] = x[7:9, 1] = x[9, 2] = 1 - 2e-6
    sharp = fit(x, resolution=1e-4)
    assert isinstance(sharp, Categorical)
    assert sharp.p == pytest.approx([0.7, 0.2, 0.1])
    assert isinstance(fit(x), Dirichlet)
    assert isinstance(fit(x, fr.Sym, resolution=1e-4), Categorical)


def test_a_few_fuzzy_rows_among_hard_ones_are_nearly_categorical():
    labels = np.repeat([0, 1, 2], [600, 300, 100])
    x = np.eye(3)[labels]
    x[0] = [0.6, 0.4, 0.0]
    found = fit(x)
    assert isinstance(found, Dirichlet)
    assert found.alpha.sum() < 0.01
    assert found.alpha / found.alpha.sum() == pytest.approx([0.6, 0.3, 0.1], abs=0.01)


def test_a_cluster_that_nobody_belongs_to():
    x = np.column_stack([_sample(1, [2.0, 3.0], 100), np.zeros(100)])
    with_empty, without = fit(x), fit(x[:, :2])
    assert with_empty.alpha[2] == 0.0
    assert with_empty.alpha[:2] == pytest.approx(without.alpha, rel=1e-9)
    counted = fit(x, fr.Sym)
    assert counted.alpha.size == 3
    assert counted.alpha[0] != pytest.approx(fit(x[:, :2], fr.Sym).alpha[0], rel=0.01)


@pytest.mark.parametrize("estimator", ["mle", "moments"])
def test_identical_rows_have_no_finite_fit(estimator):
    x = np.tile([0.5, 0.3, 0.2], (20, 1))
    assert isinstance(fit(x, estimator=estimator), Identical)
    c = fr.compare(x, np.roll(x, 1, axis=1), model=fr.Fit(estimator=estimator))
    assert (c.observed, c.expected, c.adjusted) == (1.0, 1.0, 1.0)
    even = np.full((20, 4), 0.25)
    assert isinstance(fit(even, fr.Sym, estimator=estimator), Identical)


def test_nearly_identical_rows():
    rng = np.random.default_rng(0)
    x = rng.dirichlet(np.array([5e8, 3e8, 2e8]), 500)
    for estimator in ("mle", "moments"):
        found = fit(x, estimator=estimator)
        assert found.alpha / found.alpha.sum() == pytest.approx([0.5, 0.3, 0.2], rel=1e-4)
        # Like the variance of 1,000 normal deviates: a relative standard error of 4.5%.
        assert found.alpha.sum() == pytest.approx(1e9, rel=0.15)


def test_one_cluster():
    for model in ("fit", "sym", "flat", "perm", "cat", "num"):
        c = fr.compare(np.ones((5, 1)), [0, 0, 0, 0, 0], model=model)
        assert c.adjusted == 1.0


def test_moments_by_definition():
    x = CASES["mixed"]
    mean, variance = x.mean(axis=0), x.var(axis=0)
    precision = (mean * (1 - mean)).sum() / variance.sum() - 1
    assert fit(x, estimator="moments").alpha == pytest.approx(precision * mean, rel=1e-12)
    spread = ((x - 1 / 3) ** 2).mean(axis=0).sum()
    assert fit(x, fr.Sym, estimator="moments").alpha == pytest.approx(
        [(2 / 3 / spread - 1) / 3] * 3, rel=1e-12
    )


def test_moments_move_into_categorical():
    x = np.eye(3)[np.repeat([0, 1, 2], [7, 2, 1])]
    for blur in (1e-3, 1e-6):
        soft = (1 - blur) * x + blur / 3
        found = fit(soft, estimator="moments")
        q = fr.expected_similarity(soft, soft, model=fr.Fit(estimator="moments"), tol=1e-3)
        assert found.alpha.sum() < 10 * blur
        assert q == pytest.approx(fr.expected_similarity(x, x, model="cat"), abs=5e-3)


def test_the_rule_of_the_authors_gives_up_fuzziness_at_one_zero():
    x = _sample(9, [2.0, 3.0, 4.0], 50)
    assert isinstance(fit(x, zeros="categorical"), Dirichlet)
    x[3] = [0.5, 0.5, 0.0]
    given = fit(x, zeros="categorical")
    assert isinstance(given, Categorical)
    assert given.p == pytest.approx(x.mean(axis=0))
    assert fit(x, fr.Sym, zeros="categorical").p == pytest.approx([1 / 3] * 3)
    assert isinstance(fit(x), Dirichlet)


def test_a_million_rows():
    x = _sample(10, [0.5, 1.5, 3.0], 10**6)
    assert fit(x).alpha == pytest.approx([0.5, 1.5, 3.0], rel=0.01)


@examples(30)
@given(st.integers(0, 2**32 - 1))
def test_the_compiled_pass_sums_what_numpy_sums(seed):
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(1, 100)), int(rng.integers(1, 12))
    rows = rng.dirichlet(np.full(k, rng.choice([0.01, 1.0])), n)
    rows[rng.random(rows.shape) < 0.2] = 0
    resolution = float(rng.choice([1e-30, FINEST, 1e-3, 0.2]))
    compiled = row_kernels.sums_of_rows(rows, rows[0], resolution)
    assert np.isfinite(compiled).all()
    by_numpy = statistics_of_rows._sums_of_rows(rows, rows[0], resolution)
    np.testing.assert_allclose(compiled, by_numpy, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("chunk", [333, 5000])  # few mantissas are multiplied, or all that may be
def test_many_rows_have_the_same_statistics_by_either_pass(chunk, monkeypatch):
    rows = np.random.default_rng(0).dirichlet(np.full(4, 0.3), 5000)
    by_numpy = row_statistics(DenseRows(rows), AsRead(1e-4))
    monkeypatch.setattr(statistics_of_rows, "_COMPILED", 0)
    monkeypatch.setattr(statistics_of_rows, "_COMPILED_CHUNK", chunk)
    compiled = row_statistics(DenseRows(rows), AsRead(1e-4))
    for name in ("mean", "variance", "censored", "mean_log"):
        np.testing.assert_allclose(getattr(compiled, name), getattr(by_numpy, name), rtol=1e-12)


@examples(30)
@given(st.integers(0, 2**32 - 1))
def test_single_steps_of_several_fits_at_once_lead_to_the_single_fits(seed):
    rng = np.random.default_rng(seed)
    k, sets = int(rng.integers(2, 8)), int(rng.integers(1, 5))
    several = []
    for _ in range(sets):
        alpha = rng.uniform(0.3, 30.0) * rng.dirichlet(np.full(k, 3.0))
        several.append(row_statistics(DenseRows(rng.dirichlet(alpha, 300)), AsRead(1e-3)))
    single = np.stack([fit_by_likelihood(one).alpha for one in several])
    censored = np.stack([one.censored for one in several])
    mean_logs = np.stack([one.mean_log for one in several])
    values = dirichlet_fit._Likelihoods(censored, mean_logs).values
    alphas = single * rng.uniform(0.5, 2.0, single.shape)
    for _ in range(10):
        before, alphas = alphas, improve_likelihood(alphas, censored, mean_logs)
        assert (values(alphas) >= values(before) - 1e-12).all()
    np.testing.assert_allclose(alphas, single, rtol=1e-6)
