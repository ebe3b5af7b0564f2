"""Fits of the distributions beyond one Dirichlet."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.special import logsumexp

import fuzzyrand as fr
from fuzzyrand._base.effort import Effort
from fuzzyrand._distributions import family_fits
from fuzzyrand._distributions.dirichlet_fit import (
    RowStatistics,
    fit_by_likelihood,
    refit_by_likelihood,
)
from fuzzyrand._distributions.family_fits import _Logs, fit_kernel, fit_mixture
from fuzzyrand._distributions.resolution import FINEST
from fuzzyrand._distributions.rows import Dirichlet

from .. import brute
from ..clusterings import groups, ring


class TestGeneralised:
    def test_a_dirichlet_is_recovered(self):
        alpha = np.array([3.0, 2.0, 1.0, 0.5])
        rows = Dirichlet(alpha).sample(np.random.default_rng(3), 50_000)
        found = fr.Generalised().rows(fr.as_partition(rows), Effort())
        assert found.mean() == pytest.approx(alpha / alpha.sum(), abs=0.01)
        for split, a, rest in zip(found.rows.splits, alpha, [3.5, 1.5, 0.5], strict=False):
            assert split.alpha == pytest.approx([a, rest], rel=0.05)

    def test_empty_clusters_and_exhausted_rows(self):
        rows = np.array([[0.6, 0.4, 0.0], [0.7, 0.3, 0.0], [1.0, 0.0, 0.0], [0.2, 0.8, 0.0]])
        found = fr.Generalised().rows(fr.as_partition(rows), Effort())
        drawn = found.sample(np.random.default_rng(0), 1000)
        assert drawn[:, 2].max() == 0.0
        assert drawn.sum(axis=1) == pytest.approx(np.ones(1000))


class TestMixture:
    @given(st.integers(0, 2**32 - 1))
    @settings(max_examples=30)
    def test_densities_are_those_of_scipy(self, seed):
        rng = np.random.default_rng(seed)
        alphas = rng.uniform(0.1, 20, (3, 4))
        rows = rng.dirichlet(np.ones(4), 5)
        ours = _Logs(rows, FINEST).densities(alphas)
        # A constant of the row is left out: the sum of its logarithms.
        exact = np.array([[stats.dirichlet(a).logpdf(row) for a in alphas] for row in rows])
        exact += np.log(rows).sum(axis=1)[:, None]
        assert ours == pytest.approx(exact, rel=1e-9)

    def test_densities_of_censored_rows(self):
        rows, alphas, resolution = np.array([[0.7, 0.3, 0.0]]), np.array([[2.0, 0.5, 0.3]]), 1e-3
        ours = _Logs(rows, resolution).densities(alphas)[0, 0]
        exact = brute.censored_log_likelihood(alphas[0], rows, resolution) + np.log(0.7 * 0.3)
        assert ours == pytest.approx(exact)

    def test_more_components_are_likelier_and_the_right_number_is_found(self):
        rows = groups(np.random.default_rng(4), 600)
        logs = _Logs(rows, FINEST)

        def likelihood(mixture):
            densities = np.exp(logs.densities(mixture.alphas)) @ mixture.weights
            return np.log(densities).sum()

        values = [likelihood(fit_mixture(rows, FINEST, m)) for m in (2, 3, 4)]
        assert values == sorted(values)
        found = fit_mixture(rows, FINEST, None)
        assert found.weights == pytest.approx(np.full(3, 1 / 3), abs=0.02)
        assert np.sort(found.alphas.sum(axis=1)) == pytest.approx([30, 44, 44], rel=0.2)
        one = Dirichlet(np.array([2.0, 3.0, 1.0])).sample(np.random.default_rng(5), 600)
        assert isinstance(fit_mixture(one, FINEST, None), Dirichlet)
        two = fr.Mixture(components=2).rows(fr.as_partition(rows), Effort())
        assert two.rows.weights.size == 2

    @pytest.mark.slow
    def test_rounded_rows_with_a_coarse_resolution(self):
        for seed in range(2):
            rows = np.round(np.random.default_rng(seed).dirichlet([0.3] * 3, 100), 1)
            rows /= rows.sum(axis=1, keepdims=True)
            assert fr.check_model(rows, fr.Mixture(resolution=0.05)).distance < 0.05

    def test_repeated_rows_do_not_break_it(self):
        rows = np.repeat([[0.7, 0.2, 0.1], [0.1, 0.1, 0.8]], 30, axis=0)
        check = fr.check_model(rows, fr.Mixture(components=2))
        assert check.distance < 0.02


class TestKernel:
    def test_the_bandwidth_predicts_new_rows_best(self):
        rng = np.random.default_rng(6)
        rows, new = ring(rng, 400), ring(rng, 400)
        logs = _Logs(new, FINEST)

        def score(bandwidth):
            kernel = fit_kernel(rows, FINEST, bandwidth)
            return np.log(np.exp(logs.densities(kernel.alphas)).mean(axis=1)).mean()

        chosen = 1.0 / fit_kernel(rows, FINEST, None).alphas.sum(axis=1)[0]
        assert score(chosen) > score(4.0 * chosen)
        assert score(chosen) > score(0.25 * chosen)

    @pytest.mark.parametrize("k", [20, pytest.param(200, marks=pytest.mark.slow)])
    def test_many_clusters_are_not_blurred_away(self, k):
        rng = np.random.default_rng(8)
        u, v = (rng.dirichlet(np.full(k, 0.05), 300) for _ in range(2))
        for index in ("jousselme", "ndc"):
            kernel = fr.compare(u, v, index=index, model="kernel", tol=5e-3)
            rows_themselves = fr.compare(u, v, index=index, model="empirical")
            assert kernel.adjusted == pytest.approx(rows_themselves.adjusted, abs=0.1)

    def test_rows_that_repeat_are_hardly_blurred(self):
        one = np.tile([0.2, 0.3, 0.5], (30, 1))
        assert fr.check_model(one, "kernel").distance < 1e-3
        two = np.repeat([[0.7, 0.2, 0.1], [0.1, 0.1, 0.8]], 25, axis=0)
        assert fr.check_model(two, "kernel").distance < 0.1

    def test_zeros_stay_zero_and_hard_rows_hard(self):
        rows = np.array([[1.0, 0.0, 0.0], [0.0, 0.6, 0.4], [0.3, 0.7, 0.0], [0.0, 0.0, 1.0]])
        drawn = (
            fr.Kernel(bandwidth=0.05, resolution=2.2e-16)
            .rows(fr.as_partition(rows), Effort())
            .sample(np.random.default_rng(0), 4000)
        )
        assert 0.45 < ((drawn == 1.0).sum(axis=1) == 1).mean() < 0.55
        assert not ((drawn > 0.0).all(axis=1)).any()


class TestMixed:
    def test_shares_and_proportions(self):
        rng = np.random.default_rng(7)
        x = np.vstack([np.eye(3)[[0, 0, 0, 1]], rng.dirichlet([5, 5, 5], 6)])
        rows = fr.Mixed().rows(fr.as_partition(x), Effort())
        assert rows.rows.share == 0.4
        drawn = rows.sample(np.random.default_rng(0), 100_000)
        hard = (drawn == 1.0).mean(axis=0) / 0.4
        assert hard == pytest.approx([0.75, 0.25, 0.0], abs=0.01)
        # With a coarse resolution nearly hard rows count as hard.
        x[0] = [0.9998, 0.0001, 0.0001]
        assert fr.Mixed(resolution=1e-3).rows(fr.as_partition(x), Effort()).rows.rows.share == 0.4


@settings(max_examples=30)
@given(st.integers(0, 2**32 - 1))
def test_several_fits_at_once_are_the_single_ones(seed):
    rng = np.random.default_rng(seed)
    k, sets = int(rng.integers(2, 8)), int(rng.integers(1, 5))
    several = []
    for _ in range(sets):
        alpha = rng.uniform(0.3, 30.0) * rng.dirichlet(np.full(k, 3.0))
        several.append(RowStatistics.of(rng.dirichlet(alpha, 300), 1e-3))
    single = np.stack([fit_by_likelihood(one).alpha for one in several])
    together = refit_by_likelihood(
        single * rng.uniform(0.5, 2.0, single.shape),
        np.stack([one.censored for one in several]),
        np.stack([one.mean_log for one in several]),
    )
    np.testing.assert_allclose(together, single, rtol=1e-6)


@settings(max_examples=30)
@given(st.integers(0, 2**32 - 1))
def test_densities_for_any_bandwidth_come_from_the_same_sums(seed):
    rng = np.random.default_rng(seed)
    rows = rng.dirichlet(np.full(int(rng.integers(2, 6)), 0.3), 20)
    rows[rows < 0.01] = 0.0
    rows /= rows.sum(axis=1, keepdims=True)
    logs = _Logs(rows, 1e-3)
    asked = rng.random((20, 20)) < 0.8
    bandwidth = np.exp(rng.uniform(-6.0, 1.0))
    found = family_fits._scaled_densities(logs, asked)(np.log(bandwidth))
    expected = np.where(asked, logs.densities(rows / bandwidth), -np.inf)
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)


def test_logarithms_of_sums_are_those_of_scipy():
    rng = np.random.default_rng(0)
    logs = rng.normal(scale=300.0, size=(50, 7))
    logs[rng.random(logs.shape) < 0.3] = -np.inf
    logs[:, 0] = 1.0
    norms, shares = family_fits._log_sums(logs.copy())
    np.testing.assert_allclose(norms, logsumexp(logs, axis=1), rtol=1e-14)
    np.testing.assert_allclose(shares, np.exp(logs - norms[:, None]), atol=1e-13)
