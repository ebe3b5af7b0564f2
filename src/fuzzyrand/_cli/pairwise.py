"""``fuzzyrand pairwise FILES...``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from shutil import get_terminal_size

from .._base.errors import ParameterError
from .._base.wording import Option
from . import options, output
from .runs import Sources, add_files
from .streams import tell
from .voice import VOICE

#: Columns of the pairs that were tested.
TESTED = ("first", "second", "adjusted", "pvalue", "qvalue")


def add(commands: options.Subparsers) -> None:
    """Add the command."""
    parser = options.command(
        commands,
        "pairwise",
        run,
        "Compare many clusterings of the same points: all pairs, or all with a reference.",
        notes=options.READING,
        examples=(
            "fuzzyrand pairwise runs/*.csv --html runs.html",
            "fuzzyrand pairwise runs/*.npy --reference truth.npy",
            "fuzzyrand pairwise methods/*.csv --reference truth.csv --confidence --test",
            "fuzzyrand pairwise obs.csv --labels leiden --labels louvain --labels cell_type",
            "fuzzyrand pairwise --filemap pong_filemap --names samples.fam",
            "fuzzyrand pairwise a.csv b.csv c.csv --csv > similarities.csv",
        ),
    )
    add_files(parser)
    group = options.add_question(parser, models=False)
    options.add_comparing(group, "the row", "the column")
    group.add_argument(
        "--reference",
        metavar="FILE",
        help="compare all with this file, or with this run of the filemap; it counts as the last "
        "where an option is given for each file",
    )
    options.add_test(
        group, "add a permutation test of each pair, corrected for the number of pairs"
    )
    options.add_confidence(
        group,
        "add confidence intervals; with --reference, also of differences (default level: 0.95)",
    )
    options.add_reading(parser, several=True, weights=True)
    options.add_output(parser, report="a report with a heat map")


def run(arguments: argparse.Namespace) -> None:
    """Read, compare, print."""
    sources = Sources.of(arguments)
    paths = sources.paths
    reference = None if arguments.reference is None else sources.path_of(arguments.reference)
    _require_files(arguments, paths)
    model = options.single_model(arguments, "pairwise takes only one {parameter}")
    options.require_known_names(arguments)
    draws = options.draws(arguments)
    column = reference if reference in sources.columns else None  # of the single file
    extra = [] if reference is None or column or reference in paths else [reference]
    every = [*paths, *extra]
    inputs = [*sources.inputs, *extra, *arguments.names]
    output.require_outputs([("html", arguments.html)], inputs)
    readings = options.read(arguments, every)
    sources.require_clusters(readings)

    # Deferred: NumPy, which --help does not need.
    from .._api.pairwise import pairwise
    from ..results import WIDTH

    names = sources.names(extra, readings)
    partitions = {name: reading.partition for name, reading in zip(names, readings, strict=True)}
    chosen = column
    if reference is not None and column is None:
        chosen = names[every.index(reference)]
    result = pairwise(
        {name: partitions[name] for name in names[: len(paths)]},
        reference=partitions[chosen] if chosen is not None and extra else chosen,
        index=arguments.index,
        model=model,
        fixed=arguments.fixed,
        maximum=options.maximum(arguments),
        tol=arguments.tol,
        random_state=arguments.seed,
        test=arguments.test,
        draws=draws,
        confidence=arguments.confidence,
        weights=options.weights(readings),
        **options.points(arguments),
    )
    if chosen is not None:
        tests, intervals = result.tests, result.intervals
        if tests is not None:
            tests = {(chosen, column): test for (_, column), test in tests.items()}
        if intervals is not None:
            intervals = {(chosen, column): each for (_, column), each in intervals.items()}
        result = replace(result, rows=(chosen,), tests=tests, intervals=intervals)
    if arguments.html:
        from ..report import pairwise_report  # Deferred: only --html needs it.

        page = pairwise_report(result, command=arguments.command_line, stdin="-" in every)
        output.save(arguments.html, lambda path: path.write_text(page, encoding="utf-8"))
    if arguments.json:
        files = {"files": [reading.to_dict() for reading in readings]}
        output.print_json({**result.to_dict(), **files})
    elif arguments.csv:
        if result.intervals is not None:
            long = result.long_table()
            output.print_csv(list(long), [list(row) for row in zip(*long.values(), strict=True)])
        elif result.tests is not None:
            output.print_csv(TESTED, result.tested_pairs())
        else:
            table = zip(result.rows, result.adjusted.tolist(), strict=True)
            output.print_csv(["", *result.columns], [[name, *row] for name, row in table])
        for note in result.note_sentences:
            tell(f"note: {note.text(VOICE)}")
    else:
        print(result.text(get_terminal_size((WIDTH, 24)).columns, VOICE))


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
            "the same file is given twice. To compare columns of it, give {labels} once for each.",
            labels=Option("labels"),
        )
