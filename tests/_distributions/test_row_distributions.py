"""Draws of rows."""

import numpy as np
import pytest

from fuzzyrand._distributions.row_distributions import Categorical, dirichlet_columns


def test_rows_of_tiny_concentration_do_not_underflow():
    alpha = np.full(128, 1e-4)
    rows = dirichlet_columns(np.random.default_rng(0), alpha, 2000)
    assert np.isfinite(rows).all()
    assert rows.sum(axis=0) == pytest.approx(np.ones(2000))
    chosen = np.bincount(rows.argmax(axis=0), minlength=128)
    assert chosen.max() < 50  # 2000/128 expected; no cluster is favoured


def test_fast_draws_are_the_plain_ones():
    """Of labels those of one-hot rows, and of all clusters at once those of one after another."""
    rows = Categorical(np.array([0.5, 0.2, 0.3]))
    one, two = (np.random.default_rng(0) for _ in range(2))
    assert (rows.codes(one, 50) == rows.sample(two, 50).argmax(axis=1)).all()
    alpha = np.array([1.0, 2.5, 4.0])
    apart = np.stack([one.standard_gamma(a, 50) for a in alpha])
    np.testing.assert_array_equal(dirichlet_columns(two, alpha, 50), apart / apart.sum(axis=0))
