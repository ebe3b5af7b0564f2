"""``fuzzyrand match A B``."""

from __future__ import annotations

import argparse
import csv
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

from . import options, output

if TYPE_CHECKING:
    from ..results import Matching


def add(commands: options.Subparsers) -> None:
    """Add the command."""
    parser = options.command(
        commands,
        "match",
        run,
        "Match the clusters of two clusterings of the same points: which cluster is which?",
        notes=options.READING,
        examples=(
            "fuzzyrand match truth.csv found.csv",
            "fuzzyrand match run1.3.Q run2.3.Q --out run2-like-run1.csv",
            "fuzzyrand match truth.csv soft.parquet --id sample --labels species --json",
        ),
    )
    parser.add_argument("first", metavar="A", help="file with labels or memberships")
    parser.add_argument("second", metavar="B", help="another, of the same points")
    options.add_reading(parser, several=True)
    group = options.add_output(parser)
    group.add_argument(
        "--out",
        metavar="FILE",
        help="also write B with the order and names of A to this CSV file: labels if it is hard, "
        "else memberships",
    )


def run(arguments: argparse.Namespace) -> None:
    """Read, match, print."""
    # Deferred: NumPy, which --help does not need.
    from .._api.match import match
    from ..results import WIDTH

    paths = [arguments.first, arguments.second]
    output.require_writable("out", arguments.out, paths)
    first, second = readings = options.read(arguments, paths)
    matching = match(first.partition, second.partition, **options.noise(arguments))
    if arguments.out:
        header, rows = _relabelled(matching, arguments.id[0] if arguments.id else "")
        output.save(arguments.out, lambda path: _write(path, header, rows))
    if arguments.json:
        files = {"files": [reading.to_dict() for reading in readings]}
        output.print_json({**matching.to_dict(), **files})
    elif arguments.csv:
        output.print_csv(["a", "b", "overlap", "share_of_a", "share_of_b"], matching.rows)
    else:
        print(matching.text(get_terminal_size((WIDTH, 24)).columns))


def _relabelled(matching: Matching, title: str) -> tuple[list[str], list[list[Any]]]:
    """Return the second clustering with the order and names of the first, as a table.

    Parameters
    ----------
    matching : Matching
        The result.
    title : str
        Heading of the ids of the points, if they have any.
    """
    # Deferred: NumPy, which --help does not need.
    from .._matching.form import Form

    partition = matching.partitions[1]
    form = Form("array", not partition.is_hard)
    values = form.made(partition, matching.columns, matching.labels).tolist()
    header, rows = ["label"], [[value] for value in values]
    if form.matrix:
        header, rows = [str(label) for label in matching.labels], values
        header += ["noise"] * partition.noise_alone
    if partition.ids is None:
        return header, rows
    return [title, *header], [[key, *row] for key, row in zip(partition.ids, rows, strict=True)]


def _write(path: Path, header: list[str], rows: list[list[Any]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)
