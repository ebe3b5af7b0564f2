"""Pairs of two hard clusterings, counted from their contingency table."""

import numpy as np
import pytest

import fuzzyrand as fr


def test_as_many_clusters_as_points_need_no_square_table():
    n = 200_000
    a, b = np.arange(n), np.arange(n) // 2
    assert fr.similarity(a, b) == pytest.approx(1 - (n / 2) / (n * (n - 1) / 2), abs=1e-15)
