"""Parquet and Feather files: the labels, ids and indexes that programs store in them."""

import json
from decimal import Decimal

import pytest

import fuzzyrand as fr
from fuzzyrand._files.column_choice import ReadingOptions
from fuzzyrand._files.readings import read_clusterings

pa = pytest.importorskip("pyarrow")
feather = pytest.importorskip("pyarrow.feather")
parquet = pytest.importorskip("pyarrow.parquet")

LARGE = [2**60, 2**60 + 1, 2**60, 2**60 + 1]


def read(path, **options):
    (reading,) = read_clusterings([str(path)], ReadingOptions(**options))
    return reading.partition


@pytest.mark.parametrize("kind", [pa.int64(), pa.uint64(), pa.decimal128(20, 0), pa.string()])
def test_large_whole_numbers_stay_apart(tmp_path, kind):
    """With a null among them, and without; Arrow would make floats of these."""
    values = [Decimal(value) if pa.types.is_decimal(kind) else value for value in LARGE]
    values = [str(value) for value in values] if kind == pa.string() else values
    for entries, rows in ((values, 4), ([*values, None], 5)):
        parquet.write_table(pa.table({"label": pa.array(entries, kind)}), tmp_path / "a.parquet")
        found = read(tmp_path / "a.parquet", missing=None if rows == 4 else "drop")
        assert (found.n, found.k) == (rows, 2)
        assert list(found.names) == [str(2**60), str(2**60 + 1)]


def test_small_whole_numbers_are_numbers(tmp_path):
    columns = {
        "nulls": pa.array([1, None, 0]),
        "decimals": pa.array([Decimal("0"), Decimal("1"), Decimal("0")], pa.decimal128(20, 0)),
    }
    parquet.write_table(pa.table(columns), tmp_path / "a.parquet")
    assert list(read(tmp_path / "a.parquet", labels=("nulls",), missing="drop").names) == ["0", "1"]
    assert list(read(tmp_path / "a.parquet", labels=("decimals",)).names) == ["0", "1"]


# --- the index that pandas stored -----------------------------------------------------------------

pd = pytest.importorskip("pandas")

LABELS = [0, 0, 1, 1, 2, 2, 2, 0]


def adjusted(*paths, **options):
    a, b = (
        r.partition for r in read_clusterings([str(p) for p in paths], ReadingOptions(**options))
    )
    return fr.adjusted_similarity(a.codes, b.codes, model="perm")


def shuffled(frame):
    return frame.sample(frac=1.0, random_state=1)


INDEXES = {
    "counted": pd.RangeIndex(8),
    "from 5": pd.RangeIndex(5, 13),
    "in steps": pd.RangeIndex(0, 16, 2),
    "numbers": pd.Index([7, 3, 9, 1, 8, 2, 11, 4]),
    "texts": pd.Index(list("hgfedcba")),
    "named": pd.Index(list("hgfedcba"), name="cell"),
    "dates": pd.date_range("2020-01-01", periods=8),
    "levels": pd.MultiIndex.from_product([["x", "y"], [1, 2, 3, 4]], names=["plot", "tree"]),
}


@pytest.mark.parametrize("suffix", [".parquet", ".feather"])
@pytest.mark.parametrize("index", INDEXES)
def test_points_are_matched_by_the_index_of_pandas(tmp_path, index, suffix):
    """As the library does with the frames themselves; only the order differs."""
    frame = pd.DataFrame({"label": LABELS}, index=INDEXES[index])
    paths = [tmp_path / f"{name}{suffix}" for name in ("a", "b")]
    for path, rows in zip(paths, (frame, shuffled(frame)), strict=True):
        if suffix == ".parquet":
            rows.to_parquet(path)
        else:
            feather.write_feather(rows, str(path))
    assert fr.adjusted_similarity(frame["label"], shuffled(frame)["label"], model="perm") == 1.0
    assert adjusted(*paths) == 1.0
    by_order = fr.adjusted_similarity(LABELS, shuffled(frame)["label"].to_numpy(), model="perm")
    assert adjusted(*paths, id=("",)) == pytest.approx(by_order)


def test_an_index_has_a_name_for_the_option(tmp_path):
    frame = pd.DataFrame({"label": LABELS}, index=INDEXES["named"])
    shuffled(frame).to_parquet(tmp_path / "a.parquet")
    frame.reset_index().to_csv(tmp_path / "b.csv", index=False)
    assert adjusted(tmp_path / "a.parquet", tmp_path / "b.csv", id=("cell",)) == 1.0
    shuffled(frame.rename_axis(None)).to_parquet(tmp_path / "c.parquet")
    for name in ("index", "cell"):  # which only the other file has
        paths = (tmp_path / "c.parquet", tmp_path / "b.csv")
        assert adjusted(*paths, id=(name, "cell")) == 1.0
    with pytest.raises(
        fr.InputError, match=r"a\.parquet has no column 'cel'\. Did you mean 'cell'"
    ):
        adjusted(tmp_path / "a.parquet", tmp_path / "b.csv", id=("cel", "cell"))


def test_other_indexes_are_refused(tmp_path):
    frame = pd.DataFrame({"label": LABELS})
    frame.to_parquet(tmp_path / "a.parquet")
    frame.set_axis(range(1, 9)).to_parquet(tmp_path / "b.parquet")
    with pytest.raises(fr.InputError) as caught:
        adjusted(tmp_path / "a.parquet", tmp_path / "b.parquet")
    assert str(caught.value).startswith("the rows of")
    assert "only the first has 0, only the second has 8" in str(caught.value)
    assert adjusted(tmp_path / "a.parquet", tmp_path / "b.parquet", id=("",)) == 1.0
    # Row numbers cannot be the same ids as texts, and what repeats is no id.
    frame.set_axis(list("abcdefgh")).to_parquet(tmp_path / "c.parquet")
    frame.set_axis([0, 1, 2, 3] * 2).to_parquet(tmp_path / "d.parquet")
    for other in ("c.parquet", "d.parquet"):
        assert adjusted(tmp_path / "a.parquet", tmp_path / other) == 1.0
        assert adjusted(tmp_path / other, tmp_path / "a.parquet") == 1.0


def test_a_third_file_without_ids_does_not_undo_the_order_of_the_others(tmp_path):
    frame = pd.DataFrame({"label": LABELS}, index=INDEXES["texts"])
    frame.to_parquet(tmp_path / "a.parquet")
    shuffled(frame).to_parquet(tmp_path / "b.parquet")
    (tmp_path / "c.csv").write_text("label\n" + "".join(f"{label}\n" for label in LABELS))
    paths = [str(tmp_path / name) for name in ("a.parquet", "b.parquet", "c.csv")]
    for some in (paths, paths[::-1]):
        with pytest.raises(fr.InputError, match=r"c\.csv has no ids"):
            read_clusterings(some, ReadingOptions())


def test_an_index_that_no_longer_fits_is_no_index(tmp_path):
    """Arrow keeps what pandas wrote about the index when rows are filtered."""
    table = pa.Table.from_pandas(pd.DataFrame({"label": LABELS}, index=pd.RangeIndex(3, 11)))
    parquet.write_table(table.slice(2, 6), tmp_path / "a.parquet")
    parquet.write_table(pa.table({"label": LABELS[2:]}), tmp_path / "b.parquet")
    for first, second in (("a", "b"), ("b", "a"), ("a", "a")):
        assert adjusted(tmp_path / f"{first}.parquet", tmp_path / f"{second}.parquet") == 1.0


@pytest.mark.parametrize(
    "index",
    [
        {"kind": "range", "name": None, "start": 0, "stop": 2**70, "step": 2**67},
        {"kind": "range", "name": None, "start": 0, "stop": 8, "step": 0},
        {"kind": "range", "name": None, "start": "a", "stop": 8, "step": 1},
        {"kind": "range"},
        "nothing",
        None,
    ],
)
def test_what_pandas_did_not_write_is_no_index(tmp_path, index):
    metadata = {b"pandas": json.dumps({"index_columns": [index]}).encode()}
    table = pa.table({"label": LABELS}).replace_schema_metadata(metadata)
    parquet.write_table(table, tmp_path / "a.parquet")
    assert read(tmp_path / "a.parquet").n == 8
    parquet.write_table(table.replace_schema_metadata({b"pandas": b"{"}), tmp_path / "a.parquet")
    assert read(tmp_path / "a.parquet").n == 8


def test_codes_of_a_dictionary_of_views(tmp_path):
    """As polars writes its enumerations."""
    if not hasattr(pa, "string_view"):
        pytest.skip("needs pyarrow 16")
    codes = pa.array([i % 3 for i in range(8)], type=pa.uint8())
    texts = pa.array(["a", "b", "c"]).cast(pa.string_view())
    table = pa.table({"label": pa.DictionaryArray.from_arrays(codes, texts)})
    with pa.ipc.new_file(tmp_path / "a.arrow", table.schema) as file:
        file.write_table(table)
    assert read(tmp_path / "a.arrow").codes.tolist() == codes.to_pylist()


@pytest.mark.parametrize("hours", [24, 7])
def test_dates_are_written_as_in_text_files(tmp_path, hours):
    dates = pd.date_range("2020-01-01", periods=8, freq=f"{hours}h")
    frame = pd.DataFrame({"label": LABELS}, index=dates)
    frame.to_parquet(tmp_path / "a.parquet")
    shuffled(frame).to_csv(tmp_path / "b.csv")
    assert adjusted(tmp_path / "a.parquet", tmp_path / "b.csv") == 1.0
