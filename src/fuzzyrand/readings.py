"""From the columns of files to clusterings: which columns, labels or memberships, in which order.

The rules, in short. ``--labels`` and ``--columns`` choose. Without them, a single column besides
the id is labels, and several columns of numbers are memberships; anything else is refused. Files
are matched row by row, or by an id.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, NoReturn

import numpy as np

from ._types import IntArray
from .errors import InputError, ParameterError
from .files import Array, Table, TextOptions, is_numeric, read_table
from .partition import Partition, as_partition, require_same_points
from .text_files import hidden_delimiter, is_decimal_comma

#: Names listed in a message before it says how many more there are.
LISTED = 10


@dataclass(frozen=True)
class ReadingOptions:
    """What the user said about the files.

    Attributes
    ----------
    labels, columns, id : tuple of str
        Columns: none, one for all files, or one for each ("" for a file without).
    text : TextOptions
    normalize, possibilistic : bool
        As in :func:`fuzzyrand.compare`.
    """

    labels: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    id: tuple[str, ...] = ()
    text: TextOptions = field(default_factory=TextOptions)
    normalize: bool = False
    possibilistic: bool = False

    def of(self, option: str, file: int, files: int) -> str | None:
        """The value of an option for one of the files."""
        given: tuple[str, ...] = getattr(self, option)
        if len(given) not in (0, 1, files):
            raise ParameterError(
                f"--{option} is given {len(given)} times for {files} files; give it once for all "
                "of them, or once for each, in their order."
            )
        if not given:
            return None
        return (given[0] if len(given) == 1 else given[file]) or None


@dataclass(frozen=True, eq=False)
class Reading:
    """A clustering and how it was read."""

    source: str
    partition: Partition
    columns: tuple[str, ...]
    how: str

    def __str__(self) -> str:
        p = self.partition
        clusters = f"{p.k} cluster{'s' * (p.k != 1)}"
        return f"{self.source}: {p.n:,} points, {p.kind}, {clusters}; {self.how}"

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain Python values, ready for JSON."""
        p = self.partition
        return {
            "file": self.source,
            "n": p.n,
            "k": p.k,
            "kind": p.kind,
            "columns": list(self.columns),
        }


@dataclass(frozen=True)
class _Choice:
    """The columns of a table that hold the clustering."""

    columns: tuple[int, ...]
    labels: bool
    id: int | None = None
    note: str = ""


def read_clusterings(paths: Sequence[str], options: ReadingOptions) -> list[Reading]:
    """Read files that describe the same points.

    Parameters
    ----------
    paths : sequence of str
        ``-`` is standard input, once at most.
    options : ReadingOptions
        Which columns, and how to read them.
    """
    if paths.count("-") > 1:
        raise ParameterError("standard input (-) can be read only once; name a file instead.")
    tables = []
    for number, path in enumerate(paths):
        given = (options.of(name, number, len(paths)) for name in ("labels", "columns", "id"))
        wanted = {part for text in given if text for part in (text, *text.split(","))}
        tables.append(read_table(path, options.text, wanted))
    choices = [_choose(table, options, i, len(paths)) for i, table in enumerate(tables)]
    _require_use(tables, choices, options)
    orders = _orders(tables, choices)
    readings = [
        _reading(table, choice, order, options)
        for table, choice, order in zip(tables, choices, orders, strict=True)
    ]
    for table, reading in zip(tables, readings, strict=True):
        _require_same_points(tables[0], readings[0], table, reading)
    return readings


def _require_same_points(first: Table, a: Reading, second: Table, b: Reading) -> None:
    try:
        require_same_points(a.partition, b.partition, first.source, second.source)
    except InputError as error:
        hint = " If the files have ids, --id COLUMN matches them."
        longer = first if first.n > second.n else second
        if abs(first.n - second.n) == 1 and longer.line is not None and not longer.named:
            hint = f" {longer.source} was read without a header: --header if it has one."
        raise InputError(f"{error}{hint}") from None


# --- which columns -------------------------------------------------------------------------------


def _choose(table: Table, options: ReadingOptions, file: int, files: int) -> _Choice:
    labels, columns, key = (options.of(o, file, files) for o in ("labels", "columns", "id"))
    identity = None if key is None else _one_column(table, key, "--id")
    # An option given once is for the files that have such a column.
    for_all = files > 1
    if for_all and len(options.labels) == 1 and not _has(table, labels):
        labels = None
    if for_all and len(options.columns) == 1 and not _has(table, columns):
        columns = None
    if labels is not None and columns is not None:
        raise InputError(
            f"{table.source} has both the labels ({labels}) and the memberships ({columns}) asked "
            'for. Give --labels and --columns once for each file, "" for a file without.'
        )
    if labels is not None:
        return _Choice((_one_column(table, labels, "--labels"),), True, identity)
    if columns is not None:
        return _Choice(tuple(_find(table, columns, "--columns")), False, identity)
    return _by_default(table, identity)


def _by_default(table: Table, identity: int | None) -> _Choice:
    left = [j for j in range(len(table.names)) if j != identity]
    note = ""
    if len(left) > 1 and table.named and table.names[left[0]] == "" and _counts(table, left[0]):
        note = ", the first column left out: it has no name and counts the rows"
        del left[0]
    if not left:
        raise InputError(f"{table.source} has no columns besides the id; expected labels or more.")
    if len(left) == 1:
        return _Choice((left[0],), True, identity, note)
    return _Choice(tuple(left), False, identity, note)


def _counts(table: Table, column: int) -> bool:
    values = table.columns[column]
    return is_numeric(values) and bool(np.all(values == values[0] + np.arange(table.n)))


def _has(table: Table, text: str | None) -> bool:
    if text is None:
        return False
    try:
        _find(table, text, "")
    except InputError:
        return False
    return True


def _one_column(table: Table, text: str, option: str) -> int:
    found = _find(table, text, option)
    if len(found) > 1:
        raise InputError(f"{option} names one column, but {text!r} are {len(found)}.")
    return found[0]


def _find(table: Table, text: str, option: str) -> list[int]:
    """Columns by name or by number from 1; several by commas, a range by a dash."""
    if text in table.groups:
        return list(table.groups[text])
    if text in table.names:
        return [_by_name(table, text)]
    found: list[int] = []
    for token in (part.strip() for part in text.split(",")):
        low, dash, high = token.partition("-")
        if token not in table.names and dash and low and high:
            start, stop = _by_name(table, low), _by_name(table, high)
            if start > stop:
                raise InputError(f"{option} {token}: the range runs backwards in {table.source}.")
            found += range(start, stop + 1)
        else:
            found.append(_by_name(table, token))
    twice = next((j for j in found if found.count(j) > 1), None)
    if twice is not None:
        raise InputError(f"{option} {text} names {table.title(twice)} of {table.source} twice.")
    return found


def _by_name(table: Table, token: str) -> int:
    places = [j for j, name in enumerate(table.names) if name == token]
    if len(places) == 1:
        return places[0]
    if len(places) > 1:
        numbers = " and ".join(str(j + 1) for j in places)
        raise InputError(
            f"{table.source} has {len(places)} columns named {token!r}; take them by number: "
            f"{numbers}."
        )
    if token.isdecimal():
        if 1 <= int(token) <= len(table.names):
            return int(token) - 1
        raise InputError(
            f"{table.source} has {len(table.names)} columns, counted from 1; there is no "
            f"column {token}."
        )
    raise InputError(f"{table.source} has no column {token!r}.{_offered(table, token)}")


def _offered(table: Table, token: str) -> str:
    if not table.named:
        return (
            f" Its {len(table.names)} columns have no names: use numbers from 1"
            f"{'' if table.line is None else ', or --header if the first line holds names'}."
        )
    near = get_close_matches(token, table.names, n=2, cutoff=0.5)
    hint = f" Did you mean {' or '.join(map(repr, near))}?" if near else ""
    return f"{hint} It has {_listed(map(repr, table.names))}."


def _listed(items: Iterable[str]) -> str:
    every = list(items)
    more = f" and {len(every) - LISTED:,} more" if len(every) > LISTED else ""
    return ", ".join(every[:LISTED]) + more


def _require_use(
    tables: Sequence[Table], choices: Sequence[_Choice], options: ReadingOptions
) -> None:
    """Refuse a column that no file has: an option must not be passed over in silence."""
    for option, given in (("labels", options.labels), ("columns", options.columns)):
        if len(given) != 1 or not given[0] or any(_has(table, given[0]) for table in tables):
            continue
        if len(tables) > 1:
            told = "; ".join(
                f"{table.source} has {_listed(map(repr, table.names))}" for table in tables[:2]
            )
            near = [name for table in tables for name in table.names]
            close = get_close_matches(given[0], dict.fromkeys(near), n=2, cutoff=0.5)
            hint = f" Did you mean {' or '.join(map(repr, close))}?" if close else ""
            raise InputError(f"no file has the column --{option} {given[0]}.{hint} {told}.")


# --- the clustering ------------------------------------------------------------------------------


def _reading(
    table: Table, choice: _Choice, order: IntArray | None, options: ReadingOptions
) -> Reading:
    name = f"clustering in {table.source}"
    values = _labels(table, choice.columns[0]) if choice.labels else _matrix(table, choice.columns)
    try:
        # In the order of the file, so that messages find their way back to its lines.
        partition = as_partition(
            values, normalize=options.normalize, possibilistic=options.possibilistic, name=name
        )
    except InputError as error:
        raise InputError(_located(str(error), name, table, choice)) from None
    if order is not None:
        partition = _reordered(partition, order)
    named = tuple(table.names[j] for j in choice.columns)
    what = "labels in" if choice.labels else "memberships in"
    shown = f"{named[0]}-{named[-1]}" if not table.named and len(named) > 2 else _listed(named)
    plural = "columns" if len(named) > 1 else "column"
    joined = "" if choice.id is None else f", matched by {table.title(choice.id)}"
    how = f"{what} {plural} {shown}{joined} ({table.how}{choice.note})"
    return Reading(table.source, partition, named, how)


def _reordered(partition: Partition, order: IntArray) -> Partition:
    codes, rows = partition.codes, partition.memberships
    return Partition(
        None if codes is None else codes[order],
        None if rows is None else rows[order],
        partition.k,
        partition.possibilistic,
    )


def _labels(table: Table, column: int) -> Array:
    values = table.columns[column]
    _refuse_missing(table, column, "has no label", "give them a label of their own")
    if is_numeric(values):
        fractional = np.flatnonzero(values % 1 != 0) if values.dtype.kind == "f" else values[:0]
        if fractional.size:
            row = int(fractional[0])
            raise InputError(
                f"{table.at(row, column)} is {values[row]:g}, which is no label: it looks like "
                "one column of memberships. They need a column for each cluster; --columns "
                "chooses them."
            )
        return values
    divided = hidden_delimiter(str(values[0]))
    if divided is not None and table.line is not None:
        raise InputError(
            f"{table.at(0)} was read as one label, {str(values[0])!r}, and looks like numbers "
            f"divided by a {divided}. Rows of different lengths, or another --delimiter? "
            f"--delimiter {divided} reads them as memberships."
        )
    return values


def _matrix(table: Table, columns: tuple[int, ...]) -> Array:
    for column in columns:
        if not is_numeric(table.columns[column]):
            _refuse_text(table, column)
        _refuse_missing(table, column, "is empty", "fill in the memberships")
    return np.column_stack([table.columns[column] for column in columns])


def _refuse_missing(table: Table, column: int, what: str, cure: str) -> None:
    values = table.columns[column]
    if values.dtype.kind == "f":
        missing = np.flatnonzero(np.isnan(values))
    elif values.dtype.kind == "O":
        missing = np.flatnonzero([each is None for each in values])
    else:
        return
    if missing.size:
        more = f" ({missing.size:,} such rows in all)" if missing.size > 1 else ""
        raise InputError(
            f"{table.at(int(missing[0]), column)} {what}{more}. Drop such points from both "
            f"clusterings, or {cure}."
        )


def _refuse_text(table: Table, column: int) -> NoReturn:
    values = table.columns[column]
    row = next((i for i, value in enumerate(values) if value is not None and _is_word(value)), 0)
    found = f"{table.at(row, column)} is {values[row]!r}, not a number"
    if values[row] is not None and is_decimal_comma(str(values[row])):
        raise InputError(
            f"{found}: a decimal comma. Write numbers with a point, e.g. by: "
            "tr ',' '.' < FILE | fuzzyrand ... -"
        )
    raise InputError(
        f"{found}. Several columns are read as memberships; choose them with --columns, a column "
        "of labels with --labels, and name a column of ids with --id."
    )


def _is_word(value: Any) -> bool:
    try:
        float(value)
    except (TypeError, ValueError):
        return True
    return False


def _located(message: str, name: str, table: Table, choice: _Choice) -> str:
    """A message of the library, which counts rows of an array, told in lines of the file."""
    found = re.search(rf"(?:row|point) (\d+)(?:, column (\d+))? of the {re.escape(name)}", message)
    if found is None:
        return message.replace(f"the {name}", table.source)
    row = int(found[1])
    column = None if found[2] is None else choice.columns[int(found[2])]
    told = message[: found.start()] + table.at(row, column) + message[found.end() :]
    if row == 0 and table.line is not None and not table.named:
        told += " If the first line holds names of columns: --header."
    elif "above 1" in message and not choice.labels and _all_whole(table, choice.columns):
        told += " If each column is a clustering of its own, choose one with --labels."
    return told


def _all_whole(table: Table, columns: tuple[int, ...]) -> bool:
    return all(bool(np.all(table.columns[j] == np.floor(table.columns[j]))) for j in columns)


# --- matching by id ------------------------------------------------------------------------------


def _orders(tables: Sequence[Table], choices: Sequence[_Choice]) -> list[IntArray | None]:
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
    _refuse_missing(table, column, "is empty", "give them an id")
    if values.dtype.kind == "f" and np.all(values == np.floor(values)):
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
    told = []
    for one, here, other, there in (
        (first, ours, second, theirs),
        (second, theirs, first, ours),
    ):
        missing = [key for key in here if key not in there]
        if missing:
            some = f"{len(missing):,} id{'s' * (len(missing) != 1)}"
            told.append(
                f"{some} of {one.source} not in {other.source}: {_listed(map(str, missing))}"
            )
    if told:
        raise InputError(
            f"{'; '.join(told)}. Both files must hold the same points; drop those that one lacks."
        )
