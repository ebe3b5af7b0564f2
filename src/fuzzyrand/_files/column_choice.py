"""Choose the columns of a table that hold the clustering.

``--labels`` and ``--columns`` name them. Without these options, a single column besides the id
holds labels, and several columns of numbers are memberships.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .._base.errors import InputError, ParameterError
from .._base.wording import Option
from .column_lookup import find_column, find_columns, has_columns, list_names, suggest
from .file_table import FileTable, is_numeric
from .id_columns import (
    find_id_among,
    find_id_beside,
    has_row_names,
    is_named_id,
    is_unnamed,
    is_whole_column,
    may_be_labels,
)
from .text_cells import are_whole
from .text_headers import ROUNDED_SUM
from .text_rows import TextOptions

#: How annotated data are read: with many columns, one of which must be named.
ANNOTATED = "AnnData"


@dataclass(frozen=True)
class ReadingOptions:
    """Options that the user gave for reading files.

    Attributes
    ----------
    labels, columns, id : sequence of str
        Columns: none, one for all files, or one for each file ("" for a file without).
    names : sequence of str
        Files with the names of the points, in the same way.
    header : sequence of bool
        Whether the first row of text holds names: not given, once for all files, or for each file.
    delimiter : str, optional
        The delimiter of text files; found automatically if it is not given.
    normalize, possibilistic : bool
        As in :func:`fuzzyrand.compare`.
    missing : None, "noise" or "drop"
        As in :func:`fuzzyrand.compare`.
    max_size : int, optional
        Most bytes of memory that a file may take if it is compressed, or claims more than it holds.
    weights : str, optional
        Column of weights of the points, in one of the files.
    xy : str, optional
        Two columns with coordinates of the points, in one of the files.
    common : bool
        Whether the files may hold different points, which are matched by ids later.
    """

    labels: Sequence[str] = ()
    columns: Sequence[str] = ()
    id: Sequence[str] = ()
    names: Sequence[str] = ()
    header: Sequence[bool] = ()
    delimiter: str | None = None
    normalize: bool = False
    possibilistic: bool = False
    missing: str | None = None
    max_size: int | None = None
    common: bool = False
    weights: str | None = None
    xy: str | None = None

    def of(self, option: str, file: int, files: int) -> str | None:
        """Return the value of an option for one of the files: a column, or a file with names."""
        return self._given(option, file, files) or None

    def text(self, file: int, files: int) -> TextOptions:
        """Return the options for parsing one of the files."""
        return TextOptions(self.delimiter, self._given("header", file, files))

    def _given(self, option: str, file: int, files: int) -> Any:
        given = getattr(self, option)
        if len(given) not in (0, 1, files):
            raise ParameterError(
                "{parameter} is given {times} times for {files} files; give it once for all of "
                "them, or once for each, in their order.",
                parameter=Option(option),
                times=len(given),
                files=files,
            )
        if not given:
            return None
        return given[0] if len(given) == 1 else given[file]


@dataclass(frozen=True)
class ColumnChoice:
    """The columns of a table that hold the clustering.

    Attributes
    ----------
    columns : tuple of int
        Their positions, from 0.
    labels : bool
        Whether the column holds labels rather than memberships.
    id : int, optional
        The column with the ids of the points.
    asked : bool
        Whether the user named the columns.
    found : bool
        Whether the id was found rather than named by the user.
    weights : int, optional
        The column with the weights of the points.
    xy : tuple of int
        The two columns with the coordinates of the points, if there are any.
    """

    columns: tuple[int, ...]
    labels: bool
    id: int | None = None
    asked: bool = False
    found: bool = False
    weights: int | None = None
    xy: tuple[int, ...] = ()


def choose(table: FileTable, options: ReadingOptions, file: int, files: int) -> ColumnChoice:
    """Return the columns that hold the clustering of one of the files, and more on its points.

    Each file may have weights and coordinates; those of the first that has them count.
    """
    weights: int | None = None
    xy: tuple[int, ...] = ()
    if options.weights is not None and (files == 1 or has_columns(table, options.weights)):
        weights = find_column(table, options.weights, "weights")
    if options.xy is not None and (files == 1 or has_columns(table, options.xy)):
        xy = _find_two_columns(table, options.xy)
    chosen = _choose_clustering(table, options, file, files, {weights, *xy})
    return replace(chosen, weights=weights, xy=xy)


def _find_two_columns(table: FileTable, text: str) -> tuple[int, ...]:
    columns = find_columns(table, text, "xy")
    if len(columns) != 2:
        raise InputError(
            "{parameter} names two columns, separated by a comma, but {value!r} are {number}.",
            parameter=Option("xy"),
            value=text,
            number=len(columns),
        )
    return tuple(columns)


def _choose_clustering(
    table: FileTable, options: ReadingOptions, file: int, files: int, beside: set[int | None]
) -> ColumnChoice:
    labels, columns, key = (options.of(o, file, files) for o in ("labels", "columns", "id"))
    # An option given once applies to the files that have such a column.
    for_all = files > 1
    if for_all and len(options.labels) == 1 and not has_columns(table, labels, data=True):
        labels = None
    if for_all and len(options.columns) == 1 and not has_columns(table, columns):
        columns = None
    if key is not None and _has_other_names(table, options) and not has_columns(table, key):
        key = None
    identity = None if key is None else _find_id(table, key, options, files)
    if labels is not None and columns is not None:
        raise InputError(
            "{source} has both the labels ({labels}) and the memberships ({columns}) asked for. "
            'Give {labels_option} and {columns_option} once for each file, "" for a file without.',
            source=table.source,
            labels=labels,
            columns=columns,
            labels_option=Option("labels"),
            columns_option=Option("columns"),
        )
    if labels is not None and table.groups and labels in table.groups and _is_annotated(table):
        return ColumnChoice(tuple(table.groups[labels]), False, identity, asked=True)
    if labels is not None or columns is not None:
        chosen = (
            (find_column(table, labels, "labels"),)
            if labels is not None
            else tuple(find_columns(table, columns or "", "columns"))
        )
        # A column that was numbered for all files may be one of ids in this one.
        numbered = for_all and len(options.labels) == 1 and labels not in table.places
        found = None
        if identity is None and not has_row_names(table) and table.sparse is None:
            found = find_id_beside(table, {*chosen, *beside})
        return ColumnChoice(
            chosen,
            labels is not None,
            identity if found is None else found,
            asked=not numbered,
            found=found is not None,
        )
    if _is_annotated(table):
        from .annotated_files import refuse_unnamed  # Deferred: seldom needed.

        refuse_unnamed(table)
    return _choose_by_default(table, identity, files > 1, beside)


def _find_id(table: FileTable, key: str, options: ReadingOptions, files: int) -> int:
    try:
        return find_column(table, key, "id")
    except InputError as error:
        if files == 1 or len(options.id) > 1:
            raise
        raise error.extended(
            after=" If ids have another name there, give {id} once for each file.", id=Option("id")
        ) from None


def _is_annotated(table: FileTable) -> bool:
    return table.how == ANNOTATED


def _has_other_names(table: FileTable, options: ReadingOptions) -> bool:
    """Return whether points have names that are no column that the user could name."""
    unnamed = bool(table.index) and all(is_unnamed(table, j) for j in table.index)
    return bool(options.names) or table.ids is not None or unnamed


def _choose_by_default(
    table: FileTable, identity: int | None, several: bool, beside: set[int | None]
) -> ColumnChoice:
    if table.source.lower().endswith(".fam"):
        raise InputError(
            "{source} is a PLINK .fam file, which names the points of another file: give it with "
            "{names}. If families are the clustering: {labels}.",
            source=table.source,
            names=Option("names"),
            labels=Option("labels", 1),
        )
    if re.search(r"\.\d+\.P$", table.source):
        raise InputError(
            "{source} holds ADMIXTURE's allele frequencies, and its rows are markers. Memberships "
            "of individuals are in the .Q file of the same run.",
            source=table.source,
        )
    others = {identity, *beside, *table.index}
    left = [j for j in range(len(table.names)) if j not in others]
    if table.sparse is not None and len(left) > 1:
        return ColumnChoice(tuple(left), False, identity)
    found = identity is None and not has_row_names(table)
    if found:
        identity = find_id_among(table, left)
        left = [j for j in left if j != identity]
    if len(left) > 1:
        _refuse_other_columns(table, left, several)
    if not left:
        raise InputError(
            "{source} has no columns besides the id; expected labels or more.", source=table.source
        )
    return ColumnChoice(tuple(left), len(left) == 1, identity, found=found and identity is not None)


def name_by_index(
    tables: Sequence[FileTable], choices: Sequence[ColumnChoice]
) -> list[ColumnChoice]:
    """Name points by the index of a frame, where it has one, instead of ids that were found."""
    return [
        replace(choice, id=None, found=False) if choice.found and table.index else choice
        for table, choice in zip(tables, choices, strict=True)
    ]


def _refuse_other_columns(table: FileTable, columns: Sequence[int], several: bool) -> None:
    """Refuse columns among the memberships that are not memberships: ids, labels, counts.

    They must not become clusters, especially if rows are then divided by their sums.
    """
    if _counts(table, columns[0]):
        foreign, what = [columns[0]], "counts the rows"
    elif named_ids := [j for j in columns if is_named_id(table, j)]:
        foreign, what = named_ids, "holds whole numbers and is called an id"
    else:
        foreign = _other_whole_numbers(table, columns) or _ids_beside_sums(table, columns)
        what = "holds whole numbers beside memberships"
        if not foreign and len(columns) == 2:
            foreign = [j for j in columns if _numbers_rows(table, j, columns)]
            what = "holds another whole number in each row, beside labels"
    if not foreign:
        return
    left_out = set(foreign)
    others = [j for j in columns if j not in left_out and is_numeric(table.columns[j])]
    choices = "if not, {columns} and {labels} choose others"
    ranges, labels = Option("columns"), Option("labels")
    if len(others) > 1 and not any(np.any(table.columns[j] < 0.0) for j in others):
        choices = "if not, {columns} takes the memberships, {labels} labels"
        ranges = Option("columns", _ranges(table, others))
    elif len(columns) == 2:
        choices = "if not, {labels} takes the labels"
        held = next((j for j in columns if may_be_labels(table.columns[j])), foreign[0])
        labels = Option("labels", table.names[held])
    ids = f"If it is an id, {{id}} {'matches files by it' if several else 'says so'}; "
    if several:
        choices += ". Options for this file alone are given once for each file"
    raise InputError(
        "{column} of {source} {what}, and does not hold memberships. " + f"{ids}{choices}.",
        column=table.title(foreign[0]),
        source=table.source,
        what=what,
        columns=ranges,
        labels=labels,
        id=Option("id", table.names[foreign[0]] if table.named else foreign[0] + 1),
    )


def _numbers_rows(table: FileTable, column: int, columns: Sequence[int]) -> bool:
    """Return whether a column holds another whole number in each row, beside labels that repeat."""
    values = [table.columns[j] for j in columns]
    if table.n < 4 or not all(is_whole_column(x) for x in values):
        return False
    repeat = [np.unique(table.columns[j]).size <= table.n / 2 for j in columns if j != column]
    return all(repeat) and np.unique(table.columns[column]).size == table.n


def _other_whole_numbers(table: FileTable, columns: Sequence[int]) -> list[int]:
    """Return columns of integers that exceed 1, or without which the others sum to 1.

    Return none if all columns are integers, or if the others exceed 1 as well, as counts and
    percentages do.
    """
    if not all(is_numeric(table.columns[j]) for j in columns):
        return []  # text is refused elsewhere
    whole = [j for j in columns if are_whole(table.columns[j])]
    among = set(whole)
    others = [table.columns[j] for j in columns if j not in among]
    if not others or any(float(values.max()) > 1.0 for values in others):
        return []
    complete = bool(np.all(np.abs(np.sum(others, axis=0) - 1.0) < ROUNDED_SUM)) and len(others) > 1
    return [j for j in whole if table.columns[j].max() > (0.0 if complete else 1.0)]


def _ids_beside_sums(table: FileTable, columns: Sequence[int]) -> list[int]:
    """Return a column with another whole number in each row, if the others have equal sums.

    These are one-hot rows, counts or percentages, to which ``--normalize`` would add the ids.
    """
    values = [table.columns[j] for j in columns]
    if len(columns) < 3 or table.n < 4 or not all(map(is_numeric, values)):
        return []
    sums = np.sum(values, axis=0)
    for j, column in zip(columns, values, strict=True):
        rest = sums - column
        equal = bool(np.all(np.abs(rest - rest[0]) <= ROUNDED_SUM * rest[0]))
        if (
            equal
            and rest[0] > 0.0
            and is_whole_column(column)
            and np.unique(column).size == table.n
        ):
            return [j]
    return []


def _ranges(table: FileTable, columns: Sequence[int]) -> str:
    """Write columns as ``--columns`` takes them: by number, unless some names are numbers."""
    numbers = [str(number) for number in range(1, len(table.names) + 1)]
    called = numbers if {*numbers}.isdisjoint(table.names) else table.names
    runs: list[list[int]] = []
    for j in columns:
        if runs and runs[-1][-1] == j - 1:
            runs[-1][-1] = j
        else:
            runs.append([j, j])
    return ",".join(called[a] if a == b else f"{called[a]}-{called[b]}" for a, b in runs)


def _counts(table: FileTable, column: int) -> bool:
    """Return whether a column counts upwards, such as 0, 1, 2 or 1, 2, 3, in three rows or more.

    With fewer rows, such numbers may be memberships.
    """
    values = table.columns[column]
    if not is_numeric(values) or table.n < 3 or not np.isfinite(values[0]):
        return False
    return bool(np.all(values == values[0] + np.arange(table.n)))


def require_use(tables: Sequence[FileTable], options: ReadingOptions) -> None:
    """Refuse a column that no file has, since an option must not be ignored silently."""
    if len(tables) == 1:
        return  # the error is raised when the column is looked up
    for option, given in (
        ("labels", options.labels),
        ("columns", options.columns),
        ("weights", (options.weights or "",)),
        ("xy", (options.xy or "",)),
    ):
        if len(given) != 1 or not given[0] or any(has_columns(table, given[0]) for table in tables):
            continue
        ends = set(re.split("[,-]", given[0]))
        if len(ends) > 1 and option == "columns":
            # The file that has most of these columns is the one that was meant.
            meant = max(
                tables,
                key=lambda table: (sum(has_columns(table, e) for e in ends), len(table.names)),
            )
            find_columns(meant, given[0], option)
        every = dict.fromkeys(name for table in tables for name in table.names)
        raise InputError(
            "no file has the column {parameter}.{nearest} {columns}.",
            parameter=Option(option, given[0]),
            nearest=suggest(given[0], every),
            columns="; ".join(
                f"{source} has {columns}"
                for source, columns in {t.source: _listed_columns(t) for t in tables[:2]}.items()
            ),
        )


def _listed_columns(table: FileTable) -> str:
    if table.named:
        return list_names(map(repr, table.names))
    return f"{len(table.names)} column{'s' * (len(table.names) != 1)} without names"
