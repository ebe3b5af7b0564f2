"""Continuous laws of agreements: against draws and quadrature."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.integrate import quad
from scipy.stats import beta, kstest

import fuzzyrand as fr
from fuzzyrand._base.effort import Precision
from fuzzyrand._distributions.atoms import Atoms
from fuzzyrand._distributions.continuous import FlatAgreement, TwoClusterAgreement, mean_distance
from fuzzyrand._distributions.row_distributions import Dirichlet
from fuzzyrand.indices.agreements import NormAgreement
from fuzzyrand.models._laws.distance import atoms_of, distance
from fuzzyrand.models._laws.row_pairs import law_of_rows

from .. import brute
from ..examples import examples


@pytest.mark.parametrize("k", [2, 3, 7, 40])
def test_flat_rows_agree_by_a_beta_law(k):
    rng = np.random.default_rng(k)
    a = brute.dirichlet_agreements(rng, np.ones(k), 10**5)
    assert kstest(a, beta(k, k - 1).cdf).pvalue > 1e-4
    law = FlatAgreement(k)
    assert brute.is_mean_of(a, law.mean)
    curve, _ = law.absolute_curve()
    for point in (0.1, 0.5, 0.9):
        assert brute.is_mean_of(np.abs(a - point), float(curve(np.array(point))))


@pytest.mark.parametrize(
    ("a", "b"), [(1.0, 1.0), (0.3, 0.7), (0.01, 0.02), (50.0, 40.0), (1e-3, 5.0), (1e5, 2e5)]
)
def test_two_clusters_by_quadrature(a, b):
    rng = np.random.default_rng(0)
    x, y = rng.beta(a, b, 10**6), rng.beta(a, b, 10**6)
    sample = 1.0 - np.abs(x - y)
    law = TwoClusterAgreement(a, b)
    assert brute.is_mean_of(sample, law.mean)
    for point in np.quantile(sample, [0.2, 0.5, 0.8]):
        assert brute.is_mean_of(
            (sample <= point).astype(float), float(law.cdf(np.array([point]))[0])
        )
        curve, error = law.absolute_curve()
        assert error < 1e-9
        assert brute.is_mean_of(np.abs(sample - point), float(curve(np.array(point))))


@examples(25)
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
    assert brute.is_mean_of(np.abs(uniform[0] - uniform[1]), 1 / 3)
    assert mean_distance(FlatAgreement(3), FlatAgreement(3))[0] == pytest.approx(8 / 35, abs=1e-12)


def _mean_of_curve(law, k):
    curve, density = law.absolute_curve()[0], beta(k, k - 1).pdf
    return quad(lambda t: float(curve(np.array(t))) * density(t), 0, 1, limit=200)[0]


@pytest.mark.parametrize("k", [2, 3, 40])
def test_law_of_flat_rows_is_known(k):
    known = FlatAgreement(k).atoms()
    draws = fr.Budget().law_draws
    drawn = stats.beta(k, k - 1).rvs(draws, random_state=0)
    assert distance(known, Atoms.of_sample(drawn)) < 4.0 / np.sqrt(draws)
    assert known.mean == pytest.approx(k / (2 * k - 1), abs=1e-7)
    law = law_of_rows(Dirichlet(np.ones(k)), NormAgreement())
    assert distance(known, atoms_of(law, Precision())) == 0.0
