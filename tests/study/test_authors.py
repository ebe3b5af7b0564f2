"""The models by the rules of their authors."""

import numpy as np
import pytest

import fuzzyrand as fr
from study import authors


def test_authors_one_sided_hard():
    """Squared proportions in place of pairs, by hand."""
    first = fr.Partition.from_labels([0, 0, 1, 1, 1], clusters=3)
    second = fr.Partition.from_labels([0, 1, 1, 2, 2])
    q1, q2 = 13 / 25, 9 / 25
    fit = authors.fit_expectation(first, second, one_sided=True, tol=1e-3, max_draws=10, seed=0)
    assert fit == pytest.approx(q1 * q2 + (1 - q1) * (1 - q2))
    sym = authors.sym_expectation(first, second, 0.0, one_sided=True)
    assert sym == pytest.approx(q2 / 3 + (1 - q2) * 2 / 3)


def test_authors_fit_without_zeros_is_the_plain_one():
    rng = np.random.default_rng(0)
    a, b = (fr.as_partition(rng.dirichlet([2.0, 1.0, 3.0], 40)) for _ in range(2))
    theirs = authors.fit_expectation(a, b, one_sided=False, tol=1e-3, max_draws=10**6, seed=0)
    assert theirs == pytest.approx(fr.compare(a, b, model="fit", tol=1e-3).expected, abs=4e-3)
