"""``--common``: files of partly different points, matched by ids."""

import json

import pytest

import fuzzyrand as fr

from ..cli_process import refused, run

FIRST = {"s1": "a", "s2": "a", "s3": "b", "s4": "b", "s5": "c"}
SECOND = {"s4": "x", "s3": "y", "s2": "x", "s1": "x", "s9": "y", "s8": "y"}


@pytest.fixture
def here(tmp_path):
    for name, labels in (("a", FIRST), ("b", SECOND)):
        lines = "".join(f"{key},{label}\n" for key, label in labels.items())
        (tmp_path / f"{name}.csv").write_text("sample,group\n" + lines)
        (tmp_path / f"{name}.names").write_text("\n".join(labels) + "\n")
        (tmp_path / f"{name}.txt").write_text("label\n" + "\n".join(labels.values()) + "\n")
    return tmp_path


def test_points_are_matched_by_a_column_of_ids_or_by_names(here):
    expected = fr.compare(FIRST, SECOND, points="common")
    for files in (
        ["a.csv", "b.csv", "--id", "sample"],
        ["a.txt", "b.txt", "--names", "a.names", "--names", "b.names"],
    ):
        told = json.loads(run("compare", *files, "--common", "--json", cwd=here).out)
        assert told["left_out"] == [1, 2]
        assert told["adjusted"] == expected.adjusted
    ended = run("compare", "a.csv", "b.csv", "--id", "sample", "--common", "--quiet", cwd=here)
    assert "1 point of the first, 2 of the second" in ended.out
    assert "fuzzyrand explain shows the share of each." in " ".join(ended.out.split())


@pytest.mark.parametrize("command", ["pairwise", "align", "match", "explain", "advise"])
def test_every_command_takes_it(here, command):
    files = ["a.csv", "b.csv", "--id", "sample"]
    ended = run(command, *files, "--common", "--json", "--quiet", cwd=here)
    assert ended.code == 0, ended.err
    assert '"left_out"' in ended.out
    assert "--common compares these" in refused(command, *files, cwd=here)


def test_explain_also_writes_points(here):
    files = ["a.csv", "b.csv", "--id", "sample", "--common", "--points", "points.csv"]
    run("explain", *files, "--html", "page.html", cwd=here)
    assert (here / "points.csv").read_text().count("\n") == 5
    assert "Which clusters lost points" in (here / "page.html").read_text()


def test_refusals(here):
    assert "and a.txt has none. --id COLUMN names" in refused(
        "compare", "a.txt", "b.txt", "--common", cwd=here
    )
    assert "--id COLUMN (or --names FILE, for files of names) matches" in refused(
        "compare", "a.txt", "b.txt", cwd=here
    )
    assert "with --dask, points cannot be matched by ids" in refused(
        "compare", "a.csv", "b.csv", "--common", "--dask", cwd=here, code=2
    )
