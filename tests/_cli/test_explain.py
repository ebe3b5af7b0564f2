"""``fuzzyrand explain``."""

import csv
import json

import pytest

import fuzzyrand as fr

from ..cli_process import refused, run
from ..reports import Outline, Tables

A, B = list("aaabbbcc"), list("xxyyyyzz")


@pytest.fixture
def folder(tmp_path):
    for name, labels in (("a.csv", A), ("b.csv", B)):
        (tmp_path / name).write_text("\n".join(["label", *labels]) + "\n", encoding="utf-8")
    return tmp_path


def test_text_is_that_of_the_library(folder):
    ended = run("explain", "a.csv", "b.csv", "--model", "perm", "--quiet", cwd=folder)
    assert ended.code == 0, ended.err
    assert ended.out == f"{fr.explain(A, B, model='perm')}\n"


def test_json(folder):
    ended = run("explain", "a.csv", "b.csv", "--model", "perm", "--json", cwd=folder)
    told = json.loads(ended.out)
    result = fr.explain(A, B, model="perm")
    assert told["points"] == pytest.approx(result.points.tolist())
    assert told["wallace"]["first"]["observed"] == result.wallace.first.observed
    assert len(told["files"]) == 2


def test_tables(folder):
    ended = run("explain", "a.csv", "b.csv", "--points", "p.csv", "--clusters", "c.csv", cwd=folder)
    assert ended.code == 0, ended.err
    with (folder / "p.csv").open(encoding="utf-8", newline="") as file:
        points = list(csv.DictReader(file))
    result = fr.explain(A, B)
    assert [float(row["score"]) for row in points] == result.points.tolist()
    assert [row["first"] for row in points] == A
    with (folder / "c.csv").open(encoding="utf-8", newline="") as file:
        clusters = list(csv.DictReader(file))
    assert [row["cluster"] for row in clusters] == ["a", "b", "c", "x", "y", "z"]


def test_refusals(folder):
    said = refused("explain", "a.csv", "b.csv", "--points", "a.csv", cwd=folder)
    assert "is one of the files to read" in said
    said = refused("explain", "a.csv", "b.csv", "--index", "frobenius", cwd=folder)
    assert "not a mean over points" in said
    refused("explain", "a.csv", "b.csv", "--model", "every", code=2, cwd=folder)


def test_a_page_of_its_own(folder):
    ended = run("explain", "a.csv", "b.csv", "--model", "perm", "--html", "e.html", cwd=folder)
    assert ended.code == 0, ended.err
    html = (folder / "e.html").read_text(encoding="utf-8")
    result = fr.explain(A, B, model="perm")
    (overlap,) = Tables(html).of("overlap")
    assert overlap[0] == ["cluster", "x", "y", "z", "all"]
    assert [row[1:4] for row in overlap[1:4]] == [
        [f"{amount:.0f}" for amount in row] for row in result.overlap.tolist()
    ]
    text = " ".join(Outline(html).text.split())
    assert "Where do a.csv and b.csv disagree?" in text
    assert result.wallace.sentence in text
    assert "fuzzyrand explain a.csv b.csv --model perm --html e.html" in text
    said = refused("explain", "a.csv", "b.csv", "--html", "b.csv", cwd=folder)
    assert "is one of the files to read" in said
