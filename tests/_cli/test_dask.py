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
    assert f"adjusted              {fr.compare(labels, soft).adjusted:.4f}   exact" in ended.out
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
    from fuzzyrand._io.files import read_table
    from fuzzyrand._io.text_rows import TextOptions

    table = read_table(str(files[0] / "soft.npy"), TextOptions(None, None))
    assert isinstance(table.matrix, np.memmap)
    assert all(np.shares_memory(column, table.matrix) for column in table.columns)
