"""The omega index of weighted points: by the definition, over all orders, and explained."""

import itertools

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import fuzzyrand as fr
from fuzzyrand._methods.inference.influence import influences
from fuzzyrand._pairs import cover_levels as covers

from .. import brute
from ..examples import examples
from .test_omega import FIRST, HIDDEN, OMEGA, SECOND, A, B, N, two_covers

W = np.random.default_rng(3).gamma(1.0, size=N) + 0.05


def weights_of(pair, seed):
    return np.random.default_rng(seed).gamma(0.7, size=len(pair[0])) + 1e-3


@examples(20)
@given(two_covers(), st.integers(0, 2**32 - 1), st.booleans())
def test_definition(pair, seed, many):
    w = weights_of(pair, seed)
    observed, expected = brute.omega(*pair, w)
    a, b = map(fr.as_cover, pair)
    with pytest.MonkeyPatch.context() as patch:
        if many:
            patch.setattr(covers, "MANY", 1)
            patch.setattr(covers, "MERGED", 0.0)
            patch.setattr(covers, "TASK", 5)
        assert fr.similarity(a, b, **OMEGA, weights=w) == pytest.approx(observed, abs=1e-12)
        found = fr.expected_similarity(a, b, **OMEGA, weights=w)
    assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("other", [HIDDEN, np.arange(N) % 3])
def test_hard_clusterings_are_weighted_as_by_the_rand_index(other):
    for first in (HIDDEN, A):
        found = fr.similarity(first, other, **OMEGA, weights=W)
        rows = FIRST if first is A else np.eye(5)[HIDDEN]
        assert found == pytest.approx(brute.omega(rows, np.eye(5)[other], W)[0], abs=1e-12)
    found = fr.compare(HIDDEN, other, **OMEGA, weights=W).adjusted
    rand = fr.compare(HIDDEN, other, index="rand", weights=W).adjusted
    assert found == pytest.approx(rand, abs=1e-12)


@examples(4)
@given(two_covers(fewest=5, most=6), st.integers(0, 2**32 - 1))
def test_pvalues_are_those_of_all_orders_at_fixed_weights(pair, seed):
    w = weights_of(pair, seed)
    assume(brute.omega(*pair, w)[1] < 1.0 - 1e-9)
    p, a = brute.pair_weights(w), brute.levels(pair[0])
    orders = itertools.permutations(range(len(w)))
    null = np.array([p @ (a == brute.levels(pair[1][list(order)])) for order in orders])
    assume(np.ptp(null) > 1e-9)
    test = fr.significance(*map(fr.as_cover, pair), **OMEGA, weights=w)
    assert test.pvalue == pytest.approx(np.mean(null >= null[0] - 1e-12))


@pytest.mark.parametrize("second", [B, HIDDEN], ids=["cover", "hard"])
def test_shuffles_are_random_orders_at_fixed_weights(second):
    rng = np.random.default_rng(4)
    first = HIDDEN if second is HIDDEN else A
    test = fr.significance(first, second, **OMEGA, weights=W, draws=999)
    rows = [
        np.eye(5)[HIDDEN] if x is HIDDEN else (FIRST if x is A else SECOND) for x in (first, second)
    ]
    p, levels = brute.pair_weights(W), brute.levels(rows[0])
    drawn = []
    for _ in range(150):
        shuffled = rng.permutation(rows[1])
        drawn.append(p @ (levels == (shuffled @ shuffled.T)[np.triu_indices(N, 1)]))
    chance = brute.omega(*rows, W)[1]
    null = 1.0 - (1.0 - test.null) * (1.0 - chance)
    assert null.mean() == pytest.approx(np.mean(drawn), abs=5.0 * np.std(drawn) / np.sqrt(150))
    assert null.std() == pytest.approx(np.std(drawn), rel=5.0 / np.sqrt(300))
    assert test.pvalue <= 0.01


def test_explanations():
    result = fr.explain(A, B, **OMEGA, weights=W)
    a, b, p = brute.levels(FIRST), brute.levels(SECOND), brute.pair_weights(W)
    i, j = np.triu_indices(N, 1)
    assert np.average(result.points, weights=W) == pytest.approx(result.adjusted, abs=1e-12)
    chance = 1.0 - brute.omega(FIRST, SECOND, W)[1]
    sums = np.bincount(i, p * (a != b), N) + np.bincount(j, p * (a != b), N)
    scores = 1.0 - 0.5 * sums / W * W.sum() / chance
    assert result.points == pytest.approx(scores, abs=1e-12)
    shares = np.array([p @ (b == t) for t in range(a.max() + 1)])
    for cluster in range(5):
        inside = p * (FIRST[i, cluster] * FIRST[j, cluster])
        found = result.wallace.first.clusters
        assert found.observed[cluster] == pytest.approx(inside @ (a == b) / inside.sum())
        assert found.expected[cluster] == pytest.approx(inside @ shares[a] / inside.sum())


def test_intervals_follow_from_the_weight_of_each_point():
    found = influences(fr.compare(A, B, **OMEGA, weights=W)).values
    value, step = fr.adjusted_similarity(A, B, **OMEGA, weights=W), 1e-4
    more = np.where(np.eye(N, dtype=bool), 1.0 + step, 1.0) * W
    moved = [fr.adjusted_similarity(A, B, **OMEGA, weights=each) - value for each in more]
    assert np.corrcoef(found, moved)[0, 1] > 0.998
    assert found.std() == pytest.approx(np.std(moved) * N / step, rel=4.0 / N)
    interval = fr.confidence_interval(A, B, **OMEGA, weights=W)
    assert interval.low < interval.adjusted < interval.high
