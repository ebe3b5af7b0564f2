"""Clusterings of very many clusters: neither time nor memory may grow with rows of so many."""

import tracemalloc

import numpy as np
import pytest
from scipy import stats

import fuzzyrand as fr
from fuzzyrand._api import check_model as check
from fuzzyrand._base.effort import Effort
from fuzzyrand._distributions.atoms import Atoms
from fuzzyrand._distributions.continuous import FlatAgreement
from fuzzyrand._distributions.rows import Categorical, Dirichlet, dirichlet_columns
from fuzzyrand._laws.laws import RowPairs, law_of_rows
from fuzzyrand._laws.misfit import DRAWS, atoms_of, distance
from fuzzyrand.indices.agreements import NormAgreement

MEGABYTE = 1 << 20


def many(points, clusters, seed=0):
    return np.random.default_rng(seed).integers(clusters, size=points)


@pytest.fixture
def peak():
    """The most memory in use, in megabytes, since the test began."""
    tracemalloc.start()
    yield lambda: tracemalloc.get_traced_memory()[1] / MEGABYTE
    tracemalloc.stop()


def test_every_model_of_many_clusters_is_cheap(peak):
    table = fr.compare(many(60_000, 30_000), many(60_000, 30_000, 1), model="every")
    assert table["flat"].misfit == pytest.approx((0.5, 0.5), abs=1e-3)
    assert peak() < 100  # 400 for one of the many arrays of 1,024 rows


@pytest.mark.parametrize(("model", "clusters", "most"), [("fit", 30_000, 10), ("flat", 15_000, 60)])
def test_checking_many_clusters_is_cheap(peak, model, clusters, most):
    found = fr.check_model(many(2 * clusters, clusters), model)
    assert found.suits is False
    assert peak() < most


def test_huge_rows_come_in_small_batches(peak):
    law = RowPairs(Dirichlet(np.ones(40_000)), fr.NDC(2).agreement)
    atoms_of(law, Effort(threads=1))
    assert peak() < 600


@pytest.mark.parametrize("k", [2, 3, 40])
def test_law_of_flat_rows_is_known(k):
    known = FlatAgreement(k).atoms()
    drawn = stats.beta(k, k - 1).rvs(DRAWS, random_state=0)
    assert distance(known, Atoms.of_sample(drawn)) < 4.0 / np.sqrt(DRAWS)
    assert known.mean == pytest.approx(k / (2 * k - 1), abs=1e-7)
    law = law_of_rows(Dirichlet(np.ones(k)), NormAgreement())
    assert distance(known, atoms_of(law, Effort())) == 0.0


def test_small_batches_give_the_same(monkeypatch):
    rng = np.random.default_rng(0)
    soft, other = rng.dirichlet([1, 2, 3], 60), rng.dirichlet([3, 2, 1], 60)
    usual = fr.compare(soft, other, model="fit")
    monkeypatch.setattr(RowPairs, "ENTRIES_A_BATCH", 1)
    small = fr.compare(soft, other, model="fit")
    assert small.converged
    assert small.adjusted != usual.adjusted
    assert abs(small.adjusted - usual.adjusted) < 4.0 * np.hypot(small.stderr, usual.stderr)


@pytest.mark.parametrize("model", ["fit", "flat"])
def test_fewer_drawn_clusterings_tell_the_same(monkeypatch, model):
    soft = np.random.default_rng(0).dirichlet([1, 2, 3, 2], 300)
    usual = fr.check_model(soft, model).typical
    monkeypatch.setattr(check, "ENTRIES", 1)
    for few, enough in zip(fr.check_model(soft, model).typical, usual, strict=True):
        assert 0.5 < few / enough < 2.0


def test_draws_are_what_they_were():
    """Of labels those of one-hot rows, and of all clusters at once those of one after another."""
    rows = Categorical(np.array([0.5, 0.2, 0.3]))
    one, two = (np.random.default_rng(0) for _ in range(2))
    assert (rows.codes(one, 50) == rows.sample(two, 50).argmax(axis=1)).all()
    alpha = np.array([1.0, 2.5, 4.0])
    apart = np.stack([one.standard_gamma(a, 50) for a in alpha])
    np.testing.assert_array_equal(dirichlet_columns(two, alpha, 50), apart / apart.sum(axis=0))


def test_small_agreements_are_judged_by_their_size():
    """0.00002 against 0.000025 is no small difference."""
    labels = many(60_000, 30_000)
    found = fr.check_model(labels, "cat")
    assert found.distance < check.NEGLIGIBLE
    assert found.suits is False
    assert "(3.3e-05 against 5e-05)" in found.sentence
    perm = fr.check_model(labels, "perm")
    assert (perm.suits, perm.distance) == (True, 0.0)
    assert perm.sentence == "Under the model, pairs agree just as in this clustering."
