"""Sums of distances over pairs, by sorting."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fuzzyrand._pairs.sorted_columns import (
    distances_from_each,
    sum_of_distances,
    sums_of_distances,
)

from ..strategies import fuzzy, hard


@given(st.integers(2, 20).flatmap(lambda n: st.tuples(fuzzy(n), hard(n))))
def test_sums_by_sorting(pair):
    memberships, groups = pair
    groups = np.unique(groups, return_inverse=True)[1]
    all_pairs = within = 0.0
    for i in range(len(groups)):
        for j in range(i):
            distance = np.abs(memberships[i] - memberships[j]).sum()
            all_pairs += distance
            within += distance * (groups[i] == groups[j])
    assert sum_of_distances(memberships) == pytest.approx(all_pairs, abs=1e-12)
    found = sums_of_distances(memberships, groups)
    assert found.within_groups == pytest.approx(within, abs=1e-12)
    assert found.all_pairs == pytest.approx(all_pairs, abs=1e-12)


def test_sums_by_sorting_with_very_many_groups():
    rng = np.random.default_rng(0)
    x = rng.dirichlet(np.ones(3), 3000)
    groups = rng.permutation(np.arange(3000) // 3)  # a thousand groups: the other branch
    within = sum(
        np.abs(x[groups == g][:, None] - x[groups == g][None]).sum() / 2 for g in range(1000)
    )
    assert sums_of_distances(x, groups).within_groups == pytest.approx(within, rel=1e-12)


@given(st.integers(2, 20).flatmap(fuzzy))
def test_distances_from_each_row(memberships):
    exact = np.abs(memberships[:, None] - memberships[None]).sum(axis=(1, 2))
    assert distances_from_each(memberships) == pytest.approx(exact, abs=1e-12)
