"""Tests of chance: p-values, null moments, alternatives, and what is refused."""

import itertools
import pickle

import numpy as np
import pytest

import fuzzyrand as fr
from fuzzyrand._methods.inference import significance as engine
from fuzzyrand._methods.inference.sequential import ENOUGH, sequential_pvalue
from fuzzyrand.indices import as_index
from fuzzyrand.results.pairwise import false_discovery_rates


def noise(seed, n=40):
    rng = np.random.default_rng(seed)
    return {
        "hard": rng.integers(3, size=n),
        "other": rng.integers(4, size=n),
        "soft": rng.dirichlet(np.ones(3), n),
        "softer": rng.dirichlet(np.full(4, 2.0), n),
    }


def alike(seed, n=60):
    rng = np.random.default_rng(seed)
    labels = rng.integers(3, size=n)
    return labels, 0.6 * np.eye(3)[labels] + 0.4 * rng.dirichlet(np.ones(3), n)


PAIRS = [("hard", "other"), ("hard", "soft"), ("soft", "softer")]


@pytest.mark.parametrize("index", ["ndc", "brouwer", "jousselme", "belief"])
@pytest.mark.parametrize(("one", "two"), PAIRS)
def test_seven_points_are_enumerated(one, two, index):
    """P-value, mean and spread of the adjusted index, against all orders by brute force."""
    data = noise(3, n=7)
    found = fr.significance(data[one], data[two], index=index)
    chosen = as_index(index)
    first, second = (agreements(data[name], chosen) for name in (one, two))
    i, j = np.triu_indices(7, 1)
    orders = np.array(list(itertools.permutations(range(7))))
    shuffled = second[orders[:, i], orders[:, j]]
    discordance = chosen.concordance.discordance(first[i, j], shuffled).mean(axis=1)
    adjusted = 1.0 - discordance / discordance.mean()
    assert found.exhaustive
    assert found.draws == 5040
    assert found.pvalue == pytest.approx(np.mean(adjusted >= found.adjusted - 1e-12), abs=1e-12)
    assert found.null_mean == pytest.approx(0.0, abs=1e-10)
    assert found.null_sd == pytest.approx(adjusted.std(), abs=1e-10)


def agreements(clustering, index):
    """Return the agreements of all pairs, as a matrix."""
    if clustering.ndim == 1:
        return (clustering[:, None] == clustering).astype(float)
    columns = clustering.T
    return index.agreement.between(columns[:, :, None], columns[:, None, :])


@pytest.mark.parametrize(("one", "two"), PAIRS)
@pytest.mark.parametrize("n", [60, pytest.param(300, marks=pytest.mark.simulation)])
def test_null_moments_are_those_of_long_simulations(one, two, n):
    data = noise(5, n)
    found = fr.significance(data[one], data[two], draws=999)
    rng = np.random.default_rng(0)
    repeats = 200
    shuffled = np.array(
        [
            fr.compare(data[one], data[two][rng.permutation(n)], model="perm").adjusted
            for _ in range(repeats)
        ]
    )
    assert found.null_mean == 0.0
    assert abs(shuffled.mean()) < 4.5 * found.null_sd / np.sqrt(repeats)
    kurtosis = np.mean((shuffled - shuffled.mean()) ** 4) / shuffled.var() ** 2
    error = found.null_sd * np.sqrt((kurtosis - 1.0) / (4.0 * repeats))
    assert found.null_sd == pytest.approx(shuffled.std(), abs=4.5 * error)


def test_real_agreement_is_significant_and_says_so():
    labels, soft = alike(0)
    for model in ("perm", "fit"):
        found = fr.significance(labels, soft, model=model)
        assert found.pvalue == 1.0 / (1.0 + found.draws)
        assert found.draws == found.most
        assert found.pvalue_approx < found.pvalue
        assert found.z > 5.0
        assert ", significantly more than expected by chance" in found.sentence
        assert "the smallest possible" in found.sentence


def test_power_against_weak_agreement():
    """A tenth of the labels copied from the other clustering is found most of the time."""
    hits = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        a, b = rng.integers(3, size=(2, 400))
        b = np.where(rng.random(400) < 0.3, a, b)
        hits += fr.significance(a, b, draws=199).pvalue <= 0.05
    assert hits >= 18


def test_power_on_real_data():
    """Sepal and petal measurements of iris flowers, clustered apart, agree beyond chance."""
    from sklearn.cluster import KMeans
    from sklearn.datasets import load_iris

    x = load_iris().data
    sepals, petals = (
        KMeans(3, n_init=5, random_state=0).fit_predict(x[:, s]) for s in ([0, 1], [2, 3])
    )
    for model in ("perm", "num"):
        assert fr.significance(sepals, petals, model=model).pvalue <= 0.001


@pytest.mark.parametrize("seed", range(4))
def test_alternatives_count_all_permutations_of_few_points(seed):
    rng = np.random.default_rng(seed)
    hard, soft = np.array([0, 0, 0, 1, 1, 2]), rng.dirichlet([0.5, 0.5], 6)
    together = np.equal.outer(hard, hard)
    agreements = np.minimum(soft[:, None], soft[None]).sum(axis=2)
    discordances = np.array(
        [
            np.abs(together - agreements[np.ix_(p, p)]).sum()
            for p in itertools.permutations(range(6))
        ]
    )
    slack = 1e-9
    high = np.mean(discordances <= discordances[0] + slack)
    low = np.mean(discordances >= discordances[0] - slack)
    right = {"greater": high, "less": low, "two-sided": min(1.0, 2.0 * min(high, low))}
    for tail, pvalue in right.items():
        found = fr.significance(hard, soft, alternative=tail)
        assert found.exhaustive
        assert found.pvalue == pytest.approx(pvalue, abs=1e-12)


@pytest.mark.parametrize("model", ["empirical", "kernel"])
def test_models_that_resample_rows_are_tested_by_shuffles(model):
    """Clusterings drawn with replacement repeat rows, and would make noise look significant."""
    rng = np.random.default_rng(0)
    pvalues = []
    for _ in range(40):
        first, second = (rng.dirichlet(np.full(10, 0.3), 20) for _ in range(2))
        found = fr.significance(first, second, model=model, draws=39, tol=5e-3)
        assert found.drawn == "shuffles"
        pvalues.append(found.pvalue)
    assert np.mean(np.array(pvalues) <= 0.05) <= 0.15
    assert 0.35 <= np.mean(pvalues) <= 0.65


def test_unknown_alternatives_are_refused():
    with pytest.raises(fr.UnknownNameError, match="two-sided"):
        fr.significance([0, 1, 1], [0, 1, 0], alternative="both")


@pytest.mark.parametrize("model", ["perm", "fit", "num"])
def test_the_same_on_any_number_of_threads(model):
    data = noise(8)
    pair = (data["hard"], data["other"]) if model == "num" else (data["soft"], data["softer"])
    one, two = (
        fr.significance(*pair, model=model, draws=39, effort=fr.Effort(n_threads=threads))
        for threads in (1, 2)
    )
    np.testing.assert_array_equal(one.null, two.null)
    assert one.pvalue == two.pvalue
    other = fr.significance(*pair, model=model, draws=39, random_state=1)
    assert not np.array_equal(one.null, other.null)


def test_early_stopping_gives_the_rank_of_the_last_draw():
    values = np.random.default_rng(0).normal(size=4000)
    found = sequential_pvalue(
        lambda i: values[100 * i : 100 * i + 100], 0.5, 0.0, "greater", 4000, 1, ""
    )
    where = np.flatnonzero(values >= 0.5)[ENOUGH - 1] + 1
    assert found.values.size == where
    assert found.pvalue == ENOUGH / where


def test_a_model_that_keeps_sizes_is_tested_by_shuffles():
    """Even where every cluster is tiny, and the adjusted value of noise is far above 0."""
    rng = np.random.default_rng(0)
    a, b = rng.integers(30, size=(2, 50))
    under_fit, under_perm = (
        fr.significance(a, b, model=model, draws=999) for model in ("fit", "perm")
    )
    assert under_fit.adjusted > 0.2
    assert under_fit.pvalue == under_perm.pvalue
    assert under_fit.null_mean > 0.2


@pytest.mark.parametrize(
    "model",
    ["fit", "sym", "flat", "generalised", "mixture", "kernel", "mixed", "empirical",
     fr.Custom(__import__("scipy.stats", fromlist=["dirichlet"]).dirichlet([1, 1, 1]))],
    ids=str,
)  # fmt: skip
def test_every_model_of_rows_has_a_test(model):
    rng = np.random.default_rng(1)
    soft = rng.dirichlet(np.ones(3), 25)
    pair = soft, 0.9 * soft + 0.1 * rng.dirichlet(np.ones(3), 25)
    for fixed in (None, "first"):
        found = fr.significance(*pair, model=model, draws=19, fixed=fixed)
        assert found.null.size == found.draws == 19
        assert found.pvalue == 0.05  # the least that 19 draws allow
        assert ("the second clustering replaced by" in found.sentence) == (fixed is not None)
        assert found.null_mean < 0.5 * found.adjusted


@pytest.mark.parametrize("model", ["cat", "num", "all"])
def test_every_hard_model_has_a_test(model):
    rng = np.random.default_rng(10)
    labels = rng.integers(10, size=30)  # about as many clusters as `all` draws
    found = fr.significance(
        labels, np.where(rng.random(30) < 0.9, labels, 0), model=model, draws=99
    )
    assert found.pvalue == 0.01
    by_chance = fr.significance(labels, rng.permutation(labels), model=model, draws=99)
    assert by_chance.pvalue > 0.01


def test_frobenius_and_custom_indices():
    _, soft = alike(11, n=30)
    other = 0.8 * soft + 0.2 * noise(11, n=30)["soft"]
    index = fr.CustomIndex(lambda u, v: (u * v).sum(axis=1), lambda a, b: 1 - np.abs(a - b))
    for chosen in ("frobenius", index):
        found = fr.significance(soft, other, index=chosen, draws=99)
        assert found.pvalue == 0.01
        assert found.null_sd > 0.0


def test_many_points_are_tested_in_part_with_a_note():
    rng = np.random.default_rng(12)
    u, v = rng.dirichlet(np.ones(3), (2, 1600))
    effort = fr.Effort(budget=fr.Budget(shuffled_points=1500))
    found = fr.significance(u, v, draws=39, effort=effort)
    assert found.points == 1500 < found.n == 1600
    assert any("of 1,600 points. The p-value is valid" in note for note in found.notes)


def test_nothing_to_test():
    found = fr.significance([0] * 20, [0, 1] * 10)
    assert found.pvalue == 1.0
    assert "nothing to test" in found.notes[0]
    with pytest.raises(fr.NotApplicableError, match="no null distribution"):
        found.plot()


@pytest.mark.parametrize("draws", [5, "many", 99.5, True])
def test_draws_that_make_no_sense_are_refused(draws):
    with pytest.raises(fr.ParameterError, match="draws"):
        fr.significance([0, 0, 1, 1], [0, 1, 1, 1], draws=draws)


def test_results_are_plain_and_can_be_drawn():
    import json

    import matplotlib as mpl

    mpl.use("agg")
    labels, soft = alike(1)
    found = fr.significance(labels, soft)
    told = json.loads(json.dumps(found.to_dict()))
    assert told["pvalue"] == found.pvalue
    axes = found.plot()
    assert axes.get_title(loc="left").startswith("p ≤")
    assert len(axes.patches) > 10
    few = fr.significance([0, 0, 0, 1, 1, 1, 1], [0, 0, 1, 1, 1, 1, 0])
    assert 1 < len(few.plot().patches) <= 20


def test_pairwise_tests_each_pair_once(monkeypatch):
    labels, soft = alike(2)
    data = {"a": labels, "b": soft, "c": noise(13, 60)["hard"]}
    calls = []
    original = engine.significance_of
    from fuzzyrand._api import pairwise as module

    monkeypatch.setattr(module, "significance_of", lambda *args: calls.append(1) or original(*args))
    found = fr.pairwise(data, model="fit", test=True)
    assert len(calls) == 3
    p = found.pvalues
    np.testing.assert_array_equal(p, p.T)
    assert np.isnan(np.diag(p)).all()
    assert p[0, 1] == fr.significance(labels, soft).pvalue
    q = found.qvalues
    frame = found.to_frame("qvalues")
    assert list(frame.columns) == list(found.columns)
    np.testing.assert_array_equal(frame, q)
    upper = np.triu_indices(3, 1)
    np.testing.assert_allclose(q[upper], false_discovery_rates(p[upper]))
    assert "q-values under perm" in str(found)
    told = found.to_dict()
    assert told["pvalues"][0][0] is None
    with pytest.raises(fr.NotApplicableError, match="test=True"):
        _ = fr.pairwise(data).pvalues
    under_fit = fr.pairwise({"a": labels, "c": data["c"]}, test="cat", reference="a")
    assert under_fit.pvalues.shape == (1, 2)


def test_false_discovery_rates_are_those_of_scipy():
    from scipy.stats import false_discovery_control

    p = np.random.default_rng(0).random(50) ** 3
    np.testing.assert_allclose(false_discovery_rates(p), false_discovery_control(p))


def test_methods_text_names_everything():
    labels, soft = alike(3)
    options = {"model": "fit", "fixed": "first"}
    c = fr.compare(labels, soft, **options)
    text = c.methods_text(
        fr.significance(labels, soft), fr.confidence_interval(labels, soft, **options)
    )
    for part in (
        "by the normalised degree of concordance (NDC; Hüllermeier et al., 2012).",
        "Chance was defined by the fitted Dirichlet model (fit; DeWolfe & Andrews, 2025): ",
        "approximately the same sizes",
        "Only the second clustering was random; the first was fixed.",
        f"adjusted NDC {c.adjusted:.3f} (95% CI ",
        "), permutation test with 9,999 shuffles, one-sided p ≤ 0.0001.",
        f"Computed with fuzzyrand {fr.__version__}.\nReferences:\nE. Hüllermeier, M. Rifqi,",
    ):
        assert part in text
    hard, fuzzy = (fr.compare(labels, b, model="perm").methods_text() for b in (labels, soft))
    assert "(perm; Hubert & Arabie, 1985)" in hard
    assert "Hubert & Arabie, 1985; D'Ambrosio et al., 2021)" in fuzzy
    assert pickle.loads(pickle.dumps(c)).methods_text() == c.methods_text()
