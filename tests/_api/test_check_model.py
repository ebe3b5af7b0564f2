"""Does a model describe a clustering? Distances, and what is typical of them."""

import json

import numpy as np
import pytest
from scipy import stats

import fuzzyrand as fr
from fuzzyrand._analysis import typical
from fuzzyrand._base.decimals import decimals
from fuzzyrand._base.effort import Precision
from fuzzyrand.indices import as_index
from fuzzyrand.indices.agreements import NormAgreement
from fuzzyrand.models import as_model, set_partitions
from fuzzyrand.models._laws.distance import atoms_of
from fuzzyrand.models._laws.side import prepare_sides
from fuzzyrand.models.registry import MODELS
from fuzzyrand.results.model_check import NEGLIGIBLE

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
    same = fr.check_model(TOY["high_fuzzy"], "perm")
    assert same.distance == 0.0
    assert (same.typical, same.pvalue, same.suits) == (None, None, True)
    assert "The misfit is negligible: the model describes this clustering." in str(same)


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
    assert found[0].mean == NormAgreement().pair_mean(exact).value


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


@pytest.mark.parametrize(
    ("model", "clusters", "most", "suits"),
    [("fit", 30_000, 10, True), ("sym", 30_000, 15, False), ("flat", 15_000, 60, False)],
)
def test_checking_many_clusters_is_cheap(peak, model, clusters, most, suits):
    found = fr.check_model(many_labels(2 * clusters, clusters), model)
    assert found.suits is suits
    assert peak() < most


@pytest.mark.parametrize("model", ["fit", "flat"])
def test_a_part_of_many_points_is_compared_and_it_is_said(model):
    soft = np.random.default_rng(0).dirichlet([1, 1, 1, 1], 320)
    usual = fr.check_model(soft, model)
    assert usual.points == 320
    assert "random points" not in usual.sentence
    part = fr.check_model(soft, model, effort=fr.Effort(budget=fr.Budget(check_entries=1)))
    assert part.points == typical.FEWEST_POINTS == 20
    assert f"{decimals(part.points_distance)} for 20 random points" in part.sentence
    assert part.distance == usual.distance
    # 16 times fewer points lie four times as far from the model.
    for few, all_points in zip(part.typical, usual.typical, strict=True):
        assert 2.0 < few / all_points < 8.0


def test_small_agreements_are_judged_by_their_size():
    """0.00002 against 0.000025 is no small difference."""
    labels = many_labels(60_000, 30_000)
    found = fr.check_model(labels, "sym")
    assert found.distance < NEGLIGIBLE
    assert found.suits is False
    assert "is 3.3e-05 here and 3.9e-05 under the model." in found.sentence
    perm = fr.check_model(labels, "perm")
    assert (perm.suits, perm.distance) == (True, 0.0)
    assert perm.sentence == "The misfit is negligible: the model describes this clustering."


# --- what is typical of a model ------------------------------------------------------------------


def _rows_of(model):
    """What the model draws, fitted to a clustering of two kinds of rows."""
    rng = np.random.default_rng(3)
    rows = rng.dirichlet([1.5, 1.0, 0.6], 300)
    if model in ("mixture", "kernel"):
        rows[:100] = rng.dirichlet([9.0, 9.0, 9.0], 100)
    if model == "mixed":
        rows[:100] = np.eye(3)[rng.integers(3, size=100)]
    return MODELS[model].rows(fr.as_partition(rows), Precision()).sample


def _moments(memberships):
    """A user's own fit, by the moments of the first cluster."""
    mean, variance = memberships.mean(axis=0), memberships[:, 0].var()
    return stats.dirichlet(mean * max(mean[0] * (1.0 - mean[0]) / variance - 1.0, 0.1))


PRIOR = stats.dirichlet([2.0, 1.0, 1.0])

#: What draws clusterings of n points, a model that describes them, n, and how many are drawn.
DRAWN = {
    "fit": (_rows_of("fit"), "fit", 60, 32),
    "sym": (lambda rng, n: rng.dirichlet(np.full(4, 0.5), n), "sym", 60, 32),
    "flat": (lambda rng, n: rng.dirichlet(np.ones(4), n), "flat", 60, 32),
    "generalised": (_rows_of("generalised"), "generalised", 60, 32),
    "mixed": (_rows_of("mixed"), "mixed", 60, 32),
    "mixture": (_rows_of("mixture"), "mixture", 60, 4),
    "kernel": (_rows_of("kernel"), "kernel", 60, 10),
    "custom": (lambda rng, n: PRIOR.rvs(n, random_state=rng), fr.Custom(PRIOR), 60, 32),
    "own fit": (lambda rng, n: PRIOR.rvs(n, random_state=rng), fr.Custom(_moments), 60, 32),
    "hard sym": (lambda rng, n: _declared(rng.integers(4, size=n), 4), "sym", 300, 150),
    "num": (lambda rng, n: _labels(set_partitions.random_sizes(rng, n, 4)), "num", 100, 150),
    "all": (
        lambda rng, n: _labels(set_partitions.random_sizes_of_any_number(rng, n)),
        "all",
        80,
        300,
    ),
}


def _declared(labels, clusters):
    return fr.Partition.from_labels(labels, clusters=clusters)


def _labels(sizes):
    return np.repeat(np.arange(sizes.size), sizes)


def _pvalue(clustering, model, seed):
    """The p-value of check_model; 19 draws have the same level as 99."""
    effort = Precision(seed=seed)
    (side,) = prepare_sides([fr.as_partition(clustering)], as_index("ndc"), effort)
    chosen = as_model(model)
    law = side.law(chosen)
    laws = (atoms_of(side.pairs_law, effort), atoms_of(law, effort, 1 << 13))
    found = typical.typical_distances(side, chosen, law, laws, repeats=19)
    assert found.draws == 19
    return found.pvalue


@pytest.mark.parametrize("n", [2, 3, 8, 21])
def test_agreements_of_all_pairs_are_compared(n, monkeypatch):
    rows = np.random.default_rng(n).dirichlet(np.ones(3), n)
    monkeypatch.setattr(typical, "AT_ONCE", 3 * n)  # so that there are several calls
    found = typical._all_agreements(np.ascontiguousarray(rows.T), NormAgreement())
    np.testing.assert_allclose(np.sort(found), np.sort(brute.agreements(rows)), rtol=1e-12)


@pytest.mark.simulation
def test_one_clustering_in_twenty_does_not_suit_its_own_model():
    """The level, for each model and for all of them together."""
    alarms, total = 0, 0
    for case, (draw, model, n, repeats) in DRAWN.items():
        pvalues = [
            _pvalue(draw(np.random.default_rng([seed, n]), n), model, seed)
            for seed in range(repeats)
        ]
        found = sum(p <= 0.05 for p in pvalues)
        # In one of 1,000 cases a binomial variable is larger.
        assert found <= stats.binom.ppf(0.999, repeats, 0.05), case
        if n == 60:  # the fuzzy ones
            alarms, total = alarms + found, total + repeats
    low, high = stats.binom.ppf([0.001, 0.999], total, 0.05)
    assert low <= alarms <= high


def _blurred_and_more_blurred(rng, n):
    """Two components that overlap so much that BIC mostly takes them for one."""
    blurred, more = rng.dirichlet([2.0, 2.0, 2.0], n), rng.dirichlet([6.0, 6.0, 6.0], n)
    return np.where(rng.random(n)[:, None] < 0.5, blurred, more)


@pytest.mark.simulation
def test_a_mixture_suits_where_components_are_left_out():
    draws = [_blurred_and_more_blurred(np.random.default_rng([s, 150]), 150) for s in range(16)]
    pvalues = [_pvalue(soft, "mixture", seed) for seed, soft in enumerate(draws)]
    # In one of 100 cases a binomial variable is larger. With the chosen number it was 6 of 16.
    assert sum(p <= 0.05 for p in pvalues) <= stats.binom.ppf(0.99, 16, 0.05)


def test_a_mixture_of_a_chosen_number_of_components_is_checked_with_one_more():
    few = fr.Effort(budget=fr.Budget(slow_check_redraws=3))
    soft = _blurred_and_more_blurred(np.random.default_rng(0), 40)
    chosen = fr.check_model(soft, "mixture", effort=few)
    components = len(chosen.law.get("weights", [1]))
    assert chosen.drawn_from == f"mixture(components={components + 1})"
    assert f" from {chosen.drawn_from}; " in chosen.sentence
    given = fr.check_model(soft, fr.Mixture(components=1), effort=few)
    assert given.drawn_from == ""
    assert given.points_distance == pytest.approx(given.distance, abs=0.01)


@pytest.mark.parametrize("n", [20, 200, 2000])
def test_nothing_in_the_sizes_of_clusters_speaks_against_them(n):
    labels = np.random.default_rng(n).choice(5, size=n, p=[0.4, 0.3, 0.15, 0.1, 0.05])
    for model in ("cat", "fit", "mixture", "kernel", "mixed", "generalised", "empirical"):
        check = fr.check_model(labels, model)
        assert (check.pvalue, check.draws, check.suits) == (1.0, 0, True)
    soft = np.random.default_rng(n).dirichlet([1, 1, 1], n)
    assert fr.check_model(soft, "empirical").pvalue == 1.0


def test_misfits_are_found():
    rng = np.random.default_rng(0)
    half = np.vstack([np.eye(3)[rng.integers(3, size=100)], rng.dirichlet([9, 9, 9], 100)])
    assert fr.check_model(half, "fit").pvalue == 0.01
    assert fr.check_model(half, "sym").suits is False
    assert fr.check_model(half, "mixed").suits
    assert fr.check_model(rng.dirichlet([0.1, 0.1, 0.1], 60), "flat").pvalue == 0.01
    assert fr.check_model(half, fr.Mixture(components=1)).suits is False
    uneven = rng.choice(3, size=100, p=[0.7, 0.2, 0.1])
    for model in ("sym", "num", "all", "flat"):
        assert fr.check_model(uneven, model).suits is False


def test_what_is_typical_of_equal_hard_clusters_shrinks_like_the_number_of_points():
    small, large = (fr.check_model(np.arange(n) % 4, "sym").typical[0] * n for n in (200, 20_000))
    assert 0.7 < small / large < 1.4


def test_threads_change_nothing():
    soft = np.random.default_rng(5).dirichlet([1, 2, 3], 50)
    one, many = (
        fr.check_model(soft, "fit", effort=fr.Effort(n_threads=threads)) for threads in (1, 3)
    )
    assert one.to_dict() == many.to_dict()


def test_draws_without_a_fit_are_left_out(monkeypatch):
    """A fit that refuses what it is given."""

    def refuse(memberships):
        if memberships[0, 0] != first:
            raise fr.ParameterError("no")
        return PRIOR

    soft = PRIOR.rvs(30, random_state=1)
    first = soft[0, 0]
    check = fr.check_model(soft, fr.Custom(refuse))
    assert (check.typical, check.suits) == (None, None)
