"""Rows of all kinds of data."""

import numpy as np
import pytest
from scipy import sparse

import fuzzyrand as fr
from fuzzyrand._methods.stability.data import count_rows, fingerprint, like, numbers_of, take_rows

MATRIX = np.arange(12.0).reshape(6, 2)
ROWS = np.array([1, 4])


def test_rows_of_arrays_lists_and_sparse_matrices():
    assert take_rows(MATRIX, ROWS).tolist() == [[2, 3], [8, 9]]
    assert take_rows(list("abcdef"), ROWS) == ["b", "e"]
    coo = sparse.coo_matrix(MATRIX)
    assert take_rows(coo, ROWS).toarray().tolist() == [[2, 3], [8, 9]]
    assert [count_rows(data) for data in (MATRIX, coo, list("abc"))] == [6, 6, 3]
    with pytest.raises(fr.InputError, match="of type generator"):
        count_rows(x for x in MATRIX)


def test_frames_stay_frames():
    pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")
    for frame in (
        pd.DataFrame(MATRIX, columns=["a", "b"], index=list("uvwxyz")),
        pl.DataFrame(MATRIX, schema=["a", "b"]),
    ):
        part = take_rows(frame, ROWS)
        assert isinstance(part, type(frame))
        assert part.to_numpy().tolist() == [[2, 3], [8, 9]]
        assert list(like(frame, MATRIX + 1).columns) == ["a", "b"]
        assert like(frame, MATRIX + 1).to_numpy().tolist() == (MATRIX + 1).tolist()
        assert numbers_of(frame).tolist() == MATRIX.tolist()


def test_what_is_no_matrix_of_numbers():
    assert numbers_of(MATRIX[:, 0]) is None
    assert numbers_of(sparse.csr_matrix(MATRIX)) is None
    assert numbers_of(np.array([["a", "b"]])) is None
    assert numbers_of(np.array([[1.0, np.nan]])) is None
    assert numbers_of([["a", "b"]]) is None
    assert numbers_of(MATRIX.astype(int)).dtype == float


def test_fingerprints_tell_data_apart():
    changed = MATRIX.copy()
    changed[3, 1] += 1e-9
    several = [
        MATRIX, changed, MATRIX.reshape(3, 4), MATRIX.astype("f4"), sparse.csr_matrix(MATRIX),
        list("abc"), list("abd"), np.array(list("abc"), dtype=object),
    ]  # fmt: skip
    prints = [fingerprint(data) for data in several]
    assert len(set(prints)) == len(prints)
    assert fingerprint(np.asfortranarray(MATRIX)) == prints[0]
