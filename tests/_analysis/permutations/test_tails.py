"""Tails of Pearson's type III law."""

import numpy as np
import pytest
from scipy import stats

from fuzzyrand._analysis.permutations.tails import pearson3_tail


@pytest.mark.parametrize("skewness", [-3.0, -0.8, -0.01, 0.0, 1e-3, 0.3, 1.0, 4.0])
def test_tails_are_those_of_scipy(skewness):
    z = np.linspace(-5.0, 9.0, 57)
    assert pearson3_tail(z, skewness) == pytest.approx(
        stats.pearson3.sf(z, skewness), rel=1e-7, abs=1e-13
    )


def test_tails_of_a_gamma_law():
    # A Gamma variable of shape 4 has mean 4, variance 4 and skewness 1.
    g = np.array([0.0, 1.0, 4.0, 20.0])
    assert pearson3_tail((g - 4.0) / 2.0, 1.0) == pytest.approx(stats.gamma.sf(g, 4.0), rel=1e-12)
    assert pearson3_tail((4.0 - g) / 2.0, -1.0) == pytest.approx(stats.gamma.cdf(g, 4.0), rel=1e-12)


def test_tails_beyond_the_end_of_the_law():
    assert pearson3_tail(-2.0 - 1e-9, 1.0) == 1.0
    assert pearson3_tail(2.0 + 1e-9, -1.0) == 0.0


@pytest.mark.parametrize("z", [-2.0, 0.0, 3.0, 6.0])
def test_a_small_skewness_leads_to_the_normal_law(z):
    assert pearson3_tail(z, 0.0) == pytest.approx(stats.norm.sf(z), rel=1e-14)
    slope = (z**2 - 1.0) / 6.0 * stats.norm.pdf(z)  # of the tail, by Edgeworth
    for skewness in (-1e-5, -1e-7, 1e-7, 1e-5):
        change = float(pearson3_tail(z, skewness)) - stats.norm.sf(z)
        assert change == pytest.approx(slope * skewness, rel=1e-2, abs=1e-15)


@pytest.mark.parametrize("skewness", [-3e-3, 3e-3])
def test_the_tail_is_continuous_where_the_expansion_begins(skewness):
    z = np.array([-300.0, -6.0, -1.0, 0.0, 2.0, 6.0, 300.0])
    near, far = pearson3_tail(z, 0.999999 * skewness), pearson3_tail(z, 1.000001 * skewness)
    assert near == pytest.approx(far, rel=1e-6)
