"""A matrix of comparisons as people see it."""

from dataclasses import replace

import numpy as np
import pytest

import fuzzyrand as fr
from fuzzyrand._base.wording import Sentence

from ..cli_process import run
from ..clusterings import LONG_NAME


def test_reference_has_a_line_for_each():
    truth = [0, 0, 0, 1, 1, 1, 2, 2]
    soft = np.random.default_rng(0).dirichlet(np.ones(3), 8)
    runs = {LONG_NAME.format(1): [0, 0, 0, 1, 1, 1, 1, 2], LONG_NAME.format(2): soft}
    result = fr.pairwise(runs, reference=truth, fixed="first", model="fit")
    caption, head, one, two, last, note, *_ = str(result).splitlines()
    assert caption == "Adjusted NDC with reference under fit; reference fixed, 8 points"
    assert head.split() == ["adjusted", "±", "Monte", "Carlo"]
    assert one.split() == [LONG_NAME.format(1), f"{result.adjusted[0, 0]:.4f}", "exact"]
    assert two.split()[:2] == [LONG_NAME.format(2), f"{result.adjusted[0, 1]:.4f}"]
    assert last == "All values are exact."
    assert note.startswith("Note: ")  # eight points are few for a fit


def test_errors_that_are_not_sampled_are_told():
    soft = np.random.default_rng(0).dirichlet(np.ones(2), (2, 40))
    index = fr.CustomIndex(
        agreement=lambda u, v: np.minimum(u, v).sum(axis=1),
        concordance=lambda a, b: 1 - np.abs(a - b) ** 1.5,
    )
    result = fr.pairwise(list(soft), index=index, model="perm")
    assert result.stderr.max() == 0.0
    assert not all(c.exact for row in result.comparisons for c in row)
    assert str(result).splitlines()[-1].startswith("Largest numerical error: ")


def test_the_command_line_prints_within_its_width(here):
    names = [LONG_NAME.format(i) + ".csv" for i in range(12)]
    for name in names:
        (here / name).write_text((here / "soft.csv").read_text())
    ended = run("pairwise", *names, "--quiet", "--model", "perm", cwd=here)
    assert max(map(len, ended.out.splitlines())) <= 100  # COLUMNS of the tests
    ended = run("pairwise", *names, "--reference", "truth.csv", "--quiet", cwd=here)
    assert ended.out.startswith("Adjusted NDC with truth under perm, 6 points\n")
    assert len(ended.out.splitlines()) == 15


@pytest.mark.parametrize("fixed", [None, "first"])
def test_the_medoid_has_the_largest_mean_with_the_others(fixed):
    rng = np.random.default_rng(4)
    base = rng.integers(4, size=60)
    runs = {
        f"run {i}": np.where(rng.random(60) < share, rng.integers(4, size=60), base)
        for i, share in enumerate((0.6, 0.2, 0.05, 0.4, 0.8))
    }
    result = fr.pairwise(runs, model="num", fixed=fixed)
    means = []
    for name in runs:
        others = [other for other in runs if other != name]
        both = [result[name, other].adjusted + result[other, name].adjusted for other in others]
        means.append(sum(both) / 2 / len(others))
    np.testing.assert_allclose(result.means, means, atol=1e-12)
    assert result.medoid == list(runs)[int(np.argmax(means))]
    assert result.to_dict()["medoid"] == result.medoid
    assert f"Most typical: {result.medoid} (mean adjusted index {max(means):.2f})." in str(result)


def test_of_equal_clusterings_the_first_is_the_medoid():
    labels = [0, 0, 1, 1, 2, 2, 2]
    assert fr.pairwise({"x": labels, "y": labels, "z": labels}, model="perm").medoid == "x"


def test_two_clusterings_and_a_reference_have_no_medoid():
    runs = {"a": [0, 0, 1, 1], "b": [0, 1, 1, 1], "c": [0, 0, 0, 1]}
    two = fr.pairwise({"a": runs["a"], "b": runs["b"]}, model="perm")
    assert two.medoid is None
    assert two.means.tolist() == [two["a", "b"].adjusted] * 2
    against = fr.pairwise(runs, reference="a", model="perm")
    assert against.medoid is None
    assert np.isnan(against.means[0])
    assert against.means[1:].tolist() == [against["a", name].adjusted for name in "bc"]
    assert "most like" not in str(against)


def noisy(count, n=40):
    """Label vectors of which some have more noise points than others."""
    rng = np.random.default_rng(5)
    runs = {f"r{i}": rng.integers(3, size=n) for i in range(count)}
    for i in {1, 4} & set(range(count)):
        runs[f"r{i}"][: 5 * i] = -1
    return runs


class TestNotes:
    def test_notes_of_many_pairs_are_one_sentence_for_each_kind(self):
        result = fr.pairwise(noisy(8), model="perm")
        (note,) = result.notes
        assert note.startswith(
            "13 of 28 pairs, worst r0 with r4: in the second clustering, the label -1 (20 "
        )
        assert "model" not in note
        assert note in " ".join(str(result).split())
        assert note.replace("'", "&#x27;") in result._repr_html_()
        assert result.to_dict()["notes"] == [note]

    def test_with_a_fixed_side_both_ways_round_are_looked_at(self):
        """Only the second side is replaced, and r0 comes first in all pairs but the reverse."""
        runs = {"r0": np.arange(40) % 2, "r1": np.arange(40) % 12, "r2": np.arange(40) // 4}
        (note,) = fr.pairwise(runs, model="all", fixed="first").notes
        assert note.startswith("2 of 3 pairs, such as r1 with r0: all draws about ")
        assert "but the second clustering has 2." in note

    def test_a_single_pair_needs_no_count(self):
        runs = noisy(2)
        (note,) = fr.pairwise(runs, model="perm").notes
        assert note.startswith(
            "r0 with r1: in the second clustering, the label -1 (5 of 40 points)"
        )
        one = fr.pairwise(noisy(3), reference="r1", model="perm").notes
        assert one[0].startswith(
            "2 of 2 pairs, such as r1 with r0: in the first clustering, the label -1 (5 "
        )

    def test_notes_of_tests_are_told(self):
        result = fr.pairwise(list(noisy(4).values())[2:], model="perm", test=True, draws=19)
        assert result.notes == ()
        note = Sentence.of("few of {n} were tested.", n=40)
        tests = {names: replace(test, own_notes=(note,)) for names, test in result.tests.items()}
        marked = replace(result, tests=tests)
        assert marked.notes == ("0 with 1: few of 40 were tested.",)

    def test_the_command_line_and_its_page_tell_them(self, here):
        for name, labels in noisy(6).items():
            (here / f"{name}.csv").write_text("label\n" + "\n".join(map(str, labels)) + "\n")
        files = [f"r{i}.csv" for i in range(6)]
        told = "9 of 15 pairs, worst r0 with r4: in the second clustering, the label -1 (20 of 40"
        ended = run("pairwise", *files, "--model", "perm", "--html", "page.html", cwd=here)
        assert f"Note: {told}" in " ".join(ended.out.split())
        assert told in " ".join((here / "page.html").read_text().split())
        ended = run("pairwise", *files, "--model", "perm", "--csv", "--quiet", cwd=here)
        assert f"note: {told}" in ended.err
        assert "note" not in ended.out


MANY = {f"run {i}": np.random.default_rng(i).integers(3, size=30) for i in range(200)}


class TestScreen:
    """Of many clusterings, no more is printed than fits on a screen."""

    def test_all_pairs(self):
        result = fr.pairwise(MANY, model="perm")
        lines = str(result).splitlines()
        assert len(lines) <= 45
        (left_out,) = (line for line in lines if "to_frame() has all of them" in line)
        shown = int(left_out.split()[2])
        assert left_out == f"The first {shown} of 200 clusterings; to_frame() has all of them."
        rows = {line.split("  ")[0] for line in lines if line.startswith("run ")}
        assert rows == {f"run {i}" for i in range(shown)}
        assert f"{result.adjusted[shown - 1, shown - 1]:.4f}" in str(result)
        html = result._repr_html_()
        assert html.count("<tr>") == 31
        assert "The first 30 of 200 clusterings" in html

    def test_a_reference_and_tests(self):
        few = {name: MANY[name] for name in list(MANY)[:60]}
        lines = str(fr.pairwise(few, reference="run 0", model="perm")).splitlines()
        assert len(lines) <= 45
        assert "The first 40 of 60 clusterings; to_frame() has all of them." in lines
        tested = fr.pairwise(few, reference="run 0", model="perm", test=True, draws=19)
        assert len(str(tested).splitlines()) <= 58
        some = {name: few[name] for name in list(few)[:20]}
        tested = fr.pairwise(some, model="perm", test=True, draws=19)
        assert len(str(tested).splitlines()) <= 58

    def test_few_clusterings_are_shown_in_full(self):
        few = {name: MANY[name] for name in list(MANY)[:18]}
        text = str(fr.pairwise(few, model="perm"))
        assert "to_frame" not in text
        assert text.count("run 17") == 3  # two rows, and a heading

    def test_the_command_line_names_its_own_way(self, here):
        for i in range(45):
            (here / f"r{i}.csv").write_text("label\na\na\nb\nb\nc\n")
        ended = run("pairwise", *(f"r{i}.csv" for i in range(45)), "--quiet", cwd=here)
        assert "of 45 clusterings; --csv has all of them" in ended.out
