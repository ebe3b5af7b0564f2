"""Match the points of several files by an id or a name.

What the user names with ``--id`` or ``--names`` must match. An index that a data frame stored, or
another column that nobody named, is treated as the library treats the index of a pandas object:
the same ids match in any order, other ids are refused, and row numbers match texts by order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .._base.errors import InputError, ParameterError
from .._base.types import IntArray
from .._base.wording import Option
from .._clusterings.points.point_ids import difference, lacks_comparable_ids, order_of
from .._clusterings.reading.arraylike import is_missing
from .column_choice import ColumnChoice
from .column_lookup import list_names
from .file_table import FileTable, is_numeric, refuse_missing
from .point_names import PointNames

#: The option that matches rows by their order.
BY_ORDER = Option("id", "")


@dataclass(frozen=True)
class PointKeys:
    """Keys that identify the points of a file.

    Attributes
    ----------
    source : str
        Name of the file with the points in messages.
    values : sequence
        A key for each row, all different; a ``range`` if they are plain row numbers.
    origin : str
        Description of where the keys come from.
    names : str, optional
        The file with the names, if it is a separate file.
    found : bool
        Whether the keys were found in the file, and not named by the user.
    """

    source: str
    values: Sequence[Any]
    origin: str
    names: str | None = None
    found: bool = False


def find_keys(table: FileTable, choice: ColumnChoice, names: PointNames | None) -> PointKeys | None:
    """Return the keys of the points of a file: a column of ids, names, an index, or None.

    Labels of individuals that repeat are not used as names, because programs truncate them.
    """
    if choice.id is not None and not choice.found:
        refuse_missing(table, choice.id, "is empty", "give them an id")
        values = _read_ids(table, choice.id)
        _refuse_repeated(table, values, choice.id)
        return PointKeys(table.source, values, table.title(choice.id))
    if names is not None:
        _require_as_many(table, names)
        _refuse_other_names(table, names, table.ids or _own_names(table, choice, names))
        origin = f"the names in {names.source}"
        return PointKeys(table.source, list(names.names), origin, names.source)
    if table.ids is not None and len(set(table.ids)) == len(table.ids):
        return PointKeys(table.source, list(table.ids), "the labels of individuals")
    return _found_keys(table, choice)


def _own_names(table: FileTable, choice: ColumnChoice, names: PointNames) -> Sequence[str]:
    """Return the names of the points that a file has itself, if they are the given ones."""
    found = _found_keys(table, choice)
    own = () if found is None else [str(value) for value in found.values]
    return own if set(own) == set(names.names) else ()


def _found_keys(table: FileTable, choice: ColumnChoice) -> PointKeys | None:
    """Return the keys in columns that nobody named; None if they repeat or are incomplete."""
    columns = table.index if choice.id is None else (choice.id,)
    if not columns:
        return None
    origin = table.title(columns[0])
    numbers = _row_numbers(table, columns[0]) if len(columns) == 1 else None
    if numbers is not None:
        return PointKeys(table.source, numbers, origin, found=True)
    levels = [_read_ids(table, column) for column in columns]
    values = levels[0] if len(levels) == 1 else list(zip(*levels, strict=True))
    incomplete = any(is_missing(value) for level in levels for value in level)
    if incomplete or len(set(values)) < len(values):
        return None
    return PointKeys(table.source, values, origin, found=True)


def _row_numbers(table: FileTable, column: int) -> range | None:
    """Return the values of a column that numbers the rows, and None for any other column.

    pandas numbers them from 0, and R, which writes text, from 1.
    """
    values = table.names_in(column)
    for first in (0,) if table.line is None else (0, 1):
        last = first + table.n
        if is_numeric(values) and np.array_equal(values, np.arange(first, last)):
            return range(first, last)
    return None


def match_points(
    keys: Sequence[PointKeys | None], sources: Sequence[str], *, asked: bool
) -> list[IntArray | None]:
    """Return, for each file, the row of each point of the first file; None to match by row order.

    Parameters
    ----------
    keys : sequence
        The keys of the files.
    sources : sequence of str
        Names of the files in messages.
    asked : bool
        Whether the user asked for matching by ids, which must not be ignored.
    """
    known = [key for key in keys if key is not None]
    if asked and len(known) < len(keys):
        raise ParameterError(
            "{parameter} is needed for every file or for none.", parameter=Option("id")
        )
    if all(isinstance(key.values, range) and key.values == known[0].values for key in known):
        return [None] * len(keys)
    if not asked and (len(known) < len(keys) or any(key.found for key in known)):
        return _match_if_known(keys, sources)
    values = _comparable(known)
    rows = [dict(zip(column, range(len(column)), strict=True)) for column in values]
    for key, theirs in zip(known[1:], rows[1:], strict=True):
        _require_same_ids(known[0].source, rows[0], key.source, theirs)
    return [np.array([places[key] for key in values[0]], dtype=np.intp) for places in rows]


def require_keys(keys: Sequence[PointKeys | None], sources: Sequence[str]) -> list[PointKeys]:
    """Return the keys of all files, all numbers or all text; refuse files without.

    Row numbers are ids only beside those of some of the rows.
    """
    known: list[PointKeys] = []
    named = [key for key in keys if key is not None and not isinstance(key.values, range)]
    for key, source in zip(keys, sources, strict=True):
        if key is None or (key not in named and not any(_share(key, other) for other in named)):
            raise InputError(
                "{common} matches points by their ids, and {source} has none. {id} names a column "
                "of ids, {names} a file with one name a line.",
                common=Option("points", "common"),
                source=source,
                id=Option("id", "COLUMN"),
                names=Option("names", "FILE"),
            )
        known.append(key)
    values = _comparable(known)
    return [replace(key, values=each) for key, each in zip(known, values, strict=True)]


def _comparable(keys: Sequence[PointKeys]) -> list[Sequence[Any]]:
    """Return the keys of files as numbers if all of them are, else as text."""
    values = [key.values for key in keys]
    if all(isinstance(value, int) for column in values for value in column[:1]):
        return values
    return [[str(value) for value in column] for column in values]


def _match_if_known(
    keys: Sequence[PointKeys | None], sources: Sequence[str]
) -> list[IntArray | None]:
    """Match files by keys that nobody asked for: all files by their keys, or all by row order."""
    known = [key for key in keys if key is not None]
    first, values = known[0], iter(_comparable(known))
    wanted: Sequence[Any] = ()
    found: list[IntArray | None] = []
    for key in keys:
        column = () if key is None else next(values)
        wanted = wanted or column
        found.append(order_of(column, wanted) if column else None)
    for key, order in zip(keys, found, strict=True):
        if key is not None and order is None and not _match_by_order(first, key):
            cures = [
                *["{common} compares the points that both have"] * _share(first, key),
                *["{order} matches rows by their order instead"] * (len(key.values) == len(wanted)),
            ]
            raise InputError(
                "the rows of {first} ({origin}) and {second} ({other}) have different ids: "
                "{difference}. " + "; ".join(cures) + ".",
                common=Option("points", "common"),
                first=first.source,
                origin=first.origin,
                second=key.source,
                other=key.origin,
                difference=difference(first.values, key.values),
                order=BY_ORDER,
            )
    moved = [order is not None and bool((np.diff(order) != 1).any()) for order in found]
    without = [source for source, order in zip(sources, found, strict=True) if order is None]
    if not without:
        return found
    if any(moved):
        raise InputError(
            "{second} has the rows of {first} in another order ({origin}), and {without} has no "
            "ids to find its rows by. Give every file its ids; {order} matches rows by their order "
            "instead.",
            second=sources[moved.index(True)],
            first=first.source,
            origin=first.origin,
            without=without[0],
            order=BY_ORDER,
        )
    return [None] * len(keys)


def _match_by_order(first: PointKeys, second: PointKeys) -> bool:
    """Return whether rows with these ids can only be matched by their order.

    Other numbers of rows without a common id are reported elsewhere.
    """
    ours, theirs = first.values, second.values
    if isinstance(ours, range) and isinstance(theirs, range):
        return True
    alien = len(ours) != len(theirs) and not _share(first, second)
    return alien or lacks_comparable_ids(ours, theirs)


def are_shared(keys: Sequence[PointKeys | None]) -> bool:
    """Return whether all files have keys, and each has some of those of the first."""
    first = keys[0]
    return first is not None and all(key is not None and _share(first, key) for key in keys[1:])


def _share(first: PointKeys, second: PointKeys) -> bool:
    """Return whether at least two points, which make a pair, are in both files.

    Row numbers are the ids of another file only if that has some of them and no others.
    """
    ours, theirs = map(set, _comparable([first, second]))
    counted = isinstance(first.values, range), isinstance(second.values, range)
    if counted in ((True, False), (False, True)):
        rows, ids = (ours, theirs) if counted[0] else (theirs, ours)
        return len(ids) > 1 and ids <= rows
    return len(ours & theirs) > 1


def _require_as_many(table: FileTable, names: PointNames) -> None:
    if len(names.names) != table.n:
        raise InputError(
            "{names} has {value:,} names, but {source} has {n:,} rows.",
            names=names.source,
            value=len(names.names),
            source=table.source,
            n=table.n,
        )


def _refuse_other_names(table: FileTable, names: PointNames, own: Sequence[str]) -> None:
    """Refuse names that contradict those in the file, which may be cut short."""
    for row, (label, name) in enumerate(zip(own, names.names, strict=False)):
        if not str(name).startswith(str(label)):
            raise InputError(
                "{place} is called {label!r} there and {name!r} in {names}. Without {option}, the "
                "names in the file are used.",
                place=table.at(row, None),
                label=label,
                name=name,
                names=names.source,
                option=Option("names"),
            )


def _read_ids(table: FileTable, column: int) -> list[Any]:
    values = table.names_in(column)
    if values.dtype.kind == "f" and np.all(np.isfinite(values) & (values == np.floor(values))):
        return [int(value) for value in values]
    return list(values.tolist())


def _refuse_repeated(table: FileTable, keys: Sequence[Any], column: int) -> None:
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
            parts.append(f"{some} of {source} not in {other}: {list_names(map(str, missing))}")
    shared = len(ours.keys() & theirs.keys())
    raise InputError(
        "{difference}. "
        + ("{shared:,} are in both; {common} compares these alone." if shared > 1 else "{none}"),
        difference="; ".join(parts),
        shared=shared,
        none=f"{'One' if shared else 'None'} is in both: is this the column of ids in every file?",
        common=Option("points", "common"),
    )
