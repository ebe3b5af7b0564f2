"""Advice on two clusterings: each rule with data made for it."""

import numpy as np
import pytest

import fuzzyrand as fr
from fuzzyrand._cli.advise import KEEPS as OF_THE_COMMAND
from fuzzyrand._methods.advice.rules import ANY, KEEPS, RULES, rule_for
from fuzzyrand.models.registry import MODELS


def labels(seed, n, k):
    """Labels of which half agree with those of the seed 0."""
    rng = np.random.default_rng(seed)
    truth = np.random.default_rng(0).integers(k, size=n)
    return np.where(rng.random(n) < 0.5, truth, rng.integers(k, size=n))


def dirichlet(seed, alpha, n):
    return np.random.default_rng(seed).dirichlet(alpha, n)


def half_hard(seed, n=200):
    """Rows of which half are hard and the others are far from it."""
    rng = np.random.default_rng(seed)
    rows = rng.dirichlet([5.0] * 3, n)
    hard = rng.random(n) < 0.5
    rows[hard] = np.eye(3)[rng.integers(3, size=hard.sum())]
    return rows


def blurred(truth, seed, share):
    """Memberships of labels that lie near their own corner."""
    k = truth.max() + 1
    rows = np.random.default_rng(seed).dirichlet(np.full(k, 2.0), truth.size)
    return share * np.eye(k)[truth] + (1.0 - share) * rows


def fuzzy_c_means(X, k, m):
    """Memberships of fuzzy c-means with the fuzzifier m."""
    centres = X[:: len(X) // k][:k]
    for _ in range(60):
        squares = ((X[:, None] - centres) ** 2).sum(axis=2) + 1e-12
        u = squares ** (-1.0 / (m - 1.0))
        u /= u.sum(axis=1, keepdims=True)
        centres = (u**m).T @ X / (u**m).sum(axis=0)[:, None]
    return u


def cut_topics(seed, n=80, k=6):
    """Topics of documents, those below 0.01 dropped."""
    rows = dirichlet(seed, np.full(k, 0.2), n)
    rows[rows < 0.01] = 0.0
    return rows / rows.sum(axis=1, keepdims=True)


def test_a_rule_for_every_answer():
    assert {keep for rule in RULES for keep in rule.keeps} == set(KEEPS) == set(ANY)
    assert all(rule.model.name in MODELS for rule in RULES)
    assert tuple(KEEPS) == OF_THE_COMMAND


# --- hard ----------------------------------------------------------------------------------------


def test_hard_clusterings_and_what_was_given():
    """Two runs of k-means: the adjusted Rand index, or num if only the number was given."""
    a, b = labels(1, 200, 4), labels(2, 200, 4)
    advice = fr.advise(a, b)
    assert (str(advice.model), advice.index.name, advice.keep) == ("perm", "rand", "memberships")
    assert advice.assumed
    assert "keep='memberships'" in advice.reasons[1]
    assert advice.report.adjusted == fr.adjusted_similarity(a, b, model="perm")
    for keep, model in (("number", "num"), ("sizes", "cat"), ("nothing", "all")):
        other = fr.advise(a, b, keep=keep)
        assert (str(other.model), other.assumed) == (model, False)
        assert "keep" not in " ".join(other.reasons[1:])
    by_option = {other.option.value: other.comparison for other in advice.alternatives}
    assert {keep: c.model for keep, c in by_option.items()} == {"number": "num", "sizes": "cat"}
    assert by_option["number"].adjusted == fr.adjusted_similarity(a, b, model="num")


def test_all_comes_with_a_caution():
    few = fr.advise(labels(1, 200, 4), labels(2, 200, 4), keep="nothing")
    assert any("all draws about" in caution for caution in few.cautions)
    many = np.arange(200) // 4
    cautions = fr.advise(many, many, keep="nothing").cautions
    assert not any("clusterings of about" in caution for caution in cautions)


def test_few_points_of_many_hard_clusters():
    """Noise scores more than 0.1 under cat."""
    rng = np.random.default_rng(0)
    a, b = rng.integers(20, size=(2, 50))
    assert fr.adjusted_similarity(a, b, model="cat") > 0.1
    advice = fr.advise(a, b, keep="sizes")
    assert str(advice.model) == "perm"
    assert "too high for 50 points" in advice.reasons[0]


def test_noise_labels_that_nobody_named():
    found = labels(1, 200, 4) - 1
    advice = fr.advise(labels(2, 200, 4), found)
    assert "the label -1 (" in advice.cautions[0]
    alone = fr.advise(labels(2, 200, 4), found, noise=-1, noise_as="singletons", keep="number")
    assert str(alone.model) == "cat"
    assert "no model that keeps less than the cluster sizes applies" in " ".join(alone.reasons)
    assert "number" not in {
        other.option.value
        for other in fr.advise(
            labels(2, 200, 4), found, noise=-1, noise_as="singletons"
        ).alternatives
    }
    assert {row.model for row in alone.models if not row.applies} == {"num", "sym", "flat"}
    assert alone.call.endswith('noise=-1, noise_as="singletons", model="cat")')
    again = eval(alone.call, {"fr": fr, "a": labels(2, 200, 4), "b": found})
    assert again.adjusted == alone.report.adjusted


# --- fuzzy ---------------------------------------------------------------------------------------


def test_memberships_that_fit_describes():
    a, b = dirichlet(0, [1.0, 2.0, 3.0], 80), dirichlet(1, [2.0, 1.0], 80)
    default = fr.advise(a, b)
    assert (str(default.model), default.keep, default.assumed) == ("perm", "memberships", True)
    advice = fr.advise(a, b, keep="sizes")
    assert (str(advice.model), advice.index.name, advice.assumed) == ("fit", "ndc", False)
    others = {other.option.value: other.comparison.model for other in advice.alternatives}
    assert others == {"number": "sym", "memberships": "perm", "nothing": "flat"}
    states = {row.model: (row.applies, row.describes) for row in advice.models}
    assert states["fit"] == (True, True)
    assert states["perm"] == (True, None)
    assert states["cat"] == (False, None)
    assert states["flat"][1] is False
    (reason,) = {str(row.refusal) for row in advice.models if row.model == "num"}
    with pytest.raises(fr.NotApplicableError) as refused:
        fr.compare(a, b, model="num")
    assert str(refused.value) == reason


def test_a_known_truth():
    """The model is chosen by the clustering that is replaced."""
    truth = labels(0, 80, 3)
    soft = blurred(truth, 1, 0.6)
    free, fixed = (fr.advise(truth, soft, keep="sizes", fixed=side) for side in (None, "first"))
    known = free.alternatives[-1]
    assert (known.option.name, known.option.value) == ("fixed", "first")
    assert fixed.report.fixed == "first"
    assert 'fixed="first"' in fixed.call
    assert all(other.option.name == "keep" for other in fixed.alternatives)
    assert str(fr.advise(truth, soft, keep="sizes", fixed="second").model) == "cat"
    shuffled = fr.advise(truth, soft)
    assert all(other.option.name == "keep" for other in shuffled.alternatives)


def test_topics_that_were_cut():
    advice = fr.advise(cut_topics(0), cut_topics(1), keep="sizes")
    assert str(advice.model) == "fit"
    assert sum('Zeros are treated as "below' in caution for caution in advice.cautions) == 2
    assert abs(advice.report.adjusted) < 0.05


def test_hard_rows_among_fuzzy_ones():
    advice = fr.advise(half_hard(0), half_hard(1), keep="sizes")
    assert str(advice.model) == "mixed"
    assert "of the points are hard" in advice.reasons[0]
    fitted = fr.compare(half_hard(0), half_hard(1), model="fit")
    assert abs(advice.report.adjusted) < 0.05 < abs(fitted.adjusted)
    assert "The model mixed describes it." in str(fitted.misfit_note)
    number = fr.advise(half_hard(0), half_hard(1), keep="number")
    assert str(number.model) == "sym"
    assert any("sym describes the" in caution for caution in number.cautions)


def test_few_points_of_many_fuzzy_clusters():
    alpha = np.full(10, 0.02)
    advice = fr.advise(dirichlet(0, alpha, 40), dirichlet(1, alpha, 40), keep="sizes")
    assert advice.model == fr.Fit(bias="corrected")
    assert advice.call == 'fr.compare(a, b, model=fr.Fit(bias="corrected"))'
    assert "--model fit --bias corrected" in advice.command
    assert [row.model for row in advice.models if row.model.startswith("fit")] == [
        "fit",
        "fit(bias='corrected')",
    ]


def test_far_too_few_points():
    alpha = np.full(128, 0.1 / 128)
    advice = fr.advise(dirichlet(0, alpha, 50), dirichlet(1, alpha, 50), keep="sizes")
    assert str(advice.model) == "perm"
    assert "50 points in 128 clusters" in advice.reasons[0]


def test_different_fuzziness():
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(centre, 1.0, (60, 2)) for centre in ((0, 0), (6, 0), (0, 6))])
    advice = fr.advise(fuzzy_c_means(X, 3, 2.0), fuzzy_c_means(X, 3, 5.0))
    (caution,) = (text for text in advice.cautions if "strongest cluster" in text)
    assert "differ more in fuzziness" in caution
    same = fr.advise(fuzzy_c_means(X, 3, 2.0), fuzzy_c_means(X, 3, 2.1))
    assert not any("strongest cluster" in text for text in same.cautions)


def test_possibilistic_rows():
    rng = np.random.default_rng(0)
    a, b = rng.random((2, 40, 3))
    for keep in (None, *KEEPS):
        advice = fr.advise(a, b, possibilistic=True, keep=keep)
        assert str(advice.model) == "perm"
        assert not advice.alternatives
    assert {row.model for row in advice.models if row.applies} == {"perm", "empirical"}


def test_an_index_of_whole_clusterings():
    a, b = dirichlet(0, [1.0] * 3, 40), dirichlet(1, [1.0] * 3, 40)
    advice = fr.advise(a, b, index="frobenius")
    assert (str(advice.model), advice.index.name) == ("perm", "frobenius")
    assert [row.model for row in advice.models if row.applies] == ["perm"]
    assert 'index="frobenius"' in advice.call


def test_an_index_below_1_for_a_clustering_with_itself():
    a, b = dirichlet(0, [1.0] * 3, 40), dirichlet(1, [1.0] * 3, 40)
    cautions = fr.advise(a, b, index="brouwer").cautions
    assert any("maximum='self'" in caution for caution in cautions)


@pytest.mark.slow
def test_sparse_clusterings_of_many_clusters():
    sparse = pytest.importorskip("scipy.sparse")
    rng = np.random.default_rng(0)

    def topics(n=50, k=1000, each=3):
        columns = np.array([rng.choice(k, each, replace=False) for _ in range(n)])
        entries = (rng.dirichlet([1.0] * each, n).ravel(), columns.ravel())
        rows = np.repeat(np.arange(n), each)
        return sparse.csr_matrix((entries[0], (rows, entries[1])), shape=(n, k))

    advice = fr.advise(topics(), topics())
    assert str(advice.model) == "perm"
    untried = {row.model for row in advice.models if "not tried" in str(row.refusal)}
    assert untried == {"generalised", "mixture", "kernel"}


def test_empty_clusters():
    a = np.pad(dirichlet(0, [1.0] * 3, 60), ((0, 0), (0, 2)))
    cautions = fr.advise(a, dirichlet(1, [1.0] * 3, 60), keep="number").cautions
    assert any("2 clusters are empty" in caution for caution in cautions)


# --- noise ---------------------------------------------------------------------------------------


def unrelated(kind, seed):
    """Two unrelated clusterings."""
    rng = np.random.default_rng([seed, 7])
    if kind == "uneven":
        return tuple((rng.random(150) < 0.1).astype(int) for _ in range(2))
    if kind == "many":
        return tuple(rng.integers(25, size=60) for _ in range(2))
    if kind == "half hard":
        return half_hard(seed, 100), half_hard(seed + 100, 100)
    return rng.dirichlet([0.3, 0.1, 0.6], 100), rng.integers(3, size=100)


@pytest.mark.parametrize(
    ("kind", "keep"),
    [
        *((kind, keep) for kind in ("uneven", "many") for keep in (None, *KEEPS)),
        *((kind, keep) for kind in ("half hard", "mixed") for keep in (None, "number")),
    ],
)
def test_noise_is_never_far_from_0_without_a_caution(kind, keep):
    """Under num and sym, two clusterings with a large cluster are alike; the caution says so."""
    advice = fr.advise(*unrelated(kind, 0), keep=keep)
    if keep in (None, "memberships", "sizes"):
        assert abs(advice.report.adjusted) < 0.1
    elif abs(advice.report.adjusted) >= 0.1:
        assert any("the value depends on the model" in caution for caution in advice.cautions)


# --- the rest ------------------------------------------------------------------------------------


def test_unknown_answers_are_refused():
    with pytest.raises(fr.UnknownNameError, match="keep"):
        fr.advise([0, 0, 1], [0, 1, 1], keep="size")


def test_two_points():
    assert str(fr.advise([0, 1], [0, 0]).model) == "perm"
    assert fr.advise([[0.5, 0.5], [0.4, 0.6]], [0, 1]).report.n == 2


def test_notes_and_advice_agree():
    """A model is close enough where compare() has no note on its misfit."""
    a, b = half_hard(0), half_hard(1)
    rows = {row.model: row for row in fr.advise(a, b).models}
    for model in ("fit", "mixed"):
        notes = fr.compare(a, b, model=model).notes
        assert rows[model].describes == (not any("poorly: the m" in note for note in notes)), model


def test_rules_are_tried_in_order():
    class Nothing:
        """Evidence of clusterings that no rule but the last knows."""

        hard = possibilistic = False
        hard_rows = 0.0
        both_hard = False
        index = fr.NDC()

        def applies(self, name):
            return name == "empirical"

        def describes(self, name):
            return False

        def bias(self, name):
            return 0.0

        def adjusted(self, name):
            return 0.0

    for keep in KEEPS:
        wanted = "perm" if keep == "memberships" else "empirical"
        assert str(rule_for(keep, Nothing()).model) == wanted
