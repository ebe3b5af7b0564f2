"""Weights in tests, intervals, explanations, matching, commands and texts."""

from __future__ import annotations

import json
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given

import fuzzyrand as fr
from tests import brute
from tests._api.test_weights import population_and_sample, weighted
from tests.cli_process import refused, run
from tests.examples import examples


def _pairwise_discordance(first, second):
    u, v = brute.memberships(first), brute.memberships(second)
    a, b = (1.0 - 0.5 * np.abs(x[:, None] - x[None]).sum(axis=2) for x in (u, v))
    return np.abs(a - b)


@given(data=weighted())
@examples(15)
def test_scores_of_points_have_the_adjusted_index_as_weighted_mean(data):
    first, second, w = data
    if len(w) < 4:
        return
    found = fr.explain(first, second, weights=w)
    assert np.average(found.points, weights=w) == pytest.approx(found.adjusted, abs=1e-9)
    expected = 1.0 - found.comparison.expected
    if expected < 1e-6:
        return
    sums = _pairwise_discordance(first, second) @ w
    total = 2.0 * sum(w[i] * w[j] for i, j in combinations(range(len(w)), 2))
    assert found.points == pytest.approx(1.0 - sums * w.sum() / total / expected, abs=1e-9)
    u = brute.memberships(first)
    used = u.sum(axis=0) > 0.0
    scores = ((w * found.points) @ u)[used] / (w @ u)[used]
    assert found.clusters[0][: used.sum()] == pytest.approx(scores, abs=1e-9)


def test_scores_from_sampled_partners_agree_with_all_pairs():
    rng = np.random.default_rng(0)
    u, v = rng.dirichlet([1, 1, 1], 1500), rng.dirichlet([1, 1], 1500)
    w = rng.gamma(2.0, size=1500)
    every = fr.explain(u, v, weights=w).points
    few = fr.explain(u, v, weights=w, effort=fr.Effort(pairs=100_000))
    errors = (few.points - every) / few.points_stderr
    assert 0.8 < errors.std() < 1.25


def test_scores_beside_noise_that_no_two_points_share():
    """What rows lack to a sum of 1 is noise: agreements are sums of the smaller memberships."""
    rng = np.random.default_rng(10)
    n = 60
    labels, u, w = rng.integers(3, size=n), rng.dirichlet([1, 1, 0.5], n), rng.gamma(1.0, size=n)
    options = {"missing": "noise", "noise_as": "singletons", "weights": w}
    a = (labels[:, None] == labels).astype(float)
    b = np.minimum(u[:, None, :2], u[None, :, :2]).sum(axis=2)
    np.fill_diagonal(b, 1.0)
    pairs = w.sum() ** 2 - w @ w
    for first, second in ((labels, u[:, :2]), (u[:, :2], labels)):
        found = fr.explain(first, second, **options)
        means = np.abs(a - b) @ w * w.sum() / pairs
        scores = 1.0 - means / (1.0 - found.comparison.expected)
        assert found.points == pytest.approx(scores, abs=1e-10)
        wallace = found.wallace.first if first is labels else found.wallace.second
        for cluster in range(3):
            inside = np.outer(w, w) * a * (labels == cluster)
            np.fill_diagonal(inside, 0.0)
            mean = (inside * b).sum() / inside.sum()
            assert wallace.clusters.observed[cluster] == pytest.approx(mean, abs=1e-10)


@pytest.mark.parametrize("kind", ["hard", "mixed", "fuzzy"])
@pytest.mark.parametrize("index", ["ndc", "consistency"])
def test_pvalue_of_few_points_is_that_of_all_orders_at_fixed_weights(kind, index):
    rng = np.random.default_rng(1)
    labels, other = np.array([0, 0, 0, 1, 1, 1]), np.array([0, 0, 1, 1, 1, 1])
    soft = np.column_stack([other, 1 - other]) * 0.7 + rng.dirichlet([1, 1], 6) * 0.3
    first = soft[::-1] if kind == "fuzzy" else labels
    second = other if kind == "hard" else soft
    w = rng.gamma(1.0, size=6)
    found = fr.significance(first, second, index=index, weights=w)
    mine = fr.similarity(first, second, index=index, weights=w)
    orders = [list(order) for order in permutations(range(6))]
    null = np.array([fr.similarity(first, second[o], index=index, weights=w) for o in orders])
    assert found.pvalue == pytest.approx(np.mean(null >= mine - 1e-12))


@pytest.mark.parametrize("kind", ["hard", "mixed", "gram", "table", "pairs"])
def test_pvalues_are_uniform_if_a_side_is_independent_of_the_weights(kind):
    rng = np.random.default_rng(2)
    index = {"gram": "consistency", "table": "mi"}.get(kind, "ndc")
    pvalues = []
    for _ in range(60):
        first, second = rng.integers(3, size=25), rng.integers(2, size=25)
        w = np.where(first == 0, 4.0, 1.0) * rng.gamma(2.0, size=25)  # depends on the first side
        if kind in ("gram", "pairs"):
            first = rng.dirichlet([0.5, 0.5], 25)
        if kind != "hard":
            second = rng.dirichlet([0.5, 1.0], 25)
        found = fr.significance(first, second, index=index, weights=w, draws=39, tol=0.05)
        pvalues.append(found.pvalue)
    above = np.mean(np.array(pvalues) <= 0.5)
    assert abs(above - 0.5) < 4.0 * 0.5 / np.sqrt(60)
    assert np.mean(np.array(pvalues) <= 0.1) < 0.1 + 4.0 * 0.3 / np.sqrt(60)


def test_model_tests_carry_weights():
    rng = np.random.default_rng(3)
    labels = rng.integers(3, size=60)
    soft = 0.7 * np.eye(3)[labels] + 0.3 * rng.dirichlet([1, 1, 1], 60)
    w = rng.gamma(1.0, size=60)
    found = fr.significance(labels, soft, model="fit", weights=w, draws=39)
    assert found.pvalue <= 0.03
    assert found.adjusted == fr.compare(labels, soft, model="fit", weights=w).adjusted


def test_intervals_have_the_spread_of_weighted_samples():
    rng = np.random.default_rng(4)
    truth, found, _, _ = population_and_sample(rng, 200_000)
    value = fr.adjusted_similarity(truth, found)
    values, errors, covered = [], [], []
    for _ in range(60):
        truth, found, sample, w = population_and_sample(rng, 3000)
        interval = fr.confidence_interval(truth[sample], found[sample], weights=w[sample])
        values.append(interval.adjusted)
        errors.append(interval.stderr)
        covered.append(interval.low < value < interval.high)
    assert np.mean(errors) == pytest.approx(np.std(values), rel=0.3)
    assert np.mean(covered) > 0.95 - 4.0 * np.sqrt(0.95 * 0.05 / 60)


def barely_alike(rng, n):
    """Labels of which a sixth agree beyond chance, soft ones, and weights that balance classes."""
    first = rng.choice(2, size=n, p=[0.85, 0.15])
    second = np.where(rng.random(n) < 0.17, first, rng.integers(2, size=n))
    soft = 0.8 * np.eye(2)[second] + 0.2 * rng.dirichlet([1, 1], n)
    return first, second, soft, fr.balanced_weights(first)


@pytest.mark.parametrize("model", ["perm", "fit"])
def test_intervals_just_above_chance_cover(model):
    """Student's t with the spread of the influences alone covers about 80% here."""
    rng = np.random.default_rng(5)
    first, second, soft, w = barely_alike(rng, 100_000)
    other = 1 if model == "perm" else 2
    value = fr.compare(first, (second, soft)[other - 1], model=model, weights=w).adjusted
    covered = []
    for _ in range(60):
        sample = barely_alike(rng, 200)
        found = fr.confidence_interval(sample[0], sample[other], model=model, weights=sample[3])
        covered.append(found.low <= value <= found.high)
    assert np.mean(covered) > 0.95 - 3.0 * np.sqrt(0.95 * 0.05 / 60)


def test_few_points_that_count_make_an_interval_unreliable():
    rng = np.random.default_rng(6)
    first, second, w = rng.integers(2, size=200), rng.integers(2, size=200), np.full(200, 1e-3)
    w[:20] = 1.0
    found = fr.confidence_interval(first, second, weights=w)
    assert "20 points are too few for a reliable interval" in " ".join(found.notes)


@given(data=weighted())
@examples(15)
def test_overlaps_are_sums_of_weights(data):
    first, second, w = data
    u, v = brute.memberships(first), brute.memberships(second)
    found = fr.match(first, second, weights=w)
    wanted = (u * w[:, None]).T @ v / w.mean()
    rows, columns = (np.flatnonzero(x.sum(axis=0) > 0.0) for x in (u, v))
    kept = found.overlap[found.overlap.sum(axis=1) > 0.0][:, found.overlap.sum(axis=0) > 0.0]
    assert kept == pytest.approx(wanted[np.ix_(rows, columns)], abs=1e-9)


def test_alignment_and_pairwise_take_weights():
    rng = np.random.default_rng(6)
    runs = {
        "a": rng.integers(3, size=50),
        "b": rng.integers(3, size=50),
        "c": rng.integers(4, size=50),
    }
    w = rng.gamma(1.0, size=50)
    table = fr.pairwise(runs, weights=w)
    alone = fr.adjusted_similarity(runs["a"], runs["c"], weights=w)
    assert table.adjusted[0, 2] == pytest.approx(alone, abs=1e-12)
    assert fr.align(runs, weights=w).to_dict()["weights"] == table.to_dict()["weights"]
    whole = fr.align({name: np.repeat(run, 3) for name, run in runs.items()})
    assert fr.align(runs, weights=np.full(50, 3.0)).order == whole.order


def test_results_say_that_points_are_weighted():
    rng = np.random.default_rng(7)
    first, second, w = rng.integers(3, size=80), rng.integers(3, size=80), rng.gamma(1.0, size=80)
    w[:4] = 0.0
    found = fr.compare(first, second, weights=w)
    effective = w.sum() ** 2 / (w @ w)
    assert found.weights["sum"] == pytest.approx(w.sum())
    assert found.weights["effective_points"] == pytest.approx(effective)
    assert found.weights["left_out"] == 4
    assert found.to_dict()["weights"] == found.weights
    assert f"effective number of points {effective:.1f}; 4 of weight 0 left out" in str(found)
    assert "Points were weighted" in found.methods_text()
    assert not any("noise" in note for note in found.notes)
    assert fr.compare(first, second).weights is None
    assert fr.compare(first, second, weights=np.ones(80)).weights is None


def test_weights_that_rest_on_few_points_have_a_note():
    rng = np.random.default_rng(8)
    first, second, w = rng.integers(3, size=200), rng.integers(3, size=200), np.ones(200)
    assert fr.compare(first, second, weights=w + rng.random(200)).notes == ()
    w[0] = 100.0
    assert "the effective number of points is only" in fr.compare(first, second, weights=w).notes[0]
    w[0] = 25.0
    assert (
        "a single point has 11% of the total weight"
        in fr.compare(first, second, weights=w).notes[0]
    )


def test_commands_read_a_column_of_weights(tmp_path):
    rng = np.random.default_rng(9)
    first, second, w = rng.integers(3, size=40), rng.integers(3, size=40), rng.gamma(1.0, size=40)
    order = rng.permutation(40)
    lines = [f"p{i},c{first[i]},{float(w[i])!r}" for i in range(40)]
    (tmp_path / "a.csv").write_text("id,label,weight\n" + "\n".join(map(str, lines)) + "\n")
    lines = [f"p{i},k{second[i]}" for i in order]
    (tmp_path / "b.csv").write_text("id,label\n" + "\n".join(lines) + "\n")
    wanted = fr.adjusted_similarity(first, second, weights=w)
    files = [str(tmp_path / "a.csv"), str(tmp_path / "b.csv")]
    for more in ([], ["--common"]):
        done = run("compare", *files, "--weights", "weight", "--id", "id", *more, "--json")
        result = json.loads(done.out)
        assert result["adjusted"] == pytest.approx(wanted, abs=1e-12)
        assert result["weights"]["sum"] == pytest.approx(w.sum())
    wrong = refused("compare", *files, "--weights", "wait", "--id", "id")
    assert "no file has the column" in wrong
