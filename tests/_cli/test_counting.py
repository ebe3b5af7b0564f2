"""Clusters and points are counted from 0, lines and rows of files from 1; messages say which."""

import numpy as np
import pytest

import fuzzyrand as fr

from ..cli_process import refused, run

ROWS = ["0.9,0.1", "0.8,0.2", "0.3,0.3", "0.1,0.9", "0.6,0.4", "0.2,0.8"]


@pytest.fixture
def files(tmp_path):
    (tmp_path / "truth.csv").write_text("label\na\na\nb\nb\nc\nc\n")
    (tmp_path / "part.csv").write_text("\n".join(ROWS) + "\n")
    whole = "\n".join(ROWS).replace("0.3,0.3", "0.3,0.7")
    (tmp_path / "soft.csv").write_text(whole + "\n")
    (tmp_path / "named.csv").write_text("p,q\n" + whole + "\n")
    (tmp_path / "ids.csv").write_text("id,label\nu,a\nv,a\nw,b\nx,b\ny,c\nz,c\n")
    np.save(tmp_path / "off.npy", [[0.9, 0.1], [0.8, 0.3], [0.5, 0.5]])
    (tmp_path / "names.txt").write_text("one\n\ntwo\nthree\ntwo\n")
    return tmp_path


def test_rows_of_files_are_counted_from_1(files):
    message = refused("compare", "off.npy", "off.npy", cwd=files)
    assert message.startswith("row 2 (counted from 1) of off.npy sums to 1.1")


@pytest.mark.parametrize("command", ["compare", "pairwise", "align"])
def test_rows_that_are_refused_after_reading_say_how_they_count(files, command):
    options = ["--missing", "noise", "--noise-as", "drop", "--quiet"]
    message = refused(command, "truth.csv", "part.csv", *options, cwd=files)
    assert message.startswith("row 3 (counted from 1) of the ")
    rows = [[float(x) for x in row.split(",")] for row in ROWS]
    with pytest.raises(fr.InputError, match=r"^row 2 of the second clustering is partly noise"):
        fr.compare([0] * 6, rows, missing="noise", noise_as="drop")


def test_names_that_repeat_are_found_by_their_lines(files):
    message = refused("compare", "soft.csv", "soft.csv", "--names", "names.txt", cwd=files)
    assert "line 5 of names.txt has the same name as line 3, 'two'" in message


def test_points_and_clusters_without_names_are_counted_from_0(files):
    options = ["--model", "perm", "--quiet"]
    out = run("explain", "truth.csv", "soft.csv", *options, cwd=files).out
    assert "Clusters with the lowest scores (means of their points; those of the second " in out
    assert "are counted from 0):" in out
    assert "Points with the lowest scores (counted from 0):" in out
    out = run("explain", "truth.csv", "named.csv", *options, cwd=files).out
    assert "Clusters with the lowest scores (means of their points):" in out
    out = run("explain", "ids.csv", "ids.csv", "--id", "id", "--labels", "label", *options,
              cwd=files).out  # fmt: skip
    assert "Points with the lowest scores:" in out
    matched = {
        ("soft.csv", "soft.csv"): "; clusters are counted from 0 first second overlap",
        (
            "truth.csv",
            "soft.csv",
        ): "; clusters of the second are counted from 0 first second overlap",
        (
            "soft.csv",
            "truth.csv",
        ): "; clusters of the first are counted from 0 first second overlap",
    }
    for pair, told in matched.items():
        assert told in " ".join(run("match", *pair, "--quiet", cwd=files).out.split())
    assert "counted from" not in run("match", "truth.csv", "named.csv", "--quiet", cwd=files).out
    assert "columns (from 0)\n" in run("align", "truth.csv", "soft.csv", "--quiet", cwd=files).out


def test_corners_of_a_simplex_have_the_names_of_clusters():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    soft = np.array([[0.2, 0.3, 0.5], [0.9, 0.1, 0.0]])
    pd = pytest.importorskip("pandas")
    for rows, names in ((soft, "012"), (pd.DataFrame(soft, columns=[*"xyz"]), "xyz")):
        shown = [text.get_text() for text in fr.plot.simplex(rows).texts]
        assert shown == [f"cluster {name}" for name in names]
