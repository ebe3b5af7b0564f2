"""Discordances of shuffled points: every route against the definition."""

import math
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import fuzzyrand as fr
from fuzzyrand._analysis.permutations import hard_shuffles, row_shuffles
from fuzzyrand._analysis.permutations.draws import PermutationNull
from fuzzyrand._analysis.permutations.moments import permutation_moments
from fuzzyrand._base.effort import Precision
from fuzzyrand._clusterings.weighting import Weighting
from fuzzyrand._pairs.table import table_of
from fuzzyrand.indices import TableIndex
from fuzzyrand.models._laws.side import Side

from ... import brute
from ...examples import examples
from ...strategies import fuzzy, hard
from .plain_null import INDICES, discordances, permutations, random_orders, sides_of, some_pair

NAMES = [*INDICES, "frobenius"]
KINDS = ["hh", "hf", "fh", "ff"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kinds", KINDS)
def test_all_permutations_of_few_points(name, kinds):
    pair = some_pair(kinds, 5, 6)
    null = PermutationNull(sides_of(name, *pair))
    assert null.exhaustive
    assert null.how == "all 720 permutations"
    assert (null.batch_size, null.points, null.chosen) == (720, 6, None)
    exact = discordances(name, *pair, permutations(6))
    assert np.sort(null.batch(0)) == pytest.approx(np.sort(exact), abs=1e-12)
    assert null.draws(10).size == 720
    assert null.observed == pytest.approx(exact[0], abs=1e-12)
    assert np.abs(null.batch(0) - null.observed).min() <= null.tolerance


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kinds", KINDS)
def test_the_observed_discordance_is_that_of_the_comparison(name, kinds):
    pair = some_pair(kinds, 6, 30)
    sides = sides_of(name, *pair)
    null = PermutationNull(sides)
    assert not null.exhaustive
    assert null.points == 30
    similarity = fr.similarity(*pair, index=sides[0].index)
    assert null.observed == pytest.approx(1.0 - similarity, abs=1e-12)


@pytest.mark.parametrize("compiled", [False, True])
@examples(30)
@given(data=st.data())
def test_passes_over_sorted_columns_are_the_definition(compiled, data):
    n = data.draw(st.integers(9, 25))
    labels, rows = data.draw(hard(n)), data.draw(fuzzy(n))
    labels = np.unique(labels, return_inverse=True)[1]
    budget = fr.Budget(numpy_shuffle_work=0 if compiled else 1 << 30)
    for name in ("ndc", "ndc, q=2"):
        sides = sides_of(name, labels, rows, budget=budget)
        if sides[1].partition.is_hard:
            return
        null = PermutationNull(sides)
        assert null.how == "shuffles over sorted columns"
        orders = random_orders(n, n, 5)
        shuffled = labels[orders].astype(null._shuffles._labels.dtype)
        exact = discordances(name, rows, labels, orders)
        assert null._shuffles.of_labels(shuffled) == pytest.approx(exact, abs=1e-12)


@pytest.mark.parametrize("name", ["brouwer", "consistency", "jousselme", "belief"])
@examples(15)
@given(data=st.data())
def test_gram_matrices_are_the_definition_for_a_hard_side(name, data):
    n = data.draw(st.integers(9, 25))
    labels, rows = data.draw(hard(n)), data.draw(fuzzy(n))
    labels = np.unique(labels, return_inverse=True)[1]
    sides = sides_of(name, labels, rows)
    if sides[1].partition.is_hard:
        return
    null = PermutationNull(sides)
    assert null.how == "shuffles by Gram matrices"
    orders = random_orders(n, n, 5)
    exact = discordances(name, rows, labels, orders)
    assert null._shuffles.of_labels(labels[orders]) == pytest.approx(exact, abs=1e-12)


@pytest.mark.parametrize("name", ["brouwer", "consistency", "jousselme"])
@examples(15)
@given(data=st.data())
def test_gram_matrices_are_the_definition_for_fuzzy_sides(name, data):
    n = data.draw(st.integers(9, 25))
    rows = data.draw(fuzzy(n)), data.draw(fuzzy(n))
    sides = sides_of(name, *rows)
    if any(side.partition.is_hard for side in sides):
        return
    null = PermutationNull(sides)
    assert null.how == "shuffles by Gram matrices"
    orders = random_orders(n, n, 5)
    exact = discordances(name, *rows, orders)
    assert null._shuffles.of_orders(orders) == pytest.approx(exact, abs=1e-12)


@pytest.mark.parametrize("name", ["frobenius", "mi", "vi", "homogeneity"])
@examples(15)
@given(data=st.data())
def test_tables_of_orders_are_those_of_shuffled_rows(name, data):
    n = data.draw(st.integers(9, 25))
    first = data.draw(fuzzy(n))
    second = data.draw(st.one_of(fuzzy(n), hard(n).map(np.array)))
    index = fr.indices.INDICES[name]
    sides = tuple(Side(fr.as_partition(x), index, Precision()) for x in (first, second))
    if sides[0].partition.is_hard:
        return
    constants = index.constants(sides[0].tabulated(sides[1]))
    null = PermutationNull(sides)
    orders = random_orders(n, n, 5)
    shuffled = (sides[1].partition.take(order) for order in orders)
    tables = (table_of(sides[0].partition, other) for other in shuffled)
    exact = [index.discordance(table, constants) for table in tables]
    assert null._shuffles.of_orders(orders) == pytest.approx(exact, abs=1e-12)


@pytest.mark.parametrize("name", ["mi", "fm", "accuracy"])
def test_random_tables_follow_the_law_of_shuffled_labels(name):
    first, second = some_pair("hh", 7, 40)
    index = fr.indices.INDICES[name]
    sides = tuple(Side(fr.as_partition(x), index, Precision()) for x in (first, second))
    null = PermutationNull(sides)
    assert null.how == "random tables"
    rng = np.random.default_rng(0)
    shuffled = [1.0 - fr.similarity(first, rng.permutation(second), index=name) for _ in range(800)]
    assert stats.ks_2samp(np.round(null.draws(2000), 9), np.round(shuffled, 9)).pvalue > 1e-3


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("name", ["ndc", "ndc, q=2", "ndc, q=1.5", "ndc, p=2", "belief", "own"])
@examples(8)
@given(data=st.data())
def test_kept_pairs_are_the_definition(compiled, name, data):
    n = data.draw(st.integers(9, 25))
    rows = data.draw(fuzzy(n)), data.draw(fuzzy(n))
    budget = fr.Budget(numpy_shuffle_pairs=0 if compiled else 1 << 30)
    sides = sides_of(name, *rows, budget=budget)
    if any(side.partition.is_hard for side in sides):
        return
    null = PermutationNull(sides)
    assert null.how == "shuffles of all points"
    orders = random_orders(n, n, 5).astype(np.int32)
    exact = discordances(name, *rows, orders)
    assert null._shuffles.of_orders(orders) == pytest.approx(exact, abs=1e-12)


def test_kept_pairs_with_a_hard_side():
    for name in ("ndc, q=1.5", "ndc, p=2", "own"):
        labels, rows = some_pair("hf", 8, 20)
        null = PermutationNull(sides_of(name, labels, rows))
        orders = random_orders(0, 20, 5).astype(np.int32)
        exact = discordances(name, labels, rows, orders)
        assert null._shuffles.of_orders(orders) == pytest.approx(exact, abs=1e-12)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kinds", KINDS)
def test_draws_have_the_law_of_plain_shuffles(name, kinds):
    n = 14
    pair = some_pair(kinds, 7, n)
    drawn = PermutationNull(sides_of(name, *pair)).draws(2000)
    plain = discordances(name, *pair, random_orders(2, n, 2000))
    # Counts of pairs have ties, which rounding must not tear apart.
    assert stats.ks_2samp(np.round(drawn, 9), np.round(plain, 9)).pvalue > 1e-3


@pytest.mark.parametrize("by_tables", [True, False])
def test_two_hard_sides_have_the_law_of_all_permutations(monkeypatch, by_tables):
    monkeypatch.setattr(hard_shuffles, "CELLS_A_SHUFFLE", 100 if by_tables else 0)
    first, second = np.array([0, 0, 0, 1, 1, 2, 2]), np.array([1, 1, 3, 3, 3, 0, 0])
    sides = sides_of("ndc", first, second, budget=fr.Budget(permuted_points=0))
    null = PermutationNull(sides)
    assert null.how == ("random tables" if by_tables else "shuffled labels")
    exact = Counter(np.round(discordances("ndc", first, second, permutations(7)), 9).tolist())
    drawn = Counter(np.round(null.draws(20_000), 9).tolist())
    assert set(drawn) <= set(exact)
    expected = np.array([exact[value] * 20_000 / 5040 for value in exact])
    found = np.array([drawn[value] for value in exact])
    assert stats.chisquare(found, expected).pvalue > 1e-3


@pytest.mark.parametrize("sizes", [([40, 30, 20], [50, 40]), ([1, 1, 88], [30, 30, 30])])
def test_random_tables_are_those_of_scipy(sizes):
    rows, columns = map(np.array, sizes)
    theirs = stats.random_table(rows, columns).rvs(5000, random_state=1)
    theirs = (theirs * (theirs - 1)).sum(axis=(1, 2)) // 2
    rng = np.random.default_rng(0)
    ours = hard_shuffles.pairs_in_random_tables(rng, rows, columns, 5000)
    assert stats.ks_2samp(ours, theirs).pvalue > 1e-3


def test_random_tables_of_a_single_row_or_column():
    rng = np.random.default_rng(0)
    for rows, columns in (([9], [4, 5]), ([4, 5], [9]), ([9], [9])):
        pairs = hard_shuffles.pairs_in_random_tables(rng, np.array(rows), np.array(columns), 3)
        assert len(set(pairs.tolist())) == 1


def test_many_points_of_two_hard_sides():
    rng = np.random.default_rng(3)
    n = 10**6
    sides = sides_of("ndc", rng.integers(10, size=n), rng.binomial(7, 0.3, size=n))
    null, moments = PermutationNull(sides), permutation_moments(sides)
    drawn = null.draws(999)
    assert null.how == "random tables"
    assert brute.is_mean_of(drawn, moments.mean, errors=4.5)
    assert brute.is_mean_of((drawn - moments.mean) ** 2, moments.variance, errors=4.5)


@pytest.mark.parametrize(
    ("name", "kinds"),
    [("ndc", "hh"), ("ndc", "hf"), ("ndc", "ff"), ("brouwer", "ff"), ("belief", "hf")],
)
@pytest.mark.parametrize("n", [30, 200])
def test_draws_depend_on_the_seed_and_not_on_threads(name, kinds, n):
    pair = some_pair(kinds, 1, n)

    def null(**effort):
        return PermutationNull(sides_of(name, *pair, **effort))

    one = null(n_threads=1)
    drawn = one.draws(600)
    assert np.array_equal(drawn, null(n_threads=2).draws(600))
    assert np.array_equal(drawn[:100], one.draws(100))
    assert np.array_equal(drawn[: one.batch_size], one.batch(0)[:600])
    assert not np.array_equal(one.batch(0), one.batch(1))
    assert not np.array_equal(drawn, null(seed=1).draws(600))


@pytest.mark.parametrize("name", ["ndc", "own"])
def test_many_points_are_represented_by_some(name):
    budget = fr.Budget(kept_pairs=1000, shuffled_points=40)
    pair = some_pair("ff", 2, 100)
    null = PermutationNull(sides_of(name, *pair, budget=budget))
    assert null.points == (45 if name == "ndc" else 10)
    assert null.how == f"shuffles of {null.points} random points"
    assert null.chosen.size == np.unique(null.chosen).size == null.points
    part = [side[null.chosen] for side in pair]
    observed = discordances(name, *part, [np.arange(null.points)])[0]
    assert null.observed == pytest.approx(observed, abs=1e-12)
    exact = permutation_moments(sides_of(name, *part))
    assert brute.is_mean_of(null.draws(1000), exact.mean, errors=4.5)
    again = PermutationNull(sides_of(name, *pair, budget=budget))
    assert np.array_equal(null.chosen, again.chosen)
    other = PermutationNull(sides_of(name, *pair, budget=budget, seed=1))
    assert not np.array_equal(null.chosen, other.chosen)


@pytest.mark.parametrize("kinds", ["ff", "hf"])
@pytest.mark.parametrize("name", ["ndc", "ndc, q=1.5", "ndc, p=2", "ndc, q=2", "belief"])
def test_rows_computed_again_in_single_precision(monkeypatch, name, kinds):
    monkeypatch.setattr(row_shuffles, "TASK_ROWS", 7)
    effort = Precision(n_threads=2, budget=fr.Budget(kept_pairs=0, row_agreements=300))
    n, pair = 40, some_pair(kinds, 5, 40)
    index = sides_of(name, *pair)[0].index
    first, second = (fr.as_partition(side) for side in pair)
    shuffles = row_shuffles.RowShuffles(first, second, index, effort)
    assert len(shuffles._blocks) > 3
    orders = random_orders(4, n, 20)
    exact = discordances(name, *pair, orders)
    rounding = index.concordance.power * 2.0**-23
    assert shuffles.of_orders(orders) == pytest.approx(exact, abs=rounding)
    assert shuffles.tolerance >= 2.0 * rounding
    alone = row_shuffles.RowShuffles(first, second, index, replace(effort, n_threads=1))
    assert np.array_equal(shuffles.of_orders(orders), alone.of_orders(orders))


@pytest.mark.parametrize("kept", [0, 1 << 20])
def test_rows_of_weighted_points(kept):
    effort = Precision(n_threads=2, budget=fr.Budget(kept_pairs=kept, row_agreements=300))
    n, pair = 40, some_pair("ff", 5, 40)
    w = np.random.default_rng(0).uniform(0.2, 3.0, n)
    first, second = (replace(fr.as_partition(x), weighting=Weighting.of(w)) for x in pair)
    shuffles = row_shuffles.RowShuffles(first, second, fr.NDC(), effort)
    orders, (i, j) = random_orders(4, n, 20), np.triu_indices(n, 1)
    a, b = (1.0 - 0.5 * np.abs(x[:, None] - x).sum(axis=2) for x in pair)
    exact = [
        np.average(np.abs(a[i, j] - b[order[i], order[j]]), weights=w[i] * w[j]) for order in orders
    ]
    assert shuffles.of_orders(orders) == pytest.approx(exact, abs=1e-13 if kept else 2.0**-23)


def test_as_many_points_as_are_visited_in_time():
    def most(index, k=5, n=30_000):
        rows = fr.as_partition(np.full((n, k), 1.0 / k))
        return row_shuffles.most_points(rows, rows, index, fr.Budget())

    assert most(fr.NDC()) == 20_000
    assert most(fr.NDC(q=1.5)) == 3535
    assert most(INDICES["own"]) == 324
    assert most(fr.NDC(), k=100) == (1 << 20) // 200
    assert most(fr.NDC(), k=1000, n=2000) == 1448


def test_single_precision_is_far_below_the_spread():
    sides = sides_of("ndc", *some_pair("ff", 2, 2000))
    spread = math.sqrt(permutation_moments(sides).variance)
    few = spread * 2000 / fr.Budget().shuffled_points  # it falls at most so fast with more points
    assert PermutationNull(sides).tolerance < 0.03 * few


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kinds", KINDS)
@pytest.mark.parametrize("n", [7, 9])
def test_ties_are_within_the_tolerance(name, kinds, n):
    # Points of three kinds: shuffling points of a kind changes nothing, but for rounding.
    kind = np.maximum(np.arange(n) - (n - 3), 0)
    rows = np.array([[0.7, 0.2, 0.1], [1 / 3, 1 / 3, 1 / 3], [0.05, 0.15, 0.8]])
    first, second = (kind if letter == "h" else rows[kind] for letter in kinds)
    null = PermutationNull(sides_of(name, first, second))
    drawn = null.draws(300)
    equal = np.abs(drawn - null.observed) < 1e-9
    assert equal.any()
    assert np.array_equal(np.abs(drawn - null.observed) <= null.tolerance, equal)


class Plain(TableIndex):
    """As Frobenius, but nobody knows what is constant."""

    def __init__(self):
        super().__init__("plain")

    def discordance(self, table, constants):
        return fr.Frobenius().discordance(table, constants)

    def constants(self, pair):
        return fr.Frobenius().constants(pair)


@pytest.mark.parametrize("n", [6, 20])
def test_any_index_of_tables(n):
    pair = some_pair("hf", 3, n)
    partitions = [fr.as_partition(side) for side in pair]
    null = PermutationNull(tuple(Side(p, Plain(), Precision()) for p in partitions))
    other = PermutationNull(sides_of("frobenius", *pair))
    assert null.observed == pytest.approx(other.observed, abs=1e-12)
    assert null.exhaustive == (n == 6)
    drawn, others = null.draws(400), other.draws(400)
    assert stats.ks_2samp(np.round(drawn, 9), np.round(others, 9)).pvalue > 1e-3


def test_memory_does_not_grow_with_the_pairs(peak):
    n = 6000
    soft, other = some_pair("ff", 0, n)
    labels = soft.argmax(axis=1)
    for pair in ((labels, other), (soft, other)):
        PermutationNull(sides_of("ndc", *pair)).draws(20)
        PermutationNull(sides_of("brouwer", *pair)).draws(20)
    assert peak() < 60.0 < 4e-6 * n**2
