"""Fits of the distributions beyond one Dirichlet."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import logsumexp

import fuzzyrand as fr
from fuzzyrand._base.effort import Precision
from fuzzyrand._clusterings.treatment import AsRead
from fuzzyrand._distributions import family_fits
from fuzzyrand._distributions.family_fits import fit_kernel
from fuzzyrand._distributions.row_distributions import Dirichlet
from fuzzyrand._distributions.row_logs import RowLogs

from ..clusterings import ring
from ..examples import examples


class TestGeneralised:
    def test_a_dirichlet_is_recovered(self):
        alpha = np.array([3.0, 2.0, 1.0, 0.5])
        rows = Dirichlet(alpha).sample(np.random.default_rng(3), 50_000)
        found = fr.Generalised().rows(fr.as_partition(rows), Precision())
        assert found.mean() == pytest.approx(alpha / alpha.sum(), abs=0.01)
        for split, a, rest in zip(found.rows.splits, alpha, [3.5, 1.5, 0.5], strict=False):
            assert split.alpha == pytest.approx([a, rest], rel=0.05)

    def test_empty_clusters_and_exhausted_rows(self):
        rows = np.array([[0.6, 0.4, 0.0], [0.7, 0.3, 0.0], [1.0, 0.0, 0.0], [0.2, 0.8, 0.0]])
        found = fr.Generalised().rows(fr.as_partition(rows), Precision())
        drawn = found.sample(np.random.default_rng(0), 1000)
        assert drawn[:, 2].max() == 0.0
        assert drawn.sum(axis=1) == pytest.approx(np.ones(1000))


class TestKernel:
    def test_the_bandwidth_predicts_new_rows_best(self):
        rng = np.random.default_rng(6)
        rows, new = ring(rng, 400), ring(rng, 400)
        logs = RowLogs(new, AsRead())

        def score(bandwidth):
            kernel = fit_kernel(rows, AsRead(), bandwidth)
            return np.log(np.exp(logs.densities(kernel.alphas)).mean(axis=0)).mean()

        chosen = 1.0 / fit_kernel(rows, AsRead(), None).alphas.sum(axis=1)[0]
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
            .rows(fr.as_partition(rows), Precision())
            .sample(np.random.default_rng(0), 4000)
        )
        assert 0.45 < ((drawn == 1.0).sum(axis=1) == 1).mean() < 0.55
        assert not ((drawn > 0.0).all(axis=1)).any()


class TestMixed:
    def test_shares_and_proportions(self):
        rng = np.random.default_rng(7)
        x = np.vstack([np.eye(3)[[0, 0, 0, 1]], rng.dirichlet([5, 5, 5], 6)])
        rows = fr.Mixed().rows(fr.as_partition(x), Precision())
        assert rows.rows.share == 0.4
        drawn = rows.sample(np.random.default_rng(0), 100_000)
        hard = (drawn == 1.0).mean(axis=0) / 0.4
        assert hard == pytest.approx([0.75, 0.25, 0.0], abs=0.01)
        # With a coarse resolution nearly hard rows count as hard.
        x[0] = [0.9998, 0.0001, 0.0001]
        assert (
            fr.Mixed(resolution=1e-3).rows(fr.as_partition(x), Precision()).rows.rows.share == 0.4
        )


@examples(30)
@given(st.integers(0, 2**32 - 1))
def test_rows_are_predicted_by_the_densities_around_other_rows(seed):
    rng = np.random.default_rng(seed)
    rows = rng.dirichlet(np.full(int(rng.integers(2, 6)), 0.3), 20)
    rows[rows < 0.01] = 0.0
    rows /= rows.sum(axis=1, keepdims=True)
    logs = RowLogs(rows, AsRead(1e-3))
    same = rng.random((20, 20)) < 0.2
    same[:, 0] = False
    bandwidth = np.exp(rng.uniform(-6.0, 1.0))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(family_fits, "DENSITIES", 20 * int(rng.integers(1, 21)))
        found = family_fits._predictions(logs, same)(np.log(bandwidth))
    densities = np.where(same, -np.inf, logs.densities(rows / bandwidth).T)
    np.testing.assert_allclose(found, logsumexp(densities, axis=1), rtol=1e-9, atol=1e-9)
