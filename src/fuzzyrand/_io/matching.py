"""Match the points of several files by an id or a name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._base.errors import InputError, ParameterError
from .._base.types import IntArray
from .._base.wording import Option
from .columns import Choice, listed
from .point_names import PointNames
from .table import Table, refuse_missing


@dataclass(frozen=True)
class PointKeys:
    """Keys that identify the points of a file.

    Attributes
    ----------
    source : str
        Name of the file with the points in messages.
    values : list
        A key for each row, all different.
    origin : str
        Description of where the keys come from.
    names : str, optional
        The file with the names, if it is a separate file.
    """

    source: str
    values: list[Any]
    origin: str
    names: str | None = None


def keys_of(table: Table, choice: Choice, names: PointNames | None) -> PointKeys | None:
    """Return the keys of the points of a file: a column of ids, names, or None.

    Labels of individuals that repeat are not used as names, because programs truncate them.
    """
    if choice.id is not None:
        values = _ids(table, choice.id)
        _refuse_repeated(table, values, choice.id)
        return PointKeys(table.source, values, table.title(choice.id))
    if names is not None:
        _require_as_many(table, names)
        _refuse_other_names(table, names)
        origin = f"the names in {names.source}"
        return PointKeys(table.source, list(names.names), origin, names.source)
    if table.ids is not None and len(set(table.ids)) == len(table.ids):
        return PointKeys(table.source, list(table.ids), "the labels of individuals")
    return None


def orders(keys: Sequence[PointKeys | None], *, asked: bool) -> list[IntArray | None]:
    """Return, for each file, the row of each point of the first file; None to match by row order.

    Parameters
    ----------
    keys : sequence
        The keys of the files.
    asked : bool
        Whether the user asked for matching by ids, which must not be ignored.
    """
    known = [key for key in keys if key is not None]
    if not known or (len(known) < len(keys) and not asked):
        return [None] * len(keys)
    if len(known) < len(keys):
        raise ParameterError(
            "{parameter} is needed for every file or for none.", parameter=Option("id")
        )
    values = [key.values for key in known]
    if not all(isinstance(column[0], int) for column in values if column):
        values = [[str(value) for value in column] for column in values]
    rows = [dict(zip(column, range(len(column)), strict=True)) for column in values]
    for key, theirs in zip(known[1:], rows[1:], strict=True):
        _require_same_ids(known[0].source, rows[0], key.source, theirs)
    return [np.array([places[key] for key in values[0]], dtype=np.intp) for places in rows]


def _require_as_many(table: Table, names: PointNames) -> None:
    if len(names.names) != table.n:
        raise InputError(
            "{names} has {value:,} names, but {source} has {n:,} rows.",
            names=names.source,
            value=len(names.names),
            source=table.source,
            n=table.n,
        )


def _refuse_other_names(table: Table, names: PointNames) -> None:
    """Refuse names that contradict the labels in the file, which may be cut short."""
    for row, (label, name) in enumerate(zip(table.ids or (), names.names, strict=False)):
        if not str(name).startswith(str(label)):
            raise InputError(
                "{place} is called {label!r} there and {name!r} in {names}. Without {option}, the "
                "labels in the file are used.",
                place=table.at(row, None),
                label=label,
                name=name,
                names=names.source,
                option=Option("names"),
            )


def _ids(table: Table, column: int) -> list[Any]:
    values = table.columns[column]
    refuse_missing(table, column, "is empty", "give them an id")
    if values.dtype.kind == "f" and np.all(np.isfinite(values) & (values == np.floor(values))):
        return [int(value) for value in values]
    return list(values.tolist())


def _refuse_repeated(table: Table, keys: Sequence[Any], column: int) -> None:
    different = len(set(keys))
    if different == len(keys):
        return
    rows: dict[Any, int] = {}
    for row, key in enumerate(keys):
        if key in rows:
            raise InputError(
                "{place} has the same id as {other}, {value!r} ({more}). "
                "Every point needs its own id.",
                place=table.at(row, column),
                value=key,
                other=table.at(rows[key]).short(),
                more=f"{len(keys) - different:,} repeated in all",
            )
        rows[key] = row


def _require_same_ids(
    first: str, ours: dict[Any, int], second: str, theirs: dict[Any, int]
) -> None:
    if ours.keys() == theirs.keys():
        return
    parts = []
    for source, here, other, there in (
        (first, ours, second, theirs),
        (second, theirs, first, ours),
    ):
        missing = [key for key in here if key not in there]
        if missing:
            some = f"{len(missing):,} id{'s' * (len(missing) != 1)}"
            parts.append(f"{some} of {source} not in {other}: {listed(map(str, missing))}")
    raise InputError(
        "{difference}. Both files must hold the same points; drop those that one lacks.",
        difference="; ".join(parts),
    )
