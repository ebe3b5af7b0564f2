"""A table of named columns, which knows the position of each row in the file."""

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
    """Columns of a sparse matrix, each of which is made full on access."""

    def __init__(self, matrix: Any) -> None:
        self._matrix = matrix

    def __len__(self) -> int:
        return int(self._matrix.shape[1])

    def __getitem__(self, column: Any) -> Any:
        return self._matrix[:, [range(len(self))[column]]].toarray()[:, 0]


@dataclass(frozen=True, eq=False)
class Table:
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
        """Return the name of a column in messages."""
        return f"column {self.names[column]!r}" if self.named else f"column {column + 1}"

    def at(self, row: int | None = None, column: int | None = None) -> FilePlace:
        """Return a position in the file, for a message."""
        return FilePlace(self.source, row, column, table=self)


@dataclass(frozen=True)
class FilePlace(Place):
    """A position in a file, given by its line and the name of its column."""

    table: Table | None = None

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


def refuse_missing(
    table: Table, column: int, what: str, cure: str, *, droppable: bool = True
) -> None:
    """Refuse a column with empty cells; ``droppable`` says whether an option leaves them out."""
    values = table.columns[column]
    if values.dtype.kind == "f":
        missing = np.flatnonzero(np.isnan(values))
    elif values.dtype.kind == "O":
        missing = np.flatnonzero([value is None for value in values])
    else:
        return
    if missing.size:
        raise InputError(
            "{place} {what}{more}. Drop such points from both clusterings"
            + (" ({drop})" if droppable else "")
            + ", or {cure}.",
            place=table.at(int(missing[0]), column),
            what=what,
            more=f" ({missing.size:,} such rows in all)" if missing.size > 1 else "",
            cure=cure,
            drop=Option("missing", "drop"),
        )
