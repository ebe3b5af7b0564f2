"""``fuzzyrand match``: which cluster is which, and the second file in the terms of the first."""

import json

import numpy as np
import pytest

import fuzzyrand as fr

from ..cli_process import refused, run


@pytest.fixture
def here(tmp_path):
    (tmp_path / "truth.csv").write_text("group\nrosa\nrosa\nvera\nvera\nvera\n")
    (tmp_path / "found.csv").write_text("cluster\n2\n2\n0\n0\n1\n")
    (tmp_path / "soft.csv").write_text("p,q\n.1,.9\n.2,.8\n.6,.4\n.9,.1\n1,0\n")
    (tmp_path / "ids.csv").write_text("sample,cluster\ns2,x\ns1,x\ns3,y\n")
    (tmp_path / "other.csv").write_text("sample,cluster\ns1,7\ns2,7\ns3,8\n")
    return tmp_path


def test_labels_are_written_with_the_names_of_the_first(here):
    ended = run("match", "truth.csv", "found.csv", "--out", "out.csv", "--quiet", cwd=here)
    assert (ended.code, ended.err) == (0, "")
    matching = fr.match(["rosa"] * 2 + ["vera"] * 3, [2, 2, 0, 0, 1])
    assert ended.out == f"{matching.text(100)}\n"
    assert (here / "out.csv").read_text() == "label\nrosa\nrosa\nvera\nvera\n1\n"
    again = json.loads(run("match", "found.csv", "out.csv", "--json", cwd=here).out)
    assert again["share"] == 1.0


def test_memberships_are_written_in_the_order_of_the_first(here):
    run("match", "truth.csv", "soft.csv", "--out", "out.csv", cwd=here)
    header, *rows = (here / "out.csv").read_text().splitlines()
    assert header == "rosa,vera"
    values = np.array([row.split(",") for row in rows], dtype=float)
    np.testing.assert_allclose(values[:, 1], [0.1, 0.2, 0.6, 0.9, 1.0])


def test_points_keep_their_ids(here):
    ended = run("match", "ids.csv", "other.csv", "--id", "sample", "--labels", "cluster",
                "--out", "out.csv", cwd=here)  # fmt: skip
    assert ended.code == 0, ended.err
    assert (here / "out.csv").read_text() == "sample,label\ns2,x\ns1,x\ns3,y\n"


def test_json_and_csv(here):
    told = json.loads(run("match", "truth.csv", "found.csv", "--json", "--quiet", cwd=here).out)
    assert told["pairs"] == [[0, told["names"]["b"].index("2")], [1, told["names"]["b"].index("0")]]
    assert told["splits"][0]["names"] == ["1", "vera"]
    assert [file["file"] for file in told["files"]] == ["truth.csv", "found.csv"]
    out = run("match", "truth.csv", "found.csv", "--csv", "--quiet", cwd=here).out
    assert out.splitlines()[:2] == ["a,b,overlap,share_of_a,share_of_b", "rosa,2,2.0,1.0,1.0"]


def test_refusals(here):
    assert "one of the files to read" in refused(
        "match", "truth.csv", "found.csv", "--out", "found.csv", cwd=here
    )
    message = refused("match", "truth.csv", "found.csv", "--out", "-", code=2, cwd=here)
    assert message.startswith("--out - is standard output")
    columns = ["--labels", "1", "--labels", "2"]
    message = refused("match", "truth.csv", "ids.csv", *columns, cwd=here)
    assert "5 points and ids.csv has 3" in message


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_a_picture_of_the_overlaps(here, ending):
    name = f"overlap.{ending}"
    ended = run("match", "truth.csv", "found.csv", "--quiet", "--plot", name, cwd=here)
    assert ended.code == 0, ended.err
    first = (here / name).read_bytes()[:5]
    assert first == {"png": b"\x89PNG\r", "svg": b"<?xml", "pdf": b"%PDF-"}[ending]


def test_a_picture_is_refused_before_the_work(here):
    files = ("match", "truth.csv", "found.csv", "--plot")
    assert "must end in .png, .svg or .pdf" in refused(*files, "overlap.txt", code=2, cwd=here)
    assert "is standard output" in refused(*files, "-", code=2, cwd=here)


def test_memberships_in_numbered_clusters_are_read_again(here):
    (here / "named.csv").write_text("sample,cluster\ns1,1\ns2,1\ns3,2\n")
    (here / "soft.csv").write_text("sample,p,q\ns3,.9,.1\ns1,.2,.8\ns2,.3,.7\n")
    run("match", "named.csv", "soft.csv", "--out", "out.csv", cwd=here)
    assert (here / "out.csv").read_text().startswith(",1,2\n")
    ended = run("compare", "soft.csv", "out.csv", "--json", cwd=here)
    assert ended.code == 0, ended.err
    assert json.loads(ended.out)["adjusted"] == pytest.approx(1.0)


def test_what_is_written_is_read_again(tmp_path):
    """Also with clusters -1, 0 and 1, whose names are numbers above the memberships."""
    (tmp_path / "hard.csv").write_text("sample,cluster\ns2,-1\ns1,0\ns3,1\ns4,0\n")
    (tmp_path / "soft.csv").write_text(
        "sample,p,q,r\ns1,.2,.7,.1\ns2,.9,.1,0\ns3,0,0,1\ns4,0,1,0\n"
    )
    assert run("match", "hard.csv", "soft.csv", "--out", "out.csv", cwd=tmp_path).code == 0
    assert (tmp_path / "out.csv").read_text().startswith(",-1,0,1\ns2,0.9,0.1,0")
    again = run("compare", "soft.csv", "out.csv", "--json", cwd=tmp_path)
    assert again.code == 0, again.err
    assert json.loads(again.out)["adjusted"] == pytest.approx(1.0)
