"""Interpret cells of text, one by one and as columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from .._base.types import FloatArray
from .file_table import Array, is_numeric
from .spreadsheets import are_escaped, unescape

#: Texts that stand for an empty cell: those of pandas, which cover what nearly all programs write.
MISSING = frozenset(
    {"", "#N/A", "#N/A N/A", "#NA", "-NaN", "-nan", "<NA>", "N/A", "NA", "NULL", "NaN", "None",
     "n/a", "nan", "null"}
)  # fmt: skip
#: Marks that stand for an empty cell in a column of numbers; elsewhere, they may be labels.
MARKS = frozenset({".", "-", "--", "?", "*"})
#: How programs write what is true and false.
TRUE, FALSE = frozenset({"True", "TRUE", "true"}), frozenset({"False", "FALSE", "false"})
#: From here on, a double cannot distinguish all integers, so ids and labels must stay text.
LARGEST_WHOLE = 2.0**53

_DECIMAL_COMMA = re.compile(r"[+-]?\d*,\d+(?:[eE][+-]?\d+)?")
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(?:,\d{3})+")
_FORTRAN = re.compile(r"([+-]?(?:\d+[.,]\d*|[.,]\d+))[dD]([+-]?\d+)")
#: Beginnings of numerals that are codes if they are labels or ids: 01, +1, -0, 1E5, and digits of
#: other scripts. (Programs that write numbers with an exponent write a decimal point or a sign as
#: well.)
_CODE = re.compile(r"(?:\+|-?0\d|-0$|\d+[eE]\d|.*[^\x00-\x7F])")
#: The same within a file.
_CODE_IN_TEXT = re.compile(r"(?:^|[\s,;|])(?:\+|-?0\d|-0(?![\d.,])|\d+[eE]\d)")
_OTHER_DIGIT = re.compile(r"(?![0-9])\d")


class TextCells(NamedTuple):
    """A column of text.

    Attributes
    ----------
    values : array
        Numbers (NaN for empty cells) if all cells are numbers, else text (None if empty).
    written : array, optional
        The text of numbers that may be codes, percentages included.
    """

    values: Array
    written: Array | None = None


def is_number(cell: str) -> bool:
    """Return whether a text is a number; unlike in Python, ``1_000`` is not."""
    try:
        float(cell)
    except ValueError:
        return False
    return "_" not in cell


def is_decimal_comma(cell: str) -> bool:
    """Return whether a text is a number with a decimal comma, such as ``0,5``."""
    return _DECIMAL_COMMA.fullmatch(cell.strip()) is not None


def is_whole(cell: str) -> bool:
    """Return whether a text is an integer, such as ``2019``."""
    return cell.removeprefix("-").isdecimal()


def is_percentage(cell: str) -> bool:
    """Return whether a text ends in a percent sign."""
    return cell.endswith("%")


def like_number(cell: str) -> bool:
    """Return whether a text is a number, or one with commas, a percent sign or Fortran's ``D``."""
    plain = _plain(cell)
    return is_number(plain) or is_decimal_comma(plain) or _THOUSANDS.fullmatch(plain) is not None


def _plain(cell: str) -> str:
    """Return a number without a percent sign, and with an E instead of Fortran's D."""
    cell = cell[:-1].rstrip() if is_percentage(cell) else cell
    return _FORTRAN.sub(r"\1e\2", cell) if "d" in cell or "D" in cell else cell


def read_cells(cells: Sequence[str]) -> TextCells:
    """Return numbers if all cells are numbers, else text."""
    missing, there = _divided(cells, MISSING)
    numbers = _numbers(there)
    if numbers is None and not MARKS.isdisjoint(there):
        marked, others = _divided(cells, MISSING | MARKS)
        numbers = _numbers(others)
        if numbers is not None:
            missing, there = marked, others
    if numbers is None and are_escaped(there):
        cells = [unescape(cell) for cell in cells]
    text = np.array(cells, dtype=object)
    text[missing] = None
    if numbers is None or is_ambiguous(numbers):
        return TextCells(text)
    column = np.full(len(cells), np.nan)
    column[~missing] = numbers
    may_be_codes = is_percentage(there[0]) or (are_whole(numbers) and any(map(_CODE.match, there)))
    return TextCells(column, text if may_be_codes else None)


def _divided(cells: Sequence[str], empty: frozenset[str]) -> tuple[Array, Sequence[str]]:
    """Return a mask of the empty cells, and the others."""
    if empty.isdisjoint(cells):  # the usual case, and quick to check
        return np.zeros(len(cells), dtype=bool), cells
    missing = np.array([cell in empty for cell in cells])
    return missing, [cell for cell in cells if cell not in empty]


def _numbers(cells: Sequence[str]) -> FloatArray | None:
    """Return cells as numbers, or None if some are not; percent signs are on all cells or none."""
    if not cells or any("_" in cell for cell in cells):
        return None
    try:
        return np.array(cells, dtype=np.float64)
    except ValueError:
        pass
    percent = is_percentage(cells[0])
    if any(is_percentage(cell) != percent or not is_number(_plain(cell)) for cell in cells):
        return None
    return np.array([_plain(cell) for cell in cells], dtype=np.float64) / (100.0 if percent else 1)


def are_whole(numbers: FloatArray) -> bool:
    """Return whether no number has a fraction."""
    return bool(np.all(numbers == np.floor(numbers)))


def may_hold_codes(text: str) -> bool:
    """Return whether a text has numerals that may be codes, such as 01."""
    if not text.isascii() and _OTHER_DIGIT.search(text):
        return True
    return _CODE_IN_TEXT.search(text) is not None


def is_ambiguous(numbers: FloatArray) -> bool:
    """Return whether there is a number so large that several integers share its double."""
    return bool(np.any(np.isfinite(numbers) & (np.abs(numbers) >= LARGEST_WHOLE)))


def read_commas(columns: tuple[Array, ...], delimiter: str) -> tuple[tuple[Array, ...], str]:
    """Replace texts such as ``0,5`` by numbers; return the columns and what the commas mean.

    This requires at least two such columns, because a single one may hold labels. In a
    comma-separated file, such cells were quoted. There, ``"3,955"`` means thousands if all cells
    with commas have three digits after every comma and no leading zero.
    """
    texts = {
        j: column
        for j, column in enumerate(columns)
        if not is_numeric(column) and _has_commas(column)
    }
    if len(texts) < 2:
        return columns, ""
    thousands = delimiter == "," and all(
        is_number(cell) or _THOUSANDS.fullmatch(cell)
        for column in texts.values()
        for cell in column
        if cell is not None
    )
    point = "" if thousands else "."
    numbers = {j: _read_commas(column, point) for j, column in texts.items()}
    replaced = tuple(numbers.get(j, column) for j, column in enumerate(columns))
    return replaced, "commas between thousands" if thousands else "decimal commas"


def _has_commas(column: Array) -> bool:
    """Return whether all cells that are not empty are numbers, some of them with a comma.

    Either all of them have a percent sign, or none.
    """
    there = [cell for cell in column if cell is not None]
    alike = len({is_percentage(cell) for cell in there}) == 1
    return alike and all(map(like_number, there)) and any("," in cell for cell in there)


def _read_commas(column: Array, point: str) -> FloatArray:
    numbers = [np.nan if cell is None else _plain(cell).replace(",", point) for cell in column]
    percent = any(cell is not None and is_percentage(cell) for cell in column)
    return np.array(numbers, dtype=np.float64) / (100.0 if percent else 1.0)


def read_truths(columns: Sequence[Array]) -> dict[int, FloatArray]:
    """Return columns of True and False as numbers, as memberships in one cluster each.

    There must be at least two, because a single one holds labels.
    """
    texts = {j: column for j, column in enumerate(columns) if not is_numeric(column)}
    truths = {
        j: np.array([cell in TRUE for cell in column], dtype=np.float64)
        for j, column in texts.items()
        if all(cell in TRUE or cell in FALSE for cell in column)
    }
    return truths if len(truths) > 1 else {}


def is_empty(column: Array) -> bool:
    """Return whether all cells of a column are empty."""
    if column.dtype.kind == "f":
        return bool(np.isnan(column).all())
    return all(cell is None for cell in column)
