"""A table of named columns, which knows the position of each row in the file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .._base.errors import InputError
from .._base.wording import Option, Place

Array = npt.NDArray[Any]
#: How pandas calls an index without a name that was written, read and written again.
UNNAMED = "Unnamed: 0"


class SparseColumns(Sequence[Array]):
    """Columns of a sparse matrix, each of which is made full on access."""

    def __init__(self, matrix: Any) -> None:
        self._matrix = matrix

    def __len__(self) -> int:
        return int(self._matrix.shape[1])

    def __getitem__(self, column: Any) -> Any:
        return self._matrix[:, [range(len(self))[column]]].toarray()[:, 0]


class Doubt(NamedTuple):
    """A cell of the first row that may be a name, and the table as it is if it is one."""

    cell: str
    with_names: Callable[[], FileTable]


@dataclass(frozen=True, eq=False)
class FileTable:
    """Named columns, with the position of each row in the file.

    Attributes
    ----------
    source : str
        Name of the file in messages.
    names : tuple of str
        Names of the columns; their numbers from 1 if the file has no names.
    columns : sequence of array
        Numbers, or objects that are text (None for an empty cell).
    how : str
        Description of how the file was read.
    named : bool
        Whether the names come from the file.
    line : function, optional
        Function from a row, counted from 0, to a line of the file, counted from 1.
    groups : mapping
        Names that stand for several columns: the matrices of an NPZ file.
    delimiter : str, optional
        The delimiter of a text file.
    ids : sequence of str, optional
        Names of the points in the file, if its format includes them.
    sparse : SciPy matrix, optional
        All columns together, if they are read from a large sparse matrix.
    matrix : array, optional
        All columns as one array of numbers, if the file holds such an array.
    index : tuple of int
        Columns that name the rows: the index of a data frame, the row names of R.
    written : mapping
        Columns of numbers that are text if they are labels or ids, such as 01: this text.
    doubt : Doubt, optional
        Set if the first row was read as a point, but may hold names.
    """

    source: str
    names: tuple[str, ...]
    columns: Sequence[Array]
    how: str
    named: bool = True
    line: Callable[[int], int] | None = None
    groups: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    delimiter: str | None = None
    ids: Sequence[str] | None = None
    sparse: Any = None
    matrix: Array | None = None
    index: tuple[int, ...] = ()
    written: Mapping[int, Array] = field(default_factory=dict)
    doubt: Doubt | None = None

    @property
    def n(self) -> int:
        """Number of rows."""
        if self.sparse is not None:
            return int(self.sparse.shape[0])
        return int(self.columns[0].shape[0]) if self.columns else 0

    def names_in(self, column: int) -> Array:
        """Return a column as labels or ids: text that only looks like a number stays text."""
        return self.written.get(column, self.columns[column])

    @cached_property
    def places(self) -> dict[str, list[int]]:
        """The columns of each name."""
        places: dict[str, list[int]] = {}
        for column, name in enumerate(self.names):
            places.setdefault(name, []).append(column)
        return places

    def title(self, column: int) -> str:
        """Return the name of a column in messages."""
        name = self.names[column] if self.named else ""
        return f"column {name!r}" if name else f"column {column + 1}"

    def at(self, row: int | None = None, column: int | None = None) -> FilePlace:
        """Return a position in the file, for a message."""
        return FilePlace(self.source, row, column, table=self)


@dataclass(frozen=True)
class FilePlace(Place):
    """A position in a file, given by its line and the name of its column."""

    table: FileTable | None = None

    def short(self) -> str:
        """Return the position without the name of the file."""
        if self.table is None or self.row is None:
            return str(self)
        line, row = self.table.line, self.row
        where = f"row {row + 1} (counted from 1)" if line is None else f"line {line(row)}"
        return where if self.column is None else f"{where}, {self.table.title(self.column)}"

    def counted_from_one(self) -> str:
        """Return the position, which is counted from 1 already."""
        return str(self)

    def __str__(self) -> str:
        return self.source if self.row is None else f"{self.short()} of {self.source}"


def is_numeric(column: Array) -> bool:
    """Return whether a column holds numbers or Booleans."""
    return column.dtype.kind in "biuf"


def describe_left_out(table: FileTable, ids: int | None = None) -> str:
    """Say that a column with names of the rows was not used; plain row numbers go unsaid."""
    if ids is None and not table.index:
        return ""
    column = table.index[0] if ids is None else ids
    if not table.names[column] and table.named:
        return ", the first column left out: it has no name"
    if np.array_equal(table.columns[column], np.arange(table.n)):
        return ""
    return f", {table.title(column)} left out: it names the rows"


def refuse_missing(
    table: FileTable,
    column: int,
    what: str,
    cure: str,
    *,
    droppable: Callable[[], bool] | None = None,
) -> None:
    """Refuse a column with empty cells; ``droppable`` finds out if an option leaves them out."""
    values = table.columns[column]
    if values.dtype.kind == "f":
        missing = np.flatnonzero(np.isnan(values))
    elif values.dtype.kind == "O":
        missing = np.flatnonzero([value is None for value in values])
    else:
        return
    if missing.size:
        at_end = table.line is not None and missing[0] == table.n - missing.size > 0
        raise InputError(
            "{place} {what}{more}. Drop such points from both clusterings"
            + (" ({drop})" if droppable is None or droppable() else "")
            + ", or {cure}."
            + (" If such lines at the end belong to no point, delete them." if at_end else ""),
            place=table.at(int(missing[0]), column),
            what=what,
            more=f" ({missing.size:,} such rows in all)" if missing.size > 1 else "",
            cure=cure,
            drop=Option("missing", "drop"),
        )
