"""Several clusterings at once: lists, dicts, and the columns of a matrix or a frame."""

import numpy as np
import pytest
from scipy import sparse
from scipy.cluster.hierarchy import cut_tree, linkage

import fuzzyrand as fr

LABELS = np.random.default_rng(0).integers(3, size=(20, 4))
SOFT = np.random.default_rng(1).dirichlet(np.ones(3), 20)


def by_lists(labels, model="perm"):
    return fr.pairwise([column.tolist() for column in np.asarray(labels).T], model=model).adjusted


@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")  # of numpy.matrix
@pytest.mark.parametrize(
    "form",
    [
        lambda x: x,
        lambda x: x.astype(float),
        lambda x: x.astype(str),
        lambda x: x.astype(object),
        np.asfortranarray,
        np.matrix,
        lambda x: np.ma.masked_equal(x, 99),
    ],
)
def test_the_columns_of_a_matrix_are_clusterings(form):
    result = fr.pairwise(form(LABELS), model="perm")
    assert result.columns == ("0", "1", "2", "3")
    assert result["0", "1"].n == 20
    assert result.adjusted == pytest.approx(by_lists(LABELS))


def test_the_columns_of_a_cut_tree_are_clusterings():
    X = np.random.default_rng(2).normal(size=(200, 3))
    cuts = cut_tree(linkage(X, "average"), [2, 3, 5, 8])
    result = fr.pairwise(cuts, model="perm")
    assert len(result.columns) == 4
    assert result["0", "1"].n == 200
    assert fr.align(cuts).n == 200
    assert len(fr.align(cuts).order) == 4


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_the_columns_of_a_frame_are_clusterings_with_names(library):
    frames = pytest.importorskip(library)
    frame = frames.DataFrame(dict(zip(("leiden", "b", "c", "d"), LABELS.T, strict=True)))
    result = fr.pairwise(frame, reference="leiden", model="perm")
    assert (result.rows, result.columns) == (("leiden",), ("leiden", "b", "c", "d"))
    assert result.adjusted[0] == pytest.approx(by_lists(LABELS)[0])
    assert list(fr.align(frame, reference="b").order) == ["leiden", "b", "c", "d"]


def test_frames_keep_categories_ids_and_missing_labels():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"a": list("xxyyzz"), "b": [0, 0, 1, 1, 1, 2]}, index=list("pqrstu"))
    frame["a"] = frame["a"].astype("category")
    shuffled = frame["b"].iloc[::-1]
    result = fr.pairwise(frame, reference=shuffled, model="perm")
    assert result["reference", "b"].adjusted == 1.0
    frame["b"] = frame["b"].where(frame["b"] < 2)  # NaN, among floats
    kept = fr.pairwise(frame, missing="drop", model="perm")
    assert kept["a", "b"].n == 5
    twice = pd.DataFrame(LABELS[:, :2], columns=["a", "a"])
    with pytest.raises(fr.InputError, match="same name"):
        fr.pairwise(twice)


@pytest.mark.parametrize(
    ("matrix", "why"),
    [
        (SOFT, "rows that sum to 1"),
        (SOFT.astype(np.float32), "rows that sum to 1"),
        (np.eye(3)[LABELS[:, 0]], "rows that sum to 1"),
        (np.eye(3, dtype=int)[LABELS[:, 0]], "rows that sum to 1"),
        (3.0 * SOFT, "not integers"),
        (sparse.csr_array(SOFT), "sparse"),
    ],
)
@pytest.mark.parametrize("function", [fr.pairwise, fr.align])
def test_a_matrix_that_could_be_memberships_is_refused_with_both_ways_out(matrix, why, function):
    with pytest.raises(fr.InputError, match=why) as error:
        function(matrix)
    assert "20 rows and 3 columns" in str(error.value)
    assert "[u, v]" in str(error.value)
    assert ("list(x.toarray().T)" if why == "sparse" else "list(x.T)") in str(error.value)


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_frame_that_could_be_memberships_is_refused_with_both_ways_out(library):
    frames = pytest.importorskip(library)
    both = r"rows that sum to 1.*\[u, v\].*list\(x.to_numpy\(\).T\)"
    with pytest.raises(fr.InputError, match=both):
        fr.pairwise(frames.DataFrame(dict(zip("abc", SOFT.T, strict=True))))


def test_the_ways_out_work():
    both = fr.pairwise([SOFT, SOFT], model="perm")
    assert both["0", "1"].n == 20
    switched = np.column_stack([LABELS[:, 0] == 1, LABELS[:, 0] != 1]).astype(int)
    with pytest.raises(fr.InputError, match="rows that sum to 1"):
        fr.pairwise(switched)
    assert fr.pairwise(list(switched.T), model="perm")["0", "1"].adjusted == 1.0


def test_clusterings_in_rows_are_refused_with_both_ways_out():
    with pytest.raises(fr.InputError, match="4 rows and 20 columns") as error:
        fr.pairwise(LABELS.T)
    assert "list(x)" in str(error.value)
    assert "list(x.T)" in str(error.value)
    assert fr.pairwise(list(LABELS.T), model="perm").adjusted == pytest.approx(by_lists(LABELS))


def test_lists_dicts_and_stacks_stay_as_they_are():
    expected = by_lists(LABELS)
    assert fr.pairwise(LABELS.T.tolist(), model="perm").adjusted == pytest.approx(expected)
    assert fr.pairwise(iter(LABELS.T), model="perm").adjusted == pytest.approx(expected)
    stack = np.stack([SOFT, SOFT[::-1]])  # of two membership matrices
    assert fr.pairwise(stack, model="perm")["0", "1"].n == 20


@pytest.mark.parametrize("one", [LABELS[:, 0], LABELS[:, 0].tolist()])
def test_a_single_vector_is_no_list_of_clusterings(one):
    with pytest.raises(fr.InputError, match=r"one vector of labels.*\[a, b\]"):
        fr.pairwise(one)
    with pytest.raises(fr.InputError, match=r"one vector of labels.*\[a, b\]"):
        fr.align(one)


def test_dask_collections_have_columns_as_well():
    da = pytest.importorskip("dask.array")
    dd = pytest.importorskip("dask.dataframe")
    pd = pytest.importorskip("pandas")
    whole = da.from_array(LABELS, chunks=(10, 4))
    assert fr.pairwise(whole, model="perm").adjusted == pytest.approx(by_lists(LABELS))
    frame = dd.from_pandas(pd.DataFrame(LABELS, columns=list("abcd")), npartitions=2)
    result = fr.pairwise(frame, model="perm")
    assert result.columns == tuple("abcd")
    assert result.adjusted == pytest.approx(by_lists(LABELS))
    with pytest.raises(fr.InputError, match="could be the memberships"):
        fr.pairwise(da.from_array(SOFT, chunks=(10, 3)))
