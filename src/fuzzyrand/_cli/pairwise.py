"""``fuzzyrand pairwise FILES...``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from .._base.errors import ParameterError
from .._base.wording import Option
from . import input_files, output, question
from .commands import Subparsers, add_command
from .report_pages import write_report
from .runs import Sources, add_files
from .voice import VOICE

if TYPE_CHECKING:
    from ..results import Pairwise

#: Columns of the pairs that were tested.
TESTED = ("first", "second", "adjusted", "pvalue", "qvalue")


def add(commands: Subparsers) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "pairwise",
        run,
        notes=input_files.READING,
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
    group = question.add_question(parser, models=False)
    question.add_comparing(group, "the row", "the column")
    group.add_argument(
        "--reference",
        metavar="FILE",
        help="compare all with this file, or with this run of the filemap; it counts as the last "
        "where an option is given for each file",
    )
    question.add_test(
        group, "add a permutation test of each pair, corrected for the number of pairs"
    )
    question.add_confidence(
        group,
        "add confidence intervals; with --reference, also of differences (default level: 0.95)",
    )
    input_files.add_reading(parser, several=True, weights=True)
    output.add_output(parser, report="a report with a heat map")


def run(arguments: argparse.Namespace) -> None:
    """Read, compare, print."""
    sources = Sources.of(arguments)
    paths = sources.paths
    reference = sources.path_of(arguments.reference)
    _require_files(arguments, paths)
    model = question.single_model(arguments, "pairwise takes only one {parameter}")
    draws = question.draws(arguments)
    known = reference in (*paths, *sources.columns)
    extra = [] if reference is None or known else [reference]
    inputs = [*sources.inputs, *extra, *arguments.names]
    output.require_outputs(arguments, ["html"], inputs)
    runs = sources.read(arguments, extra)
    readings, names = list(runs.values()), list(runs)

    # Deferred: NumPy, which --help does not need.
    from .._api.pairwise import pairwise

    chosen = names[-1] if extra else sources.name_of(reference, names)
    result = pairwise(
        {name: runs[name].partition for name in names[: len(paths)]},
        reference=readings[-1].partition if extra else chosen,
        model=model,
        test=arguments.test,
        draws=draws,
        confidence=arguments.confidence,
        weights=input_files.weights(readings),
        **question.comparing(arguments),
        **input_files.points(arguments),
    )
    if extra:
        result = _with_row(names[-1], result)
    write_report(arguments, result, stdin="-" in (*paths, *extra))
    if arguments.json:
        output.print_json(result.to_dict(), readings)
    elif arguments.csv:
        if result.intervals is not None:
            output.print_columns(result.long_table(), result.note_sentences)
        elif result.tests is not None:
            output.print_csv(TESTED, result.tested_pairs(), result.note_sentences)
        else:
            table = zip(result.rows, result.adjusted.tolist(), strict=True)
            rows = [[name, *row] for name, row in table]
            output.print_csv(["", *result.columns], rows, result.note_sentences)
    else:
        print(result.text(output.terminal_width(), VOICE))


def _with_row(name: str, result: Pairwise) -> Pairwise:
    """Return the comparisons with a reference under its name."""

    def renamed(pairs: Any) -> Any:
        return pairs and {(name, column): each for (_, column), each in pairs.items()}

    tests, intervals = renamed(result.tests), renamed(result.intervals)
    return replace(result, rows=(name,), tests=tests, intervals=intervals)


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
