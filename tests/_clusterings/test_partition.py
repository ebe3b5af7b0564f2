"""What users may hand in as a clustering, and how refusals read."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given

import fuzzyrand as fr

from ..clusterings import LABELS, PEOPLE, SOFT
from ..strategies import two_clusterings


@given(two_clusterings(kinds=("hard",)))
def test_hard_matrix_and_labels_give_identical_results(pair):
    a, b = pair
    matrix = np.eye(int(a.max()) + 1)[a]
    for model in ("perm", "cat", "num", "all", "fit"):
        assert fr.compare(matrix, b, model=model).adjusted == fr.compare(a, b, model=model).adjusted


def test_empty_clusters_count_where_they_should():
    wide = np.column_stack([SOFT, np.zeros(7)])
    for model in ("perm", "fit"):
        assert fr.adjusted_similarity(LABELS, wide, model=model) == pytest.approx(
            fr.adjusted_similarity(LABELS, SOFT, model=model), abs=1e-12
        )
    for model in ("sym", "flat"):
        gap = fr.adjusted_similarity(LABELS, wide, model=model) - fr.adjusted_similarity(
            LABELS, SOFT, model=model
        )
        assert abs(gap) > 1e-3
    hard = np.eye(5)[LABELS]
    assert fr.as_partition(hard).k == 5
    declared = fr.Partition.from_labels(LABELS, clusters=5)
    assert fr.compare(hard, SOFT, model="flat") == fr.compare(declared, SOFT, model="flat")
    assert repr(declared) == "Partition(hard, 7 points, 5 clusters, 3 of them occupied)"
    # num counts the clusters that are not empty
    assert fr.compare(hard, LABELS, model="num").adjusted == 1.0
    same = fr.expected_similarity(LABELS, LABELS, model="num")
    assert fr.expected_similarity(hard, hard, model="num") == same


def test_a_partition_is_read_once_and_reused():
    partition = fr.as_partition(SOFT)
    assert fr.as_partition(partition) is partition
    assert fr.similarity(partition, partition) == 1.0


BAD = {
    "different n": ((LABELS, SOFT[:5]), r"7 points.*has 5"),
    "transposed": ((LABELS, SOFT.T), r"transposed"),
    "one point": (([0], [0]), r"1 point; at least 2"),
    "one row": (([0, 1, 2], [[0.2, 0.3, 0.5]]), r"1 point.*3 columns.*transpose"),
    "empty": (([], []), r"empty|0 points"),
    "no columns": ((LABELS, np.zeros((7, 0))), r"no columns"),
    "nan": ((LABELS, np.where(SOFT == 0.1, np.nan, SOFT)), r"row 4, column 0.*nan.*not a finite"),
    "infinite": ((LABELS, np.where(SOFT == 0.1, np.inf, SOFT)), r"row 4, column 0.*inf"),
    "negative": ((LABELS, np.where(SOFT == 0.1, -0.1, SOFT)), r"row 4, column 0.*-0.1.*negative"),
    "above one": ((LABELS, np.where(SOFT == 0.8, 1.8, SOFT)), r"row 1, column 1.*1.8.*above 1"),
    "sums": ((LABELS, np.where(SOFT == 0.8, 0.7, SOFT)), r"row 1 .*sums to 0.9.*0.1.*normalize"),
    "sums, hint": ((LABELS, SOFT * 0.9), r"7 of 7 rows.*possibilistic=True"),
    "one column": ((LABELS, SOFT[:, 0]), r"one column of memberships"),
    "one column, list": ((LABELS, SOFT[:, 0].tolist()), r"point 0 is 0.7.*one column"),
    "one column, series": ((LABELS, pd.Series(SOFT[:, 0])), r"one column of memberships"),
    "one column, objects": ((LABELS, SOFT[:, 0].astype(object)), r"one column of memberships"),
    "3-D": ((LABELS, SOFT[:, :, None]), r"3 dimensions"),
    "0-D": ((LABELS, np.array(3)), r"0 dimensions"),
    "column of labels": ((LABELS, np.array(LABELS)[:, None]), r"one-dimensional.*ravel"),
    "column of zeros and ones": ((LABELS, np.array([[0], [1]] * 3 + [[1]])), r"one-dimensional"),
    "string frame": ((LABELS, pd.DataFrame({"c": PEOPLE})), r"row 0, column 'c'.*'ann'.*number"),
    "missing label": ((LABELS, [*PEOPLE[:-1], None]), r"point 6.*no label"),
    "missing number": ((LABELS, [*map(float, LABELS[:-1]), np.nan]), r"point 6.*no label"),
    "missing in series": ((LABELS, pd.Series([*PEOPLE[:-1], None])), r"point 6.*no label"),
    "missing in nullable": ((LABELS, pd.Series([*LABELS[:-1], None], dtype="Int64")), r"point 6"),
    "missing in objects": ((LABELS, np.array([*PEOPLE[:-1], np.nan], dtype=object)), r"point 6"),
    "missing date": ((LABELS, np.array(["2020-01-01"] * 6 + ["NaT"], "M8[D]")), r"point 6"),
    "masked label": ((LABELS, np.ma.masked_equal(LABELS, 1)), r"point 3.*no label.*2 missing"),
    "masked row": ((LABELS, np.ma.masked_equal(SOFT, 0.1)), r"row 4.*masked"),
    "ragged": ((LABELS, [[0.5, 0.5]] * 6 + [[1.0]]), r"row 6.*1 entries where row 0 has 2"),
    "rows and labels": ((LABELS, [[0.5, 0.5]] * 6 + [1]), r"row 6.*either one label"),
    "unhashable": ((LABELS, np.array([{1}, {2}] * 3 + [{1}], dtype=object)), r"1 is in two"),
    "dict": ((LABELS, {"a": [0.5, 0.5]}), r"is a dict; expected"),
    "string": ((LABELS, "aabbcca"), r"is a str; expected"),
    "none": ((LABELS, None), r"is None; expected"),
    "complex": ((LABELS, SOFT * 1j), r"type complex"),
    "complex labels": ((LABELS, np.array(LABELS) * 1j), r"type complex"),
    "sparse sums": ((LABELS, sp.csr_matrix(SOFT * 0.5)), r"row 0.*sums to 0.5"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_refused_in_words(case):
    (a, b), message = BAD[case]
    for function in (fr.similarity, fr.adjusted_similarity, fr.expected_similarity, fr.compare):
        with pytest.raises(fr.FuzzyRandError, match="(?s)" + message) as caught:
            function(a, b)
        assert isinstance(caught.value, ValueError)


def test_too_few_clusters_declared():
    with pytest.raises(fr.InputError, match="clusters=2, but 3"):
        fr.Partition.from_labels(LABELS, clusters=2)


def test_a_partition_does_not_change_with_the_callers_array():
    labels = np.array([0, 0, 1, 1])
    for partition in (fr.Partition.from_labels(labels), fr.as_partition(labels)):
        before = partition.codes.copy()
        labels[:] = 0
        assert (partition.codes == before).all()
        labels[:] = [0, 0, 1, 1]
