"""Means over the pairs of each point, held to the sums over all pairs that they stand for."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fuzzyrand as fr
from fuzzyrand._base.effort import Precision
from fuzzyrand._clusterings.partition import as_partition
from fuzzyrand._pairs import compiled, plain
from fuzzyrand._pairs.curves import PairCurve
from fuzzyrand._pairs.point_sums import point_means
from fuzzyrand.indices import as_index

from .. import brute
from ..clusterings import alike_pair
from ..own_indices import own_dots, own_ndc
from ..strategies import two_clusterings

#: Indices, and their agreements and concordances by definition.
DEFINITIONS = {
    "ndc": (fr.NDC(), "l1", "absolute"),
    "p = 2": (fr.NDC(p=2), "l2", "absolute"),
    "q = 2": (fr.NDC(q=2), "l1", "squared"),
    "brouwer": (fr.Brouwer(), "cosine", "product"),
    "consistency": (fr.Consistency(), "dot", "product"),
    "belief": (fr.Belief(), "dot", "absolute"),
    "jousselme": (fr.Jousselme(), "dot", "squared"),
    "own": (own_ndc(), "l1", "absolute"),
    "own dots": (own_dots(), "dot", "product"),
}
#: Indices for rows that need not sum to one.
POSSIBILISTIC = ["ndc", "p = 2", "q = 2", "brouwer"]
RNG = np.random.default_rng(0)
EFFORT = Precision()
#: Takes even few pairs through the compiled loops.
COMPILED = fr.Budget(numpy_work=0.0)
CURVES = {
    "none": None,
    "line": PairCurve.line(0.75, -0.25),
    "bent": PairCurve(np.array([0.0, 2.0, -1.0, 0.5])),
    "table": PairCurve(np.cumsum(RNG.standard_normal((1 << 12) + 1))),
}


def agreements(kind, clustering):
    u = brute.memberships(clustering)
    if kind in ("l1", "l2"):
        return brute.agreements(u, int(kind[1]))
    i, j = np.triu_indices(len(u), 1)
    return brute.ROW_AGREEMENTS[kind](u[i], u[j])


def over_others(values):
    """Mean for each point of values of the pairs (0, 1), (0, 2), ..."""
    n = round(0.5 + np.sqrt(0.25 + 2 * values.size))
    square = np.zeros((n, n))
    square[np.triu_indices(n, 1)] = values
    return (square + square.T).sum(axis=1) / (n - 1)


def expected(name, u, v, curves):
    """Mean discordance, and means of the curves, by definition."""
    _, agreement, concordance = DEFINITIONS[name]
    a, b = agreements(agreement, u), agreements(agreement, v)
    of_curves = [
        None if curve is None else over_others(np.interp(x, _grid(curve), curve.nodes))
        for x, curve in zip((a, b), curves, strict=True)
    ]
    return over_others(1.0 - brute.CONCORDANCES[concordance](a, b)), *of_curves


def _grid(curve):
    return np.linspace(0.0, 1.0, curve.nodes.size)


def found(name, u, v, curves=(None, None), effort=EFFORT, possibilistic=False, partners=None):
    index = DEFINITIONS[name][0]
    return point_means(
        *(as_partition(x, possibilistic=possibilistic) for x in (u, v)),
        index.agreement,
        index.concordance,
        effort,
        first_curve=curves[0],
        second_curve=curves[1],
        partners=partners,
    )


def assert_same(means, exact, atol=1e-12):
    for mine, theirs in zip(means, exact, strict=False):
        assert (mine is None) == (theirs is None)
        if mine is not None:
            # A curve of thousands of nodes is steep: 1e-15 of an agreement is more of its value.
            np.testing.assert_allclose(mine, theirs, atol=atol * (1.0 + np.abs(theirs).max()))


some_curves = st.tuples(*2 * [st.sampled_from(list(CURVES))])


@pytest.mark.parametrize("name", DEFINITIONS)
@given(pair=two_clusterings(), curves=some_curves)
def test_every_route_is_the_definition(name, pair, curves):
    curves = [CURVES[curve] for curve in curves]
    means = found(name, *pair, curves)
    assert means.stderr is None
    assert_same(means, expected(name, *pair, curves), 1e-11)
    similarity = fr.similarity(*pair, index=DEFINITIONS[name][0])
    assert means.discordance.mean() == pytest.approx(1.0 - similarity, abs=1e-12)


@pytest.mark.parametrize("name", POSSIBILISTIC)
@given(seed=st.integers(0, 2**32 - 1), curves=some_curves, hard=st.booleans())
def test_rows_that_do_not_sum_to_one(name, seed, curves, hard):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 20))
    u, v = rng.random((n, 3)), rng.integers(3, size=n) if hard else rng.random((n, 4))
    curves = [CURVES[curve] for curve in curves]
    means = found(name, u, v, curves, possibilistic=True)
    assert_same(means, expected(name, u, v, curves), 1e-11)


@pytest.mark.parametrize("name", DEFINITIONS)
def test_a_clustering_with_itself(name):
    u = as_partition(RNG.dirichlet(np.ones(3), 40))
    index, _, concordance = DEFINITIONS[name]
    means = point_means(u, u, index.agreement, index.concordance, Precision())
    assert_same(means, expected(name, u.memberships, u.memberships, (None, None)))
    if concordance != "product":
        assert not means.discordance.any()


N = 300
FUZZY = RNG.dirichlet(np.ones(7), N)
SIDES = {
    "hard": as_partition(FUZZY.argmax(axis=1)),
    "fuzzy": as_partition(FUZZY),
    "sparse": as_partition(np.where(FUZZY > 0.1, FUZZY, 0.0), normalize=True),
    "possibilistic": as_partition(RNG.random((N, 3)), possibilistic=True),
}
#: Few, as each kind of two sides is compiled.
VISITS = [
    ("fuzzy", "sparse", "ndc"),
    ("fuzzy", "sparse", fr.NDC(q=2)),
    ("fuzzy", "sparse", fr.NDC(q=1.5)),
    ("hard", "fuzzy", "ndc"),
    ("possibilistic", "fuzzy", "ndc"),
    ("sparse", "possibilistic", "ndc"),
    ("fuzzy", "hard", fr.NDC(p=2)),
    ("fuzzy", "sparse", fr.NDC(p=3)),
    ("fuzzy", "sparse", "belief"),
    ("sparse", None, "ndc"),
    ("sparse", None, "jousselme"),
]


@pytest.mark.parametrize(("first", "second", "index"), VISITS)
def test_pairs_are_visited_as_by_numpy(first, second, index):
    one, other = SIDES[first], None if second is None else SIDES[second]
    agreement, concordance = as_index(index).agreement, as_index(index).concordance
    for groups in (RNG.permutation(N)[None, :], RNG.permutation(N).reshape(3, -1)):
        size = groups.shape[1]
        for curves in ((None, CURVES["bent"]), (CURVES["table"], None)):
            for squared in (False, True):
                visit = compiled.point_visitor(
                    one, other, agreement, concordance.power, groups, curves, squared=squared
                )
                by_numpy = plain.point_visitor(
                    one, other, agreement, concordance, groups, curves, squared=squared
                )
                for rows in ((0, 40), (40, size)):
                    sums, theirs = visit(rows), by_numpy(rows)
                    assert sums.shape == theirs.shape == (4, *groups.shape)
                    np.testing.assert_allclose(sums, theirs, rtol=1e-12, atol=1e-10)


@pytest.mark.parametrize("name", ["ndc", "belief"])
def test_many_points_go_through_the_compiled_loops(monkeypatch, name):
    u, v = alike_pair(1, 400, 5, share_hard=0.3)
    curves = CURVES["bent"], CURVES["line"]
    few = found(name, u, v, curves)
    monkeypatch.delattr("fuzzyrand._pairs.plain.point_visitor")
    many = found(name, u, v, curves, replace(EFFORT, budget=COMPILED))
    assert_same(many, few)
    assert_same(many, expected(name, u, v, curves))
    alone = found(name, u, v, curves, Precision(n_threads=1, budget=COMPILED))
    assert (alone.discordance == many.discordance).all()


def test_curves_alone_are_visited_by_the_compiled_loops(monkeypatch):
    monkeypatch.delattr("fuzzyrand._pairs.plain.point_visitor")
    u, v = alike_pair(1, 300, 4)
    curves, effort = (CURVES["table"], CURVES["bent"]), replace(EFFORT, budget=COMPILED)
    for name in ("brouwer", "jousselme"):  # their discordances follow from Gram matrices
        assert_same(found(name, u, v, curves, effort), expected(name, u, v, curves), 1e-11)


def test_blocks_of_points_in_numpy(monkeypatch):
    monkeypatch.setattr("fuzzyrand._pairs.plain.BLOCK", 7)
    u, v = alike_pair(3, 60, 3)
    curves = CURVES["table"], CURVES["bent"]
    assert_same(found("own", u, v, curves), expected("own", u, v, curves), 1e-11)


def test_nothing_kept_grows_with_the_pairs(peak):
    u, v = alike_pair(2, 2000, 3)
    found("own", u, v, (CURVES["table"], None))
    assert peak() < 8  # megabytes; the pairs would take 16


#: So few that small clusterings are sampled.
FEW_PAIRS = 1000


def test_sampled_means_are_unbiased_and_their_errors_honest():
    u, v = alike_pair(5, 203, 3, share_hard=0.5)
    curves = CURVES["bent"], None
    exact, of_curve, _ = expected("ndc", u, v, curves)
    repeats = 300
    runs = [
        found("ndc", u, v, curves, Precision(pairs=FEW_PAIRS, seed=seed), partners=19)
        for seed in range(repeats)
    ]
    sampled = np.array([run.discordance for run in runs])
    variance = sampled.var(axis=0)
    assert (variance > 0.0).all()
    z = (sampled.mean(axis=0) - exact) / np.sqrt(variance / repeats)
    assert np.abs(z).max() < 4.5
    assert (z**2).mean() == pytest.approx(1.0, abs=0.4)
    # The squared error is unbiased; 300 repeats of 203 points show its mean to about one percent.
    told = np.array([run.stderr for run in runs])
    assert (told**2).mean() == pytest.approx(((sampled - exact) ** 2).mean(), rel=0.04)
    # With 19 partners, t-scores beyond 2 are to be expected in 6 of 100 cases.
    beyond = (np.abs(sampled - exact) > 2.0 * told).mean()
    assert 0.04 < beyond < 0.09
    values = np.array([run.first for run in runs])
    z = (values.mean(axis=0) - of_curve) / (values.std(axis=0) / np.sqrt(repeats))
    assert np.abs(z).max() < 4.5


def test_the_compiled_loops_sample_the_same_pairs(monkeypatch):
    u, v = alike_pair(5, 1003, 3, share_hard=0.5)
    curves, effort = (None, CURVES["bent"]), Precision(pairs=FEW_PAIRS)
    by_numpy = found("ndc", u, v, curves, effort)
    monkeypatch.delattr("fuzzyrand._pairs.plain.point_visitor")
    means = found("ndc", u, v, curves, replace(effort, budget=COMPILED))
    assert_same(means, by_numpy)
    # A difference of squares loses half of the digits.
    np.testing.assert_allclose(means.stderr, by_numpy.stderr, atol=1e-9)


def test_what_needs_no_visits_is_not_sampled():
    u, v = alike_pair(5, 203, 3)
    effort = Precision(pairs=FEW_PAIRS)
    curves = CURVES["line"], CURVES["line"]
    means = found("ndc", u, v, curves, effort, partners=10)
    exact = expected("ndc", u, v, curves)
    assert means.stderr is not None
    assert_same(means[1:3], exact[1:])
    hard = found("ndc", u.argmax(axis=1), v, curves, effort, partners=10)
    assert hard.stderr is None
    assert_same(hard, expected("ndc", u.argmax(axis=1), v, curves))


def test_as_many_partners_as_points_are_all_visited():
    u, v = alike_pair(5, 60, 3)
    means = found("ndc", u, v, effort=Precision(pairs=FEW_PAIRS))
    assert means.stderr is None
    assert_same(means, expected("ndc", u, v, (None, None)))


def test_sampling_depends_on_the_seed_alone():
    u, v = alike_pair(5, 203, 3)
    one, same, other = (
        found(
            "own", u, v, effort=Precision(pairs=FEW_PAIRS, seed=seed, n_threads=threads), partners=9
        )
        for seed, threads in ((1, 1), (1, 2), (2, 2))
    )
    assert (one.discordance == same.discordance).all()
    assert (one.stderr == same.stderr).all()
    assert not (one.discordance == other.discordance).all()


def test_very_many_hard_clusters():
    n = 200_000
    a, b = np.arange(n), np.arange(n) // 2
    means = found("ndc", a, b, (None, CURVES["bent"]))
    assert means.discordance == pytest.approx(1.0 / (n - 1), rel=1e-14)
    assert means.second == pytest.approx(0.5 / (n - 1), rel=1e-12)


@pytest.mark.parametrize("name", ["ndc", "brouwer", "jousselme"])
@pytest.mark.parametrize("kinds", ["soft, soft", "soft, hard", "hard, soft"])
def test_noise_that_nobody_shares(name, kinds):
    """It is the same as a column for the noise of every point."""
    rng = np.random.default_rng(0)
    lacking = {
        "first": rng.dirichlet(np.ones(4), 30)[:, :3],
        "second": rng.dirichlet([1, 2, 1], 30),
    }
    lacking["second"] = lacking["second"][:, :2]
    index = as_index(name)
    alone, private = [], []
    for kind, rows in zip(kinds.split(", "), lacking.values(), strict=True):
        if kind == "hard":
            labels = rng.integers(0, 3, 30)
            alone.append(labels)
            private.append(labels)
        else:
            alone.append(rows)
            private.append(np.hstack([rows, np.diag(1.0 - rows.sum(axis=1))]))
    analysis = fr.compare(*alone, missing="noise", noise_as="singletons", model="perm").analysis
    found = point_means(
        *analysis.partitions,
        index.agreement,
        index.concordance,
        analysis.effort,
        first_curve=PairCurve.line(0.3, 0.8),
    )
    by_hand = point_means(
        *map(fr.as_partition, private),
        index.agreement,
        index.concordance,
        analysis.effort,
        first_curve=PairCurve.line(0.3, 0.8),
    )
    np.testing.assert_allclose(found.discordance, by_hand.discordance, atol=1e-12)
    np.testing.assert_allclose(found.first, by_hand.first, atol=1e-12)
