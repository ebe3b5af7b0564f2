"""Pairs of two hard clusterings, counted from their contingency table."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fuzzyrand as fr
from fuzzyrand._pairs.contingency import discordant_partners

from ..strategies import hard


def test_as_many_clusters_as_points_need_no_square_table():
    n = 200_000
    a, b = np.arange(n), np.arange(n) // 2
    assert fr.similarity(a, b) == pytest.approx(1 - (n / 2) / (n * (n - 1) / 2), abs=1e-15)


@given(st.integers(2, 30).flatmap(lambda n: st.tuples(hard(n), hard(n))), st.booleans())
def test_partners_on_which_two_clusterings_differ(pair, sparse):
    first, second = pair
    apart = (first[:, None] == first) != (second[:, None] == second)
    k = 1000 if sparse else 6  # most of the clusters are empty
    found = discordant_partners(first, second, k, k)
    assert found.tolist() == apart.sum(axis=1).tolist()
