"""Jaccard similarity of clusters against its definition."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from fuzzyrand._clusterings.matching.jaccards import jaccards_of
from fuzzyrand._clusterings.noise import treat_noise
from fuzzyrand._clusterings.options import InputOptions
from fuzzyrand._clusterings.partition import Partition, as_partition

from ...examples import examples
from ...strategies import two_clusterings


def columns(clustering):
    """Memberships as a matrix, by one loop."""
    clustering = np.asarray(clustering)
    if clustering.ndim == 2:
        return clustering
    return np.array([[float(c == label) for label in np.unique(clustering)] for c in clustering])


def plain(u, v):
    """Σ min / Σ max for all pairs of columns."""
    return np.array([[similarity(a, b) for b in v.T] for a in u.T])


def similarity(a, b):
    both = sum(min(x, y) for x, y in zip(a, b, strict=True))
    either = sum(max(x, y) for x, y in zip(a, b, strict=True))
    return both / either if either else 0.0


@given(two_clusterings(), st.booleans())
@examples(40)
def test_similarities_are_those_of_the_definition(clusterings, stored_sparse):
    first, second = clusterings
    expected = plain(columns(first), columns(second))
    parts = [as_partition(clustering) for clustering in clusterings]
    if stored_sparse:
        parts = [
            Partition.from_memberships(sparse.csr_array(columns(clustering)))
            for clustering in clusterings
        ]
    assert np.allclose(jaccards_of(*parts), expected, rtol=0.0, atol=1e-12)


def test_noise_that_is_alone_is_in_no_cluster():
    labels = [[0, 0, 1, -1, -1], [0, 0, 0, 1, -1]]
    parts = [as_partition(label) for label in labels]
    options = InputOptions(noise=-1, noise_as="singletons")
    one, two = treat_noise(parts, options, ["one", "two"])
    assert jaccards_of(one, two).tolist() == [[2 / 3, 0.0], [1 / 3, 0.0]]
