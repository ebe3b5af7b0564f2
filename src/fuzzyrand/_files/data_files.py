"""Read a file of data to be clustered: columns of numbers, with points in rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._base.errors import InputError
from .._base.wording import Option
from .column_choice import ReadingOptions
from .column_lookup import find_column, find_columns, list_names
from .file_table import Array, FileTable, is_numeric
from .files import read_table
from .id_columns import is_named_id
from .text_headers import settle_headers


@dataclass(frozen=True, eq=False)
class Data:
    """Data that can be clustered, and how they were read.

    Attributes
    ----------
    source : str
        Name of the file in messages.
    rows : array or SciPy matrix
        The numbers, with points in rows.
    columns : tuple of str
        Names of the columns.
    ids : list or None
        Names of the points.
    groups : array or None
        Group of each point.
    how : str
        Description of how the file was read.
    """

    source: str
    rows: Any
    columns: tuple[str, ...]
    ids: list[Any] | None
    groups: Array | None
    how: str

    def __str__(self) -> str:
        n, width = self.rows.shape
        return f"{self.source}: {n:,} points, {width} column{'s' * (width != 1)}; {self.how}"

    def to_dict(self) -> dict[str, Any]:
        """Return how the file was read as plain Python values, ready for JSON."""
        return {"file": self.source, "n": self.rows.shape[0], "columns": list(self.columns)}


def read_data(path: str, options: ReadingOptions, groups: str | None = None) -> Data:
    """Read a file of data.

    Columns of text, and those that name the points, are left out unless they were asked for.

    Parameters
    ----------
    path : str
        Path of the file; ``-`` is standard input.
    options : ReadingOptions
        Which columns to use, and how to read them.
    groups : str, optional
        Column with the groups of the points.
    """
    chosen, key = options.of("columns", 0, 1), options.of("id", 0, 1)
    named = [text for text in (chosen, key, groups) if text]
    wanted = frozenset(part for text in named for part in (text, *text.split(",")))
    table = read_table(path, options.text(0, 1), wanted, options.max_size)
    (table,) = settle_headers([table])
    of_groups = find_column(table, groups, "groups") if groups else None
    identity = find_column(table, key, "id") if key else _own_id(table, of_groups)
    left = [j for j in range(len(table.names)) if j not in (identity, of_groups, *table.index)]
    texts: list[int] = []
    if chosen:
        left = list(find_columns(table, chosen, "columns"))
    elif table.sparse is None:
        texts = [j for j in left if not is_numeric(table.columns[j])]
        left = [j for j in left if j not in texts]
    if not left:
        raise InputError(
            "{source} has no columns of numbers to cluster; it has {names}.",
            source=table.source,
            names=list_names(table.title(j) for j in range(len(table.names))) or "no columns",
        )
    whole = table.sparse is not None and len(left) == len(table.names)
    rows = table.sparse.tocsr() if whole else _matrix(table, left)
    ids = table.ids if identity is None else table.names_in(identity).tolist()
    out = [table.title(j) for j in texts]
    return Data(
        table.source,
        rows,
        tuple(table.names[j] for j in left),
        None if ids is None else list(ids),
        None if of_groups is None else table.names_in(of_groups),
        table.how
        + (f", points named by {table.title(identity)}" if identity is not None else "")
        + (f"; left out, as text: {list_names(out)}" if out else ""),
    )


def _own_id(table: FileTable, groups: int | None) -> int | None:
    """Return the column that names the points: the index, one called an id, or text of its own."""
    if table.index:
        return table.index[0]
    if table.sparse is not None:
        return None
    for j in range(len(table.names)):
        values = table.names_in(j).tolist()
        if j == groups or None in values or len(set(values)) < len(values):
            continue
        if is_named_id(table, j) or not is_numeric(table.columns[j]):
            return j
    return None


def _matrix(table: FileTable, columns: Sequence[int]) -> Array:
    """Return columns as a matrix of finite numbers, or refuse a cell that is none."""
    for j in columns:
        column = table.columns[j]
        if not is_numeric(column):
            raise InputError(
                "{place} holds text ({value!r}), and data to be clustered are numbers. Choose "
                "other columns with {columns}.",
                place=table.at(0, j),
                value=str(column[0]),
                columns=Option("columns"),
            )
        wrong = np.flatnonzero(~np.isfinite(np.asarray(column, dtype=np.float64)))
        if wrong.size:
            raise InputError(
                "{place} is empty or not a finite number{more}. Fill in such cells or leave out "
                "their rows, or choose other columns with {columns}.",
                place=table.at(int(wrong[0]), j),
                more=f" ({wrong.size:,} such rows in all)" if wrong.size > 1 else "",
                columns=Option("columns"),
            )
    return np.column_stack([np.asarray(table.columns[j], dtype=np.float64) for j in columns])
