"""Points of several files, matched by an id."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .._base.errors import InputError, ParameterError
from .._base.types import IntArray
from .columns import Choice, listed
from .files import Table, refuse_missing


def orders_by_id(tables: Sequence[Table], choices: Sequence[Choice]) -> list[IntArray | None]:
    """For each file, the row of each point of the first file."""
    if all(choice.id is None for choice in choices):
        return [None] * len(tables)
    if any(choice.id is None for choice in choices):
        raise ParameterError("--id is needed for every file or for none.")
    keys = [_keys(table, choice.id or 0) for table, choice in zip(tables, choices, strict=True)]
    if not all(isinstance(key, int) for each in keys for key in each[:1]):
        keys = [[str(key) for key in each] for each in keys]
    rows = [
        _rows_by_key(table, each, choice.id or 0)
        for table, each, choice in zip(tables, keys, choices, strict=True)
    ]
    for table, found in zip(tables[1:], rows[1:], strict=True):
        _require_same_ids(tables[0], rows[0], table, found)
    return [np.array([found[key] for key in keys[0]], dtype=np.intp) for found in rows]


def _keys(table: Table, column: int) -> list[Any]:
    values = table.columns[column]
    refuse_missing(table, column, "is empty", "give them an id")
    if values.dtype.kind == "f" and np.all(np.isfinite(values) & (values == np.floor(values))):
        return [int(value) for value in values]
    return list(values.tolist())


def _rows_by_key(table: Table, keys: Sequence[Any], column: int) -> dict[Any, int]:
    rows = dict(zip(keys, range(len(keys)), strict=True))
    if len(rows) < len(keys):
        seen: dict[Any, int] = {}
        for row, key in enumerate(keys):
            if key in seen:
                first = table.at(seen[key]).removesuffix(f" of {table.source}")
                raise InputError(
                    f"{table.at(row, column)} has the id {key!r}, as has {first} "
                    f"({len(keys) - len(rows):,} such rows in all). An id must name one point."
                )
            seen[key] = row
    return rows


def _require_same_ids(
    first: Table, ours: dict[Any, int], second: Table, theirs: dict[Any, int]
) -> None:
    if ours.keys() == theirs.keys():
        return
    told = []
    for one, here, other, there in (
        (first, ours, second, theirs),
        (second, theirs, first, ours),
    ):
        missing = [key for key in here if key not in there]
        if missing:
            some = f"{len(missing):,} id{'s' * (len(missing) != 1)}"
            told.append(
                f"{some} of {one.source} not in {other.source}: {listed(map(str, missing))}"
            )
    raise InputError(
        f"{'; '.join(told)}. Both files must hold the same points; drop those that one lacks."
    )
