"""A matrix as text: readable for many runs with long names."""

import numpy as np
import pytest

from fuzzyrand.results import WIDTH
from fuzzyrand.results.matrix_text import matrix_text

from ..clusterings import LONG_NAME


@pytest.mark.parametrize("count", [1, 2, 5, 12, 40])
@pytest.mark.parametrize("name", ["r{}", "run number {}", LONG_NAME, "{}" + "-same-ending" * 8])
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


def test_wide_terminal_has_one_block():
    names = [LONG_NAME.format(i) for i in range(12)]
    numbers = np.eye(12).tolist()
    assert len(matrix_text(names, names, numbers, 200)) == 13
    assert len(matrix_text(names, names, numbers, WIDTH)) == 27


def test_nothing_is_minus_zero():
    shown = matrix_text(["a"], ["b"], [[-1e-6]], WIDTH)
    assert shown[1] == "a   0.0000"
