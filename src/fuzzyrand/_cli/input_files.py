"""Files with clusterings: the options for reading them, and the arguments for the library.

Nothing here imports NumPy before a command runs, so ``--help`` does not wait for it.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from .._base.errors import ParameterError
from .._base.wording import Option
from .standard_streams import tell

if TYPE_CHECKING:
    from .._files.column_choice import ReadingOptions
    from .._files.readings import Reading

DELIMITERS = ("comma", "semicolon", "tab", "pipe", "space", "none")

#: Options that a contingency table has no use for.
OF_POINTS = (
    "labels", "columns", "names", "normalize", "possibilistic", "missing", "common", "dask",
    "scheduler", "weights", "xy",
)  # fmt: skip

READING = """\
files:
  CSV, TSV and other text, NPY, NPZ, Parquet, Feather, h5ad, also compressed by gzip, bzip2 or xz;
  - is standard input. Rows are points. A single column holds labels (numbers or any text), several
  columns of numbers hold memberships, one column for each cluster; a first column without a name,
  or an index that pandas stored, names the rows. The delimiter is found among , ; | tab and white
  space. The first row of text is a header if it holds a name given to an option, a word above
  numbers, a usual name (label, cluster, class, ...), or 0, 1, 2, ... above fractions, or if the
  other files say so. Rows that sum to 1 but for the rounding of their decimals are rescaled.
  Results of STRUCTURE and indfiles of CLUMPP are read as they are. How files were read is written
  to standard error.
"""


def add_pair(parser: argparse.ArgumentParser) -> None:
    """Add two files."""
    parser.add_argument("first", metavar="A", help="file with labels or memberships")
    parser.add_argument("second", metavar="B", help="another, of the same points")


def add_pair_or_table(parser: argparse.ArgumentParser) -> None:
    """Add the two files to compare, or the one file with their contingency table."""
    parser.add_argument("first", metavar="A", nargs="?", help="file with labels or memberships")
    parser.add_argument("second", metavar="B", nargs="?", help="another file, with the same points")
    parser.add_argument(
        "--table",
        metavar="FILE",
        help="in place of A and B: a contingency table, with the numbers of points that each "
        "cluster of A (rows) shares with each of B (columns); names of clusters may be in the "
        "first row and column",
    )
    parser.set_defaults(refuse=parser.error)


def pair_or_table(arguments: argparse.Namespace) -> list[str]:
    """Return the files that are read: A and B, or the contingency table."""
    if arguments.table is None:
        if arguments.second is None:
            arguments.refuse("the following arguments are required: A and B, or --table FILE")
        return [arguments.first, arguments.second]
    if arguments.first is not None:
        raise ParameterError(
            "{parameter} takes the place of the two files; leave out {value}, or {parameter}.",
            parameter=Option("table"),
            value=arguments.first,
        )
    for name in OF_POINTS:
        if getattr(arguments, name, None) not in (None, False, []):
            raise ParameterError(
                "{parameter} is about files with a row for each point; a {table} has none. Leave "
                "it out.",
                parameter=Option(name),
                table=Option("table"),
            )
    return [arguments.table]


def add_reading(parser: argparse.ArgumentParser, several: bool, *, weights: bool = False) -> None:
    """Add the options for reading files, of points that may have weights."""
    group = parser.add_argument_group("reading")
    times = "; once for all files, or once for each" if several else ""
    add_for_each(
        group,
        "--columns",
        metavar="LIST",
        help=f"columns of memberships, by name or by number from 1: 2-5 or a,b,c{times}",
    )
    add_for_each(
        group,
        "--labels",
        "--obs",
        help=f"column of labels; in .h5ad files, a key of obs or obsm{times}",
    )
    add_for_each(
        group,
        "--id",
        help="match the points of the files by this column; --id= matches them by their order"
        if several
        else "column with the names of the points",
    )
    names = "names of the points: a .fam file of PLINK, or one name a line"
    if several:
        names += f"{times}; files that all have names are matched by them"
    add_for_each(group, "--names", metavar="FILE", help=names)
    if several:
        group.add_argument(
            "--common",
            action="store_true",
            help="compare the points that all files have, matched by --id or --names, and count "
            "those that are left out",
        )
    if weights:
        group.add_argument(
            "--weights",
            metavar="COLUMN",
            help="column with the weights of the points, in any one of the files",
        )
    add_text(group, times)
    group.add_argument("--normalize", action="store_true", help="divide each row by its sum")
    group.add_argument(
        "--possibilistic",
        action="store_true",
        help="accept rows that do not sum to 1 (models perm and empirical only)",
    )
    add_noise(group)
    group.add_argument(
        "--missing",
        choices=("noise", "drop"),
        help="noise: what a row lacks to a sum of 1 is its probability of noise; drop: points "
        "without memberships or label are left out",
    )


def add_for_each(group: Any, *flags: str, help: str, metavar: str = "COLUMN") -> None:
    """Add an option that may be given once for each file."""
    group.add_argument(*flags, action="append", default=[], metavar=metavar, help=help)


def add_text(group: Any, times: str = "") -> None:
    """Add the options for reading text, and the most memory for a file."""
    group.add_argument(
        "--delimiter",
        type=_delimiter,
        metavar="CHAR",
        help=f"the field separator: a character, or {', '.join(DELIMITERS)} (space "
        "is any white space, none reads whole lines)",
    )
    for option, holds in (("--header", True), ("--no-header", False)):
        group.add_argument(
            option,
            dest="header",
            action="append_const",
            const=holds,
            default=[],
            help=f"the first row of text {'holds names' if holds else 'is data'}{times}",
        )
    group.add_argument(
        "--max-size",
        type=_size,
        metavar="SIZE",
        help="most memory for a file that is compressed, or claims more than it holds, such as 8G "
        "(default: 100 times its size, from 1G to 4G)",
    )


def add_noise(group: Any) -> None:
    """Add the label and the treatment of noise."""
    group.add_argument(
        "--noise", metavar="LABEL", help="label of noise points, such as -1 for HDBSCAN"
    )
    group.add_argument(
        "--noise-as",
        choices=("cluster", "singletons", "drop"),
        default="cluster",
        help="noise points form one cluster (default), each is a cluster of its own, or they are "
        "left out",
    )


def _size(text: str) -> int:
    """Read a number of bytes, such as 500M or 1.5G."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?) *([kKMGT]?)B?", text)
    if found is None or not float(found[1]):
        raise argparse.ArgumentTypeError(f"{text!r} is not a size, such as 500M or 8G")
    return int(float(found[1]) * 1000 ** " KMGT".index(found[2].upper() or " "))


def _delimiter(text: str) -> str:
    if text in DELIMITERS or text == "\\t":
        return "tab" if text == "\\t" else text
    if len(text) != 1 or text in '"\n\r':
        names = ", ".join(DELIMITERS)
        raise argparse.ArgumentTypeError(f"{text!r} is neither one character nor one of {names}")
    return text


def read(
    arguments: argparse.Namespace, paths: Sequence[str], *, same_points: bool = True
) -> list[Reading]:
    """Read the files, of the same points unless told otherwise, and report how they were read."""
    # Deferred: NumPy, which --help does not need.
    from .._files.count_tables import read_count_table
    from .._files.readings import read_clusterings

    options = reading_options(arguments)
    if getattr(arguments, "table", None) is None:
        readings = read_clusterings(paths, options, same_points=same_points)
    else:
        readings = read_count_table(arguments.table, options)
    tell_readings(arguments, readings)
    return readings


def tell_readings(arguments: argparse.Namespace, readings: Iterable[object]) -> None:
    """Report how files were read, unless that is not wanted."""
    if not arguments.quiet:
        for reading in readings:
            tell(str(reading))


def reading_options(arguments: argparse.Namespace) -> ReadingOptions:
    """Return the options for reading that the command has, as the reader takes them."""
    # Deferred: NumPy, which --help does not need.
    from .._files.column_choice import ReadingOptions
    from .._files.text_rows import DELIMITERS as CHARACTERS
    from .._files.text_rows import NONE

    names = {field.name for field in fields(ReadingOptions)}
    given = {name: value for name, value in vars(arguments).items() if name in names}
    characters = {**CHARACTERS, "none": NONE}
    given["delimiter"] = characters.get(arguments.delimiter, arguments.delimiter)
    return ReadingOptions(**given)


def noise(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the arguments of the library for the treatment of noise."""
    return {name: getattr(arguments, name) for name in ("noise", "noise_as", "missing")}


def points(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the arguments of the library for the treatment of noise and of different points."""
    return {**noise(arguments), "points": "common" if arguments.common else "same"}


def weights(readings: Iterable[Reading]) -> Any:
    """Return the weights of the points: those of the first file that has them, or None."""
    return next((reading.weights for reading in readings if reading.weights is not None), None)
