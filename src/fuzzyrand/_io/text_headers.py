"""Decide whether the first row of a text file holds names or is a point."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from .._base.errors import InputError
from .._base.wording import Option
from .table import Table, is_numeric
from .text_cells import MISSING, is_decimal_comma, like_number

#: Usual names of a column of labels; one of them at the top of a column indicates a header.
USUAL_NAMES = frozenset({"class", "cluster", "clusters", "group", "label", "labels", "truth"})


def has_header(rows: Sequence[Sequence[str]], wanted: frozenset[str]) -> bool:
    """Return whether the first row holds names.

    It does if it contains a name that the user gave, a word above fields that are numbers, a usual
    name for labels that is not a label further down, or numbers as pandas writes them above columns
    without names. Other files that consist of words have no header unless the user says so.
    """
    first, later = rows[0], rows[1:]
    words = [j for j, cell in enumerate(first) if not like_number(cell) and cell not in MISSING]
    if not words:
        return _numbers_columns(first, later)
    if not later or any(name_of(first[j]) in wanted for j in words):
        return True
    for j in words:
        below = [row[j] for row in later if j < len(row) and row[j] not in MISSING]
        if below and all(map(like_number, below)):
            return True
        if name_of(first[j]).lower() in USUAL_NAMES and first[j] not in below:
            return True
    return False


def _numbers_columns(first: Sequence[str], later: Sequence[Sequence[str]]) -> bool:
    """Return whether these are 0, 1, 2, ..., as pandas writes them above columns without names.

    They must follow an empty cell above the index, or be one cell short, as R writes them if rows
    have names, or be more than two integers above fractions. (0 and 1 alone may be a row of
    memberships.)
    """
    above_index = not first[0] and bool(later) and all(row[0] for row in later)
    numbers = _without_blank_end(first)[int(above_index) :]
    if not numbers or not later or not _is_count(numbers):
        return False
    names_of_rows = all(len(row) == len(first) + 1 for row in later)
    return above_index or names_of_rows or (len(numbers) > 2 and _has_fractions(later))


def _without_blank_end(row: Sequence[str]) -> Sequence[str]:
    return row if row[-1] else row[:-1]


def _is_count(cells: Sequence[str]) -> bool:
    """Return whether the cells are 0, 1, 2, ..."""
    return list(cells) == [str(i) for i in range(len(cells))]


def _has_fractions(rows: Sequence[Sequence[str]]) -> bool:
    return any("." in cell or is_decimal_comma(cell) for row in rows for cell in row)


def _lonely_firsts(rows: Sequence[Sequence[str]]) -> list[int]:
    """Return columns whose first text occurs once, as a name would, and all others repeatedly.

    Numbers are seldom names, except for the 0 that pandas writes above a single column.
    """
    first, later = rows[0], rows[1:]
    lonely = []
    for j, cell in enumerate(first):
        below = Counter(row[j] for row in later if j < len(row))
        apart = not like_number(cell) or (cell == "0" and len(first) == 1)
        if (
            apart
            and cell not in MISSING
            and len(later) > 3
            and cell not in below
            and min(below.values(), default=0) > 1
        ):
            lonely.append(j)
    return lonely


def refuse_doubtful_first(sample: Sequence[Sequence[str]], table: Table) -> None:
    """Refuse to guess whether the first row holds names or is a point, if it may be either."""
    first, later = _without_blank_end(sample[0]), sample[1:]
    doubt = None
    if table.named:
        again = [
            name
            for name, column in zip(table.names, table.columns, strict=True)
            if name and not is_numeric(column) and np.any(column == name)
        ]
        if again:
            doubt = f"{again[0]!r}, which occurs further down as well: the name of a column, or"
    elif first == ["0", "1"] and _has_fractions(later):
        if not any(cell in first for row in later for cell in row):
            doubt = "0 and 1: the numbers of the columns, or"
    else:
        for j in _lonely_firsts(sample):
            if np.count_nonzero(table.columns[j] == table.columns[j][0]) == 1:
                doubt = (
                    f"{first[j]!r}, which occurs once, while every other label occurs several "
                    "times: the name of the column, or"
                )
    if doubt is not None:
        raise InputError(
            "line 1 of {source} holds {doubt} a point? Say {header} or {no_header} (for several "
            "files: once for each, in their order).",
            source=table.source,
            doubt=doubt,
            header=Option("header", True),
            no_header=Option("header", False),
        )


def name_of(field: str) -> str:
    """Return the column name in a field of the header."""
    return field.removeprefix("#").strip()
