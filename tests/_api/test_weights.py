"""Weights of points: brute force over pairs, and what weights must and must not change."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.sparse import csr_array

import fuzzyrand as fr
from tests import brute
from tests.examples import examples
from tests.strategies import two_clusterings

PAIR_INDICES = ["ndc", "brouwer", "consistency", "belief", "jousselme", fr.NDC(p=2), fr.NDC(q=2)]
HARD_INDICES = ["rand", "fm", "jaccard", "accuracy", "nca"]
TABLE_INDICES = ["frobenius", "mi", "vi"]


def pair_weights(w):
    return np.array([w[i] * w[j] for i, j in combinations(range(len(w)), 2)])


def of_pairs(name, u):
    if isinstance(name, fr.NDC):
        return brute.agreements(u, name.agreement.p)
    return np.asarray(brute.pair_agreements(name, u))


def discordance(name, a, b):
    if isinstance(name, fr.NDC):
        return np.abs(a - b) ** name.concordance.power
    return 1.0 - brute.concordance(name, a, b)


@st.composite
def weighted(draw, kinds=("hard", "fuzzy")):
    first, second = draw(two_clusterings(kinds))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    shape = draw(st.sampled_from([0.2, 1.0, 20.0]))
    return first, second, rng.gamma(shape, size=len(first)) + 1e-3


@pytest.mark.parametrize("index", PAIR_INDICES, ids=str)
@given(data=weighted())
@examples(12)
def test_pair_indices_are_weighted_means_over_pairs(index, data):
    first, second, w = data
    a, b = (of_pairs(index, brute.memberships(x)) for x in (first, second))
    p = pair_weights(w) / pair_weights(w).sum()
    observed = p @ discordance(index, a, b)
    expected = p @ discordance(index, a[:, None], b[None, :]) @ p
    assert fr.similarity(first, second, index=index, weights=w) == pytest.approx(
        1.0 - observed, abs=1e-10
    )
    found = fr.expected_similarity(first, second, index=index, weights=w)
    assert found == pytest.approx(1.0 - expected, abs=1e-10)


@given(data=weighted(kinds=("fuzzy",)))
@examples(10)
def test_empirical_draws_rows_in_proportion_to_weights(data):
    first, second, w = data
    u, v = (brute.memberships(x) for x in (first, second))
    a, b = (1.0 - 0.5 * np.abs(x[:, None] - x[None]).sum(axis=2) for x in (u, v))
    p = (np.outer(w, w) / w.sum() ** 2).ravel()
    expected = 1.0 - p @ np.abs(a.ravel()[:, None] - b.ravel()[None]) @ p
    found = fr.expected_similarity(first, second, model="empirical", weights=w)
    assert found == pytest.approx(expected, abs=1e-10)


@given(data=weighted(kinds=("hard",)))
@examples(20)
def test_hard_models_take_weighted_shares(data):
    first, second, w = data
    shares = [np.bincount(x, w) / w.sum() for x in (first, second)]
    q1, q2 = (float(s @ s) for s in shares)
    found = fr.expected_similarity(first, second, model="cat", weights=w)
    assert found == pytest.approx(q1 * q2 + (1 - q1) * (1 - q2), abs=1e-12)
    for model in ("num", "all"):
        plain = fr.expected_similarity(first, second, model=model)
        assert fr.expected_similarity(first, second, model=model, weights=w) == plain


def repeated(clustering, counts):
    return np.repeat(np.asarray(clustering), counts, axis=0)


@pytest.mark.parametrize("model", ["fit", "sym", fr.Fit(estimator="moments")], ids=str)
def test_fits_with_whole_weights_are_those_of_repeated_rows(model):
    rng = np.random.default_rng(1)
    rows, counts = rng.dirichlet([2.0, 1.0, 0.5], 60), rng.integers(1, 5, 60)
    labels = rng.integers(3, size=60)
    weighted = fr.compare(labels, rows, model=model, weights=counts)
    whole = fr.compare(repeated(labels, counts), repeated(rows, counts), model=model)
    assert weighted.laws[1]["text"] == whole.laws[1]["text"]


@pytest.mark.parametrize("index", [*HARD_INDICES, *TABLE_INDICES], ids=str)
def test_table_indices_with_whole_weights_are_those_of_repeated_points(index):
    rng = np.random.default_rng(2)
    first, second, counts = (
        rng.integers(3, size=40),
        rng.integers(4, size=40),
        rng.integers(1, 6, 40),
    )
    found = fr.similarity(first, second, index=index, weights=counts)
    if index in ("rand", "fm", "jaccard", "frobenius"):  # of pairs of different points
        p = pair_weights(counts)
        one, two = (
            np.array([x[i] == x[j] for i, j in combinations(range(40), 2)]) for x in (first, second)
        )
        n1, n2, both = p @ one, p @ two, p @ (one & two)
        wanted = {
            "rand": 1.0 - (n1 + n2 - 2 * both) / p.sum(),
            "frobenius": 1.0 - (n1 + n2 - 2 * both) / p.sum(),
            "fm": both / np.sqrt(n1 * n2),
            "jaccard": both / (n1 + n2 - both),
        }[index]
    else:
        wanted = fr.similarity(repeated(first, counts), repeated(second, counts), index=index)
    if index == "vi":  # relative to the logarithm of the number of points
        wanted = 1.0 - (1.0 - wanted) * np.log(counts.sum()) / np.log(40)
    assert found == pytest.approx(wanted, abs=1e-12)


@given(data=weighted(kinds=("fuzzy", "hard")))
@examples(15)
def test_frobenius_sums_weighted_entries(data):
    u, v, w = brute.memberships(data[0]), brute.memberships(data[1]), data[2]
    outer = np.outer(w, w)
    dots = [x @ x.T for x in (u, v)]
    scales = [(outer * s).sum() / (outer * s**2).sum() for s in dots]
    apart = scales[0] * dots[0] - scales[1] * dots[1]
    pairs = outer.sum() - (w**2).sum()
    found = fr.similarity(data[0], data[1], index="frobenius", weights=w)
    assert found == pytest.approx(1.0 - (outer * apart**2).sum() / pairs, abs=1e-9)


@pytest.mark.parametrize("index", ["mi", "jaccard", "accuracy", "fm"])
def test_expected_tables_draw_rows_as_often_as_weights_say(index):
    rng = np.random.default_rng(3)
    first, second = rng.integers(3, size=30), rng.integers(3, size=30)
    w = np.where(second == 0, 3.0, 1.0) * rng.uniform(0.5, 1.5, 30)
    w /= w.mean()
    found = fr.compare(first, second, index=index, weights=w)
    drawn = []
    for _ in range(400):  # each row as often as its weight says, on average, in random order
        order = rng.permutation(30)
        edges = np.concatenate([[0.0], np.cumsum(w[order])])
        counts = np.diff(np.floor(edges + rng.random())).astype(int)
        rows = np.repeat(order, counts)[:30]
        if rows.size == 30:
            drawn.append(second[rng.permutation(rows)])
    if index == "fm":  # a closed form: pairs of rows in proportion to both weights
        p = pair_weights(w)
        one, two = (
            p @ np.array([x[i] == x[j] for i, j in combinations(range(30), 2)])
            for x in (first, second)
        )
        assert found.expected == pytest.approx(np.sqrt(one * two) / p.sum(), abs=1e-12)
        return
    if index == "mi":
        scale = _entropy(first, w) + _entropy(second, w)
        values = np.array([2.0 * _information(first, x, w) / scale for x in drawn])
    else:
        values = np.array([fr.similarity(first, x, index=index, weights=w) for x in drawn])
    error = np.hypot(values.std() / np.sqrt(len(values)), found.computed["expected_stderr"])
    assert abs(found.expected - values.mean()) < 4.0 * error


def _entropy(labels, w):
    p = np.bincount(labels, w) / w.sum()
    return -(p[p > 0] @ np.log(p[p > 0]))


def _information(first, second, w):
    joint = first * (second.max() + 1) + second
    return _entropy(first, w) + _entropy(second, w) - _entropy(joint, w)


@pytest.mark.parametrize("index", [*PAIR_INDICES, *TABLE_INDICES], ids=str)
@given(data=two_clusterings())
@examples(5)
def test_equal_weights_change_nothing(index, data):
    plain = fr.similarity(*data, index=index)
    assert fr.similarity(*data, index=index, weights=np.full(len(data[0]), 0.3)) == plain


@given(data=weighted(), scale=st.sampled_from([2.0, 1e-200, 1e200, 3.7]))
@examples(15)
def test_only_ratios_of_weights_matter(data, scale):
    first, second, w = data
    found = fr.similarity(first, second, weights=w * scale)
    assert found == pytest.approx(fr.similarity(first, second, weights=w), abs=1e-12)


@given(data=weighted(), seed=st.integers(0, 1000))
@examples(15)
def test_zero_weights_leave_points_out(data, seed):
    first, second, w = data
    keep = np.random.default_rng(seed).random(len(w)) < 0.7
    if keep.sum() < 2:
        return
    found = fr.compare(first, second, weights=np.where(keep, w, 0.0))
    part = fr.compare(first[keep], second[keep], weights=w[keep])
    assert found.adjusted == pytest.approx(part.adjusted, abs=1e-9)
    assert found.n == keep.sum()


def test_sparse_memberships_are_weighted_like_dense_ones():
    rng = np.random.default_rng(4)
    u, v = (rng.dirichlet(np.full(6, 0.2), 80) for _ in range(2))
    for x in (u, v):
        x[x < 0.05] = 0.0
        x /= x.sum(axis=1, keepdims=True)
    w = rng.gamma(1.0, size=80)
    for index in ("ndc", "brouwer", "consistency", "mi"):
        dense = fr.similarity(u, v, index=index, weights=w)
        assert fr.similarity(csr_array(u), csr_array(v), index=index, weights=w) == pytest.approx(
            dense, abs=1e-12
        )


def test_many_points_are_surveyed_and_sampled_with_their_weights():
    rng = np.random.default_rng(5)
    n = 1600  # more pairs than are kept
    u, v, w = rng.dirichlet([1, 1, 1], n), rng.dirichlet([0.5, 1], n), rng.gamma(1.0, size=n)
    a, b = (of_pairs("ndc", x) for x in (u, v))
    p = np.outer(w, w)[np.triu_indices(n, 1)]
    wanted = 1.0 - p @ np.abs(a - b) / p.sum()
    found = fr.compare(u, v, weights=w)
    assert found.observed == pytest.approx(wanted, abs=1e-10)
    with pytest.warns(fr.SampledPairsWarning):
        sampled = fr.similarity(u, v, weights=w, tol=1e-3, effort=fr.Effort(pairs=200_000))
    assert abs(sampled - wanted) < 4e-3
    few = fr.compare(u, v, weights=w, effort=fr.Effort(pairs=200_000))
    assert abs(few.expected - found.expected) < 5.0 * few.computed["expected_stderr"] + 1e-9
    own = fr.CustomIndex(
        lambda x, y: 1.0 - 0.5 * np.abs(x - y).sum(axis=-1), lambda x, y: 1 - abs(x - y)
    )
    again = fr.similarity(u, v, index=own, weights=w, effort=fr.Effort(pairs="all"))
    assert again == pytest.approx(wanted, abs=1e-10)


def test_series_is_matched_by_its_index():
    ids = [f"p{i}" for i in range(40)]
    rng = np.random.default_rng(6)
    first, second = (pd.Series(rng.integers(3, size=40), index=ids) for _ in range(2))
    w = pd.Series(rng.gamma(1.0, size=40), index=ids)
    plain = fr.adjusted_similarity(first, second, weights=w.to_numpy())
    assert fr.adjusted_similarity(first, second, weights=w.sample(frac=1, random_state=0)) == plain
    common = fr.adjusted_similarity(first, second.iloc[::-1], weights=w, points="common")
    assert common == pytest.approx(plain, abs=1e-12)
    labels = first.where(first != 2, -1)
    kept = labels != -1
    dropped = fr.adjusted_similarity(labels, second, noise=-1, noise_as="drop", weights=w)
    part = fr.adjusted_similarity(labels[kept], second[kept], weights=w[kept])
    assert dropped == pytest.approx(part, abs=1e-12)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1, -2, 1, 1], r"entry 1 of weights is -2.0"),
        ([1, 1, np.nan, 1], r"entry 2 of weights is nan"),
        ([1, 1, 1, np.inf], r"entry 3 of weights is inf"),
        ([0, 0, 0, 0], r"none of 4 points have a weight"),
        ([0, 0, 2, 0], r"only 1 of 4 points"),
        ([1, 2, 3], r"weights has 3 rows"),
        ("heavy", r"one number for each point"),
        (["1", "2", "3", "4"], r"one number for each point"),
        ([1, None, 1, 1], r"one number for each point|is nan"),
        (np.ones(4) + 1j, r"one number for each point"),
        ([[1, 2, 3, 4]], r"one number for each point"),
    ],
)
def test_bad_weights_are_refused(weights, message):
    with pytest.raises(fr.InputError, match=message):
        fr.compare([0, 0, 1, 1], [0, 1, 0, 1], weights=weights)


def test_what_takes_no_weights_refuses_them():
    rng = np.random.default_rng(7)
    soft, labels, w = (
        rng.dirichlet([1, 1, 1], 30),
        rng.integers(3, size=30),
        rng.gamma(1.0, size=30),
    )
    own = fr.Custom(lambda memberships: stats.dirichlet(memberships.mean(axis=0)))
    with pytest.raises(fr.NotApplicableError, match="weights"):
        fr.compare(soft, labels, model=own, weights=w)


def population_and_sample(rng, n=3000):
    """Two strata, one of which is sampled far less often, and in which agreement is worse."""
    stratum = rng.random(n) < 0.75
    truth = rng.integers(4, size=n)
    wrong = rng.random(n) < np.where(stratum, 0.7, 0.1)
    found = np.where(wrong, rng.integers(4, size=n), truth)
    chance = np.where(stratum, 0.06, 0.5)
    return truth, found, rng.random(n) < chance, 1.0 / chance


def test_weights_estimate_the_value_of_a_population():
    rng = np.random.default_rng(8)
    gaps, plain = [], []
    for _ in range(40):
        truth, found, sample, w = population_and_sample(rng)
        value = fr.adjusted_similarity(truth, found)
        weighted = fr.adjusted_similarity(truth[sample], found[sample], weights=w[sample])
        gaps.append(weighted - value)
        plain.append(fr.adjusted_similarity(truth[sample], found[sample]) - value)
    stderr = np.std(gaps, ddof=1) / np.sqrt(len(gaps))
    assert abs(np.mean(gaps)) < 2.0 * stderr
    assert np.mean(plain) > 0.2


def test_balanced_weights_make_classes_count_alike():
    labels = ["a"] * 6 + ["b"] * 3
    assert fr.balanced_weights(labels) == pytest.approx([1 / 6] * 6 + [1 / 3] * 3)
    with pytest.raises(fr.InputError):
        fr.balanced_weights(np.ones((3, 2)))
