"""Find the delimiter of text files, and divide their rows into fields.

The csv module does the splitting and unquoting; here, only the delimiter is determined.
"""

from __future__ import annotations

import csv
import io
import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from .._base.errors import InputError
from .._base.wording import Option
from .limits import COLUMN, MOST, in_letters
from .text_cells import is_number

#: In order of preference: a comma may be a decimal comma or part of a name if others occur as well.
#: A space stands for any run of spaces and tabs.
DELIMITERS = {"tab": "\t", "semicolon": ";", "pipe": "|", "comma": ",", "space": " "}
SPACE = DELIMITERS["space"]
#: Stands for "no delimiter: one column"; this character occurs in no text.
NONE = "\x1f"
#: Numbers of rows and characters from which the delimiter and the header are determined.
SAMPLE_ROWS, SAMPLE_CHARACTERS = 200, 200_000
#: Characters whose lines are divided at a time.
_BLOCK = 1 << 20
#: A cell in which a quote is opened after a delimiter, and not closed.
_OPENED = re.compile(r'[\s,;|]"[^"]*$')

Row = tuple[int, list[str]]


class TextOptions(NamedTuple):
    """Options for parsing text; None if they are to be detected."""

    delimiter: str | None = None
    header: bool | None = None
    #: Most fields in a line.
    most_fields: int = MOST // COLUMN


class LongFieldError(InputError):
    """A field is longer than any label or number, as a line is if the delimiter is another."""


def split_lines(text: str) -> Iterator[str]:
    """Iterate over lines, a block at a time, because StringIO takes four bytes a character."""
    start = 0
    while start < len(text):
        end = text.find("\n", start + _BLOCK) + 1 or len(text)
        yield from io.StringIO(text[start:end])
        start = end


def require_fields(text: str, delimiter: str, options: TextOptions, source: str) -> None:
    """Refuse lines with so many fields that a table of them would take too much memory."""
    half = options.most_fields // 2
    if not any(text.find("\n", i, i + half) < 0 for i in range(0, len(text) - half + 1, half)):
        return  # no line has as many characters
    for number, line in enumerate(split_lines(text), start=1):
        fields = line.count(delimiter) + 1
        if fields > options.most_fields:
            raise InputError(
                "line {line} of {source} has {fields:,} fields ({divided}), and at most {most:,} "
                "are read: if it is right, {max_size} allows more.",
                line=number,
                source=source,
                fields=fields,
                divided=describe_delimiter(delimiter),
                most=options.most_fields,
                max_size=Option("max_size", in_letters(fields * COLUMN)),
            )


def split_rows(text: str, delimiter: str, source: str, *, strict: bool) -> Iterator[Row]:
    """Iterate over rows with the lines on which they begin, skipping blank lines.

    In a file with one column, a blank line between others is an empty cell.
    """
    lines = (line.rstrip(" \n") + "\n" for line in split_lines(text))
    if delimiter == SPACE:
        lines = (line.replace("\t", " ").strip(" \n") + "\n" for line in lines)
    reader = csv.reader(
        lines, delimiter=delimiter, skipinitialspace=delimiter != "\t", strict=strict
    )
    begins, started = 1, False
    try:
        for fields in reader:
            cells = [cell.strip() for cell in fields]
            if any(cells) or (cells and delimiter != NONE) or (started and delimiter == NONE):
                started = True
                yield begins, cells or [""]
            begins = reader.line_num + 1
    except csv.Error as error:
        long = "field limit" in str(error)
        raise (LongFieldError if long else InputError)(
            "{source} cannot be split into fields from line {line} on: {reason}. Labels and "
            "numbers are shorter; a double quote that opens a field must close it."
            if long
            else "{source} cannot be split into fields from line {line} on: {reason}. A double "
            "quote that opens a field must close it; one inside a field is doubled.",
            source=source,
            line=begins,
            reason=str(error),
        ) from None


def sample_rows(text: str, delimiter: str, source: str) -> list[list[str]]:
    """Return the first rows; if lines are very long, the first three lines."""
    beginning = text
    if len(text) > SAMPLE_CHARACTERS:
        beginning = text[: max(text.rfind("\n", 0, SAMPLE_CHARACTERS), 0)]
        if beginning.count("\n") < 2:
            beginning = "".join(itertools.islice(split_lines(text), 3))
    rows = split_rows(beginning, delimiter, source, strict=False)
    return [fields for _, fields in itertools.islice(rows, SAMPLE_ROWS)]


def find_delimiter(text: str, source: str, options: TextOptions) -> str:
    """Return the delimiter that gives all, or else most, of the first rows equally many fields.

    Return ``NONE`` if no delimiter gives more than half of the rows the same number of fields.
    """
    best, best_share = NONE, 0.5
    for delimiter in DELIMITERS.values():
        require_fields(text, delimiter, options, source)
        try:
            rows = sample_rows(text, delimiter, source)
        except LongFieldError:  # a long line that has other delimiters
            continue
        if not rows:
            continue
        width, count = Counter(map(len, rows)).most_common(1)[0]
        if width == 1 or (delimiter == SPACE and not _spaces_divide(rows, width)):
            continue
        if any(map(_is_cut_in_quotes, rows)):
            continue
        # White space also splits at tabs, and would split column names into words. A decimal comma
        # divides as many rows as white space does.
        whole = count == len(rows) and not (delimiter == "," and all(map(_has_several, rows)))
        if whole or (delimiter in ("\t", SPACE) and rows_are_named(rows, width)):
            return delimiter
        if count / len(rows) > best_share:
            best, best_share = delimiter, count / len(rows)
    return best


def _spaces_divide(rows: Sequence[list[str]], width: int) -> bool:
    """Return whether white space separates fields rather than the words of labels.

    It does if all rows have equally many fields (except for a header of R, which is one field short
    above row names), or if all fields are numbers. Labels such as "cluster 1" have two words in
    every row, but the first is always the same; then the whole line is the label.
    """
    below = rows[1:] or rows
    if all(len(row) == width for row in rows) or rows_are_named(rows, width):
        same_word = width == 2 and len({row[0] for row in below}) == 1
        return not same_word or any(is_number(row[0]) or "." in row[1] for row in below)
    return all(is_number(cell) for row in below if len(row) == width for cell in row)


def _has_several(row: Sequence[str]) -> bool:
    """Return whether a cell holds several numbers, as ``p 0,2 0,8`` has if divided at commas."""
    return any(hidden_delimiter(cell) == "space" for cell in row)


def _is_cut_in_quotes(row: Sequence[str]) -> bool:
    """Return whether a row was divided within quotes, as ``1 "rosa, red"`` is at the comma."""
    opened = next((i for i, cell in enumerate(row) if _OPENED.search(cell)), len(row))
    return any(cell.endswith('"') for cell in row[opened + 1 :])


def rows_are_named(rows: Sequence[Sequence[str]], width: int) -> bool:
    """Return whether the header is one field short, as R writes it above distinct row names."""
    below = rows[1:]
    return (
        len(rows[0]) == width - 1
        and all(len(row) == width for row in below)
        and len({row[0] for row in below}) == len(below)
    )


def describe_delimiter(delimiter: str) -> str:
    """Describe a delimiter in words."""
    if delimiter == NONE:
        return "one column"
    names = {character: name for name, character in DELIMITERS.items()}
    return f"{names.get(delimiter, repr(delimiter))}-separated"


def hidden_delimiter(cell: str) -> str | None:
    """Return the name of a delimiter that divides this cell into several numbers, or None."""
    for name, delimiter in DELIMITERS.items():
        parts = cell.split() if delimiter == SPACE else cell.split(delimiter)
        if len(parts) > 1 and all(is_number(part) for part in parts):
            return name
    return None
