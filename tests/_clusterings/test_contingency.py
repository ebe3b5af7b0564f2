"""Pairs of two hard clusterings, counted from their contingency table."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fuzzyrand as fr
from fuzzyrand._clusterings import contingency
from fuzzyrand._clusterings.contingency import discordant_partners

from ..strategies import hard


def test_as_many_clusters_as_points_need_no_square_table():
    n = 200_000
    a, b = np.arange(n), np.arange(n) // 2
    assert fr.similarity(a, b) == pytest.approx(1 - (n / 2) / (n * (n - 1) / 2), abs=1e-15)


@given(st.integers(2, 30).flatmap(lambda n: st.tuples(hard(n), hard(n))), st.booleans())
def test_partners_on_which_two_clusterings_differ(pair, sparse):
    first, second = pair
    apart = (first[:, None] == first) != (second[:, None] == second)
    k = 1000 if sparse else 6  # most of the clusters are empty
    found = discordant_partners(first, second, k, k)
    assert found.tolist() == apart.sum(axis=1).tolist()


@given(
    st.integers(2, 200).flatmap(lambda n: st.tuples(hard(n), hard(n))),
    st.booleans(),
    st.integers(1, 50),
    st.tuples(*[st.sampled_from([np.int8, np.uint8, np.int32, np.uint32, np.int64])] * 2),
)
def test_pairs_and_sizes_are_counted_in_one_pass(pair, sparse, task, dtypes):
    first, second = (codes.astype(dtype) for codes, dtype in zip(pair, dtypes, strict=True))
    k = 1000 if sparse else 6
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(contingency, "TASK", task)
        patch.setattr(contingency, "CHUNK", 7)
        together = contingency.count_pairs_together(first, second, k, k)
    upper = np.triu_indices(first.size, 1)
    same1, same2 = ((x[:, None] == x)[upper] for x in pair)
    assert together[:3] == ((same1 & same2).sum(), same1.sum(), same2.sum())
    for codes, sizes in zip(pair, together.sizes, strict=True):
        assert sizes.tolist() == np.bincount(codes, minlength=k).tolist()


@pytest.mark.parametrize("k", [6, 1000])
@pytest.mark.parametrize("code", [-1, 1000, 2**31])
def test_codes_outside_of_the_table_are_refused(monkeypatch, code, k):
    monkeypatch.setattr(contingency, "CHUNK", 2)
    inside, outside = np.array([0, 1, 5, 3]), np.array([0, 1, code, 3])
    for pair in ((inside, outside), (outside, inside)):
        with pytest.raises(ValueError, match="from 0 to k - 1"):
            contingency.count_pairs_together(*pair, k, k)


def test_pairs_of_a_large_cluster_among_many_small_ones():
    n = 100_000
    sizes = np.append(np.ones(999, dtype=int), n - 999)
    codes = np.repeat(np.arange(1000), sizes)
    together = contingency.count_pairs_together(codes, codes[::-1].copy(), 1000, 1000)
    large = n - 999
    assert together.first == together.second == large * (large - 1) // 2
    both = large - 999  # in the large cluster of both
    assert together.both == both * (both - 1) // 2


@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int32, np.int64, np.uint64, ">i4"])
def test_many_labels_of_any_type_are_read_in_chunks(monkeypatch, dtype):
    monkeypatch.setattr("fuzzyrand._clusterings.reading.labels._CHUNK", 5)
    monkeypatch.setattr("fuzzyrand._clusterings.reading.labels._TASK", 12)
    monkeypatch.setattr(contingency, "CHUNK", 20)
    rng = np.random.default_rng(1)
    a, b = rng.integers(3, 9, 400), rng.integers(0, 4, 400)
    expected = fr.compare(a.tolist(), b.tolist(), model="perm")
    found = fr.compare(a.astype(dtype), b.astype(dtype), model="perm")
    assert (found.observed, found.expected) == (expected.observed, expected.expected)
    table = [np.bincount(b[a == label], minlength=4) for label in range(3, 9)]
    both = sum(int((row * (row - 1)).sum()) for row in table) // 2
    together = [int((n * (n - 1)).sum()) // 2 for n in (np.bincount(a), np.bincount(b))]
    assert found.observed == pytest.approx(1.0 - (sum(together) - 2 * both) / 79_800, abs=1e-15)
