"""Read a file with the contingency table of two clusterings, in place of two files of points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .._base.errors import InputError
from .._base.wording import Option, Place
from .._clusterings.counts import read_counts
from .column_choice import ReadingOptions
from .column_lookup import find_column, list_names
from .file_table import Array, FileTable, is_numeric
from .files import read_table
from .readings import Reading
from .text_cells import like_number


def read_count_table(path: str, options: ReadingOptions) -> list[Reading]:
    """Read the numbers of points that each two clusters share.

    Parameters
    ----------
    path : str
        Path of the file; ``-`` is standard input.
    options : ReadingOptions
        Delimiter, header, and as ``id`` the column with the names of the clusters of the first
        clustering.
    """
    wanted = options.of("id", 0, 1)
    table = read_table(
        path, options.text(0, 1), frozenset((wanted,) if wanted else ()), options.max_size
    )
    named = _column_of_names(table, options)
    columns = tuple(j for j in range(len(table.names)) if j != named)
    if len(columns) < 2:
        raise InputError(
            "{source} has {number} column{s} of numbers; a table of counts needs one for each "
            "cluster of the second clustering. Files with a label for each point are compared "
            "without {table}.",
            source=table.source,
            number=len(columns),
            s="s" * (len(columns) != 1),
            table=Option("table"),
        )
    _refuse_doubtful_header(table, columns, options)
    names = (
        range(1, table.n + 1) if named is None else [_written(v) for v in table.names_in(named)],
        [table.names[j] or str(j + 1) for j in columns],
    )
    numbers = _numbers(table, columns)
    try:
        partitions = read_counts(numbers, "contingency table", names)
    except InputError as error:
        raise _placed(error, table, columns) from None
    how = "" if named is None else f", rows named by {table.title(named)}"
    readings = []
    for side, partition in zip(("rows", "columns"), partitions, strict=True):
        assert partition.names is not None
        clusters = tuple(partition.names)
        said = f"clusters {list_names(clusters)} of a table of counts ({table.how}{how})"
        readings.append(Reading(f"{side} of {table.source}", partition, clusters, said))
    return readings


def _written(name: Any) -> str:
    """Write the name of a cluster; whole numbers that were read as floats lose their point."""
    is_float = isinstance(name, float | np.floating)
    return str(int(name)) if is_float and float(name).is_integer() else str(name)


def _column_of_names(table: FileTable, options: ReadingOptions) -> int | None:
    """Return the column that names the clusters of the first clustering, if there is one."""
    if options.id:
        wanted = options.of("id", 0, 1)
        if wanted == "1":  # the first column, even if another one is the cluster called 1
            return 0
        return None if wanted is None else find_column(table, wanted, "id")
    if table.index:
        return table.index[0]
    if len(table.names) < 2:
        return None
    first = table.columns[0]
    if not is_numeric(first):
        words = [value for value in first if value is not None and not like_number(str(value))]
        return 0 if words else None
    numbers = [like_number(name) for name in table.names]
    if table.named and not numbers[0] and all(numbers[1:]):
        return 0
    if _counts_upwards(first):
        raise InputError(
            "{column} of {source} counts the rows, and may hold the names of clusters or numbers "
            "of points. If it holds names: {names}; if not: {none}.",
            column=table.title(0),
            source=table.source,
            names=Option("id", table.names[0]),
            none=Option("id", ""),
        )
    return None


def _refuse_doubtful_header(
    table: FileTable, columns: Sequence[int], options: ReadingOptions
) -> None:
    """Refuse a text file whose first row was read as counts, but may number the clusters."""
    if table.named or options.header or table.line is None or table.n < 2:
        return
    first = np.array([table.columns[j][0] for j in columns if is_numeric(table.columns[j])])
    if _counts_upwards(first):
        raise InputError(
            "{place} counts the columns, and may hold the names of clusters or numbers of points. "
            "If it holds names: {header}; if not: {none}.",
            place=table.at(0),
            header=Option("header", True),
            none=Option("header", False),
        )


def _counts_upwards(numbers: Array) -> bool:
    """Return whether numbers are 0, 1, 2, ... or 1, 2, 3, ..."""
    if numbers.size < 2 or numbers[0] not in (0, 1):
        return False
    return bool(np.array_equal(numbers, numbers[0] + np.arange(numbers.size)))


def _numbers(table: FileTable, columns: Sequence[int]) -> Any:
    if table.sparse is not None:
        return table.sparse[:, list(columns)]
    for column in columns:
        values = table.columns[column]
        if is_numeric(values):
            continue
        words = (i for i, value in enumerate(values) if not like_number(str(value or "")))
        row = next(words, 0)
        raise InputError(
            "{place} is {value!r}; expected a number of points. Write 0 where there are none.",
            place=table.at(row, column),
            value=values[row] or "",
        )
    return np.column_stack([table.columns[column] for column in columns])


def _placed(error: InputError, table: FileTable, columns: Sequence[int]) -> InputError:
    """Turn an error about a cell of an array into one about a line of the file."""
    place = error.place
    assert isinstance(place, Place)
    column = None if place.column is None else columns[place.column]
    return error.extended(place=table.at(place.row, column))
