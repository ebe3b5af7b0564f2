"""``fuzzyrand align FILES...``."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from .._base.errors import ParameterError
from .._base.wording import Option
from . import input_files, output, pictures
from .commands import Subparsers, add_command
from .relabelled import write_relabelled, write_shares
from .runs import Sources, add_files
from .voice import VOICE

if TYPE_CHECKING:
    from ..results import Alignment


#: Endings of files, which a directory does not have.
FILES = (".csv", ".tsv", ".txt", ".npy", ".npz", ".parquet", ".feather", ".json", ".gz")


def add(commands: Subparsers) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "align",
        run,
        notes=input_files.READING,
        examples=(
            "fuzzyrand align run1.csv run2.csv run3.csv --plot runs.png",
            "fuzzyrand align K2.Q K3.Q K4.Q --reference K3.Q --out aligned",
            "fuzzyrand align K2.Q K3.Q K4.Q --names a.fam --groups a.fam --plot bars.png",
            "fuzzyrand align --filemap pong_filemap --plot runs.png",
        ),
    )
    add_files(parser)
    parser.add_argument(
        "--reference",
        metavar="FILE",
        help="the file whose order the others follow, or the id of a run of the filemap (default: "
        "the one "
        "that overlaps most with the others)",
    )
    input_files.add_reading(parser, several=True, weights=True)
    group = output.add_output(parser, csv=False)
    group.add_argument(
        "--out",
        metavar="FOLDER",
        help="also write each clustering in the common order to a file in this folder",
    )
    group.add_argument(
        "--format",
        choices=("csv", "Q"),
        help="what --out writes: CSV (labels if a clustering is hard, else memberships), or "
        "memberships as ADMIXTURE writes them, without ids and header (default: Q if all files "
        "are .Q)",
    )
    pictures.add_plot(group, "the memberships of all points")
    group.add_argument(
        "--groups",
        metavar="FILE",
        help="draw the points of a group side by side: the populations of a .fam file (its first "
        "column), or a group a line; sorted within groups by the run with the most clusters",
    )


def run(arguments: argparse.Namespace) -> None:
    """Read, align, print."""
    # Deferred: NumPy, which --help does not need.
    from .._api.align import align

    sources = Sources.of(arguments)
    paths = sources.paths
    if len(paths) < 2:
        raise ParameterError("align needs at least two files.")
    reference = sources.path_of(arguments.reference)
    if reference is not None and reference not in (*paths, *sources.columns):
        raise ParameterError(
            "{parameter} is none of the files; give it among them, too.",
            parameter=Option("reference", arguments.reference),
        )
    if arguments.groups and not arguments.plot:
        raise ParameterError(
            "{parameter} is for the picture; add {plot}.",
            parameter=Option("groups"),
            plot=Option("plot"),
        )
    if arguments.format and not arguments.out:
        raise ParameterError(
            "{parameter} says what {out} writes; add it.",
            parameter=Option("format", arguments.format),
            out=Option("out"),
        )
    given = [arguments.groups] if arguments.groups else []
    inputs = [*sources.inputs, *arguments.names, *given]
    output.require_outputs(arguments, ["plot"], inputs)
    runs = sources.read(arguments)
    readings, names = list(runs.values()), list(runs)
    as_shares = arguments.format == "Q"
    if arguments.format is None:
        as_shares = all(Path(path).suffix == ".Q" for path in paths)
    targets = _targets(arguments.out, names, "Q" if as_shares else "csv")
    option = "format" if as_shares else "out"
    if targets and Path(arguments.out).is_dir():
        written = [(option, target) for target in targets]
        output.require_outputs(arguments, ["plot"], inputs, written)
    alignment = align(
        {name: reading.partition for name, reading in runs.items()},
        reference=sources.name_of(reference, names),
        weights=input_files.weights(readings),
        **input_files.points(arguments),
    )
    if targets:
        Path(arguments.out).mkdir(exist_ok=True)
        title = arguments.id[0] if arguments.id else ""
        for name, target in zip(names, targets, strict=True):
            own = sorted(alignment.order[name])  # columns of other runs would be clusters of zeros
            order = [own.index(column) for column in alignment.order[name]]
            labels = [alignment.names[column] for column in own]
            if as_shares:
                write_shares(target, alignment.partitions[name], order, labels)
            else:
                write_relabelled(target, alignment.partitions[name], order, labels, title)
    if arguments.plot:
        _plot(alignment, arguments.plot, _groups(arguments, alignment))
    if arguments.json:
        output.print_json(alignment.to_dict(), readings)
    else:
        print(alignment.text(output.terminal_width(), VOICE))


def _targets(folder: str | None, names: Sequence[str], ending: str) -> list[str]:
    """Return the files to write; none without a folder."""
    if folder is None:
        return []
    if not Path(folder).exists() and Path(folder).suffix.lower() in FILES:
        raise ParameterError(
            "{parameter} looks like a file; name a directory, in which each clustering gets a "
            "file.",
            parameter=Option("out", folder),
        )
    output.require_folder(folder)
    stems = [re.sub(r'[\\/*?"<>|]', "_", name.replace(":", "")) for name in names]
    if len(set(stems)) < len(stems):
        stems = [f"{number}-{stem}" for number, stem in enumerate(stems, start=1)]
    return [str(Path(folder) / f"{stem}.{ending}") for stem in stems]


def _groups(arguments: argparse.Namespace, alignment: Alignment) -> list[str] | None:
    """Return the group of each point, if a file has them."""
    if not arguments.groups:
        return None
    # Deferred: NumPy, which --help does not need.
    from .._clusterings.points.rows_of_points import ids_of_points
    from .._files.point_names import read_groups

    first, *_ = partitions = list(alignment.partitions.values())
    ids = ids_of_points(partitions)
    groups = read_groups(arguments.groups, arguments.max_size)
    count = first.n if ids is not None and groups.names is not None else first.n + first.left_out
    return groups.of_points(ids, count)


def _plot(alignment: Alignment, path: str, groups: list[str] | None) -> None:
    # Deferred: NumPy, which --help does not need.
    from ..plot import memberships
    from ..plot._memberships import memberships_size

    count = len(alignment.order)
    size = memberships_size(count, len(set(groups or ())))
    largest = max(alignment.order, key=lambda run: len(alignment.order[run]))
    with pictures.figure_in_file(path, size) as figure:
        memberships(
            alignment,
            figure.subplots(count, squeeze=False)[:, 0],
            groups=groups,
            order_by=None if groups is None else largest,
        )
