"""A matrix of comparisons as people see it."""

import numpy as np
import pytest

import fuzzyrand as fr

from ..cli_process import run
from ..clusterings import LONG_NAME


def test_reference_has_a_line_for_each():
    truth = [0, 0, 0, 1, 1, 1, 2, 2]
    soft = np.random.default_rng(0).dirichlet(np.ones(3), 8)
    runs = {LONG_NAME.format(1): [0, 0, 0, 1, 1, 1, 1, 2], LONG_NAME.format(2): soft}
    result = fr.pairwise(runs, reference=truth, fixed="first", model="fit")
    caption, head, one, two, last, note, *_ = str(result).splitlines()
    assert caption == "adjusted ndc with reference under fit; reference fixed, 8 points"
    assert head.split() == ["adjusted", "±", "Monte", "Carlo"]
    assert one.split() == [LONG_NAME.format(1), f"{result.adjusted[0, 0]:.4f}", "exact"]
    assert two.split()[:2] == [LONG_NAME.format(2), f"{result.adjusted[0, 1]:.4f}"]
    assert last == "all exact"
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
    assert str(result).splitlines()[-1].startswith("largest error ")


def test_the_command_line_prints_within_its_width(here):
    names = [LONG_NAME.format(i) + ".csv" for i in range(12)]
    for name in names:
        (here / name).write_text((here / "soft.csv").read_text())
    ended = run("pairwise", *names, "--quiet", "--model", "perm", cwd=here)
    assert max(map(len, ended.out.splitlines())) <= 100  # COLUMNS of the tests
    ended = run("pairwise", *names, "--reference", "truth.csv", "--quiet", cwd=here)
    assert ended.out.startswith("adjusted ndc with truth under perm, 6 points\n")
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
    assert f"most like the others: {result.medoid} (mean {max(means):.4f})" in str(result)


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
