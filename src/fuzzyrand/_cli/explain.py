"""``fuzzyrand explain A B``."""

from __future__ import annotations

import argparse

from . import options, output
from .names import distinct_names
from .report_pages import add_interactive, require_interactive, write_interactive, write_report
from .voice import VOICE


def add(commands: options.Subparsers) -> None:
    """Add the command."""
    parser = options.command(
        commands,
        "explain",
        run,
        "Show where two clusterings disagree: which points and clusters, and why.",
        notes=options.READING,
        examples=(
            "fuzzyrand explain truth.csv soft.csv",
            "fuzzyrand explain truth.csv soft.csv --points points.csv --clusters clusters.csv",
            "fuzzyrand explain truth.csv soft.csv --html explanation.html",
            "fuzzyrand explain truth.csv soft.csv --interactive explore.html --xy length,width",
            "fuzzyrand explain a.npy b.npy --json | jq .wallace",
        ),
    )
    parser.add_argument("first", metavar="A", help="file with labels or memberships")
    parser.add_argument("second", metavar="B", help="another, of the same points")
    options.add_comparing(options.add_question(parser, models=False), "A", "B", maximum=False)
    options.add_reading(parser, several=True, weights=True)
    group = options.add_output(parser, report="a report with pictures", csv=False)
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
    model = options.single_model(arguments, "explain takes one {parameter}")
    options.require_known_names(arguments)
    require_interactive(arguments)
    first, second = readings = options.read(arguments, paths)
    result = explain(
        first.partition,
        second.partition,
        model=model,
        index=arguments.index,
        fixed=arguments.fixed,
        tol=arguments.tol,
        random_state=arguments.seed,
        weights=options.weights(readings),
        **options.points(arguments),
    )
    for what in ("points", "clusters"):
        if getattr(arguments, what):
            output.save_columns(getattr(arguments, what), result.columns(what))
    name_a, name_b = distinct_names([first.source, second.source], readings)
    write_interactive(arguments, result, readings, stdin="-" in paths, names=(name_a, name_b))
    write_report(arguments, result, stdin="-" in paths, names=(name_a, name_b))
    if arguments.json:
        output.print_json(result.to_dict(), readings)
    else:
        print(result.text(voice=VOICE))
