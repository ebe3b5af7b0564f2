"""Tests, intervals and the paragraph for a paper, on the command line."""

import csv
import json

import numpy as np
import pytest

import fuzzyrand as fr

from ..cli_process import run


@pytest.fixture
def files(tmp_path):
    rng = np.random.default_rng(0)
    labels = rng.integers(3, size=60)
    other = np.where(rng.random(60) < 0.7, labels, rng.integers(3, size=60))
    for name, values in (("a.csv", labels), ("b.csv", other), ("c.csv", rng.integers(3, size=60))):
        (tmp_path / name).write_text("label\n" + "".join(f"{x}\n" for x in values))
    return tmp_path, labels, other


def test_test_and_interval_are_those_of_the_library(files):
    folder, labels, other = files
    ended = run("compare", "a.csv", "b.csv", "--test", "--confidence", "0.9", "--methods", "--json",
                cwd=folder)  # fmt: skip
    told = json.loads(ended.out)
    test, interval = (
        fr.significance(labels, other),
        fr.confidence_interval(labels, other, level=0.9),
    )
    assert told["test"]["pvalue"] == test.pvalue
    assert told["test"]["null_sd"] == pytest.approx(test.null_sd)
    assert (told["interval"]["low"], told["interval"]["high"]) == (interval.low, interval.high)
    assert "Hubert & Arabie" in told["methods"]
    text = run("compare", "a.csv", "b.csv", "--test", "--confidence", "--methods", cwd=folder).out
    flat = " ".join(text.split())
    assert "95% CI" in flat
    assert "9,999 shuffles" in flat
    assert "Computed with fuzzyrand" in flat


def test_csv_has_columns_for_them(files):
    folder, labels, other = files
    ended = run("compare", "a.csv", "b.csv", "--model", "perm", "--model", "cat", "--test",
                "--confidence", "--csv", cwd=folder)  # fmt: skip
    first, second = csv.DictReader(ended.out.splitlines())
    assert (
        float(first["pvalue_perm"])
        == float(second["pvalue_perm"])
        == fr.significance(labels, other).pvalue
    )
    assert float(first["low"]) < float(first["adjusted"]) < float(first["high"])
    assert second["low"] == ""


def test_pairwise_prints_qvalues(files):
    folder, *_ = files
    text = run("pairwise", "a.csv", "b.csv", "c.csv", "--model", "perm", "--test", cwd=folder).out
    assert "q-values under perm (p-values corrected for 3 pairs; " in text
    told = json.loads(run("pairwise", "a.csv", "b.csv", "--test", "--json", cwd=folder).out)
    assert told["pvalues"][0][1] == told["pvalues"][1][0]
    assert told["pvalues"][0][0] is None


def test_pairs_with_a_reference_are_tested(files):
    folder, *_ = files
    asked = ("pairwise", "b.csv", "c.csv", "--reference", "a.csv", "--model", "perm", "--test")
    told = json.loads(run(*asked, "--json", cwd=folder).out)
    assert told["pvalues"] == [[test["pvalue"] for test in told["tests"]]]
    header, *rows = csv.reader(run(*asked, "--csv", cwd=folder).out.splitlines())
    assert header == ["first", "second", "adjusted", "pvalue", "qvalue"]
    assert [row[:2] for row in rows] == [["a", "b"], ["a", "c"]]
    assert [float(row[3]) for row in rows] == told["pvalues"][0]
    assert [float(row[4]) for row in rows] == told["qvalues"][0]
    page = folder / "tests.html"
    assert run(*asked, "--html", str(page), cwd=folder).code == 0
    text = page.read_text(encoding="utf-8")
    assert "Do they agree more than by chance?" in text
    assert "9,999 shuffles" in text


def test_the_paragraph_for_a_paper_is_in_the_report_and_names_exclusions(files):
    folder, labels, other = files
    page = folder / "methods.html"
    asked = ("compare", "a.csv", "b.csv", "--noise", "0", "--noise-as", "drop", "--methods")
    ended = run(*asked, "--html", str(page), cwd=folder)
    dropped = int(np.count_nonzero((labels == 0) | (other == 0)))
    sentence = f"{dropped} of 60 points were left out, because they are noise points or missing"
    assert sentence in " ".join(ended.out.split())
    assert sentence in page.read_text(encoding="utf-8")
    single = fr.compare(labels, other, model="perm", noise=0, noise_as="singletons")
    assert "counted as clusters of one point each" in single.methods_text()


def test_the_number_of_draws_can_be_set(files):
    folder, labels, other = files
    asked = ("a.csv", "c.csv", "--test", "--draws", "19")
    told = json.loads(run("compare", *asked, "--json", cwd=folder).out)
    assert told["test"]["draws"] == 19
    table = json.loads(run("pairwise", *asked, "--json", cwd=folder).out)
    assert table["pvalues"][0][1] == told["test"]["pvalue"]
    few = fr.pairwise([labels, other], test=True, draws=99)
    assert few.pvalues[0, 1] == fr.significance(labels, other, draws=99).pvalue == 0.01
    with pytest.raises(fr.ParameterError, match="draws must be 'auto' or a number"):
        fr.pairwise([labels, other], test=True, draws=5)
    refusals = {("--test", "--draws", "5"): "at least 19", ("--draws", "99"): "add --test"}
    for options, said in refusals.items():
        for command in ("compare", "pairwise"):
            ended = run(command, "a.csv", "b.csv", *options, cwd=folder)
            assert ended.code == 2
            assert said in ended.err


def test_intervals_under_all_are_refused_and_left_out(files):
    folder, *_ = files
    ended = run("compare", "a.csv", "b.csv", "--model", "all", "--confidence", cwd=folder)
    assert ended.code == 1
    assert "no confidence intervals under 'all'" in ended.err
    assert "--model num" in ended.err
    asked = ("compare", "a.csv", "b.csv", "--model", "all", "--model", "num", "--confidence")
    ended = run(*asked, "--csv", cwd=folder)
    by_all, by_num = csv.DictReader(ended.out.splitlines())
    assert by_all["low"] == ""
    assert float(by_num["low"]) < float(by_num["adjusted"])
    assert "no confidence intervals under 'all'" in ended.err
    assert "num:" in run(*asked, cwd=folder).out


def test_one_cluster_on_both_sides_has_a_reason(tmp_path):
    """It was an unexpected error."""
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_text("label\n" + "x\n" * 10)
    ended = run("compare", "a.csv", "b.csv", "--model", "perm", "--confidence", cwd=tmp_path)
    assert ended.code == 0
    assert "there is no interval" in " ".join(ended.out.split())


def test_levels_are_shares(files):
    folder, *_ = files
    for level in ("95", "1", "0.9999999999999999", "1e-17", "nan"):
        ended = run("compare", "a.csv", "b.csv", "--confidence", level, cwd=folder)
        assert ended.code == 2
        assert "is not a level from 0.01 to 0.9999, such as 0.95" in ended.err
