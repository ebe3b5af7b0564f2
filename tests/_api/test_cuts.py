"""cuts: clusterings from a linkage matrix, against SciPy's."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.cluster.hierarchy import cut_tree, linkage
from sklearn.metrics import adjusted_rand_score

import fuzzyrand as fr

from ..examples import examples


@examples(20)
@given(st.integers(2, 25), st.sampled_from(["average", "complete", "ward"]), st.integers(0, 9))
def test_the_same_as_cut_tree(n, method, seed):
    Z = linkage(np.random.default_rng(seed).normal(size=(n, 2)), method)
    numbers = [k for k in (1, 2, 3, 7, n) if k <= n]
    found = fr.cuts(Z, numbers)
    for k, labels in zip(numbers, found.values(), strict=False):
        assert np.unique(labels).tolist() == list(range(k))
        theirs = cut_tree(Z, k)[:, 0]
        assert adjusted_rand_score(labels, theirs) == 1.0
        first = [int(np.argmax(labels == c)) for c in range(k)]
        assert first == sorted(first)


def test_equal_heights_give_exactly_k_clusters():
    Z = linkage(np.zeros((6, 1)), "single")
    assert [np.unique(labels).size for labels in fr.cuts(Z, range(1, 7)).values()] == [*range(1, 7)]


def test_names_go_into_pairwise():
    Z = linkage(np.random.default_rng(0).normal(size=(30, 2)), "ward")
    result = fr.pairwise(fr.cuts(Z, [2, 3, 5]))
    assert result.rows == ("2 clusters", "3 clusters", "5 clusters")
    assert list(fr.cuts(Z, 1)) == ["1 cluster"]


def test_refused():
    Z = linkage(np.random.default_rng(0).normal(size=(5, 2)), "ward")
    for number in (0, 6, 2.5, True):
        with pytest.raises(fr.ParameterError, match="from 1 to 5"):
            fr.cuts(Z, [number])
    for wrong in (np.zeros((4, 3)), Z[::-1], "tree", None):
        with pytest.raises(fr.InputError, match="Z is no linkage matrix"):
            fr.cuts(wrong, [2])
