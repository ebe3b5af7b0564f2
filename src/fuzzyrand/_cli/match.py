"""``fuzzyrand match A B``."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from . import input_files, output, pictures
from .commands import Subparsers, add_command
from .relabelled import write_relabelled
from .runs import names_of_pair
from .voice import VOICE

if TYPE_CHECKING:
    from ..results import Matching


def add(commands: Subparsers) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "match",
        run,
        notes=input_files.READING,
        examples=(
            "fuzzyrand match truth.csv found.csv",
            "fuzzyrand match run1.3.Q run2.3.Q --out run2-like-run1.csv",
            "fuzzyrand match truth.csv found.csv --plot overlaps.png",
            "fuzzyrand match truth.csv soft.parquet --id sample --labels species --json",
        ),
    )
    input_files.add_pair(parser)
    input_files.add_reading(parser, several=True, weights=True)
    group = output.add_output(parser)
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

    paths = [arguments.first, arguments.second]
    output.require_outputs(arguments, ["out", "plot"], [*paths, *arguments.names])
    first, second = readings = input_files.read(arguments, paths)
    matching = match(
        first.partition,
        second.partition,
        weights=input_files.weights(readings),
        **input_files.points(arguments),
    )
    if arguments.out:
        title = arguments.id[0] if arguments.id else ""
        write_relabelled(
            arguments.out, matching.partitions[1], matching.columns, matching.labels, title
        )
    if arguments.plot:
        _plot(matching, arguments.plot, names_of_pair(readings))
    if arguments.json:
        output.print_json(matching.to_dict(), readings)
    elif arguments.csv:
        header = ["a", "b", "overlap", "share_of_a", "share_of_b"]
        output.print_csv(header, matching.rows, matching.note_sentences)
    else:
        print(matching.text(output.terminal_width(), VOICE))


def _plot(matching: Matching, path: str, names: tuple[str, str]) -> None:
    # Deferred: NumPy, which --help does not need.
    from ..plot import overlap
    from ..plot._matching import overlap_size

    with pictures.figure_in_file(path, overlap_size(matching)) as figure:
        overlap(matching, figure.subplots(), names=names)
