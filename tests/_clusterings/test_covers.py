"""as_cover: clusters that overlap, in all forms in which people have them."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse

import fuzzyrand as fr

ROWS = np.array([[1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 1, 1], [0, 0, 1], [0, 0, 0]])
NAMES = list("abcdef")
SETS = [{"a", "b"}, {"b", "c", "d"}, {"d", "e"}]


def matrix(cover):
    """Memberships of a cover with its points in the order of their ids."""
    rows = cover.without_zeros.dense
    if cover.ids is None:
        return rows
    return rows[[list(cover.ids).index(key) for key in sorted(cover.ids)]]


FORMS = {
    "array": (ROWS, None),
    "booleans": (ROWS.astype(bool), None),
    "sparse": (sparse.coo_array(ROWS), None),
    "frame": (pd.DataFrame(ROWS, index=NAMES, columns=["x", "y", "z"]), None),
    "polars": (pl.DataFrame({"x": ROWS[:, 0], "y": ROWS[:, 1], "z": ROWS[:, 2]}), None),
    "sets": (SETS, NAMES),
    "lists": ([sorted(group) for group in SETS], NAMES),
    "generator": ((group for group in SETS), NAMES),
    "cluster to points": (dict(zip("xyz", SETS, strict=True)), NAMES),
    "point to clusters": (
        {"a": ["x"], "b": ["x", "y"], "c": ["y"], "d": ["y", "z"], "e": ["z"], "f": []},
        NAMES,
    ),
    "partition": (fr.as_partition(ROWS.astype(float), possibilistic=True), None),
}


@pytest.mark.parametrize("form", FORMS)
def test_forms(form):
    x, points = FORMS[form]
    cover = fr.as_cover(x, points)
    assert (cover.kind, cover.n, cover.k, cover.unclustered) == ("overlapping", 6, 3, 1)
    assert np.array_equal(matrix(cover), ROWS)
    assert repr(cover).startswith("Partition(overlapping, 6 points, 3 clusters, 1 points in none")


def test_names_and_ids():
    frame = fr.as_cover(pd.DataFrame(ROWS, index=NAMES, columns=["x", "y", "z"]))
    assert (list(frame.names), list(frame.ids)) == (["x", "y", "z"], NAMES)
    assert list(fr.as_cover(dict(zip("xyz", SETS, strict=True))).names) == ["x", "y", "z"]
    assert fr.as_cover([{0, 1}, {1, 2}]).ids == range(3)
    assert list(fr.as_cover(ROWS, points=NAMES).ids) == NAMES
    shuffled = fr.as_cover(SETS, points=NAMES[::-1])
    assert fr.adjusted_similarity(frame, shuffled, index="omega") == 1.0


@given(arrays(np.int8, st.tuples(st.integers(2, 7), st.integers(1, 4)), elements=st.integers(0, 1)))
def test_sets_and_matrices_are_the_same(rows):
    points = [f"p{i}" for i in range(len(rows))]
    sets = {f"c{c}": {points[i] for i in np.flatnonzero(column)} for c, column in enumerate(rows.T)}
    one, two = fr.as_cover(rows, points), fr.as_cover(list(sets.values()), points)
    assert np.array_equal(one.without_zeros.dense, two.without_zeros.dense)
    assert one.is_hard == (rows.sum(axis=1).max() <= 1)
    again = fr.as_cover(one)
    assert again is one


def test_clusters_that_do_not_overlap_are_hard():
    cover = fr.as_cover([{"a", "b"}, {"c"}], points=list("abcd"))
    assert cover.is_hard
    assert cover.noise.points == 1
    assert cover.clusters == 2
    assert fr.adjusted_similarity(cover, fr.as_cover({"a": 1, "b": 1, "c": 2, "d": None})) == 1.0


REFUSED = {
    "fractions": (np.array([[0.5, 0.5], [1, 0]]), None, r"row 0, column 0 of the cover is 0.5"),
    "sparse fractions": (sparse.csr_array([[1, 0], [0, 0.5]]), None, r"row 1, column 1 .* is 0.5"),
    "missing": (np.array([[1, np.nan], [1, 0]]), None, r"row 0, column 1 .* is nan"),
    "text": (pd.DataFrame({"a": ["x", "y"]}), None, r"not numbers"),
    "fuzzy": (fr.as_partition([[0.5, 0.5], [1, 0]]), None, r"is fuzzy.*index='ndc'"),
    "rows or clusters": ([[1, 0], [0, 1]], None, r"Pass np.array\(x\) for a matrix"),
    "keys or values": ({"a": [1], "b": [1, 2], "c": [2]}, None, r"points=list\(x\) if the keys"),
    "both are points": ({0: [0, 1], 1: [1]}, [0, 1], r"either could be the clusters"),
    "unknown point": ([{"a", "z"}], ["a", "b"], r"lacks some points of the clusters: 'z'"),
    "unknown in a dict": ({"x": ["a", "z"]}, ["a", "b"], r"lacks some points .*'z'"),
    "repeated": ([{"a"}], ["a", "a"], r"points holds an id twice"),
    "number of ids": (ROWS, ["a"], r"has 1 ids, but the matrix has 6 rows"),
    "one point": ([{"a"}], None, r"at least 2"),
    "nothing": ({}, None, r"empty"),
    "a number": (7, None, r"got an int"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case):
    x, points, message = REFUSED[case]
    with pytest.raises(fr.InputError, match=message):
        fr.as_cover(x, points)


def test_overlapping_sets_elsewhere_name_as_cover():
    with pytest.raises(fr.InputError, match=r"as_cover reads clusters that overlap"):
        fr.compare(SETS, SETS)


# --- network libraries ---------------------------------------------------------------------------


def test_networkx():
    nx = pytest.importorskip("networkx", reason="networkx is not installed")
    graph = nx.karate_club_graph()
    cliques = nx.community.k_clique_communities(graph, 3)
    cover = fr.as_cover(cliques, points=graph)
    assert cover.n == 34
    assert cover.cover
    assert cover.unclustered == 34 - len(set().union(*nx.community.k_clique_communities(graph, 3)))
    club = nx.get_node_attributes(graph, "club")
    assert 0.0 < fr.adjusted_similarity(cover, club, index="omega") < 1.0


def test_igraph():
    ig = pytest.importorskip("igraph", reason="igraph is not installed")
    graph = ig.Graph.Full(6)
    groups = [[0, 1, 2], [2, 3, 4]]
    cover = fr.as_cover(ig.VertexCover(graph, groups))
    assert (cover.n, cover.k, cover.unclustered, cover.ids) == (6, 2, 1, range(6))
    assert np.array_equal(matrix(cover), matrix(fr.as_cover(groups, points=range(6))))
    graph.vs["name"] = NAMES
    assert list(fr.as_cover(ig.VertexCover(graph, groups)).ids) == NAMES
    hard = fr.as_cover(ig.VertexClustering(graph, [0, 0, 1, 1, 2, 2]))
    assert hard.is_hard
    with pytest.raises(fr.InputError, match="as_cover reads it"):
        fr.as_partition(ig.VertexCover(graph, groups))


def _graph(nodes):
    """The part of a graph of networkx that is used."""
    return SimpleNamespace(nodes=lambda: nodes)


def test_cdlib():
    """The attributes of cdlib's NodeClustering, which takes long to install."""
    clustering = SimpleNamespace(
        communities=[sorted(group) for group in SETS], graph=_graph(NAMES), overlap=True
    )
    cover = fr.as_cover(clustering)
    assert np.array_equal(matrix(cover), ROWS)
    without_graph = fr.as_cover(SimpleNamespace(communities=clustering.communities, graph=None))
    assert (without_graph.n, without_graph.unclustered) == (5, 0)
