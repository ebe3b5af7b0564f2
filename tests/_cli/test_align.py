"""``fuzzyrand align``: many files in a common order."""

import csv
import json

import pytest

import fuzzyrand as fr

from ..cli_process import refused, run

RUNS = {
    "two": [0, 0, 0, 0, 1, 1],
    "three": [2, 2, 2, 0, 1, 1],
    "again": [0, 0, 0, 1, 2, 2],
}
SOFT = [[0.1, 0.9], [0.2, 0.8], [0.3, 0.7], [0.4, 0.6], [0.9, 0.1], [1.0, 0.0]]


@pytest.fixture
def here(tmp_path):
    for name, labels in RUNS.items():
        (tmp_path / f"{name}.csv").write_text("\n".join(["label", *map(str, labels)]) + "\n")
    rows = "\n".join(",".join(map(str, row)) for row in SOFT)
    (tmp_path / "soft.csv").write_text(f"p,q\n{rows}\n")
    return tmp_path


FILES = [f"{name}.csv" for name in RUNS]


def rows_of(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def test_text_and_json_are_those_of_the_library(here):
    alignment = fr.align({**RUNS, "soft": SOFT})
    ended = run("align", *FILES, "soft.csv", "--quiet", cwd=here)
    assert ended.code == 0, ended.err
    assert ended.out == f"{alignment}\n"
    told = json.loads(run("align", *FILES, "soft.csv", "--json", "--quiet", cwd=here).out)
    assert told["order"] == {name: list(order) for name, order in alignment.order.items()}
    assert [file["file"] for file in told["files"]] == [*FILES, "soft.csv"]


def test_files_in_the_common_order(here):
    asked = ("align", *FILES, "soft.csv", "--reference", "two.csv", "--out", "aligned", "--quiet")
    assert run(*asked, cwd=here).code == 0
    alignment = fr.align({**RUNS, "soft": SOFT}, reference="two")
    for name in RUNS:
        labels = [row[0] for row in rows_of(here / "aligned" / f"{name}.csv")[1:]]
        assert labels == [alignment.names[c] for c in alignment.labels[name]]
    header, *rows = rows_of(here / "aligned" / "soft.csv")
    own = sorted(alignment.order["soft"])
    assert header == [alignment.names[column] for column in own]
    assert [[float(x) for x in row] for row in rows] == alignment.runs["soft"][:, own].tolist()
    assert run(*asked, cwd=here).code == 0  # the folder is there now


def test_a_picture(here):
    ended = run("align", *FILES, "--plot", "runs.png", "--quiet", cwd=here)
    assert ended.code == 0, ended.err
    assert (here / "runs.png").read_bytes()[:4] == b"\x89PNG"


def test_refusals(here):
    assert "at least two files" in refused("align", "two.csv", code=2, cwd=here)
    said = refused("align", *FILES, "--reference", "soft.csv", code=2, cwd=here)
    assert said.startswith("--reference soft.csv is none of the files")
    said = refused("align", *FILES, "--out", ".", cwd=here)
    assert "is one of the files to read" in said
    assert "not a directory" in refused("align", *FILES, "--out", "soft.csv", cwd=here)
    assert "there is no directory" in refused("align", *FILES, "--out", "no/where", cwd=here)
    said = refused("align", *FILES, "--out", "aligned.csv", code=2, cwd=here)
    assert said.startswith("--out aligned.csv looks like a file; name a directory")
    said = refused("align", *FILES, "--plot", "runs.txt", code=2, cwd=here)
    assert "must end in .png" in said
    assert not (here / "runs.txt").exists()
