"""Sparse matrices whose indices do not fit them are refused before a compiled loop follows them."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

import fuzzyrand as fr
from fuzzyrand._base.wording import Place
from fuzzyrand._clusterings.reading.sparse_format import checked_csr, fault_of

ROWS = np.array([[0.5, 0.5, 0.0, 0.0], [0.0, 0.25, 0.75, 0.0], [0.0, 0.0, 0.0, 1.0], [1, 0, 0, 0]])


def changed(kind, name, change):
    """A matrix with one of its arrays changed after it was made, which SciPy does not notice."""
    matrix = getattr(sp, f"{kind}_array")(ROWS)
    array = np.array(getattr(matrix, name))
    setattr(matrix, name, change(array))
    return matrix


def put(position, value):
    def change(array):
        array[position] = value
        return array

    return change


def cut(array):
    return array[:-1]


def as_floats(array):
    return array.astype(float)


FAULTY = {
    "index too large": ("csr", "indices", put(0, 10**6), "indices has 1000000 at position 0"),
    "index just too large": ("csr", "indices", put(2, 4), "position 2, expected 0 to 3"),
    "index negative": ("csr", "indices", put(1, -5), "indices has -5 at position 1"),
    "indices of floats": ("csr", "indices", as_floats, "indices has entries of type float64"),
    "indices too few": ("csr", "indices", cut, "indices has 5 entries where data has 6"),
    "data too few": ("csr", "data", cut, "indices has 6 entries where data has 5"),
    "starts of floats": ("csr", "indptr", as_floats, "indptr has entries of type float64"),
    "starts too few": ("csr", "indptr", cut, "indptr has 4 entries, not 5"),
    "starts not at 0": ("csr", "indptr", put(0, 1), "indptr begins with 1, not 0"),
    "starts negative": ("csr", "indptr", put(1, -5), "indptr falls from 0 to -5 at position 1"),
    "starts fall": ("csr", "indptr", put(2, 6), "indptr falls from 6 to 5 at position 3"),
    "ends too soon": ("csr", "indptr", put(4, 5), "indptr ends with 5, but there are 6 entries"),
    "ends too late": ("csr", "indptr", put(4, 10**6), "indptr ends with 1000000"),
    "CSC, index": ("csc", "indices", put(0, 4), "in CSC format, indices has 4 at position 0"),
    "CSC, start": ("csc", "indptr", put(2, -1), "in CSC format, indptr falls"),
    "BSR, index": ("bsr", "indices", put(0, 4), "in BSR format, indices has 4"),
    "BSR, start": ("bsr", "indptr", put(1, -1), "in BSR format, indptr falls"),
    "BSR, blocks": ("bsr", "data", lambda a: np.ones((a.shape[0], 3, 3)), "blocks of 3 × 3"),
    "COO, row": ("coo", "row", put(0, 4), "in COO format, row has 4 at position 0"),
    "COO, column": ("coo", "col", put(0, -1), "in COO format, col has -1 at position 0"),
    "COO, lengths": ("coo", "data", cut, "row has 6 entries where data has 5"),
    "DIA, offset": ("dia", "offsets", put(0, 4), "offsets has 4, which is outside"),
    "DIA, repeated": ("dia", "offsets", put(0, 1), "offsets has the same diagonal twice"),
    "DIA, lengths": ("dia", "offsets", cut, "offsets has 2 entries where data has 3"),
}


@pytest.mark.parametrize("case", FAULTY)
def test_indices_that_do_not_fit_are_refused(case):
    *made, message = FAULTY[case]
    with pytest.raises(fr.InputError, match="the clustering is not a valid sparse matrix") as said:
        fr.as_partition(changed(*made))
    assert message in str(said.value)


def test_lists_and_dictionaries_that_do_not_fit_are_refused():
    lists = sp.lil_array(ROWS)
    lists.rows[1] = [10**6, 2]
    with pytest.raises(fr.InputError, match="indices has 1000000 at position 2"):
        fr.as_partition(lists)
    lists.rows[1] = [1, 2, 3]
    with pytest.raises(fr.InputError, match="row 1 has 3 columns and 2 entries"):
        fr.as_partition(lists)
    lists.rows[1] = ["x", 2]
    with pytest.raises(fr.InputError, match="is not a valid sparse matrix"):
        fr.as_partition(lists)
    lists.rows = lists.rows[:-1]
    with pytest.raises(fr.InputError, match=r"rows has the shape \(3,\), not \(4,\)"):
        fr.as_partition(lists)
    dictionary = sp.dok_array(ROWS)
    entries = getattr(dictionary, "_dict", dictionary)  # of which SciPy 1.11 was itself one
    dict.__setitem__(entries, (0, 10**6), 0.5)
    with pytest.raises(fr.InputError, match="is not a valid sparse matrix"):
        fr.as_partition(dictionary)


def test_other_entries_and_shapes_are_refused_without_following_indices():
    matrix = changed("csr", "indices", put(0, 10**6)).astype(complex)
    with pytest.raises(fr.InputError, match="is not a valid sparse matrix"):
        fr.as_partition(matrix)
    with pytest.raises(fr.InputError, match="entries of type complex128"):
        fr.as_partition(sp.csr_array(ROWS.astype(complex)))


def test_the_data_of_stability_are_checked():
    matrix = changed("csr", "indices", put(0, 10**6))
    with pytest.raises(fr.InputError, match="the data matrix is not a valid sparse"):
        fr.stability(lambda rows, k: [0] * rows.shape[0], matrix, [2], model="perm")


def test_pairs_in_columns_that_no_matrix_has_are_refused():
    for column in (10**30, 2**63, 2**31):
        with pytest.raises(fr.InputError, match=r"row 1 of the clustering (has|is)"):
            fr.as_partition([[(0, 1.0)], [(column, 1.0)]])
    with pytest.raises(fr.InputError, match="row 1 of the clustering has the entry"):
        fr.as_partition([[(0, 1.0)], [(1, 10**400)]])


def test_more_columns_than_are_supported_are_refused():
    wide = sp.csr_array((np.ones(2), [0, 2**31], [0, 1, 2]), shape=(2, 2**31 + 1))
    with pytest.raises(fr.InputError, match=r"2,147,483,649 columns; at most 2,147,483,647"):
        fr.as_partition(wide)


KINDS = ("csr", "csc", "bsr", "coo", "dia", "lil", "dok")


@given(st.data())
def test_every_valid_matrix_passes(data):
    """What SciPy makes of any matrix, in any order and with any zeros and duplicates, is valid."""
    n, k = data.draw(st.integers(2, 6)), data.draw(st.integers(1, 6))
    entries = data.draw(st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, k - 1))))
    row, col = np.array(entries, dtype=np.int64).reshape(-1, 2).T
    values = np.array(data.draw(st.lists(st.floats(0, 1), min_size=row.size, max_size=row.size)))
    coo = sp.coo_array((values, (row, col)), shape=(n, k))
    kind = data.draw(st.sampled_from(KINDS))
    matrix = coo.asformat(kind)
    np.testing.assert_array_equal(checked_csr(matrix, Place("x")).toarray(), matrix.toarray())


@given(st.data())
def test_the_check_agrees_with_that_of_scipy(data):
    """Arrays of small numbers, most of them faulty; SciPy allows entries after the last row."""
    kind = data.draw(st.sampled_from(["csr", "csc"]))
    n, k = data.draw(st.integers(0, 3)), data.draw(st.integers(0, 3))
    numbers = st.lists(st.integers(-1, 4), max_size=5)
    arrays = {
        "data": np.ones(data.draw(st.integers(0, 5))),
        "indices": np.array(data.draw(numbers), dtype=np.int64),
        "indptr": np.array(data.draw(numbers.map(sorted)), dtype=np.int64),
    }
    parts = (arrays["data"], arrays["indices"], arrays["indptr"])
    try:
        getattr(sp, f"{kind}_array")(parts, shape=(n, k)).check_format(full_check=True)
        valid = arrays["indptr"][-1] == arrays["data"].size
    except (ValueError, IndexError):
        valid = False
    assert (fault_of(kind, arrays, (n, k)) == "") == valid


def test_sparse_frames_pass():
    frame = pd.DataFrame.sparse.from_spmatrix(sp.csr_array(ROWS))
    assert fr.as_partition(frame).n == 4
