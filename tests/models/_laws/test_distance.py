"""Distances of laws, and what they bound."""

import numpy as np
import pytest
from scipy import stats

import fuzzyrand as fr
from fuzzyrand._distributions.atoms import Atoms
from fuzzyrand._pairs.all_pairs import kept_agreements
from fuzzyrand.indices import INDICES
from fuzzyrand.models._laws.distance import CellGrid, distance


def test_the_distance_of_two_laws():
    rng = np.random.default_rng(10)
    a, b = rng.beta(2, 3, 400), rng.beta(1, 1, 700)
    ours = distance(Atoms.of_sample(a), Atoms.of_sample(b))
    assert ours == pytest.approx(stats.wasserstein_distance(a, b), abs=1e-12)
    ties = np.round(a, 1)
    assert distance(Atoms.of_sample(ties), Atoms.of_sample(ties)) == 0.0


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


@pytest.mark.parametrize("seed", range(5))
def test_pairs_are_sorted_into_cells_by_the_compiled_loop_as_by_numpy(seed):
    rng = np.random.default_rng(seed)
    partition = fr.as_partition(rng.dirichlet(np.full(4, 0.5), 300))
    agreement = INDICES["ndc"].agreement
    kept = kept_agreements(partition, agreement, np.inf)
    grid = CellGrid.over(Atoms.of_sample(kept[:50]))
    compiled, by_numpy = grid.masses_of_pairs(partition, agreement), grid.masses_of_sample(kept)
    assert compiled.sum() == pytest.approx(1.0, abs=1e-12)
    # An agreement on the edge of a cell may fall on either side of it.
    assert np.abs(np.cumsum(compiled - by_numpy)).max() <= 2.0 / kept.size + 1e-12
