"""Gram products against the sums over pairs that they stand for."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fuzzyrand._pairs.gram import (
    dot_products_of_points,
    dots_of_points,
    sum_of_dot_products,
    sum_of_dots,
    unit_rows,
)

from .. import brute
from ..strategies import fuzzy, hard


@given(st.integers(2, 15).flatmap(lambda n: st.tuples(fuzzy(n), fuzzy(n))))
def test_sums_over_pairs(pair):
    for u, v in (pair, tuple(map(unit_rows, pair))):
        pairs = list(itertools.combinations(range(len(u)), 2))
        a = np.array([u[i] @ u[j] for i, j in pairs])
        b = np.array([v[i] @ v[j] for i, j in pairs])
        assert sum_of_dots(u) == pytest.approx(a.sum(), abs=1e-12)
        assert sum_of_dot_products(u, v) == pytest.approx((a * b).sum(), abs=1e-12)
        assert sum_of_dot_products(u, u) == pytest.approx((a**2).sum(), abs=1e-12)


@given(st.integers(2, 15).flatmap(lambda n: st.tuples(fuzzy(n), fuzzy(n), hard(n))))
def test_sums_over_the_other_points(clusterings):
    u, v, labels = clusterings
    codes = np.unique(labels, return_inverse=True)[1]
    a, b, c = (x @ x.T for x in (u, v, brute.one_hot(labels)))
    for square in (a, b, c):
        np.fill_diagonal(square, 0.0)
    assert dots_of_points(u) == pytest.approx(a.sum(axis=1), abs=1e-12)
    for one, other, products in (
        (u, v, a * b),
        (u, u, a * a),
        (codes, v, c * b),
        (u, codes, a * c),
    ):
        found = dot_products_of_points(one, other)
        assert found == pytest.approx(products.sum(axis=1), abs=1e-12)


def test_rows_of_length_one():
    scaled = unit_rows(np.array([[3.0, 4.0], [0.0, 0.0]]))
    assert scaled == pytest.approx(np.array([[0.6, 0.8], [0.0, 0.0]]))
