"""Mean and variance over all permutations."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fuzzyrand as fr
from fuzzyrand._analysis.permutations.moments import permutation_moments
from fuzzyrand._analysis.permutations.profiles import variance_by_profiles
from fuzzyrand._base.effort import Precision

from ...clusterings import nearly_even
from ...examples import examples
from ...strategies import fuzzy, hard
from .plain_null import INDICES, discordances, permutations, random_orders, sides_of, some_pair

KINDS = ["hh", "hf", "fh", "ff"]


def clusterings(n, kinds):
    return st.tuples(*(hard(n) if kind == "h" else fuzzy(n) for kind in kinds))


def assert_moments_of_all(name, first, second):
    moments = permutation_moments(sides_of(name, first, second))
    exact = discordances(name, first, second, permutations(len(first)))
    assert moments.mean == pytest.approx(exact.mean(), abs=1e-10)
    assert moments.variance == pytest.approx(exact.var(), rel=1e-9, abs=1e-12)
    assert not moments.approximate


@pytest.mark.parametrize("name", INDICES)
@pytest.mark.parametrize("kinds", KINDS)
@examples(8)
@given(data=st.data())
def test_moments_are_those_of_all_permutations(name, kinds, data):
    assert_moments_of_all(name, *data.draw(clusterings(7, kinds)))


@pytest.mark.parametrize("name", INDICES)
@pytest.mark.parametrize("n", [2, 3, 4, 5])
@examples(8)
@given(data=st.data())
def test_moments_of_very_few_points(name, n, data):
    assert_moments_of_all(name, *data.draw(clusterings(n, data.draw(st.sampled_from(KINDS)))))


@pytest.mark.parametrize("name", INDICES)
@pytest.mark.parametrize("n", [7, 60])
def test_one_cluster_or_identical_rows_have_no_variance(name, n):
    soft, labels = some_pair("fh", 3, n)
    for same in (np.zeros(n, dtype=int), np.tile([0.2, 0.5, 0.3], (n, 1))):
        for other in (soft, labels):
            for pair in ((same, other), (other, same)):
                moments = permutation_moments(sides_of(name, *pair))
                assert moments.variance == pytest.approx(0.0, abs=1e-30)
                exact = discordances(name, *pair, [np.arange(n)])[0]
                assert abs(moments.mean - exact) <= moments.mean_error + 1e-12


@pytest.mark.parametrize(
    ("name", "n", "kinds"),
    [(name, 60, kinds) for name in ("ndc", "brouwer", "ndc, q=2", "own") for kinds in KINDS]
    + [("ndc", 300, "hf"), ("ndc", 300, "ff"), ("belief", 300, "ff"), ("jousselme", 300, "ff")],
)
def test_moments_are_those_of_plain_shuffles(name, n, kinds):
    pair = some_pair(kinds, n, n)
    moments = permutation_moments(sides_of(name, *pair))
    drawn = discordances(name, *pair, random_orders(1, n, 2000))
    away = drawn - moments.mean
    assert abs(away.mean()) < 4.5 * drawn.std() / np.sqrt(drawn.size)
    squares = away**2
    assert abs(squares.mean() - moments.variance) < 4.5 * squares.std() / np.sqrt(drawn.size)
    assert moments.error < 2e-3 * moments.variance


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", ["ndc", "belief", "ndc, q=1.5", "ndc, p=2", "own"])
@pytest.mark.parametrize("kinds", ["hf", "ff"])
def test_some_nodes_are_as_good_as_all_within_the_error(seed, name, kinds):
    pair = [fr.as_partition(side) for side in some_pair(kinds, seed, 40, k=2 + seed)]
    index = INDICES[name]

    def variance(**limits):
        effort = Precision(budget=fr.Budget(**limits))
        return variance_by_profiles(pair, index.agreement, index.concordance, effort)

    exact = variance()
    assert exact.error == 0.0
    for nodes in (48, 192):
        some = variance(profile_pairs=0, profile_nodes=nodes)
        assert abs(some.value - exact.value) <= some.error + 1e-12 * exact.value
        assert some.error < (0.05 if nodes == 48 else 0.01) * exact.value


def test_nodes_suit_agreements_on_different_scales():
    rng = np.random.default_rng(5)
    narrow, wide = nearly_even(rng, 40, 1e-4), rng.dirichlet(np.ones(3), 40)
    wide[:15] = np.eye(3)[rng.integers(3, size=15)]
    for pair in ((narrow, wide), (narrow, nearly_even(rng, 40, 1e-3)), (wide, wide[::-1])):
        exact = permutation_moments(sides_of("ndc", *pair))
        some = permutation_moments(sides_of("ndc", *pair, budget=fr.Budget(profile_pairs=0)))
        assert abs(some.variance - exact.variance) <= some.error
        assert some.error < 0.02 * exact.variance


def test_profiles_of_some_points_are_within_the_error_of_all():
    first, second = (fr.as_partition(side) for side in some_pair("ff", 0, 400))
    ndc = fr.NDC()

    def variance(seed, **limits):
        effort = Precision(seed=seed, budget=fr.Budget(**limits))
        return variance_by_profiles((first, second), ndc.agreement, ndc.concordance, effort)

    exact = variance(0)
    assert "all points" in exact.how
    scores = []
    for seed in range(8):
        some = variance(seed, profile_work=300.0 * 400 * 13)
        assert "296 random points" in some.how
        assert some.error < 0.2 * exact.value
        scores.append((some.value - exact.value) / some.error)
    assert np.abs(scores).max() < 4.0
    assert np.sqrt(np.mean(np.square(scores))) < 2.0
    assert variance(0, profile_work=250.0 * 400 * 13) is None


def test_random_pairs_are_within_the_error_of_all_pairs():
    pair = some_pair("hf", 9, 400)
    exact = permutation_moments(sides_of("ndc", *pair))
    assert not exact.approximate
    budget = fr.Budget(spread_work=0.0, kept_pairs=0)
    sampled = [
        permutation_moments(sides_of("ndc", *pair, seed=seed, budget=budget)) for seed in range(10)
    ]
    for moments in sampled:
        assert moments.approximate
        assert "random pairs" in moments.how
        assert moments.error < 0.01 * exact.variance
        assert abs(moments.variance - exact.variance) < 4.0 * moments.error
    assert len({moments.variance for moments in sampled}) == 10


def test_pairs_are_not_visited_for_the_variance_alone(monkeypatch):
    def refuse(*_):
        raise AssertionError("all pairs were visited")

    pair = some_pair("hf", 2, 40_000, k=4)
    monkeypatch.setattr("fuzzyrand.models._laws.observed_pairs.visit_pairs", refuse)
    assert permutation_moments(sides_of("ndc", *pair)).approximate
    exact = permutation_moments(sides_of("belief", *pair))
    assert not exact.approximate


def exact_rand_variance(first, second):
    """The variance for two hard clusterings, in whole numbers, from uncentred sums."""
    n = len(first)

    def sums(labels):
        sizes = [int(size) for size in np.bincount(labels)]
        pairs = sum(s * (s - 1) for s in sizes)
        return pairs, pairs, sum(s * (s - 1) ** 2 for s in sizes)

    (a1, a2, a3), (b1, b2, b3) = sums(first), sums(second)
    f2, f3, f4 = (
        Fraction(n * (n - 1)),
        Fraction(n * (n - 1) * (n - 2)),
        Fraction(n * (n - 1) * (n - 2) * (n - 3)),
    )
    square = 2 * a2 * b2 / f2 + 4 * (a3 - a2) * (b3 - b2) / f3
    square += (a1**2 + 2 * a2 - 4 * a3) * (b1**2 + 2 * b2 - 4 * b3) / f4
    return float(4 * (square - (a1 * b1 / f2) ** 2) / f2**2)


@pytest.mark.parametrize("n", [10, 1000, 1_000_000])
def test_nothing_cancels_for_many_points(n):
    rng = np.random.default_rng(n)
    even = rng.permutation(np.arange(n) % 5)
    for first in (even, rng.integers(4, size=n)):
        second = rng.binomial(3, 0.4, size=n)
        for index in ("ndc", "frobenius"):
            moments = permutation_moments(sides_of(index, first, second))
            assert moments.variance == pytest.approx(exact_rand_variance(first, second), rel=1e-9)


@pytest.mark.parametrize("name", ["ndc", "brouwer", "jousselme", "belief"])
def test_nothing_cancels_for_nearly_identical_rows(name):
    rng = np.random.default_rng(1)
    near = nearly_even(rng, 7, 1e-5)
    labels = np.array([0, 0, 1, 1, 1, 2, 2])
    for other in (labels, nearly_even(rng, 7, 1e-2)):
        exact = discordances(name, near, other, permutations(7)).var()
        moments = permutation_moments(sides_of(name, near, other))
        assert moments.variance == pytest.approx(exact, rel=1e-5)


def test_the_frobenius_index_has_a_mean_only():
    soft, labels = some_pair("fh", 4, 7)
    for pair in ((soft, labels), (soft, soft[::-1])):
        moments = permutation_moments(sides_of("frobenius", *pair))
        exact = discordances("frobenius", *pair, permutations(7))
        assert moments.mean == pytest.approx(exact.mean(), abs=1e-12)
        assert moments.variance is None


def test_moments_do_not_depend_on_threads():
    some = fr.Budget(profile_work=300.0 * 400 * 13)
    pair = some_pair("ff", 0, 400)
    one, two = (
        permutation_moments(sides_of("ndc", *pair, n_threads=t, budget=some)) for t in (1, 2)
    )
    assert one == two
