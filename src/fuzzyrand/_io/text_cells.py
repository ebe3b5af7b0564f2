"""Cells of text: what they stand for, by themselves and as a column."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from .._base.types import FloatArray
from .table import Array, is_numeric

#: What a cell that was left empty looks like: as pandas reads it, which nearly all programs write.
MISSING = frozenset(
    {"", "#N/A", "#N/A N/A", "#NA", "-NaN", "-nan", "<NA>", "N/A", "NA", "NULL", "NaN", "None",
     "n/a", "nan", "null"}
)  # fmt: skip
#: Beyond, a double no longer tells whole numbers apart: ids and labels must stay text.
LARGEST_WHOLE = 2.0**53

_DECIMAL_COMMA = re.compile(r"[+-]?\d*,\d+(?:[eE][+-]?\d+)?")
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(?:,\d{3})+")


def is_number(cell: str) -> bool:
    """Whether a text stands for a number. (Python would also take ``1_000``.)."""
    try:
        float(cell)
    except ValueError:
        return False
    return "_" not in cell


def is_decimal_comma(cell: str) -> bool:
    """Whether a text is a number as in ``0,5``."""
    return _DECIMAL_COMMA.fullmatch(cell.strip()) is not None


def like_number(cell: str) -> bool:
    """Whether a text is a number, with a point or commas."""
    return is_number(cell) or is_decimal_comma(cell) or _THOUSANDS.fullmatch(cell) is not None


def column_of(cells: Sequence[str]) -> Array:
    """Return numbers (NaN where a cell is empty) if all are, else text (None where empty)."""
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
    """Whether there is a number that may stand for several whole ones."""
    return bool(np.any(np.isfinite(numbers) & (np.abs(numbers) >= LARGEST_WHOLE)))


def without_commas(columns: tuple[Array, ...], delimiter: str) -> tuple[tuple[Array, ...], str]:
    """Return columns with numbers instead of texts such as ``0,5``, and what the commas are.

    Several such columns, that is: one alone may be labels. In a comma-separated file such cells
    were quoted. There ``"3,955"`` is a number of thousands, if all cells are like that: with three
    digits after every comma, and no zero in front.
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
    """Whether all that is there is a number, and some with a comma."""
    there = [cell for cell in column if cell is not None]
    return all(map(like_number, there)) and any("," in cell for cell in there)


def is_empty(column: Array) -> bool:
    """Whether there is nothing in a column."""
    if column.dtype.kind == "f":
        return bool(np.isnan(column).all())
    return all(cell is None for cell in column)
