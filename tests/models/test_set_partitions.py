"""Ratios of Stirling and Bell numbers, and expected sizes: against exact arithmetic, for any n."""

import itertools
import math
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import gammaln, xlogy

from fuzzyrand._distributions.count_means import jensen_gap_shuffled
from fuzzyrand.models.set_partitions import (
    bell_ratio,
    expected_sizes,
    expected_sizes_of_any_number,
    stirling_ratio,
)

from .. import brute


@given(st.data())
def test_stirling_ratio_is_exact(data):
    n = data.draw(st.integers(2, brute.LARGEST))
    k = data.draw(st.integers(1, n))
    before = brute.STIRLING[n - 1][k] if k < n else 0
    exact = float(Fraction(before, brute.STIRLING[n][k]))
    assert stirling_ratio(n, k) == pytest.approx(exact, rel=1e-12, abs=1e-300)


@pytest.mark.parametrize("n", range(2, brute.LARGEST + 1, 7))
def test_bell_ratio_is_exact(n):
    assert bell_ratio(n) == pytest.approx(
        float(Fraction(brute.BELL[n - 1], brute.BELL[n])), rel=1e-12
    )


@pytest.mark.parametrize("k", [2, 1_000, 60_000, 90_000, 100_000])
def test_stirling_ratio_of_a_million_points(k):
    n = 10**6

    def alternating_sum(power):  # S(power, k) k! / k^power, stable while k exp(-n/k) is small
        j = np.arange(min(k, 60))
        choose = gammaln(k + 1) - gammaln(j + 1) - gammaln(k - j + 1)
        return float(((-1.0) ** j * np.exp(choose + power * np.log1p(-j / k))).sum())

    exact = alternating_sum(n - 1) / alternating_sum(n) / k
    assert stirling_ratio(n, k) == pytest.approx(exact, rel=1e-9)


def test_stirling_ratio_near_singletons():
    n = 10**6  # S(n, n-1) = n(n-1)/2 and S(n-1, n-1) = 1
    assert stirling_ratio(n, n - 1) == pytest.approx(2 / (n * (n - 1)), rel=1e-9)


def test_bell_ratio_of_a_million_points():
    n = 10**6
    with localcontext() as context:
        context.prec = 35
        # Dobinski's sum in decimal arithmetic: weights m^n / m! relative to the first.
        m = range(76_000, 100_000)
        logs = [Decimal(x).ln() for x in m]
        weights, log_weight = [Decimal(1)], Decimal(0)
        for before, log in itertools.pairwise(logs):
            log_weight += n * (log - before) - log
            weights.append(log_weight.exp())
        exact = sum(w / x for w, x in zip(weights, m, strict=True)) / sum(weights)
    assert bell_ratio(n) == pytest.approx(float(exact), rel=1e-12)


def exact_sizes(n, k=None):
    """Expected numbers of clusters of sizes 0 to n, by rational numbers."""

    def ways(points, clusters):
        if k is None:
            return brute.BELL[points]
        row = brute.STIRLING[points]
        return row[clusters] if clusters < len(row) else 0

    rest = None if k is None else k - 1
    return [
        float(Fraction(math.comb(n, a) * ways(n - a, rest), ways(n, k))) if a else 0.0
        for a in range(n + 1)
    ]


@given(st.data())
def test_expected_sizes_are_exact(data):
    n = data.draw(st.integers(1, 30) | st.integers(1, brute.LARGEST))
    k = data.draw(st.integers(1, n))
    sizes, numbers = expected_sizes(n, k)
    found = np.bincount(sizes, numbers, n + 1)
    # Sizes that hardly occur are known to the last digit of the most frequent ones.
    np.testing.assert_allclose(found, exact_sizes(n, k), rtol=1e-13, atol=1e-15 * k)


@given(st.integers(1, 30) | st.integers(1, brute.LARGEST))
def test_expected_sizes_of_any_number_are_exact(n):
    sizes, numbers = expected_sizes_of_any_number(n)
    exact = np.array(exact_sizes(n))
    np.testing.assert_allclose(numbers, exact[sizes], rtol=1e-12 if n > 30 else 1e-13)
    exact[sizes] = 0.0  # what was left out
    assert np.arange(n + 1) @ exact / n <= 1e-17


@pytest.mark.parametrize("n", [10**4, 10**7])
def test_expected_sizes_of_many_points_agree_with_stirling_and_bell_numbers(n):
    cases = [(expected_sizes(n, k), stirling_ratio(n, k)) for k in (2, 10, 999, n // 3, n - 5)]
    for (sizes, numbers), ratio in [*cases, (expected_sizes_of_any_number(n), bell_ratio(n))]:
        assert sizes @ numbers == pytest.approx(n, rel=1e-13)
        together = (sizes * (sizes - 1.0)) @ numbers / (n * (n - 1.0))
        assert together == pytest.approx(ratio, rel=1e-8)  # as many digits as the ratio has
    for k in (2, 10, 999, n // 3, n - 5):
        assert expected_sizes(n, k)[1].sum() == pytest.approx(k, rel=1e-12)


def set_partitions(n):
    """All clusterings of n points as rows of labels, each numbered by first appearance."""
    rows = [(0,)]
    for _ in range(n - 1):
        rows = [(*row, label) for row in rows for label in range(max(row) + 2)]
    return np.array(rows)


def mean_information(first, second):
    """The mean mutual information of all pairs of rows of labels."""
    n = first.shape[1]
    where = np.arange(len(second))[:, None] * n * n
    total = 0.0
    for labels in first:
        cells = np.bincount((where + n * labels + second).ravel(), minlength=len(second) * n * n)
        cells = cells.reshape(-1, n, n) / n
        parts = (cells, cells.sum(axis=1), cells.sum(axis=2))
        joint, *margins = (float(xlogy(part, part).sum()) for part in parts)
        total += joint - sum(margins)
    return total / (len(first) * len(second))


@pytest.mark.parametrize(("k1", "k2"), [(2, 3), (3, 3), (4, 6), (None, None)])
@pytest.mark.parametrize("fixed", [False, True])
def test_expected_information_equals_all_set_partitions(k1, k2, fixed):
    n, every = 7, set_partitions(7)
    number = every.max(axis=1) + 1
    first, second = (every if k is None else every[number == k] for k in (k1, k2))
    law1, law2 = (
        expected_sizes_of_any_number(n) if k is None else expected_sizes(n, k) for k in (k1, k2)
    )
    if fixed:
        first = np.array([[0, 0, 0, 1, 1, 2, 2]])
        law1 = np.array([3, 2]), np.array([1.0, 2.0])
    found, _ = jensen_gap_shuffled(n, law1[0], law2[0], law1[1], law2[1])
    assert found == pytest.approx(mean_information(first, second), rel=1e-13)
