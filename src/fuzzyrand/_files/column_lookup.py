"""Find columns of a table by their names, or by their numbers from 1."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from .._base.errors import InputError
from .._base.wording import Option
from .file_table import FileTable, is_numeric

#: Number of names that a message lists before it says how many more there are.
LISTED = 10


def has_columns(table: FileTable, text: str | None, *, data: bool = False) -> bool:
    """Return whether a table has columns, which must not be row names if they are to be data."""
    if text is None or text in table.places:
        return text is not None  # even if several columns have the name
    try:
        columns = find_columns(table, text, "columns")
    except InputError:
        return False
    return not data or not set(columns) <= set(table.index)


def find_column(table: FileTable, text: str, option: str) -> int:
    """Find one column by name or by number from 1."""
    columns = find_columns(table, text, option)
    if len(columns) > 1:
        raise InputError(
            "{parameter} names one column, but {value!r} are {number}.",
            parameter=Option(option),
            value=text,
            number=len(columns),
        )
    return columns[0]


def find_columns(table: FileTable, text: str, option: str) -> list[int]:
    """Find columns by name or by number from 1; commas separate several, a dash gives a range.

    If all are numbers and some of them are not names of columns, none is taken for a name.
    """
    if text in table.groups:
        return list(table.groups[text])
    if text in table.places:
        return [_by_name(table, text)]
    tokens = [part.strip() for part in text.split(",")]
    ends = [end for t in tokens for end in ([t] if t in table.places else t.split("-"))]
    numbers = all(map(str.isdecimal, ends)) and not all(end in table.places for end in ends)
    find = _by_number if numbers else _by_name
    columns: list[int] = []
    for token in tokens:
        low, dash, high = token.partition("-")
        if token not in table.places and dash and low and high:
            start, stop = find(table, low), find(table, high)
            if start > stop:
                raise InputError(
                    "{parameter}: the range runs backwards in {source}.",
                    parameter=Option(option, token),
                    source=table.source,
                )
            columns += range(start, stop + 1)
        else:
            columns.append(find(table, token))
    twice = next((j for j, times in Counter(columns).items() if times > 1), None)
    if twice is not None:
        raise InputError(
            "{parameter} names {column} of {source} twice.",
            parameter=Option(option, text),
            column=table.title(twice),
            source=table.source,
        )
    return columns


def _by_number(table: FileTable, token: str) -> int:
    if len(token) < 10 and 1 <= int(token) <= len(table.names):
        return int(token) - 1
    raise InputError(
        "{source} has {number} column{s}, counted from 1; there is no column {value}.",
        source=table.source,
        number=len(table.names),
        s="s" * (len(table.names) != 1),
        value=token,
    )


def _by_name(table: FileTable, token: str) -> int:
    places = table.places.get(token, [])
    if len(places) == 1:
        return places[0]
    if len(places) > 1:
        raise InputError(
            "{source} has {number} columns named {value!r}; take them by number: {listed}.",
            source=table.source,
            number=len(places),
            value=token,
            listed=" and ".join(str(j + 1) for j in places),
        )
    if token.isdecimal() and len(token) < 10:
        return _by_number(table, token)
    template = "{source} has no column {value!r}.{nearest} It has {names}."
    candidates: Sequence[str] = table.names
    if not table.named:
        template = (
            "{source} has no column {value!r}. Its columns ({number}) have no names: use numbers "
            "from 1."
        )
        if table.line is not None:
            template = template[:-1] + ", or {header} if the first line holds names.{nearest}"
            candidates = [str(column[0]) for column in table.columns if not is_numeric(column)]
    raise InputError(
        template,
        source=table.source,
        value=token,
        number=len(table.names),
        names=list_names(map(repr, table.names)),
        nearest=suggest(token, candidates),
        header=Option("header", True),
    )


def suggest(token: str, names: Iterable[str]) -> str:
    near = get_close_matches(token, list(names), n=2, cutoff=0.5)
    return f" Did you mean {' or '.join(map(repr, near))}?" if near else ""


def list_names(items: Iterable[str]) -> str:
    """Write names for a message: the first few, and how many more there are."""
    every = list(items)
    more = f" and {len(every) - LISTED:,} more" if len(every) > LISTED else ""
    return ", ".join(every[:LISTED]) + more
