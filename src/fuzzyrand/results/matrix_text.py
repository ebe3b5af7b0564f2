"""A matrix of numbers with names on both axes, as text of a given width."""

from __future__ import annotations

from collections.abc import Sequence

from .._base.naming import abbreviate
from .numbers import number_written

#: Width of a number, and of the gap between columns.
CELL, GAP = 7, 2
#: Longer names are used as headings only if all columns fit side by side.
LONG_NAME = 10


def matrix_text(
    rows: Sequence[str], columns: Sequence[str], numbers: Sequence[Sequence[float]], width: int
) -> list[str]:
    """Return the lines of a table.

    If long names do not fit, rows and columns are numbered, and only the rows show names. Columns
    that do not fit side by side follow in further blocks.

    Examples
    --------
    >>> for line in matrix_text(["a", "b"], ["a", "b"], [[1, 0.5], [0.5, 1]], 80):
    ...     print(line)
             a        b
    a   1.0000   0.5000
    b   0.5000   1.0000
    >>> long = [f"wine-2024-gaussian-mixture-{seed}" for seed in (1, 2, 3)]
    >>> for line in matrix_text(long, long, [[1, 0.5, -1e-9], [0.5, 1, 0], [-1e-9, 0, 1]], 48):
    ...     print(line)
                                 1        2        3
    1 …gaussian-mixture-1   1.0000   0.5000   0.0000
    2 …gaussian-mixture-2   0.5000   1.0000   0.0000
    3 …gaussian-mixture-3   0.0000   0.0000   1.0000
    """
    headings, labels = list(columns), list(rows)
    cell = _cell(headings)
    if _longest(labels) + len(columns) * (cell + GAP) > width and cell > LONG_NAME:
        headings = [str(number) for number in range(1, len(columns) + 1)]
        cell, digits = _cell(headings), len(headings[-1])
        # The names get the room that the numbers leave, but at least a third of the width.
        room = max(width - len(columns) * (cell + GAP), width // 3)
        names = abbreviate(rows, room - digits - 1)
        labels = [f"{number:>{digits}} {name}" for number, name in enumerate(names, start=1)]
    left = _longest(labels)
    most = max((width - left) // (cell + GAP), 1)
    blocks = -(-len(columns) // most)
    size = -(-len(columns) // blocks)  # Blocks of equal size.
    lines: list[str] = []
    for start in range(0, len(columns), size):
        part = slice(start, start + size)
        lines += [""] if start else []
        lines.append(" " * left + "".join(f"  {heading:>{cell}}" for heading in headings[part]))
        lines += [
            f"{label:<{left}}"
            + "".join(f"  {number_written(number, 4):>{cell}}" for number in row[part])
            for label, row in zip(labels, numbers, strict=True)
        ]
    return lines


def _longest(names: Sequence[str]) -> int:
    return max(len(name) for name in names)


def _cell(headings: Sequence[str]) -> int:
    return max(CELL, _longest(headings))
