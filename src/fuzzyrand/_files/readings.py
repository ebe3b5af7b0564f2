"""Read files as clusterings of the same points, matched row by row or by an id."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .._base.errors import InputError, ParameterError
from .._base.types import FloatArray, IntArray
from .._base.wording import Option, Sentence
from .._clusterings.cluster_names import ClusterNames
from .._clusterings.partition import Partition, as_partition
from .._clusterings.points.common_points import reordered
from .._clusterings.points.point_ids import WithIds
from .._clusterings.points.same_points import require_same_points
from .column_choice import ColumnChoice, ReadingOptions, choose, name_by_index, require_use
from .column_lookup import list_names
from .column_values import (
    find_decimals,
    place_in_file,
    read_coordinates,
    read_labels,
    read_memberships,
    read_weights,
    refuse_lonely_labels,
)
from .file_table import FileTable, describe_left_out
from .files import read_table
from .point_keys import PointKeys, are_shared, find_keys, match_points, require_keys
from .point_names import read_names
from .text_headers import settle_headers

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
    known: dict[Any, FileTable] = {}  # a file given for several columns is read once
    tables = []
    for number, path in enumerate(paths):
        text = options.text(number, files)
        if (path, text) not in known:
            known[path, text] = read_table(path, text, wanted[path], options.max_size)
        tables.append(known[path, text])
    tables = settle_headers(tables)
    require_use(tables, options)
    choices = [choose(table, options, i, files) for i, table in enumerate(tables)]
    keys = _find_keys(tables, choices, options)
    if not are_shared(keys):
        others = name_by_index(tables, choices)
        other_keys = _find_keys(tables, others, options)
        if are_shared(other_keys):
            choices, keys = others, other_keys
    sources = [table.source for table in tables]
    with_ids = [key for key in keys if key is not None and not isinstance(key.values, range)]
    same = not options.common and (same_points or len(with_ids) < files)
    rows: list[IntArray | None] = [np.arange(table.n) for table in tables]
    if same:
        rows = match_points(keys, sources, asked=any(options.id))
    elif options.common:  # points are matched later, by the ids of the readings
        keys = [*require_keys(keys, sources)]
    readings = [
        _read(table, choice, key, order, options, several=files > 1)
        for table, choice, key, order in zip(tables, choices, keys, rows, strict=True)
    ]
    for other in range(1, files if same else 1):
        _require_same_points(tables, readings, other)
    return readings


def _find_keys(
    tables: Sequence[FileTable], choices: Sequence[ColumnChoice], options: ReadingOptions
) -> list[PointKeys | None]:
    """Return the keys of the points of all files; each file with names is read once."""
    paths = [options.of("names", number, len(tables)) for number in range(len(tables))]
    names = {
        path: read_names(path, options.max_size)
        for path in dict.fromkeys(paths)
        if path is not None
    }
    keys = [
        find_keys(table, choice, None if path is None else names[path])
        for table, choice, path in zip(tables, choices, paths, strict=True)
    ]
    by_order = bool(options.id) and not any(options.id)
    return [None if by_order and key is not None and key.found else key for key in keys]


def _require_same_points(
    tables: Sequence[FileTable], readings: Sequence[Reading], other: int
) -> None:
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


def _refuse_with_header_hint(error: InputError, tables: Sequence[FileTable], longer: int) -> None:
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


def _read(
    table: FileTable,
    choice: ColumnChoice,
    keys: PointKeys | None,
    order: IntArray | None,
    options: ReadingOptions,
    *,
    several: bool,
) -> Reading:
    if choice.labels:
        values = read_labels(table, choice, options)
    else:
        values = read_memberships(table, choice.columns, options)
    in_other_ways = options.normalize or options.possibilistic or options.missing == "noise"
    as_they_are = choice.labels or in_other_ways
    decimals = None if as_they_are else find_decimals(values)
    try:
        # In the order of the file, so that messages can refer to its lines.
        partition = as_partition(
            values,
            normalize=options.normalize or decimals is not None,
            possibilistic=options.possibilistic,
            missing=options.missing,
        )
    except InputError as error:
        raise place_in_file(error, table, choice) from None
    if choice.labels and not choice.asked:
        refuse_lonely_labels(table, choice, partition)
    named = tuple(table.names[j] or str(j + 1) for j in choice.columns)
    if table.named and not choice.labels:
        partition = replace(partition, names=ClusterNames(named))
    weights: FloatArray | WithIds | None = read_weights(table, choice)
    xy: FloatArray | WithIds | None = read_coordinates(table, choice)
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
    shown = f"{named[0]}-{named[-1]}" if not table.named and len(named) > 2 else list_names(named)
    plural = "columns" if len(named) > 1 else "column"
    rounded = "" if decimals is None else f", rounded to {decimals} decimals and rescaled"
    note = "" if matched else describe_left_out(table, choice.id)
    how = f"{what} {plural} {shown}{matched} ({table.how}{note}{rounded})"
    names = None if keys is None else keys.names
    return Reading(table.source, partition, named, how, names, weights, xy)
