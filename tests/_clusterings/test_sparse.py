"""Sparse clusterings: read from many forms, checked as full ones are, and never made full."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

import fuzzyrand as fr
from fuzzyrand._clusterings.noise import subset
from fuzzyrand._clusterings.options import InputOptions
from fuzzyrand._clusterings.partition import read_partition
from fuzzyrand._clusterings.reading import sparse_memberships
from fuzzyrand._clusterings.sparse_rows import SparseRows

from ..clusterings import kept_sparse


def sparse_rows(n=40, k=30, entries=4, seed=0):
    rng = np.random.default_rng(seed)
    rows = np.zeros((n, k))
    for row in rows:
        columns = rng.choice(k, rng.integers(1, entries + 1), replace=False)
        row[columns] = rng.dirichlet(np.ones(columns.size))
    return rows


FORMS = {
    "csr array": sp.csr_array,
    "csr matrix": sp.csr_matrix,
    "csc array": sp.csc_array,
    "coo matrix": sp.coo_matrix,
    "lil array": sp.lil_array,
    "sparse frame": lambda rows: pd.DataFrame.sparse.from_spmatrix(sp.csr_array(rows)),
    "lists of pairs": lambda rows: [
        [(int(column), float(row[column])) for column in np.flatnonzero(row)] for row in rows
    ],
}


@pytest.mark.parametrize("form", FORMS)
def test_every_sparse_form_is_read_as_its_full_matrix(form):
    rows = sparse_rows()
    rows = rows[:, rows.any(axis=0)]  # lists say nothing of empty clusters after the last
    partition = kept_sparse(FORMS[form](rows))
    assert partition.rows.mostly_zero
    full = fr.Partition.from_memberships(rows)
    np.testing.assert_allclose(partition.rows.dense, full.rows.dense, atol=1e-15)
    np.testing.assert_allclose(partition.sizes, full.sizes, atol=1e-12)
    np.testing.assert_array_equal(partition.rows.strongest, full.rows.strongest)
    np.testing.assert_array_equal(partition.rows.largest, partition.rows.dense.max(axis=1))
    assert repr(partition) == repr(full)


def test_names_and_ids_of_a_sparse_frame_are_kept():
    frame = pd.DataFrame.sparse.from_spmatrix(
        sp.csr_array(sparse_rows(4, 6)), index=list("wxyz"), columns=list("abcdef")
    )
    partition = kept_sparse(frame)
    assert partition.rows.mostly_zero
    assert list(partition.names) == list("abcdef")
    assert list(partition.ids) == list("wxyz")


def test_the_matrix_of_the_user_is_left_as_it_is():
    matrix = sp.csr_array(
        (np.array([0.25, 0.25, 0.5, 0.0, 1.0]), np.array([1, 1, 0, 2, 2]), np.array([0, 4, 5])),
        shape=(2, 4),
    )
    before = [part.copy() for part in (matrix.data, matrix.indices, matrix.indptr)]
    partition = kept_sparse(matrix)
    for part, old in zip((matrix.data, matrix.indices, matrix.indptr), before, strict=True):
        np.testing.assert_array_equal(part, old)
    np.testing.assert_array_equal(partition.rows.dense, [[0.5, 0.5, 0, 0], [0, 0, 1, 0]])
    assert partition.rows.values.size == 3


def test_one_hot_sparse_rows_are_hard():
    assert kept_sparse(sp.csr_array(np.eye(3))).is_hard
    assert kept_sparse(sp.csr_array(5.0 * np.eye(3)), normalize=True).is_hard


BAD = {
    "not finite": (
        np.nan,
        {},
        "row 1, column 2 of the clustering is nan, which is not a finite number",
    ),
    "negative": (-0.5, {}, "row 1, column 2 of the clustering is -0.5, which is negative"),
    "above 1": (1.5, {}, "row 1, column 2 of the clustering is 1.5, which is above 1"),
    "sum": (0.9, {}, "row 1 of the clustering sums to 0.95"),
    "sum, normalized": (-1e-3, {"normalize": True}, "which is negative"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_entries_are_named_as_in_a_full_matrix(case):
    value, options, message = BAD[case]
    rows = np.array([[0.5, 0.5, 0.0, 0.0], [0.05, 0.0, value, 0.0], [0.0, 0.0, 0.0, 1.0]])
    with pytest.raises(fr.InputError, match=message) as of_sparse:
        kept_sparse(sp.csr_array(rows), **options)
    with pytest.raises(fr.InputError) as of_full:
        kept_sparse(rows, **options)
    assert str(of_sparse.value) == str(of_full.value)


def test_rows_of_zeros_and_transposed_matrices_are_refused():
    with pytest.raises(fr.InputError, match="row 1 of the clustering is all zeros"):
        kept_sparse(sp.csr_array([[0.5, 0.5], [0.0, 0.0]]), normalize=True)
    with pytest.raises(fr.InputError, match="looks transposed"):
        kept_sparse(sp.csr_array(sparse_rows(30, 4).T))
    with pytest.raises(fr.InputError, match=r"row 1 of the clustering has the entry \(-1, 0.5\)"):
        kept_sparse([[(0, 1.0)], [(-1, 0.5), (2, 0.5)]])


def test_a_transposed_matrix_does_not_become_noise():
    """Full or sparse: its rows lack something to a sum of 1, but its columns do not."""
    halves = sp.csr_array(np.vstack([0.5 * np.eye(30)] * 2))
    for matrix in (halves, halves.toarray()):
        with pytest.raises(fr.InputError, match="looks transposed"):
            kept_sparse(matrix, missing="noise")


def test_what_rows_lack_can_be_noise():
    rows = sparse_rows()
    rows[:5] *= 0.75
    sparse = kept_sparse(sp.csr_array(rows), missing="noise")
    full = fr.Partition.from_memberships(rows, missing="noise")
    assert sparse.noise == full.noise
    np.testing.assert_allclose(sparse.rows.dense, full.rows.dense, atol=1e-15)


def test_possibilistic_rows_become_full(monkeypatch):
    rows = sparse_rows()
    rows[0] *= 0.5
    partition = kept_sparse(sp.csr_array(rows), possibilistic=True)
    assert partition.kind == "possibilistic"
    monkeypatch.setattr(sparse_memberships, "LARGEST_DENSE", 100)
    with pytest.raises(fr.InputError, match="too large to be made a full matrix"):
        kept_sparse(sp.csr_array(rows), possibilistic=True)


def test_full_matrices_that_are_mostly_zero_become_sparse():
    rows = np.zeros((64, 64))
    rows[np.arange(64), np.arange(64)] = rows[np.arange(64), (np.arange(64) + 1) % 64] = 0.5
    assert kept_sparse(rows).rows.mostly_zero
    assert not kept_sparse(sparse_rows(40, 8, entries=4)).rows.mostly_zero


def test_small_and_crowded_matrices_become_full():
    crowded = sp.csr_array(np.random.default_rng(0).dirichlet(np.ones(5), 20))
    few = InputOptions(budget=fr.Budget(full_entries=0))
    assert not read_partition(crowded, few, "clustering").rows.mostly_zero
    assert read_partition(sp.csr_array(sparse_rows()), few, "clustering").rows.mostly_zero
    assert not fr.as_partition(sp.csr_array(sparse_rows())).rows.mostly_zero


def test_parts_and_orders_of_points():
    rows = sparse_rows()
    partition = kept_sparse(sp.csr_array(rows))
    keep = np.arange(rows.shape[0]) % 3 > 0
    np.testing.assert_allclose(subset(partition, keep).rows.dense, rows[keep], atol=1e-15)
    some = np.array([7, 3, 3])
    np.testing.assert_allclose(partition.take(some).rows.dense, rows[some], atol=1e-15)
    weights = np.arange(rows.shape[0], dtype=float)
    np.testing.assert_allclose(partition.shared.sums(weights), weights @ rows, atol=1e-12)


def test_sparse_rows_agree_with_their_full_matrix():
    rows = sparse_rows()
    rows[3] = 0.0
    sparse = SparseRows.of_dense(rows)
    np.testing.assert_array_equal(sparse.dense, rows)
    np.testing.assert_array_equal(sparse.largest, rows.max(axis=1))
    np.testing.assert_array_equal(sparse.strongest, rows.argmax(axis=1))
    np.testing.assert_array_equal(sparse.column(4), rows[:, 4])
    np.testing.assert_array_equal(sparse.drop_last().dense, rows[:, :-1])
    np.testing.assert_allclose(sparse.squared_lengths, (rows**2).sum(axis=1))
    lengths = np.where(rows.any(axis=1), np.sqrt((rows**2).sum(axis=1)), 1.0)
    np.testing.assert_allclose(sparse.unit().dense, rows / lengths[:, None])


def test_a_matrix_that_would_not_fit_is_compared_but_not_made_full(peak):
    n, k = 20_000, 200_000  # 32 GB if it were full
    rng = np.random.default_rng(0)
    columns = np.concatenate([rng.integers(k, size=n), rng.integers(100, size=n)])
    values = np.concatenate([np.full(n, 0.25), np.full(n, 0.75)])
    points = np.tile(np.arange(n), 2)
    first = sp.coo_array((values, (points, columns)), shape=(n, k)).tocsr()
    second = first[rng.permutation(n)]
    same = fr.compare(first, first.copy(), model="perm")
    other = fr.compare(first, second, model="perm")
    assert peak() < 200.0
    assert same.adjusted == pytest.approx(1.0, abs=1e-12)
    assert abs(other.adjusted) < 0.01
    with pytest.raises(fr.NotApplicableError, match="as a full matrix, which would take 32 GB"):
        fr.as_partition(first).rows.dense  # noqa: B018
