"""Mutual information and its relatives: definitions, means under every model, other tools."""

import warnings
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import xlogy
from sklearn import metrics

import fuzzyrand as fr
from fuzzyrand._distributions.information_moments import ColumnMoments, shuffled_information
from fuzzyrand._pairs.random_tables import ShuffledTables
from fuzzyrand._pairs.table import CrossTabulation
from fuzzyrand.indices.expected_information import expected_information

from .. import brute
from ..examples import examples
from ..strategies import fuzzy, hard, two_clusterings

NORMS = ("arithmetic", "max", "min", "geometric")
EXACT = ("mi", "vi", "homogeneity", "completeness", fr.MI("max"), fr.MI("joint"))


def information(u, v):
    """The mutual information and both entropies, from the definition."""
    table = u.T @ v / len(u)
    first, second = table.sum(axis=1), table.sum(axis=0)
    h1, h2, both = (-xlogy(x, x).sum() for x in (first, second, table))
    return h1 + h2 - both, h1, h2


def scale(index, mi, h1, h2, n):
    """What the information is divided by, and whether the index is a similarity."""
    name = str(getattr(index, "name", index))
    return {
        "mi": (h1 + h2) / 2,
        "mi(norm='max')": max(h1, h2),
        "mi(norm='joint')": h1 + h2 - mi,
        "homogeneity": h1,
        "completeness": h2,
        "vi": np.log(n),
    }[name]


def value(index, mi, h1, h2, by):
    name = str(getattr(index, "name", index))
    return 1.0 - (h1 + h2 - 2.0 * mi) / by if name == "vi" else mi / by


def rows(labels):
    return brute.memberships(np.asarray(labels))


def set_partitions(n):
    """All clusterings of n points, as labels that are numbered in the order of their points."""
    found = [[0]]
    for _ in range(n - 1):
        found = [[*labels, new] for labels in found for new in range(max(labels) + 2)]
    return np.array(found)


@given(two_clusterings(), st.sampled_from(EXACT))
def test_observed_is_the_definition(pair, index):
    u, v = (brute.memberships(x) for x in pair)
    mi, h1, h2 = information(u, v)
    by = scale(index, mi, h1, h2, len(u))
    if by < 1e-6 or (h1 < 1e-9 and h2 < 1e-9):
        return
    assert fr.similarity(*pair, index=index) == pytest.approx(
        value(index, mi, h1, h2, by), abs=1e-9
    )


@examples(25)
@given(st.integers(2, 40).flatmap(lambda n: st.tuples(hard(n), hard(n))))
def test_hard_clusterings_as_in_scikit_learn(pair):
    a, b = pair
    for norm in NORMS:
        c = fr.compare(a, b, index=fr.MI(norm))
        theirs = metrics.normalized_mutual_info_score(a, b, average_method=norm)
        assert c.observed == pytest.approx(theirs, abs=1e-9)
        if 1.0 - c.expected > 1e-6:
            theirs = metrics.adjusted_mutual_info_score(a, b, average_method=norm)
            assert c.adjusted == pytest.approx(theirs, abs=1e-8)
    if len(set(a)) > 1 and len(set(b)) > 1:
        theirs = metrics.homogeneity_completeness_v_measure(a, b)
        ours = [fr.similarity(a, b, index=i) for i in ("homogeneity", "completeness", "mi")]
        assert ours == pytest.approx(theirs, abs=1e-9)


def test_many_clusters_as_in_scikit_learn():
    rng = np.random.default_rng(0)
    a, b = rng.integers(60, size=2000), rng.integers(90, size=2000)
    ours = fr.adjusted_similarity(a, b, index="mi")
    assert ours == pytest.approx(metrics.adjusted_mutual_info_score(a, b), abs=1e-8)


@pytest.mark.parametrize("index", EXACT)
@pytest.mark.parametrize(
    "labels", [([0, 0, 1, 1, 2], [0, 1, 1, 1, 0]), ([0, 1, 1, 1, 1], [0, 0, 1, 2, 2])]
)
def test_hard_models_are_means_over_all_clusterings(index, labels):
    a, b = (np.array(x) for x in labels)
    n = a.size
    by = scale(index, *information(rows(a), rows(b)), n)

    def mean(firsts, seconds, weights=None):
        values = [value(index, *information(rows(x), rows(y)), by) for x in firsts for y in seconds]
        return np.average(values, weights=weights)

    def labellings(x):
        k = x.max() + 1
        shares = np.bincount(x) / n
        every = np.array(list(product(range(k), repeat=n)))
        return every, np.prod(shares[every], axis=1)

    every = set_partitions(n)
    of_k = [every[every.max(axis=1) == x.max()] for x in (a, b)]
    orders = [b[list(order)] for order in permutations(range(n))]
    cat1, cat2 = labellings(a), labellings(b)
    expected = {
        ("perm", None): mean([a], orders),
        ("num", None): mean(*of_k),
        ("num", "first"): mean([a], of_k[1]),
        ("all", "second"): mean(every, [b]),
        ("all", None): mean(every, every),
        ("cat", "first"): mean([a], cat2[0], cat2[1]),
        ("cat", "second"): mean(cat1[0], [b], cat1[1]),
    }
    for (model, fixed), exact in expected.items():
        found = fr.expected_similarity(a, b, index=index, model=model, fixed=fixed)
        assert found == pytest.approx(exact, abs=1e-12), (model, fixed)


def test_independent_labels_on_both_sides():
    a, b = np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1])
    every = list(product(range(2), repeat=4))
    total = 0.0
    for x, y in product(every, every):
        weight = np.prod(np.array([0.5, 0.5])[list(x)]) * np.prod(np.array([0.25, 0.75])[list(y)])
        one, two = np.eye(2)[list(x)], np.eye(2)[list(y)]
        total += weight * information(one, two)[0]
    _, h1, h2 = information(rows(a), rows(b))
    found = fr.expected_similarity(a, b, index="mi", model="cat")
    assert found == pytest.approx(total / ((h1 + h2) / 2), abs=1e-13)


@examples(12)
@given(st.integers(4, 6).flatmap(lambda n: st.tuples(fuzzy(n), st.one_of(fuzzy(n), hard(n)))))
def test_fuzzy_clusterings_shuffled_in_all_orders(pair):
    first, second = (fr.as_partition(x) for x in pair)
    u, v = (brute.memberships(x) for x in pair)
    _, h1, h2 = information(u, v)
    by = (h1 + h2) / 2
    if by < 1e-3 or first.is_hard:
        return
    exact = np.mean([information(u, v[list(o)])[0] for o in permutations(range(len(u)))]) / by
    c = fr.compare(first, second, index="mi", tol=0.003)
    error = 5.0 * c.computed["expected_stderr"] + c.error_bound * (1.0 - c.expected) + 1e-9
    assert abs(c.expected - exact) <= error


@pytest.mark.parametrize("fixed", [None, "first"])
@pytest.mark.parametrize("model", ["perm", "fit", "sym", "flat", "empirical"])
@pytest.mark.parametrize("n", [30, 400])
def test_fuzzy_models_are_means_over_draws(model, fixed, n):
    rng = np.random.default_rng(n)
    u, v = rng.dirichlet([0.6, 1.0, 0.4], n), rng.dirichlet([0.5, 0.3], n)
    c = fr.compare(u, v, index="mi", model=model, fixed=fixed)
    laws = [None if law["law"] != "whole" else law.get("concentrations") for law in c.laws]

    def drawn(side, number):
        if model == "perm":
            return side[rng.permutation(n)]
        if fixed == ("first", "second")[number]:
            return side
        if model == "empirical":
            return side[rng.integers(n, size=n)]
        return rng.dirichlet(laws[number], n)

    by = np.mean(information(u, v)[1:])
    values = [information(drawn(u, 0), drawn(v, 1))[0] / by for _ in range(1500)]
    error = np.std(values) / np.sqrt(1500) + c.computed["expected_stderr"]
    assert abs(c.expected - np.mean(values)) <= 4.0 * error + c.error_bound * (1 - c.expected)
    assert c.error_bound < 5e-4


def test_noise_scores_zero_for_any_number_of_clusters():
    rng = np.random.default_rng(0)
    for k in (2, 20, 100):
        scores = [
            fr.adjusted_similarity(rng.integers(k, size=200), rng.integers(k, size=200), index="mi")
            for _ in range(40)
        ]
        assert abs(np.mean(scores)) < 4.0 * np.std(scores) / np.sqrt(40)


def test_errors_of_drawn_expectations_cover():
    """Of tables of few points per cell, which must be drawn."""
    rng = np.random.default_rng(1)
    u, v = rng.dirichlet([0.2] * 12, 40), rng.dirichlet([0.2] * 9, 40)
    runs = [fr.compare(u, v, index="mi", tol=0.002, random_state=seed) for seed in range(60)]
    assert all(run.stderr > 0.0 for run in runs)
    best = fr.compare(u, v, index="mi", tol=1e-4, random_state=99)
    z = [(run.adjusted - best.adjusted) / np.hypot(run.stderr, best.stderr) for run in runs]
    assert np.mean(np.abs(z) > 1.96) < 0.18
    assert 0.7 < np.std(z) < 1.4


def test_a_clustering_with_itself():
    rng = np.random.default_rng(0)
    labels = rng.integers(4, size=50)
    for index in EXACT:
        c = fr.compare(labels, labels, index=index)
        assert (c.observed, c.adjusted, c.exact) == (1.0, 1.0, True)
    soft = rng.dirichlet([1, 1, 1], 50)
    c = fr.compare(soft, soft, index="mi", maximum="self")
    assert c.adjusted == pytest.approx(1.0, abs=1e-12)
    mi, h1, _ = information(soft, soft)
    assert c.self_similarities == pytest.approx((mi / h1, mi / h1), abs=1e-12)
    assert "with itself is below 1" in c.notes[-1]


def test_information_in_nats():
    u, v = np.random.default_rng(6).dirichlet([0.5] * 3, (2, 30))
    computed = fr.compare(u, v, index="vi").to_dict()["computed"]
    names = ("mutual_information", "entropy_of_first", "entropy_of_second")
    assert [computed[name] for name in names] == pytest.approx(information(u, v), abs=1e-12)


def test_one_cluster_gives_no_information():
    labels = [0, 0, 1, 1, 2]
    for index in ("mi", fr.MI("min"), "completeness"):
        c = fr.compare(labels, [0] * 5, index=index)
        assert c.adjusted == 0.0
        assert "nothing to compare" in str(c)
    assert fr.similarity([0] * 5, [0] * 5, index="mi") == 1.0


def test_nearly_as_much_chance_as_the_clusterings_can_hold():
    rng = np.random.default_rng(0)
    a, b = rng.integers(12, size=60), rng.integers(12, size=60)
    assert "leaves little to measure" in str(fr.compare(a, b, index="mi", model="all"))
    assert "leaves little to measure" not in str(fr.compare(a, b, index="mi", model="num"))


def test_more_chance_than_the_clusterings_can_hold():
    a, b = [0, 0, 0, 1, 1, 1] * 10, [0, 0, 1, 1, 1, 1] * 10
    with pytest.raises(
        fr.NotApplicableError,
        match=r"under the model 'all', the expected index \(.*\) is above the largest",
    ):
        fr.compare(a, b, index="mi", model="all")
    assert fr.adjusted_similarity(a, b, index="vi", model="all") > 0.5


def test_what_is_refused():
    with pytest.raises(fr.NotApplicableError, match="possibilistic"):
        fr.compare([[0.9, 0.9], [0.1, 0.2]], [0, 1], index="mi", possibilistic=True)
    with pytest.raises(fr.UnknownNameError, match="arithmetic"):
        fr.MI("mean")
    soft = np.random.default_rng(0).dirichlet([1, 1], 20)
    with pytest.raises(fr.NotApplicableError, match="bias='plugin'"):
        fr.compare(soft, soft[::-1], index="mi", model=fr.Fit(bias="corrected"))


def test_sparse_and_dense_give_the_same():
    sp = pytest.importorskip("scipy.sparse")
    rng = np.random.default_rng(3)
    u, v = rng.dirichlet([0.3] * 5, 80), rng.dirichlet([0.3] * 4, 80)
    for side in (u, v):
        side[side < 0.05] = 0.0
        side /= side.sum(axis=1, keepdims=True)
    labels = rng.integers(3, size=80)
    for one, two in ((u, v), (u, labels), (labels, v)):
        packed = [sp.csr_array(x) if x.ndim == 2 else x for x in (one, two)]
        dense, sparse = fr.compare(one, two, index="mi"), fr.compare(*packed, index="mi")
        assert sparse.observed == pytest.approx(dense.observed, abs=1e-12)
        assert sparse.expected == pytest.approx(dense.expected, abs=1e-12)


def test_scores_of_points_have_the_adjusted_index_as_mean():
    rng = np.random.default_rng(5)
    labels, others = rng.integers(3, size=40), rng.integers(4, size=40)
    soft = rng.dirichlet([0.3] * 3, 40)
    for index in (*EXACT, fr.MI("geometric")):
        for pair in ((labels, others), (labels, soft), (soft, soft[::-1])):
            e = fr.explain(*pair, index=index)
            assert e.points.mean() == pytest.approx(e.adjusted, abs=1e-9)
            assert not e.of_pairs
            assert e.to_dict()["wallace"] is None
            assert "wallace_adjusted" not in e.columns("clusters")
    matched = fr.explain([0, 0, 1, 1, 2, 2], ["a", "a", "b", "c", "b", "c"], index="mi").points
    assert matched[:2] == pytest.approx([1.0, 1.0])  # their clusters are the same
    with pytest.raises(fr.NotApplicableError, match="not a mean over points"):
        fr.explain(labels, others, index="accuracy")
    with pytest.raises(fr.NotApplicableError, match="need an index that is a mean over pairs"):
        _ = fr.explain(labels, others, index="mi").homogeneity


@pytest.mark.parametrize("seed", range(3))
def test_expected_information_as_in_clusim(seed):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # clusim has invalid escape sequences
        sim = pytest.importorskip("clusim.sim", reason="clusim is not installed")
        clustering = pytest.importorskip("clusim.clustering", reason="clusim is not installed")
    rng = np.random.default_rng(seed)
    n = int(rng.integers(8, 21))
    a, b = (rng.integers(rng.integers(2, 6), size=n) for _ in range(2))
    one, two = (clustering.Clustering().from_membership_list(x.tolist()) for x in (a, b))
    mi, h1, h2 = information(rows(a), rows(b))
    for model in ("perm", "num", "all"):
        for fixed, name in ((None, model), ("second", f"{model}1")):
            theirs = sim.expected_mi(
                n,
                one.n_clusters,
                two.n_clusters,
                one.clu_size_seq,
                two.clu_size_seq,
                logbase=np.e,
                random_model=name,
            )
            ours = fr.expected_similarity(a, b, index="mi", model=model, fixed=fixed)
            assert ours * (h1 + h2) / 2 == pytest.approx(theirs, rel=1e-12)
    # Under num it divides by the mean of ln k, and not by that of the entropies.
    adjusted = fr.compare(a, b, index="mi", model="num")
    expected = adjusted.expected * (h1 + h2) / 2
    norm = np.log(one.n_clusters * two.n_clusters) / 2
    theirs = sim.adj_mi(one, two, "num")
    assert (mi - expected) / (norm - expected) == pytest.approx(theirs, abs=1e-12)
    theirs = sim.adj_mi(one, two, "perm")
    assert fr.adjusted_similarity(a, b, index="mi") == pytest.approx(theirs, abs=1e-12)


@given(two_clusterings(kinds=("fuzzy",)))
def test_tables_of_one_pass_are_those_of_single_products(pair):
    first, second = (fr.as_partition(side) for side in pair)
    if first.is_hard or second.is_hard:
        return
    tabulated = CrossTabulation(first, second)
    for table, (u, v) in zip(
        (tabulated.table, *tabulated.selves),
        ((pair[0], pair[1]), (pair[0], pair[0]), (pair[1], pair[1])),
        strict=True,
    ):
        np.testing.assert_allclose(table.matrix, np.transpose(u) @ v, atol=1e-12)
        np.testing.assert_allclose(table.first, np.sum(u, axis=0), atol=1e-12)


def test_the_second_order_is_used_where_the_rest_is_negligible():
    u, v = np.random.default_rng(0).dirichlet(np.ones(3), (2, 20_000))
    pair = CrossTabulation(fr.as_partition(u), fr.as_partition(v))
    quick = expected_information(pair, None, None)
    second, third, fourth = shuffled_information(
        20_000, ColumnMoments.of_rows(u), ColumnMoments.of_rows(v)
    )
    assert quick.information.mutual == pytest.approx(second, rel=1e-9)
    assert abs(third) + abs(fourth) < quick.errors.mutual <= 1e-7


@pytest.mark.parametrize("kinds", ["hh", "ff", "hf", "fs"])
def test_weighted_points_by_an_expansion_or_by_draws(kinds):
    """The expansion for many points is the mean of the tables that few points are drawn for."""
    sp = pytest.importorskip("scipy.sparse")
    rng = np.random.default_rng(4)
    n = 4000
    sides = {
        "h": rng.integers(3, size=n),
        "f": rng.dirichlet([0.4] * 3, n),
        "s": sp.csr_array(np.eye(4)[rng.integers(4, size=n)] * 0.5 + 0.125),
    }
    weights = rng.exponential(size=n) + 0.1
    weights[sides["h"] == 0] *= 2.0
    c = fr.compare(*(sides[kind] for kind in kinds), index="mi", weights=weights)
    assert c.computed["expected"] == "expansion around independence"
    first, second = c.analysis.sides
    pair, index = first.tabulated(second), c.analysis.index
    constants = index.constants(pair)
    tables = ShuffledTables(pair).draw_by_chance(rng, 144)
    drawn = [1.0 - index.discordance(table, constants) for table in tables]
    assert abs(c.expected - np.mean(drawn)) < 4.0 * np.std(drawn) / 12.0 + c.error_bound
    assert c.error_bound < 2e-4
