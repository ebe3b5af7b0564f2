"""Clusterings in an order that puts like ones next to each other."""

import numpy as np

from fuzzyrand.plot._charts.heat import similar_first


def test_the_order_of_two_of_one_row_and_of_ties():
    assert similar_first(np.array([[1.0, 0.2], [0.2, 1.0]])).tolist() == [0, 1]
    assert similar_first(np.array([[0.1, 0.9, 0.5]])).tolist() == [1, 2, 0]
    assert sorted(similar_first(np.ones((5, 5))).tolist()) == [0, 1, 2, 3, 4]
