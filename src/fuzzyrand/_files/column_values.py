"""Read labels, memberships, weights and coordinates from the columns of a table."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any, NoReturn

import numpy as np

from .._base.errors import InputError
from .._base.types import FloatArray
from .._base.wording import Option, Place
from .._clusterings.partition import Partition
from .._clusterings.reading.memberships import SUM_TOLERANCE
from .column_choice import ColumnChoice, ReadingOptions
from .file_table import Array, FilePlace, FileTable, is_numeric, refuse_missing
from .text_cells import MARKS, are_whole, is_number, is_percentage, like_number
from .text_headers import ROUNDED_SUM
from .text_rows import NONE, SPACE, hidden_delimiter

#: Numbers of decimals checked for rounding; with one decimal, a sum of 0.9 may well be a mistake.
DECIMALS = range(2, 9)

#: Number of points from which labels that mostly occur once are taken as ids.
FEW_POINTS = 20

_COMMENT = re.compile(r"#(?:[#\s]|$)")


def read_labels(table: FileTable, choice: ColumnChoice, options: ReadingOptions) -> Array:
    column = choice.columns[0]
    values = table.names_in(column)
    if options.missing is None:
        refuse_missing(table, column, "has no label", "give them a label of their own")
    if is_numeric(values):
        _refuse_fractions(table, column)
        return values
    if column in table.written and not choice.asked:
        _refuse_percentages(table, column)
    if table.line is not None:
        if not choice.asked:
            _refuse_comments(table, column)
        if options.missing is not None and all(value is not None for value in values):
            values = np.array([None if x in MARKS else x for x in values], dtype=object)
    if table.line is None or not values.size or options.delimiter == NONE:
        return values
    last = values.size - 1  # the first may be a header
    divided = hidden_delimiter(str(values[last]))
    if divided is not None:
        raise InputError(
            "{place} was read as one label, {value!r}, but looks like numbers separated by a "
            "{divided}. Do rows have different lengths, or is there another {delimiter}? "
            "{divide} reads them as memberships, {none} as labels.",
            place=table.at(last),
            value=str(values[last]),
            divided=divided,
            delimiter=Option("delimiter"),
            divide=Option("delimiter", divided),
            none=Option("delimiter", "none"),
        )
    return values


def _refuse_fractions(table: FileTable, column: int) -> None:
    values = table.columns[column]
    if values.dtype.kind != "f":
        return
    infinite = np.flatnonzero(np.isinf(values))
    if infinite.size:
        raise InputError(
            "{place} is {value:g}, which is not a label: labels that are numbers are whole.",
            place=table.at(int(infinite[0]), column),
            value=float(values[infinite[0]]),
        )
    fractional = np.flatnonzero((values != np.floor(values)) & ~np.isnan(values))
    if fractional.size:
        row = int(fractional[0])
        raise InputError(
            "{place} is {value:g}, which is not a label: it looks like one column of "
            "memberships. They need a column for each cluster; {columns} chooses them. Labels "
            "with a point need a letter, such as c{value:g}.",
            place=table.at(row, column),
            value=float(values[row]),
            columns=Option("columns"),
        )


def _refuse_comments(table: FileTable, column: int) -> None:
    """Refuse a comment between labels or below them, as NumPy can write it."""
    values = table.names_in(column)
    rows = [i for i, x in enumerate(values) if x is not None and _COMMENT.match(x)]
    if rows and 2 * len(rows) < values.size:
        raise InputError(
            "{place} is {value!r}, which looks like a comment and not like a label. Delete the "
            "line; {labels} takes it as a label after all.",
            place=table.at(rows[0]),
            value=values[rows[0]],
            labels=Option("labels", table.names[column] if table.named else column + 1),
        )


def _refuse_percentages(table: FileTable, column: int) -> None:
    values = table.names_in(column)
    row = next((i for i, value in enumerate(values) if is_percentage(value or "")), None)
    if row is not None:
        raise InputError(
            "{place} is {value!r}, which is probably not a label: it looks like one column of "
            "memberships. They need a column for each cluster; {columns} chooses them, and "
            "{labels} takes these as labels after all.",
            place=table.at(row, column),
            value=values[row],
            columns=Option("columns"),
            labels=Option("labels", table.names[column] if table.named else column + 1),
        )


def refuse_lonely_labels(table: FileTable, choice: ColumnChoice, partition: Partition) -> None:
    """Refuse labels that mostly occur once, as ids do; not called if the user chose the column.

    Of few points, all must have another label, which consists of words: an id and a label.
    """
    lonely = int(np.count_nonzero(partition.sizes == 1.0))
    column = choice.columns[0]
    few = partition.n < FEW_POINTS
    words = lonely == partition.n > 2 and all(" " in str(x) for x in table.names_in(column))
    if 2 * lonely <= partition.n or (few and not words):
        return
    raise InputError(
        "{lonely:,} of the {n:,} labels in {column} of {source} occur only once, as ids do. "
        "{labels} chooses another column, or takes this one after all; {columns} chooses "
        "memberships, and {id} names a column of ids.",
        lonely=lonely,
        n=partition.n,
        column=table.title(column),
        source=table.source,
        labels=Option("labels", table.names[column] if table.named else column + 1),
        columns=Option("columns"),
        id=Option("id"),
    )


def read_memberships(table: FileTable, columns: tuple[int, ...], options: ReadingOptions) -> Any:
    if table.sparse is not None:
        every = len(columns) == table.sparse.shape[1]
        return table.sparse if every else table.sparse[:, list(columns)]
    for column in columns:
        values = table.columns[column]
        if not is_numeric(values) and any(value is not None for value in values):
            _refuse_text(table, column)
        if options.missing != "drop":  # with "drop", rows that are empty throughout are accepted
            refuse_missing(
                table,
                column,
                "is missing",
                "fill in the memberships",
                droppable=lambda: _empty_rows_alone(table, columns),
            )
    if table.matrix is not None and columns == tuple(range(len(table.columns))):
        return np.asarray(table.matrix)  # avoids reassembling the array from its columns
    return np.column_stack([table.columns[column] for column in columns])


def _empty_rows_alone(table: FileTable, columns: tuple[int, ...]) -> bool:
    """Return whether all missing memberships are in rows without any membership."""
    numbers = [table.columns[column] for column in columns]
    missing = np.array([np.isnan(values) for values in numbers if values.dtype.kind == "f"])
    return len(missing) == len(numbers) and bool((missing.all(axis=0) == missing.any(axis=0)).all())


def find_decimals(matrix: Any) -> int | None:
    """Return to how many decimals memberships were rounded, if that explains their sums.

    Return None if they sum to 1 within the tolerance, or if rounding does not explain the sums.
    """
    entries = matrix.data if hasattr(matrix, "tocsr") else matrix
    if matrix.dtype.kind != "f" or not np.all((entries >= 0.0) & (entries <= 1.0)):
        return None
    off = float(np.abs(np.asarray(matrix.sum(axis=1)) - 1.0).max(initial=0.0))
    if off <= 0.5 * SUM_TOLERANCE["float64"]:  # halved, as sums in another order may differ more
        return None
    clusters = matrix.shape[1]
    for decimals in DECIMALS:
        steps = entries * 10.0**decimals
        # At worst, each entry is off by half a step, but with many entries these errors cancel.
        worst = min(0.5 * clusters, 6.0 * math.sqrt(clusters / 12.0)) * 10.0**-decimals
        if off <= min(worst + 1e-9, ROUNDED_SUM) and np.all(np.abs(steps - np.rint(steps)) < 1e-4):
            return decimals
    return None


def read_weights(table: FileTable, choice: ColumnChoice) -> FloatArray | None:
    """Return the weights of the points of a file, if it has any."""
    if choice.weights is None:
        return None
    refuse_missing(
        table, choice.weights, "has no weight", "give them a weight, 0 to leave them out"
    )
    values = table.columns[choice.weights]
    if not is_numeric(values):
        _refuse_text(table, choice.weights)
    bad = np.flatnonzero(~(np.isfinite(values) & (values >= 0.0)))
    if bad.size:
        raise InputError(
            "{place} is {value:g}; weights must be finite and not negative. A weight of 0 leaves a "
            "point out.",
            place=table.at(int(bad[0]), choice.weights),
            value=float(values[bad[0]]),
        )
    return np.asarray(values, dtype=np.float64)


def read_coordinates(table: FileTable, choice: ColumnChoice) -> FloatArray | None:
    """Return the coordinates of the points of a file, if it has any."""
    for column in choice.xy:
        refuse_missing(table, column, "has no coordinate", "give each point two coordinates")
        if not is_numeric(table.columns[column]):
            _refuse_text(table, column)
    if not choice.xy:
        return None
    return np.column_stack([table.columns[column] for column in choice.xy]).astype(np.float64)


def _refuse_text(table: FileTable, column: int) -> NoReturn:
    cells = {i: str(value) for i, value in enumerate(table.columns[column]) if value is not None}
    words = [i for i, cell in cells.items() if not like_number(cell)]
    if not words:
        _refuse_spelling(table, column, cells)
    row = words[0]
    lines = " If whole lines are labels: {none}." if table.delimiter == SPACE else ""
    if table.delimiter is not None and hidden_delimiter(cells[row]) is not None:
        lines += " It looks like several numbers: {divide} divides them."
    if row == 0 and table.line is not None and not table.named:
        lines += " If the first line holds names of columns: {header}."
    raise InputError(
        "{place} is {value!r}, not a number. Several columns are read as memberships; choose them "
        "with {columns}, a column of labels with {labels}, and name a column of ids with {id}."
        + lines,
        place=table.at(row, column),
        value=cells[row],
        columns=Option("columns"),
        labels=Option("labels"),
        id=Option("id"),
        none=Option("delimiter", "none"),
        divide=Option("delimiter", hidden_delimiter(cells[row])),
        header=Option("header", True),
    )


def _refuse_spelling(table: FileTable, column: int, cells: Mapping[int, str]) -> NoReturn:
    """Refuse numbers with a comma, with and without a percent sign in one column, or too large."""
    bare = [i for i, cell in cells.items() if not is_percentage(cell)]
    odd = [i for i, cell in cells.items() if not is_number(cell)]
    if bare and len(bare) < len(cells):
        row, what = bare[0], "without a percent sign, while others in the column have one."
        cure = "Write all of them in the same way."
    elif not odd:
        row = max(cells, key=lambda i: abs(float(cells[i])))
        what, cure = "too large a number.", "Memberships lie between 0 and 1."
        if abs(float(cells[row])) <= 1.0:  # such a column can come from a file with types
            what, cure = "stored as text.", "Store the column as numbers."
    else:
        row, what = odd[0], "not a number: a decimal comma."
        cure = "Write numbers with a point, e.g. by: tr ',' '.' < FILE | fuzzyrand ... -"
    raise InputError(
        "{place} is {value!r}, {what} {cure}",
        place=table.at(row, column),
        value=cells[row],
        what=what,
        cure=cure,
    )


def place_in_file(error: InputError, table: FileTable, choice: ColumnChoice) -> InputError:
    """Turn an error about a row of an array into one about a line of the file."""

    def placed(place: Place) -> FilePlace:
        return table.at(place.row, None if place.column is None else choice.columns[place.column])

    fields: dict[str, Any] = {
        name: placed(field) for name, field in error.fields.items() if isinstance(field, Place)
    }
    fields["cure"] = "Transpose the file."
    after = ""
    if _above_one(error) and not choice.labels and _all_whole(table, choice.columns):
        after = " If each column is a clustering of its own, choose one with {labels}."
        fields["labels"] = Option("labels")
    else:
        if _is_no_share(error) and len(choice.columns) > 1:
            after = " {columns} chooses columns of memberships, {labels} a column of labels."
            fields |= {"columns": Option("columns"), "labels": Option("labels")}
        if error.row == 0 and table.line is not None and not table.named:
            after += " If the first line holds names of columns: {header}."
            fields["header"] = Option("header", True)
    return error.extended(after=after, **fields)


def _is_no_share(error: InputError) -> bool:
    """Return whether the error is about a finite number that is negative or above 1."""
    value = error.value
    return error.column is not None and isinstance(value, float) and bool(np.isfinite(value))


def _above_one(error: InputError) -> bool:
    return _is_no_share(error) and error.value > 1.0


def _all_whole(table: FileTable, columns: tuple[int, ...]) -> bool:
    return all(are_whole(table.columns[j]) for j in columns)
