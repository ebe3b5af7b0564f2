"""A table of named columns, and the way back from a row to its place in the file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from .._base.errors import InputError
from .._base.wording import Option, Place

Array = npt.NDArray[Any]


class SparseColumns(Sequence[Array]):
    """Columns of a sparse matrix, each of which is made full when it is looked at."""

    def __init__(self, matrix: Any) -> None:
        self._matrix = matrix

    def __len__(self) -> int:
        return int(self._matrix.shape[1])

    def __getitem__(self, column: Any) -> Any:
        return self._matrix[:, [range(len(self))[column]]].toarray()[:, 0]


@dataclass(frozen=True, eq=False)
class Table:
    """Named columns, and the way back from a row to its place in the file.

    Attributes
    ----------
    source : str
        What messages call the file.
    names : tuple of str
        Of the columns; their numbers from 1 where the file has no names.
    columns : sequence of array
        Numbers, or objects that are text (None where a cell is empty).
    how : str
        How the file was read, in words.
    named : bool
        Whether the names are the file's own.
    line : function, optional
        From a row, counted from 0, to a line of the file, counted from 1.
    groups : mapping
        Names that stand for several columns: the matrices of an NPZ file.
    delimiter : str, optional
        What divides the fields, in a text file.
    ids : sequence of str, optional
        What the file calls its points, where its format has a place for that.
    sparse : SciPy matrix, optional
        All columns together, where most of them is zero.
    matrix : array, optional
        All columns as one array of numbers, where the file holds such an array.
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

    @property
    def n(self) -> int:
        """Number of rows."""
        if self.sparse is not None:
            return int(self.sparse.shape[0])
        return int(self.columns[0].shape[0]) if self.columns else 0

    def title(self, column: int) -> str:
        """Return what messages call a column."""
        return f"column {self.names[column]!r}" if self.named else f"column {column + 1}"

    def at(self, row: int | None = None, column: int | None = None) -> FilePlace:
        """Return a place in the file, for a message."""
        return FilePlace(self.source, row, column, table=self)


@dataclass(frozen=True)
class FilePlace(Place):
    """A place in a file, told by its line and the name of its column."""

    table: Table | None = None

    def short(self) -> str:
        """Return the place without the name of the file."""
        if self.table is None or self.row is None:
            return str(self)
        line, row = self.table.line, self.row
        where = f"row {row + 1}, counted from 1" if line is None else f"line {line(row)}"
        return where if self.column is None else f"{where}, {self.table.title(self.column)}"

    def __str__(self) -> str:
        return self.source if self.row is None else f"{self.short()} of {self.source}"


def is_numeric(column: Array) -> bool:
    """Whether a column holds numbers or truth values."""
    return column.dtype.kind in "biuf"


def refuse_missing(table: Table, column: int, what: str, cure: str) -> None:
    """Refuse a column with empty cells."""
    values = table.columns[column]
    if values.dtype.kind == "f":
        missing = np.flatnonzero(np.isnan(values))
    elif values.dtype.kind == "O":
        missing = np.flatnonzero([value is None for value in values])
    else:
        return
    if missing.size:
        raise InputError(
            "{place} {what}{more}. Drop such points from both clusterings ({drop}), or {cure}.",
            place=table.at(int(missing[0]), column),
            what=what,
            more=f" ({missing.size:,} such rows in all)" if missing.size > 1 else "",
            cure=cure,
            drop=Option("missing", "drop"),
        )
