"""Communities: sets of nodes, and dicts, as network libraries return them."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import adjusted_rand_score

import fuzzyrand as fr

nx = pytest.importorskip("networkx")
KARATE = nx.karate_club_graph()


def scores(first, second):
    return fr.adjusted_similarity(first, second, model="perm")


def grouped(labels, nodes, make):
    """Clusters of nodes by label, each made by a type."""
    groups = {}
    for node, label in zip(nodes, labels, strict=True):
        groups.setdefault(label, []).append(node)
    return {label: make(group) for label, group in groups.items()}


def test_communities_of_the_karate_club():
    greedy = nx.community.greedy_modularity_communities(KARATE)  # a list of frozensets
    louvain = nx.community.louvain_communities(KARATE, seed=1)  # a list of sets
    clubs = nx.get_node_attributes(KARATE, "club")  # a dict of node to label
    labels = [[next(i for i, c in enumerate(found) if node in c) for node in KARATE]
              for found in (greedy, louvain)]  # fmt: skip
    assert scores(greedy, louvain) == pytest.approx(adjusted_rand_score(*labels))
    assert scores(clubs, louvain) == pytest.approx(
        adjusted_rand_score(list(clubs.values()), labels[1])
    )
    assert scores(labels[0], louvain) == pytest.approx(adjusted_rand_score(*labels))
    halves = [frozenset(range(17)), frozenset(range(17, 34))]
    parity = [frozenset(range(0, 34, 2)), frozenset(range(1, 34, 2))]
    assert scores(halves, parity) < 0.01
    assert fr.as_partition(halves).n == 34


NODES = {
    "numbers": list(range(9)),
    "texts": list("abcdefghi"),
    "others": [3, "x", (0, 1), 2.5, *"pqrst"],
}
FORMS = {
    "dict": lambda labels, nodes: dict(zip(nodes, labels, strict=True)),
    "list of sets": lambda labels, nodes: list(grouped(labels, nodes, set).values()),
    "tuple of frozensets": lambda labels, nodes: tuple(grouped(labels, nodes, frozenset).values()),
    "dict of sets": lambda labels, nodes: grouped(labels, nodes, set),
    "array of sets": lambda labels, nodes: as_objects(grouped(labels, nodes, set).values()),
    "series": lambda labels, nodes: pd.Series(labels, index=nodes),
}


def as_objects(groups):
    array = np.empty(len(groups), dtype=object)
    array[:] = list(groups)
    return array


@pytest.mark.parametrize("nodes", NODES)
@given(
    first=st.lists(st.sampled_from("xyz"), min_size=9, max_size=9),
    second=st.lists(st.integers(0, 3), min_size=9, max_size=9),
    order=st.permutations(range(9)),
    forms=st.tuples(*[st.sampled_from(sorted(FORMS))] * 2),
)
def test_every_form_is_the_same_clustering(nodes, first, second, order, forms):
    nodes = NODES[nodes]
    a = FORMS[forms[0]](first, nodes)
    b = FORMS[forms[1]]([second[i] for i in order], [nodes[i] for i in order])
    assert scores(a, b) == pytest.approx(scores(first, second), abs=1e-12)


@pytest.mark.parametrize("make", [list, set])
def test_lists_of_nodes_that_cannot_be_memberships(make):
    expected = scores([0, 0, 0, 1, 1], [0, 0, 1, 1, 1])
    for nodes in ([0, 1, 2, 3, 4], list("abcde")):
        first = [nodes[:3], nodes[3:]]
        second = grouped([0, 0, 1, 1, 1], nodes, make)
        assert scores(first, second) == pytest.approx(expected)
    assert fr.as_partition([["a", "b"], ["c", "d"]]).n == 4


def test_rows_of_memberships_stay_rows():
    assert fr.as_partition([[0, 1], [1, 0], [1, 0]]).n == 3
    assert fr.as_partition([[0.5, 0.5], [1, 0]]).kind == "fuzzy"
    for rows in ([[1, 0], [0, 1], [1]], [[0.5, 0.5], [1.0]], [[0.2, 0.8], []]):
        with pytest.raises(fr.InputError, match="entries where row 0 has 2"):
            fr.as_partition(rows)


def test_overlapping_sets_are_refused():
    with pytest.raises(fr.InputError, match=r"but 2 is in two of them \(0 and 1\).*from_labels"):
        fr.as_partition([{0, 1, 2}, {2, 3}])
    with pytest.raises(fr.InputError, match=r"but 'n' is in two of them \('p' and 'q'\)"):
        fr.as_partition({"p": ["m", "n"], "q": ["n"]})
    assert fr.Partition.from_labels([frozenset({1, 2}), frozenset({1, 2}), frozenset()]).k == 2


def test_names_without_an_order_match_only_names():
    named = {"a": 0, "b": 0, "c": 1}
    for other in ([0, 0, 1], np.array([0, 0, 1]), fr.as_partition([0, 0, 1])):
        for a, b in ((named, other), (other, named)):
            with pytest.raises(fr.InputError, match=r"gives points by name .'a', .* in no order"):
                fr.compare(a, b, model="perm")
    with pytest.raises(fr.InputError, match="have different points: only the first has 'c', only"):
        fr.compare(named, [{"a", "b"}, {"d"}], model="perm")
    # Not even with row numbers, as texts of an index would be.
    with pytest.raises(fr.InputError, match="have different points"):
        fr.compare(pd.Series([0, 0, 1]), named, model="perm")
    assert scores({2: "x", 0: "y", 1: "y"}, [0, 0, 1]) == 1.0


def test_labels_by_point_may_be_missing_or_noise():
    found = {"a": 0, "b": -1, "c": None, "d": 0, "e": 1}
    truth = [{"a", "b", "d"}, {"c", "e"}]
    result = fr.compare(found, truth, model="perm", missing="drop", noise=-1, noise_as="drop")
    assert (result.n, result.adjusted) == (3, 1.0)


def test_matched_communities_are_a_dict_of_labels():
    first, second = [{"a", "b"}, {"c"}], {"x": ["c"], "y": ["b", "a"]}
    assert fr.match(first, second).relabel() == {"a": 0, "b": 0, "c": 1}


@pytest.mark.parametrize(
    "data", [{}, {"p": np.array([0, 1]), "q": np.array([0, 0])}, {"a": [0.5, 0.5], "b": [1, 0]}]
)
def test_other_dicts_are_refused(data):
    with pytest.raises(fr.InputError, match=r"is a dict; expected.*list\(d\.values\(\)\)"):
        fr.as_partition(data)


def test_as_many_sets_as_columns_are_not_taken_for_points():
    sets, rows = [{0, 1, 2}, {3, 4}, {5, 6, 7}], np.eye(3)[[0, 0, 0, 1, 1, 2, 2, 2]]
    assert fr.compare(sets, rows).adjusted == 1.0
    assert fr.compare(rows, sets).adjusted == 1.0
