"""Interpret cells of text, one by one and as columns."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from .._base.types import FloatArray
from .table import Array, is_numeric

#: Texts that stand for an empty cell: those of pandas, which cover what nearly all programs write.
MISSING = frozenset(
    {"", "#N/A", "#N/A N/A", "#NA", "-NaN", "-nan", "<NA>", "N/A", "NA", "NULL", "NaN", "None",
     "n/a", "nan", "null"}
)  # fmt: skip
#: From here on, a double cannot distinguish all integers, so ids and labels must stay text.
LARGEST_WHOLE = 2.0**53

_DECIMAL_COMMA = re.compile(r"[+-]?\d*,\d+(?:[eE][+-]?\d+)?")
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(?:,\d{3})+")


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


def like_number(cell: str) -> bool:
    """Return whether a text is a number, with a decimal point or with commas."""
    return is_number(cell) or is_decimal_comma(cell) or _THOUSANDS.fullmatch(cell) is not None


def column_of(cells: Sequence[str]) -> Array:
    """Return numbers (NaN for empty cells) if all cells are numbers, else text (None if empty)."""
    whole = MISSING.isdisjoint(cells)  # the usual case, and quick to check
    missing = np.zeros(len(cells), bool) if whole else np.array([c in MISSING for c in cells])
    there = cells if whole else [cell for cell in cells if cell not in MISSING]
    if there and not any("_" in cell for cell in there):
        try:
            numbers = np.array(there, dtype=np.float64)
        except ValueError:
            pass
        else:
            if not is_ambiguous(numbers):
                column = np.full(len(cells), np.nan)
                column[~missing] = numbers
                return column
    text = np.array(cells, dtype=object)
    text[missing] = None
    return text


def is_ambiguous(numbers: FloatArray) -> bool:
    """Return whether there is a number so large that several integers share its double."""
    return bool(np.any(np.isfinite(numbers) & (np.abs(numbers) >= LARGEST_WHOLE)))


def without_commas(columns: tuple[Array, ...], delimiter: str) -> tuple[tuple[Array, ...], str]:
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
    numbers = {
        j: np.array(
            [np.nan if cell is None else cell.replace(",", point) for cell in column], float
        )
        for j, column in texts.items()
    }
    replaced = tuple(numbers.get(j, column) for j, column in enumerate(columns))
    return replaced, "commas between thousands" if thousands else "decimal commas"


def _has_commas(column: Array) -> bool:
    """Return whether all cells that are not empty are numbers, some of them with a comma."""
    there = [cell for cell in column if cell is not None]
    return all(map(like_number, there)) and any("," in cell for cell in there)


def is_empty(column: Array) -> bool:
    """Return whether all cells of a column are empty."""
    if column.dtype.kind == "f":
        return bool(np.isnan(column).all())
    return all(cell is None for cell in column)
