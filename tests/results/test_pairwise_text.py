"""A matrix of comparisons as text: readable for many runs with long names."""

import numpy as np
import pytest

import fuzzyrand as fr
from fuzzyrand._base.naming import abbreviate
from fuzzyrand.results.comparison import WIDTH
from fuzzyrand.results.matrix_text import matrix_text

from ..cli_process import run

LONG = "experiment-2024-gaussian-mixture-full-covariance-seed-{}"


@pytest.mark.parametrize("count", [1, 2, 5, 12, 40])
@pytest.mark.parametrize("name", ["r{}", "run number {}", LONG, "{}" + "-same-ending" * 8])
def test_every_number_is_in_its_place_within_the_width(count, name):
    names = [name.format(i) for i in range(count)]
    numbers = [[(i * count + j) / 10_000 for j in range(count)] for i in range(count)]
    lines = matrix_text(names, names, numbers, WIDTH)
    assert max(map(len, lines)) <= WIDTH
    found = [[] for _ in names]
    for block in "\n".join(lines).split("\n\n"):
        heading, *rows = block.splitlines()
        columns = len(rows[0].split("  0.")) - 1
        assert heading.split()[-1] in (names[len(found[0]) + columns - 1].split()[-1],
                                       str(len(found[0]) + columns))  # fmt: skip
        for row, line in zip(found, rows, strict=True):
            row += [float(number) for number in line.split()[-columns:]]
    assert found == numbers


def test_names_stay_different():
    alike = [f"{'a' * 40}{i}{'z' * 40}" for i in range(3)]
    for names in ([LONG.format(i) for i in range(12)], alike, ["x" * 99], ["a", "b" * 99]):
        assert len(set(abbreviate(names, 20))) == len(names)
    assert abbreviate(["x" + alike[0], *alike], 20) == ["x" + alike[0], *alike]  # too much alike


def test_wide_terminal_has_one_block():
    names = [LONG.format(i) for i in range(12)]
    numbers = np.eye(12).tolist()
    assert len(matrix_text(names, names, numbers, 200)) == 13
    assert len(matrix_text(names, names, numbers, WIDTH)) == 27


def test_reference_has_a_line_for_each():
    truth = [0, 0, 0, 1, 1, 1, 2, 2]
    soft = np.random.default_rng(0).dirichlet(np.ones(3), 8)
    runs = {LONG.format(1): [0, 0, 0, 1, 1, 1, 1, 2], LONG.format(2): soft}
    result = fr.pairwise(runs, reference=truth, fixed="first", model="fit")
    caption, head, one, two, last = str(result).splitlines()
    assert caption == "adjusted ndc with reference under fit; reference fixed, 8 points"
    assert head.split() == ["adjusted", "±", "stderr"]
    assert one.split() == [LONG.format(1), f"{result.adjusted[0, 0]:.4f}", "exact"]
    assert two.split()[:2] == [LONG.format(2), f"{result.adjusted[0, 1]:.4f}"]
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


def test_nothing_is_minus_zero():
    shown = matrix_text(["a"], ["b"], [[-1e-6]], WIDTH)
    assert shown[1] == "a   0.0000"


def test_command_line(here):
    names = [LONG.format(i) + ".csv" for i in range(12)]
    for name in names:
        (here / name).write_text((here / "soft.csv").read_text())
    ended = run("pairwise", *names, "--quiet", "--model", "perm", cwd=here)
    assert max(map(len, ended.out.splitlines())) <= 100  # COLUMNS of the tests
    ended = run("pairwise", *names, "--reference", "truth.csv", "--quiet", cwd=here)
    assert ended.out.startswith("adjusted ndc with truth under fit, 6 points\n")
    assert len(ended.out.splitlines()) == 15
