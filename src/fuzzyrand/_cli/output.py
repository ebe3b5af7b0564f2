"""Results as JSON, CSV and files."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any, TextIO

from .._base.errors import InputError, ParameterError
from .._base.jsonable import jsonable
from .._base.wording import Option
from .._files.spreadsheets import escape
from .._files.whole_files import write_whole
from .standard_streams import tell, write_utf8
from .voice import VOICE

if TYPE_CHECKING:
    from .._base.wording import Sentence
    from .._files.dask_files import DaskReading
    from .._files.readings import Reading

#: Endings of the files that options name; an empty one stands for a name without an ending.
TABLES = (".csv", ".txt", "")
PAGES = (".html", ".htm", "")
PICTURES = (".png", ".svg", ".pdf")
ENDINGS: dict[str, tuple[str, ...]] = {
    "out": TABLES,
    "format": (".q",),  # files in a folder
    "points": TABLES,
    "clusters": TABLES,
    "families": TABLES,
    "runs": TABLES,
    "consensus": TABLES,
    "html": PAGES,
    "interactive": PAGES,
    "plot": PICTURES,
}


def add_output(parser: argparse.ArgumentParser, *, report: str = "", csv: bool = True) -> Any:
    """Add the options for the form of the result; return the group."""
    group = parser.add_argument_group("output")
    form = group.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print everything as JSON")
    if csv:
        form.add_argument("--csv", action="store_true", help="print the numbers as CSV")
    if report:
        group.add_argument("--html", metavar="REPORT", help=f"also write {report} to this file")
    group.add_argument("--quiet", action="store_true", help="do not report how files were read")
    return group


def print_json(
    result: dict[str, Any] | list[dict[str, Any]],
    readings: Sequence[Reading] | Sequence[DaskReading] = (),
) -> None:
    """Print JSON, with null for numbers that are not finite, and how files were read."""
    if isinstance(result, dict) and readings:
        result = {**result, "files": [reading.to_dict() for reading in readings]}
    write_utf8()
    print(json.dumps(jsonable(result), indent=1, ensure_ascii=False))


def print_csv(
    header: Sequence[str], rows: Iterable[Sequence[object]], notes: Iterable[Sentence]
) -> None:
    """Print a table as CSV, with all digits of numbers, and notes to standard error.

    Text that a spreadsheet would run as a formula is preceded by an apostrophe, which it hides.
    Reading such a file removes the apostrophe again.
    """
    write_utf8()
    _write_rows(sys.stdout, header, rows)
    for note in notes:
        tell(f"note: {note.text(VOICE)}")


def print_columns(columns: Mapping[str, Sequence[object]], notes: Iterable[Sentence]) -> None:
    """Print named columns as CSV; see :func:`print_csv`."""
    print_csv(list(columns), zip(*columns.values(), strict=True), notes)


def terminal_width() -> int:
    """Return the width of the terminal, or what is usual if there is none."""
    from ..results import WIDTH  # Deferred: NumPy, which --help does not need.

    return get_terminal_size((WIDTH, 24)).columns


def _write_rows(file: TextIO, header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    import csv  # Deferred: only tables need it.

    writer = csv.writer(file, lineterminator="\n")
    writer.writerow([_cell(name) for name in header])
    writer.writerows([_cell(value) for value in row] for row in rows)


def _cell(value: object) -> object:
    return escape(value) if isinstance(value, str) else value


def require_outputs(
    arguments: argparse.Namespace,
    options: Sequence[str],
    inputs: Sequence[str],
    more: Iterable[tuple[str, str]] = (),
) -> None:
    """Refuse files that cannot be written as named, before any work is done.

    They may not be read as well, be the same, or have the ending of a format that is not written.

    Parameters
    ----------
    arguments : argparse.Namespace
        The command line.
    options : sequence of str
        Options that name files to write, without dashes.
    inputs : sequence of str
        Files that are read.
    more : iterable of (str, str)
        Further options and the files that are written for them.
    """
    taken: dict[str, str] = {}
    given = [(option, getattr(arguments, option)) for option in options]
    named = [*((option, path) for option, path in given if path is not None), *more]
    for option, path in named:
        _require_writable(option, path, inputs)
        target = Path(path)
        if target.exists() and not target.is_file():  # a pipe or /dev/null, which takes everything
            continue
        place = os.path.normcase(target.resolve())
        if place in taken:
            raise ParameterError(
                "{first} and {second} name the same file, {path}; give each its own.",
                first=Option(taken[place]),
                second=Option(option),
                path=path,
            )
        taken[place] = option
    for option, path in named:
        _require_ending(option, path)


def _require_ending(option: str, path: str) -> None:
    target = Path(path)
    special = target.exists() and not target.is_file()
    if target.suffix.lower() not in ENDINGS[option] and not special:
        *others, last = filter(None, ENDINGS[option])
        raise ParameterError(
            "{parameter}: the name must end in {others} or {last}.",
            parameter=Option(option, path),
            others=", ".join(others),
            last=last,
        )


def _require_writable(option: str, path: str, inputs: Sequence[str]) -> None:
    target = Path(path)
    if path == "-" or _is_standard_output(target):
        raise ParameterError(
            "{parameter} is standard output, where the results go; name another file.",
            parameter=Option(option, path),
        )
    if target.is_dir():
        raise InputError("{path} is a directory; name a file to write.", path=path)
    if not target.parent.is_dir():
        raise InputError(
            "{path} cannot be written: there is no directory {folder}.",
            path=path,
            folder=target.parent,
        )
    for name in inputs:
        if target.exists() and name != "-" and Path(name).exists() and target.samefile(name):
            raise InputError(
                "{path} is one of the files to read; name another file to write.", path=path
            )


def _is_standard_output(target: Path) -> bool:
    """Whether standard output goes to this file; replacing the file would lose the results."""
    try:
        return target.is_file() and os.path.samestat(target.stat(), os.fstat(1))
    except OSError:  # standard output is closed
        return False


def save(path: str, write: Callable[[Path], object]) -> None:
    """Write a file completely or not at all."""
    try:
        write_whole(Path(path), write)
    except OSError as error:
        raise InputError(
            "{path} cannot be written: {reason}.", path=path, reason=error.strerror or error
        ) from error


def save_csv(path: str, header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Write a table as :func:`print_csv` prints it, completely or not at all."""

    def write(target: Path) -> None:
        with target.open("w", encoding="utf-8", newline="") as file:
            _write_rows(file, header, rows)

    save(path, write)


def save_columns(path: str, columns: Mapping[str, Sequence[object]]) -> None:
    """Write named columns as CSV, completely or not at all."""
    save_csv(path, list(columns), zip(*columns.values(), strict=True))


def require_folder(folder: str) -> None:
    """Refuse a folder that neither exists nor can be made."""
    target = Path(folder)
    if target.exists() and not target.is_dir():
        raise InputError("{path} is not a directory; name one to write to.", path=folder)
    if not target.absolute().parent.is_dir():
        raise InputError(
            "{path} cannot be created: there is no directory {folder}.",
            path=folder,
            folder=target.parent,
        )
