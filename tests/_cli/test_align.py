"""``fuzzyrand align``: many files in a common order."""

import csv
import json
import re
from itertools import pairwise

import numpy as np
import pytest

import fuzzyrand as fr
from fuzzyrand._cli.main import main
from fuzzyrand._files.point_names import read_groups
from fuzzyrand.report.aligned_bars import aligned_bars

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


def matrices(study):
    return {k: np.loadtxt(study / f"study.{k}.Q") for k in "248"}


class TestAncestry:
    """Q files of ADMIXTURE with populations in a .fam file; some numbers are left out."""

    @pytest.fixture
    def study(self, tmp_path):
        rng = np.random.default_rng(0)
        home = np.repeat(np.arange(8), 10)
        for k in (2, 4, 8):  # populations split in two, and two more times
            q = 0.9 * np.eye(k)[home * k // 8] + 0.1 * rng.dirichlet(np.ones(k), 80)
            np.savetxt(tmp_path / f"study.{k}.Q", q[:, rng.permutation(k)], fmt="%.6f")
        places = [f"pop{rank} ind{i} 0 0 0 -9" for i, rank in enumerate(home % 5)]
        (tmp_path / "study.fam").write_text("\n".join(places) + "\n")
        return tmp_path

    FILES = ("study.2.Q", "study.4.Q", "study.8.Q")

    def test_q_files_are_written_as_admixture_writes_them(self, study):
        asked = ("align", *self.FILES, "--out", "aligned", "--quiet")
        assert run(*asked, "--json", cwd=study).code == 0
        alignment = fr.align(matrices(study), normalize=True)
        for k in "248":
            text = (study / "aligned" / f"study.{k}.Q").read_bytes().decode("ascii")
            lines = text.split("\n")
            assert lines.pop() == ""
            pattern = " ".join([r"[01]\.\d{6}"] * int(k))
            assert all(re.fullmatch(pattern, line) for line in lines)
            own = sorted(alignment.order[k])
            assert np.allclose(np.loadtxt(lines), alignment.runs[k][:, own], atol=1.5e-6)
        again = run("align", *self.FILES, "--names", "study.fam", "--out", "aligned", "--quiet",
                    "--format", "csv", cwd=study)  # fmt: skip
        assert again.code == 0
        assert rows_of(study / "aligned" / "study.2.csv")[1][0] == "ind0"

    def test_a_cluster_keeps_its_column_although_numbers_are_left_out(self, study):
        alignment = fr.align(matrices(study), normalize=True)
        labels = [alignment.labels[k] for k in "248"]
        assert alignment.reference == "2"
        assert len(alignment.names) == 8
        for fewer, more in pairwise(labels):
            for column in np.unique(fewer):
                assert column in more[fewer == column]  # one of its parts

    def test_populations_are_drawn_side_by_side(self, study, monkeypatch):
        drawn = {}
        monkeypatch.chdir(study)
        monkeypatch.setattr(
            "fuzzyrand.plot.memberships", lambda alignment, axes, **options: drawn.update(options)
        )
        asked = ["align", *self.FILES, "--plot", "bars.png", "--groups", "study.fam", "--quiet"]
        for names in ([], ["--names", "study.fam"]):
            assert main([*asked, *names]) == 0
            assert drawn["order_by"] == "study.8"  # the run with the most clusters
            assert drawn["groups"] == [f"pop{rank}" for rank in np.repeat(np.arange(8), 10) % 5]

    def test_groups_follow_the_ids_of_the_points(self, study):
        names = [f"ind{i}" for i in range(80)]
        groups = read_groups(str(study / "study.fam"))
        assert groups.of_points(names[::-1], 80) == list(groups.groups[::-1])
        assert groups.of_points(names[:3], 3) == list(groups.groups[:3])
        (study / "list.txt").write_text("a\nb\na\n")
        assert read_groups(str(study / "list.txt")).of_points(None, 3) == ["a", "b", "a"]

    def test_refusals(self, study):
        asked = ("align", *self.FILES)
        said = refused(*asked, "--groups", "study.fam", code=2, cwd=study)
        assert said.startswith("--groups is for the picture; add --plot")
        assert "--out" in refused(*asked, "--format", "Q", code=2, cwd=study)
        (study / "short.txt").write_text("a\nb\n")
        said = refused(*asked, "--groups", "short.txt", "--plot", "p.png", cwd=study)
        assert "groups of 2 points, but there are 80" in said
        lines = "".join(f"f{i} f{i} 0 0 0 -9\n" for i in range(80))
        (study / "own.fam").write_text(lines)
        said = refused(*asked, "--groups", "own.fam", "--plot", "p.png", cwd=study)
        assert "another family for each individual" in said

    def test_a_page_of_all_pairs_has_the_same_colours(self, study):
        runs = matrices(study)
        table = fr.pairwise(runs, normalize=True)
        bars = aligned_bars(table, table.columns)
        alignment = fr.align(runs, normalize=True)
        assert bars.reference == alignment.reference
        assert [name for _, name in bars.legend] == alignment.names
