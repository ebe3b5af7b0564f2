"""Points of two clusterings are matched by their ids where both have them, else by order."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fuzzyrand as fr
from fuzzyrand._clusterings.options import InputOptions
from fuzzyrand._clusterings.points.same_points import read_pair_in_memory

LABELS = np.array([0, 0, 1, 1, 2, 2, 2])
SOFT = np.array(
    [[0.7, 0.3], [0.2, 0.8], [0.5, 0.5], [1.0, 0.0], [0.1, 0.9], [0.4, 0.6], [0.25, 0.75]]
)
IDS = list("abcdefg")
SHUFFLED = [3, 0, 6, 1, 5, 2, 4]

INDEXES = {
    "text": IDS,
    "default": None,
    "numbers": [10, 20, 30, 40, 50, 60, 70],
    "dates": pd.date_range("2020-01-01", periods=7),
    "several levels": pd.MultiIndex.from_product([["x"], range(7)]),
}


def labels(index=None):
    return pd.Series(LABELS, index=index)


def soft(index=None):
    return pd.DataFrame(SOFT, columns=["p", "q"], index=index)


EXPECTED = fr.adjusted_similarity(LABELS, SOFT, model="perm")


@pytest.mark.parametrize("kind", INDEXES)
def test_shuffled_rows_are_matched(kind):
    series, frame = labels(INDEXES[kind]), soft(INDEXES[kind])
    for a, b in (
        (series, frame.iloc[SHUFFLED]),
        (series.iloc[SHUFFLED], frame),
        (fr.as_partition(series), fr.as_partition(frame.iloc[SHUFFLED])),
        (series, fr.Partition.from_memberships(frame.iloc[SHUFFLED])),
        (fr.Partition.from_labels(series.iloc[SHUFFLED]), frame),
    ):
        assert fr.adjusted_similarity(a, b, model="perm") == pytest.approx(EXPECTED, abs=1e-13)


@given(st.permutations(range(7)))
def test_every_order_is_matched(order):
    a, b = read_pair_in_memory(labels(IDS), soft(IDS).iloc[order], InputOptions())
    assert np.array_equal(a.codes, LABELS)
    assert np.array_equal(b.memberships, SOFT)
    assert list(b.ids) == IDS


def test_pairwise_matches_all_with_the_first():
    runs = {"a": soft(IDS), "b": labels(IDS).iloc[SHUFFLED], "c": LABELS}
    result = fr.pairwise(runs, model="perm")
    assert result["a", "b"].adjusted == pytest.approx(EXPECTED, abs=1e-13)
    assert result["b", "c"].adjusted == 1.0
    reference = labels(IDS).iloc[SHUFFLED]
    found = fr.pairwise({"a": soft(IDS)}, reference=reference, model="perm")
    assert found.adjusted[0, 0] == pytest.approx(EXPECTED, abs=1e-13)


#: Two indexes that do not hold the same ids, and how the message tells them apart.
DIFFERENT = {
    "text": (IDS, [*"abcdefh"], r"only the first has 'g', only the second has 'h'"),
    "numbers": (range(7), [0, 1, 2, 3, 4, 5, 9], r"only the first has 6, .* second has 9"),
    "part of a table": (range(7), range(1, 8), r"only the first has 0"),
    "disjoint": (IDS, list("ABCDEFG"), r"'a', 'b', 'c', 'd', 'e' and 2 more"),
    "repeated": (IDS, list("aabcdef"), r"ids of the second repeat"),
    "text and numbers": (IDS, [10, 20, 30, 40, 50, 60, 70], r"only the first has 'a'"),
}


@pytest.mark.parametrize("case", DIFFERENT)
def test_different_ids_are_refused(case):
    first, second, message = DIFFERENT[case]
    pattern = rf"different indexes: .*{message}.*x\.to_numpy\(\).*reset_index\(drop=True\)"
    with pytest.raises(fr.InputError, match=pattern):
        fr.compare(labels(list(first)), soft(list(second)))
    with pytest.raises(fr.InputError, match=pattern):
        fr.pairwise([labels(list(first)), soft(list(second))])
    assert fr.adjusted_similarity(
        labels(list(first)).to_numpy(), soft(list(second)), model="perm"
    ) == pytest.approx(EXPECTED, abs=1e-13)
    assert fr.adjusted_similarity(
        labels(list(first)).reset_index(drop=True),
        soft(list(second)).reset_index(drop=True),
        model="perm",
    ) == pytest.approx(EXPECTED, abs=1e-13)


@pytest.mark.parametrize("index", [IDS, INDEXES["dates"], INDEXES["several levels"]])
def test_row_numbers_are_no_ids_beside_texts(index):
    """``pd.Series(model.labels_)`` beside a frame with names."""
    for a, b in ((labels(), soft(index)), (labels(index), soft())):
        assert fr.adjusted_similarity(a, b, model="perm") == pytest.approx(EXPECTED, abs=1e-13)


def test_the_same_repeated_ids_go_by_order():
    index = list("aabbcde")
    assert fr.adjusted_similarity(labels(index), soft(index), model="perm") == pytest.approx(
        EXPECTED, abs=1e-13
    )


@pytest.mark.parametrize("other", [SOFT, SOFT.tolist(), pl.DataFrame(SOFT, schema=["p", "q"])])
def test_what_has_no_ids_goes_by_order(other):
    assert fr.as_partition(other).ids is None
    shuffled = labels(IDS).iloc[SHUFFLED]
    expected = fr.adjusted_similarity(LABELS[SHUFFLED], SOFT, model="perm")
    assert fr.adjusted_similarity(shuffled, other, model="perm") == pytest.approx(expected)


def test_ids_are_kept_and_show_nowhere():
    partition = fr.as_partition(labels(IDS))
    assert list(partition.ids) == IDS
    assert list(fr.as_partition(labels()).ids) == list(range(7))
    assert repr(partition) == repr(fr.as_partition(LABELS))
    assert list(pickle.loads(pickle.dumps(partition)).ids) == IDS


# --- matrices of clusters by points --------------------------------------------------------------

TRANSPOSED = {
    "array": SOFT.T,
    "list": SOFT.T.tolist(),
    "frame": pd.DataFrame(SOFT.T),
    "one-hot": np.eye(3)[:, LABELS],
    # As gensim's corpus2dense, which leaves out what is below 0.01.
    "cut off": np.where(SOFT.T < 0.15, 0.0, SOFT.T) * 0.99,
}


@pytest.mark.parametrize("options", [{}, {"normalize": True}, {"possibilistic": True}])
@pytest.mark.parametrize("form", TRANSPOSED)
def test_clusters_by_points_are_refused(form, options):
    matrix = TRANSPOSED[form]
    rows = len(matrix)
    pattern = rf"has {rows} rows and 7 columns where .* has 7 points: it looks transposed.*u\.T"
    for pair in ((LABELS, matrix), (matrix, LABELS), (SOFT, matrix)):
        if rows == 2 and pair[0] is SOFT:
            pattern = "looks transposed"
        with pytest.raises(fr.InputError, match=pattern):
            fr.compare(*pair, **options)
    with pytest.raises(fr.InputError, match="looks transposed"):
        fr.pairwise([LABELS, matrix], **options)


def test_two_matrices_of_clusters_by_points_are_refused():
    """By their sums, as nothing else tells."""
    u = np.random.default_rng(0).dirichlet(np.ones(3), 40).T
    for matrix in (u, 0.99 * u):
        for options in ({}, {"normalize": True}):
            with pytest.raises(fr.InputError, match=r"it looks transposed.*u\.T"):
                fr.compare(matrix, matrix, **options)
            with pytest.raises(fr.InputError, match=r"it looks transposed.*u\.T"):
                fr.as_partition(matrix, **options)


def test_as_many_clusters_as_points_are_no_sign():
    square = np.random.default_rng(0).dirichlet(np.ones(7), 7)
    assert fr.compare(LABELS, square, model="perm").n == 7


# --- objects that are no clustering --------------------------------------------------------------


class AnnData:
    """Has a shape, and is no matrix."""

    shape, n_obs, obs, var = (7, 3), 7, None, None


class Mixture:
    """A fitted model."""

    def fit(self, x):
        """Fit."""

    def predict(self, x):
        """Label."""

    def predict_proba(self, x):
        """Return memberships."""


class Density:
    """A fitted model that only labels what it was fitted to."""

    labels_ = LABELS

    def fit(self, x):
        """Fit."""

    def fit_predict(self, x):
        """Label."""


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (AnnData(), r'is an AnnData; expected .*adata\.obs\["leiden"\].*adata\.obsm\['),
        (Mixture(), r"is a Mixture; expected .*model\.predict_proba\(X\)"),
        (Density(), r"is a Density; expected .*model\.labels_"),
    ],
)
def test_what_to_pass_instead(data, message):
    for read in (fr.as_partition, fr.Partition.from_labels, fr.Partition.from_memberships):
        with pytest.raises(fr.InputError, match=message):
            read(data)
    with pytest.raises(fr.InputError, match=message):
        fr.compare(LABELS, data)


def test_columns_called_like_methods_are_columns():
    frame = pd.DataFrame(SOFT, columns=["fit", "predict"])
    assert fr.as_partition(frame).kind == "fuzzy"
    frame = pd.DataFrame(SOFT, columns=["obs", "n_obs"])
    assert fr.as_partition(frame).kind == "fuzzy"


# --- fields of errors ----------------------------------------------------------------------------


def test_errors_know_the_place_and_the_value():
    with pytest.raises(fr.InputError) as caught:
        fr.compare(LABELS, np.where(SOFT == 0.1, -0.1, SOFT))
    error = caught.value
    assert (error.source, error.row, error.column) == ("second clustering", 4, 0)
    assert error.value == -0.1
    with pytest.raises(fr.InputError) as caught:
        fr.as_partition(["a", None, "b"])
    assert (caught.value.row, caught.value.column) == (1, None)
    copy = pickle.loads(pickle.dumps(caught.value))
    assert str(copy) == str(caught.value)
