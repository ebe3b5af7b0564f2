"""``fuzzyrand compare --table``: a contingency table in place of two files."""

import json

import numpy as np
import pytest
import scipy.sparse as sp

import fuzzyrand as fr

from ..cli_process import refused, run

COUNTS = [[10, 2, 0], [1, 12, 3]]
#: The same table in many ways, with the options that it needs.
SPELLINGS = {
    "bare": ("10,2,0\n1,12,3\n", []),
    "columns": ("x,y,z\n10,2,0\n1,12,3\n", []),
    "rows": ("a,10,2,0\nb,1,12,3\n", []),
    "both": ("truth,x,y,z\na,10,2,0\nb,1,12,3\n", []),
    "pandas": (",0,1,2\n0,10,2,0\n1,1,12,3\n", []),
    "crosstab": ("row_0;0;1;2\n0;10;2;0\n1;1;12;3\n", []),
    "R": ('"x" "y" "z"\n"a" 10 2 0\n"b" 1 12 3\n', []),
    "numbers above": ("0,1,2\n10,2,0\n1,12,3\n", ["--header"]),
    "numbers beside": ("0,10,2,0\n1,1,12,3\n", ["--id", "1"]),
    "numbers around": ("0,1,2,3\n0,10,2,0\n1,1,12,3\n", ["--header", "--id", "1"]),
    "crosstab, both said": ("row_0,0,1,2\n0,10,2,0\n1,1,12,3\n", ["--header", "--id", "1"]),
}


def saved(folder, text):
    (folder / "t.csv").write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize("name", SPELLINGS)
def test_ways_to_write_a_table(tmp_path, name):
    text, options = SPELLINGS[name]
    ended = run("compare", "--table", "t.csv", "--json", *options, cwd=saved(tmp_path, text))
    assert ended.code == 0, ended.err
    told = json.loads(ended.out)
    assert told["n"] == 28
    assert told["adjusted"] == pytest.approx(fr.compare(*fr.from_table(COUNTS)).adjusted)
    assert [(file["file"], file["k"]) for file in told["files"]] == [
        ("rows of t.csv", 2),
        ("columns of t.csv", 3),
    ]


def test_a_crosstab_whose_names_are_counts_as_well(tmp_path):
    text = "row_0,0,1,2\n0,5,1,2\n1,0,8,0\n"
    ended = run("compare", "--table", "t.csv", "--json", cwd=saved(tmp_path, text))
    assert ended.code == 0, ended.err
    assert json.loads(ended.out)["n"] == 16


def test_arrays_and_sparse_matrices(tmp_path):
    np.save(tmp_path / "t.npy", np.array(COUNTS))
    sp.save_npz(tmp_path / "t.npz", sp.csr_matrix(COUNTS))
    for name in ("t.npy", "t.npz"):
        ended = run("compare", "--table", name, "--csv", "--quiet", cwd=tmp_path)
        assert ended.code == 0, ended.err
        assert ended.out.splitlines()[1].split(",")[3] == "28"


def test_how_it_was_read_with_a_test_a_report_and_every_model(tmp_path):
    text, _ = SPELLINGS["both"]
    ended = run(
        "compare", "--table", "-", "--index", "mi", "--model", "every", "--test", "--html",
        "r.html", cwd=tmp_path, stdin=text.encode(),
    )  # fmt: skip
    assert ended.code == 0, ended.err
    first, second = ended.err.splitlines()
    assert first.startswith("rows of standard input: 28 points, hard, 2 clusters; clusters a, b of")
    assert second.endswith("(comma-separated, with a header, rows named by column 'truth')")
    assert "Adjusted NMI under perm" in ended.out
    assert "rows of standard input" in (tmp_path / "r.html").read_text("utf-8")


def test_advise_repeats_the_table(tmp_path):
    ended = run("advise", "--table", "t.csv", "--quiet", cwd=saved(tmp_path, SPELLINGS["both"][0]))
    assert ended.code == 0, ended.err
    assert "  fuzzyrand compare --table t.csv --index rand --model perm" in ended.out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x,y\n3,q\n1,2\n", "line 2, column 'y' of t.csv is 'q'; expected a number of points"),
        ("x,y\n3,\n1,2\n", "line 2, column 'y' of t.csv is missing"),
        ("3,2\n1,-2\n", "line 2, column 2 of t.csv is -2"),
        (".5,.1\n.2,.2\n", "line 1, column 1 of t.csv is 0.5, which is not an integer. The table"),
        ("a\nb\na\n", "t.csv has 1 column of numbers; a table of counts needs one for each"),
        ("a,x,y,All\np,3,1,4\nq,2,2,4\nAll,5,3,8\n", "the last row and column are the sum of"),
        ("0,1,2\n10,2,0\n1,12,3\n", "line 1 of t.csv counts the columns"),
        ("0,10,2\n1,1,12\n", "column 1 of t.csv counts the rows, and may hold the names of"),
    ],
)
def test_files_that_are_refused(tmp_path, text, said):
    assert said in refused("compare", "--table", "t.csv", cwd=saved(tmp_path, text))


def test_wrong_usage(tmp_path):
    saved(tmp_path, "3,1\n1,4\n")
    said = refused("compare", "a.csv", "--table", "t.csv", code=2, cwd=tmp_path)
    assert said == "--table takes the place of the two files; leave out a.csv, or --table."
    said = refused("compare", "--table", "t.csv", "--normalize", code=2, cwd=tmp_path)
    assert said.startswith("--normalize is about files with a row for each point")
    assert "there is no file u.csv" in refused("compare", "--table", "u.csv", cwd=tmp_path)
    ended = run("compare", "--quiet")
    assert ended.code == 2
    assert "required: A and B, or --table FILE" in ended.err
