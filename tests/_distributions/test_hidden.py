"""Membership that is hidden in zeros: derivatives, and the exact likelihood of two entries."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.special import gammainc, gammaln

from fuzzyrand._clusterings.rows import DenseRows
from fuzzyrand._clusterings.treatment import Cut, Largest, Rounded
from fuzzyrand._distributions.dirichlet_fit import (
    fit_by_likelihood,
    fit_symmetric_by_likelihood,
)
from fuzzyrand._distributions.dirichlet_influence import (
    likelihood_influence,
    symmetric_likelihood_influence,
)
from fuzzyrand._distributions.hidden import Hidden, solve
from fuzzyrand._distributions.row_statistics import row_statistics


def some(seed, stretch):
    rng = np.random.default_rng(seed)
    k = int(rng.integers(2, 7))
    above = rng.uniform(0.1, 1.0, k)
    return Hidden((1.0 - above) * rng.uniform(0.01, 0.9 / k), above, stretch), rng.uniform(
        0.1, 5, k
    )


def differences(function, alpha, step=1e-5):
    """Central differences with respect to each concentration."""
    steps = step * np.eye(alpha.size)
    return np.array([(function(alpha + s) - function(alpha - s)) / (2.0 * step) for s in steps])


@given(st.integers(0, 2**32 - 1), st.sampled_from([-1, 1]))
def test_derivatives(seed, stretch):
    hidden, alpha = some(seed, stretch)
    slopes = hidden.slopes(alpha)
    np.testing.assert_allclose(slopes, differences(hidden.values, alpha), atol=1e-7)
    bends = hidden.bends(alpha)
    hessian = np.diag(bends.diagonal) + bends.columns @ bends.core @ bends.columns.T
    np.testing.assert_allclose(hessian, differences(hidden.slopes, alpha), atol=1e-7)


@given(st.integers(0, 2**32 - 1), st.sampled_from([-1, 1]))
def test_changes_with_the_rows(seed, stretch):
    hidden, alpha = some(seed, stretch)
    rng = np.random.default_rng(seed)
    above = np.clip(hidden.above + rng.normal(0.0, 1e-6, alpha.size), 0.0, 1.0)
    other = Hidden(hidden.limits * rng.uniform(1.0 - 1e-6, 1.0, alpha.size), above, stretch)
    change = other.slopes(alpha) - hidden.slopes(alpha)
    np.testing.assert_allclose(hidden.moved(other, alpha), change, atol=1e-10)


@given(st.integers(0, 2**32 - 1))
def test_solving_with_few_columns(seed):
    rng = np.random.default_rng(seed)
    diagonal, columns = rng.uniform(1.0, 2.0, 5), rng.normal(size=(5, 3))
    core, x = rng.normal(size=(3, 3)), rng.normal(size=5)
    matrix = np.diag(diagonal) - columns @ core @ columns.T
    np.testing.assert_allclose(matrix @ solve(diagonal, columns, core, x), x, atol=1e-6)


@pytest.mark.parametrize("alpha", [[0.2, 0.4, 0.3], [1.5, 0.3, 0.8]])
def test_the_likelihood_of_a_row_with_a_hidden_entry(alpha):
    """Compared with integrals over the hidden entry, and over the sum of Gamma variables.

    In the first one, the power K replaces K - 1.
    """
    alpha, (x, y), limit = np.array(alpha), (0.7, 0.3), 0.1
    total, kept = alpha.sum(), alpha[:2].sum()
    constant = (
        gammaln(total) - gammaln(alpha[:2]).sum() + ((alpha[:2] - 1.0) * np.log([x, y])).sum()
    )
    censored = constant + alpha[2] * np.log(limit) - gammaln(alpha[2] + 1.0)
    cut = quad(lambda z: z ** (alpha[2] - 1.0) * (1.0 - z) ** kept, 0.0, limit)[0]
    exact = constant - gammaln(alpha[2]) + np.log(cut)
    stretched = quad(
        lambda s: s ** (kept - 1.0) * np.exp(-s) * gammainc(alpha[2], s * limit), 0.0, 60.0
    )[0]
    own = constant - gammaln(total) + np.log(stretched)
    row = np.array([0.0, 0.0, limit]), np.array([1.0, 1.0, 0.0])
    for stretch, expected in ((-1, exact), (1, own)):
        term = Hidden(*row, stretch).values(alpha)
        assert abs(censored + term - expected) < 0.1 * abs(censored - expected)


@pytest.mark.parametrize("fit", [fit_by_likelihood, fit_symmetric_by_likelihood])
@pytest.mark.parametrize(
    ("treatment", "k", "precision"),
    [
        (Cut(0.05), 10, 3.0),
        (Cut(0.05), 10, 10.0),  # without the term, precisions are twice as large
        (Cut(0.1), 3, 3.0),
        (Rounded(2), 10, 3.0),
        (Rounded(1), 10, 10.0),
        (Largest(8), 50, 3.0),  # without the term, there is no maximum
        (Largest(5), 20, 3.0),
        (Largest(2), 3, 1.0),
    ],
)
def test_treated_rows_have_about_the_precision_of_the_rows(fit, treatment, k, precision):
    rng = np.random.default_rng(0)
    rows = treatment.applied(rng.dirichlet(np.full(k, precision / k), 4000), axis=1)
    found = fit(row_statistics(DenseRows(rows), treatment)).alpha
    assert found.sum() == pytest.approx(precision, rel=0.08)
    np.testing.assert_allclose(found / found.sum(), np.full(k, 1.0 / k), rtol=0.3)


@pytest.mark.parametrize("treatment", [Cut(0.05), Rounded(1), Largest(3)])
@pytest.mark.parametrize("symmetric", [False, True])
def test_influences_of_treated_rows_are_those_of_leaving_them_out(treatment, symmetric):
    rng = np.random.default_rng(1)
    rows = treatment.applied(rng.dirichlet(np.full(6, 0.8), 150), axis=1)
    fit = fit_symmetric_by_likelihood if symmetric else fit_by_likelihood
    influence = symmetric_likelihood_influence if symmetric else likelihood_influence
    slopes = np.full(6, 0.3) if symmetric else rng.normal(size=6)
    alpha = fit(row_statistics(DenseRows(rows), treatment)).alpha
    found = influence(rows, treatment, alpha, slopes)
    left_out = [
        fit(row_statistics(DenseRows(np.delete(rows, i, axis=0)), treatment)).alpha @ slopes
        for i in range(150)
    ]
    expected = 149.0 * (np.mean(left_out) - left_out)
    assert found.mean() == pytest.approx(0.0, abs=1e-9)
    assert np.corrcoef(found, expected)[0, 1] > 0.999
    assert found.std() == pytest.approx(expected.std(), rel=0.03)


@pytest.mark.parametrize("precision", [1e3, 1e8, 1e14])
@pytest.mark.parametrize("fit", [fit_by_likelihood, fit_symmetric_by_likelihood])
def test_rows_that_are_nearly_alike(fit, precision):
    """No warning, and no error of the linear algebra, where the likelihood has few digits."""
    rng = np.random.default_rng(2)
    for k in (3, 6, 20):
        for treatment in (Largest(max(k // 2, 2)), Cut(0.9 / k), Rounded(2)):
            rows = treatment.applied(rng.dirichlet(np.full(k, precision / k), 60), axis=1)
            rows[0] = np.eye(k)[0]
            mean = fit(row_statistics(DenseRows(rows), treatment)).mean()
            assert mean.sum() == pytest.approx(1.0)
