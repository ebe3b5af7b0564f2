"""Moments of Dirichlet rows: against draws, quadrature and limits."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import dblquad

from fuzzyrand._distributions import dirichlet_moments as dirichlet
from fuzzyrand._distributions.row_distributions import Dirichlet
from fuzzyrand.indices.agreements import CosineAgreement

from .. import brute
from ..clusterings import ALPHAS


@pytest.mark.parametrize("alpha", ALPHAS)
def test_moments_of_two_dirichlet_rows(alpha):
    rng = np.random.default_rng(len(alpha))
    x, y = (Dirichlet(np.array(alpha)).sample(rng, 10**6) for _ in range(2))
    dots = (x * y).sum(axis=1)
    mean, square = dirichlet.dot_moments(np.array(alpha))
    assert brute.is_mean_of(dots, mean)
    assert brute.is_mean_of(dots**2, square)
    cosine = CosineAgreement().row_mean(Dirichlet(np.array(alpha)))
    assert cosine.error < 1e-11
    assert brute.is_mean_of(brute.ROW_AGREEMENTS["cosine"](x, y), cosine.value)


def test_check_values_of_the_dot_product():
    mean, square = dirichlet.dot_moments(np.array([5.0, 3.0, 2.0, 9.0]))
    assert mean == pytest.approx(0.32963988919667586, abs=1e-15)
    assert square == pytest.approx(0.11120498614958448, abs=1e-15)


def test_mean_direction_by_quadrature_over_the_simplex():
    def share(y, x):
        return 2.0 * x / np.sqrt(x**2 + y**2 + (1.0 - x - y) ** 2)

    exact, _ = dblquad(share, 0, 1, 0, lambda x: 1.0 - x, epsabs=1e-12)
    direction, error = dirichlet.mean_direction(np.ones(3))
    assert direction == pytest.approx(np.full(3, exact), abs=1e-11)
    assert error < 1e-12


def test_mean_direction_of_nearly_hard_rows():
    for precision in (1e-12, 1e-9, 1e-7, 1.01e-7, 1e-6, 1e-4):
        direction, error = dirichlet.mean_direction(precision * np.array([0.25, 0.75]))
        # To first order in the precision, by the same integral at a precision it can resolve.
        slope = (dirichlet.mean_direction(np.array([0.25e-4, 0.75e-4]))[0] - [0.25, 0.75]) / 1e-4
        exact = np.array([0.25, 0.75]) + slope * precision
        assert np.abs(direction - exact).max() < error + precision**2


@given(st.floats(-6, 6), st.floats(-6, 6))
def test_mean_direction_of_two_clusters(log_a, log_b):
    """Against a Beta integral over the log-odds, on a grid fine and wide enough for both."""
    a, b = 10**log_a, 10**log_b
    width = 1.0 / np.sqrt(max(a * b / (a + b), 1e-12)) if min(a, b) > 1.0 else 1.0
    left, right = 40.0 / min(a, 1.0), 40.0 / min(b, 1.0)
    s = np.linspace(-np.arcsinh(left / width), np.arcsinh(right / width), 200_001)
    odds = np.log(a / b) + width * np.sinh(s)
    logs = -a * np.logaddexp(0.0, -odds) - b * np.logaddexp(0.0, odds) + np.log(np.cosh(s))
    weights = np.exp(logs - logs.max())
    weights /= weights.sum()
    x, y = np.exp(-np.logaddexp(0.0, -odds)), np.exp(-np.logaddexp(0.0, odds))
    exact = [weights @ (x / np.hypot(x, y)), weights @ (y / np.hypot(x, y))]
    direction, error = dirichlet.mean_direction(np.array([a, b]))
    assert direction == pytest.approx(exact, abs=1e-9)
    assert error < 1e-9


@pytest.mark.parametrize("alpha", ALPHAS)
def test_mean_agreement_and_distance(alpha):
    rng = np.random.default_rng(len(alpha))
    x, y = (brute.dirichlet_rows(rng, alpha, 10**6) for _ in range(2))
    assert brute.is_mean_of(
        brute.row_agreements(x, y), dirichlet.mean_l1_agreement(np.array(alpha))
    )
    assert brute.is_mean_of(
        ((x - y) ** 2).sum(axis=1), dirichlet.mean_square_distance(np.array(alpha))
    )


def test_mean_agreement_in_the_limits():
    p = np.array([0.5, 0.3, 0.2])
    categorical = (p**2).sum()
    assert dirichlet.mean_l1_agreement(1e-9 * p) == pytest.approx(categorical, abs=1e-8)
    # Large precision: normal coordinates, whose mean difference is 2 sd / sqrt(pi).
    huge = 1e13 * p
    spread = np.sqrt(p * (1 - p) / huge.sum())
    apart = 1.0 - dirichlet.mean_l1_agreement(huge)
    assert apart == pytest.approx(spread.sum() / np.sqrt(np.pi), rel=1e-2)
    assert dirichlet.mean_l1_agreement(np.ones(3)) == pytest.approx(0.6, abs=1e-15)


def test_gamma_half_step_is_smooth_where_its_two_forms_meet():
    x = np.array([99.999999, 100.0, 100.000001])
    steps = dirichlet.gamma_half_step(x)
    assert np.diff(steps) == pytest.approx([5e-8, 5e-8], rel=2e-3)
    # Gamma(x + 1) / Gamma(x) = x is two half steps.
    for v in (1e-8, 0.3, 7.0, 99.7, 1e3, 1e9):
        two = dirichlet.gamma_half_step(np.array(v)) * dirichlet.gamma_half_step(np.array(v + 0.5))
        assert float(two) == pytest.approx(v, rel=1e-13)
