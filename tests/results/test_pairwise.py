"""A matrix of comparisons as people see it."""

import numpy as np

import fuzzyrand as fr

from ..cli_process import run
from ..clusterings import LONG_NAME


def test_reference_has_a_line_for_each():
    truth = [0, 0, 0, 1, 1, 1, 2, 2]
    soft = np.random.default_rng(0).dirichlet(np.ones(3), 8)
    runs = {LONG_NAME.format(1): [0, 0, 0, 1, 1, 1, 1, 2], LONG_NAME.format(2): soft}
    result = fr.pairwise(runs, reference=truth, fixed="first", model="fit")
    caption, head, one, two, last = str(result).splitlines()
    assert caption == "adjusted ndc with reference under fit; reference fixed, 8 points"
    assert head.split() == ["adjusted", "±", "Monte", "Carlo"]
    assert one.split() == [LONG_NAME.format(1), f"{result.adjusted[0, 0]:.4f}", "exact"]
    assert two.split()[:2] == [LONG_NAME.format(2), f"{result.adjusted[0, 1]:.4f}"]
    assert last == "all exact"


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
    assert ended.out.startswith("adjusted ndc with truth under fit, 6 points\n")
    assert len(ended.out.splitlines()) == 15
