"""Distances of laws, and what they bound."""

import numpy as np
import pytest
from scipy import stats

import fuzzyrand as fr
from fuzzyrand._distributions.atoms import Atoms
from fuzzyrand._laws.misfit import distance


def test_the_distance_of_two_laws():
    rng = np.random.default_rng(10)
    a, b = rng.beta(2, 3, 400), rng.beta(1, 1, 700)
    ours = distance(Atoms.of_sample(a), Atoms.of_sample(b))
    assert ours == pytest.approx(stats.wasserstein_distance(a, b), abs=1e-12)


@pytest.mark.slow
def test_a_misfit_bounds_what_an_expected_ndc_can_change():
    rng = np.random.default_rng(11)
    u, v = rng.dirichlet([0.5] * 3, 80), rng.dirichlet([1.0, 2.0, 0.5], 80)
    table = fr.compare(u, v, model="every", fixed="first")
    for c in table:
        gap = abs(c.expected - table["perm"].expected)
        assert gap <= c.misfit[1] + 4 * c.computed["expected_stderr"] + 0.005
        assert c.misfit[0] is None
        assert fr.check_model(v, c.model).distance == pytest.approx(c.misfit[1], abs=1e-12)
    assert table["perm"].misfit == (None, 0.0)
    assert "misfit" in str(table)
