"""Sums of distances over pairs, by sorting."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fuzzyrand._clusterings.rows import DenseRows
from fuzzyrand._pairs.sorted_columns import (
    distances_of_grouped_points,
    distances_of_points,
    sum_of_distances,
    sums_of_distances,
)

from ..clusterings import nearly_even
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
    assert sum_of_distances(DenseRows(memberships)) == pytest.approx(all_pairs, abs=1e-12)
    found = sums_of_distances(DenseRows(memberships), groups)
    assert found.within_groups == pytest.approx(within, abs=1e-12)
    assert found.all_pairs == pytest.approx(all_pairs, abs=1e-12)


def test_sums_by_sorting_with_very_many_groups():
    rng = np.random.default_rng(0)
    x = rng.dirichlet(np.ones(3), 3000)
    groups = rng.permutation(np.arange(3000) // 3)  # a thousand groups: the other branch
    within = sum(
        np.abs(x[groups == g][:, None] - x[groups == g][None]).sum() / 2 for g in range(1000)
    )
    assert sums_of_distances(DenseRows(x), groups).within_groups == pytest.approx(within, rel=1e-12)


@given(st.integers(2, 20).flatmap(lambda n: st.tuples(fuzzy(n), hard(n))))
def test_distances_of_each_point(pair):
    memberships, labels = pair
    groups = 2 * np.unique(labels, return_inverse=True)[1]  # some of the groups are empty
    distances = np.abs(memberships[:, None] - memberships[None]).sum(axis=2)
    within = (distances * (groups[:, None] == groups)).sum(axis=1)
    assert distances_of_points(DenseRows(memberships)) == pytest.approx(
        distances.sum(axis=1), abs=1e-12
    )
    found = distances_of_grouped_points(DenseRows(memberships), groups)
    assert found.all_rows == pytest.approx(distances.sum(axis=1), abs=1e-12)
    assert found.within_group == pytest.approx(within, abs=1e-12)


def test_distances_of_each_point_with_very_many_groups():
    rng = np.random.default_rng(0)
    n = 100_000  # more groups than 16 bits tell apart
    x = rng.dirichlet(np.ones(3), n)
    groups = np.concatenate([np.arange(n // 2), rng.permutation(n // 2), [0]])[:n]
    groups[:2] = n - 1, n - 1
    found = distances_of_grouped_points(DenseRows(x), groups)
    mates = np.flatnonzero(groups == 7)
    assert mates.size == 2
    between = np.abs(x[mates[0]] - x[mates[1]]).sum()
    assert found.within_group[mates] == pytest.approx(between, abs=1e-9)
    assert found.all_rows[7] == pytest.approx(np.abs(x - x[7]).sum(), rel=1e-12)


def test_rows_that_are_nearly_the_same_lose_no_digits():
    x = nearly_even(np.random.default_rng(0), 1000, 1e-9)
    plain = np.array([np.abs(x - row).sum() for row in x])
    np.testing.assert_allclose(distances_of_points(DenseRows(x)), plain, rtol=1e-12)
    groups = np.arange(1000) % 3
    within = np.array([np.abs(x[i] - x[groups == groups[i]]).sum() for i in range(1000)])
    found = distances_of_grouped_points(DenseRows(x), groups).within_group
    np.testing.assert_allclose(found, within, rtol=1e-12)
