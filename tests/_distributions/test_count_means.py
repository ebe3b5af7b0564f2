"""Means of x ln x of random counts: against exact arithmetic, enumeration and scikit-learn."""

import itertools
import math
from collections import Counter
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import coo_array
from sklearn.metrics.cluster import expected_mutual_information

from fuzzyrand._distributions import count_means
from fuzzyrand._distributions.count_means import (
    jensen_gap_binomial,
    jensen_gap_shuffled,
    mean_cells_binomial,
    mean_cells_shuffled,
)

from ..examples import examples


def phi(x):
    return x * x.ln() if x else Decimal(0)


def hypergeometric(n, a, b):
    total = Decimal(math.comb(n, b))
    return {
        number: math.comb(a, number) * math.comb(n - a, b - number) / total
        for number in range(max(0, a + b - n), min(a, b) + 1)
    }


def binomial(trials, probability):
    p, q = (Decimal(x.numerator) / x.denominator for x in (probability, 1 - probability))
    powers = {
        number: (p**number if number else 1) * (q ** (trials - number) if number < trials else 1)
        for number in range(trials + 1)
    }
    return {number: math.comb(trials, number) * power for number, power in powers.items()}


def exact(n, law, *cells):
    """The sum of E phi(N/n), and of its excess over phi(E N/n), over cells with these laws."""
    with localcontext() as context:
        context.prec = 50
        mean = gap = Decimal(0)
        for cell, times in Counter(cells).items():
            probabilities = law(*cell)
            own = sum(p * phi(Decimal(x) / n) for x, p in probabilities.items())
            at_mean = phi(sum(p * Decimal(x) for x, p in probabilities.items()) / n)
            mean, gap = mean + times * own, gap + times * (own - at_mean)
        return mean, gap


def agree(found, expected, magnitude):
    value, error = found
    difference = abs(Decimal(value) - expected)
    assert difference <= Decimal(error)
    assert difference <= 1e-13 * magnitude
    assert error <= 1e-12 * magnitude


def information(cells, n):
    """Mutual information of pairs of labels, from how often each occurs."""
    rows, columns = Counter(), Counter()
    for (i, j), number in cells.items():
        rows[i] += number
        columns[j] += number
    return sum(
        number / n * math.log(number * n / (rows[i] * columns[j]))
        for (i, j), number in cells.items()
    )


def some_sizes(n):
    """Sizes of clusters of n points, as the lengths between random cuts."""
    cuts = st.sets(st.integers(1, max(n - 1, 1)), max_size=6)
    return cuts.map(lambda at: np.diff([0, *sorted(at - {n}), n]).tolist())


@st.composite
def two_sides(draw, largest):
    n = draw(st.integers(1, largest))
    return n, draw(some_sizes(n)), draw(some_sizes(n))


@given(two_sides(60))
def test_shuffled_equals_exact_arithmetic(sides):
    n, sizes1, sizes2 = sides
    mean, gap = exact(n, hypergeometric, *((n, a, b) for a in sizes1 for b in sizes2))
    agree(mean_cells_shuffled(n, sizes1, sizes2), mean, 1.0)
    agree(jensen_gap_shuffled(n, sizes1, sizes2), gap, 1.0)


@pytest.mark.parametrize(
    ("sizes", "wide"), [((2250, 2250), True), ((2400, 2100), True), ((1500, 3000), False)]
)
def test_many_points_equal_exact_arithmetic(sizes, wide):
    n, halves = 4_500, (2250, 2250)
    deviations = [math.sqrt(a / n * (n - a) / (n - 1) * n / 4) for a in sizes]
    assert (min(deviations) >= count_means.WIDE) == wide
    mean, gap = exact(n, hypergeometric, *((n, a, b) for a in sizes for b in halves))
    agree(mean_cells_shuffled(n, sizes, halves), mean, 1.0)
    agree(jensen_gap_shuffled(n, sizes, halves), gap, float(gap))  # relative to 1e-4


@given(two_sides(25), st.booleans())
def test_binomial_equals_exact_arithmetic(sides, fixed):
    n, sizes1, sizes2 = sides
    p, q = ([Fraction(size, n) for size in sizes] for sizes in (sizes1, sizes2))
    if fixed:
        cells = [(a, x) for a in sizes1 for x in q]
        arguments = n, sizes1, np.array(sizes2) / n
    else:
        cells = [(n, x * y) for x in p for y in q]
        arguments = n, n, np.array(sizes1) / n, np.array(sizes2) / n
    mean, gap = exact(n, binomial, *cells)
    # The probabilities given are rounded, and ln N is at most ln n.
    rounding = Decimal(4e-16 * len(cells) * (1 + math.log(n)))
    for found, expected in (
        (mean_cells_binomial(*arguments), mean),
        (jensen_gap_binomial(*arguments), gap),
    ):
        assert abs(Decimal(found[0]) - expected) <= Decimal(found[1]) + rounding
        assert found[1] <= 1e-13


def test_wide_binomials_equal_exact_arithmetic():
    n, p = 1_500, [Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)]  # exact as floats
    mean, gap = exact(n, binomial, *((n, x) for x in p))
    agree(mean_cells_binomial(n, n, [float(x) for x in p]), mean, 1.0)
    agree(jensen_gap_binomial(n, n, [float(x) for x in p]), gap, float(gap))


@pytest.mark.parametrize("n", [20_000, None])
def test_every_other_count_is_enough_for_a_wide_distribution(n):
    rng = np.random.default_rng(0)
    a = rng.integers(2_000, 18_000, 40).astype(float)
    b = rng.uniform(0.1, 0.9, (1, 20)) if n is None else rng.integers(2_000, 18_000, (1, 20)) * 1.0
    counts = count_means._Counts.of(a[:, None], b, n)
    counts = counts.chosen(counts.sd >= count_means.WIDE)
    assert counts.sd.size > 100
    _, errors = count_means._gaps(counts)
    difference = count_means._wide_gaps(counts) - count_means._narrow_gaps(counts)
    assert (np.abs(difference) <= errors).all()


def test_a_binomial_is_the_limit_of_a_hypergeometric():
    trials, n = [3, 400, 9_000], 10**14
    shuffled, _ = jensen_gap_shuffled(n, trials, [n // 5, n // 2])
    independent, _ = jensen_gap_binomial(n, trials, [0.2, 0.5])
    assert shuffled == pytest.approx(independent, rel=1e-9)


def test_shuffled_equals_all_permutations():
    first, second = "aaabbcc", "xxxxyyz"
    shuffles = list(itertools.permutations(second))
    mean = math.fsum(information(Counter(zip(first, each, strict=True)), 7) for each in shuffles)
    found, error = jensen_gap_shuffled(7, [3, 2, 2], [4, 2, 1])
    assert found == pytest.approx(mean / len(shuffles), rel=1e-13)
    assert error < 1e-14


@pytest.mark.parametrize("fixed", [False, True])
def test_binomial_equals_all_labellings(fixed):
    n, p, q, sizes = 5, {"a": 0.7, "b": 0.3}, {"x": 0.2, "y": 0.8}, [3, 2]
    laws = {
        side: {
            labels: math.prod(law[each] for each in labels)
            for labels in itertools.product(law, repeat=n)
        }
        for side, law in (("first", p), ("second", q))
    }
    if fixed:
        laws["first"] = {("a", "a", "a", "b", "b"): 1.0}
    mean = math.fsum(
        chance1 * chance2 * information(Counter(zip(one, two, strict=True)), n)
        for one, chance1 in laws["first"].items()
        for two, chance2 in laws["second"].items()
    )
    p, q = list(p.values()), list(q.values())
    if fixed:
        found = jensen_gap_binomial(n, sizes, q)[0] - jensen_gap_binomial(n, n, q)[0]
    else:
        margins = jensen_gap_binomial(n, n, p)[0] + jensen_gap_binomial(n, n, q)[0]
        found = jensen_gap_binomial(n, n, p, q)[0] - margins
    assert found == pytest.approx(mean, rel=1e-13)


def test_certain_counts_have_no_gap():
    assert jensen_gap_binomial(9, [4, 5], [0.0, 1.0]) == (0.0, 0.0)
    assert mean_cells_binomial(4, 4, [0.0, 1.0])[0] == 0.0
    assert jensen_gap_shuffled(9, [9], [4, 5])[0] == 0.0


@pytest.mark.parametrize(
    ("n", "clusters1", "clusters2"), [(10**4, 200, 300), (10**5, 6, 9), (3_000, 1_500, 1_000)]
)
def test_shuffled_equals_scikit_learn(n, clusters1, clusters2):
    rng = np.random.default_rng(0)
    labels1, labels2 = rng.integers(clusters1, size=n), rng.integers(clusters2, size=n)
    table = coo_array((np.ones(n, np.int64), (labels1, labels2))).tocsr()
    table = table[np.diff(table.indptr) > 0][:, np.unique(table.indices)]  # no empty clusters
    sizes1, sizes2 = (np.asarray(table.sum(axis=axis)).ravel() for axis in (1, 0))
    found, error = jensen_gap_shuffled(n, sizes1, sizes2)
    assert found == pytest.approx(expected_mutual_information(table, n), abs=1e-8)
    assert error < 1e-13


def test_ten_million_points():
    n, k1, k2 = 10**7, 10, 12
    found, error = jensen_gap_shuffled(n, [n // 10] * 10, [n // 12] * 12)
    # The classical chi-squared term is off by a share of order k1 k2 / n.
    assert found == pytest.approx((k1 - 1) * (k2 - 1) / (2 * n), rel=2e-5)
    assert error < 1e-11 * found


@examples(15)
@given(st.data())
def test_counts_are_repetitions(data):
    n, sizes1, sizes2 = data.draw(two_sides(30))
    repeated = [n, *sizes1, *sizes1, *sizes1, *sizes2]
    grouped, counts = np.unique(repeated, return_counts=True)
    sizes = np.concatenate([grouped, grouped])  # given twice, with counts that add up
    plain = mean_cells_shuffled(n, repeated, sizes2)[0]
    weighted = mean_cells_shuffled(n, sizes, sizes2, np.r_[0.25 * counts, 0.75 * counts])[0]
    assert weighted == pytest.approx(plain, rel=1e-13, abs=1e-15)


@pytest.mark.parametrize(
    ("n", "size1", "size2"),
    [(10**6, 500_000, 20_000), (10**5, 30_000, 2_000), (10**6, 6_000, 90), (10**6, 300, 140)],
)
def test_interpolation_between_sizes_equals_enumeration(monkeypatch, n, size1, size2):
    def measure(size):  # of up to 181 sizes within eight standard deviations
        sizes = np.unique(np.rint(size + math.sqrt(size) * np.linspace(-8, 8, 181)))
        return sizes, n / size * np.exp(-0.5 * (sizes - size) ** 2 / size)

    (sizes1, counts1), (sizes2, counts2) = measure(size1), measure(size2)
    summed = []
    monkeypatch.setattr(
        count_means,
        "_gap_of_grid",
        lambda *grid, original=count_means._gap_of_grid: summed.append(grid) or original(*grid),
    )
    arguments = n, sizes1, sizes2, counts1, counts2
    monkeypatch.setattr(count_means, "MANY_CELLS", 100)
    value, error = jensen_gap_shuffled(*arguments)
    assert summed[-1][0].values.size < sizes1.size
    monkeypatch.setattr(count_means, "MANY_CELLS", math.inf)
    plain, plain_error = jensen_gap_shuffled(*arguments)
    assert summed[-1][0].values.size == sizes1.size
    assert abs(value - plain) <= error + plain_error
    assert error <= 2e-12 * value


def test_sizes_that_are_not_alike_are_enumerated(monkeypatch):
    sizes = np.arange(1, 201)
    n = int(sizes.sum())
    value = jensen_gap_shuffled(n, sizes, sizes)
    monkeypatch.setattr(count_means, "MANY_CELLS", math.inf)
    assert value == jensen_gap_shuffled(n, sizes, sizes)
    monkeypatch.setattr(count_means, "MANY_CELLS", 0)
    monkeypatch.setattr(count_means, "ALIKE", math.inf)  # does not converge, and is not believed
    assert value == jensen_gap_shuffled(n, sizes, sizes)
