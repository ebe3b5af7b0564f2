"""The Frobenius Rand index, against its definition over an n × n array."""

import itertools

import numpy as np
import pytest
from hypothesis import given

import fuzzyrand as fr

from .. import brute
from ..strategies import two_clusterings

TOY = fr.toy_clusterings()


@given(two_clusterings())
def test_frobenius_is_its_definition(pair):
    u, v = (brute.memberships(x) for x in pair)
    assert fr.similarity(*pair, index="frobenius") == pytest.approx(
        brute.frobenius(u, v), abs=1e-11
    )


def test_frobenius_expectation_is_the_mean_over_all_permutations():
    rng = np.random.default_rng(3)
    u, v = rng.dirichlet([0.5] * 3, 6), rng.dirichlet([1.0] * 2, 6)
    orders = itertools.permutations(range(6))
    exact = np.mean([brute.frobenius(u, v[list(order)]) for order in orders])
    ours = fr.expected_similarity(u, v, index="frobenius", model="perm")
    assert ours == pytest.approx(exact, abs=1e-12)


def test_frobenius_is_one_with_itself_and_refuses_other_models():
    u = TOY["high_fuzzy"]
    assert fr.compare(u, u.copy(), index="frobenius", model="perm").adjusted == pytest.approx(1.0)
    with pytest.raises(fr.NotApplicableError, match=r"'frobenius'.*model='perm'"):
        fr.compare(u, u, index="frobenius", model="fit")
    with pytest.raises(fr.NotApplicableError, match="is known under model='perm' only"):
        fr.check_model(u, "perm", index="frobenius")
    assert fr.compare(u, u, index="frobenius", model="every").models == ["perm"]


def test_frobenius_of_many_hard_clusters_makes_no_square_array():
    labels = np.arange(40_000)  # as many clusters as points
    soft = np.random.default_rng(0).dirichlet([1.0, 1.0], labels.size)
    value = fr.similarity(labels, soft, index="frobenius")
    assert 0.0 <= value <= 1.0
    assert fr.similarity(labels, soft, index="consistency") == pytest.approx(
        1 - (soft.sum(axis=0) @ soft.sum(axis=0) - (soft**2).sum()) / (labels.size * 39_999)
    )
