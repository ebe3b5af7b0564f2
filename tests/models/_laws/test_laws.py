"""Agreement laws: means and draws against brute-force sampling."""

import numpy as np
import pytest

import fuzzyrand as fr
from fuzzyrand._base.effort import Precision
from fuzzyrand._distributions.row_distributions import Dirichlet
from fuzzyrand.indices.agreements import NormAgreement
from fuzzyrand.models._laws.distance import atoms_of
from fuzzyrand.models._laws.observed_pairs import law_of_pairs
from fuzzyrand.models._laws.row_pairs import RowPairs

from ... import brute
from ...clusterings import ALPHAS


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("p", [1.0, 2.0, np.inf])
def test_draws_of_a_dirichlet_law(alpha, p):
    law = RowPairs(Dirichlet(np.array(alpha)), NormAgreement(p))
    drawn = np.concatenate([law.draw(Precision(), 1, batch) for batch in range(40)], axis=1)
    agreements, squares = drawn.mean(axis=2)  # blocks are independent
    if law.mean is not None:
        assert brute.is_mean_of(agreements, law.mean.value)
    assert brute.is_mean_of(squares, law.control)
    rng = np.random.default_rng(1)
    plain = brute.dirichlet_agreements(rng, alpha, 10**5, p)
    gap = abs(agreements.mean() - plain.mean())
    stderr = np.hypot(agreements.std() / np.sqrt(agreements.size), plain.std() / np.sqrt(10**5))
    assert gap < 4 * stderr


@pytest.mark.parametrize("k", [3, 6])
def test_mean_of_observed_pairs_is_exact(k):
    x = brute.dirichlet_rows(np.random.default_rng(k), np.full(k, 0.4), 40)
    law = law_of_pairs(fr.as_partition(x), NormAgreement(), Precision())
    assert law.mean.value == pytest.approx(brute.agreements(x).mean(), abs=1e-14)


def test_huge_rows_come_in_small_batches(peak):
    law = RowPairs(Dirichlet(np.ones(40_000)), fr.NDC(2).agreement)
    atoms_of(law, Precision(n_threads=1))
    assert peak() < 600


def test_small_batches_give_the_same(monkeypatch):
    rng = np.random.default_rng(0)
    soft, other = rng.dirichlet([1, 2, 3], 60), rng.dirichlet([3, 2, 1], 60)
    usual = fr.compare(soft, other, model="fit")
    monkeypatch.setattr(RowPairs, "ENTRIES_A_BATCH", 1)
    small = fr.compare(soft, other, model="fit")
    assert small.converged
    assert small.adjusted != usual.adjusted
    assert abs(small.adjusted - usual.adjusted) < 4.0 * np.hypot(small.stderr, usual.stderr)
