"""What was done to rows, and doing the same to random rows."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fuzzyrand._base.estimate import FINEST
from fuzzyrand._clusterings.sparse_rows import SparseRows
from fuzzyrand._clusterings.treatment import AsRead, Cut, Largest, Rounded

from ..strategies import fuzzy

ROWS = np.array([[0.612, 0.304, 0.084], [0.02, 0.5, 0.48]])
TREATMENTS = [AsRead(), Cut(0.1), Rounded(1), Rounded(2), Largest(2)]


@pytest.mark.parametrize(
    ("treatment", "expected"),
    [
        (AsRead(), ROWS),
        (Cut(0.1), [[0.612 / 0.916, 0.304 / 0.916, 0.0], [0.0, 0.5 / 0.98, 0.48 / 0.98]]),
        (Rounded(1), [[0.6, 0.3, 0.1], [0.0, 0.5, 0.5]]),
        (Rounded(2), [[0.61 / 0.99, 0.3 / 0.99, 0.08 / 0.99], [0.02, 0.5, 0.48]]),
        (Largest(2), [[0.612 / 0.916, 0.304 / 0.916, 0.0], [0.0, 0.5 / 0.98, 0.48 / 0.98]]),
        (Largest(3), ROWS),
    ],
)
def test_rows_are_treated(treatment, expected):
    np.testing.assert_allclose(treatment.applied(ROWS, axis=1), expected, rtol=1e-12)
    np.testing.assert_allclose(treatment.applied(ROWS.T, axis=0).T, expected, rtol=1e-12)


def test_a_row_of_which_nothing_is_left_keeps_its_largest_entry():
    rows = np.full((2, 30), 1.0 / 30.0)
    rows[0, :2] += [0.01, -0.01]
    for treatment in (Rounded(1), Cut(0.1)):
        hard, even = treatment.applied(rows, axis=1)
        assert hard[0] == 1.0
        np.testing.assert_allclose(even, rows[1])


@given(fuzzy(20), st.sampled_from(TREATMENTS))
def test_treated_rows_sum_to_one(rows, treatment):
    found = treatment.applied(rows, axis=1)
    assert found.sum(axis=1) == pytest.approx(1.0)
    assert (found >= 0.0).all()
    again = treatment.applied(found, axis=1)
    assert ((again == 0.0) >= (found == 0.0)).all(), "what is gone stays away"


@given(fuzzy(20), st.sampled_from(TREATMENTS))
def test_zeros_are_below_their_limits_and_others_are_not(rows, treatment):
    found = treatment.applied(rows, axis=1)
    limits = treatment.limits(found)
    positive = found > 0.0
    if isinstance(treatment, Largest):
        several = positive.sum(axis=1) > 1
        assert (found >= limits)[several].sum() == positive[several].sum()
        np.testing.assert_array_equal(treatment.limits(SparseRows.of_dense(found)), limits)
    elif not isinstance(treatment, AsRead):
        assert (found[positive] >= limits).all()
    else:
        assert limits == FINEST
