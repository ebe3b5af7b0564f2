"""Labels in every form that users have them in."""

from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import adjusted_rand_score

import fuzzyrand as fr
from fuzzyrand._clusterings.reading.labels import encode_labels

from ..clusterings import LABELS, PEOPLE, SOFT

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
    "strings": PEOPLE,
    "string array": np.array(PEOPLE),
    "objects": np.array(PEOPLE, dtype=object),
    "mixed": [{2: "x", 0: 7, 1: ("a", 1)}[x] for x in LABELS],
    "one and its string": [{2: 1, 0: "1", 1: 2.0}[x] for x in LABELS],
    "tuples of strings": [("a", str(x)) for x in LABELS],
    "datetimes": np.datetime64("2020-01-01") + np.array(LABELS),
    "series": pd.Series(LABELS, index=list("gfedcba")),
    "string series": pd.Series(PEOPLE),
    "categorical": pd.Categorical(PEOPLE, categories=["zoe", "cy", "bob", "ann"]),
    "categorical series": pd.Series(PEOPLE, dtype="category"),
    "nullable": pd.Series(LABELS, dtype="Int64"),
    "polars": pl.Series(PEOPLE),
    "polars categorical": pl.Series(PEOPLE, dtype=pl.Categorical),
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
    "dummies": pd.get_dummies(pd.Series(PEOPLE)),
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


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint64])
def test_narrow_integers_do_not_wrap(dtype):
    low, high = max(np.iinfo(dtype).min, -200), min(np.iinfo(dtype).max, 200)
    wide = np.arange(low, high + 1)
    labels = wide.astype(dtype)
    assert fr.as_partition(labels).k == labels.size
    shuffled = np.random.default_rng(0).permutation(np.repeat(wide, 3))
    other = np.repeat(wide, 3) // 2
    ours = fr.adjusted_similarity(shuffled.astype(dtype), other, model="perm")
    assert ours == pytest.approx(adjusted_rand_score(shuffled, other), abs=1e-12)


@given(
    st.sampled_from([np.int8, np.uint8, np.int16, np.int32, np.uint32, np.int64, np.uint64]),
    st.integers(0, 100),
    st.lists(st.integers(0, 20), min_size=2, max_size=40),
)
def test_codes_of_labels_of_any_type(dtype, low, labels):
    array = np.array(labels).astype(dtype) + np.array(low, dtype=dtype)
    codes, different = encode_labels(array, "labels")
    assert [different[code] for code in codes] == [label + low for label in labels]
    assert [int(label) for label in different] == sorted({label + low for label in labels})


def test_labels_that_count_from_0_are_not_copied():
    for dtype in (bool, np.int8, np.uint8, np.int16, np.uint32, np.int64):
        labels = (np.arange(100) % 2).astype(dtype)
        assert np.shares_memory(encode_labels(labels, "labels")[0], labels)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8])
def test_all_that_narrow_labels_can_hold(dtype):
    k = np.iinfo(dtype).max + 1  # more clusters than the largest label
    rng = np.random.default_rng(3)
    wide = np.concatenate([np.arange(k), rng.integers(k, size=k)])
    other, soft = rng.integers(3, size=2 * k), rng.dirichlet(np.ones(3), 2 * k)
    narrow = wide.astype(dtype)
    for second in (other, soft, narrow):
        ours, expected = (
            fr.explain(labels, second, model="perm", noise=0) for labels in (narrow, wide)
        )
        assert ours.adjusted == expected.adjusted
        assert ours.points.tolist() == expected.points.tolist()
        assert ours.overlap.tolist() == expected.overlap.tolist()
        assert ours.wallace.first.adjusted == expected.wallace.first.adjusted
    for noise_as in ("cluster", "singletons", "drop"):
        ours, expected = (
            [
                fr.compare(labels, soft, model="cat", fixed="second", noise=0, noise_as=noise_as),
                fr.confidence_interval(labels, other, model="cat", noise=0, noise_as=noise_as),
                fr.significance(labels, other, noise=0, noise_as=noise_as),
            ]
            for labels in (narrow, wide)
        )
        assert ours[0].adjusted == expected[0].adjusted
        assert (ours[1].low, ours[1].high) == (expected[1].low, expected[1].high)
        assert ours[2].pvalue == expected[2].pvalue
    ours, expected = (fr.match(other, labels) for labels in (narrow, wide))
    assert ours.relabel().tolist() == expected.relabel().tolist()
    ours, expected = (fr.align([labels, soft]) for labels in (narrow, wide))
    for name in expected.runs:
        assert ours.labels[name].tolist() == expected.labels[name].tolist()
        assert ours.runs[name].tolist() == expected.runs[name].tolist()
    missing = np.ma.masked_array(narrow, mask=np.arange(2 * k) == 2 * k - 1)
    assert fr.as_partition(missing, missing="noise").codes.tolist() == [*wide[:-1], k]


def test_fractions_of_any_type_are_no_labels():
    soft = [0.3, 0.7, 0.5]
    for labels in (
        [np.float32(x) for x in soft],
        [Decimal(str(x)) for x in soft],
        pd.Series(soft, dtype=object),
    ):
        with pytest.raises(fr.InputError, match="one column of memberships"):
            fr.as_partition(labels)
    rows = [tuple(row) for row in np.float32([[0.25, 0.75], [0.5, 0.5], [1.0, 0.0]])]
    assert fr.as_partition(rows).kind == "fuzzy"
    assert fr.as_partition(pd.Series(soft).astype("category")).k == 3


def test_large_integers_in_lists_stay_apart():
    assert fr.as_partition([2**63, 2**63 + 1, -1, 2**63]).k == 3
    assert fr.as_partition([2**60, 2**60 + 1, 1.0]).k == 3


LARGE = [2**60, 2**60 + 1, None, 2**60, 2**60 + 1]


@pytest.mark.parametrize(
    "labels",
    [
        pd.Series(LARGE, dtype="Int64"),
        pd.array(LARGE, dtype="Int64"),
        pd.Series(LARGE, dtype=pd.ArrowDtype(pa.int64())),
        pd.Categorical(LARGE),
        pd.Series(pd.Categorical(LARGE)),
        pa.array(LARGE),
        pa.array(LARGE).dictionary_encode(),
        pa.chunked_array([LARGE[:3], LARGE[3:]]),
        pl.Series(LARGE),
    ],
    ids=lambda labels: f"{type(labels).__module__}.{type(labels).__name__}",
)
def test_large_integers_stay_apart_where_others_are_missing(labels):
    assert fr.as_partition(labels, missing="drop").k == 2
    assert fr.as_partition(labels, missing="noise").k == 3
    other = [0, 1, 0, 0, 1]
    assert fr.adjusted_similarity(labels, other, model="perm", missing="drop") == 1.0


@pytest.mark.parametrize(("dtype", "digits"), [(np.float64, 53), (np.float32, 24)])
def test_floats_that_may_be_several_integers_are_no_labels(dtype, digits):
    """pandas makes floats of integers where some are missing, and large ones then merge."""
    exact = np.array([2**digits - 1, 2**digits - 2, np.nan], dtype=dtype)
    assert fr.as_partition(exact, missing="drop").k == 2
    merged = np.array([0, 2**digits, 2**digits + 1, np.nan], dtype=dtype)
    with pytest.raises(fr.InputError, match=rf"point 1 .* Whole numbers from 2\*\*{digits} on"):
        fr.as_partition(merged, missing="drop")


def test_durations_are_labels():
    durations = np.array([1, 1, 2, 2], dtype="m8[s]")
    assert str(fr.compare([0, 0, 1, 1], durations)).startswith("Two clusterings of 4 points")


def test_missing_integers_of_r_are_missing():
    labels = np.array([0, 1, -(2**31), 1, 0], dtype=np.int32)
    with pytest.raises(fr.InputError, match=r"point 2 .*has no label \(1 missing in all\)"):
        fr.compare(labels, [0, 1, 1, 1, 0])
    dropped = fr.compare(labels, [0, 1, 1, 1, 0], missing="drop")
    assert (dropped.n, dropped.adjusted) == (4, 1.0)
    assert fr.compare(labels.astype(np.int64), labels.astype(np.int64)).n == 5
