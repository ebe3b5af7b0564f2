"""``fuzzyrand pairwise FILES...``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from shutil import get_terminal_size
from typing import TYPE_CHECKING

from .._base.errors import ParameterError
from .._base.wording import Option
from . import options, output
from .names import distinct_names, short_names
from .voice import VOICE
from .windows import expanded

if TYPE_CHECKING:
    from .._io.filemaps import Run
    from .._io.readings import Reading


def add(commands: options.Subparsers) -> None:
    """Add the command."""
    parser = options.command(
        commands,
        "pairwise",
        run,
        "Compare many clusterings of the same points: all pairs, or all with a reference.",
        notes=options.READING,
        examples=(
            "fuzzyrand pairwise runs/*.csv --model sym --html runs.html",
            "fuzzyrand pairwise runs/*.npy --reference truth.npy --fixed first",
            "fuzzyrand pairwise --filemap pong_filemap --names samples.fam",
            "fuzzyrand pairwise a.csv b.csv c.csv --csv > similarities.csv",
        ),
    )
    parser.add_argument("files", nargs="*", metavar="FILE", help="labels or memberships")
    parser.add_argument(
        "--filemap",
        metavar="FILE",
        help="read the files that a filemap of pong lists: lines of id, number of clusters, path",
    )
    group = options.add_question(parser, models=False)
    options.add_comparing(group, "the row", "the column")
    group.add_argument(
        "--reference",
        metavar="FILE",
        help="compare only with this one; it is the last where an option is given for each file",
    )
    group.add_argument(
        "--test",
        action="store_true",
        help="test each pair by shuffling the points, and correct for the number of pairs",
    )
    options.add_reading(parser, several=True)
    options.add_output(parser, report="a report with a heat map")


def run(arguments: argparse.Namespace) -> None:
    """Read, compare, print."""
    runs = _runs(arguments)
    paths = [run.path for run in runs] if runs else expanded(arguments.files)
    reference: str | None = arguments.reference
    _require_files(arguments, paths)
    model = options.single_model(
        arguments, "pairwise takes one {parameter}, as there is one number for each pair"
    )
    options.require_known_names(arguments)
    every = paths if reference is None or reference in paths else [*paths, reference]
    inputs = every if arguments.filemap is None else [*every, arguments.filemap]
    output.require_writable("html", arguments.html, inputs)
    readings = options.read(arguments, every)
    _require_clusters(arguments, runs, readings)

    # Deferred: NumPy, which --help does not need.
    from .._api.pairwise import pairwise
    from ..results import WIDTH

    names = [run.id for run in runs] + short_names(every[len(runs) :])
    names = distinct_names(names if runs else short_names(every), readings)
    partitions = {name: reading.partition for name, reading in zip(names, readings, strict=True)}
    chosen = None if reference is None else names[every.index(reference)]
    outside = chosen is not None and reference not in paths
    result = pairwise(
        {name: partitions[name] for name in names[: len(paths)]},
        reference=partitions[chosen] if chosen is not None and outside else chosen,
        index=arguments.index,
        model=model,
        fixed=arguments.fixed,
        maximum=options.maximum(arguments),
        tol=arguments.tol,
        random_state=arguments.seed,
        model_options=options.model_options(arguments),
        test=arguments.test,
        **options.noise(arguments),
    )
    if chosen is not None:
        result = replace(result, rows=(chosen,))
    if arguments.html:
        from ..report import pairwise_report  # Deferred: only --html needs it.

        page = pairwise_report(result, command=arguments.command_line, stdin="-" in every)
        output.save(arguments.html, lambda path: path.write_text(page, encoding="utf-8"))
    if arguments.json:
        files = {"files": [reading.to_dict() for reading in readings]}
        output.print_json({**result.to_dict(), **files})
    elif arguments.csv:
        table = zip(result.rows, result.adjusted.tolist(), strict=True)
        output.print_csv(["", *result.columns], [[name, *row] for name, row in table])
    else:
        print(result.text(get_terminal_size((WIDTH, 24)).columns, VOICE))


def _runs(arguments: argparse.Namespace) -> list[Run]:
    """Return the runs of the filemap, if there is one."""
    if arguments.filemap is None:
        return []
    if arguments.files:
        raise ParameterError(
            "give files or {parameter}, not both.", parameter=Option("filemap", "FILE")
        )
    # Deferred: NumPy, which --help does not need.
    from .._io.filemaps import read_filemap

    return read_filemap(arguments.filemap)


def _require_files(arguments: argparse.Namespace, paths: Sequence[str]) -> None:
    if arguments.reference is None and len(paths) < 2:
        raise ParameterError(
            "pairwise needs at least two files, or one and {parameter}.",
            parameter=Option("reference", "FILE"),
        )
    if not paths:
        raise ParameterError(
            "pairwise needs at least one file beside {parameter}.", parameter=Option("reference")
        )
    if len(set(paths)) < len(paths) and not arguments.labels and not arguments.columns:
        raise ParameterError(
            "the same file is given twice; {labels}, once for each, takes different columns of it.",
            labels=Option("labels"),
        )


def _require_clusters(
    arguments: argparse.Namespace, runs: Sequence[Run], readings: Sequence[Reading]
) -> None:
    # Deferred: NumPy, which --help does not need.
    from .._io.filemaps import require_clusters

    for run, reading in zip(runs, readings, strict=False):  # a reference may follow
        require_clusters(run, reading.partition.k, arguments.filemap)
