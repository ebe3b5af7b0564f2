"""Text files: delimiter and header found out, cells turned into columns of numbers or text.

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

from ._types import FloatArray
from .errors import InputError
from .files import Array, Table, TextOptions, is_numeric

#: By preference: a comma may be a decimal comma or part of a name where the others occur as well.
DELIMITERS = {"tab": "\t", "semicolon": ";", "pipe": "|", "comma": ",", "space": " "}
#: Stands for "no delimiter: one column", and occurs in no text.
NONE = "\x1f"
#: What a cell that was left empty looks like.
MISSING = frozenset({"", "NA", "N/A", "NaN", "nan", "null", "NULL"})
#: Rows, and characters, that delimiter and header are judged by.
SAMPLE_ROWS, SAMPLE_CHARACTERS = 200, 200_000
#: Beyond, a double no longer tells whole numbers apart: ids and labels must stay text.
LARGEST_WHOLE = 2.0**53

#: What people call a column of labels: a header, where it is the first word of many.
USUAL_NAMES = frozenset({"class", "cluster", "clusters", "group", "label", "labels", "truth"})

_QUOTED = re.compile(r'"[^"\n]*"')
_DECIMAL_COMMA = re.compile(r"[+-]?\d*,\d+(?:[eE][+-]?\d+)?")

Row = tuple[int, list[str]]


def read_text(data: bytes, source: str, options: TextOptions, wanted: frozenset[str]) -> Table:
    """A table from the bytes of a text file; see :func:`fuzzyrand.files.read_table`."""
    text = _decoded(data, source)
    given = options.delimiter
    delimiter = _delimiter(text, source) if given is None else given
    sample = [fields for _, fields in _some_rows(text, delimiter, source)]
    if not sample:
        raise InputError(f"{source} has only empty lines; expected labels or memberships.")
    header = _has_header(sample, wanted) if options.header is None else options.header
    if header and len(sample) == 1:
        raise InputError(f"{source} has a header and no rows; expected one row a point.")
    names = tuple(_name(field) for field in sample[0]) if header else None
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
        columns, commas = _without_decimal_commas(columns)
        how += ", decimal commas" * commas
    blank_ends = not any(row[-1] for row in sample[int(header) :])
    names, columns = _framed(names, columns, lines, source, delimiter, blank_ends)
    table = Table(source, names, columns, how, named=header, line=lines.__getitem__)
    if options.header is None and not (header and wanted.intersection(names)):
        _refuse_doubtful_first(sample, table)
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
    if len(columns) > 1 and unnamed and blank_ends and _is_empty(columns[-1]):
        columns = columns[:-1]
        names = names[:-1] if names and not names[-1] else names
    if names is None:
        return tuple(str(number) for number in range(1, len(columns) + 1)), columns
    if len(names) == len(columns) - 1 and len(set(columns[0].tolist())) == columns[0].size:
        names = ("", *names)
    if len(names) != len(columns):
        raise InputError(_ragged(lines[0], len(columns), 1, len(names), source, delimiter))
    return names, columns


def _is_empty(column: Array) -> bool:
    if column.dtype.kind == "f":
        return bool(np.isnan(column).all())
    return all(cell is None for cell in column)


def is_number(cell: str) -> bool:
    """Does this text stand for a number? (Python would also take ``1_000``.)"""
    try:
        float(cell)
    except ValueError:
        return False
    return "_" not in cell


def is_decimal_comma(cell: str) -> bool:
    """A number written as in ``0,5``."""
    return _DECIMAL_COMMA.fullmatch(cell.strip()) is not None


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


# --- delimiter and header ------------------------------------------------------------------------


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


def _has_header(rows: Sequence[Sequence[str]], wanted: frozenset[str]) -> bool:
    """Is the first row one of names?

    It is if it holds a name that the user gave, a field that is no number above fields that are,
    a usual name for labels that is no label further down, or numbers as pandas gives them to
    columns without names. Other files of words only have none unless it is told.
    """
    first, later = rows[0], rows[1:]
    words = [j for j, cell in enumerate(first) if not _like_number(cell) and cell not in MISSING]
    if not words:
        return _numbers_columns(first, later)
    if not later or any(_name(first[j]) in wanted for j in words):
        return True
    for j in words:
        below = [row[j] for row in later if j < len(row) and row[j] not in MISSING]
        if below and all(map(_like_number, below)):
            return True
        if _name(first[j]).lower() in USUAL_NAMES and first[j] not in below:
            return True
    return False


def _numbers_columns(first: Sequence[str], later: Sequence[Sequence[str]]) -> bool:
    """Are these 0, 1, 2 and so on, as pandas writes them above columns without names?

    After an empty cell, above the index; one short, as R does where rows have names; or else above
    fractions, of which they are none. (0 and 1 alone may be a row of memberships.)
    """
    above_index = not first[0] and bool(later) and all(row[0] for row in later)
    numbers = _without_blank_end(first)[int(above_index) :]
    if not numbers or not later or not _is_count(numbers):
        return False
    names_of_rows = all(len(row) == len(first) + 1 for row in later)
    return above_index or names_of_rows or (len(numbers) > 2 and _has_fractions(later))


def _without_blank_end(row: Sequence[str]) -> Sequence[str]:
    return row if row[-1] else row[:-1]


def _is_count(cells: Sequence[str]) -> bool:
    """0, 1, 2 and so on."""
    return list(cells) == [str(i) for i in range(len(cells))]


def _has_fractions(rows: Sequence[Sequence[str]]) -> bool:
    return any("." in cell or is_decimal_comma(cell) for row in rows for cell in row)


def _lonely_firsts(rows: Sequence[Sequence[str]]) -> list[int]:
    """Columns whose first text occurs once and every other text at least twice: is it a name?

    Numbers are seldom names, but for the 0 that pandas writes above a single column.
    """
    first, later = rows[0], rows[1:]
    found = []
    for j, cell in enumerate(first):
        below = Counter(row[j] for row in later if j < len(row))
        apart = not _like_number(cell) or (cell == "0" and len(first) == 1)
        if (
            apart
            and cell not in MISSING
            and len(later) > 3
            and cell not in below
            and min(below.values(), default=0) > 1
        ):
            found.append(j)
    return found


def _refuse_doubtful_first(sample: Sequence[Sequence[str]], table: Table) -> None:
    """Refuse to guess whether the first row is one of names or a point, where it may be either."""
    first, later = _without_blank_end(sample[0]), sample[1:]
    doubt = None
    if table.named:
        again = [
            name
            for name, column in zip(table.names, table.columns, strict=True)
            if name and not is_numeric(column) and np.any(column == name)
        ]
        if again:
            doubt = f"{again[0]!r}, which occurs further down as well: the name of a column, or"
    elif first == ["0", "1"] and _has_fractions(later):
        if not any(cell in first for row in later for cell in row):
            doubt = "0 and 1: the numbers of the columns, or"
    else:
        for j in _lonely_firsts(sample):
            if np.count_nonzero(table.columns[j] == table.columns[j][0]) == 1:
                doubt = (
                    f"{first[j]!r}, which occurs once, while every other label occurs several "
                    "times: the name of the column, or"
                )
    if doubt is not None:
        raise InputError(
            f"line 1 of {table.source} holds {doubt} a point? Say --header or --no-header (for "
            "several files: once for each, in their order)."
        )


def _like_number(cell: str) -> bool:
    return is_number(cell) or is_decimal_comma(cell)


def _name(field: str) -> str:
    return field.removeprefix("#").strip()


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
    return numbers if numbers.size and not _ambiguous(numbers) else None


def _ambiguous(numbers: FloatArray) -> bool:
    """Is there a number that may stand for several whole ones?"""
    return bool(np.any(np.isfinite(numbers) & (np.abs(numbers) >= LARGEST_WHOLE)))


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
    return tuple(map(_column, columns)), lines


def _without_decimal_commas(columns: tuple[Array, ...]) -> tuple[tuple[Array, ...], bool]:
    """Numbers of columns that have them with a comma, and whether there are any.

    Several such columns, that is: one alone may be labels.
    """
    commas = {
        j: column
        for j, column in enumerate(columns)
        if not is_numeric(column) and all(map(_is_with_comma, column))
    }
    if len(commas) < 2:
        return columns, False
    numbers = {
        j: np.array([np.nan if cell is None else cell.replace(",", ".") for cell in column], float)
        for j, column in commas.items()
    }
    return tuple(numbers.get(j, column) for j, column in enumerate(columns)), True


def _is_with_comma(cell: str | None) -> bool:
    return cell is None or _like_number(cell)


def _ragged(line: int, found: int, other: int, wanted: int, source: str, delimiter: str) -> str:
    return (
        f"line {line} of {source} has {found} field{'s' * (found != 1)} where line {other} has "
        f"{wanted} ({_spoken(delimiter)}). Every row needs as many; text with the delimiter in it "
        "goes in double quotes; --delimiter says what divides."
    )


def _column(cells: Sequence[str]) -> Array:
    """Numbers (NaN where a cell is empty) if all are, else text (None where empty)."""
    whole = MISSING.isdisjoint(cells)  # as most often, and quick to see
    missing = np.zeros(len(cells), bool) if whole else np.array([c in MISSING for c in cells])
    there = cells if whole else [cell for cell in cells if cell not in MISSING]
    if there and not any("_" in cell for cell in there):
        try:
            numbers = np.array(there, dtype=np.float64)
        except ValueError:
            pass
        else:
            if not _ambiguous(numbers):
                column = np.full(len(cells), np.nan)
                column[~missing] = numbers
                return column
    text = np.array(cells, dtype=object)
    text[missing] = None
    return text
