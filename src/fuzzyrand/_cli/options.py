"""What commands have in common: options, reading of files, writing of results.

Nothing here imports NumPy before a command runs, so that ``--help`` does not wait for it.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._base.errors import InputError, ParameterError
from .._io.whole_files import write_whole

if TYPE_CHECKING:
    from .._io.readings import Reading
    from ..models import Model

Subparsers = Any  # argparse keeps the type of add_subparsers() to itself

DELIMITERS = ("comma", "semicolon", "tab", "pipe", "space", "none")

READING = """\
files:
  CSV, TSV and other text, NPY, NPZ, Parquet, Feather, also gzipped; - is standard input. Rows are
  points. A single column is labels (numbers or any text), several columns of numbers are
  memberships, one column a cluster; a first column without a name (the index of a data frame, R's
  names of rows) is left out. The delimiter is found out among , ; | tab and space. The first row of
  a text file is a header if it holds a name given to an option, a word above numbers, a usual name
  (label, cluster, class, group, truth), or 0, 1, 2, ... above fractions. Rows that sum to 1 but for
  the rounding of their decimals are rescaled. What was found is said on standard error.
"""


def command(
    commands: Subparsers,
    name: str,
    run: Callable[[argparse.Namespace], object],
    text: str,
    *,
    examples: Sequence[str] = (),
    notes: str = "",
    after_stop: str = "",
) -> argparse.ArgumentParser:
    """Add a command, with what every command understands."""
    shown = "examples:\n" + "".join(f"  {example}\n" for example in examples) if examples else ""
    parser: argparse.ArgumentParser = commands.add_parser(
        name,
        help=text,
        description=text,
        epilog="\n".join(part for part in (notes, shown) if part),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--debug", action="store_true", help="show where an error came from")
    parser.set_defaults(run=run, after_stop=after_stop)
    return parser


# --- options -------------------------------------------------------------------------------------


def add_reading(parser: argparse.ArgumentParser, several: bool) -> None:
    """How files are read."""
    group = parser.add_argument_group("reading")
    each = "; once for all files, or once for each" if several else ""
    group.add_argument(
        "--columns",
        action="append",
        default=[],
        metavar="LIST",
        help=f"columns of memberships, by names or numbers from 1: 2-5 or a,b,c{each}",
    )
    group.add_argument(
        "--labels", action="append", default=[], metavar="COLUMN", help=f"column of labels{each}"
    )
    if several:
        group.add_argument(
            "--id",
            action="append",
            default=[],
            metavar="COLUMN",
            help="match the points of the files by this column instead of by their order",
        )
    group.add_argument(
        "--delimiter",
        type=_delimiter,
        metavar="CHAR",
        help=f"what divides the fields of text: a character, or {', '.join(DELIMITERS)}",
    )
    for option, holds in (("--header", True), ("--no-header", False)):
        group.add_argument(
            option,
            dest="header",
            action="append_const",
            const=holds,
            default=[],
            help=f"the first row of text {'holds names' if holds else 'is a point'}{each}",
        )
    group.add_argument("--normalize", action="store_true", help="divide each row by its sum")
    group.add_argument(
        "--possibilistic",
        action="store_true",
        help="accept rows that do not sum to 1 (models perm and empirical only)",
    )


def add_question(parser: argparse.ArgumentParser, *, models: bool = True) -> Any:
    """Index, model, and what belongs to them; returns the group."""
    group = parser.add_argument_group("question")
    group.add_argument("--index", default="ndc", metavar="NAME", help="see fuzzyrand indices (ndc)")
    several = "; may be repeated, and 'every' takes all that apply" if models else ""
    group.add_argument(
        "--model",
        action="append",  # also where only one is taken: of two, none must be dropped in silence
        metavar="NAME",
        help=f"what chance means, see fuzzyrand models (fit){several}",
    )
    group.add_argument(
        "--resolution",
        type=float,
        metavar="SIZE",
        help="memberships below this are known only to lie below it: 5e-4 for three decimals",
    )
    group.add_argument("--seed", type=whole, default=0, metavar="N", help="where models draw (0)")
    return group


def add_comparing(group: Any, first: str, second: str) -> None:
    """What only comparisons have: sides, a maximum, a tolerance."""
    group.add_argument(
        "--fixed",
        choices=("first", "second"),
        help=f"what is known and stays as it is: first is {first}, second is {second}",
    )
    group.add_argument(
        "--maximum",
        choices=("1", "self"),
        default="1",
        help="what an adjusted index of 1 stands for: perfect agreement, or that of each "
        "clustering with itself (1)",
    )
    group.add_argument(
        "--tol",
        type=float,
        default=5e-4,
        metavar="SIZE",
        help="standard error allowed of the adjusted index where it is sampled (5e-4)",
    )


def add_output(parser: argparse.ArgumentParser, *, report: str = "", csv: bool = True) -> Any:
    """Forms of the result; returns the group."""
    group = parser.add_argument_group("output")
    form = group.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print everything as JSON")
    if csv:
        form.add_argument("--csv", action="store_true", help="print the numbers as CSV")
    if report:
        group.add_argument("--html", metavar="REPORT", help=f"also write {report} to this file")
    group.add_argument("--quiet", action="store_true", help="do not say how files were read")
    return group


def whole(text: str) -> int:
    """A whole number from 0."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0")
    return int(text)


def positive(text: str) -> int:
    """A whole number from 1."""
    value = whole(text)
    if value == 0:
        raise argparse.ArgumentTypeError("must be at least 1")
    return value


def _delimiter(text: str) -> str:
    if text in DELIMITERS or text == "\\t":
        return "tab" if text == "\\t" else text
    if len(text) != 1 or text in '"\n\r':
        names = ", ".join(DELIMITERS)
        raise argparse.ArgumentTypeError(f"{text!r} is neither one character nor one of {names}")
    return text


# --- from options to what the library takes ------------------------------------------------------


def read(arguments: argparse.Namespace, paths: Sequence[str]) -> list[Reading]:
    """Read the files, and say how."""
    from .._io.columns import ReadingOptions
    from .._io.readings import read_clusterings
    from .._io.text_files import DELIMITERS as CHARACTERS
    from .._io.text_files import NONE

    characters = {**CHARACTERS, "none": NONE}
    readings = read_clusterings(
        paths,
        ReadingOptions(
            labels=tuple(arguments.labels),
            columns=tuple(arguments.columns),
            id=tuple(getattr(arguments, "id", ())),
            delimiter=characters.get(arguments.delimiter, arguments.delimiter),
            header=tuple(arguments.header),
            normalize=arguments.normalize,
            possibilistic=arguments.possibilistic,
        ),
    )
    if not arguments.quiet:
        for reading in readings:
            print(reading, file=sys.stderr)
    return readings


def named_models(arguments: argparse.Namespace) -> list[Model] | None:
    """The models asked for, None for every; wrong names come to light before files are read."""
    from ..indices import as_index
    from ..models import as_model

    as_index(arguments.index)
    names = arguments.model or ["fit"]
    if "every" in [name.lower() for name in names]:
        return None
    resolution = arguments.resolution
    models = [as_model(name) for name in names]
    if resolution is not None and not any(hasattr(model, "resolution") for model in models):
        raise ParameterError(
            f"--resolution is for models that fit memberships, such as fit; "
            f"{' and '.join(names)} {'does' if len(names) == 1 else 'do'} not."
        )
    return [with_resolution(model, resolution) for model in models]


def with_resolution(model: Model, resolution: float | None) -> Model:
    """The same model; models that fit nothing have no resolution."""
    from dataclasses import replace

    if resolution is None or not hasattr(model, "resolution"):
        return model
    return replace(model, resolution=resolution)  # type: ignore[call-arg]


def maximum_of(arguments: argparse.Namespace) -> float | str:
    """1 or "self"."""
    return "self" if arguments.maximum == "self" else 1


# --- results -------------------------------------------------------------------------------------


def print_json(result: dict[str, Any]) -> None:
    """Print JSON, in which numbers that do not exist are null."""
    print(json.dumps(_finite(result), indent=1, ensure_ascii=False))


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(each) for each in value]
    return value.tolist() if hasattr(value, "tolist") else value


def print_csv(header: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print a table, numbers with all their digits."""
    import csv

    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)


def require_writable(option: str, path: str | None, inputs: Sequence[str]) -> None:
    """Refuse, before any work is done, a file that cannot be written or that is read."""
    if path is None:
        return
    target = Path(path)
    if path == "-" or _is_standard_output(target):
        raise ParameterError(
            f"{option} {path} is standard output, where the results go; name another file."
        )
    if target.is_dir():
        raise InputError(f"{path} is a directory; name a file to write.")
    if not target.parent.is_dir():
        raise InputError(f"{path} cannot be written: there is no directory {target.parent}.")
    for name in inputs:
        if target.exists() and name != "-" and Path(name).exists() and target.samefile(name):
            raise InputError(f"{path} is one of the files to read; name another file to write.")


def _is_standard_output(target: Path) -> bool:
    """Is it the file that standard output goes to? Replaced, it would not hold the results."""
    try:
        return target.is_file() and os.path.samestat(target.stat(), os.fstat(1))
    except OSError:  # standard output is closed
        return False


def save(path: str, write: Callable[[Path], object]) -> None:
    """Let a whole file be written, or none."""
    try:
        write_whole(Path(path), write)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror or error}.") from error
