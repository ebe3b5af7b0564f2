"""Means of mutual information to fourth order: against all permutations and all random rows."""

import itertools
import math
from decimal import Decimal, localcontext

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import xlogy

from fuzzyrand._distributions.information_moments import (
    ColumnMoments,
    independent_information,
    information_remainder,
    one_sided_information,
    shuffled_information,
    taylor_remainder,
)

from .. import brute, strategies
from ..examples import examples


def phi_terms(cells, mean):
    """Terms of second to fourth order of the Taylor series of the sum of x ln x.

    Also the sums of their absolute values, to which rounding is relative.
    """
    axes = tuple(range(-mean.ndim, 0))
    used, mean = mean > 0, np.where(mean > 0, mean, 1.0)
    d = np.where(used, cells - mean, 0.0)
    terms = d**2 / (2 * mean), -(d**3) / (6 * mean**2), d**4 / (12 * mean**3)
    return np.array([[part.sum(axis=axes) for part in (term, np.abs(term))] for term in terms])


def terms_of(tables, mean1, mean2):
    """The same of mutual information."""
    cells = phi_terms(tables, np.outer(mean1, mean2))
    rows, columns = phi_terms(tables.sum(axis=-1), mean1), phi_terms(tables.sum(axis=-2), mean2)
    terms = cells - rows - columns
    terms[:, 1] = (cells + rows + columns)[:, 1]
    return terms


def information(tables):
    parts = tables, tables.sum(axis=-1), tables.sum(axis=-2)
    joint, one, two = (
        xlogy(part, part).reshape(*tables.shape[:-2], -1).sum(axis=-1) for part in parts
    )
    return joint - one - two


def check(found, tables, chances, mean1, mean2):
    """Compare with the terms of all tables, which have these probabilities."""
    terms = terms_of(tables, mean1, mean2) @ chances
    for value, (exact, size) in zip(found, terms, strict=True):
        assert value == pytest.approx(exact, rel=0.0, abs=1e-12 * size + 1e-30)
    for order in (2, 3):
        rest = information_remainder(tables, mean1, mean2, order) @ chances
        whole = information(tables) @ chances
        assert sum(found[: order - 1]) + rest == pytest.approx(whole, abs=1e-13)


@examples(15)
@given(st.data())
def test_shuffled_terms_equal_all_permutations(data):
    n = data.draw(st.integers(1, 6))
    u, v = (data.draw(strategies.fuzzy(n)) for _ in range(2))
    orders = np.array(list(itertools.permutations(range(n))))
    tables = np.swapaxes(u[orders], 1, 2) @ v / n
    found = shuffled_information(n, ColumnMoments.of_rows(u), ColumnMoments.of_rows(v))
    chances = np.full(len(orders), 1 / len(orders))
    check(found, tables, chances, u.mean(axis=0), v.mean(axis=0))


def test_shuffled_terms_equal_all_permutations_of_seven_hard_points():
    u, v = np.eye(3)[[0, 0, 0, 1, 1, 2, 2]], np.eye(2)[[0, 1, 1, 1, 0, 0, 0]]
    orders = np.array(list(itertools.permutations(range(7))))
    tables = np.swapaxes(u[orders], 1, 2) @ v / 7
    moments = [ColumnMoments.of_shares(each.mean(axis=0)) for each in (u, v)]
    chances = np.full(len(orders), 1 / len(orders))
    check(shuffled_information(7, *moments), tables, chances, u.mean(axis=0), v.mean(axis=0))


def all_rows(atoms, chances, n):
    """All ways to draw n rows among atoms, as memberships, and their probabilities."""
    chosen = np.array(list(itertools.product(range(len(atoms)), repeat=n)))
    return atoms[chosen], np.prod(np.asarray(chances)[chosen], axis=1)


def moments_of(atoms, chances):
    return ColumnMoments.of_raw(*(chances @ atoms**power for power in (1, 2, 3, 4)))


ATOMS = {
    "soft": (
        np.array([[0.2, 0.5, 0.3], [0.7, 0.2, 0.1], [0.0, 0.4, 0.6]]),
        np.array([0.2, 0.5, 0.3]),
    ),
    "hard": (np.eye(2), np.array([0.7, 0.3])),
    "mixed": (np.array([[1.0, 0.0], [0.4, 0.6], [0.1, 0.9]]), np.array([0.25, 0.25, 0.5])),
}


@pytest.mark.parametrize(("one", "two"), [("soft", "hard"), ("soft", "mixed"), ("hard", "hard")])
@pytest.mark.parametrize("n", [1, 2, 4])
def test_independent_terms_equal_all_rows(one, two, n):
    (u, chances1), (v, chances2) = (all_rows(*ATOMS[name], n) for name in (one, two))
    tables = np.einsum("ati,btj->abij", u, v) / n
    tables = tables.reshape(-1, *tables.shape[2:])
    moments = [moments_of(*ATOMS[name]) for name in (one, two)]
    found = independent_information(n, *moments)
    chances = np.outer(chances1, chances2).ravel()
    check(found, tables, chances, moments[0].mean, moments[1].mean)


@pytest.mark.parametrize("name", list(ATOMS))
@pytest.mark.parametrize("n", [1, 2, 5])
def test_one_sided_terms_equal_all_rows(name, n):
    v = np.random.default_rng(n).dirichlet([0.5, 1.0, 2.0], n)
    u, chances = all_rows(*ATOMS[name], n)
    random, fixed = moments_of(*ATOMS[name]), ColumnMoments.of_rows(v)
    tables = np.swapaxes(u, 1, 2) @ v / n
    found = one_sided_information(n, random, fixed)
    check(found, tables, chances, random.mean, fixed.mean)


@given(st.data())
def test_moments_of_columns(data):
    n = data.draw(st.integers(1, 30))
    labels = data.draw(strategies.hard(n))
    rows = np.vstack([brute.one_hot(labels)] * 300)  # several blocks of rows
    shares = rows.mean(axis=0)
    for power, found, closed in zip(
        (2, 3, 4), ColumnMoments.of_rows(rows)[1:], ColumnMoments.of_shares(shares)[1:], strict=True
    ):
        plain = ((rows - shares) ** power).mean(axis=0)
        np.testing.assert_allclose(found, plain, rtol=1e-11, atol=1e-14)
        np.testing.assert_allclose(closed, plain, rtol=1e-11, atol=1e-14)


@given(st.floats(1e-6, 1.0), st.floats(-1.0, 3.0) | st.floats(-1e-6, 1e-6), st.sampled_from([2, 3]))
def test_the_remainder_does_not_cancel(mean, deviation, order):
    cell = max(mean * (1 + deviation), 0.0)
    with localcontext() as context:
        context.prec = 120
        c, m = Decimal(cell), Decimal(mean)
        d = c - m
        phi = c * c.ln() if c else Decimal(0)
        exact = phi - m * m.ln() - (m.ln() + 1) * d - d**2 / (2 * m)
        exact += d**3 / (6 * m**2) if order == 3 else 0
    found = taylor_remainder(np.array([cell, 0.0]), np.array([mean, 0.0]), order)
    assert found == pytest.approx(float(exact), rel=1e-12, abs=0.0)


def test_the_remainder_of_many_tables_varies_little():
    rng = np.random.default_rng(0)
    n, draws = 1_000, 60
    u, v = rng.dirichlet(np.ones(5), n), rng.dirichlet(np.full(5, 0.5), n)
    tables = np.array([u[rng.permutation(n)].T @ v / n for _ in range(draws)])
    means = u.mean(axis=0), v.mean(axis=0)
    plain, rest = information(tables), information_remainder(tables, *means)
    gain = plain.var() / rest.var()
    assert gain > 300
    terms = shuffled_information(n, ColumnMoments.of_rows(u), ColumnMoments.of_rows(v))
    error = rest.std() / math.sqrt(draws)
    # The mean to fourth order lies within the error of the sample, which has seen the whole.
    assert rest.mean() == pytest.approx(terms.third + terms.fourth, abs=4 * error)
