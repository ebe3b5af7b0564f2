"""``fuzzyrand stability``: a file of data, and what it prints and writes."""

import csv
import json
import sys

import numpy as np
import pytest

import fuzzyrand as fr
from fuzzyrand._cli.main import main
from fuzzyrand._cli.stability import METHODS, parse_values

from ..cli_process import refused, run

cluster = pytest.importorskip("sklearn.cluster")

X = np.array([[0, 0], [8, 0], [4, 7]])[np.arange(60) % 3] + np.random.default_rng(0).normal(
    size=(60, 2)
)
X = X.round(3)
QUICK = ("--repeats", 5, "--quiet")


@pytest.fixture
def here(tmp_path):
    lines = [f"p{i},{x},{y},{i % 10}" for i, (x, y) in enumerate(X)]
    (tmp_path / "data.csv").write_text("\n".join(["name,x,y,patient", *lines]) + "\n")
    np.save(tmp_path / "data.npy", X)
    return tmp_path


@pytest.fixture
def inside(here, monkeypatch, capsys):
    """Run the command in this process, which has imported scikit-learn already."""
    monkeypatch.chdir(here)

    def command(*arguments):
        code = main(["stability", *map(str, arguments), "--quiet"])
        told = capsys.readouterr()
        return code, told.out, told.err.removeprefix("fuzzyrand: ")

    return command


def rows_of(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def test_text_json_and_csv_are_those_of_the_library(here, inside):
    expected = fr.stability(cluster.KMeans(n_init=10), X, [2, 3, 4], repeats=5)
    asked = ("stability", "data.csv", "--columns", "x,y", "--values", "2-4", *QUICK)
    ended = run(*asked, cwd=here)
    assert ended.code == 0, ended.err
    assert ended.out == f"{expected}\n"
    assert "Best: 3 clusters" in ended.out
    _, out, _ = inside(*asked[1:-1], "--json")
    told = json.loads(out)
    assert told["best"] == 3
    assert told["summary"]["mean"] == pytest.approx([*expected.means.values()])
    assert told["file"] == {"file": "data.csv", "n": 60, "columns": ["x", "y"]}
    assert told["method"] == "KMeans(n_init=10)"
    _, out, _ = inside(*asked[1:-1], "--csv")
    header, *rows = csv.reader(out.splitlines())
    assert header == list(expected.columns())
    assert [float(row[header.index("mean")]) for row in rows] == [*expected.means.values()]


def test_how_the_file_was_read_is_told(here):
    ended = run("stability", "data.csv", "--values", "3", "--repeats", 5, cwd=here)
    assert "data.csv: 60 points, 3 columns; " in ended.err
    assert "points named by column 'name'" in ended.err


def test_tables_pictures_and_pages(here, inside):
    asked = ("stability", "data.csv", "--columns", "x,y", "--method", "dbscan", "--values", "0.2,2")
    written = ("--out", "tables", "--plot", "p.png", "--html", "page.html")
    code, out, err = inside(*asked[1:], *written, *QUICK)
    assert code == 0, err
    assert "Best: eps = 2 (3 clusters)" in out
    assert "Noise (label -1)" in out
    header, *points = rows_of(here / "tables" / "points.csv")
    assert header == ["eps", "point", "cluster", "firmness"]
    assert len(points) == 2 * 60
    assert points[60][:2] == ["2", "p0"]
    clusters = rows_of(here / "tables" / "clusters.csv")
    assert {row[-1] for row in clusters if row[0] == "2"} == {"firm"}
    assert len(rows_of(here / "tables" / "repeats.csv")) == 1 + 2 * 5
    assert len(rows_of(here / "tables" / "values.csv")) == 1 + 2
    assert (here / "p.png").read_bytes()[:4] == b"\x89PNG"
    page = (here / "page.html").read_text(encoding="utf-8")
    assert "Which <bdi>eps</bdi> suits these data?" in page
    assert page.count("<svg") == 2
    assert "fuzzyrand stability data.csv" in page
    assert inside(*asked[1:], *written, *QUICK)[0] == 0  # the folder is there now


@pytest.mark.parametrize("method", METHODS)
def test_every_method(method, inside):
    values = {"dbscan": "2", "hdbscan": "5"}.get(method, "3")
    code, out, err = inside("data.npy", "--method", method, "--values", values, *QUICK, "--json")
    assert code == 0, err
    told = json.loads(out)
    assert told["summary"]["clusters"] == [3]
    assert told["summary"]["mean"][0] > 0.9


def test_other_parameters_and_settings(inside):
    asked = ("data.npy", "--method", "agglomerative", "--set", "n_clusters=3")
    asked += ("--parameter", "linkage", "--values", "ward,single", "--reference", "None")
    code, out, err = inside(*asked, *QUICK, "--scale")
    assert code == 0, err
    assert "linkage" in out.splitlines()[2]
    assert "ward" in out


def test_checkpoints_and_groups(here, inside):
    asked = ("data.csv", "--columns", "x,y", "--values", "2,3", "--groups", "patient")
    asked += ("--checkpoint", "done.jsonl", *QUICK)
    first = inside(*asked)
    assert "in 10 groups" in first[1]
    lines = (here / "done.jsonl").read_text().splitlines()
    assert len(lines) == 1 + 2 + 2 * (5 + 10)
    assert inside(*asked) == first
    (here / "done.jsonl").write_text("\n".join([*lines[:4], "[2,", *lines[4:], ""]))
    code, _, said = inside(*asked)
    assert (code, "line 5 of done.jsonl is damaged" in said) == (1, True)


def test_refusals(here, inside):
    said = refused("stability", "data.csv", "--repeats", 4, "--quiet", code=2, cwd=here)
    assert said.startswith(
        "--repeats must be at least 5 for a comparison with reference data; got 4."
    )

    def told(*arguments, code=2):
        ended = inside(*arguments)
        assert ended[:2] == (code, ""), ended
        return ended[2]

    assert "--values is needed" in told("data.csv", "--method", "dbscan")
    assert "--values 5-2: expected a range" in told("data.csv", "--values", "5-2")
    assert "with a step" in told("data.csv", "--values", "0.5-2")
    assert "KMeans has no parameter 'eps'" in told("data.csv", "--parameter", "eps", "--values", 1)
    said = told("data.csv", "--method", "gmm", "--parameter", "n_clusters")
    assert "Did you mean --parameter n_components?" in said
    assert "--set: Invalid parameter 'k'" in told("data.csv", "--set", "k=3")
    assert "expected NAME=VALUE" in told("data.csv", "--set", "k")
    assert "must end in .png" in told("data.csv", "--plot", "p.txt")
    assert "integers of at least 2" in told("data.csv", "--values", "1-3")
    said = told("data.csv", "--columns", "name", code=1)
    assert said.startswith("line 2, column 'name' of data.csv holds text ('p0')")
    (here / "empty.csv").write_text("x,y\n1,2\n3,\n4,5\n")
    said = told("empty.csv", code=1)
    assert said.startswith("line 3, column 'y' of empty.csv is empty or not a finite number")
    (here / "words.csv").write_text("x,y\na,b\na,b\n")
    assert "no columns of numbers to cluster" in told("words.csv", "--header", code=1)
    said = told("data.csv", "--html", "data.csv", code=1)
    assert "is one of the files to read" in said


def test_without_scikit_learn(here, monkeypatch):
    from fuzzyrand._cli import stability

    monkeypatch.setitem(sys.modules, "sklearn.cluster", None)
    with pytest.raises(fr.MissingExtraError, match=r"needs scikit-learn.*pip install scikit-learn"):
        stability._estimator(METHODS["kmeans"], {})


def test_values():
    assert parse_values("2-4, 8", "n_clusters") == [2, 3, 4, 8]
    assert parse_values("0.1-0.5:0.1", "eps") == [0.1, 0.2, 0.3, 0.4, 0.5]
    assert parse_values("2-10:4,0.5", "x") == [2, 6, 10, 0.5]
    assert parse_values("ward,1e-3,nan", "x") == ["ward", 0.001, "nan"]
    assert parse_values(None, "n_components") == list(range(2, 11))
