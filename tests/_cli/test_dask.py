"""Large files on the command line, read a block at a time."""

import json

import numpy as np
import pytest

import fuzzyrand as fr

from ..cli_process import refused, run

pytest.importorskip("dask.dataframe")
pd = pytest.importorskip("pandas")
pytest.importorskip("pyarrow")


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("large")
    rng = np.random.default_rng(0)
    labels = rng.integers(3, size=400)
    soft = rng.standard_gamma(0.5 + 4.0 * np.eye(3)[labels])
    soft /= soft.sum(axis=1, keepdims=True)
    np.save(folder / "labels.npy", labels)
    np.save(folder / "soft.npy", soft)
    frame = pd.DataFrame(soft, columns=["p", "q", "r"])
    frame.insert(0, "label", np.array(["x", "y", "z"])[labels])
    frame.to_parquet(folder / "both.parquet", row_group_size=150)
    (folder / "parts").mkdir()
    frame.iloc[:100].to_parquet(folder / "parts" / "0.parquet")
    frame.iloc[100:].to_parquet(folder / "parts" / "1.parquet")
    # As dask calls an index without a name; and another one, which is left out as well.
    index, soft_frame = pd.Index([f"i{i}" for i in range(400)]), frame[["p", "q", "r"]]
    soft_frame.set_axis(index.rename("__null_dask_index__")).to_parquet(folder / "dask.parquet")
    soft_frame.set_axis(index.rename("cell")).to_parquet(folder / "cells.parquet")
    (folder / "labels.csv").write_text("label\n" + "".join(f"{x}\n" for x in labels))
    return folder, labels, soft


@pytest.mark.parametrize(
    ("first", "second", "options"),
    [
        ("labels.npy", "soft.npy", []),
        ("labels.npy", "both.parquet", ["--labels", "", "--labels", "", "--columns", "p,q,r"]),
        ("parts", "soft.npy", ["--labels", "label"]),
        ("labels.npy", "dask.parquet", []),
        ("labels.npy", "cells.parquet", []),
    ],
)
def test_the_same_as_in_memory(files, first, second, options):
    folder, labels, soft = files
    told = json.loads(run("compare", first, second, "--dask", "--json", *options, cwd=folder).out)
    expected = fr.compare(labels, soft)
    assert told["adjusted"] == pytest.approx(expected.adjusted, abs=1e-7)
    assert "block" in told["computed"]["observed"]
    assert [file["file"] for file in told["files"]] == [first, second]


def test_files_that_hold_both(files):
    folder, labels, soft = files
    options = ["--labels", "label", "--labels", "", "--columns", "", "--columns", "p,q,r"]
    ended = run("compare", "both.parquet", "parts", "--dask", *options, cwd=folder)
    assert f"adjusted NDC          {fr.compare(labels, soft).adjusted:.4f}   exact" in ended.out
    assert "labels in column label (Parquet, in blocks)" in ended.err


@pytest.mark.parametrize(
    ("arguments", "why", "code"),
    [
        (["labels.npy", "labels.csv"], "cannot be read a block at a time", 1),
        (["labels.npy", "soft.npy", "--test"], "--test needs whole files", 2),
        (["labels.npy", "soft.npy", "--html", "x.html"], "--html needs whole files", 2),
        (["labels.npy", "soft.npy", "--missing", "drop"], "--missing drop is not available", 1),
        (["labels.npy", "nothing.npy"], "there is no file nothing.npy", 1),
    ],
)
def test_refusals(files, arguments, why, code):
    assert why in refused("compare", *arguments, "--dask", cwd=files[0], code=code)


def test_points_without_a_label(files):
    folder, labels, _ = files
    np.save(folder / "holes.npy", np.where(labels == 0, np.nan, labels))
    said = refused("compare", "holes.npy", "soft.npy", "--dask", cwd=folder)
    assert "drop such points from both clusterings beforehand (--missing drop is not avail" in said


def test_npy_files_are_mapped_and_not_copied(files):
    from fuzzyrand._files.files import read_table
    from fuzzyrand._files.text_rows import TextOptions

    table = read_table(str(files[0] / "soft.npy"), TextOptions(None, None))
    assert isinstance(table.matrix, np.memmap)
    assert all(np.shares_memory(column, table.matrix) for column in table.columns)


# --- Zarr ----------------------------------------------------------------------------------------


def described(folder, name, **metadata):
    """A Zarr array without chunks, so that all of its entries are 0."""
    usual = {"zarr_format": 2, "shape": [4], "chunks": [4], "dtype": "<f8", "fill_value": 0,
             "order": "C", "compressor": None, "filters": None}  # fmt: skip
    (folder / name).mkdir()
    (folder / name / ".zarray").write_text(json.dumps({**usual, **metadata}))


PICKLED = {
    "filter": {"dtype": "|O", "filters": [{"id": "pickle", "protocol": 5}]},
    "compressor": {"compressor": {"id": "Pickle"}},
    "shard": {"codecs": [{"name": "sharding_indexed", "configuration": {
        "codecs": [{"name": "numcodecs.pickle"}]}}]},
}  # fmt: skip


@pytest.mark.parametrize("case", PICKLED)
def test_pickles_in_zarr_are_refused_without_zarr(tmp_path, case):
    """Before Zarr is imported, because old versions of it open them."""
    described(tmp_path, "evil.zarr", **PICKLED[case])
    if case == "shard":  # which came with the third version of the format
        (tmp_path / "evil.zarr" / ".zarray").rename(tmp_path / "evil.zarr" / "zarr.json")
    (tmp_path / "zarr.py").write_text("raise SystemExit('imported')")
    said = refused("compare", "evil.zarr", "evil.zarr", "--dask", cwd=tmp_path, path=tmp_path)
    assert said.startswith("evil.zarr holds Python objects (a pickle), which are never opened")


def test_an_old_zarr_is_told_which_is_needed(tmp_path):
    described(tmp_path, "soft.zarr", attributes={"name": "pickles of Vlasic"})
    (tmp_path / "zarr.py").write_text("raise ImportError('cannot import name x')")
    said = refused("compare", "soft.zarr", "soft.zarr", "--dask", cwd=tmp_path, path=tmp_path)
    assert 'reading it needs zarr 3 or newer: pip install "zarr>=3" (cannot import name x).' in said


@pytest.mark.parametrize("metadata", [b"", b"{", b"[" * 10**5, b"\xff", None])
def test_damaged_zarr(tmp_path, metadata):
    (tmp_path / "bad.zarr").mkdir()
    if metadata is not None:
        (tmp_path / "bad.zarr" / ".zarray").write_bytes(metadata)
    said = refused("compare", "bad.zarr", "bad.zarr", "--dask", cwd=tmp_path)
    assert said.startswith("bad.zarr is not a Zarr array")


def test_zarr_is_read_in_blocks(files):
    zarr = pytest.importorskip("zarr")
    folder, labels, soft = files
    zarr.save(str(folder / "soft.zarr"), soft)
    told = run("compare", "labels.npy", "soft.zarr", "--dask", "--model", "perm", "--json",
               cwd=folder)  # fmt: skip
    assert json.loads(told.out)["adjusted"] == pytest.approx(
        fr.compare(labels, soft, model="perm").adjusted, abs=1e-7
    )
    described(folder, "huge.zarr", shape=[10**12], chunks=[10**12])
    said = refused("compare", "huge.zarr", "huge.zarr", "--dask", cwd=folder)
    assert "huge.zarr has chunks of 8 TB, which are too large" in said


def test_an_archive_that_calls_itself_npy(files):
    folder, _, soft = files
    np.savez(folder / "soft.npz", u=soft)
    (folder / "soft.npz").rename(folder / "archive.npy")
    said = refused("compare", "archive.npy", "soft.npy", "--dask", cwd=folder)
    assert said.startswith("archive.npy is not an NPY file of plain numbers, or is damaged")


def test_directories_with_a_bad_file(files, tmp_path):
    """A later file that is damaged, damaged in a column, or has other columns than the first."""
    folder, labels, _ = files
    whole = (folder / "parts" / "1.parquet").read_bytes()
    torn = bytearray(whole)
    torn[4:200] = bytes(196)
    other = tmp_path / "other.parquet"
    pd.DataFrame({"x": labels[100:]}).to_parquet(other)
    for name, content, said in (
        ("cut", whole[:-20], "1.parquet is not a Parquet file, or is damaged"),
        ("torn", bytes(torn), "1.parquet is not a Parquet file, or is damaged"),
        ("other", other.read_bytes(), "1.parquet has no column 'label', which other files of the"),
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / "0.parquet").write_bytes((folder / "parts" / "0.parquet").read_bytes())
        (tmp_path / name / "1.parquet").write_bytes(content)
        asked = ("compare", name, folder / "soft.npy", "--dask", "--labels", "label")
        assert said in refused(*asked, "--model", "perm", cwd=tmp_path)
