"""Rows of text files: what divides their fields, and the fields of every row.

The csv module splits and unquotes; here is only found out which delimiter it should use.
"""

from __future__ import annotations

import csv
import io
import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from .._base.errors import InputError
from .text_cells import is_number

#: By preference: a comma may be a decimal comma or part of a name where the others occur as well.
#: A space stands for any run of spaces and tabs.
DELIMITERS = {"tab": "\t", "semicolon": ";", "pipe": "|", "comma": ",", "space": " "}
SPACE = DELIMITERS["space"]
#: Stands for "no delimiter: one column", and occurs in no text.
NONE = "\x1f"
#: Rows, and characters, that delimiter and header are judged by.
SAMPLE_ROWS, SAMPLE_CHARACTERS = 200, 200_000

Row = tuple[int, list[str]]


class TextOptions(NamedTuple):
    """How to take text apart; None where that is to be found out."""

    delimiter: str | None = None
    header: bool | None = None


def rows_of(text: str, delimiter: str, source: str, *, strict: bool) -> Iterator[Row]:
    """Iterate over rows with the lines they begin on, without blank ones.

    In a file of one column a blank line between others is a cell that was left empty.
    """
    lines: Iterator[str] = iter(io.StringIO(text))
    if delimiter == SPACE:
        # numpy.savetxt marks its header with a "#".
        text = text.removeprefix("# ")
        lines = (line.replace("\t", " ").strip(" \n") + "\n" for line in io.StringIO(text))
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
        raise InputError(
            "{source} cannot be split into fields from line {line} on: {reason}. Labels and "
            "numbers are shorter; a double quote that opens a field must close it."
            if "field limit" in str(error)
            else "{source} cannot be split into fields from line {line} on: {reason}. A double "
            "quote that opens a field must close it; one inside a field is doubled.",
            source=source,
            line=begins,
            reason=str(error),
        ) from None


def sample_rows(text: str, delimiter: str, source: str) -> list[list[str]]:
    """Return the first rows; where lines are very long, at least three of them."""
    beginning = text
    if len(text) > SAMPLE_CHARACTERS:
        beginning = text[: max(text.rfind("\n", 0, SAMPLE_CHARACTERS), 0)]
        if beginning.count("\n") < 2:
            beginning = "".join(itertools.islice(io.StringIO(text), 3))
    rows = rows_of(beginning, delimiter, source, strict=False)
    return [fields for _, fields in itertools.islice(rows, SAMPLE_ROWS)]


def find_delimiter(text: str, source: str) -> str:
    """Return the delimiter by which the first rows all have as many fields, else most of them.

    None of them, if no delimiter divides more than half of the rows into as many fields.
    """
    best, best_share = NONE, 0.5
    for delimiter in DELIMITERS.values():
        rows = sample_rows(text, delimiter, source)
        if not rows:
            continue
        width, count = Counter(map(len, rows)).most_common(1)[0]
        if width == 1 or (delimiter == SPACE and not _spaces_divide(rows, width)):
            continue
        # White space also divides at tabs, and would take names of columns apart.
        if count == len(rows) or (delimiter == "\t" and _rows_are_named(rows, width)):
            return delimiter
        if count / len(rows) > best_share:
            best, best_share = delimiter, count / len(rows)
    return best


def _spaces_divide(rows: Sequence[list[str]], width: int) -> bool:
    """Whether white space divides fields, and not the words of labels.

    It does where every row has as many fields (besides a header of R, which is one field short
    above names of rows), and where fields are numbers throughout. Labels such as "cluster 1" have
    two words in every row, but the first is always the same: then the line is the label.
    """
    below = rows[1:] or rows
    if all(len(row) == width for row in rows) or _rows_are_named(rows, width):
        same_word = width == 2 and len({row[0] for row in below}) == 1
        return not same_word or any(is_number(row[0]) or "." in row[1] for row in below)
    return all(is_number(cell) for row in below if len(row) == width for cell in row)


def _rows_are_named(rows: Sequence[list[str]], width: int) -> bool:
    """Whether the header is one field short, as R writes it above different names of rows."""
    below = rows[1:]
    return (
        len(rows[0]) == width - 1
        and all(len(row) == width for row in below)
        and len({row[0] for row in below}) == len(below)
    )


def spoken(delimiter: str) -> str:
    """Return how a file is divided, in words."""
    if delimiter == NONE:
        return "one column"
    names = {character: name for name, character in DELIMITERS.items()}
    return f"{names.get(delimiter, repr(delimiter))}-separated"


def hidden_delimiter(cell: str) -> str | None:
    """Return the name of a delimiter by which this one cell is several numbers."""
    for name, delimiter in DELIMITERS.items():
        parts = cell.split(delimiter)
        if len(parts) > 1 and all(is_number(part) for part in parts):
            return name
    return None
