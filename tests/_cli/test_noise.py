"""Noise points and missing memberships on the command line."""

import json

import numpy as np
import pytest

import fuzzyrand as fr

from ..cli_process import refused, run

FIRST = np.array([-1, -1, 0, 0, 0, 1, 1, 1, 2, 2, 2, 2])
SECOND = np.array([0, -1, 0, 0, 1, 1, 1, 1, 2, 2, -1, 2])
SOFT = np.array([[0.7, 0.1], [0.0, 0.0], [0.2, 0.8], [0.4, 0.6], [0.1, 0.3], [0.9, 0.1]])


@pytest.fixture
def files(tmp_path):
    for name, labels in (("first.csv", FIRST), ("second.csv", SECOND)):
        (tmp_path / name).write_text("label\n" + "".join(f"{x}\n" for x in labels))
    rows = "".join(f"{u},{v}\n" for u, v in SOFT)
    (tmp_path / "soft.csv").write_text("p,q\n" + rows)
    (tmp_path / "holes.csv").write_text("p,q\n" + rows.replace("0.0,0.0", ","))
    (tmp_path / "hard.csv").write_text("label\na\nb\nb\n\na\na\n")
    return tmp_path


@pytest.mark.parametrize("noise_as", ["cluster", "singletons", "drop"])
def test_noise_is_treated_as_by_the_library(files, noise_as):
    options = ["--noise", "-1", "--noise-as", noise_as, "--model", "perm", "--json"]
    told = json.loads(run("compare", "first.csv", "second.csv", *options, cwd=files).out)
    by_library = fr.compare(FIRST, SECOND, noise=-1, noise_as=noise_as, model="perm")
    assert told["adjusted"] == by_library.adjusted
    assert told["notes"] == list(by_library.notes)
    table = json.loads(run("pairwise", "first.csv", "second.csv", *options, cwd=files).out)
    assert table["adjusted"][0][1] == by_library.adjusted


def test_noise_that_nobody_named_is_noted(files):
    ended = run("compare", "first.csv", "second.csv", "--model", "perm", cwd=files)
    assert "--noise -1 with --noise-as cluster" in " ".join(ended.out.split())


def test_a_check_treats_noise(files):
    options = ["--noise", "-1", "--noise-as", "singletons"]
    told = json.loads(
        run("check", "first.csv", "--model", "cat", "--json", *options, cwd=files).out
    )
    (check,) = told["checks"]
    assert check["model_mean"] == pytest.approx((9 + 9 + 16) / 144)
    message = refused("check", "first.csv", "--model", "num", *options, cwd=files)
    assert "treated as singletons" in message


def test_rows_below_one_and_empty_rows(files):
    message = refused("compare", "soft.csv", "soft.csv", cwd=files)
    assert "--missing noise" in message
    options = ["--model", "perm", "--json"]
    ended = run("compare", "soft.csv", "hard.csv", "--missing", "noise", "--noise-as",
                "singletons", *options, cwd=files)  # fmt: skip
    told = json.loads(ended.out)
    labels = ["a", "b", "b", None, "a", "a"]
    by_library = fr.compare(SOFT, labels, missing="noise", noise_as="singletons", model="perm")
    assert told["adjusted"] == by_library.adjusted
    assert "--missing drop" in refused("compare", "holes.csv", "hard.csv", cwd=files)


def test_reports_show_the_points_that_were_compared(files):
    run("compare", "first.csv", "second.csv", "--noise", "-1", "--noise-as", "drop", "--model",
        "perm", "--html", "report.html", cwd=files)  # fmt: skip
    page = (files / "report.html").read_text()
    assert "9 points" in page
    assert "were left out" in page
