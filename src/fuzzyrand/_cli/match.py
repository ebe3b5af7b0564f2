"""``fuzzyrand match A B``."""

from __future__ import annotations

import argparse
from shutil import get_terminal_size
from typing import TYPE_CHECKING

from . import options, output, pictures
from .names import distinct_names
from .relabelled import write_relabelled
from .streams import tell
from .voice import VOICE

if TYPE_CHECKING:
    from ..results import Matching


def add(commands: options.Subparsers) -> None:
    """Add the command."""
    parser = options.command(
        commands,
        "match",
        run,
        "Match the clusters of two clusterings of the same points.",
        notes=options.READING,
        examples=(
            "fuzzyrand match truth.csv found.csv",
            "fuzzyrand match run1.3.Q run2.3.Q --out run2-like-run1.csv",
            "fuzzyrand match truth.csv found.csv --plot overlaps.png",
            "fuzzyrand match truth.csv soft.parquet --id sample --labels species --json",
        ),
    )
    parser.add_argument("first", metavar="A", help="file with labels or memberships")
    parser.add_argument("second", metavar="B", help="another, of the same points")
    options.add_reading(parser, several=True, weights=True)
    group = options.add_output(parser)
    group.add_argument(
        "--out",
        metavar="FILE",
        help="also write B with the order and names of A to this CSV file: labels if it is hard, "
        "else memberships",
    )
    pictures.add_plot(group, "the overlaps of clusters")


def run(arguments: argparse.Namespace) -> None:
    """Read, match, print."""
    # Deferred: NumPy, which --help does not need.
    from .._api.match import match
    from ..results import WIDTH

    paths = [arguments.first, arguments.second]
    outputs = [("out", arguments.out), ("plot", arguments.plot)]
    output.require_outputs(outputs, [*paths, *arguments.names])
    first, second = readings = options.read(arguments, paths)
    matching = match(
        first.partition,
        second.partition,
        weights=options.weights(readings),
        **options.points(arguments),
    )
    if arguments.out:
        title = arguments.id[0] if arguments.id else ""
        write_relabelled(
            arguments.out, matching.partitions[1], matching.columns, matching.labels, title
        )
    if arguments.plot:
        name_a, name_b = distinct_names([first.source, second.source], readings)
        _plot(matching, arguments.plot, (name_a, name_b))
    if arguments.json:
        files = {"files": [reading.to_dict() for reading in readings]}
        output.print_json({**matching.to_dict(), **files})
    elif arguments.csv:
        output.print_csv(["a", "b", "overlap", "share_of_a", "share_of_b"], matching.rows)
        for note in matching.note_sentences:
            tell(f"note: {note.text(VOICE)}")
    else:
        print(matching.text(get_terminal_size((WIDTH, 24)).columns, VOICE))


def _plot(matching: Matching, path: str, names: tuple[str, str]) -> None:
    # Deferred: NumPy, which --help does not need.
    from ..plot import overlap
    from ..plot._matching import overlap_size

    figure = pictures.new_figure(overlap_size(matching))
    overlap(matching, figure.subplots(), names=names)
    pictures.save_figure(figure, path)
