"""Distributions of rows that users hand in, checked at the door."""

import numpy as np
import pytest

from fuzzyrand._distributions.custom_rows import CustomRows


def test_rows_are_checked_and_scaled():
    rows = CustomRows(None, lambda rng, size: np.tile([0.5 + 4e-7, 0.5], (size, 1)))
    assert rows.sample(np.random.default_rng(0), 3).sum(axis=1) == pytest.approx(
        np.ones(3), abs=1e-15
    )
