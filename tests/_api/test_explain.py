"""Explanations against plain definitions on n x n arrays, and against all permutations."""

import itertools
import json
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fuzzyrand as fr
from fuzzyrand._clusterings.partition import as_partition
from fuzzyrand._methods.explanation.hardened import strongest_clusters
from fuzzyrand.results.worst_points import membership_text

from .. import brute, strategies
from ..examples import examples

NAMES = ["ndc", "brouwer", "consistency", "belief", "jousselme"]


def square(values, n):
    """Values of pairs as a symmetric matrix with zeros on its diagonal."""
    out = np.zeros((n, n))
    out[np.triu_indices(n, 1)] = values
    return out + out.T


def discordances(name, u, v):
    """The discordance of each pair, as a matrix."""
    a, b = brute.pair_agreements(name, u), brute.pair_agreements(name, v)
    return square(1.0 - brute.concordance(name, a, b), len(u))


def plain_wallace(name, u, v):
    """Observed Wallace index with weights from v, and that of each cluster."""
    d = discordances(name, u, v)
    upper = np.triu(np.ones_like(d), 1)
    each = [np.outer(column, column) * upper for column in np.asarray(v).T]
    with np.errstate(invalid="ignore"):
        clusters = np.array([(w * (1.0 - d)).sum() / w.sum() for w in each])
    w = sum(each)
    return (w * (1.0 - d)).sum() / w.sum(), clusters


def pairs_together(v):
    """The weight of each pair that v gives."""
    v = np.asarray(v)
    i, j = np.triu_indices(len(v), 1)
    return (v[i] * v[j]).sum(axis=1)


def fits(a, b, **options):
    """The explanation, or None where no model has a value."""
    try:
        return fr.explain(a, b, **options)
    except fr.NotApplicableError:
        return None


@examples(60)
@given(strategies.two_clusterings(), st.sampled_from(NAMES))
def test_points_clusters_and_observed_wallace_follow_the_definitions(pair, name):
    result = fits(*pair, index=name, model="perm")
    if result is None or result.comparison.expected > 1.0 - 1e-9:
        return
    u, v = (brute.memberships(side) for side in pair)
    n = len(u)
    expected = 1.0 - brute.expected_perm_by_name(name, u, v)
    scores = 1.0 - discordances(name, u, v).sum(axis=1) / (n - 1) / expected
    tolerance = {"rtol": 1e-9, "atol": 1e-11 / expected}
    np.testing.assert_allclose(result.points, scores, **tolerance)
    assert result.points_stderr is None
    np.testing.assert_allclose(result.points.mean(), result.adjusted, **tolerance)
    for side, found, sizes, wallace, other in (
        (u, result.clusters[0], result.sizes[0], result.wallace.first, v),
        (v, result.clusters[1], result.sizes[1], result.wallace.second, u),
    ):
        np.testing.assert_allclose(sizes, side.sum(axis=0), atol=1e-12)
        with np.errstate(invalid="ignore"):
            plain = side.T @ scores / side.sum(axis=0)
        used = sizes > 1e-9
        np.testing.assert_allclose(found[used], plain[used], **tolerance)
        mean = sizes[used] @ found[used] / n
        np.testing.assert_allclose(mean, result.adjusted, atol=1e-8 + 1e-11 / expected)
        if pairs_together(side).sum() < 1e-6:
            continue
        whole, clusters = plain_wallace(name, other, side)
        np.testing.assert_allclose(wallace.observed, whole, atol=1e-9)
        np.testing.assert_allclose(wallace.clusters.observed, clusters, atol=1e-9)
    np.testing.assert_allclose(result.overlap, u.T @ v, atol=1e-12)


def small(kind, rng, n):
    if kind == "hard":
        return brute.one_hot(rng.permutation([0, 0, 0, 1, 1, 2][:n] + [1] * (n - 6)))
    return rng.dirichlet([0.6, 0.6, 0.6], size=n)


@pytest.mark.parametrize("name", ["ndc", "brouwer", "jousselme"])
@pytest.mark.parametrize("kinds", [*itertools.product(["hard", "fuzzy"], repeat=2)])
def test_expected_wallace_is_the_mean_over_all_permutations(kinds, name):
    rng = np.random.default_rng(3)
    u, v = (small(kind, rng, 6) for kind in kinds)
    wallace = fr.explain(u, v, index=name, model="perm").wallace
    orders = [list(order) for order in itertools.permutations(range(6))]
    for weights, other, found in ((u, v, wallace.first), (v, u, wallace.second)):
        shuffled = [plain_wallace(name, other[order], weights) for order in orders]
        assert found.expected == pytest.approx(np.mean([whole for whole, _ in shuffled]), abs=1e-12)
        clusters = np.mean([each for _, each in shuffled], axis=0)
        np.testing.assert_allclose(found.clusters.expected, clusters, atol=1e-12)
        adjusted = (found.observed - found.expected) / (1.0 - found.expected)
        assert found.adjusted == pytest.approx(adjusted, abs=1e-12)


@pytest.mark.parametrize("index", ["ndc", "brouwer", "belief", fr.NDC(p=2), fr.NDC(q=3)], ids=str)
@pytest.mark.parametrize("kinds", ["fuzzy fuzzy", "hard fuzzy"])
def test_compiled_loops_give_the_same_wallace_indices(index, kinds):
    rng = np.random.default_rng(4)
    u, v = (rng.dirichlet([0.3] * 4, size=400) for _ in range(2))
    if kinds == "hard fuzzy":
        u = u.argmax(axis=1)
    plain = fr.explain(u, v, index=index, model="perm").wallace
    effort = fr.Effort(budget=fr.Budget(kept_pairs=10))
    quick = fr.explain(u, v, index=index, model="perm", effort=effort).wallace
    for side in ("first", "second"):
        one, two = getattr(plain, side), getattr(quick, side)
        assert two.observed == pytest.approx(one.observed, abs=1e-12)
        assert two.expected == pytest.approx(one.expected, abs=1e-7)
        np.testing.assert_allclose(two.clusters.observed, one.clusters.observed, atol=1e-12)
        np.testing.assert_allclose(two.clusters.expected, one.clusters.expected, atol=1e-7)


def test_wallace_of_hard_clusterings_counts_pairs():
    wallace = fr.explain([0, 0, 1, 1, 2], [0, 0, 0, 0, 1], model="perm").wallace
    assert wallace.first.observed == 1.0
    assert wallace.second.observed == pytest.approx(2 / 6)
    assert (wallace.completeness, wallace.homogeneity) == (1.0, wallace.second.observed)
    assert np.isnan(wallace.first.clusters.observed[2])  # a single point has no pair
    assert wallace.sentence.startswith("The first clustering is a refinement of the second")


def test_wallace_with_nobody_together():
    wallace = fr.explain([0, 1, 2, 3], [0, 0, 1, 1], model="perm").wallace
    assert np.isnan(wallace.first.observed)
    assert "Neither refines the other: one of them puts no two points together." in wallace.sentence


@pytest.mark.parametrize("model", ["perm", "fit", "sym", "flat", "empirical", "mixture"])
@pytest.mark.parametrize("fixed", [None, "first"])
def test_scores_average_to_the_adjusted_index_under_every_model(model, fixed):
    rng = np.random.default_rng(5)
    u = rng.dirichlet([0.5] * 3, size=60)
    v = 0.6 * u + 0.4 * rng.dirichlet([0.5] * 3, size=60)
    result = fr.explain(u, v, model=model, fixed=fixed)
    compared = fr.compare(u, v, model=model, fixed=fixed)
    assert result.adjusted == compared.adjusted
    assert result.points.mean() == pytest.approx(compared.adjusted, abs=1e-12)
    for scores, sizes in zip(result.clusters, result.sizes, strict=True):
        assert scores @ sizes / 60 == pytest.approx(compared.adjusted, abs=1e-12)


@pytest.mark.parametrize("model", ["cat", "num", "all"])
def test_hard_models(model):
    result = fr.explain([0, 0, 1, 1, 2, 2], [0, 0, 1, 1, 1, 2], model=model)
    assert result.points.mean() == pytest.approx(result.adjusted, abs=1e-12)
    assert (result.hardened, result.hardened_model) == (result.adjusted, model)


@pytest.mark.slow
def test_sampled_scores_are_unbiased_with_honest_errors():
    rng = np.random.default_rng(6)
    u = rng.dirichlet([0.3] * 3, size=1500)
    v = 0.5 * u + 0.5 * rng.dirichlet([0.3] * 3, size=1500)
    exact = fr.explain(u, v, model="perm")
    sampled = fr.explain(u, v, model="perm", effort=fr.Effort(pairs=200_000))
    z = (sampled.points - exact.points) / sampled.points_stderr
    assert abs(z.mean()) < 0.15
    assert 0.9 < z.std() < 1.1
    assert any("random pairs and has a Monte Carlo error" in note for note in sampled.notes)
    assert "score  error" in str(sampled.worst(2))
    assert "error" not in str(exact.worst(2))


@pytest.mark.slow
@pytest.mark.parametrize(("k", "concentration"), [(3, 0.3), (10, 0.1), (4, 3.0)])
def test_errors_of_sampled_scores_cover_as_normal_ones_do(k, concentration):
    """Scores of 4,000 points are within 1, 1.96 and 3 errors as often as they should be.

    Points of a group share their partners, so that shares vary more than those of independent
    points: between seeds by about 0.02, and 0.01, and 0.002.
    """
    rng = np.random.default_rng(k)
    alpha = [concentration] * k
    base = rng.dirichlet(alpha, size=4000)
    u, v = (0.7 * base + 0.3 * rng.dirichlet(alpha, size=4000) for _ in range(2))
    exact = fr.explain(u, v, model="perm", effort=fr.Effort(pairs="all"))
    sampled = fr.explain(u, v, model="perm", effort=fr.Effort(pairs=20_000))
    assert exact.points_stderr is None
    z = np.abs(sampled.points - exact.points) / sampled.points_stderr
    assert np.mean(z < 1.0) == pytest.approx(0.683, abs=0.06)
    assert np.mean(z < 1.96) == pytest.approx(0.950, abs=0.03)
    assert np.mean(z < 3.0) == pytest.approx(0.997, abs=0.006)


def test_hardened_index_is_that_of_the_strongest_clusters():
    rng = np.random.default_rng(8)
    u, v = (rng.dirichlet([0.4] * 4, size=80) for _ in range(2))
    result = fr.explain(u, v, model="fit")
    labels = fr.compare(u.argmax(axis=1), v.argmax(axis=1), model="fit")
    assert result.hardened == labels.adjusted
    assert result.hardened_model == "fit"
    means = [brute.agreements(side).mean() for side in (u, v)]
    np.testing.assert_allclose(result.mean_agreements, means, atol=1e-12)


def fuzzy_c_means(x, k, m, centres):
    for _ in range(300):
        distance = ((x[:, None] - centres) ** 2).sum(axis=2) ** (-1.0 / (m - 1.0))
        rows = distance / distance.sum(axis=1, keepdims=True)
        weights = rows**m
        centres = weights.T @ x / weights.sum(axis=0)[:, None]
    return rows


def test_iris_by_two_fuzzifiers_differs_in_fuzziness():
    datasets = pytest.importorskip("sklearn.datasets")
    x = datasets.load_iris().data
    two, five = (fuzzy_c_means(x, 3, m, x[[0, 60, 120]] + 0.01) for m in (2.0, 5.0))
    result = fr.explain(two, five, model="fit")
    assert result.adjusted < 0.1
    assert result.hardened > 0.9
    assert result.difference == "fuzziness"
    assert "differ in fuzziness rather than in structure" in str(result).replace("\n", " ")


def test_other_structure_is_called_structure():
    rng = np.random.default_rng(9)
    u, v = (rng.dirichlet([0.2] * 3, size=100) for _ in range(2))
    assert fr.explain(u, v).difference == "structure"
    assert fr.explain(u, u).difference == "nothing"
    assert "both are hard" in fr.explain([0, 0, 1, 1], [0, 1, 0, 1], model="perm").text()


def test_noise_that_is_treated_as_singletons():
    labels = [0, 0, 0, 1, 1, 1, -1, -1]
    other = [0, 0, 1, 1, 1, 1, 1, 0]
    result = fr.explain(labels, other, noise=-1, noise_as="singletons", model="perm")
    assert result.points.size == 8
    assert result.points.mean() == pytest.approx(result.adjusted, abs=1e-12)
    assert [scores.size for scores in result.clusters] == [2, 2]
    assert result.overlap.shape == (2, 2)
    assert result.names == (["0", "1"], ["0", "1"])
    assert result.worst(8)[0].first in ("0", "1", "noise")
    assert "noise" in result.to_frame("points")["first"].to_list()
    assert any("treated as singletons" in note for note in result.notes)


def test_fuzzy_noise_that_is_treated_as_singletons():
    rng = np.random.default_rng(10)
    rows = rng.dirichlet([0.5] * 3, size=30)[:, :2]
    other = rng.dirichlet([0.5] * 3, size=30)
    result = fr.explain(rows, other, missing="noise", noise_as="singletons", model="perm")
    assert result.points.mean() == pytest.approx(result.adjusted, abs=1e-12)
    assert [scores.size for scores in result.clusters] == [2, 3]
    np.testing.assert_allclose(result.sizes[0], rows.sum(axis=0))
    np.testing.assert_allclose(result.overlap, rows.T @ other)
    assert np.isfinite(result.hardened)
    assert "noise" in result.worst(30)[0].first


def test_worst_points_have_ids_and_memberships():
    pd = pytest.importorskip("pandas")
    ids = [f"p{i}" for i in range(6)]
    a = pd.Series(list("aaabbb"), index=ids)
    b = pd.DataFrame({"x": [1, 1, 0, 0, 0.1, 0], "y": [0, 0, 1, 1, 0.9, 1]}, index=ids)
    worst = fr.explain(a, b, model="perm").worst(2)
    assert worst[0].id == "p2"
    assert (worst[0].first, worst[0].second) == ("a", {"y": 1.0})
    assert len(worst) == 2
    assert worst[0].score <= worst[1].score
    assert "p2" in str(worst)
    with pytest.raises(fr.ParameterError, match="positive integer"):
        fr.explain(a, b, model="perm").worst(0)


def test_left_out_points_keep_their_positions():
    a, b = [0, 0, None, 1, 1, 1], [0, 0, 0, 0, 1, 1]
    result = fr.explain(a, b, missing="drop", model="perm")
    assert sorted(point.id for point in result.worst()) == [0, 1, 3, 4, 5]
    assert result.worst(1)[0].id == 3


@pytest.mark.parametrize("backend", ["pandas", "polars"])
def test_frames(backend):
    pytest.importorskip(backend)
    result = fr.explain(list("aaabbb"), [[1, 0]] * 3 + [[0.2, 0.8]] * 3, model="perm")
    points = result.to_frame("points", backend=backend)
    assert list(points["score"]) == result.points.tolist()
    assert list(points["second_membership"]) == [1.0] * 3 + [0.8] * 3
    clusters = result.to_frame("clusters", backend=backend)
    assert list(clusters["side"]) == ["first"] * 2 + ["second"] * 2
    assert list(clusters["cluster"]) == ["a", "b", "a", "b"]
    with pytest.raises(fr.UnknownNameError):
        result.to_frame("cells")
    with pytest.raises(fr.UnknownNameError):
        result.to_frame("points", backend="arrow")


def test_results_are_plain_and_can_be_pickled():
    rng = np.random.default_rng(11)
    result = fr.explain(rng.integers(3, size=20), rng.dirichlet([1.0] * 3, size=20))
    told = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert told["points"] == result.points.tolist()
    assert told["adjusted"] == result.adjusted
    again = pickle.loads(pickle.dumps(result))
    assert str(again) == str(result)
    assert "<table>" in result._repr_html_()


def test_very_many_cells_are_not_tabulated():
    few = fr.Effort(budget=fr.Budget(table_cells=3))
    assert fr.explain([0, 0, 1, 1], [0, 0, 1, 1], model="perm", effort=few).overlap is None


def test_the_same_clustering_and_no_chance_to_differ():
    same = fr.explain([0, 0, 1, 1], [1, 1, 0, 0], model="perm")
    assert same.points.tolist() == [1.0] * 4
    assert "each is a refinement" in same.wallace.sentence
    alike = fr.explain([0, 0, 0], [1, 1, 1], model="perm")
    assert alike.points.tolist() == [1.0] * 3
    assert alike.wallace.first.adjusted == 1.0


def test_possibilistic_rows():
    rng = np.random.default_rng(12)
    u, v = rng.random((2, 30, 3))
    result = fr.explain(u, v, model="perm", possibilistic=True)
    assert result.points.mean() == pytest.approx(result.adjusted, abs=1e-12)


def test_an_index_of_whole_clusterings_is_refused():
    with pytest.raises(fr.NotApplicableError, match="not a mean over points"):
        fr.explain([0, 0, 1], [0, 1, 1], index="frobenius", model="perm")


def test_an_index_of_ones_own():
    index = fr.CustomIndex(
        lambda u, v: 1.0 - 0.5 * np.abs(u - v).sum(axis=1), lambda a, b: 1.0 - (a - b) ** 4
    )
    rng = np.random.default_rng(13)
    labels, rows = rng.integers(2, size=25), rng.dirichlet([1.0] * 3, size=25)
    result = fr.explain(labels, rows, index=index, model="perm")
    assert result.points.mean() == pytest.approx(result.adjusted, abs=1e-9)
    assert np.isfinite(result.wallace.first.adjusted)
    assert np.isfinite(result.wallace.second.adjusted)


def test_strongest_clusters_that_nobody_has_do_not_exist():
    hard = strongest_clusters(as_partition([[0.2, 0.1, 0.7], [0.8, 0.1, 0.1]]))
    assert hard.codes.tolist() == [1, 0]
    assert hard.k == 2


def test_the_matching_is_that_of_match():
    a, b = [0, 0, 1, 1, 2, 2], [1, 1, 0, 0, 0, 2]
    explained = fr.explain(a, b, model="perm")
    assert explained.matching.pairs == fr.match(a, b).pairs == [(0, 1), (1, 0), (2, 2)]
    assert explained.overlap.sum() == 6


@pytest.mark.parametrize(
    ("belongs", "text"),
    [
        ({"a": 0.8, "b": 0.15, "c": 0.05}, "a 0.80, b 0.15, c 0.05"),
        ({"sevens": 0.88, "eights": 0.07, "ones": 0.05}, "sevens 0.88, eights 0.07"),
        ({"a" * 40: 0.6, "b" * 40: 0.4}, "aaa…aaaaa 0.60, bbb…bbbbb 0.40"),
        ({"c" * 40: 1.0}, "cccccccc…ccccccccccccccc 1.00"),
        ({"a": 0.004}, ""),
    ],
)
def test_names_that_do_not_fit_are_fewer_before_they_are_cut(belongs, text):
    assert membership_text(belongs) == text
    assert len(text) <= 30


def test_printed_lines_fit_the_width():
    names = [f"a rather long name {c}" for c in "xyz"]
    labels = [names[i % 3] for i in range(30)]
    text = str(fr.explain(labels, labels[1:] + labels[:1], model="perm"))
    assert max(map(len, text.splitlines())) <= 94
    assert all(f"name {c}" in text for c in "xyz")


@pytest.mark.parametrize("first", [True, False])
def test_every_clustering_refines_a_single_cluster_but_so_does_chance(first):
    """Hard, nearly hard and fuzzy clusterings agree about it."""
    rng = np.random.default_rng(0)
    soft = rng.dirichlet([0.3] * 3, 30)
    hard, one = soft.argmax(axis=1), np.zeros(30, dtype=int)
    nearly = 0.999 * np.eye(3)[hard] + 0.001 / 3
    alike = np.full((30, 2), 0.5)
    sentences = set()
    for other in (hard, nearly, soft):
        for trivial in (one, alike):
            pair = (trivial, other) if first else (other, trivial)
            wallace = fr.explain(*pair, model="perm").wallace
            assert wallace.first.adjusted == pytest.approx(0.0, abs=1e-12)
            assert wallace.second.adjusted == pytest.approx(0.0, abs=1e-12)
            for side in (wallace.first, wallace.second):
                assert side.observed == pytest.approx(side.expected)
                assert np.abs(side.clusters.adjusted).max() < 1e-12
            sentences.add(wallace.sentence)
    (sentence,) = sentences
    which = "first" if first else "second"
    assert sentence.startswith(f"All points are alike in the {which} clustering. Every clustering ")
    assert fr.explain(one, one, model="perm").wallace.first.adjusted == 1.0


def test_clusters_without_pairs_have_no_index_beside_a_single_cluster():
    labels = [0, 0, 0, 1, 2]
    clusters = fr.explain([0] * 5, labels, model="perm").wallace.second.clusters
    assert clusters.adjusted[0] == 0.0
    assert np.isnan(clusters.adjusted[1:]).all()


class TestNames:
    """Clusters that are only numbered have the names of their partners."""

    def test_numbers_follow_the_first(self):
        first, second = [0] * 5 + [1] * 5 + [2] * 5, [2] * 5 + [0] * 5 + [1] * 4 + [0]
        result = fr.explain(first, second)
        assert result.names == (["0", "1", "2"], ["1", "2", "0"])
        assert np.array_equal(result.overlap.argmax(axis=0), [1, 2, 0])  # columns stay
        (note,) = (note for note in result.notes if "only numbered" in note)
        assert "(1 was 0, 2 was 1, 0 was 2)" in note
        assert result.worst(1)[0].second == "1"
        assert result.matching.names == (["0", "1", "2"], ["0", "1", "2"])  # their own
        assert pickle.loads(pickle.dumps(result)).names == result.names

    def test_names_stay_and_numbers_get_them(self):
        named = fr.explain([0, 0, 1, 1], ["x", "x", "y", "y"])
        assert named.names == (["0", "1"], ["x", "y"])
        numbered = fr.explain(["x", "x", "y", "y"], [7, 7, 3, 3])
        assert numbered.names[1] == ["y", "x"]
        same = fr.explain([0, 0, 1, 1], [0, 0, 1, 0])
        assert not any("only numbered" in note for note in same.notes)

    def test_clusters_without_a_partner_have_names_of_their_own(self):
        result = fr.explain([0] * 6 + [1] * 6, [1] * 6 + [0] * 3 + [2] * 3)
        assert sorted(result.names[1]) == ["0", "1", "2"]
        assert result.names[1][1] == "0"

    def test_sparse_and_noise(self):
        sparse = pytest.importorskip("scipy.sparse")
        rows = np.eye(3)[[0, 0, 1, 1, 2, 2]]
        rows[0] = [0.5, 0.5, 0.0]
        shuffled = sparse.csr_array(rows[:, [1, 2, 0]])
        assert fr.explain(rows, shuffled).names[1] == ["1", "2", "0"]
        noisy = fr.explain(
            [0, 0, 1, 1, -1, 2], [2, 2, 0, 0, -1, -1], noise=-1, noise_as="singletons"
        )
        assert noisy.names[1] == ["1", "0"]
