"""Read and check a block of labels or memberships as if it were a whole clustering."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..._base.errors import InputError
from ..._base.types import FloatArray, IntArray
from ..._base.wording import Option, Sentence
from ..._base.wording import Place as FaultyPlace
from ..options import InputOptions
from ..reading.labels import encode_labels
from ..reading.memberships import Memberships, read_memberships
from .source import Chunk

#: Advice in messages that names options which clusterings in blocks lack, and what to say instead.
ADVICE = {
    "dropping": Sentence.of(
        "drop such points from both clusterings beforehand ({drop} is not available for "
        "clusterings in blocks)",
        drop=Option("missing", "drop"),
    ),
    "ways": Sentence.of(
        "{normalize} divides each row by its sum.", normalize=Option("normalize", True)
    ),
}


def as_given(chunk: Chunk, start: int) -> tuple[Chunk, int]:
    """Return the rows of a block as they were given, and the number of the first row."""
    return chunk, start


def labels_of_block(chunk: Chunk, start: int, name: str) -> tuple[IntArray, list[Any]]:
    """Return the codes of a block, numbered by its own labels, and these labels."""
    rows = _at_least_two(chunk)
    try:
        codes, different = encode_labels(rows, name)
    except InputError as error:
        raise _in_whole(error, start) from None
    labels = [label.item() if isinstance(label, np.generic) else label for label in different]
    return codes[: chunk.shape[0]], labels


def memberships_of_block(
    chunk: Chunk, start: int, name: str, options: InputOptions, columns: Sequence[str] | None
) -> Memberships:
    """Read the memberships of a block."""
    try:
        read = read_memberships(_at_least_two(chunk), name, options)
    except InputError as error:
        raise _in_whole(error, start, columns) from None
    n = chunk.shape[0]
    return read._replace(rows=read.rows.take(np.arange(n)))


@dataclass(frozen=True, eq=False)
class LabelReader:
    """Reader of the labels of a block, as codes that are the same for all blocks."""

    name: str
    labels: tuple[Any, ...]

    def __call__(self, chunk: Chunk, start: int) -> IntArray:
        """Return the cluster of each row."""
        codes, own = labels_of_block(chunk, start, self.name)
        table = self._table
        return np.array([table[label] for label in own], dtype=np.intp)[codes]

    @property
    def _table(self) -> dict[Any, int]:
        if "table" not in self.__dict__:
            table = {label: code for code, label in enumerate(self.labels)}
            object.__setattr__(self, "table", table)
        found: dict[Any, int] = self.__dict__["table"]
        return found

    def __getstate__(self) -> dict[str, Any]:
        return {"name": self.name, "labels": self.labels}


@dataclass(frozen=True, eq=False)
class RowReader:
    """Reader of the memberships of a block, which checks rows and divides them by their sums."""

    name: str
    options: InputOptions
    columns: tuple[str, ...] | None = None

    def __call__(self, chunk: Chunk, start: int) -> FloatArray:
        """Return the rows, including those of hard points."""
        read = memberships_of_block(chunk, start, self.name, self.options, self.columns)
        return read.rows.dense


@dataclass(frozen=True, eq=False)
class OneHotReader:
    """Reader of rows that are all one-hot, as the codes of their clusters."""

    rows: RowReader

    def __call__(self, chunk: Chunk, start: int) -> IntArray:
        """Return the cluster of each row."""
        read = self.rows
        found = memberships_of_block(chunk, start, read.name, read.options, read.columns)
        return found.rows.codes


@dataclass(frozen=True, eq=False)
class Derived:
    """Reader of rows computed from others: columns in another order, or rows scaled to length 1."""

    read: Any
    order: IntArray | None = None
    unit: bool = False

    def __call__(self, chunk: Chunk, start: int) -> FloatArray:
        """Return the rows of a block."""
        rows = self.read(chunk, start)
        if self.order is not None:
            rows = rows[:, self.order]
        if self.unit:
            length = np.sqrt(np.einsum("ij,ij->i", rows, rows))
            rows = rows / np.where(length > 0.0, length, 1.0)[:, None]
        return np.asarray(rows)


def _at_least_two(chunk: Chunk) -> Chunk:
    """Return the rows, repeated if there is only one, since a clustering needs two points."""
    return np.concatenate([chunk, chunk]) if chunk.shape[0] == 1 else chunk


def _in_whole(error: InputError, start: int, columns: Sequence[str] | None = None) -> InputError:
    """Return the same error with its place in the whole clustering."""
    changed: dict[str, Any] = {}
    place = error.place
    if place is not None and place.row is not None:
        title = place.title
        if columns is not None and place.column is not None and not title:
            title = repr(columns[place.column])
        changed["place"] = replace(place, row=place.row + start, title=title)
    if isinstance(error.fields.get("point"), int):
        changed["point"] = error.fields["point"] + start
    changed |= {field: advice for field, advice in ADVICE.items() if field in error.fields}
    return error.extended(**changed)


def row_of(error: InputError) -> int:
    """Return the row that an error refers to; -1 if it concerns all rows."""
    place = error.place
    return -1 if not isinstance(place, FaultyPlace) or place.row is None else place.row
