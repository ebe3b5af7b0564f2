"""``fuzzyrand explain A B``."""

from __future__ import annotations

import argparse

from . import input_files, output, question
from .commands import Subparsers, add_command
from .report_pages import add_interactive, require_interactive, write_interactive, write_report
from .runs import names_of_pair
from .voice import VOICE


def add(commands: Subparsers) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "explain",
        run,
        notes=input_files.READING,
        examples=(
            "fuzzyrand explain truth.csv soft.csv",
            "fuzzyrand explain truth.csv soft.csv --points points.csv --clusters clusters.csv",
            "fuzzyrand explain truth.csv soft.csv --html explanation.html",
            "fuzzyrand explain truth.csv soft.csv --interactive explore.html --xy length,width",
            "fuzzyrand explain a.npy b.npy --json | jq .wallace",
        ),
    )
    input_files.add_pair(parser)
    question.add_comparing(question.add_question(parser, models=False), "A", "B", maximum=False)
    input_files.add_reading(parser, several=True, weights=True)
    group = output.add_output(parser, report="a report with pictures", csv=False)
    group.add_argument(
        "--points",
        metavar="FILE",
        help="write the scores of points as CSV; without ids, points are counted from 0",
    )
    group.add_argument("--clusters", metavar="FILE", help="write the scores of clusters as CSV")
    add_interactive(group)


def run(arguments: argparse.Namespace) -> None:
    """Read, explain, print."""
    # Deferred: NumPy, which --help does not need.
    from .._api.explain import explain

    paths = [arguments.first, arguments.second]
    written = ("points", "clusters", "html", "interactive")
    output.require_outputs(arguments, written, [*paths, *arguments.names])
    model = question.single_model(arguments, "explain takes one {parameter}")
    require_interactive(arguments)
    first, second = readings = input_files.read(arguments, paths)
    result = explain(
        first.partition,
        second.partition,
        model=model,
        weights=input_files.weights(readings),
        **question.comparing(arguments),
        **input_files.points(arguments),
    )
    for what in ("points", "clusters"):
        if getattr(arguments, what):
            output.save_columns(getattr(arguments, what), result.columns(what))
    page = {"names": names_of_pair(readings), "stdin": "-" in paths}
    write_interactive(arguments, result, readings, **page)
    write_report(arguments, result, **page)
    if arguments.json:
        output.print_json(result.to_dict(), readings)
    else:
        print(result.text(voice=VOICE))
