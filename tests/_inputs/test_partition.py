"""What users may hand in, and how refusals read."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from hypothesis import given

import fuzzyrand as fr
from fuzzyrand import ParameterError
from fuzzyrand._base.threads import thread_count

from ..strategies import two_clusterings

LABELS = [2, 0, 0, 1, 2, 1, 0]
SOFT = np.array(
    [[0.7, 0.3], [0.2, 0.8], [0.5, 0.5], [1.0, 0.0], [0.1, 0.9], [0.4, 0.6], [0.25, 0.75]]
)
NAMES = ["ann", "bob", "bob", "cy", "ann", "cy", "bob"]

LABEL_FORMS = {
    "list": LABELS,
    "tuple": tuple(LABELS),
    "int64": np.array(LABELS),
    "int8": np.array(LABELS, dtype=np.int8),
    "uint16": np.array(LABELS, dtype=np.uint16),
    "float": np.array(LABELS, dtype=float),
    "negative": np.array(LABELS) - 5,
    "far apart": np.array(LABELS) * 10**12,
    "huge unsigned": np.array(LABELS, dtype=np.uint64) + np.uint64(2**63),
    "strings": NAMES,
    "string array": np.array(NAMES),
    "objects": np.array(NAMES, dtype=object),
    "mixed": [{2: "x", 0: 7, 1: ("a", 1)}[x] for x in LABELS],
    "one and its string": [{2: 1, 0: "1", 1: 2.0}[x] for x in LABELS],
    "tuples of strings": [("a", str(x)) for x in LABELS],
    "datetimes": np.datetime64("2020-01-01") + np.array(LABELS),
    "series": pd.Series(LABELS, index=list("gfedcba")),
    "string series": pd.Series(NAMES),
    "categorical": pd.Categorical(NAMES, categories=["zoe", "cy", "bob", "ann"]),
    "categorical series": pd.Series(NAMES, dtype="category"),
    "nullable": pd.Series(LABELS, dtype="Int64"),
    "polars": pl.Series(NAMES),
    "polars categorical": pl.Series(NAMES, dtype=pl.Categorical),
    "polars ints": pl.Series(LABELS),
    "masked, nothing masked": np.ma.masked_array(LABELS, mask=False),
    "one-hot": np.eye(3)[LABELS],
    "one-hot bool": np.eye(3, dtype=bool)[LABELS],
    "one-hot int": np.eye(3, dtype=int)[LABELS],
    "one-hot float32": np.eye(3, dtype=np.float32)[LABELS],
    "one-hot nested list": np.eye(3)[LABELS].tolist(),
    "one-hot sparse": sp.csr_matrix(np.eye(3)[LABELS]),
    "one-hot sparse array": sp.coo_array(np.eye(3)[LABELS]),
    "one-hot frame": pd.DataFrame(np.eye(3)[LABELS]),
    "dummies": pd.get_dummies(pd.Series(NAMES)),
}


@pytest.mark.parametrize("form", LABEL_FORMS)
def test_labels_in_every_form_are_the_same_clustering(form):
    partition = fr.as_partition(LABEL_FORMS[form])
    assert partition.is_hard
    assert (partition.n, partition.k) == (7, 3)
    ours = fr.compare(LABEL_FORMS[form], SOFT, model="every", fixed="second")
    expected = fr.compare(LABELS, SOFT, model="every", fixed="second")
    assert ours.models == expected.models
    for c, d in zip(ours, expected, strict=True):
        # Only the order in which clusters are numbered, and so summed, may differ.
        assert c.adjusted == pytest.approx(d.adjusted, abs=1e-13)


MEMBERSHIP_FORMS = {
    "nested list": SOFT.tolist(),
    "list of tuples": [tuple(row) for row in SOFT.tolist()],
    "list of arrays": list(SOFT),
    "fortran order": np.asfortranarray(SOFT),
    "objects": SOFT.astype(object),
    "frame": pd.DataFrame(SOFT, columns=["a", "b"], index=list("gfedcba")),
    "polars frame": pl.DataFrame({"a": SOFT[:, 0], "b": SOFT[:, 1]}),
    "sparse": sp.csc_matrix(SOFT),
    "matrix": SOFT.view(np.matrix),  # whose constructor warns
    "rounding": SOFT * (1 + 1e-9),
    "partition": fr.Partition.from_memberships(SOFT),
}


@pytest.mark.parametrize("form", MEMBERSHIP_FORMS)
def test_memberships_in_every_form_are_the_same_clustering(form):
    partition = fr.as_partition(MEMBERSHIP_FORMS[form])
    assert partition.kind == "fuzzy"
    assert (partition.n, partition.k) == (7, 2)
    ours = fr.adjusted_similarity(LABELS, MEMBERSHIP_FORMS[form], model="flat")
    assert ours == pytest.approx(fr.adjusted_similarity(LABELS, SOFT, model="flat"), abs=1e-12)


def test_single_precision():
    partition = fr.as_partition(SOFT.astype(np.float32))
    assert partition.memberships.sum(axis=1) == pytest.approx(np.ones(7), abs=1e-15)
    assert partition.memberships == pytest.approx(SOFT, abs=1e-7)


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


def test_normalize_and_possibilistic():
    counts = SOFT * np.arange(1, 8)[:, None] * 10
    ours = fr.adjusted_similarity(LABELS, counts, normalize=True)
    assert ours == pytest.approx(fr.adjusted_similarity(LABELS, SOFT), abs=1e-12)
    loose = SOFT * 0.9
    assert fr.as_partition(loose, possibilistic=True).kind == "possibilistic"
    assert fr.as_partition(SOFT, possibilistic=True).kind == "fuzzy"
    assert fr.compare(LABELS, loose, possibilistic=True, model="perm").exact


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
    "string frame": ((LABELS, pd.DataFrame({"c": NAMES})), r"row 0, column 'c'.*'ann'.*number"),
    "missing label": ((LABELS, [*NAMES[:-1], None]), r"point 6.*no label"),
    "missing number": ((LABELS, [*map(float, LABELS[:-1]), np.nan]), r"point 6.*no label"),
    "missing in series": ((LABELS, pd.Series([*NAMES[:-1], None])), r"point 6.*no label"),
    "missing in nullable": ((LABELS, pd.Series([*LABELS[:-1], None], dtype="Int64")), r"point 6"),
    "missing in objects": ((LABELS, np.array([*NAMES[:-1], np.nan], dtype=object)), r"point 6"),
    "missing date": ((LABELS, np.array(["2020-01-01"] * 6 + ["NaT"], "M8[D]")), r"point 6"),
    "masked label": ((LABELS, np.ma.masked_equal(LABELS, 1)), r"point 3.*no label.*2 missing"),
    "masked row": ((LABELS, np.ma.masked_equal(SOFT, 0.1)), r"row 4.*masked"),
    "ragged": ((LABELS, [[0.5, 0.5]] * 6 + [[1.0]]), r"row 6.*1 entries where row 0 has 2"),
    "rows and labels": ((LABELS, [[0.5, 0.5]] * 6 + [1]), r"row 6.*either one label"),
    "unhashable": ((LABELS, np.array([{1}, {2}] * 3 + [{1}], dtype=object)), r"point 0.*set"),
    "dict": ((LABELS, {"a": 1}), r"is a dict; expected"),
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


def test_zero_rows_cannot_be_normalized():
    with pytest.raises(fr.InputError, match=r"row 2.*all zeros"):
        fr.similarity(LABELS, np.where(np.arange(7)[:, None] == 2, 0.0, SOFT), normalize=True)


def test_too_few_clusters_declared():
    with pytest.raises(fr.InputError, match="clusters=2, but 3"):
        fr.Partition.from_labels(LABELS, clusters=2)


NAMES_BAD = {
    "index": ({"index": "nbc"}, r"unknown index 'nbc'.*'ndc'"),
    "model": ({"model": "prem"}, r"unknown model 'prem'.*'perm'"),
    "model type": ({"model": 3}, r"unknown model 3"),
    "fixed": ({"fixed": "fist"}, r"'first'"),
    "fixed type": ({"fixed": 1}, r"'first', 'second'"),
    "pairs": ({"pairs": "most"}, r"pairs must be"),
    "no models": ({"model": []}, r"empty"),
}


@pytest.mark.parametrize("case", NAMES_BAD)
def test_unknown_names_are_met_with_the_nearest(case):
    options, message = NAMES_BAD[case]
    with pytest.raises(fr.UnknownNameError, match="(?s)" + message):
        fr.compare(LABELS, SOFT, **options)


VALUES_BAD = {
    "tol": ({"tol": 0}, r"tol must be positive"),
    "tol nan": ({"tol": float("nan")}, r"tol must be positive, got nan"),
    "tol type": ({"tol": "x"}, r"tol must be positive, got 'x'"),
    "pairs few": ({"pairs": 10}, r"at least 1000"),
    "pairs type": ({"pairs": np.array([1, 2])}, r"pairs must be"),
    "draws": ({"max_draws": 0}, r"max_draws"),
    "threads": ({"n_threads": 0}, r"n_threads"),
    "seed": ({"random_state": -1}, r"random_state"),
    "seed type": ({"random_state": "a"}, r"random_state"),
}


@pytest.mark.parametrize("case", VALUES_BAD)
def test_values_that_make_no_sense_are_not_called_names(case):
    options, message = VALUES_BAD[case]
    with pytest.raises(ParameterError, match=message) as caught:
        fr.compare(LABELS, SOFT, **options)
    assert not isinstance(caught.value, fr.UnknownNameError)


@pytest.mark.parametrize("value", ["abc", "-2", "1.5"])
def test_a_bad_number_of_threads_in_the_environment(monkeypatch, value):
    monkeypatch.setenv("FUZZYRAND_NUM_THREADS", value)
    with pytest.raises(ParameterError, match=f"FUZZYRAND_NUM_THREADS is '{value}'.*whole number"):
        fr.compare(LABELS, SOFT)


def test_the_number_of_threads_in_the_environment(monkeypatch):
    monkeypatch.setenv("FUZZYRAND_NUM_THREADS", "3")
    assert (thread_count(), thread_count(2)) == (3, 2)
    monkeypatch.delenv("FUZZYRAND_NUM_THREADS")
    everything = thread_count()
    for nothing in ("", "0"):
        monkeypatch.setenv("FUZZYRAND_NUM_THREADS", nothing)
        assert thread_count() == everything


def test_bad_options_of_models_and_indices():
    with pytest.raises(fr.UnknownNameError, match="censored"):
        fr.Fit(zeros="censor")
    with pytest.raises(fr.UnknownNameError, match="moments"):
        fr.Sym(estimator="moment")
    with pytest.raises(ParameterError, match="resolution"):
        fr.Fit(resolution=0.0)
    with pytest.raises(ParameterError, match="p >= 1"):
        fr.NDC(p=0.5)
    with pytest.raises(ParameterError, match="q >= 1"):
        fr.NDC(q=float("nan"))


@pytest.mark.parametrize("model", ["cat", "num", "all"])
def test_hard_models_refuse_a_fuzzy_side_unless_it_is_fixed(model):
    with pytest.raises(fr.NotApplicableError, match="'fit', 'sym', 'flat'"):
        fr.compare(LABELS, SOFT, model=model)
    with pytest.raises(fr.NotApplicableError):
        fr.compare(LABELS, SOFT, model=model, fixed="first")
    assert fr.compare(LABELS, SOFT, model=model, fixed="second").exact


@pytest.mark.parametrize("model", ["fit", "sym", "flat"])
def test_dirichlet_models_refuse_possibilistic_memberships(model):
    with pytest.raises(fr.NotApplicableError, match=r"possibilistic.*perm"):
        fr.compare(LABELS, SOFT * 0.5, model=model, possibilistic=True)
    assert fr.compare(LABELS, SOFT * 0.5, model=model, possibilistic=True, fixed="second").n == 7


def test_the_rand_index_refuses_fuzzy_clusterings():
    with pytest.raises(fr.NotApplicableError, match="ndc"):
        fr.compare(LABELS, SOFT, index="rand")


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
    "large floats": (np.array([1e30, 0.0]), ["1e+30", "0.0"]),
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
