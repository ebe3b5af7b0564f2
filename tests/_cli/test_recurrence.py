"""``fuzzyrand recurrence``: which clusters come back in many files."""

import csv
import json

import numpy as np
import pytest

import fuzzyrand as fr

from ..cli_process import refused, run

TWO = [0, 0, 0, 0, 0, 1, 1, 1, 1, 1]
THREE = [2, 2, 2, 2, 2, 1, 1, 1, 0, 0]
RUNS = {"a": TWO, "b": THREE, "c": TWO, "d": THREE, "e": TWO}
FILES = [f"{name}.csv" for name in RUNS]


@pytest.fixture
def here(tmp_path):
    for name, labels in RUNS.items():
        (tmp_path / f"{name}.csv").write_text("\n".join(["label", *map(str, labels)]) + "\n")
    for name, left_out in (("f", 0), ("g", 9)):
        rows = [f"p{i},{label}" for i, label in enumerate(THREE) if i != left_out]
        (tmp_path / f"{name}.csv").write_text("\n".join(["id,label", *rows[::-1]]) + "\n")
    return tmp_path


def rows_of(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def test_text_json_and_csv_are_those_of_the_library(here):
    result = fr.recurrence(RUNS)
    ended = run("recurrence", *FILES, "--quiet", cwd=here)
    assert ended.code == 0, ended.err
    assert ended.out == f"{result.text(100)}\n"
    told = json.loads(run("recurrence", *FILES, "--json", "--quiet", cwd=here).out)
    assert [file["file"] for file in told.pop("files")] == FILES
    assert told == json.loads(json.dumps(result.to_dict()))
    table = run("recurrence", *FILES, "--csv", "--quiet", cwd=here).out.splitlines()
    assert table[0].split(",") == list(result.columns())
    assert len(table) == 1 + len(result.families)


def test_files_that_are_written(here):
    result = fr.recurrence(RUNS)
    tables = {what: f"{what}.csv" for what in ("families", "clusters", "points", "runs")}
    written = [word for what, path in tables.items() for word in (f"--{what}", f"out-{path}")]
    ended = run(
        "recurrence", *FILES, "--quiet", "--html", "page.html", "--plot", "bands.png",
        "--consensus", "consensus.csv", *written, cwd=here,
    )  # fmt: skip
    assert ended.code == 0, ended.err
    for what, path in tables.items():
        header, *rows = rows_of(here / f"out-{path}")
        columns = result.columns(what)
        assert header == list(columns)
        assert len(rows) == len(next(iter(columns.values())))
    assert (here / "bands.png").read_bytes()[:4] == b"\x89PNG"
    assert "Which clusters recur in 5 runs?" in (here / "page.html").read_text("utf-8")
    consensus = np.array(rows_of(here / "consensus.csv")[1:], dtype=float)
    np.testing.assert_allclose(consensus, result.consensus.rows.dense)


def test_points_may_differ_if_all_files_have_ids(here):
    ended = run("recurrence", "f.csv", "g.csv", "--id", "id", "--json", "--quiet", cwd=here)
    assert ended.code == 0, ended.err
    told = json.loads(ended.out)
    assert told["n"] == 10
    assert sorted(told["points"]["point"]) == [f"p{i}" for i in range(10)]
    assert [family["share"] for family in told["families"]] == [1.0] * 3
    said = refused("recurrence", "a.csv", "g.csv", "--quiet", cwd=here)
    assert "has 10 points" in said


def test_refusals(here):
    assert "at least two files" in refused("recurrence", "a.csv", code=2, cwd=here)
    said = refused("recurrence", *FILES, "--alike", "90", code=2, cwd=here)
    assert said.startswith("--alike must be an adjusted index")
    ended = run("recurrence", *FILES, "--draws", "3", cwd=here)
    assert ended.code == 2
    assert "at least 19" in ended.err
