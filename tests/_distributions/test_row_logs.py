"""Densities of rows under Dirichlets, and sums of their exponentials."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.special import logsumexp

from fuzzyrand._clusterings.treatment import AsRead, Cut
from fuzzyrand._distributions import row_logs
from fuzzyrand._distributions.row_logs import RowLogs, log_sums

from .. import brute
from ..examples import examples


@given(st.integers(0, 2**32 - 1))
@examples(30)
def test_densities_are_those_of_scipy(seed):
    rng = np.random.default_rng(seed)
    alphas = rng.uniform(0.1, 20, (3, 4))
    rows = rng.dirichlet(np.ones(4), 5)
    ours = RowLogs(rows, AsRead()).densities(alphas)
    # A constant of the row is left out: the sum of its logarithms.
    exact = np.array([[stats.dirichlet(a).logpdf(row) for row in rows] for a in alphas])
    exact += np.log(rows).sum(axis=1)
    assert ours == pytest.approx(exact, rel=1e-9)


def test_densities_of_censored_rows():
    rows, alphas, resolution = np.array([[0.7, 0.3, 0.0]]), np.array([[2.0, 0.5, 0.3]]), 1e-3
    ours = RowLogs(rows, AsRead(resolution)).densities(alphas)[0, 0]
    exact = brute.censored_log_likelihood(alphas[0], rows, resolution) + np.log(0.7 * 0.3)
    assert ours == pytest.approx(exact)


def test_products_in_parts_are_the_whole_ones(monkeypatch):
    rng = np.random.default_rng(1)
    logs = RowLogs(rng.dirichlet(np.full(3, 0.1), 50), Cut(1e-3))
    alphas, weights = rng.uniform(0.1, 9.0, (4, 3)), rng.dirichlet(np.ones(50), 4)
    whole, (censored, mean_logs, hidden) = logs.densities(alphas), logs.means(weights)
    monkeypatch.setattr(row_logs, "UNTHREADED", 4 * 9 * 7)  # seven rows at a time
    np.testing.assert_allclose(logs.densities(alphas), whole, rtol=1e-12)
    again = logs.means(weights)
    for one, other in zip(again[:2], (censored, mean_logs), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12)
    np.testing.assert_allclose(again[2].limits, hidden.limits, rtol=1e-12)
    np.testing.assert_allclose(censored, weights @ logs.censored, rtol=1e-12)
    np.testing.assert_allclose(mean_logs, weights @ logs.logs, rtol=1e-12)
    np.testing.assert_allclose(hidden.limits, 1e-3 * censored, rtol=1e-12)


@pytest.mark.parametrize("axis", [0, 1])
def test_logarithms_of_sums_are_those_of_scipy(axis):
    rng = np.random.default_rng(0)
    logs = rng.normal(scale=300.0, size=(50, 7))
    logs[rng.random(logs.shape) < 0.3] = -np.inf
    logs[:, 0] = logs[0] = 1.0
    norms, shares = log_sums(logs.copy(), axis)
    np.testing.assert_allclose(norms, logsumexp(logs, axis=axis), rtol=1e-14)
    exact = np.exp(logs - np.expand_dims(norms, axis))
    np.testing.assert_allclose(shares, exact, atol=1e-13)
