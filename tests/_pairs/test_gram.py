"""Gram products against the sums over pairs that they stand for."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fuzzyrand._clusterings.rows import DenseRows, LabelRows
from fuzzyrand._pairs.gram import (
    dot_products_of_points,
    dots_of_points,
    sum_of_dot_products,
    sum_of_dots,
)

from .. import brute
from ..strategies import fuzzy, hard


@given(st.integers(2, 15).flatmap(lambda n: st.tuples(fuzzy(n), fuzzy(n))))
def test_sums_over_pairs(pair):
    given = tuple(map(DenseRows, pair))
    for one, two in (given, tuple(rows.unit() for rows in given)):
        u, v = one.dense, two.dense
        pairs = list(itertools.combinations(range(len(u)), 2))
        a = np.array([u[i] @ u[j] for i, j in pairs])
        b = np.array([v[i] @ v[j] for i, j in pairs])
        assert sum_of_dots(one) == pytest.approx(a.sum(), abs=1e-12)
        assert sum_of_dot_products(one, two) == pytest.approx((a * b).sum(), abs=1e-12)
        assert sum_of_dot_products(one, one) == pytest.approx((a**2).sum(), abs=1e-12)


@given(st.integers(2, 15).flatmap(lambda n: st.tuples(fuzzy(n), fuzzy(n), hard(n))))
def test_sums_over_the_other_points(clusterings):
    u, v, labels = clusterings
    codes = np.unique(labels, return_inverse=True)[1]
    a, b, c = (x @ x.T for x in (u, v, brute.one_hot(labels)))
    for square in (a, b, c):
        np.fill_diagonal(square, 0.0)
    u, v, hard_rows = DenseRows(u), DenseRows(v), LabelRows(codes, codes.max() + 1)
    assert dots_of_points(u) == pytest.approx(a.sum(axis=1), abs=1e-12)
    for one, other, products in (
        (u, v, a * b),
        (u, u, a * a),
        (hard_rows, v, c * b),
        (u, hard_rows, a * c),
    ):
        found = dot_products_of_points(one, other)
        assert found == pytest.approx(products.sum(axis=1), abs=1e-12)


def test_rows_of_length_one():
    scaled = DenseRows(np.array([[3.0, 4.0], [0.0, 0.0]])).unit()
    assert scaled.dense == pytest.approx(np.array([[0.6, 0.8], [0.0, 0.0]]))
