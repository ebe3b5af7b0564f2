"""``fuzzyrand recurrence FILES...``."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from .._base.errors import ParameterError
from . import input_files, output, pictures, question
from .commands import Subparsers, add_command, add_seed
from .report_pages import add_interactive, require_interactive, write_interactive, write_report
from .runs import Sources, add_files
from .voice import VOICE

if TYPE_CHECKING:
    from ..results import Recurrence

#: Options that write a table to a file.
TABLES = ("families", "clusters", "points", "runs")


def add(commands: Subparsers) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "recurrence",
        run,
        notes=input_files.READING,
        examples=(
            "fuzzyrand recurrence runs/*.csv --plot families.png",
            "fuzzyrand recurrence runs/*.csv --html families.html --consensus consensus.csv",
            "fuzzyrand recurrence --filemap pong_filemap --names samples.fam",
            "fuzzyrand recurrence runs/*.csv --id cell --points points.csv",
        ),
    )
    add_files(parser)
    group = parser.add_argument_group("question")
    group.add_argument(
        "--alike",
        type=float,
        default=0.9,
        metavar="INDEX",
        help="adjusted index from which two runs count as alike (default: 0.9)",
    )
    group.add_argument(
        "--draws",
        type=question.draws_of_test,
        default="auto",
        metavar="NUMBER",
        help="number of shuffles, to see what recurs by chance (default: 99, or fewer if slow)",
    )
    add_seed(group, "the shuffles")
    input_files.add_reading(parser, several=True, weights=True)
    group = output.add_output(parser, report="a report with pictures")
    pictures.add_plot(group, "the families over the runs")
    add_interactive(group)
    for what in TABLES:
        group.add_argument(f"--{what}", metavar="FILE", help=f"write a table of the {what} as CSV")
    group.add_argument("--consensus", metavar="FILE", help="write the consensus of all runs as CSV")


def run(arguments: argparse.Namespace) -> None:
    """Read, look for what recurs, print."""
    # Deferred: NumPy, which --help does not need.
    from .._api.recurrence import recurrence

    sources = Sources.of(arguments)
    paths = sources.paths
    if len(paths) < 2:
        raise ParameterError("recurrence needs at least two files.")
    written = ("html", "interactive", "plot", "consensus", *TABLES)
    output.require_outputs(arguments, written, [*sources.inputs, *arguments.names])
    require_interactive(arguments)
    runs = sources.read(arguments, same_points=False)
    readings = list(runs.values())
    result = recurrence(
        {name: reading.partition for name, reading in runs.items()},
        alike=arguments.alike,
        draws=arguments.draws,
        random_state=arguments.seed,
        weights=input_files.weights(readings),
        **input_files.noise(arguments),
    )
    for what in TABLES:
        if getattr(arguments, what):
            output.save_columns(getattr(arguments, what), result.columns(what))
    if arguments.consensus:
        _write_consensus(arguments.consensus, result, arguments.id[0] if arguments.id else "")
    if arguments.plot:
        _plot(result, arguments.plot)
    write_interactive(arguments, result, readings, stdin="-" in paths)
    write_report(arguments, result, stdin="-" in paths)
    if arguments.json:
        output.print_json(result.to_dict(), readings)
    elif arguments.csv:
        output.print_columns(result.columns(), result.note_sentences)
    else:
        print(result.text(output.terminal_width(), VOICE))


def _write_consensus(path: str, result: Recurrence, title: str) -> None:
    # Deferred: NumPy, which --help does not need.
    from .._clusterings.matching.cluster_labels import labels_of
    from .relabelled import write_relabelled

    consensus = result.consensus
    names = [str(label) for label in labels_of(consensus)]
    write_relabelled(path, consensus, list(range(consensus.clusters)), names, title)


def _plot(result: Recurrence, path: str) -> None:
    # Deferred: NumPy, which --help does not need.
    from ..plot import recurrence
    from ..plot._recurrence import recurrence_size

    with pictures.figure_in_file(path, recurrence_size(result)) as figure:
        recurrence(result, figure.subplots())
