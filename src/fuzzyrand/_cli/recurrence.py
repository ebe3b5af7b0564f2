"""``fuzzyrand recurrence FILES...``."""

from __future__ import annotations

import argparse
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING

from .._base.errors import ParameterError
from . import options, output, pictures
from .interactive import add_interactive, require_interactive, write_interactive
from .runs import Sources, add_files
from .streams import tell
from .voice import VOICE

if TYPE_CHECKING:
    from ..results import Recurrence

#: Options that write a table to a file.
TABLES = ("families", "clusters", "points", "runs")


def add(commands: options.Subparsers) -> None:
    """Add the command."""
    parser = options.command(
        commands,
        "recurrence",
        run,
        "Find the clusters that recur in many runs.",
        notes=options.READING,
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
        type=options.draws_of_test,
        default="auto",
        metavar="NUMBER",
        help="number of shuffles, to see what recurs by chance (default: 99, or fewer if slow)",
    )
    group.add_argument(
        "--seed",
        type=options.whole,
        default=0,
        metavar="N",
        help="seed of the shuffles (default: 0)",
    )
    options.add_reading(parser, several=True, weights=True)
    group = options.add_output(parser, report="a report with pictures")
    pictures.add_plot(group, "the families over the runs")
    add_interactive(group)
    for what in TABLES:
        group.add_argument(
            f"--{what}",
            metavar="FILE",
            help=f"write a table of the {what} as CSV",
            dest=f"{what}_to",
        )
    group.add_argument("--consensus", metavar="FILE", help="write the consensus of all runs as CSV")


def run(arguments: argparse.Namespace) -> None:
    """Read, look for what recurs, print."""
    # Deferred: NumPy, which --help does not need.
    from .._api.recurrence import recurrence
    from ..results import WIDTH

    sources = Sources.of(arguments)
    paths = sources.paths
    if len(paths) < 2:
        raise ParameterError("recurrence needs at least two files.")
    written = [(what, getattr(arguments, f"{what}_to")) for what in TABLES]
    several = ("html", "interactive", "plot", "consensus")
    outputs = [(what, getattr(arguments, what)) for what in several]
    output.require_outputs([*outputs, *written], [*sources.inputs, *arguments.names])
    require_interactive(arguments)
    readings = options.read(arguments, paths, same_points=False)
    sources.require_clusters(readings)
    names = sources.names((), readings)
    result = recurrence(
        {name: reading.partition for name, reading in zip(names, readings, strict=True)},
        alike=arguments.alike,
        draws=arguments.draws,
        random_state=arguments.seed,
        weights=options.weights(readings),
        **options.noise(arguments),
    )
    for what, path in written:
        if path:
            _write(path, what, result)
    if arguments.consensus:
        _write_consensus(arguments.consensus, result, arguments.id[0] if arguments.id else "")
    if arguments.plot:
        _plot(result, arguments.plot)
    write_interactive(arguments, result, readings, stdin="-" in paths)
    if arguments.html:
        from ..report import recurrence_report  # Deferred: only --html needs it.

        page = recurrence_report(result, command=arguments.command_line, stdin="-" in paths)
        output.save(arguments.html, lambda path: path.write_text(page, encoding="utf-8"))
    if arguments.json:
        files = {"files": [reading.to_dict() for reading in readings]}
        output.print_json({**result.to_dict(), **files})
    elif arguments.csv:
        columns = result.columns()
        output.print_csv(list(columns), list(zip(*columns.values(), strict=True)))
        for note in result.note_sentences:
            tell(f"note: {note.text(VOICE)}")
    else:
        print(result.text(get_terminal_size((WIDTH, 24)).columns, VOICE))


def _write(path: str, what: str, result: Recurrence) -> None:
    columns = result.columns(what)
    rows = list(zip(*columns.values(), strict=True))

    def write(target: Path) -> None:
        output.write_csv(target, list(columns), rows)

    output.save(path, write)


def _write_consensus(path: str, result: Recurrence, title: str) -> None:
    # Deferred: NumPy, which --help does not need.
    from .._clusterings.matching.labels import labels_of
    from .relabelled import write_relabelled

    consensus = result.consensus
    names = [str(label) for label in labels_of(consensus)]
    write_relabelled(path, consensus, list(range(consensus.clusters)), names, title)


def _plot(result: Recurrence, path: str) -> None:
    # Deferred: NumPy, which --help does not need.
    from ..plot import recurrence
    from ..plot._recurrence import recurrence_size

    figure = pictures.new_figure(recurrence_size(result))
    recurrence(result, figure.subplots())
    pictures.save_figure(figure, path)
