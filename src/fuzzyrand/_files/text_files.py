"""Read text files as tables, detecting the delimiter and the header.

Files that contain only numbers are read by NumPy. Whatever it cannot handle (quotes, text, ragged
rows, empty cells) is read with the csv module, which is slower but keeps track of positions.
"""

from __future__ import annotations

import itertools
import re
import warnings
from array import array
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from .._base.errors import InputError
from .._base.types import FloatArray
from .._base.wording import Option
from .ancestry_files import read_ancestry
from .file_table import UNNAMED, Array, Doubt, FileTable
from .other_formats import refuse_other_formats
from .text_cells import (
    TextCells,
    are_whole,
    is_ambiguous,
    is_empty,
    may_hold_codes,
    read_cells,
    read_commas,
    read_truths,
)
from .text_headers import (
    clean_names,
    doubtful_cell,
    has_header,
    may_be_names,
    may_be_numbered,
    unsettled,
)
from .text_rows import (
    SPACE,
    TextOptions,
    describe_delimiter,
    find_delimiter,
    require_fields,
    sample_rows,
    split_lines,
    split_rows,
)

_COMMENTS = re.compile(r"(?:[ \t]*\n)*((?:#.*\n)+)")
_DELIMITER = re.compile(r'"?sep=(.)"?(?=\n)', re.IGNORECASE)
_BLANK_LINE = re.compile(r"^[ \t]*\n", re.MULTILINE)


def read_text(whole: str, source: str, options: TextOptions, wanted: frozenset[str]) -> FileTable:
    """Make a table from a text file; see :func:`fuzzyrand._files.files.read_table`."""
    refuse_other_formats(whole, source)
    ancestry = read_ancestry(whole, source)
    if ancestry is not None:
        return ancestry
    preamble = _cut_preamble(whole)
    text = preamble.text
    delimiter = options.delimiter or preamble.delimiter or find_delimiter(text, source, options)
    require_fields(text, delimiter, options, source)
    sample = sample_rows(text, delimiter, source)
    if not sample:
        raise InputError(
            "{source} has only empty lines; expected one row per point.", source=source
        )
    header = options.header
    if preamble.names is not None and header is not False and not may_be_names(sample):
        named = sample_rows(f"{preamble.names}\n", delimiter, source)
        comment = len(sample[0]) == 1 or " " in preamble.names  # rather than names of columns
        numbered = comment and may_be_numbered(sample)
        if named and len(named[0]) == len(sample[0]) and not numbered:
            text, sample, header = preamble.with_names(), named + sample, True
    header = has_header(sample, wanted) if header is None else header
    if header and len(sample) == 1:
        raise InputError(
            "{source} has a header and no rows; expected one row per point.", source=source
        )
    names = clean_names(sample[0]) if header else None
    how = f"{describe_delimiter(delimiter)}, {'with a' if header else 'no'} header"
    columns: tuple[Array, ...]
    lines: Sequence[int]
    written: dict[int, Array] = {}
    numbers = _all_numbers(text, delimiter, header)
    if numbers is not None:
        columns = tuple(numbers.T)
        first = len(text) - len(text.lstrip("\n")) + (2 if header else 1)
        lines = range(first, first + numbers.shape[0])
    else:
        cells, lines = _cell_by_cell(text, delimiter, header, source)
        written = {
            j: column.written for j, column in enumerate(cells) if column.written is not None
        }
        columns, commas = read_commas(tuple(column.values for column in cells), delimiter)
        how += f", {commas}" if commas else ""
        truths = read_truths(columns)
        written |= {j: columns[j] for j in truths}
        columns = tuple(truths.get(j, column) for j, column in enumerate(columns))
    ends = itertools.zip_longest(*map(reversed, sample[int(header) :]))
    blank_ends = next((i for i, cells in enumerate(ends) if any(cells)), 0)
    names, columns = _framed(names, columns, lines, source, delimiter, blank_ends)
    table = FileTable(
        source,
        names,
        columns,
        how,
        named=header,
        line=lines.__getitem__,
        delimiter=delimiter,
        # The index of a data frame, or R's row names.
        index=(0,) if header and names[0] in ("", UNNAMED) and len(names) > 1 else (),
        written=written,
    )
    if options.header is not None or (header and wanted.intersection(names)):
        return table
    cell = doubtful_cell(sample, table)
    if cell is None:
        return table
    if header:
        raise unsettled(table, cell)
    with_names = partial(read_text, whole, source, options._replace(header=True), wanted)
    return replace(table, doubt=Doubt(cell, with_names))


class Preamble(NamedTuple):
    """A text without the lines before its table.

    Attributes
    ----------
    text : str
        The text with these lines left blank, so that other lines keep their numbers.
    delimiter : str, optional
        The delimiter that the first line gives.
    names : str, optional
        The last of the comments, which may hold the names of the columns.
    """

    text: str
    delimiter: str | None = None
    names: str | None = None

    def with_names(self) -> str:
        """Return the text with the last of the comments as its first row."""
        table = self.text.lstrip("\n")
        above = len(self.text) - len(table)
        return "\n" * (above - 1) + f"{self.names}\n{table}"


def _cut_preamble(text: str) -> Preamble:
    """Leave out lines at the beginning that start with ``#``, and Excel's ``sep=;``.

    If lines further down start with ``#``, too, these are labels, such as colours.
    """
    told = _DELIMITER.match(text)
    if told is not None:
        return Preamble(text[told.end() :], told[1])
    comments = _COMMENTS.match(text)
    if comments is None or text.find("\n#", comments.end() - 1) >= 0:
        return Preamble(text)
    above = "\n" * text.count("\n", 0, comments.end())
    names = comments[1].splitlines()[-1].lstrip("# ")
    return Preamble(above + text[comments.end() :], names=names)


def _framed(
    names: tuple[str, ...] | None,
    columns: tuple[Array, ...],
    lines: Sequence[int],
    source: str,
    delimiter: str,
    blank_ends: int,
) -> tuple[tuple[str, ...], tuple[Array, ...]]:
    """Return as many names as columns.

    Delimiters at the ends of lines make empty last columns, which are left out. If the header is
    one name short, as R writes it, the first column holds row names, which are all different, and
    has no name itself.
    """
    for _ in range(blank_ends):
        unnamed = names is None or len(names) < len(columns) or not names[-1]
        if len(columns) > 1 and unnamed and is_empty(columns[-1]):
            columns = columns[:-1]
            names = names[:-1] if names and not names[-1] else names
    if names is None:
        return tuple(str(number) for number in range(1, len(columns) + 1)), columns
    if len(names) == len(columns) - 1 and len(set(columns[0].tolist())) == columns[0].size:
        names = ("", *names)
    if len(names) != len(columns):
        raise _ragged((lines[0], len(columns)), (1, len(names)), source, delimiter)
    return names, columns


def _all_numbers(text: str, delimiter: str, header: bool) -> FloatArray | None:
    """Return the table if it contains only plain numbers; None if cells must be read one by one."""
    text = text.lstrip("\n")
    if '"' in text or _BLANK_LINE.search(text):  # lines after a blank one would be miscounted
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about empty input, which is reported later
            table = np.loadtxt(
                split_lines(text),
                delimiter=None if delimiter == SPACE else delimiter,
                skiprows=int(header),
                comments=None,
                ndmin=2,
            )
    except ValueError:
        return None
    numbers: FloatArray = np.asarray(table, dtype=np.float64)
    if not numbers.size or is_ambiguous(numbers):
        return None
    # Codes such as 01 are text where they are labels or ids, which are whole numbers.
    return None if any(map(are_whole, numbers.T)) and may_hold_codes(text) else numbers


def _cell_by_cell(
    text: str, delimiter: str, header: bool, source: str
) -> tuple[tuple[TextCells, ...], Sequence[int]]:
    lines = array("q")
    # Collected by column, because a list for each row would keep the garbage collector busy.
    columns: list[list[str]] = []
    rows = split_rows(text, delimiter, source, strict=True)
    for line, cells in itertools.islice(rows, int(header), None):
        columns = columns or [[] for _ in cells]
        if len(cells) != len(columns):
            error = _ragged((line, len(cells)), (lines[0], len(columns)), source, delimiter)
            if header or len(lines) > 1 or len(cells) != len(columns) + 1:
                raise error
            raise error.extended(
                after=" If the first line holds names of columns: {header}.",
                header=Option("header", True),
            )
        lines.append(line)
        for column, cell in zip(columns, cells, strict=True):
            column.append(cell)
    return tuple(map(read_cells, columns)), lines


def _ragged(
    found: tuple[int, int], expected: tuple[int, int], source: str, delimiter: str
) -> InputError:
    """Return an error about a row of another length; each pair is a line and its field count."""
    advice = "goes in double quotes"
    if delimiter == SPACE or 1 in (found[1], expected[1]):
        advice += ", and whole lines are labels with {none}"
    return InputError(
        "line {line} of {source} has {fields} field{s} where line {other} has {width} ({divided}). "
        f"Every row needs the same number; text with the delimiter in it {advice}; {{delimiter}} "
        "sets another delimiter.",
        line=found[0],
        source=source,
        fields=found[1],
        s="s" * (found[1] != 1),
        other=expected[0],
        width=expected[1],
        divided=describe_delimiter(delimiter),
        none=Option("delimiter", "none"),
        delimiter=Option("delimiter"),
    )
