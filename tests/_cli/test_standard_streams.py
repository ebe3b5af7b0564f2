"""Standard streams that are closed, files that have no end, and text that others would run."""

import csv
import io
import json
import os
import subprocess

import numpy as np
import pytest

from fuzzyrand._base.errors import InputError
from fuzzyrand._base.wording import Call, Option
from fuzzyrand._cli.voice import VOICE

from ..cli_process import ENVIRONMENT, refused, run
from ..clustering_files import GOOD_LABELS, GOOD_SOFT

posix = pytest.mark.skipif(os.name != "posix", reason="links, devices and file numbers of POSIX")


def outputs(line, cwd):
    """Exit code and both streams of a line of the shell, apart from each other."""
    ended = subprocess.run(
        ["bash", "-c", line], cwd=cwd, capture_output=True, env=ENVIRONMENT, timeout=60, check=False
    )
    return ended.returncode, ended.stdout.decode(), ended.stderr.decode()


# --- closed streams ------------------------------------------------------------------------------


@posix
@pytest.mark.parametrize("form", ["--json", "--csv", ""])
def test_nothing_but_the_result_on_standard_output(here, form):
    asked = f"fuzzyrand compare truth.csv soft.csv {form}"
    expected = outputs(f"{asked} --quiet", here)
    assert expected[0] == 0
    assert outputs(f"{asked} 2>&-", here) == expected
    assert outputs(f"{asked} 2>/dev/full", here) == expected
    assert outputs("fuzzyrand compare truth.csv nothing.csv 2>&-", here) == (1, "", "")
    assert outputs("fuzzyrand compare truth.csv nothing.csv 2>/dev/full", here) == (1, "", "")


@posix
def test_results_go_nowhere_if_nobody_takes_them(here):
    for form in ("--json", "--csv", ""):
        asked = f"fuzzyrand compare truth.csv soft.csv --quiet {form} >&-"
        assert outputs(asked, here) == (0, "", "")
    asked = "fuzzyrand compare truth.csv soft.csv --quiet --html r.html >&- 2>&- <&-"
    assert outputs(asked, here) == (0, "", "")
    assert (here / "r.html").read_text().rstrip().endswith("</html>")


@posix
def test_closed_standard_input(here):
    said = "fuzzyrand: standard input is closed; name a file, or pipe one in.\n"
    assert outputs("fuzzyrand compare - soft.csv <&-", here) == (1, "", said)
    assert outputs("fuzzyrand compare truth.csv soft.csv --quiet --csv <&-", here)[0] == 0


# --- files without end ---------------------------------------------------------------------------


@posix
@pytest.mark.parametrize("device", ["/dev/zero", "/dev/urandom"])
def test_endless_devices(here, device):
    said = "is a device, not a file with labels or memberships; name a file."
    assert refused("compare", device, "soft.csv", cwd=here) == f"{device} {said}"
    ended = outputs(f"fuzzyrand compare - soft.csv < {device}", here)
    assert ended == (1, "", f"fuzzyrand: standard input {said}\n")


@posix
def test_an_empty_device(here):
    assert refused("check", "/dev/null", cwd=here).startswith("/dev/null is empty; expected")


@posix
def test_a_pipe_without_end(here, monkeypatch):
    from fuzzyrand._files import opening

    monkeypatch.setattr(opening, "LARGEST_STREAM", 1 << 20)
    monkeypatch.setattr(opening, "_CHUNK", 1 << 16)
    os.mkfifo(here / "pipe")
    with subprocess.Popen(["bash", "-c", "yes > pipe"], cwd=here, stderr=subprocess.DEVNULL) as yes:
        with (
            pytest.raises(InputError, match=r"goes on after 1,048,576 bytes.*save it as a file"),
            opening.open_file(str(here / "pipe")),
        ):
            pass
        yes.wait(30)


@posix
def test_broken_link(here):
    (here / "link.csv").symlink_to("gone.csv")
    assert refused("check", "link.csv", cwd=here) == (
        "link.csv is a symbolic link to gone.csv, which does not exist."
    )
    (here / "loop.csv").symlink_to("loop.csv")
    assert "loop.csv cannot be read: Too many levels" in refused("check", "loop.csv", cwd=here)


@pytest.mark.parametrize(
    "text", ["label\n{}\nb\nb\n", "{}\nb\nb\n", "a\nb\n{}\n", "p,q\n1,0\n{},0\n", "a b\n{} c\n"]
)
def test_a_very_long_label(tmp_path, text):
    (tmp_path / "long.csv").write_text(text.format("x" * 300_000))
    message = refused("check", "long.csv", cwd=tmp_path)
    assert message.startswith("long.csv cannot be split into fields from line ")
    assert "Labels and numbers are shorter" in message
    assert len(message) < 300


@pytest.mark.parametrize("encoding", ["utf-32", "utf-32-le", "utf-32-be", "utf-16", "utf-16-be"])
def test_wide_encodings(tmp_path, encoding):
    (tmp_path / "wide.csv").write_bytes(GOOD_SOFT.encode(encoding))
    name = encoding[:6].upper()
    assert refused("check", "wide.csv", cwd=tmp_path) == (
        f"wide.csv is written in {name}; expected UTF-8. Save it as UTF-8, or: "
        f"iconv -f {name} -t UTF-8 FILE | fuzzyrand ... -"
    )


# --- spreadsheets --------------------------------------------------------------------------------


@posix
def test_no_formulas_for_spreadsheets(tmp_path):
    names = ["=cmd|' /C calc'!A0", "+1+1", "-1-1", "@SUM(A1)", "plain"]
    for name in names:
        (tmp_path / f"{name.replace('/', '_')}.csv").write_text(GOOD_LABELS)
    files = sorted(path.name for path in tmp_path.iterdir())
    ended = run("pairwise", "--csv", "--quiet", "--", *files, cwd=tmp_path)
    table = list(csv.reader(io.StringIO(ended.out)))
    assert [row[0] for row in table[1:]] == table[0][1:]
    assert {name[0] for name in table[0][1:]} == {"'", "p"}
    assert all(cell == "1.0" for row in table[1:] for cell in row[1:])
    # Numbers stay numbers, also those below 0.
    (tmp_path / "other.csv").write_text("label\na\nb\na\nb\na\nb\n")
    ended = run("pairwise", "--csv", "--quiet", "plain.csv", "other.csv", cwd=tmp_path)
    assert float(ended.out.splitlines()[1].split(",")[2]) < 0
    ended = run("compare", "--csv", "--quiet", "plain.csv", "other.csv", cwd=tmp_path)
    assert "'" not in ended.out


def test_no_formulas_in_files_either(tmp_path):
    """Labels, names of columns and ids; numbers stay as they are, such as the -1 of noise."""
    labels = ["=1+1", "-1", "＝2", "+2.5e-3", "-a", "=1+1"]
    lines = [f"{10 * i - 20},{label}\n" for i, label in enumerate(labels)]
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_text("-id,label\n" + "".join(lines), encoding="utf-8")
    rows = np.eye(5)[[0, 1, 2, 3, 4, 0]]
    soft = "\n".join(",".join(map(str, row)) for row in 0.9 * rows + 0.02)
    (tmp_path / "soft.csv").write_text(",".join(labels[:5]) + "\n" + soft + "\n", encoding="utf-8")
    safe = ["'=1+1", "-1", "'＝2", "+2.5e-3", "'-a"]
    by_id = ("--id=-id", "--labels", "label", "--quiet")

    def cells(name):
        return list(csv.reader(io.StringIO((tmp_path / name).read_text("utf-8"))))

    assert run("match", "a.csv", "b.csv", "--out", "out.csv", *by_id, cwd=tmp_path).code == 0
    assert cells("out.csv")[0] == ["'-id", "label"]
    assert [row[0] for row in cells("out.csv")[1:]] == ["-20", "-10", "0", "10", "20", "30"]
    assert [row[1] for row in cells("out.csv")[1:]] == [*safe, safe[0]]
    assert (
        run("align", "soft.csv", "soft.csv", "--header", "--out", "folder", cwd=tmp_path).code == 0
    )
    assert cells(next((tmp_path / "folder").iterdir()))[0] == safe
    asked = ("explain", "a.csv", "b.csv", "--model", "perm", "--points", "points.csv", *by_id)
    assert run(*asked, cwd=tmp_path).code == 0
    assert [row[3] for row in cells("points.csv")[1:]] == [*safe, safe[0]]


def test_ids_that_look_like_formulas_are_matched_again(tmp_path):
    """They were escaped where they are written, and not where they are read."""
    ids = ["=x", "'=x", "+y", "-1", "@z", "-w"]
    lines = [f"{key},{label}\n" for key, label in zip(ids, "aabbcc", strict=True)]
    (tmp_path / "a.csv").write_text("=id,label\n" + "".join(lines))
    (tmp_path / "b.csv").write_text("=id,label\n" + "".join(reversed(lines)))
    by_id = ("--id", "=id", "--labels", "label", "--quiet")
    written = run("match", "a.csv", "b.csv", "--out", "out.csv", *by_id, cwd=tmp_path)
    assert written.code == 0, written.err
    again = run("compare", "a.csv", "out.csv", "--json", *by_id, cwd=tmp_path)
    assert again.code == 0, again.err
    assert json.loads(again.out)["adjusted"] == 1.0


WRITTEN = [
    ("match", "--out", "o.npy", ".csv or .txt"),
    ("match", "--out", "o.csv.gz", ".csv or .txt"),
    ("match", "--out", "o.tsv", ".csv or .txt"),
    ("explain", "--points", "o.parquet", ".csv or .txt"),
    ("explain", "--clusters", "o.json", ".csv or .txt"),
    ("explain", "--html", "o.pdf", ".html or .htm"),
    ("compare", "--html", "o.docx", ".html or .htm"),
    ("pairwise", "--html", "o.csv", ".html or .htm"),
]


@pytest.mark.parametrize(("command", "option", "name", "endings"), WRITTEN)
def test_files_are_not_written_under_the_ending_of_another_format(
    here, command, option, name, endings
):
    """It would be CSV that nothing reads as such."""
    said = refused(command, "truth.csv", "soft.csv", option, name, code=2, cwd=here)
    assert said.startswith(f"{option} {name}: the name must end in {endings}.")
    assert not (here / name).exists()


def test_two_results_in_one_file_are_refused(here):
    """One would be lost without a word, whatever the file is called."""
    (here / "link.csv").symlink_to("x.csv")
    files, same = ("truth.csv", "soft.csv"), "name the same file, "
    explained = ("explain", *files, "--points", "x.csv")
    for other in ("x.csv", "./x.csv", "link.csv", here / "x.csv"):
        said = refused(*explained, "--clusters", other, code=2, cwd=here)
        assert said.startswith(f"--points and --clusters {same}{other}; give each its own")
        assert refused(*explained, "--html", other, code=2, cwd=here).startswith("--points and")
    drawn = ("match", *files, "--out", "x.png", "--plot", "x.png")
    assert refused(*drawn, code=2, cwd=here).startswith(f"--out and --plot {same}")
    assert not (here / "x.csv").exists()
    assert run(*explained[:-1], "/dev/null", "--clusters", "/dev/null", cwd=here).code == 0


def test_names_are_not_written_over(here):
    (here / "names.txt").write_text("".join(f"p{i}\n" for i in range(6)))
    for asked in (
        ("compare", "truth.csv", "soft.csv", "--html", "names.txt"),
        ("explain", "truth.csv", "soft.csv", "--points", "names.txt"),
        ("match", "truth.csv", "soft.csv", "--out", "names.txt"),
        ("pairwise", "truth.csv", "soft.csv", "--html", "names.txt"),
    ):
        said = refused(*asked, "--names", "names.txt", cwd=here)
        assert said == "names.txt is one of the files to read; name another file to write."


# --- filemaps and names --------------------------------------------------------------------------


@pytest.fixture
def runs(tmp_path):
    """Two runs of ADMIXTURE with the filemap of pong, and their samples."""
    rows = np.array([[0.9, 0.1], [0.8, 0.2], [0.2, 0.8], [0.1, 0.9], [0.4, 0.6], [0.7, 0.3]])
    (tmp_path / "q").mkdir()
    for name, order in (("one", range(6)), ("two", range(5, -1, -1))):
        lines = [f"{rows[i, 0]} {rows[i, 1]}\n" for i in order]
        (tmp_path / "q" / f"{name}.2.Q").write_text("".join(lines))
        people = [f"F{i} P{i} 0 0 1 -9\n" for i in order]
        (tmp_path / f"{name}.fam").write_text("".join(people))
    (tmp_path / "map").write_text("run1\t2\tq/one.2.Q\nrun2\t2\tq/two.2.Q\n")
    (tmp_path / "truth.csv").write_text(GOOD_LABELS)
    return tmp_path


def test_filemap(runs):
    ended = run("pairwise", "--filemap", "map", "--model", "perm", "--csv", cwd=runs)
    assert ended.out.splitlines()[0] == ",run1,run2"
    assert float(ended.out.splitlines()[1].split(",")[2]) < 0.9
    named = ("--names", "one.fam", "--names", "two.fam")
    ended = run("pairwise", "--filemap", "map", "--model", "perm", "--csv", *named, cwd=runs)
    assert float(ended.out.splitlines()[1].split(",")[2]) == 1.0
    assert "matched by the names in two.fam" in ended.err
    ended = run("pairwise", "--filemap", "map", "--reference", "truth.csv", "--csv", cwd=runs)
    assert [line.split(",")[0] for line in ended.out.splitlines()] == ["", "truth"]
    by_id = run("pairwise", "--filemap", "map", "--reference", "run2", "--csv", cwd=runs)
    assert [line.split(",")[0] for line in by_id.out.splitlines()] == ["", "run2"]
    message = refused("pairwise", "truth.csv", "--filemap", "map", code=2, cwd=runs)
    assert message == "give files or --filemap FILE, not both."
    (runs / "map").write_text("run1\t3\tq/one.2.Q\nrun2\t2\tq/two.2.Q\n")
    message = refused("pairwise", "--filemap", "map", cwd=runs)
    assert message == "line 1 of map says that q/one.2.Q has 3 clusters, but it has 2."
    message = refused("pairwise", "--filemap", "nothing", cwd=runs)
    assert message == "there is no file nothing."


def test_align_reads_a_filemap(runs):
    named = ("--names", "one.fam", "--names", "two.fam")
    ended = run("align", "--filemap", "map", "--reference", "run2", *named, "--json", cwd=runs)
    told = json.loads(ended.out)
    assert told["reference"] == "run2"
    assert told["order"] == {"run1": [0, 1], "run2": [0, 1]}
    message = refused("align", "--filemap", "map", "--reference", "run3", code=2, cwd=runs)
    assert message.startswith("--reference run3 is none of the files")
    message = refused("align", "--filemap", "map", "--plot", "map", cwd=runs)
    assert message.startswith("map is one of the files to read")
    (runs / "map").write_text("run1\t3\tq/one.2.Q\nrun2\t2\tq/two.2.Q\n")
    message = refused("align", "--filemap", "map", cwd=runs)
    assert message == "line 1 of map says that q/one.2.Q has 3 clusters, but it has 2."


def test_a_filemap_is_not_written_over(runs):
    message = refused("pairwise", "--filemap", "map", "--html", "map", cwd=runs)
    assert message.startswith("map is one of the files to read")


# --- voice ---------------------------------------------------------------------------------------


def test_errors_are_told_in_options():
    error = InputError(
        "use {normalize}, {model}, {tol} or {no}; see {check}.",
        normalize=Option("normalize", True),
        model=Option("model", "perm"),
        tol=Option("tol"),
        no=Option("header", False),
        check=Call("check_model"),
    )
    assert str(error) == (
        "use normalize=True, model='perm', tol or header=False; see check_model()."
    )
    assert error.text(VOICE) == (
        "use --normalize, --model perm, --tol or --no-header; see fuzzyrand check."
    )


def test_library_errors_in_files_speak_of_options_and_lines(here):
    (here / "off.csv").write_text("p,q\n0.5,0.5\n0.5,0.6\n")
    message = refused("check", "off.csv", cwd=here)
    assert message.startswith("line 3 of off.csv sums to 1.1, off from 1 by 0.1")
    assert "--normalize divides each row by its sum, --possibilistic accepts" in message
    (here / "{brace}.csv").write_text("p,q\n0.5,0.5\n0.5,-0.6\n")
    message = refused("check", "{brace}.csv", cwd=here)
    assert message.startswith("line 3, column 'q' of {brace}.csv is -0.6")
    (here / "wide.csv").write_text(",".join("abcdef") + "\n" + ",".join(["0.5"] * 6) + "\n"
                                   + ",".join(["0.5"] * 6) + "\n")  # fmt: skip
    message = refused("compare", "truth.csv", "wide.csv", "--normalize", cwd=here)
    assert message.endswith("it looks transposed. Rows must be points. Transpose the file.")
