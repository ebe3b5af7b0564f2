"""``fuzzyrand advise``."""

import json
import shlex

import numpy as np
import pytest

import fuzzyrand as fr

from ..cli_process import refused, run

A, B = list("aaabbbccaabbcc"), list("xxyyyyzzxxyyzz")


@pytest.fixture
def folder(tmp_path):
    for name, labels in (("a.csv", A), ("b c.csv", B)):
        (tmp_path / name).write_text("\n".join(["label", *labels]) + "\n", encoding="utf-8")
    return tmp_path


def test_text(folder):
    ended = run("advise", "a.csv", "b c.csv", "--keep", "number", "--quiet", cwd=folder)
    assert (ended.code, ended.err) == (0, "")
    advice = fr.advise(A, B, keep="number")
    *lines, next_command = ended.out.splitlines()
    assert f"Report the adjusted Rand index under num: {advice.report.adjusted:.3f}, exact" in lines
    assert "--keep memberships" in " ".join(ended.out.split())
    assert "keep=" not in ended.out
    words = shlex.split(next_command)
    assert words[:4] == ["fuzzyrand", "compare", "a.csv", "b c.csv"]
    again = run(*words[1:], "--json", "--quiet", cwd=folder)
    assert json.loads(again.out)["adjusted"] == advice.report.adjusted
    assert "methods" in json.loads(again.out)


def test_reading_options_are_in_the_next_command(folder):
    rng = np.random.default_rng(0)
    rows = np.column_stack([np.arange(14), rng.integers(-1, 2, size=14)])
    np.savetxt(folder / "noisy.csv", rows, fmt="%d", delimiter=",", header="id,found", comments="")
    given = ["noisy.csv", "noisy.csv", "--labels", "found", "--noise", "-1", "--noise-as", "drop"]
    ended = run("advise", *given, "--seed", "3", "--json", cwd=folder)
    assert ended.code == 0, ended.err
    told = json.loads(ended.out)
    command = shlex.split(told["command"])
    assert command[2 : 2 + len(given)] == given
    assert "--seed" not in command
    assert run(*command[1:], cwd=folder).code == 0
    assert len(told["files"]) == 2
    assert {row["model"] for row in told["models"]} >= set(fr.models.MODELS)


def test_refusals(folder):
    assert "unknown index" in refused("advise", "a.csv", "no.csv", "--index", "randd", code=2)
    assert run("advise", "a.csv", "b c.csv", "--keep", "size", cwd=folder).code == 2
    assert "no file" in refused("advise", "a.csv", "no.csv", cwd=folder)


def test_a_file_that_looks_like_an_option(folder):
    for name in ("-a.csv", "b.csv"):
        (folder / name).write_text("group\nx\nx\ny\ny\ny\n", "utf-8")
    ended = run("advise", "--json", "--quiet", "--", "-a.csv", "b.csv", cwd=folder)
    command = shlex.split(json.loads(ended.out)["command"])
    assert "./-a.csv" in command
    assert run(*command[1:], cwd=folder).code == 0
