"""Hard clusterings: against scikit-learn, clusim, and exact rational arithmetic."""

import itertools
import warnings
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import gammaln
from sklearn.metrics import adjusted_rand_score, rand_score

import fuzzyrand as fr
from fuzzyrand._pairs.counting import bell_ratio, stirling_ratio

from ..strategies import two_clusterings

LARGEST = 300


def _stirling_numbers(largest):
    rows = [[1]]
    for n in range(1, largest + 1):
        before = [*rows[-1], 0]
        rows.append([0] + [k * before[k] + before[k - 1] for k in range(1, n + 1)])
    return rows


STIRLING = _stirling_numbers(LARGEST)
BELL = [sum(row) for row in STIRLING]


@given(two_clusterings(kinds=("hard",)))
def test_perm_is_the_adjusted_rand_index(pair):
    a, b = pair
    assert fr.similarity(a, b, index="rand") == pytest.approx(rand_score(a, b), abs=1e-12)
    ours = fr.adjusted_similarity(a, b, model="perm")
    assert ours == pytest.approx(adjusted_rand_score(a, b), abs=1e-12)


@pytest.mark.parametrize("n", [1_000, 100_000, 1_000_000])
@pytest.mark.parametrize(("k1", "k2"), [(2, 2), (10, 12), (1, 5), (700, 900)])
def test_perm_on_many_points(n, k1, k2):
    rng = np.random.default_rng(n + k1)
    a = rng.integers(k1, size=n)
    b = np.where(rng.random(n) < 0.3, a % k2, rng.integers(k2, size=n))
    ours = fr.adjusted_similarity(a, b, model="perm")
    assert ours == pytest.approx(adjusted_rand_score(a, b), abs=1e-12)


def test_as_many_clusters_as_points_need_no_square_table():
    n = 200_000
    a, b = np.arange(n), np.arange(n) // 2
    assert fr.similarity(a, b) == pytest.approx(1 - (n / 2) / (n * (n - 1) / 2), abs=1e-15)


@given(st.data())
def test_stirling_ratio_is_exact(data):
    n = data.draw(st.integers(2, LARGEST))
    k = data.draw(st.integers(1, n))
    before = STIRLING[n - 1][k] if k < n else 0
    exact = float(Fraction(before, STIRLING[n][k]))
    assert stirling_ratio(n, k) == pytest.approx(exact, rel=1e-12, abs=1e-300)


@pytest.mark.parametrize("n", range(2, LARGEST + 1, 7))
def test_bell_ratio_is_exact(n):
    assert bell_ratio(n) == pytest.approx(float(Fraction(BELL[n - 1], BELL[n])), rel=1e-12)


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


@given(two_clusterings(kinds=("hard",)), st.sampled_from([None, "first", "second"]))
def test_num_and_all_in_rational_arithmetic(pair, fixed):
    a, b = pair
    for model, chance in (("num", _chance_num), ("all", _chance_all)):
        q1, q2 = chance(a), chance(b)
        if fixed == "first":
            q1 = _together(a)
        if fixed == "second":
            q2 = _together(b)
        expected = q1 * q2 + (1 - q1) * (1 - q2)
        ours = fr.expected_similarity(a, b, model=model, fixed=fixed)
        assert ours == pytest.approx(float(expected), abs=1e-12)


def _chance_num(labels):
    n, k = len(labels), len(set(labels))
    return Fraction(STIRLING[n - 1][k] if k < n else 0, STIRLING[n][k])


def _chance_all(labels):
    return Fraction(BELL[len(labels) - 1], BELL[len(labels)])


def _together(labels):
    n = len(labels)
    sizes = np.unique(labels, return_counts=True)[1]
    return Fraction(int((sizes * (sizes - 1)).sum()), n * (n - 1))


@pytest.mark.parametrize("seed", range(5))
def test_clusim_agrees(seed):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        clustering = pytest.importorskip("clusim.clustering", reason="clusim is not installed")
        sim = pytest.importorskip("clusim.sim", reason="clusim is not installed")
    rng = np.random.default_rng(seed)
    n = 60
    a, b = rng.integers(4, size=n), rng.integers(5, size=n)
    c1 = clustering.Clustering().from_membership_list(a.tolist())
    c2 = clustering.Clustering().from_membership_list(b.tolist())
    ours = {m: fr.adjusted_similarity(a, b, model=m) for m in ("perm", "num", "all")}
    assert ours["perm"] == pytest.approx(sim.adjrand_index(c1, c2, random_model="perm"), abs=1e-9)
    assert ours["all"] == pytest.approx(sim.adjrand_index(c1, c2, random_model="all"), abs=1e-9)
    assert ours["num"] == pytest.approx(sim.adjrand_index(c1, c2, random_model="num"), abs=1e-9)
    one_sided = fr.adjusted_similarity(a, b, model="all", fixed="second")
    assert one_sided == pytest.approx(sim.adjrand_index(c1, c2, random_model="all1"), abs=1e-9)


def test_models_of_a_hard_clustering():
    a, b = [0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 1, 1]
    p, q = np.array([3, 2, 1]) / 6, np.array([2, 4]) / 6
    q1, q2 = (p**2).sum(), (q**2).sum()
    expected = q1 * q2 + (1 - q1) * (1 - q2)
    for model in ("cat", "fit"):
        assert fr.expected_similarity(a, b, model=model) == pytest.approx(expected, abs=1e-15)
    expected = 1 / 6 + (1 - 1 / 3) * (1 - 1 / 2)
    assert fr.expected_similarity(a, b, model="sym") == pytest.approx(expected, abs=1e-15)
    four = fr.Partition.from_labels(b, clusters=4)
    expected = 1 / 12 + (1 - 1 / 3) * (1 - 1 / 4)
    assert fr.expected_similarity(a, four, model="sym") == pytest.approx(expected, abs=1e-15)
