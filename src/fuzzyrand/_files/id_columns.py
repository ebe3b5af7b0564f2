"""Find the column of a table that names the points, if nobody named it."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from .file_table import UNNAMED, Array, FileTable, is_numeric
from .text_cells import are_whole, is_whole, like_number
from .text_headers import is_usual_id


def has_row_names(table: FileTable) -> bool:
    """Return whether rows have names of their own.

    The numbers 0, 1, 2, ... are none, in any order if their column has no name: these are the rows
    of a data frame, and other frames of the same points may have others.
    """
    numbers = np.arange(table.n)
    return any(
        not np.array_equal(table.columns[j], numbers)
        and not (is_unnamed(table, j) and is_whole_column(table.columns[j]))
        for j in table.index
    )


def is_unnamed(table: FileTable, column: int) -> bool:
    return table.names[column] in ("", "index", UNNAMED)


def find_id_among(table: FileTable, columns: Sequence[int]) -> int | None:
    """Return the column that names the points beside labels or memberships, if there is one.

    Its values are all different. It is the only text beside memberships; beside one column of
    labels, which repeat, it may also hold whole numbers (beside others only if it is called an id).
    """
    texts = [j for j in columns if not is_numeric(table.columns[j])]
    named = [j for j in columns if is_named_id(table, j)]
    if len(columns) < 2 or not (texts or (len(columns) == 2 and len(named) == 1)):
        return None
    if len(columns) > 2:
        return texts[0] if len(texts) == 1 and _are_different(table.columns[texts[0]]) else None
    different = [j for j in columns if _are_different(table.names_in(j))]
    labels = [j for j in columns if j not in different and may_be_labels(table.columns[j])]
    found = different if texts else [j for j in named if j in different]
    return found[0] if len(found) == len(labels) == 1 else None


def find_id_beside(table: FileTable, chosen: Collection[int | None]) -> int | None:
    """Return the column that names the points beside columns that the user chose, if there is one.

    Its values are all different, and it is called an id, or is the only such text.
    """
    others = [j for j in range(len(table.names)) if j not in chosen and j not in table.index]
    called = [j for j in others if table.named and is_usual_id(table.names[j])]
    texts = [j for j in others if not is_numeric(table.columns[j])]
    for among in (called, texts):
        different = [j for j in among if _are_different(table.names_in(j))]
        if len(different) == 1:
            return different[0]
    return None


def _are_different(column: Array) -> bool:
    """Return whether the values of a column are words or whole numbers, and all different.

    A word among numbers is rather a mistake.
    """
    values = column.tolist()
    if None in values or len(set(values)) < len(values):
        return False
    if is_numeric(column):
        return column.dtype.kind != "f" or are_whole(column)  # NaN is not whole
    numbers = [str(value) for value in values if like_number(str(value))]
    return not numbers or (len(numbers) == len(values) and all(map(is_whole, numbers)))


def may_be_labels(column: Array) -> bool:
    """Return whether a column holds texts or whole numbers that repeat."""
    whole = column.dtype.kind != "f" or are_whole(column[~np.isnan(column)])
    return whole and len(set(column.tolist())) < column.size


def is_named_id(table: FileTable, column: int) -> bool:
    """Return whether a column of whole numbers has a usual name of ids."""
    if not table.named or not is_usual_id(table.names[column]):
        return False
    return is_whole_column(table.columns[column])


def is_whole_column(column: Array) -> bool:
    return is_numeric(column) and are_whole(column)
