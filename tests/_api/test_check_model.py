"""Does a model describe a clustering? Distances of laws, and what is typical of them."""

import json

import numpy as np
import pytest
from scipy import stats

import fuzzyrand as fr
from fuzzyrand._distributions.atoms import Atoms
from fuzzyrand._laws.misfit import distance
from fuzzyrand.indices.agreements import NormAgreement

from .. import brute

TOY = fr.toy_clusterings()


def test_the_distance_of_two_laws():
    rng = np.random.default_rng(10)
    a, b = rng.beta(2, 3, 400), rng.beta(1, 1, 700)
    ours = distance(Atoms.of_sample(a), Atoms.of_sample(b))
    assert ours == pytest.approx(stats.wasserstein_distance(a, b), abs=1e-12)


def test_it_bounds_what_an_expected_ndc_can_change():
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


def test_numbers_and_words():
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


def test_a_picture(tmp_path):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    axes = fr.check_model(TOY["high_fuzzy"], "flat").plot()
    assert "flat" in axes.get_title(loc="left")
    assert fr.plot.laws(fr.check_model(TOY["high_fuzzy"]), axes) is axes
    axes.figure.savefig(tmp_path / "laws.png")
