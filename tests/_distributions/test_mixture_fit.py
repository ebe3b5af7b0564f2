"""Mixtures of Dirichlets: starts climbed together, and where they end."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fuzzyrand as fr
from fuzzyrand._base.effort import Precision
from fuzzyrand._clusterings.rows import DenseRows
from fuzzyrand._clusterings.treatment import AsRead
from fuzzyrand._distributions import mixture_fit
from fuzzyrand._distributions.mixture_fit import fit_mixture
from fuzzyrand._distributions.row_distributions import Dirichlet
from fuzzyrand._distributions.row_logs import RowLogs

from ..clusterings import groups
from ..examples import examples


def _some_rows(rng):
    """Two overlapping components, some entries below the resolution 1e-3, and some hard rows."""
    k = int(rng.integers(2, 5))
    parts = [rng.dirichlet(rng.uniform(0.2, 9.0, k), 60) for _ in range(2)]
    hard = np.eye(k)[rng.integers(k, size=int(rng.integers(0, 30)))]
    return np.concatenate([*parts, hard])


def _plain_step(logs, weights, alphas):
    """One step of EM in which every component is fitted to the end, and the likelihood before."""
    densities = weights[:, None] * np.exp(logs.densities(alphas))
    shares = densities / densities.sum(axis=0)
    fitted = np.stack([mixture_fit._component(logs, row) for row in shares])
    return shares.mean(axis=1), fitted, float(np.log(densities.sum(axis=0)).sum())


@examples(25)
@given(st.integers(0, 2**32 - 1), st.integers(1, 3))
def test_starts_climbed_together_get_where_each_gets_alone(seed, m):
    logs = RowLogs(_some_rows(np.random.default_rng(seed)), AsRead(1e-3))
    starts = mixture_fit._starts(logs, m)
    together = mixture_fit._climbed(logs, starts, 3)
    for number in range(starts.likelihoods.size):
        alone = mixture_fit._climbed(logs, starts.of([number]), 3)
        for one, all_of_them in zip(alone, together, strict=True):
            np.testing.assert_allclose(one[0], all_of_them[number], rtol=1e-6, atol=1e-9)


@examples(25)
@given(st.integers(0, 2**32 - 1))
def test_rounds_never_make_rows_less_likely_and_plain_steps_gain_little_afterwards(seed):
    logs = RowLogs(_some_rows(np.random.default_rng(seed)), AsRead(1e-3))
    climb = mixture_fit._starts(logs, 2)
    before = climb.likelihoods
    for _ in range(4):
        climb = mixture_fit._round(logs, climb)
        assert (climb.likelihoods >= before - 1e-9 * np.abs(climb.likelihoods)).all()
        before = climb.likelihoods
    likelihood, mixture = mixture_fit._best_start(logs, 2)
    weights, alphas = mixture.weights, mixture.alphas
    weights, alphas, same = _plain_step(logs, weights, alphas)
    *_, after = _plain_step(logs, weights, alphas)
    assert same == pytest.approx(likelihood)
    assert after - same < 3.0 * mixture_fit.LEAST_GAIN * logs.rows.shape[0]


def test_more_components_are_likelier_and_the_right_number_is_found():
    rows = groups(np.random.default_rng(4), 600)
    logs = RowLogs(rows, AsRead())

    def likelihood(mixture):
        densities = mixture.weights @ np.exp(logs.densities(mixture.alphas))
        return np.log(densities).sum()

    values = [likelihood(fit_mixture(DenseRows(rows), AsRead(), m)) for m in (2, 3, 4)]
    assert values == sorted(values)
    found = fit_mixture(DenseRows(rows), AsRead(), None)
    assert found.weights == pytest.approx(np.full(3, 1 / 3), abs=0.02)
    assert np.sort(found.alphas.sum(axis=1)) == pytest.approx([30, 44, 44], rel=0.2)
    one = Dirichlet(np.array([2.0, 3.0, 1.0])).sample(np.random.default_rng(5), 600)
    assert isinstance(fit_mixture(DenseRows(one), AsRead(), None), Dirichlet)
    two = fr.Mixture(components=2).rows(fr.as_partition(rows), Precision())
    assert two.rows.weights.size == 2


@pytest.mark.slow
def test_rounded_rows_with_a_coarse_resolution():
    rows = np.round(np.random.default_rng(0).dirichlet([0.3] * 3, 100), 1)
    rows /= rows.sum(axis=1, keepdims=True)
    assert fr.check_model(rows, fr.Mixture(resolution=0.05)).distance < 0.05


def test_repeated_rows_do_not_break_it():
    rows = np.repeat([[0.7, 0.2, 0.1], [0.1, 0.1, 0.8]], 30, axis=0)
    check = fr.check_model(rows, fr.Mixture(components=2))
    assert check.distance < 0.02


@pytest.mark.parametrize("seed", [1, 16, 17, 18, 21])
def test_drawn_rows_have_the_means_of_the_data(seed):
    """Of partly hard rows: rounding once gave concentrations below 0, and draws of anything."""
    rng = np.random.default_rng(seed)
    n, k = 100, 6
    hard = np.eye(k)[rng.integers(0, k, n)]
    rows = np.where(rng.random((n, 1)) < 0.5, hard, rng.dirichlet(np.ones(k), n))
    rows = np.where(rng.random((n, 1)) < 0.6, np.eye(k)[rng.integers(0, 2, n)], rows)
    found = fit_mixture(DenseRows(rows), AsRead(), None)
    assert (found.alphas >= 0.0).all()
    drawn = found.sample(np.random.default_rng(0), 20_000).mean(axis=0)
    assert drawn == pytest.approx(found.mean(), abs=5 * 0.5 / np.sqrt(20_000))
    assert found.mean() == pytest.approx(rows.mean(axis=0), abs=0.05)
