"""Decide whether the first row of a text file holds names or is a point."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from .._base.errors import InputError
from .._base.wording import Option
from .file_table import FileTable, is_numeric
from .spreadsheets import are_escaped, unescape
from .text_cells import (
    FALSE,
    MARKS,
    MISSING,
    TRUE,
    is_decimal_comma,
    is_number,
    is_percentage,
    is_whole,
    like_number,
)
from .text_rows import hidden_delimiter, rows_are_named

#: Usual names of a column of labels; one of them at the top of a column indicates a header.
USUAL_NAMES = frozenset(
    {"category", "cell_type", "celltype", "class", "cluster", "cluster_id", "clusters", "community",
     "group", "label", "labels", "leiden", "louvain", "population", "species", "target", "truth"}
)  # fmt: skip
#: Usual names of a column of ids, besides names that end in _id.
USUAL_IDS = frozenset({"id", "ids", "index", "row", "sample", "point"})
#: Largest deviation from 1 of a sum of memberships in a file that rounding may explain.
ROUNDED_SUM = 0.02
#: Texts that stand for an empty cell, at least among numbers.
EMPTY = MISSING | MARKS


def has_header(rows: Sequence[Sequence[str]], wanted: frozenset[str]) -> bool:
    """Return whether the first row holds names.

    It does if it contains a name that the user gave, a word above fields that are numbers, a usual
    name for labels that is not a label further down, nothing above names of rows, words that are
    one field short, as R writes them above names of rows, or numbers as pandas writes them above
    columns without names. In other files that consist of words, only other
    files or the user can say.
    """
    first, later = rows[0], rows[1:]
    words = [j for j, cell in enumerate(first) if not _is_value(cell) and cell not in EMPTY]
    if not words:
        return _numbers_columns(first, later)
    if not later or any(clean_name(first[j]) in wanted for j in words):
        return True
    below = [[r[j] for r in later if j < len(r) and r[j] not in EMPTY] for j in range(len(first))]
    if any(_is_usual(first[j]) and first[j] not in below[j] for j in words):
        return True
    if len(first) > 1 and any(_names_ids(first[j], below[j]) for j in words):
        return True
    if not first[0] and all(row[0] for row in later):
        return True
    numbers = [j for j, cell in enumerate(first) if like_number(cell)]
    names = [first[j] for j in numbers]
    again = any(first[j] in row[j : j + 2] for row in later for j in numbers)
    if _is_count(names) and not again and rows_are_named(rows, len(first) + 1):
        return True
    counted = (len(names) > 2 and _is_count(names)) or (len(names) > 1 and _is_count(names, 1))
    if any(below[j] and all(map(_is_value, below[j])) for j in words):
        # Beside numbers that cannot be names, the word is a mistake in a point.
        cannot = any(not is_whole(first[j]) or first[j] in below[j] for j in numbers)
        return counted or not cannot
    return counted and _has_fractions(later)


def _is_value(cell: str) -> bool:
    """Return whether a text is a number, or says what is true, and so is hardly a name."""
    return like_number(cell) or cell in TRUE or cell in FALSE


def is_usual_id(name: str) -> bool:
    """Return whether this is a usual name of a column of ids."""
    return name.lower() in USUAL_IDS or name.lower().endswith("_id")


def _names_ids(cell: str, below: Sequence[str]) -> bool:
    """Return whether a cell is a usual name of ids, above cells that are all different."""
    usual = is_usual_id(clean_name(cell)) or clean_name(cell).lower() in {"barcode", "cell", "name"}
    return usual and len({cell, *below}) == len(below) + 1 > 2


def _is_usual(cell: str) -> bool:
    return clean_name(cell).lower().replace(" ", "_") in USUAL_NAMES


def _numbers_columns(first: Sequence[str], later: Sequence[Sequence[str]]) -> bool:
    """Return whether these are 0, 1, 2, ..., as pandas writes them above columns without names.

    They must follow an empty cell above the index, or be one cell short, as R writes them if rows
    have names, or be more than two integers above fractions. (0 and 1 alone may be a row of
    memberships.) Other different integers are read above an index and fractions, as ``match --out``
    writes them for clusters -1, 0, 1. R writes classes 1, 2, ... one cell short or above
    memberships.
    """
    above_index = not first[0] and bool(later) and all(row[0] for row in later)
    numbers = _without_blank_end(first)[int(above_index) :]
    if not numbers or not later:
        return False
    different = len(set(numbers)) == len(numbers) > 1 and all(map(is_whole, numbers))
    if above_index and different and not _is_count(numbers):
        return _has_fractions(later)
    names_of_rows = all(len(row) == len(first) + 1 for row in later)
    if len(numbers) > 1 and _is_count(numbers, start=1):
        return names_of_rows or all(map(_are_memberships, later))
    if not _is_count(numbers):
        return False
    return above_index or names_of_rows or (len(numbers) > 2 and _has_fractions(later))


def _are_memberships(cells: Sequence[str]) -> bool:
    """Return whether the cells are fractions that sum to 1, but for rounding."""
    there = [cell for cell in cells if cell]
    return all(map(is_number, there)) and abs(sum(map(float, there)) - 1.0) < ROUNDED_SUM


def _without_blank_end(row: Sequence[str]) -> Sequence[str]:
    return row if row[-1] else row[:-1]


def _is_count(cells: Sequence[str], start: int = 0) -> bool:
    """Return whether the cells are 0, 1, 2, ..., or count from another number."""
    return list(cells) == [str(i) for i in range(start, start + len(cells))]


def _has_fractions(rows: Sequence[Sequence[str]]) -> bool:
    return any(
        "." in cell or is_decimal_comma(cell) or is_percentage(cell) for row in rows for cell in row
    )


def may_be_names(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether the first row certainly or possibly holds names."""
    first, later = rows[0], rows[1:]
    words = all(cell in EMPTY or not like_number(cell) for cell in first)
    again = any(cell in (row[j] for row in later if j < len(row)) for j, cell in enumerate(first))
    return has_header(rows, frozenset()) or (words and not again)


def may_be_numbered(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether the first row is 0, 1, ..., and none of these occurs again in its column."""
    first, later = rows[0], rows[1:]
    again = any(cell == row[j] for row in later for j, cell in enumerate(first) if j < len(row))
    return _is_count(first) and not again


def doubtful_cell(sample: Sequence[Sequence[str]], table: FileTable) -> str | None:
    """Return a cell of the first row that may be the name of a column or belong to a point."""
    first, later = _without_blank_end(sample[0]), sample[1:]
    if table.named:
        if len(first) < len(table.names):  # one field short, which no point is
            return None
        columns = zip(table.names, table.columns, strict=True)
        return next((n for n, c in columns if n and not is_numeric(c) and np.any(c == n)), None)
    numbers = [
        cell
        for j, cell in enumerate(first)
        if like_number(cell) and any(like_number(row[j]) for row in later if j < len(row))
    ]
    if numbers == ["0", "1"] and _has_fractions(later):
        again = any(cell in numbers for row in later for cell in row)
        return None if again else ", ".join(numbers)
    if len(first) == 1 and numbers == ["0"]:
        # As pandas writes it above labels; then 0 occurs nowhere else, and every other label occurs
        # several times or is longer, such as 1.0.
        counts = Counter(row[0] for row in later)
        unlike = min(counts.values()) > 1 or all(len(cell) > 1 for cell in counts)
        lonely = len(later) > 3 and "0" not in counts and unlike
        return "0" if lonely and np.count_nonzero(table.columns[0] == 0) == 1 else None
    if numbers:
        return None
    # A name of a column occurs nowhere in it; if a word does, it is a label of the first point.
    words = [j for j, cell in enumerate(first) if cell not in EMPTY]
    again = any(np.count_nonzero(table.columns[j] == first[j]) > 1 for j in words)
    undivided = hidden_delimiter(sample[-1][-1]) is not None  # which is refused elsewhere
    return None if again or undivided or not words else first[words[-1]]


def settle_headers(tables: Sequence[FileTable]) -> list[FileTable]:
    """Decide by the other files whether doubtful first rows hold names, or ask the user.

    Files of the same points have equally many rows. If that does not decide, a header in another
    file does.
    """
    certain = [table for table in tables if table.doubt is None]
    rows = {table.n for table in certain}
    headers = any(table.named and table.line is not None for table in certain)

    def settled(table: FileTable) -> FileTable:
        if table.doubt is None:
            return table
        fits, fits_without_first = table.n in rows, table.n - 1 in rows
        if fits and not fits_without_first:
            return table
        if headers or (fits_without_first and not fits):
            return table.doubt.with_names()
        raise unsettled(table, table.doubt.cell)

    return [settled(table) for table in tables]


def unsettled(table: FileTable, cell: str) -> InputError:
    """Return an error that asks whether the first row holds names."""
    line = 1 if table.line is None or table.named else table.line(0)
    return InputError(
        "Is line {line} of {source} ({cell!r}) a header or data? Add {header} or {no_header}.",
        line=line,
        source=table.source,
        cell=cell,
        header=Option("header", True),
        no_header=Option("header", False),
    )


def clean_names(fields: Sequence[str]) -> tuple[str, ...]:
    """Return the column names in a header."""
    names = tuple(map(clean_name, fields))
    return tuple(map(unescape, names)) if are_escaped(names) else names


def clean_name(field: str) -> str:
    """Return the column name in a field of the header."""
    return field.removeprefix("#").strip()
