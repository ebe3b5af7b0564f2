"""Reading is faithful, whatever form the data come in, and what cannot be read is named."""

import array
import datetime
from collections import deque
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from hypothesis import assume, given
from hypothesis import strategies as st

import fuzzyrand as fr
from fuzzyrand._clusterings.rows import LabelRows

from ..strategies import fuzzy

DAY = datetime.date(2020, 1, 1)
HALVES = [[0.5, 0.5], [1.0, 0.0], [0.0, 1.0]]
#: Before SciPy 1.13, a sparse array of numbers was a matrix of one row.
SPARSE_VECTORS = sp.coo_array([0, 1]).ndim == 1


def _objects(*entries):
    boxed = np.empty(len(entries), dtype=object)
    for i, entry in enumerate(entries):
        boxed[i] = entry
    return boxed


def _view(rows):
    """The same numbers, every second row and column of a larger array, read backwards."""
    room = np.full((2 * rows.shape[0], 2 * rows.shape[1]), np.nan)
    room[::2, ::2] = rows[::-1]
    return room[::2, ::2][::-1]


def _frame(rows, library):
    return library.DataFrame({f"c{d}": rows[:, d] for d in range(rows.shape[1])})


SAME = {
    "nested list": lambda rows: rows.tolist(),
    "list of tuples": lambda rows: [tuple(row) for row in rows.tolist()],
    "list of arrays": list,
    "deque of lists": lambda rows: deque(rows.tolist()),
    "Fortran order": np.asfortranarray,
    "view": _view,
    "big-endian": lambda rows: rows.astype(">f8"),
    "objects": lambda rows: rows.astype(object),
    "decimals": lambda rows: [[Decimal(x) for x in row] for row in rows.tolist()],
    "fractions": lambda rows: [tuple(map(Fraction, row)) for row in rows.tolist()],
    "unmasked": np.ma.masked_array,
    "pandas": lambda rows: _frame(rows, pd),
    "pandas nullable": lambda rows: _frame(rows, pd).astype("Float64"),
    "polars": lambda rows: _frame(rows, pl),
    "sparse": sp.csr_array,
    "sparse matrix": sp.coo_matrix,
}


@given(st.integers(2, 20).flatmap(fuzzy))
def test_memberships_are_the_same_in_every_form(rows):
    expected = fr.as_partition(rows)
    for form, make in SAME.items():
        found = fr.as_partition(make(rows))
        assert (found.kind, found.n, found.k) == (expected.kind, expected.n, expected.k), form
        assert np.array_equal(found.codes, expected.codes), form
        if expected.memberships is not None:
            assert np.array_equal(found.memberships, expected.memberships), form


@given(st.integers(2, 20).flatmap(fuzzy))
def test_single_precision_is_the_same_in_every_form(rows):
    single = rows.astype(np.float32)
    expected = fr.as_partition(single)
    # Each entry is off by half a unit in the last place at most, and each row is divided by a sum.
    soft = np.eye(expected.k)[expected.codes] if expected.is_hard else expected.memberships
    assert np.abs(soft - rows).max() <= rows.shape[1] * np.finfo(np.float32).eps
    for make in (list, sp.csr_array, lambda x: _frame(x, pl), lambda x: _frame(x, pd),
                 lambda x: _frame(x, pd).astype("Float32")):  # fmt: skip
        found = fr.as_partition(make(single))
        assert np.array_equal(found.codes, expected.codes)
        if expected.memberships is not None:
            assert np.array_equal(found.memberships, expected.memberships)


def test_single_precision_is_known_in_nullable_frames():
    rows = np.full((3, 2), [0.3, 0.7], dtype=np.float32) * np.float32(1 + 1e-4)
    assert fr.as_partition(rows).kind == "fuzzy"
    assert fr.as_partition(pd.DataFrame(rows).astype("Float32")).kind == "fuzzy"
    with pytest.raises(fr.InputError, match=r"row 0 .*sums to 1\.0001"):
        fr.as_partition(pd.DataFrame(rows).astype("Float64"))


whole_floats = st.integers(-(2**53) + 1, 2**53 - 1).map(float)
atoms = st.one_of(
    st.integers(), st.integers(-3, 3), st.text(max_size=3), st.booleans(), whole_floats,
    st.binary(max_size=2), st.dates(), st.integers(-3, 3).map(Decimal),
    st.integers(-3, 3).map(Fraction), st.just(10**400),
)  # fmt: skip
# Tuples of numbers throughout are rows of memberships, so these hold a text.
hashables = st.one_of(atoms, st.tuples(st.text(max_size=1), atoms), st.frozensets(st.integers()))


def _brute_codes(labels):
    seen = {}
    return [seen.setdefault(label, len(seen)) for label in labels]


def _up_to_renaming(codes):
    return _brute_codes(codes.tolist())


@given(st.lists(hashables, min_size=2, max_size=30))
def test_any_hashables_are_labels(labels):
    assume(not all(isinstance(label, frozenset) for label in labels))  # which are communities
    expected = _brute_codes(labels)
    for make in (list, tuple, deque, lambda x: _objects(*x), fr.Partition.from_labels):
        partition = fr.as_partition(make(labels))
        assert partition.k == len(set(expected))
        assert sorted(set(partition.codes.tolist())) == list(range(partition.k))
        assert _up_to_renaming(partition.codes) == expected


@pytest.mark.parametrize(
    "dtype", [np.int8, np.int32, np.int64, np.uint8, np.float32, np.float64, bool]
)
@given(seed=st.integers(0, 2**32 - 1), spread=st.sampled_from([2, 5, 100]))
def test_numbers_are_labels_in_every_form(dtype, seed, spread):
    numbers = np.random.default_rng(seed).integers(0, spread, 20).astype(dtype)
    expected = _brute_codes(numbers.tolist())
    forms = [numbers, np.repeat(numbers, 3)[::3], numbers.tolist(), list(numbers)]
    forms += [np.asfortranarray(numbers), pd.Series(numbers), pd.Index(numbers), pl.Series(numbers)]
    forms += [pd.Series(numbers).convert_dtypes(), pd.Categorical(numbers)]
    if dtype is not bool:
        forms += [array.array(numbers.dtype.char, numbers.tolist())]
        forms += [sp.coo_array(numbers)] * SPARSE_VECTORS
    for form in forms:
        partition = fr.as_partition(form)
        assert _up_to_renaming(partition.codes) == expected
        assert partition.k == len(set(expected))


NO_CLUSTERING = {
    "dict": ({"a": [0.0, 1.0]}, r"is a dict; expected.*list\(d\.values\(\)\)"),
    "set": ({0, 1}, r"is a set; expected.*no order"),
    "frozenset": (frozenset([0, 1]), r"is a frozenset; expected.*no order"),
    "generator": ((x for x in [0, 1]), r"is a generator; expected.*list\("),
    "integer": (3, r"is an int; expected"),
    "float": (0.5, r"is a float; expected"),
    "none": (None, r"is None; expected"),
    "text": ("aabb", r"is a str; expected.*list\(text\)"),
    "bytes": (b"aabb", r"is a bytes; expected"),
    "lazy": (pl.LazyFrame({"a": [1.0, 1.0]}), r"is a LazyFrame; expected.*collect\(\)"),
    "function": (len, r"expected a label vector"),
    "0-D": (np.array(3), r"has 0 dimensions"),
    "NumPy scalar": (np.float64(3), r"has 0 dimensions"),
    "0-D object": (np.array({"a": 1}, dtype=object), r"has 0 dimensions"),
    "3-D": (np.zeros((2, 2, 2)), r"has 3 dimensions"),
    "empty list": ([], r"0 points"),
    "empty tuple": ((), r"0 points"),
}


@pytest.mark.parametrize("case", NO_CLUSTERING)
def test_what_is_no_clustering_is_refused_at_every_door(case):
    data, message = NO_CLUSTERING[case]
    for read in (fr.as_partition, fr.Partition.from_labels, fr.Partition.from_memberships):
        with pytest.raises(fr.InputError, match=message):
            read(data)


def test_a_partition_is_not_read_again():
    for read in (fr.Partition.from_labels, fr.Partition.from_memberships):
        with pytest.raises(fr.InputError, match="read already"):
            read(fr.as_partition([0, 1]))


NO_MEMBERSHIPS = {
    "word": ([[0.5, 0.5], ["a", 1.0]], r"row 1, column 0 .* is 'a', not a number"),
    "word in tuple": ([(0.5, 0.5), (1.0, "a")], r"row 1, column 1 .* is 'a', not a number"),
    "numeral": ([[0.5, 0.5], ["0.5", 0.5]], r"row 1, column 0 .* is '0\.5'.*astype\(float\)"),
    "bytes": ([[0.5, 0.5], [0.0, b"x"]], r"row 1, column 1 .* is b'x'"),
    "word in array": (np.array([[0.5, 0.5], ["a", 1.0]]), r"row 1, column 0 .* is 'a'"),
    "numerals": (np.array([["0.5", "0.5"]] * 2), r"row 0, column 0 .* is '0\.5'.*astype"),
    "missing": ([[0.5, 0.5], [None, 1.0]], r"row 1, column 0 .* is None, a missing"),
    "missing in tuple": ([(0.5, None), (0.5, 0.5)], r"row 0, column 1 .* is None, a missing"),
    "masked entry": ([[0.5, 0.5], [1.0, np.ma.masked]], r"row 1, column 1"),
    "masked row": ([np.ma.masked_equal([0.5, 0.4], 0.4)] * 2, r"row 0, column 1 .* is masked"),
    "masked": (np.ma.masked_equal(HALVES, 1.0), r"row 1, column 0 .* is masked"),
    "ragged": ([[0.5, [0.5]], [1, 0]], r"row 0, column 1 .* is \[0\.5\].*one real number"),
    "deep": ([[[1], [2, 3]], [[1], [2]]], r"row 0, column 0 .* is \[1\].*one real number"),
    "too deep": ([[[1], [0]], [[1], [0]]], r"3 dimensions"),
    "ragged arrays": ([np.ones(2) / 2, np.ones(1)], r"row 1 .* has 1 entries where row 0 has 2"),
    "no columns": ([[], []], r"no columns"),
    "arrays in array": (np.array([[np.ones(2), 0], [1, 0]], dtype=object), r"row 0, column 0"),
    "complex": (np.eye(2) + 0j, r"type complex128.*x\.real"),
    "complex sparse": (sp.csr_array(np.eye(2) + 0j), r"type complex128"),
    "complex list": ([[0.5, 0.5], [1j, 1]], r"row 1, column 0 .* is 1j"),
    "complex object": (np.array([[1, 0], [0, 1 + 0j]], dtype=object), r"row 1, column 1"),
    "dates": (np.array([["2020-01-01"] * 2] * 2, "M8[D]"), r"type datetime64\[D\]"),
    "date": ([[0.5, 0.5], [DAY, 1]], r"row 1, column 0 .*datetime\.date"),
    "spans": (np.array([[1, 0]] * 2, "m8[s]").astype(object), r"row 0, column 0"),
    "huge": ([[10**400, 0], [0, 1]], r"row 0, column 0 .*larger than a double"),
    "sparse nan": (sp.csr_array([[1.0, 0.0], [0.0, np.nan]]), r"row 1, column 1 .* is nan"),
    "matrix nan": (np.array([[0.5, np.nan], [1, 0]]).view(np.matrix), r"row 0, column 1 .* is nan"),
    "frame": (pd.DataFrame({"a": [0.5, None], "b": 0.5}), r"row 1, column 'a' .* is nan"),
    "negative": (pd.DataFrame({"a": [0.5, -1], "b": [0.5, 2]}), r"row 1, column 'a' .* is -1"),
    "nullable": (
        pd.DataFrame({"a": [0.5, None], "b": 0.5}, dtype="Float64"), r"row 1, column 'a' .* is nan"
    ),
    "nullable booleans": (
        pd.DataFrame({"a": [True, None], "b": [False, True]}, dtype="boolean"),
        r"row 1, column 'a'",
    ),
    "polars": (pl.DataFrame({"a": [0.5, None], "b": [0.5, 1]}), r"row 1, column 'a' .* is nan"),
    "polars booleans": (pl.DataFrame({"a": [True, None]}), r"row 1, column 'a' .* is None"),
    "frame with a name": (pd.DataFrame({"id": ["x", "y"], "a": 1.0}), r"row 0, column 'id'"),
    "several true": (pd.DataFrame({"a": [True, False], "b": True}), r"row 0 .*sums to 2"),
    "empty frame": (pd.DataFrame(), r"0 points"),
    "no rows": (np.empty((0, 2)), r"0 points"),
    "no rows of text": (np.empty((0, 2), dtype="U1"), r"0 points"),
    "row of labels": (np.array([[0, 1, 0]]).view(np.matrix), r"1 point.*3 columns.*transpose"),
}  # fmt: skip


@pytest.mark.parametrize("case", NO_MEMBERSHIPS)
def test_the_entry_that_is_no_membership_is_named(case):
    data, message = NO_MEMBERSHIPS[case]
    for read in (fr.as_partition, fr.Partition.from_memberships):
        with pytest.raises(fr.InputError, match=message):
            read(data)


NO_ROWS = {
    "labels": ([0, 1, 1], r"row 0 .* is 0; memberships need one sequence"),
    "texts": (["ab", "cd"], r"row 0 .* is 'ab'; memberships need"),
    "a text": ([[0.5, 0.5], "ab"], r"row 1 .* is 'ab'; memberships need"),
    "0-D arrays": ([np.array(1), np.array(0)], r"row 0 .* is array\(1\)"),
    "sparse rows": ([sp.csr_array([[0.5, 0.5]])] * 2, r"row 0 .* of type csr_array"),
    "masked labels": (np.ma.masked_equal([0, 1], 1), r"1 dimension;.*from_labels"),
    "vector": (np.array([0, 1]), r"1 dimension; expected 2"),
    "objects": (_objects([0.5, 0.5], [1, 0]), r"1 dimension; expected 2"),
}
if SPARSE_VECTORS:
    NO_ROWS["sparse vector"] = (sp.coo_array([0, 1]), r"1 dimension; expected 2")


@pytest.mark.parametrize("case", NO_ROWS)
def test_vectors_are_no_memberships(case):
    data, message = NO_ROWS[case]
    with pytest.raises(fr.InputError, match=message):
        fr.Partition.from_memberships(data)


NO_LABELS = {
    "rows": (pd.Series([[0.5, 0.5], [1.0, 0.0]]), r"point 0 .*type list.*np\.stack"),
    "arrays": (_objects(np.ones(2), np.ones(2)), r"point 0 .*type ndarray.*np\.stack"),
    "tuples": (_objects((1.0, 0.0), (0.5, 0.5)), r"point 1 is \(0\.5, 0\.5\).*row of memberships"),
    "tuple series": (pd.Series([(0.5, 0.5), (1.0, 0.0)]), r"point 0 is .*row of memberships"),
    "lists in polars": (pl.Series([[0.5, 0.5], [1.0, 0.0]]), r"point 0 .*np\.stack"),
    "arrays in polars": (
        pl.Series([[0.5, 0.5], [1.0, 0.0]], dtype=pl.Array(pl.Float64, 2)),
        r"2 dimensions; expected 1.*from_memberships",
    ),
    "infinite": ([1.0, np.inf, 2.0], r"point 1 is inf, which is not a label"),
    "infinite object": (["a", np.inf], r"point 1 is inf, which is not a label"),
    "infinite decimal": ([1, Decimal("inf")], r"point 1 is Infinity, which is not a label"),
    "fraction": ([1, Fraction(10**400, 3)], r"point 1 is 10+/3, which is not a label"),
    "decimal NaN": (["a", Decimal("nan")], r"point 1 .*no label"),
    "signalling NaN": (["a", Decimal("snan")], r"point 1 .*no label"),
    "NaT": ([np.datetime64(DAY), np.datetime64("NaT", "D")], r"point 1 .*no label"),
    "NA": (["a", pd.NA], r"point 1 .*no label"),
    "masked": ([0, np.ma.masked, 1], r"point 1 .*no label \(1 missing"),
    "polars text": (pl.Series(["a", None]), r"point 1 .*no label"),
    "polars numbers": (pl.Series([1, None]), r"point 1 .*no label"),
    "nullable": (pd.Series([1, None], dtype="Float64"), r"point 1 .*no label"),
    "nullable booleans": (pd.Series([True, None], dtype="boolean"), r"point 1 .*no label"),
    "records": (np.array([(1, 2)] * 2, dtype="i,i"), r"labels of type"),
    "empty": (np.array([]), r"0 points"),
    "empty series": (pd.Series([], dtype=str), r"0 points"),
}


@pytest.mark.parametrize("case", NO_LABELS)
def test_the_point_that_has_no_label_is_named(case):
    data, message = NO_LABELS[case]
    for read in (fr.as_partition, fr.Partition.from_labels):
        with pytest.raises(fr.InputError, match=message):
            read(data)


def test_matrices_are_no_labels():
    for matrix in (np.eye(2), sp.csr_array(np.eye(2)), pd.DataFrame(np.eye(2)), np.ma.identity(2)):
        with pytest.raises(fr.InputError, match=r"2 dimensions; expected 1.*from_memberships"):
            fr.Partition.from_labels(matrix)


def test_tuples_of_whole_numbers_are_labels_where_a_vector_is_given():
    pairs = [(0, 1), (1, 0), (0, 1)]
    for vector in (_objects(*pairs), pd.Series(pairs), pd.MultiIndex.from_tuples(pairs)):
        assert _up_to_renaming(fr.as_partition(vector).codes) == [0, 1, 0]


def test_spans_of_time_and_zero_dimensional_arrays_are_labels():
    for kind in (np.array, lambda x: np.timedelta64(x, "s"), lambda x: pd.Timedelta(x, "s")):
        assert _up_to_renaming(fr.as_partition([kind(1), kind(0), kind(1)]).codes) == [0, 1, 0]


oddities = st.one_of(
    atoms, st.none(), st.floats(), st.complex_numbers(), st.fractions(), st.decimals(),
    st.sampled_from([
        0.5, 1.0, 0, np.ma.masked, pd.NA, pd.NaT, np.datetime64("NaT", "D"), np.timedelta64(1, "s"),
        np.complex64(1j), np.array(0.5), np.ones(2), np.ma.masked_equal([0, 1], 1), np.bool_(True),
        {}, {1}, len, pd.Series([0.5, 0.5]), pl.Series(["a", None]), sp.csr_array([[0.5, 0.5]]),
        np.float16(0.5), np.longdouble(0.5), np.str_("0.5"), np.void(b"x"), range(2), bytearray(2),
    ]),
)  # fmt: skip
nests = st.recursive(
    oddities,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.lists(inner, max_size=4).map(tuple),
        st.lists(inner, min_size=2, max_size=3).map(lambda entries: _objects(*entries)),
        st.lists(inner, min_size=2, max_size=2).map(lambda entries: [entries, entries]),
    ),
    max_leaves=8,
)


@pytest.mark.parametrize("normalize", [False, True])
@given(data=nests)
def test_odd_data_are_read_or_refused_in_words(data, normalize):
    reads = [
        lambda: fr.as_partition(data, normalize=normalize, possibilistic=not normalize),
        lambda: fr.Partition.from_memberships(data, normalize=normalize),
        lambda: fr.Partition.from_labels(data),
    ]
    for read in reads:
        try:
            partition = read()
        except fr.InputError:
            continue
        assert partition.n == len(data)
        assert np.isfinite(partition.sizes).all()


class Stubborn:
    """Looks like an array and refuses to be one."""

    ndim, shape = 2, (2, 2)

    def __array__(self, *args, **options):
        raise RuntimeError("it lives on another device; call cpu() first")


def test_the_reason_why_there_is_no_array_is_passed_on():
    with pytest.raises(fr.InputError, match=r"Stubborn.*call cpu\(\) first") as caught:
        fr.as_partition(Stubborn())
    assert isinstance(caught.value.__cause__, RuntimeError)


def test_arrow():
    pa = pytest.importorskip("pyarrow")
    names = ["a", "b", "a"]
    for labels in (
        pd.Series(names, dtype="string[pyarrow]"),
        pd.Series(names, dtype=pd.ArrowDtype(pa.dictionary(pa.int32(), pa.string()))),
        pd.Series([1, 2, 1], dtype="int64[pyarrow]"),
        pd.Series([1, 2, 1], dtype="double[pyarrow]"),
        pd.Series([True, False, True], dtype="bool[pyarrow]"),
        pa.array(names),
        pa.chunked_array([names[:2], names[2:]]),
    ):
        assert _up_to_renaming(fr.as_partition(labels).codes) == [0, 1, 0]
    for labels in (
        pd.Series(["a", None], dtype="string[pyarrow]"),
        pd.Series([1, None], dtype="int64[pyarrow]"),
        pd.Series([1, None], dtype="double[pyarrow]"),
        pa.array(["a", None]),
        pa.array([1, None]),
    ):
        with pytest.raises(fr.InputError, match=r"point 1 .*no label"):
            fr.as_partition(labels)
    with pytest.raises(fr.InputError, match=r"point 0 is 0\.5.*one column of memberships"):
        fr.as_partition(pd.Series([0.5, 0.5], dtype="double[pyarrow]"))
    with pytest.raises(fr.InputError, match=r"point 0 .*not hashable"):
        fr.as_partition(pd.Series([[0.5]] * 2, dtype=pd.ArrowDtype(pa.list_(pa.float64()))))

    expected = fr.as_partition(HALVES).memberships
    frame = pd.DataFrame(HALVES, columns=["a", "b"])
    for rows in (frame.astype("double[pyarrow]"), frame.astype("float[pyarrow]")):
        assert (fr.as_partition(rows).memberships == expected).all()
    assert (fr.as_partition(pa.table({"a": frame.a, "b": frame.b})).memberships == expected).all()
    with pytest.raises(fr.InputError, match=r"row 1, column 'b' .* is nan"):
        fr.as_partition(pd.DataFrame({"a": [0.5, 1], "b": [0.5, None]}, dtype="double[pyarrow]"))
    with pytest.raises(fr.InputError, match=r"row 1, column 'b' .* is nan"):
        fr.as_partition(pa.table({"a": [0.5, 1.0], "b": [0.5, None]}))


def test_what_is_learned_about_a_partition_stays_with_it():
    labels = fr.as_partition([0, 0, 1])
    assert labels.sizes is labels.sizes
    other = fr.Partition(LabelRows(labels.codes[::-1], 3))
    assert other.sizes.tolist() == [2.0, 1.0, 0.0]
    assert labels.sizes.tolist() == [2.0, 1.0]
