"""``fuzzyrand align FILES...``."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING

from .._base.errors import InputError, ParameterError
from .._base.wording import Option
from . import options, output, pictures
from .relabelled import write_relabelled
from .runs import Sources, add_files
from .voice import VOICE

if TYPE_CHECKING:
    from ..results import Alignment


#: Endings of files, which a directory does not have.
FILES = (".csv", ".tsv", ".txt", ".npy", ".npz", ".parquet", ".feather", ".json", ".gz")


def add(commands: options.Subparsers) -> None:
    """Add the command."""
    parser = options.command(
        commands,
        "align",
        run,
        "Bring the clusters of many clusterings of the same points into a common order.",
        notes=options.READING,
        examples=(
            "fuzzyrand align run1.csv run2.csv run3.csv --plot runs.png",
            "fuzzyrand align K2.Q K3.Q K4.Q --reference K3.Q --out aligned",
            "fuzzyrand align --filemap pong_filemap --plot runs.png",
        ),
    )
    add_files(parser)
    parser.add_argument(
        "--reference",
        metavar="FILE",
        help="the file whose order the others follow, or the id of a run of the filemap (the one "
        "that overlaps most with the others)",
    )
    options.add_reading(parser, several=True)
    group = options.add_output(parser, csv=False)
    group.add_argument(
        "--out",
        metavar="FOLDER",
        help="also write each clustering in the common order to a CSV file in this folder: labels "
        "if it is hard, else memberships",
    )
    pictures.add_plot(group, "the memberships of all points")


def run(arguments: argparse.Namespace) -> None:
    """Read, align, print."""
    # Deferred: NumPy, which --help does not need.
    from .._api.align import align
    from ..results import WIDTH

    sources = Sources.of(arguments)
    paths = sources.paths
    if len(paths) < 2:
        raise ParameterError("align needs at least two files.")
    reference = None if arguments.reference is None else sources.path_of(arguments.reference)
    if reference is not None and reference not in (*paths, *sources.columns):
        raise ParameterError(
            "{parameter} is none of the files; give it among them, too.",
            parameter=Option("reference", arguments.reference),
        )
    inputs = [*sources.inputs, *arguments.names]
    output.require_outputs([("plot", arguments.plot)], inputs)
    readings = options.read(arguments, paths)
    sources.require_clusters(readings)
    names = sources.names((), readings)
    targets = _targets(arguments.out, names)
    if targets and Path(arguments.out).is_dir():
        written = [("plot", arguments.plot), *(("out", target) for target in targets)]
        output.require_outputs(written, inputs)
    alignment = align(
        {name: reading.partition for name, reading in zip(names, readings, strict=True)},
        reference=None
        if reference is None
        else reference
        if reference in sources.columns
        else names[paths.index(reference)],
        **options.points(arguments),
    )
    if targets:
        Path(arguments.out).mkdir(exist_ok=True)
        title = arguments.id[0] if arguments.id else ""
        for name, target in zip(names, targets, strict=True):
            own = sorted(alignment.order[name])  # columns of other runs would be clusters of zeros
            order = [own.index(column) for column in alignment.order[name]]
            labels = [alignment.names[column] for column in own]
            write_relabelled(target, alignment.partitions[name], order, labels, title)
    if arguments.plot:
        _plot(alignment, arguments.plot)
    if arguments.json:
        files = {"files": [reading.to_dict() for reading in readings]}
        output.print_json({**alignment.to_dict(), **files})
    else:
        print(alignment.text(get_terminal_size((WIDTH, 24)).columns, VOICE))


def _targets(folder: str | None, names: Sequence[str]) -> list[str]:
    """Return the files to write; none without a folder."""
    if folder is None:
        return []
    if Path(folder).exists() and not Path(folder).is_dir():
        raise InputError("{path} is not a directory; name one to write to.", path=folder)
    if not Path(folder).exists() and Path(folder).suffix.lower() in FILES:
        raise ParameterError(
            "{parameter} looks like a file; name a directory, in which each clustering gets a CSV "
            "file.",
            parameter=Option("out", folder),
        )
    if not Path(folder).absolute().parent.is_dir():
        raise InputError(
            "{path} cannot be created: there is no directory {folder}.",
            path=folder,
            folder=Path(folder).parent,
        )
    stems = [re.sub(r'[\\/*?"<>|]', "_", name.replace(":", "")) for name in names]
    if len(set(stems)) < len(stems):
        stems = [f"{number}-{stem}" for number, stem in enumerate(stems, start=1)]
    return [str(Path(folder) / f"{stem}.csv") for stem in stems]


def _plot(alignment: Alignment, path: str) -> None:
    # Deferred: NumPy, which --help does not need.
    from ..plot import memberships
    from ..plot._memberships import memberships_size

    count = len(alignment.order)
    figure = pictures.new_figure(memberships_size(count))
    memberships(alignment, figure.subplots(count, squeeze=False)[:, 0])
    pictures.save_figure(figure, path)
