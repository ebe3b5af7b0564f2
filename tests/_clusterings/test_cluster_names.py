"""What the clusters of a clustering are called."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp

import fuzzyrand as fr

from ..clusterings import SOFT

#: Labels, and what the cluster of each point is called.
LABEL_NAMES = {
    "strings": (["rosa", "vera", "rosa"], ["rosa", "vera", "rosa"]),
    "text": (np.array(["vera", "rosa", "rosa"]), ["vera", "rosa", "rosa"]),
    "bytes": (np.array([b"vera", b"rosa"]), ["vera", "rosa"]),
    "integers": ([5, 4, 5], ["5", "4", "5"]),
    "with gaps": (np.array([9, -1, 9], dtype=np.int8), ["9", "-1", "9"]),
    "far apart": ([10**12, -1, 7], ["1000000000000", "-1", "7"]),
    "unsigned": (np.array([2**64 - 1, 2**64 - 3], np.uint64), [f"{2**64 - 1}", f"{2**64 - 3}"]),
    "floats": (np.array([2.0, 1.0, 2.0]), ["2", "1", "2"]),
    "truth values": ([True, False, True], ["True", "False", "True"]),
    "one truth value": (np.array([True, True]), ["True", "True"]),
    "mixed": ([1, "1", "b"], ["1", "1", "b"]),
    "tuples": ([("a", "b"), ("c",)], ["('a', 'b')", "('c',)"]),
    "dates": (np.array(["2024-05-06", "2023-01-02"], "M8[D]"), ["2024-05-06", "2023-01-02"]),
    "pandas": (pd.Series(["vera", "rosa", "vera"]), ["vera", "rosa", "vera"]),
    "categorical": (pd.Categorical(["b", "a"], categories=["a", "b", "c"]), ["b", "a"]),
    "polars": (pl.Series(["vera", "rosa", "vera"]), ["vera", "rosa", "vera"]),
}


@pytest.mark.parametrize("kind", LABEL_NAMES)
def test_clusters_are_called_by_their_labels(kind):
    labels, names = LABEL_NAMES[kind]
    partition = fr.as_partition(labels)
    assert [partition.names[code] for code in partition.codes] == names


@pytest.mark.parametrize("library", [pd, pl], ids=["pandas", "polars"])
@pytest.mark.parametrize("second", [0.0, 0.3], ids=["hard", "fuzzy"])
def test_clusters_are_called_by_the_columns_of_a_frame(library, second):
    frame = library.DataFrame({"p2": [1.0, second], "p1": [0.0, 1.0 - second]})
    partition = fr.as_partition(frame)
    assert partition.is_hard == (second == 0.0)
    assert list(partition.names) == ["p2", "p1"]


def test_a_matrix_gives_no_names():
    for matrix in (SOFT, np.eye(3), sp.eye(3).tocsr(), SOFT.tolist()):
        assert fr.as_partition(matrix).names is None


class Unpicklable:
    """A label that cannot leave the process."""

    def __str__(self):
        return "here only"

    def __reduce__(self):
        raise TypeError("not to be pickled")


def test_names_are_made_into_text_when_asked_for():
    partition = fr.as_partition([Unpicklable(), "b", "b"])
    copy = pickle.loads(pickle.dumps(partition))
    assert list(copy.names) == ["here only", "b"]
    assert copy.codes.tolist() == [0, 1, 1]
    names = fr.as_partition(np.arange(100_000)).names
    assert repr(names) == "ClusterNames('0', '1', '2', '3', '4', ...)"
    assert names[-1] == "99999"
    assert len(names[5:9]) == 4
