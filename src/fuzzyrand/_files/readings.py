"""Read files as clusterings of the same points, matched row by row or by an id."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NoReturn

import numpy as np

from .._base.errors import InputError, ParameterError
from .._base.types import FloatArray, IntArray
from .._base.wording import Option, Place, Sentence
from .._clusterings.cluster_names import ClusterNames
from .._clusterings.partition import Partition, as_partition
from .._clusterings.points.common_points import reordered
from .._clusterings.points.point_ids import WithIds
from .._clusterings.points.same_points import require_same_points
from .._clusterings.reading.memberships import SUM_TOLERANCE
from .columns import (
    Choice,
    ReadingOptions,
    by_index,
    choose,
    listed,
    require_use,
)
from .files import read_table
from .matching import PointKeys, are_shared, keys_of, orders, required_keys
from .point_names import read_names
from .table import Array, FilePlace, Table, is_numeric, left_out, refuse_missing
from .text_cells import MARKS, is_number, is_percentage, like_number
from .text_headers import ROUNDED_SUM, settle_headers
from .text_rows import NONE, SPACE, hidden_delimiter

#: Numbers of decimals checked for rounding; with one decimal, a sum of 0.9 may well be a mistake.
DECIMALS = range(2, 9)
#: Number of points from which labels that mostly occur once are taken as ids.
FEW_POINTS = 20
_COMMENT = re.compile(r"#(?:[#\s]|$)")


#: How to compare files of different points.
WITH_IDS = Sentence.of(
    " If every file has a column of ids, {id} (or {names}, for files of names) matches the points, "
    "and {common} compares those that all files have.",
    id=Option("id", "COLUMN"),
    names=Option("names", "FILE"),
    common=Option("points", "common"),
)


@dataclass(frozen=True, eq=False)
class Reading:
    """A clustering and how it was read.

    Attributes
    ----------
    source : str
        Name of the file in messages.
    partition : Partition
        The clustering; its ``ids`` are the keys of the points, if they have names or ids.
    columns : tuple of str
        The columns that hold it.
    how : str
        Description of how it was read.
    names : str, optional
        The file with the names of the points.
    weights : array or WithIds, optional
        Weights of the points, with their ids if they have any.
    xy : array or WithIds, optional
        Two coordinates of each point, likewise.
    """

    source: str
    partition: Partition
    columns: tuple[str, ...]
    how: str
    names: str | None = None
    weights: FloatArray | WithIds | None = None
    xy: FloatArray | WithIds | None = None

    def __str__(self) -> str:
        p = self.partition
        clusters = f"{p.k} cluster{'s' * (p.k != 1)}"
        return f"{self.source}: {p.n:,} points, {p.kind}, {clusters}; {self.how}"

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values, ready for JSON."""
        p = self.partition
        return {
            "file": self.source,
            "n": p.n,
            "k": p.k,
            "kind": p.kind,
            "columns": list(self.columns),
            **({} if self.names is None else {"names": self.names}),
        }


@np.errstate(invalid="ignore", over="ignore")  # such entries are found and refused
def read_clusterings(
    paths: Sequence[str], options: ReadingOptions, *, same_points: bool = True
) -> list[Reading]:
    """Read files that describe the same points.

    Parameters
    ----------
    paths : sequence of str
        Paths of the files; ``-`` is standard input, at most once.
    options : ReadingOptions
        Which columns to use, and how to read them.
    same_points : bool
        Whether all files must have the same points. Otherwise, files that all have ids keep their
        own points, and in their own order.
    """
    several = len(options.labels) > 1 or len(options.columns) > 1
    once = dict.fromkeys(paths) if several else paths  # several columns of the same file
    if [*once, *options.names].count("-") > 1:
        raise ParameterError("standard input (-) can be read only once; name a file instead.")
    files = len(paths)
    wanted: dict[str, frozenset[str]] = {}
    for number, path in enumerate(paths):
        given = [options.of(name, number, files) for name in ("labels", "columns", "id")]
        given += [options.weights, options.xy]
        names = frozenset(part for text in given if text for part in (text, *text.split(",")))
        wanted[path] = wanted.get(path, frozenset()) | names
    known: dict[Any, Table] = {}  # a file given for several columns is read once
    tables = []
    for number, path in enumerate(paths):
        text = options.text(number, files)
        if (path, text) not in known:
            known[path, text] = read_table(path, text, wanted[path], options.max_size)
        tables.append(known[path, text])
    tables = settle_headers(tables)
    require_use(tables, options)
    choices = [choose(table, options, i, files) for i, table in enumerate(tables)]
    keys = _keys(tables, choices, options)
    if not are_shared(keys):
        others = by_index(tables, choices)
        other_keys = _keys(tables, others, options)
        if are_shared(other_keys):
            choices, keys = others, other_keys
    if options.common:
        return _with_keys(tables, choices, keys, options)
    with_ids = [key for key in keys if key is not None and not isinstance(key.values, range)]
    same = same_points or len(with_ids) < files
    if same:
        rows = orders(keys, [table.source for table in tables], asked=any(options.id))
    else:
        rows = [np.arange(table.n) for table in tables]
    readings = [
        _reading(table, choice, key, order, options, several=files > 1)
        for table, choice, key, order in zip(tables, choices, keys, rows, strict=True)
    ]
    for other in range(1, files if same else 1):
        _require_same_points(tables, readings, other)
    return readings


def _with_keys(
    tables: Sequence[Table],
    choices: Sequence[Choice],
    keys: Sequence[PointKeys | None],
    options: ReadingOptions,
) -> list[Reading]:
    """Read files of partly different points, which are matched by the ids of the readings."""
    values = required_keys(keys, [table.source for table in tables])
    readings = []
    for table, choice, key, ids in zip(tables, choices, keys, values, strict=True):
        reading = _reading(table, choice, key, np.arange(table.n), options, several=True)
        partition = replace(reading.partition, ids=[str(value) for value in ids])
        weights, xy = (
            None if values is None else WithIds(np.asarray(values), partition.ids or ())
            for values in (reading.weights, reading.xy)
        )
        readings.append(replace(reading, partition=partition, weights=weights, xy=xy))
    return readings


def _keys(
    tables: Sequence[Table], choices: Sequence[Choice], options: ReadingOptions
) -> list[PointKeys | None]:
    """Return the keys of the points of all files; each file with names is read once."""
    paths = [options.of("names", number, len(tables)) for number in range(len(tables))]
    names = {
        path: read_names(path, options.max_size)
        for path in dict.fromkeys(paths)
        if path is not None
    }
    keys = [
        keys_of(table, choice, None if path is None else names[path])
        for table, choice, path in zip(tables, choices, paths, strict=True)
    ]
    by_order = bool(options.id) and not any(options.id)
    return [None if by_order and key is not None and key.found else key for key in keys]


def _require_same_points(tables: Sequence[Table], readings: Sequence[Reading], other: int) -> None:
    first, second = tables[0], tables[other]
    try:
        require_same_points(
            readings[0].partition,
            readings[other].partition,
            first.source,
            second.source,
            WITH_IDS,
        )
    except InputError as error:
        longer = 0 if first.n > second.n else other
        if abs(first.n - second.n) == 1 and tables[longer].line is not None:
            _refuse_with_header_hint(error, tables, longer)
        raise


def _refuse_with_header_hint(error: InputError, tables: Sequence[Table], longer: int) -> None:
    """Refuse a file whose one surplus row may be a header, unless it was read with a header."""
    if tables[longer].named:
        return
    headers = [table.named or i == longer for i, table in enumerate(tables)]
    fields: dict[str, Any] = {
        f"header{i}": Option("header", header) for i, header in enumerate(headers)
    }
    said = " ".join(f"{{{name}}}" for name in fields)
    if all(headers):
        said = "{header0}"
    elif len(tables) > 3:
        fields = {"yes": Option("header", True), "no": Option("header", False)}
        said = "{yes} or {no}, once for each file"
    raise error.extended(
        after=" {longer} was read without a header; if it has one: " + said + ".",
        longer=tables[longer].source,
        **fields,
    ) from None


def _reading(
    table: Table,
    choice: Choice,
    keys: PointKeys | None,
    order: IntArray | None,
    options: ReadingOptions,
    *,
    several: bool,
) -> Reading:
    if choice.labels:
        values = _labels(table, choice, options)
    else:
        values = _matrix(table, choice.columns, options)
    in_other_ways = options.normalize or options.possibilistic or options.missing == "noise"
    as_they_are = choice.labels or in_other_ways
    decimals = None if as_they_are else _decimals(values)
    try:
        # In the order of the file, so that messages can refer to its lines.
        partition = as_partition(
            values,
            normalize=options.normalize or decimals is not None,
            possibilistic=options.possibilistic,
            missing=options.missing,
        )
    except InputError as error:
        raise _placed_in_file(error, table, choice) from None
    if choice.labels and not choice.asked:
        _refuse_lonely_labels(table, choice, partition)
    named = tuple(table.names[j] or str(j + 1) for j in choice.columns)
    if table.named and not choice.labels:
        partition = replace(partition, names=ClusterNames(named))
    weights: FloatArray | WithIds | None = _weights(table, choice)
    xy: FloatArray | WithIds | None = _coordinates(table, choice)
    matched = ""
    if keys is not None and order is not None:
        partition = replace(partition, ids=[str(value) for value in keys.values])
        partition = reordered(partition, order)
        weights, xy = (
            None if values is None else WithIds(np.asarray(values)[order], partition.ids or ())
            for values in (weights, xy)
        )
        matched = f", {'matched' if several else 'named'} by {keys.origin}"
    what = "labels in" if choice.labels else "memberships in"
    shown = f"{named[0]}-{named[-1]}" if not table.named and len(named) > 2 else listed(named)
    plural = "columns" if len(named) > 1 else "column"
    rounded = "" if decimals is None else f", rounded to {decimals} decimals and rescaled"
    note = "" if matched else left_out(table, choice.id)
    how = f"{what} {plural} {shown}{matched} ({table.how}{note}{rounded})"
    names = None if keys is None else keys.names
    return Reading(table.source, partition, named, how, names, weights, xy)


def _weights(table: Table, choice: Choice) -> FloatArray | None:
    """Return the weights of the points of a file, if it has any."""
    if choice.weights is None:
        return None
    refuse_missing(
        table, choice.weights, "has no weight", "give them a weight, 0 to leave them out"
    )
    values = table.columns[choice.weights]
    if not is_numeric(values):
        _refuse_text(table, choice.weights)
    bad = np.flatnonzero(~(np.isfinite(values) & (values >= 0.0)))
    if bad.size:
        raise InputError(
            "{place} is {value:g}; weights must be finite and not negative. A weight of 0 leaves a "
            "point out.",
            place=table.at(int(bad[0]), choice.weights),
            value=float(values[bad[0]]),
        )
    return np.asarray(values, dtype=np.float64)


def _coordinates(table: Table, choice: Choice) -> FloatArray | None:
    """Return the coordinates of the points of a file, if it has any."""
    for column in choice.xy:
        refuse_missing(table, column, "has no coordinate", "give each point two coordinates")
        if not is_numeric(table.columns[column]):
            _refuse_text(table, column)
    if not choice.xy:
        return None
    return np.column_stack([table.columns[column] for column in choice.xy]).astype(np.float64)


def _decimals(matrix: Any) -> int | None:
    """Return to how many decimals memberships were rounded, if that explains their sums.

    Return None if they sum to 1 within the tolerance, or if rounding does not explain the sums.
    """
    entries = matrix.data if hasattr(matrix, "tocsr") else matrix
    if matrix.dtype.kind != "f" or not np.all((entries >= 0.0) & (entries <= 1.0)):
        return None
    off = float(np.abs(np.asarray(matrix.sum(axis=1)) - 1.0).max(initial=0.0))
    if off <= 0.5 * SUM_TOLERANCE["float64"]:  # halved, as sums in another order may differ more
        return None
    clusters = matrix.shape[1]
    for decimals in DECIMALS:
        steps = entries * 10.0**decimals
        # At worst, each entry is off by half a step, but with many entries these errors cancel.
        worst = min(0.5 * clusters, 6.0 * math.sqrt(clusters / 12.0)) * 10.0**-decimals
        if off <= min(worst + 1e-9, ROUNDED_SUM) and np.all(np.abs(steps - np.rint(steps)) < 1e-4):
            return decimals
    return None


def _labels(table: Table, choice: Choice, options: ReadingOptions) -> Array:
    column = choice.columns[0]
    values = table.names_in(column)
    if options.missing is None:
        refuse_missing(table, column, "has no label", "give them a label of their own")
    if is_numeric(values):
        _refuse_fractions(table, column)
        return values
    if column in table.written and not choice.asked:
        _refuse_percentages(table, column)
    if table.line is not None:
        if not choice.asked:
            _refuse_comments(table, column)
        if options.missing is not None and all(value is not None for value in values):
            values = np.array([None if x in MARKS else x for x in values], dtype=object)
    if table.line is None or not values.size or options.delimiter == NONE:
        return values
    last = values.size - 1  # the first may be a header
    divided = hidden_delimiter(str(values[last]))
    if divided is not None:
        raise InputError(
            "{place} was read as one label, {value!r}, but looks like numbers separated by a "
            "{divided}. Do rows have different lengths, or is there another {delimiter}? "
            "{divide} reads them as memberships, {none} as labels.",
            place=table.at(last),
            value=str(values[last]),
            divided=divided,
            delimiter=Option("delimiter"),
            divide=Option("delimiter", divided),
            none=Option("delimiter", "none"),
        )
    return values


def _refuse_fractions(table: Table, column: int) -> None:
    values = table.columns[column]
    if values.dtype.kind != "f":
        return
    infinite = np.flatnonzero(np.isinf(values))
    if infinite.size:
        raise InputError(
            "{place} is {value:g}, which is not a label: labels that are numbers are whole.",
            place=table.at(int(infinite[0]), column),
            value=float(values[infinite[0]]),
        )
    fractional = np.flatnonzero((values != np.floor(values)) & ~np.isnan(values))
    if fractional.size:
        row = int(fractional[0])
        raise InputError(
            "{place} is {value:g}, which is not a label: it looks like one column of "
            "memberships. They need a column for each cluster; {columns} chooses them. Labels "
            "with a point need a letter, such as c{value:g}.",
            place=table.at(row, column),
            value=float(values[row]),
            columns=Option("columns"),
        )


def _refuse_comments(table: Table, column: int) -> None:
    """Refuse a comment between labels or below them, as NumPy can write it."""
    values = table.names_in(column)
    rows = [i for i, x in enumerate(values) if x is not None and _COMMENT.match(x)]
    if rows and 2 * len(rows) < values.size:
        raise InputError(
            "{place} is {value!r}, which looks like a comment and not like a label. Delete the "
            "line; {labels} takes it as a label after all.",
            place=table.at(rows[0]),
            value=values[rows[0]],
            labels=Option("labels", table.names[column] if table.named else column + 1),
        )


def _refuse_percentages(table: Table, column: int) -> None:
    values = table.names_in(column)
    row = next((i for i, value in enumerate(values) if is_percentage(value or "")), None)
    if row is not None:
        raise InputError(
            "{place} is {value!r}, which is probably not a label: it looks like one column of "
            "memberships. They need a column for each cluster; {columns} chooses them, and "
            "{labels} takes these as labels after all.",
            place=table.at(row, column),
            value=values[row],
            columns=Option("columns"),
            labels=Option("labels", table.names[column] if table.named else column + 1),
        )


def _refuse_lonely_labels(table: Table, choice: Choice, partition: Partition) -> None:
    """Refuse labels that mostly occur once, as ids do; not called if the user chose the column.

    Of few points, all must have another label, which consists of words: an id and a label.
    """
    lonely = int(np.count_nonzero(partition.sizes == 1.0))
    column = choice.columns[0]
    few = partition.n < FEW_POINTS
    words = lonely == partition.n > 2 and all(" " in str(x) for x in table.names_in(column))
    if 2 * lonely <= partition.n or (few and not words):
        return
    raise InputError(
        "{lonely:,} of the {n:,} labels in {column} of {source} occur only once, as ids do. "
        "{labels} chooses another column, or takes this one after all; {columns} chooses "
        "memberships, and {id} names a column of ids.",
        lonely=lonely,
        n=partition.n,
        column=table.title(column),
        source=table.source,
        labels=Option("labels", table.names[column] if table.named else column + 1),
        columns=Option("columns"),
        id=Option("id"),
    )


def _empty_rows_alone(table: Table, columns: tuple[int, ...]) -> bool:
    """Return whether all missing memberships are in rows without any membership."""
    numbers = [table.columns[column] for column in columns]
    missing = np.array([np.isnan(values) for values in numbers if values.dtype.kind == "f"])
    return len(missing) == len(numbers) and bool((missing.all(axis=0) == missing.any(axis=0)).all())


def _matrix(table: Table, columns: tuple[int, ...], options: ReadingOptions) -> Any:
    if table.sparse is not None:
        every = len(columns) == table.sparse.shape[1]
        return table.sparse if every else table.sparse[:, list(columns)]
    for column in columns:
        values = table.columns[column]
        if not is_numeric(values) and any(value is not None for value in values):
            _refuse_text(table, column)
        if options.missing != "drop":  # with "drop", rows that are empty throughout are accepted
            refuse_missing(
                table,
                column,
                "is missing",
                "fill in the memberships",
                droppable=lambda: _empty_rows_alone(table, columns),
            )
    if table.matrix is not None and columns == tuple(range(len(table.columns))):
        return np.asarray(table.matrix)  # avoids reassembling the array from its columns
    return np.column_stack([table.columns[column] for column in columns])


def _refuse_text(table: Table, column: int) -> NoReturn:
    cells = {i: str(value) for i, value in enumerate(table.columns[column]) if value is not None}
    words = [i for i, cell in cells.items() if not like_number(cell)]
    if not words:
        _refuse_spelling(table, column, cells)
    row = words[0]
    lines = " If whole lines are labels: {none}." if table.delimiter == SPACE else ""
    if table.delimiter is not None and hidden_delimiter(cells[row]) is not None:
        lines += " It looks like several numbers: {divide} divides them."
    if row == 0 and table.line is not None and not table.named:
        lines += " If the first line holds names of columns: {header}."
    raise InputError(
        "{place} is {value!r}, not a number. Several columns are read as memberships; choose them "
        "with {columns}, a column of labels with {labels}, and name a column of ids with {id}."
        + lines,
        place=table.at(row, column),
        value=cells[row],
        columns=Option("columns"),
        labels=Option("labels"),
        id=Option("id"),
        none=Option("delimiter", "none"),
        divide=Option("delimiter", hidden_delimiter(cells[row])),
        header=Option("header", True),
    )


def _refuse_spelling(table: Table, column: int, cells: Mapping[int, str]) -> NoReturn:
    """Refuse numbers with a comma, with and without a percent sign in one column, or too large."""
    bare = [i for i, cell in cells.items() if not is_percentage(cell)]
    odd = [i for i, cell in cells.items() if not is_number(cell)]
    if bare and len(bare) < len(cells):
        row, what = bare[0], "without a percent sign, while others in the column have one."
        cure = "Write all of them in the same way."
    elif not odd:
        row = max(cells, key=lambda i: abs(float(cells[i])))
        what, cure = "too large a number.", "Memberships lie between 0 and 1."
        if abs(float(cells[row])) <= 1.0:  # such a column can come from a file with types
            what, cure = "stored as text.", "Store the column as numbers."
    else:
        row, what = odd[0], "not a number: a decimal comma."
        cure = "Write numbers with a point, e.g. by: tr ',' '.' < FILE | fuzzyrand ... -"
    raise InputError(
        "{place} is {value!r}, {what} {cure}",
        place=table.at(row, column),
        value=cells[row],
        what=what,
        cure=cure,
    )


def _placed_in_file(error: InputError, table: Table, choice: Choice) -> InputError:
    """Turn an error about a row of an array into one about a line of the file."""

    def placed(place: Place) -> FilePlace:
        return table.at(place.row, None if place.column is None else choice.columns[place.column])

    fields: dict[str, Any] = {
        name: placed(field) for name, field in error.fields.items() if isinstance(field, Place)
    }
    fields["cure"] = "Transpose the file."
    after = ""
    if _above_one(error) and not choice.labels and _all_whole(table, choice.columns):
        after = " If each column is a clustering of its own, choose one with {labels}."
        fields["labels"] = Option("labels")
    else:
        if _is_no_share(error) and len(choice.columns) > 1:
            after = " {columns} chooses columns of memberships, {labels} a column of labels."
            fields |= {"columns": Option("columns"), "labels": Option("labels")}
        if error.row == 0 and table.line is not None and not table.named:
            after += " If the first line holds names of columns: {header}."
            fields["header"] = Option("header", True)
    return error.extended(after=after, **fields)


def _is_no_share(error: InputError) -> bool:
    """Return whether the error is about a finite number that is negative or above 1."""
    value = error.value
    return error.column is not None and isinstance(value, float) and bool(np.isfinite(value))


def _above_one(error: InputError) -> bool:
    return _is_no_share(error) and error.value > 1.0


def _all_whole(table: Table, columns: tuple[int, ...]) -> bool:
    return all(bool(np.all(table.columns[j] == np.floor(table.columns[j]))) for j in columns)
