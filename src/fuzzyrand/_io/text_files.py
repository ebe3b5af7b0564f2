"""Text files: delimiter and header found out, rows turned into columns of numbers or text.

Whole files of numbers go through NumPy's reader. Whatever it does not take (quotes, text, ragged
rows, empty cells) goes through the csv module, which is slower and knows where everything is.
"""

from __future__ import annotations

import csv
import io
import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from .._base.errors import InputError
from .._base.types import FloatArray
from .files import Array, Table, TextOptions
from .text_cells import column_of, is_ambiguous, is_empty, is_number, without_decimal_commas
from .text_headers import has_header, name_of, refuse_doubtful_first

#: By preference: a comma may be a decimal comma or part of a name where the others occur as well.
DELIMITERS = {"tab": "\t", "semicolon": ";", "pipe": "|", "comma": ",", "space": " "}
#: Stands for "no delimiter: one column", and occurs in no text.
NONE = "\x1f"
#: Rows, and characters, that delimiter and header are judged by.
SAMPLE_ROWS, SAMPLE_CHARACTERS = 200, 200_000

_QUOTED = re.compile(r'"[^"\n]*"')

Row = tuple[int, list[str]]


def read_text(data: bytes, source: str, options: TextOptions, wanted: frozenset[str]) -> Table:
    """A table from the bytes of a text file; see :func:`fuzzyrand.files.read_table`."""
    text = _decoded(data, source)
    given = options.delimiter
    delimiter = _delimiter(text, source) if given is None else given
    sample = [fields for _, fields in _some_rows(text, delimiter, source)]
    if not sample:
        raise InputError(f"{source} has only empty lines; expected labels or memberships.")
    header = has_header(sample, wanted) if options.header is None else options.header
    if header and len(sample) == 1:
        raise InputError(f"{source} has a header and no rows; expected one row a point.")
    names = tuple(name_of(field) for field in sample[0]) if header else None
    how = f"{_spoken(delimiter)}, {'with a' if header else 'no'} header"
    numbers = _all_numbers(text, delimiter, header)
    columns: tuple[Array, ...]
    lines: Sequence[int]
    if numbers is not None:
        columns = tuple(numbers.T)
        first = 2 if header else 1
        lines = range(first, first + numbers.shape[0])
    else:
        columns, lines = _cell_by_cell(text, delimiter, header, source)
        columns, commas = without_decimal_commas(columns)
        how += ", decimal commas" * commas
    blank_ends = not any(row[-1] for row in sample[int(header) :])
    names, columns = _framed(names, columns, lines, source, delimiter, blank_ends)
    table = Table(source, names, columns, how, named=header, line=lines.__getitem__)
    if options.header is None and not (header and wanted.intersection(names)):
        refuse_doubtful_first(sample, table)
    return table


def _framed(
    names: tuple[str, ...] | None,
    columns: tuple[Array, ...],
    lines: Sequence[int],
    source: str,
    delimiter: str,
    blank_ends: bool,
) -> tuple[tuple[str, ...], tuple[Array, ...]]:
    """Names and columns of the same number.

    Delimiters at the ends of lines make a last column of nothing, which goes. Where the header is
    one name short, as R writes it, the first column holds names of rows, which are all different,
    and has none itself.
    """
    unnamed = names is None or len(names) < len(columns) or not names[-1]
    if len(columns) > 1 and unnamed and blank_ends and is_empty(columns[-1]):
        columns = columns[:-1]
        names = names[:-1] if names and not names[-1] else names
    if names is None:
        return tuple(str(number) for number in range(1, len(columns) + 1)), columns
    if len(names) == len(columns) - 1 and len(set(columns[0].tolist())) == columns[0].size:
        names = ("", *names)
    if len(names) != len(columns):
        raise InputError(_ragged(lines[0], len(columns), 1, len(names), source, delimiter))
    return names, columns


def hidden_delimiter(cell: str) -> str | None:
    """The name of a delimiter by which this one cell is several numbers."""
    for name, delimiter in DELIMITERS.items():
        parts = cell.split(delimiter)
        if len(parts) > 1 and all(is_number(part) for part in parts):
            return name
    return None


def _decoded(data: bytes, source: str) -> str:
    marked = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    if marked or (data[1:2] == b"\0" and data[3:4] == b"\0"):
        raise InputError(
            f"{source} is written in UTF-16; expected UTF-8. Save it as UTF-8, or: "
            "iconv -f UTF-16 -t UTF-8 FILE | fuzzyrand ... -"
        )
    if b"\0" in data:
        line = data.count(b"\n", 0, data.index(b"\0")) + 1
        raise InputError(
            f"{source} is no text file: line {line} holds a zero byte. Expected CSV or other "
            "text, or a name that ends in .npy, .npz, .parquet or .feather."
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"line {line} of {source} is not UTF-8 text (byte {data[error.start]:#04x}). If it is "
            "text in an older encoding: iconv -f latin1 -t UTF-8 FILE | fuzzyrand ... -"
        ) from None
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.rstrip("\n ")


# --- delimiter -----------------------------------------------------------------------------------


def _some_rows(text: str, delimiter: str, source: str) -> list[Row]:
    """The first rows; the last of them may be cut short in a long file, and is left out."""
    beginning = text[:SAMPLE_CHARACTERS]
    if len(text) > len(beginning) and "\n" in beginning:
        beginning = beginning[: beginning.rindex("\n")]
    rows = _rows(beginning, delimiter, source, strict=False)
    return list(itertools.islice(rows, SAMPLE_ROWS))


def _delimiter(text: str, source: str) -> str:
    """That by which the first rows all have as many fields; else by which most have."""
    most: tuple[float, str] = (0.5, NONE)
    for name, delimiter in DELIMITERS.items():
        rows = [fields for _, fields in _some_rows(text, delimiter, source)]
        if not rows:
            continue
        width, rows_so = Counter(map(len, rows)).most_common(1)[0]
        if width == 1:
            continue
        if name == "space" and not _spaces_divide(text, source):
            continue  # a label may well be two words
        if rows_so == len(rows):
            return delimiter
        if rows_so / len(rows) > most[0]:
            most = (rows_so / len(rows), delimiter)
    return most[1]


def _spaces_divide(text: str, source: str) -> bool:
    """Is every cell a number or in quotes, besides a header, and names of rows that it has not?"""
    bare = _QUOTED.sub("0", text[:SAMPLE_CHARACTERS])
    rows = [fields for _, fields in _some_rows(bare, " ", source)]
    below = rows[1:] or rows
    names_of_rows = len(rows[0]) == len(below[0]) - 1 or text.startswith('""')
    return all(is_number(cell) for row in below for cell in row[int(names_of_rows) :])


def _spoken(delimiter: str) -> str:
    if delimiter == NONE:
        return "one column"
    names = {character: name for name, character in DELIMITERS.items()}
    return f"{names.get(delimiter, repr(delimiter))}-separated"


# --- cells ---------------------------------------------------------------------------------------


def _rows(text: str, delimiter: str, source: str, *, strict: bool) -> Iterator[Row]:
    """Rows with the lines they begin on, and without blank ones.

    In a file of one column a blank line between others is a cell that was left empty.
    """
    lines: Iterator[str] = iter(io.StringIO(text))
    if delimiter == " ":
        # numpy.savetxt marks its header so.
        text = text.removeprefix("# ")
        lines = (line.strip(" \n") + "\n" for line in io.StringIO(text))
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
            f"{source} cannot be taken apart from line {begins} on: {error}. A double quote that "
            "opens a field must close it; one inside a field is doubled."
        ) from None


def _all_numbers(text: str, delimiter: str, header: bool) -> FloatArray | None:
    """The table, if it is plain numbers throughout; None if a closer look is needed."""
    if '"' in text or text.startswith("\n") or "\n\n" in text:
        return None
    try:
        found = np.loadtxt(
            io.StringIO(text),
            delimiter=None if delimiter == " " else delimiter,
            skiprows=int(header),
            comments=None,
            ndmin=2,
        )
    except ValueError:
        return None
    numbers: FloatArray = np.asarray(found, dtype=np.float64)
    return numbers if numbers.size and not is_ambiguous(numbers) else None


def _cell_by_cell(
    text: str, delimiter: str, header: bool, source: str
) -> tuple[tuple[Array, ...], list[int]]:
    lines: list[int] = []
    # By columns from the start: a list for each row would keep the garbage collector busy.
    columns: list[list[str]] = []
    rows = _rows(text, delimiter, source, strict=True)
    for line, cells in itertools.islice(rows, int(header), None):
        columns = columns or [[] for _ in cells]
        if len(cells) != len(columns):
            raise InputError(_ragged(line, len(cells), lines[0], len(columns), source, delimiter))
        lines.append(line)
        for column, cell in zip(columns, cells, strict=True):
            column.append(cell)
    return tuple(map(column_of, columns)), lines


def _ragged(line: int, found: int, other: int, wanted: int, source: str, delimiter: str) -> str:
    return (
        f"line {line} of {source} has {found} field{'s' * (found != 1)} where line {other} has "
        f"{wanted} ({_spoken(delimiter)}). Every row needs as many; text with the delimiter in it "
        "goes in double quotes; --delimiter says what divides."
    )
