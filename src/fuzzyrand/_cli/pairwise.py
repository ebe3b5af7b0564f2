"""``fuzzyrand pairwise FILES...``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from shutil import get_terminal_size

from .._base.errors import ParameterError
from . import options
from .names import distinct_names


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
            "fuzzyrand pairwise a.csv b.csv c.csv --csv > similarities.csv",
        ),
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="labels or memberships")
    group = options.add_question(parser, models=False)
    options.add_comparing(group, "the row", "the column")
    group.add_argument(
        "--reference",
        metavar="FILE",
        help="compare only with this one; it is the last where an option is given for each file",
    )
    options.add_reading(parser, several=True)
    options.add_output(parser, report="a report with a heat map")


def run(arguments: argparse.Namespace) -> None:
    """Read, compare, print."""
    paths: list[str] = list(arguments.files)
    reference: str | None = arguments.reference
    if reference is None and len(paths) < 2:
        raise ParameterError("pairwise needs at least two files, or one and --reference FILE.")
    if len(set(paths)) < len(paths) and not arguments.labels and not arguments.columns:
        raise ParameterError(
            "the same file is given twice; --labels, once for each, takes different columns of it."
        )
    named = options.named_models(arguments)
    if named is None or len(named) > 1:
        raise ParameterError(
            "pairwise takes one --model, as there is one number for each pair; "
            "fuzzyrand compare takes several, or every."
        )
    every = paths if reference is None or reference in paths else [*paths, reference]
    options.require_writable("--html", arguments.html, every)
    readings = options.read(arguments, every)

    from .._api.pairwise import pairwise
    from ..results import WIDTH

    names = distinct_names(short_names(every), readings)
    partitions = {name: reading.partition for name, reading in zip(names, readings, strict=True)}
    chosen = None if reference is None else names[every.index(reference)]
    outside = chosen is not None and reference not in paths
    result = pairwise(
        {name: partitions[name] for name in names[: len(paths)]},
        reference=partitions[chosen] if chosen is not None and outside else chosen,
        index=arguments.index,
        model=named[0],
        fixed=arguments.fixed,
        maximum=options.maximum_of(arguments),
        tol=arguments.tol,
        random_state=arguments.seed,
    )
    if chosen is not None:
        result = replace(result, rows=(chosen,))
    if arguments.html:
        from ..report import pairwise_report

        page = pairwise_report(result, command=arguments.command_line, stdin="-" in every)
        options.save(arguments.html, lambda path: path.write_text(page, encoding="utf-8"))
    if arguments.json:
        files = {"files": [reading.to_dict() for reading in readings]}
        options.print_json({**result.to_dict(), **files})
    elif arguments.csv:
        table = zip(result.rows, result.adjusted.tolist(), strict=True)
        options.print_csv(["", *result.columns], [[name, *row] for name, row in table])
    else:
        print(result.text(get_terminal_size((WIDTH, 24)).columns))


def short_names(paths: Sequence[str]) -> list[str]:
    """Names of files without folder and ending, or in full where two files have the same."""
    short = ["standard input" if path == "-" else Path(path).stem for path in paths]
    return short if len(set(short)) == len(set(paths)) else list(paths)
