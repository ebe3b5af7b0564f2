"""An index of pairs in a few lines: every function takes it."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fuzzyrand as fr
from fuzzyrand.indices.agreements import Agreement
from fuzzyrand.indices.base import PairIndex


class Largest(Agreement):
    """1 minus the largest difference of two points' memberships in a cluster."""

    def between(self, x, y):
        return 1.0 - np.abs(x - y).max(axis=0)


class Chebyshev(PairIndex):
    """The NDC by the largest difference of memberships instead of their sum."""

    measures = "The index compares points by the cluster in which they differ most."

    def __init__(self):
        super().__init__("chebyshev", agreement=Largest())


def differences(rows):
    """The distance of all pairs of rows, by a plain loop."""
    return np.array([np.abs(a - b).max() for a, b in combinations(rows, 2)])


def discordance(u, v):
    return np.abs(differences(u) - differences(v)).mean()


RNG = np.random.default_rng(0)
LABELS = RNG.integers(3, size=40)
SOFT = RNG.dirichlet([0.5] * 3, 40)


@given(st.integers(0, 10**6), st.integers(2, 12), st.integers(2, 4))
def test_observed_and_expected(seed, n, k):
    rng = np.random.default_rng(seed)
    u, v = rng.dirichlet([0.6] * k, (2, n))
    c = fr.compare(u, v, index=Chebyshev())
    assert c.observed == pytest.approx(1.0 - discordance(u, v), abs=1e-12)
    every = np.abs(differences(u)[:, None] - differences(v)).mean()
    assert c.expected == pytest.approx(1.0 - every, abs=1e-12)


def test_hard_clusterings_have_the_rand_index():
    other = RNG.integers(4, size=40)
    ours = fr.compare(LABELS, other, index=Chebyshev())
    assert ours.adjusted == pytest.approx(fr.compare(LABELS, other, index="rand").adjusted)


@pytest.mark.parametrize("model", ["fit", "sym", "flat", "empirical"])
def test_models_draw_what_they_do_not_know(model):
    c = fr.compare(LABELS, SOFT, index=Chebyshev(), model=model, tol=0.01)
    assert c.stderr <= 0.01
    assert 0.0 < c.expected < 1.0


def test_every_function_takes_it():
    index = Chebyshev()
    mixed = 0.7 * np.eye(3)[LABELS] + 0.3 * SOFT
    assert fr.significance(LABELS, mixed, index=index, draws=99).pvalue == 0.01
    interval = fr.confidence_interval(LABELS, mixed, index=index)
    assert interval.low < interval.adjusted < interval.high
    explained = fr.explain(LABELS, mixed, index=index)
    assert explained.points.mean() == pytest.approx(explained.comparison.adjusted)
    assert fr.pairwise([LABELS, SOFT, mixed], index=index).adjusted.shape == (3, 3)
    assert fr.check_model(SOFT, "fit", index=index).index == "chebyshev"
    assert Chebyshev.measures in fr.compare(LABELS, SOFT, index=index).analysis.index.explanation
