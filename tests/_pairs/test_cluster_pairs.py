"""Pairs drawn within clusters: frequencies, and clusters that are hardly there."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fuzzyrand._clusterings.sparse_rows import SparseRows
from fuzzyrand._pairs.cluster_pairs import ClusterPairs


@given(st.integers(0, 2**32 - 1), st.integers(1, 8), st.integers(1, 5))
def test_all_pairs_and_their_weights(seed, n, k):
    rng = np.random.default_rng(seed)
    rows = rng.random((n, k)) * (rng.random((n, k)) < 0.6)
    pairs = ClusterPairs(SparseRows.of_dense(rows).in_order)
    plain = rows[:, None] * rows[None]
    np.testing.assert_allclose(pairs.totals, [np.triu(w, 1).sum() for w in plain.T], rtol=1e-13)
    filled = np.flatnonzero(pairs.counts)
    if filled.size:
        i, j, cluster, weights = pairs.all_of(filled)
        assert (i != j).all()
        np.testing.assert_array_equal(np.bincount(cluster, minlength=k), pairs.counts)
        np.testing.assert_array_equal(weights, rows[i, cluster] * rows[j, cluster])
        assert len({(c, *sorted(p)) for c, *p in zip(cluster, i, j, strict=True)}) == i.size


def test_pairs_are_drawn_in_proportion_to_their_weights():
    """Also where one point has nearly all of a cluster, and where a cluster is hardly there."""
    rows = np.array(
        [[0.1, 1.0, 3e-200], [0.7, 2e-20, 0.0], [0.2, 1e-20, 1e-200], [0.0, 3e-20, 2e-150]]
    )
    pairs = ClusterPairs(SparseRows.of_dense(rows).in_order)
    size = 60_000
    for cluster in range(2):
        i, j = pairs.draw(np.random.default_rng(cluster), np.full(size, cluster))
        column = rows[:, cluster]
        weights = np.triu(np.outer(column, column), 1)
        found = np.zeros((4, 4))
        np.add.at(found, (np.minimum(i, j), np.maximum(i, j)), 1.0 / size)
        np.testing.assert_allclose(found, weights / weights.sum(), atol=4 * 0.5 / np.sqrt(size))
        assert not found[weights == 0.0].any()
    assert pairs.totals[1] > 0.0
    assert pairs.totals[2] == 0.0  # the products underflow
