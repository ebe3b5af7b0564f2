"""Subsamples of rows and of groups."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fuzzyrand._methods.stability.subsamples import Sampling


@given(st.integers(6, 60), st.floats(0.55, 0.9), st.integers(0, 2**32 - 1))
def test_shared_rows_are_those_of_both(n, share, seed):
    sampling = Sampling(n, share)
    pair = sampling.draw(np.random.default_rng(seed))
    first, second = (rows.tolist() for rows in pair.rows)
    for rows in (first, second):
        assert len(rows) == len(set(rows)) == sampling.drawn == round(share * n)
        assert rows == sorted(rows)
    shared = [pair.rows[side][pair.shared[side]].tolist() for side in (0, 1)]
    assert shared[0] == shared[1] == sorted(set(first) & set(second))


@given(st.integers(5, 20), st.integers(0, 2**32 - 1))
def test_rows_of_a_group_stay_together(count, seed):
    rng = np.random.default_rng(seed)
    groups = rng.permutation(np.concatenate([np.arange(count), rng.integers(count, size=40)]))
    pair = Sampling(groups.size, 0.7, groups).draw(rng)
    for rows in pair.rows:
        inside = set(groups[rows].tolist())
        assert len(inside) == round(0.7 * count)
        assert rows.tolist() == [i for i, group in enumerate(groups.tolist()) if group in inside]


def test_each_row_is_drawn_equally_often():
    sampling, rng = Sampling(10, 0.7), np.random.default_rng(0)
    counts = np.zeros(10)
    for _ in range(1000):
        for rows in sampling.draw(rng).rows:
            counts[rows] += 1
    # Binomial: sd of a share of 2000 draws is about 0.01.
    assert np.abs(counts / 2000 - 0.7).max() < 0.05
