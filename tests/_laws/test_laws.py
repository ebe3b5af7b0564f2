"""Agreement laws: means, curves and draws against brute-force sampling."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import beta, kstest

import fuzzyrand as fr
from fuzzyrand._base.effort import Effort
from fuzzyrand._distributions import dirichlet_moments as dirichlet
from fuzzyrand._distributions.atoms import Atoms, bracket_of_bins
from fuzzyrand._distributions.continuous import FlatAgreement, TwoClusterAgreement, mean_distance
from fuzzyrand._distributions.mass_table import MassTable
from fuzzyrand._distributions.rows import Dirichlet, dirichlet_columns
from fuzzyrand._laws.laws import RowPairs, law_of_pairs
from fuzzyrand.indices.agreements import NormAgreement

from .. import brute

ALPHAS = [
    (1.0, 1.0, 1.0),
    (5.0, 3.0, 2.0, 9.0),
    (0.1, 0.2, 0.7),
    (0.02, 0.05, 0.01, 0.3),
    (30.0, 2.0),
    (0.3, 0.1),
    tuple(np.linspace(0.1, 0.6, 20)),
    (400.0, 300.0, 500.0),
]


def is_mean_of(sample, exact, errors=4.0):
    """Is a number the mean that a sample was drawn with, within some standard errors?"""
    stderr = sample.std() / np.sqrt(sample.size)
    return abs(sample.mean() - exact) <= errors * stderr + 1e-12


@pytest.mark.parametrize("alpha", ALPHAS)
def test_mean_agreement_and_distance(alpha):
    rng = np.random.default_rng(len(alpha))
    x, y = (brute.dirichlet_rows(rng, alpha, 10**6) for _ in range(2))
    assert is_mean_of(brute.row_agreements(x, y), dirichlet.mean_l1_agreement(np.array(alpha)))
    assert is_mean_of(((x - y) ** 2).sum(axis=1), dirichlet.mean_square_distance(np.array(alpha)))


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


@pytest.mark.parametrize("k", [2, 3, 7, 40])
def test_flat_rows_agree_by_a_beta_law(k):
    rng = np.random.default_rng(k)
    a = brute.dirichlet_agreements(rng, np.ones(k), 10**5)
    assert kstest(a, beta(k, k - 1).cdf).pvalue > 1e-4
    law = FlatAgreement(k)
    assert is_mean_of(a, law.mean)
    curve, _ = law.absolute_curve()
    for point in (0.1, 0.5, 0.9):
        assert is_mean_of(np.abs(a - point), float(curve(np.array(point))))


@pytest.mark.parametrize(
    ("a", "b"), [(1.0, 1.0), (0.3, 0.7), (0.01, 0.02), (50.0, 40.0), (1e-3, 5.0), (1e5, 2e5)]
)
def test_two_clusters_by_quadrature(a, b):
    rng = np.random.default_rng(0)
    x, y = rng.beta(a, b, 10**6), rng.beta(a, b, 10**6)
    sample = 1.0 - np.abs(x - y)
    law = TwoClusterAgreement(a, b)
    assert is_mean_of(sample, law.mean)
    for point in np.quantile(sample, [0.2, 0.5, 0.8]):
        assert is_mean_of((sample <= point).astype(float), float(law.cdf(np.array([point]))[0]))
        curve, error = law.absolute_curve()
        assert error < 1e-9
        assert is_mean_of(np.abs(sample - point), float(curve(np.array(point))))


@given(st.floats(-4, 6), st.floats(-4, 6), st.booleans())
def test_two_clusters_of_any_concentrations(log_a, log_b, near_one):
    a, b = 10**log_a, 10**log_b
    law = TwoClusterAgreement(1.0 + 0.01 * log_a if near_one else a, b)
    value, error = mean_distance(law, FlatAgreement(3))
    assert error < 1e-9  # the error is that of the mean, which is known
    curve, error = law.absolute_curve()
    assert error < 1e-9
    nodes = (np.arange(20_000) + 0.5) / 20_000
    by_midpoints = (curve(nodes) * beta(3, 2).pdf(nodes)).mean()
    assert value == pytest.approx(by_midpoints, abs=1e-7)


def test_distance_of_two_continuous_laws():
    laws = [FlatAgreement(2), FlatAgreement(3), FlatAgreement(60), TwoClusterAgreement(0.3, 0.7)]
    laws.append(TwoClusterAgreement(0.01, 0.01))
    rng = np.random.default_rng(0)
    for one in laws:
        for two in laws:
            value, error = mean_distance(one, two)
            assert error < 1e-9
            # The same number as the mean of one law's curve, by SciPy's adaptive quadrature.
            if isinstance(two, FlatAgreement):
                assert value == pytest.approx(_mean_of_curve(one, two.k), abs=1e-7)
    uniform = rng.random((2, 10**6))
    assert is_mean_of(np.abs(uniform[0] - uniform[1]), 1 / 3)
    assert mean_distance(FlatAgreement(3), FlatAgreement(3))[0] == pytest.approx(8 / 35, abs=1e-12)


def _mean_of_curve(law, k):
    curve, density = law.absolute_curve()[0], beta(k, k - 1).pdf
    return quad(lambda t: float(curve(np.array(t))) * density(t), 0, 1, limit=200)[0]


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("p", [1.0, 2.0, np.inf])
def test_draws_of_a_dirichlet_law(alpha, p):
    law = RowPairs(Dirichlet(np.array(alpha)), NormAgreement(p))
    drawn = np.concatenate([law.draw(Effort(), 1, batch) for batch in range(40)], axis=1)
    agreements, squares = drawn.mean(axis=2)  # blocks are independent
    if law.mean is not None:
        assert is_mean_of(agreements, law.mean.value)
    assert is_mean_of(squares, law.control)
    rng = np.random.default_rng(1)
    plain = brute.dirichlet_agreements(rng, alpha, 10**5, p)
    gap = abs(agreements.mean() - plain.mean())
    stderr = np.hypot(agreements.std() / np.sqrt(agreements.size), plain.std() / np.sqrt(10**5))
    assert gap < 4 * stderr


def test_rows_of_tiny_concentration_do_not_underflow():
    alpha = np.full(128, 1e-4)
    rows = dirichlet_columns(np.random.default_rng(0), alpha, 2000)
    assert np.isfinite(rows).all()
    assert rows.sum(axis=0) == pytest.approx(np.ones(2000))
    chosen = np.bincount(rows.argmax(axis=0), minlength=128)
    assert chosen.max() < 50  # 2000/128 expected; no cluster is favoured


@pytest.mark.parametrize("k", [3, 6])
def test_mean_of_observed_pairs_is_exact(k):
    x = brute.dirichlet_rows(np.random.default_rng(k), np.full(k, 0.4), 40)
    law = law_of_pairs(fr.as_partition(x), NormAgreement(), Effort())
    assert law.mean.value == pytest.approx(brute.agreements(x).mean(), abs=1e-14)


@pytest.mark.parametrize("power", [1.0, 1.5, 2.0, 3.0])
def test_curves_of_atoms_and_tables(power):
    rng = np.random.default_rng(0)
    values = rng.beta(0.5, 0.7, 500)
    points = rng.random(200)
    exact = (np.abs(points[:, None] - values[None, :]) ** power).mean(axis=1)
    curve, error = Atoms.of_sample(values).curve(power)
    assert curve(points) == pytest.approx(exact, abs=error + 1e-13)
    assert error == 0.0 if power in (1.0, 2.0) else 0.0 < error < 1e-6
    table = MassTable.of(values, 0.0, 1.0)
    read = table.interpolate(table.curve_table(power), points)
    assert read == pytest.approx(exact, abs=table.error(power) + 1e-12)


def test_bins_bracket_every_convex_mean():
    rng = np.random.default_rng(0)
    values = rng.beta(0.3, 0.4, 5000)
    edges = np.unique(np.concatenate([[0.0, 1.0], rng.random(30)]))
    counts = np.histogram(values, edges)[0].astype(float)
    sums = np.histogram(values, edges, weights=values)[0]
    bracket = bracket_of_bins(edges, counts, sums)
    assert bracket.inner.mean == pytest.approx(values.mean())
    assert bracket.outer.mean == pytest.approx(values.mean())
    for point in np.linspace(0, 1, 21):
        for power in (1.0, 2.0, 3.0):
            exact = (np.abs(values - point) ** power).mean()
            low = bracket.inner.expect(lambda a, c=point, q=power: np.abs(a - c) ** q)
            high = bracket.outer.expect(lambda a, c=point, q=power: np.abs(a - c) ** q)
            assert low - 1e-12 <= exact <= high + 1e-12
