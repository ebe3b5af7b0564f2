"""From files to clusterings of the same points, matched row by row or by an id."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NoReturn

import numpy as np

from .._base.errors import InputError, ParameterError
from .._base.types import IntArray
from .._inputs.cluster_names import ClusterNames
from .._inputs.memberships import SUM_TOLERANCE
from .._inputs.partition import Partition, as_partition, require_same_points
from .columns import ROUNDED_SUM, Choice, ReadingOptions, choose, listed, require_use
from .files import Array, Table, is_numeric, read_table, refuse_missing
from .matching import orders_by_id
from .text_cells import is_decimal_comma, is_number
from .text_files import NONE, hidden_delimiter

#: Roundings that are looked for; to one decimal, a sum of 0.9 might as well be a mistake.
DECIMALS = range(2, 9)


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
        wanted = frozenset(part for text in given if text for part in (text, *text.split(",")))
        tables.append(read_table(path, options.text(number, len(paths)), wanted))
    require_use(tables, options)
    choices = [choose(table, options, i, len(paths)) for i, table in enumerate(tables)]
    orders = orders_by_id(tables, choices)
    readings = [
        _reading(table, choice, order, options)
        for table, choice, order in zip(tables, choices, orders, strict=True)
    ]
    for other in range(1, len(tables)):
        _require_same_points(tables, readings, other)
    return readings


def _require_same_points(tables: Sequence[Table], readings: Sequence[Reading], other: int) -> None:
    first, second = tables[0], tables[other]
    try:
        require_same_points(
            readings[0].partition, readings[other].partition, first.source, second.source
        )
    except InputError as error:
        hint = " If the files have ids, --id COLUMN matches them."
        longer = 0 if first.n > second.n else other
        if abs(first.n - second.n) == 1 and tables[longer].line is not None:
            hint = _header_hint(tables, longer) or hint
        raise InputError(f"{error}{hint}") from None


def _header_hint(tables: Sequence[Table], longer: int) -> str:
    """What to say of a file that may have a header for its one row too many; or nothing."""
    if tables[longer].named:
        return ""
    said = ["--header" if t.named or i == longer else "--no-header" for i, t in enumerate(tables)]
    options = " ".join(said) if len(tables) <= 3 else "--header or --no-header, once for each file"
    return f" {tables[longer].source} was read without a header; if it has one: {options}."


def _reading(
    table: Table, choice: Choice, order: IntArray | None, options: ReadingOptions
) -> Reading:
    name = f"clustering in {table.source}"
    if choice.labels:
        values = _labels(table, choice.columns[0], whole_lines=options.delimiter == NONE)
    else:
        values = _matrix(table, choice.columns)
    as_they_are = choice.labels or options.normalize or options.possibilistic
    decimals = None if as_they_are else _decimals(values)
    try:
        # In the order of the file, so that messages find their way back to its lines.
        partition = as_partition(
            values,
            normalize=options.normalize or decimals is not None,
            possibilistic=options.possibilistic,
            name=name,
        )
    except InputError as error:
        raise InputError(_located(str(error), name, table, choice)) from None
    if order is not None:
        partition = _reordered(partition, order)
    named = tuple(table.names[j] or str(j + 1) for j in choice.columns)
    if table.named and not choice.labels:
        partition = replace(partition, names=ClusterNames(named))
    what = "labels in" if choice.labels else "memberships in"
    shown = f"{named[0]}-{named[-1]}" if not table.named and len(named) > 2 else listed(named)
    plural = "columns" if len(named) > 1 else "column"
    joined = "" if choice.id is None else f", matched by {table.title(choice.id)}"
    rounded = "" if decimals is None else f", rounded to {decimals} decimals and rescaled"
    how = f"{what} {plural} {shown}{joined} ({table.how}{choice.note}{rounded})"
    return Reading(table.source, partition, named, how)


def _decimals(matrix: Array) -> int | None:
    """To how many decimals memberships were rounded, where that explains that they sum not to 1.

    None where they do, to the last digit, and where rounding does not explain it.
    """
    if matrix.dtype.kind != "f" or not np.all((matrix >= 0.0) & (matrix <= 1.0)):
        return None
    off = float(np.abs(matrix.sum(axis=1) - 1.0).max(initial=0.0))
    if off <= 0.5 * SUM_TOLERANCE["float64"]:  # a sum in another order may be off by more
        return None
    clusters = matrix.shape[1]
    for decimals in DECIMALS:
        steps = matrix * 10.0**decimals
        # Half a step in each at worst; but where there are many, they make up for each other.
        worst = min(0.5 * clusters, 6.0 * math.sqrt(clusters / 12.0)) * 10.0**-decimals
        if off <= min(worst + 1e-9, ROUNDED_SUM) and np.all(np.abs(steps - np.rint(steps)) < 1e-4):
            return decimals
    return None


def _reordered(partition: Partition, order: IntArray) -> Partition:
    codes, rows = partition.codes, partition.memberships
    return replace(
        partition,
        codes=None if codes is None else codes[order],
        memberships=None if rows is None else rows[order],
    )


def _labels(table: Table, column: int, *, whole_lines: bool) -> Array:
    values = table.columns[column]
    refuse_missing(table, column, "has no label", "give them a label of their own")
    if is_numeric(values):
        _refuse_fractions(table, column)
        return values
    if table.line is None or not values.size or whole_lines:
        return values
    last = values.size - 1  # the first may be a header
    divided = hidden_delimiter(str(values[last]))
    if divided is not None:
        raise InputError(
            f"{table.at(last)} was read as one label, {str(values[last])!r}, and looks like "
            f"numbers divided by a {divided}. Rows of different lengths, or another --delimiter? "
            f"--delimiter {divided} reads them as memberships, --delimiter none as labels."
        )
    return values


def _refuse_fractions(table: Table, column: int) -> None:
    values = table.columns[column]
    if values.dtype.kind != "f":
        return
    fractional = np.flatnonzero(values != np.floor(values))
    if fractional.size:
        row = int(fractional[0])
        raise InputError(
            f"{table.at(row, column)} is {values[row]:g}, which is no label: it looks like one "
            "column of memberships. They need a column for each cluster; --columns chooses them."
        )


def _matrix(table: Table, columns: tuple[int, ...]) -> Array:
    for column in columns:
        values = table.columns[column]
        if not is_numeric(values) and any(value is not None for value in values):
            _refuse_text(table, column)
        refuse_missing(table, column, "is empty", "fill in the memberships")
    return np.column_stack([table.columns[column] for column in columns])


def _refuse_text(table: Table, column: int) -> NoReturn:
    values = table.columns[column]
    words = [i for i, value in enumerate(values) if value is not None and not is_number(str(value))]
    plain = (i for i in words if not is_decimal_comma(str(values[i])))
    row = next(plain, words[0] if words else 0)
    found = f"{table.at(row, column)} is {values[row]!r}, not a number"
    if is_decimal_comma(str(values[row])):
        raise InputError(
            f"{found}: a decimal comma. Write numbers with a point, e.g. by: "
            "tr ',' '.' < FILE | fuzzyrand ... -"
        )
    raise InputError(
        f"{found}. Several columns are read as memberships; choose them with --columns, a column "
        "of labels with --labels, and name a column of ids with --id."
    )


def _located(message: str, name: str, table: Table, choice: Choice) -> str:
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
