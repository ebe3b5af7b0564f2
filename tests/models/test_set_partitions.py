"""Ratios of Stirling and Bell numbers: against exact arithmetic, for few and for many points."""

import itertools
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import gammaln

from fuzzyrand._pairs.counting import bell_ratio, stirling_ratio

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
