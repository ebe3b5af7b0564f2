"""The omega index of covers: against the definition, all permutations, clusim and scikit-learn."""

import itertools
import json
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse
from sklearn.metrics import adjusted_rand_score

import fuzzyrand as fr
from fuzzyrand._pairs import cover_levels as covers
from fuzzyrand.report import comparison_report, explanation_report

from .. import brute
from ..examples import examples

RNG = np.random.default_rng(11)
N = 80
HIDDEN = RNG.integers(5, size=N)
FIRST = np.maximum(np.eye(5)[HIDDEN], RNG.random((N, 5)) < 0.1)
SECOND = np.abs(FIRST - (RNG.random((N, 5)) < 0.06))
A, B = fr.as_cover(FIRST), fr.as_cover(SECOND)
OMEGA = {"index": "omega"}


@st.composite
def two_covers(draw, fewest=3, most=10):
    n = draw(st.integers(fewest, most))
    clusters = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    return [draw(arrays(np.int8, (n, k), elements=st.integers(0, 1))) for k in clusters]


@given(two_covers())
def test_definition(pair):
    observed, expected = brute.omega(*pair)
    a, b = map(fr.as_cover, pair)
    assert fr.similarity(a, b, **OMEGA) == pytest.approx(observed, abs=1e-13)
    assert fr.expected_similarity(a, b, **OMEGA) == pytest.approx(expected, abs=1e-13)
    assume(expected < 1.0 - 1e-9)
    result = fr.compare(a, b, **OMEGA)
    assert result.adjusted == pytest.approx((observed - expected) / (1.0 - expected), abs=1e-12)
    assert result.exact


@examples(15)
@given(two_covers(), st.booleans())
def test_merged_points_and_sorted_points_give_the_same(pair, merge):
    pair = [np.repeat(rows, 4, axis=0) for rows in pair]
    observed, expected = brute.omega(*pair)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(covers, "MERGED", 0.0 if merge else np.inf)
        patch.setattr(covers, "MANY", 1)
        patch.setattr(covers, "TASK", 5)
        a, b = (fr.as_partition(rows.astype(float), possibilistic=True) for rows in pair)
        found = 1.0 - covers.point_discordances(a, b).mean()
        assert found == pytest.approx(observed, abs=1e-13)
        index = fr.Omega()
        assert 1.0 - index.expected(a, b).value == pytest.approx(expected, abs=1e-13)


def _permuted(first, second):
    a, n = brute.levels(first), len(first)
    orders = itertools.permutations(range(n))
    return np.array([np.mean(a != brute.levels(second[list(order)])) for order in orders])


@examples(4)
@given(two_covers(fewest=5, most=6))
def test_moments_and_draws_over_all_permutations(pair):
    expected = 1.0 - brute.omega(*pair)[1]
    assume(expected > 1e-9)
    values = _permuted(*pair)
    assume(np.ptp(values) > 1e-9)  # otherwise there is nothing to test
    a, b = map(fr.as_cover, pair)
    test = fr.significance(a, b, **OMEGA)
    assert test.exhaustive
    assert values.mean() == pytest.approx(expected, abs=1e-13)
    assert test.null_sd == pytest.approx(values.std() / expected, abs=1e-9)
    assert np.sort(1.0 - test.null) == pytest.approx(np.sort(values / expected), abs=1e-12)
    observed = 1.0 - brute.omega(*pair)[0]
    assert test.pvalue == pytest.approx(np.mean(values <= observed + 1e-12))


def test_random_shuffles_have_the_exact_moments():
    test = fr.significance(
        A, fr.as_cover(RNG.permutation(SECOND)), **OMEGA, draws=2000, alternative="two-sided"
    )
    assert test.null.size > 100
    error = test.null_sd / np.sqrt(test.null.size)
    assert abs(test.null.mean()) < 5.0 * error
    assert abs(test.null.std() / test.null_sd - 1.0) < 5.0 / np.sqrt(test.null.size)


def test_a_sample_of_the_points_is_shuffled_where_pairs_are_many():
    few = fr.Effort(budget=fr.Budget(shuffled_pairs=200))
    test = fr.significance(A, B, **OMEGA, draws=99, effort=few)
    assert test.points < N
    assert test.pvalue <= 0.05
    assert "the test used a random sample of" in test.notes[0]


def test_clusters_that_do_not_overlap_give_the_adjusted_rand_index():
    other = np.where(RNG.random(N) < 0.3, RNG.integers(4, size=N), HIDDEN)
    ari = adjusted_rand_score(HIDDEN, other)
    a, b = fr.as_cover(np.eye(5)[HIDDEN]), fr.as_cover(np.eye(5)[other])
    assert a.is_hard
    for index in ("omega", "rand", "ndc"):
        assert fr.adjusted_similarity(a, b, index=index) == pytest.approx(ari, abs=1e-13)
    plain, omega = (fr.explain(a, b, index=index) for index in ("rand", "omega"))
    assert omega.points == pytest.approx(plain.points, abs=1e-12)
    assert omega.wallace.first.adjusted == pytest.approx(plain.wallace.first.adjusted, abs=1e-12)
    plain, omega = (fr.confidence_interval(a, b, index=index) for index in ("rand", "omega"))
    assert [*omega] == pytest.approx([*plain], abs=1e-9)


def test_hard_with_overlapping():
    observed, expected = brute.omega(np.eye(5)[HIDDEN], SECOND)
    result = fr.compare(HIDDEN, B, **OMEGA)
    assert (result.observed, result.expected) == pytest.approx((observed, expected), abs=1e-13)
    assert fr.significance(HIDDEN, B, **OMEGA, draws=99).pvalue <= 0.05


def test_points_in_no_cluster_share_none():
    every = range(6)
    a = fr.as_cover([{0, 1, 2}, {2, 3}], points=every)
    assert a.unclustered == 2
    b = fr.as_cover([{0, 1}, {2, 3}], points=every)
    rows = np.zeros((6, 2)), np.zeros((6, 2))
    rows[0][[0, 1, 2], 0] = rows[0][[2, 3], 1] = 1
    rows[1][[0, 1], 0] = rows[1][[2, 3], 1] = 1
    observed, expected = brute.omega(*rows)
    result = fr.compare(a, b, **OMEGA)
    assert (result.observed, result.expected) == pytest.approx((observed, expected), abs=1e-13)
    assert "2 points in none" in str(result)
    assert "2 of 6 points of the second clustering are noise points" in " ".join(result.notes)


@pytest.mark.filterwarnings("ignore")
@examples(20)
@given(two_covers(fewest=4))
def test_clusim_where_every_point_is_in_a_cluster(pair):
    """clusim has no unclustered points: elements are those in clusters, so others are added."""
    clustering = pytest.importorskip("clusim.clustering", reason="clusim is not installed")
    from clusim import sim

    both = [np.hstack([rows, 1 - rows.max(axis=1, keepdims=True)]) for rows in pair]
    expected = brute.omega(*both)[1]
    assume(expected < 1.0 - 1e-9)
    theirs = sim.omega_index(
        *(
            clustering.Clustering(
                elm2clu_dict={i: np.flatnonzero(row).tolist() for i, row in enumerate(rows)}
            )
            for rows in both
        )
    )
    a, b = map(fr.as_cover, both)
    assert fr.adjusted_similarity(a, b, **OMEGA) == pytest.approx(theirs, abs=1e-12)


def test_explanations():
    result = fr.explain(A, B, **OMEGA)
    a, b = brute.levels(FIRST), brute.levels(SECOND)
    i, j = np.triu_indices(N, 1)
    scale = 1.0 - brute.omega(FIRST, SECOND)[1]
    sums = np.bincount(i, a != b, minlength=N) + np.bincount(j, a != b, minlength=N)
    assert result.points == pytest.approx(1.0 - sums / (N - 1) / scale, abs=1e-12)
    assert result.points.mean() == pytest.approx(result.adjusted, abs=1e-12)
    shares = np.array([np.mean(b == t) for t in range(a.max() + 1)])
    for cluster in range(5):
        inside = (FIRST[i, cluster] == 1) & (FIRST[j, cluster] == 1)
        observed, chance = np.mean(a[inside] == b[inside]), np.mean(shares[a[inside]])
        found = result.wallace.first.clusters
        assert found.observed[cluster] == pytest.approx(observed, abs=1e-12)
        assert found.expected[cluster] == pytest.approx(chance, abs=1e-12)
    assert "two points share" in result.difference_sentence
    assert "," in str(result.worst(1))
    assert pickle.loads(pickle.dumps(result)).adjusted == result.adjusted
    assert json.dumps(result.to_dict(), allow_nan=False)


def test_intervals_follow_from_leaving_points_out():
    """The influence of a point is about n - 1 times what leaving it out changes."""
    interval = fr.confidence_interval(A, B, **OMEGA)
    left = np.array(
        [
            fr.adjusted_similarity(
                fr.as_cover(np.delete(FIRST, i, 0)), fr.as_cover(np.delete(SECOND, i, 0)), **OMEGA
            )
            for i in range(N)
        ]
    )
    jackknife = np.sqrt((N - 1) / N * ((left - left.mean()) ** 2).sum())
    assert interval.low < interval.adjusted < interval.high
    assert interval.high - interval.low == pytest.approx(3.98 * jackknife, rel=0.15)
    paired = fr.confidence_interval(A, (B, HIDDEN), **OMEGA)
    assert paired.low < paired.adjusted < paired.high


def test_other_indices_and_models_say_why_not():
    for index in set(fr.indices.INDICES) - {"omega"}:
        with pytest.raises(
            fr.NotApplicableError, match=r"clusters overlap.*index='omega' is: it counts"
        ):
            fr.compare(A, B, index=index)
    with pytest.raises(fr.NotApplicableError, match="'fit' does not draw clusters that overlap"):
        fr.compare(A, B, **OMEGA, model="fit")
    with pytest.raises(fr.NotApplicableError, match="fuzzy: points belong to clusters by degrees"):
        fr.compare(A, RNG.dirichlet([1, 1], size=N), **OMEGA)
    with pytest.raises(fr.NotApplicableError, match="clusters overlap"):
        fr.check_model(A)
    assert fr.compare(A, B, **OMEGA, model="every").models == ["perm"]


def test_binary_memberships_are_read_as_a_cover():
    assert fr.adjusted_similarity(
        FIRST, SECOND, **OMEGA, possibilistic=True
    ) == fr.adjusted_similarity(A, B, **OMEGA)


def test_common_points_and_many_covers():
    ids = [f"v{i}" for i in range(N)]
    frame = pd.DataFrame(FIRST, index=ids)
    a, b = fr.as_cover(frame), fr.as_cover(pd.DataFrame(SECOND, index=ids).iloc[::-1].iloc[:70])
    result = fr.compare(a, b, **OMEGA, points="common")
    assert result.left_out == (10, 0)
    cut = fr.compare(fr.as_cover(FIRST[10:]), fr.as_cover(SECOND[10:]), **OMEGA)
    assert result.adjusted == pytest.approx(cut.adjusted, abs=1e-13)
    pairs = fr.pairwise({"a": A, "b": B, "hard": HIDDEN}, **OMEGA)
    assert pairs["b", "hard"].adjusted == fr.adjusted_similarity(B, HIDDEN, **OMEGA)
    assert pairs["a", "a"].adjusted == 1.0


def test_matching_measures_against_sizes_of_clusters():
    matching = fr.match(A, A)
    assert [row[3] for row in matching.rows] == [1.0] * 5
    assert "several clusters at once" in matching.notes[0]


def test_reports():
    table = fr.compare(A, B, **OMEGA, model=["perm"])
    assert "Collins &amp; Dent" in comparison_report(
        table, A, B, names=("a", "b"), command="x", methods=True
    )
    page = explanation_report(fr.explain(A, B, **OMEGA), names=("a", "b"), command="x")
    assert "Which points have the lowest scores" in page


def test_very_large_clusters_are_refused(monkeypatch):
    monkeypatch.setattr(covers, "MOST", 10.0)
    with pytest.raises(fr.NotApplicableError, match="Compare a sample of the points"):
        fr.compare(fr.as_cover(FIRST), fr.as_cover(SECOND), **OMEGA)


def test_sparse_matrices_of_many_clusters():
    n, k = 3000, 400
    rows = np.arange(n).repeat(2)
    parts = [
        sparse.csr_array((np.ones(2 * n), (rows, RNG.integers(k, size=2 * n))), shape=(n, k))
        for _ in range(2)
    ]
    dense = [np.minimum(part.toarray(), 1.0) for part in parts]
    for part in parts:
        part.sum_duplicates()
        part.data[:] = 1.0
    together = [rows @ rows.T for rows in dense]
    i, j = np.triu_indices(n, 1)
    observed = np.mean(together[0][i, j] == together[1][i, j])
    found = fr.compare(*map(fr.as_cover, parts), **OMEGA)
    assert found.observed == pytest.approx(observed, abs=1e-13)
