"""Does a model describe a clustering? Distances, and what is typical of them."""

import json

import numpy as np
import pytest
from scipy import stats

import fuzzyrand as fr
from fuzzyrand._api import check_model as check
from fuzzyrand.indices.agreements import NormAgreement

from .. import brute
from ..clusterings import many_labels

TOY = fr.toy_clusterings()


def test_a_check_has_numbers_and_words():
    check = fr.check_model(TOY["high_fuzzy"], "flat")
    assert check.mean == pytest.approx(brute.agreements(TOY["high_fuzzy"]).mean())
    assert check.model_mean == pytest.approx(0.6)
    assert check.model_quantiles == pytest.approx(stats.beta(3, 2).ppf(check.levels), abs=0.01)
    assert json.loads(json.dumps(check.to_dict()))["suits"] is False
    assert "flat for a clustering of 9 points" in str(check)
    assert "<table>" in check._repr_html_()
    assert fr.check_model(TOY["even_hard"], "num").typical is None
    same = fr.check_model(TOY["high_fuzzy"], "perm")
    assert same.distance == 0.0
    assert "just as in this clustering" in str(same)


@pytest.mark.slow
def test_clusterings_drawn_from_a_model_suit_it():
    rng = np.random.default_rng(12)
    suits = [
        fr.check_model(rng.dirichlet([1, 1, 1], 40), "flat", random_state=seed).suits
        for seed in range(15)
    ]
    assert 0.7 <= np.mean(suits) <= 1.0


def test_ties_are_not_decided_by_rounding():
    """Ten clusters of one point: a pair agrees in 1 of 10 drawn ones, or in none."""
    check = fr.check_model(list(range(10)), "cat")
    assert check.distance == pytest.approx(check.typical[1], abs=1e-12)
    assert check.suits


def test_many_points_suit_the_model_they_come_from():
    model = fr.Custom(stats.dirichlet([2, 1, 1]))
    found = [
        fr.check_model(np.random.default_rng(seed).dirichlet([2, 1, 1], 100_000), model)
        for seed in range(2)
    ]
    assert any(check.suits for check in found)
    exact = fr.as_partition(np.random.default_rng(0).dirichlet([2, 1, 1], 100_000))
    assert found[0].mean == NormAgreement().pair_mean(exact)


def test_possibilistic_rows():
    loose = np.random.default_rng(1).random((20, 3)) * 0.9
    assert fr.check_model(loose, "empirical", possibilistic=True).suits


def test_a_check_can_be_drawn(tmp_path):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    axes = fr.check_model(TOY["high_fuzzy"], "flat").plot()
    assert "flat" in axes.get_title(loc="left")
    assert fr.plot.laws(fr.check_model(TOY["high_fuzzy"]), axes) is axes
    axes.figure.savefig(tmp_path / "laws.png")


@pytest.mark.parametrize(("model", "clusters", "most"), [("fit", 30_000, 10), ("flat", 15_000, 60)])
def test_checking_many_clusters_is_cheap(peak, model, clusters, most):
    found = fr.check_model(many_labels(2 * clusters, clusters), model)
    assert found.suits is False
    assert peak() < most


@pytest.mark.parametrize("model", ["fit", "flat"])
def test_fewer_drawn_clusterings_tell_the_same(monkeypatch, model):
    soft = np.random.default_rng(0).dirichlet([1, 2, 3, 2], 300)
    usual = fr.check_model(soft, model).typical
    monkeypatch.setattr(check, "ENTRIES", 1)
    for few, enough in zip(fr.check_model(soft, model).typical, usual, strict=True):
        assert 0.5 < few / enough < 2.0


def test_small_agreements_are_judged_by_their_size():
    """0.00002 against 0.000025 is no small difference."""
    labels = many_labels(60_000, 30_000)
    found = fr.check_model(labels, "cat")
    assert found.distance < check.NEGLIGIBLE
    assert found.suits is False
    assert "(3.3e-05 against 5e-05)" in found.sentence
    perm = fr.check_model(labels, "perm")
    assert (perm.suits, perm.distance) == (True, 0.0)
    assert perm.sentence == "Under the model, pairs agree just as in this clustering."
