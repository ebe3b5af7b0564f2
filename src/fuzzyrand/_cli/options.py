"""Options that commands share, and the arguments that the library takes for them.

Nothing here imports NumPy before a command runs, so ``--help`` does not wait for it.
"""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from .._base.errors import MissingExtraError, ParameterError
from .._base.levels import HIGHEST_LEVEL, LOWEST_LEVEL
from .._base.wording import Option
from .streams import tell

if TYPE_CHECKING:
    from .._files.dask_files import DaskReading
    from .._files.readings import Reading
    from ..models import Model
    from ..models.registry import EveryModel

Subparsers = Any  # argparse has no public type for add_subparsers()

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
    """Add a command, with the options that every command has."""
    shown = "examples:\n" + "".join(f"  {example}\n" for example in examples) if examples else ""
    parser: argparse.ArgumentParser = commands.add_parser(
        name,
        help=text,
        description=text,
        epilog="\n".join(part for part in (notes, shown) if part),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--debug", action="store_true", help="show the traceback of an error")
    parser.set_defaults(run=run, after_stop=after_stop)
    return parser


# --- options -------------------------------------------------------------------------------------


def add_two_files(parser: argparse.ArgumentParser) -> None:
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


def two_files(arguments: argparse.Namespace) -> list[str]:
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
    group.add_argument(
        "--columns",
        action="append",
        default=[],
        metavar="LIST",
        help=f"columns of memberships, by name or by number from 1: 2-5 or a,b,c{times}",
    )
    group.add_argument(
        "--labels",
        "--obs",
        action="append",
        default=[],
        metavar="COLUMN",
        help=f"column of labels; in .h5ad files, a key of obs or obsm{times}",
    )
    group.add_argument(
        "--id",
        action="append",
        default=[],
        metavar="COLUMN",
        help="match the points of the files by this column; --id= matches them by their order"
        if several
        else "column with the names of the points",
    )
    group.add_argument(
        "--names",
        action="append",
        default=[],
        metavar="FILE",
        help=f"names of the points: a .fam file of PLINK, or one name a line{times}; "
        "files that all have names are matched by them"
        if several
        else "names of the points: a .fam file of PLINK, or one name a line",
    )
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


def add_dask(parser: argparse.ArgumentParser) -> None:
    """Add the options for files that are too large for memory."""
    group = parser.add_argument_group("large files")
    group.add_argument(
        "--dask",
        action="store_true",
        help="read Parquet, NPY or Zarr a block at a time, by dask; points are matched by order",
    )
    group.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="let a dask cluster read and count: the address of its scheduler, "
        "such as tcp://10.0.0.1:8786",
    )
    group.add_argument(
        "--pairs",
        type=_pairs,
        default="auto",
        metavar="NUMBER",
        help="with --dask and two fuzzy clusterings: visit all pairs of points, or sample this "
        "many (auto)",
    )


def _pairs(text: str) -> str | int:
    return text if text in ("auto", "all") else whole(text)


def add_question(
    parser: argparse.ArgumentParser, *, models: bool = True, default: str = "perm"
) -> Any:
    """Add the options for index and model, with a default model; return the group."""
    parser.set_defaults(default_model=default)
    group = parser.add_argument_group("question")
    group.add_argument(
        "--index",
        default="ndc",
        metavar="NAME",
        help="the index; see fuzzyrand indices (default: ndc)",
    )
    several = "; may be repeated; 'every' takes all that apply" if models else ""
    group.add_argument(
        "--model",
        action="append",  # also where only one is taken, so that a second is refused
        metavar="NAME",
        help=f"the random model; see fuzzyrand models (default: {default}){several}",
    )
    group.add_argument(
        "--resolution",
        type=float,
        metavar="SIZE",
        help="size below which memberships were set to 0, such as 5e-4 for three decimals",
    )
    group.add_argument(
        "--bias",
        choices=("plugin", "corrected"),
        help="corrected removes the bias of a fit to few points, for the models fit and sym "
        "(default: plugin)",
    )
    group.add_argument(
        "--seed", type=whole, default=0, metavar="N", help="seed of random numbers (default: 0)"
    )
    return group


def add_comparing(group: Any, first: str, second: str, *, maximum: bool = True) -> None:
    """Add the options of comparisons: a fixed side, a maximum if asked for, a tolerance."""
    group.add_argument(
        "--fixed",
        choices=("first", "second"),
        help=f"the clustering that is known, and not random: first is {first}, second is {second} "
        "(no difference under perm)",
    )
    if maximum:
        group.add_argument(
            "--maximum",
            choices=("1", "self"),
            default="1",
            help="what an adjusted index of 1 means: perfect agreement, or the agreement of "
            "each clustering with itself (default: 1)",
        )
    group.add_argument(
        "--tol",
        type=float,
        default=5e-4,
        metavar="SIZE",
        help="largest Monte Carlo error of a sampled adjusted index (default: 5e-4)",
    )


def add_certainty(parser: argparse.ArgumentParser) -> None:
    """Add the options for tests, intervals, and a text about them."""
    group = parser.add_argument_group("certainty")
    add_test(group, "add a permutation test against chance")
    add_confidence(
        group, "add a confidence interval, with the points as a sample (default level: 0.95)"
    )
    group.add_argument(
        "--methods",
        action="store_true",
        help="add a paragraph for the methods section of a paper, with references",
    )


def add_confidence(group: Any, text: str) -> None:
    """Add confidence intervals."""
    group.add_argument(
        "--confidence", type=_level, nargs="?", const=0.95, metavar="LEVEL", help=text
    )


def add_test(group: Any, text: str) -> None:
    """Add a test, and how many shuffles it takes."""
    group.add_argument("--test", action="store_true", help=text)
    group.add_argument(
        "--draws",
        type=draws_of_test,
        default="auto",
        metavar="NUMBER",
        help="with --test, the largest number of shuffles (default: 9999, or 999 if they are slow)",
    )


def draws_of_test(text: str) -> str | int:
    """Read a number of draws that allows p = 0.05, or auto."""
    if text == "auto":
        return text
    if whole(text) < 19:
        raise argparse.ArgumentTypeError("must be at least 19, which allow p = 0.05")
    return int(text)


def draws(arguments: argparse.Namespace) -> str | int:
    """Return the largest number of draws of a test, refused where nothing is tested."""
    number: str | int = arguments.draws
    if number != "auto" and not arguments.test:
        raise ParameterError(
            "{parameter} limits the shuffles of a test; add {test}.",
            parameter=Option("draws", number),
            test=Option("test", True),
        )
    return number


def _level(text: str) -> float:
    try:
        level = float(text)
    except ValueError:
        level = 0.0
    if not LOWEST_LEVEL <= level <= HIGHEST_LEVEL:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a level from {LOWEST_LEVEL} to {HIGHEST_LEVEL}, such as 0.95"
        )
    return level


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


def whole(text: str) -> int:
    """Read a whole number from 0."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a non-negative integer")
    return int(text)


def positive(text: str) -> int:
    """Read a whole number from 1."""
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


def read(
    arguments: argparse.Namespace, paths: Sequence[str], *, same_points: bool = True
) -> list[Reading]:
    """Read the files, of the same points unless told otherwise, and report how they were read."""
    # Deferred: NumPy, which --help does not need.
    from .._files.columns import ReadingOptions
    from .._files.count_tables import read_count_table
    from .._files.readings import read_clusterings

    options = ReadingOptions(
        labels=tuple(arguments.labels),
        columns=tuple(arguments.columns),
        id=tuple(arguments.id),
        names=tuple(arguments.names),
        delimiter=delimiter(arguments),
        header=tuple(arguments.header),
        normalize=arguments.normalize,
        possibilistic=arguments.possibilistic,
        missing=arguments.missing,
        max_size=arguments.max_size,
        common=getattr(arguments, "common", False),  # only where there are several files
        weights=getattr(arguments, "weights", None),
        xy=getattr(arguments, "xy", None),
    )
    if getattr(arguments, "table", None) is None:
        readings = read_clusterings(paths, options, same_points=same_points)
    else:
        readings = read_count_table(arguments.table, options)
    if not arguments.quiet:
        for reading in readings:
            tell(str(reading))
    return readings


def delimiter(arguments: argparse.Namespace) -> str | None:
    """Return the character that divides the fields of text, if it was given."""
    # Deferred: NumPy, which --help does not need.
    from .._files.text_rows import DELIMITERS as CHARACTERS
    from .._files.text_rows import NONE

    given: str | None = arguments.delimiter
    return None if given is None else {**CHARACTERS, "none": NONE}.get(given, given)


#: Options that are refused for files that are read a block at a time, and why.
WHOLE_FILES = {
    "id": "points cannot be matched by ids",
    "names": "points cannot be matched by names",
    "common": "points cannot be matched by ids",
    "test": "points cannot be shuffled",
    "confidence": "there are no intervals",
    "weights": "points with weights are read as a whole",
    "html": "there is no report",
    "interactive": "there is no page to explore",
    "xy": "there is no page to explore",
    "max_size": "there is no limit, as blocks are small",
}


def open_with_dask(arguments: argparse.Namespace, paths: Sequence[str]) -> list[DaskReading]:
    """Open files that are read a block at a time, and report how they are read."""
    # Deferred: NumPy, which --help does not need.
    from .._files.columns import ReadingOptions
    from .._files.dask_files import open_with_dask as opened

    for name, why in WHOLE_FILES.items():
        if getattr(arguments, name) not in (None, False, []):
            raise ParameterError(
                "{parameter} needs whole files: with {dask}, {why}. Leave it out, or compare a "
                "sample of the points without {dask}.",
                parameter=Option(name),
                dask=Option("dask", True),
                why=why,
            )
    columns = ReadingOptions(labels=tuple(arguments.labels), columns=tuple(arguments.columns))
    readings = opened(paths, columns)
    if not arguments.quiet:
        for reading in readings:
            tell(str(reading))
    return readings


def use_single_blas_threads() -> None:
    """Let each dask thread multiply matrices on a single thread, as workers of a cluster do.

    Threads of the linear algebra inside threads of dask wait for each other most of the time. Their
    number is fixed when NumPy is first imported, so this must come before.
    """
    for library in ("OPENBLAS", "OMP", "MKL"):
        os.environ.setdefault(f"{library}_NUM_THREADS", "1")


@contextmanager
def scheduler(arguments: argparse.Namespace) -> Iterator[None]:
    """Connect to a cluster while a block runs, if one is given; else dask runs on this machine."""
    if not arguments.scheduler:
        yield
        return
    try:
        from distributed import Client  # Deferred: an extra.
    except ImportError:
        raise MissingExtraError(
            '{parameter} needs dask.distributed: pip install "fuzzyrand[dask]".',
            parameter=Option("scheduler"),
        ) from None
    try:
        client = Client(arguments.scheduler, timeout="10s")
    except (OSError, ValueError) as error:
        raise ParameterError(
            "no dask scheduler answers at {value}: {reason}. Start one with dask scheduler, and "
            "give the address that it prints, such as tcp://10.0.0.1:8786.",
            parameter=Option("scheduler"),
            value=arguments.scheduler,
            reason=str(error).splitlines()[0] if str(error) else type(error).__name__,
        ) from None
    with client:
        yield


def noise(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the arguments of the library for the treatment of noise."""
    return {
        "noise": arguments.noise,
        "noise_as": arguments.noise_as,
        "missing": arguments.missing,
    }


def points(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the arguments of the library for the treatment of noise and of different points."""
    return {**noise(arguments), "points": "common" if arguments.common else "same"}


def weights(readings: Iterable[Reading]) -> Any:
    """Return the weights of the points: those of the first file that has them, or None."""
    return next((reading.weights for reading in readings if reading.weights is not None), None)


def require_known_names(arguments: argparse.Namespace) -> None:
    """Refuse an unknown index, model or model option before files are read."""
    # Deferred: NumPy, which --help does not need.
    from ..indices import as_index

    as_index(arguments.index)
    models(arguments)


def models(arguments: argparse.Namespace) -> Model | list[Model] | EveryModel:
    """Return the models with their options, in the form that compare() takes."""
    # Deferred: NumPy, which --help does not need.
    from ..models.registry import EveryModel

    if "every" in [name.lower() for name in _model_names(arguments)]:
        return EveryModel(_model_options(arguments))
    named = named_models(arguments)
    return named[0] if len(named) == 1 else named


def single_model(arguments: argparse.Namespace, takes: str) -> Model:
    """Return the only model, or refuse several with a message that begins with ``takes``."""
    named = [] if "every" in _model_names(arguments) else named_models(arguments)
    if len(named) != 1:
        raise ParameterError(
            takes + "; fuzzyrand compare takes several, or every.",
            parameter=Option("model"),
        )
    return named[0]


def named_models(arguments: argparse.Namespace) -> list[Model]:
    """Return the models that are named, with their options."""
    # Deferred: NumPy, which --help does not need.
    from ..models import as_model
    from ..models.registry import with_options

    named = [as_model(name) for name in _model_names(arguments)]
    return with_options(named, _model_options(arguments))


def _model_names(arguments: argparse.Namespace) -> list[str]:
    return list(arguments.model or [arguments.default_model])


def _model_options(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the options of models that were given."""
    given = {"resolution": arguments.resolution, "bias": arguments.bias}
    return {name: value for name, value in given.items() if value is not None}


def maximum(arguments: argparse.Namespace) -> float | str:
    """Return 1 or "self"."""
    return "self" if arguments.maximum == "self" else 1
