"""Cells of text: what they stand for, each by itself and as a column."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from .._base.types import FloatArray
from .files import Array, is_numeric

#: What a cell that was left empty looks like.
MISSING = frozenset({"", "NA", "N/A", "NaN", "nan", "null", "NULL"})
#: Beyond, a double no longer tells whole numbers apart: ids and labels must stay text.
LARGEST_WHOLE = 2.0**53

_DECIMAL_COMMA = re.compile(r"[+-]?\d*,\d+(?:[eE][+-]?\d+)?")


def is_number(cell: str) -> bool:
    """Does this text stand for a number? (Python would also take ``1_000``.)"""
    try:
        float(cell)
    except ValueError:
        return False
    return "_" not in cell


def is_decimal_comma(cell: str) -> bool:
    """A number written as in ``0,5``."""
    return _DECIMAL_COMMA.fullmatch(cell.strip()) is not None


def like_number(cell: str) -> bool:
    """A number, with a point or a comma."""
    return is_number(cell) or is_decimal_comma(cell)


def column_of(cells: Sequence[str]) -> Array:
    """Numbers (NaN where a cell is empty) if all are, else text (None where empty)."""
    whole = MISSING.isdisjoint(cells)  # as most often, and quick to see
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
    """Is there a number that may stand for several whole ones?"""
    return bool(np.any(np.isfinite(numbers) & (np.abs(numbers) >= LARGEST_WHOLE)))


def without_decimal_commas(columns: tuple[Array, ...]) -> tuple[tuple[Array, ...], bool]:
    """Numbers of columns that have them with a comma, and whether there are any.

    Several such columns, that is: one alone may be labels.
    """
    commas = {
        j: column
        for j, column in enumerate(columns)
        if not is_numeric(column) and _has_decimal_commas(column)
    }
    if len(commas) < 2:
        return columns, False
    numbers = {
        j: np.array([np.nan if cell is None else cell.replace(",", ".") for cell in column], float)
        for j, column in commas.items()
    }
    return tuple(numbers.get(j, column) for j, column in enumerate(columns)), True


def _has_decimal_commas(column: Array) -> bool:
    """Is all that is there a number, and some with a comma?"""
    there = [cell for cell in column if cell is not None]
    return all(map(like_number, there)) and any("," in cell for cell in there)


def is_empty(column: Array) -> bool:
    """Is there nothing in a column?"""
    if column.dtype.kind == "f":
        return bool(np.isnan(column).all())
    return all(cell is None for cell in column)
