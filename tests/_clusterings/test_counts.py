"""Contingency tables as input."""

import re

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

import fuzzyrand as fr

from ..examples import examples

LABELS = st.lists(
    st.tuples(st.sampled_from("abc"), st.sampled_from("wxyz")), min_size=2, max_size=30
)
COUNTS = [[10, 2, 0], [1, 12, 3]]


@examples(20)
@given(LABELS)
def test_the_table_of_labels_gives_what_the_labels_give(points):
    a, b = (list(side) for side in zip(*points, strict=True))
    frame = pd.crosstab(np.array(a), np.array(b))
    one, two = fr.from_table(frame)
    assert list(one.names) == sorted(set(a))
    assert list(two.names) == sorted(set(b))
    for index in ("ndc", "rand", "mi", "fm", "accuracy"):
        assert fr.similarity(one, two, index=index) == pytest.approx(
            fr.similarity(a, b, index=index), abs=1e-14
        )
    if len(set(a)) > 1 and len(set(b)) > 1:
        for model in ("perm", "cat", "num"):
            theirs = fr.expected_similarity(a, b, model=model, index="mi")
            assert fr.expected_similarity(one, two, model=model, index="mi") == pytest.approx(
                theirs, abs=1e-14
            )


@pytest.mark.parametrize(
    "counts",
    [
        np.array(COUNTS),
        np.array(COUNTS, dtype=np.uint8),
        np.array(COUNTS, dtype=float) * (1 + 1e-16),
        sp.csr_matrix(COUNTS),
        sp.coo_array(([4, 6, 2, 1, 12, 3], ([0, 0, 0, 1, 1, 1], [0, 0, 1, 0, 1, 2])), (2, 3)),
        pd.DataFrame(COUNTS).astype("Int64"),
        pl.DataFrame(COUNTS, orient="row"),
        [[0, 0, 0, 0], [0, 10, 2, 0], [0, 1, 12, 3]],
    ],
    ids=["int", "uint8", "float", "csr", "coo with repeats", "nullable", "polars", "empty"],
)
def test_forms_of_the_same_table(counts):
    first, second = fr.from_table(counts)
    assert (first.n, first.k, second.k) == (28, 2, 3)
    assert fr.match(first, second).overlap.tolist() == COUNTS


def test_names_of_rows_are_the_index_or_a_first_column_of_text():
    frame = pd.DataFrame(COUNTS, index=["a", "b"], columns=["x", "y", "z"])
    for given_frame in (frame, frame.reset_index(), pl.from_pandas(frame.reset_index())):
        first, second = fr.from_table(given_frame)
        assert (list(first.names), list(second.names)) == (["a", "b"], ["x", "y", "z"])
    first, second = fr.from_table([[0, 0], [3, 0], [0, 4]])
    assert (list(first.names), list(second.names)) == (["1", "2"], ["0", "1"])
    assert first.ids is None


def test_noise_is_known_by_its_name():
    frame = pd.DataFrame([[5, 0, 1], [0, 6, 1], [2, 1, 3]], index=[0, 1, -1], columns=[0, 1, -1])
    dropped = fr.compare(*fr.from_table(frame), noise=-1, noise_as="drop")
    assert dropped.n == 11
    assert dropped.adjusted == 1.0


def test_permutations_of_a_table():
    found = fr.significance(*fr.from_table([[20, 1], [2, 30]]), draws=99, random_state=0)
    assert found.pvalue <= 0.02


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        ([1, 2], "has 1 dimension; expected numbers of points, with clusters of the first"),
        (np.zeros((2, 0)), "has 2 rows and 0 columns"),
        ([[1, 2], [3]], "has rows of different lengths"),
        ([[3, 1], [0, -2]], "row 1, column 1 of the contingency table is -2"),
        (pd.DataFrame({"x": [1, 2], "y": [3, -1]}), "row 1, column 'y' of the contingency"),
        ([[3, np.nan]], "row 0, column 1 of the contingency table is missing"),
        ([[3, None]], "is None; expected a number of points"),
        ([[3, np.inf]], "is inf; expected"),
        ([["3", "4"]], "is '3'; expected a number of points"),
        ([[1, 2j]], "expected a number of points"),
        ([[0, 0], [0, 0]], "holds zeros only"),
        ([[1, 0]], "has 1 point; at least 2"),
        ([[0.25, 0.25], [0.5, 0.0]], "seems to hold shares of points"),
        ([[25.5, 24.5], [50, 0.0]], "because what chance gives depends on how many points"),
        ([[1.5, 3.0]], "compare their memberships instead"),
        ([[1e9, 1]], "has 1,000,000,001 points, and the most is 500,000,000"),
        ([[10**400, 1]], "expected a number of points"),
        (None, "is of type NoneType; expected a matrix of numbers"),
        ({"a": [1, 2]}, "is of type dict"),
        (sp.csr_matrix([[1.0, -1.0]]), "row 0, column 1 of the contingency table is -1"),
    ],
)
def test_refusals(counts, said):
    with pytest.raises(fr.InputError, match=re.escape(said)):
        fr.from_table(counts)


def test_totals_are_refused():
    frame = pd.crosstab(np.array([0, 0, 1, 1, 1, 2]), np.array([0, 1, 1, 1, 0, 0]), margins=True)
    for counts in (frame, frame.to_numpy(), frame.iloc[:, :-1], frame.iloc[:-1]):
        with pytest.raises(fr.InputError, match=r"the sum of the others in the contingency table"):
            fr.from_table(counts)
    # What looks like totals by chance is read.
    assert fr.from_table([[5, 5], [5, 5]])[0].n == 20
    assert fr.from_table([[3, 0], [0, 5], [3, 5]])[0].n == 16
