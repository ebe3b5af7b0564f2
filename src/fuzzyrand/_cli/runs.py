"""The clusterings of a command that takes many: files, or the runs that a filemap lists."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .._base.errors import ParameterError
from .._base.wording import Option
from .names import distinct_names, short_names
from .windows import expanded

if TYPE_CHECKING:
    from .._files.filemaps import Run
    from .._files.readings import Reading


def add_files(parser: argparse.ArgumentParser) -> None:
    """Add the files, or a filemap in their place."""
    parser.add_argument("files", nargs="*", metavar="FILE", help="labels or memberships")
    parser.add_argument(
        "--filemap",
        metavar="FILE",
        help="read the files that a filemap of pong lists: lines of id, number of clusters, path",
    )


@dataclass(frozen=True)
class Sources:
    """The files of a command.

    Attributes
    ----------
    paths : list of str
        The files.
    runs : list of Run
        The lines of the filemap, one for each file; empty without a filemap.
    filemap : str, optional
        The filemap.
    columns : list of str
        The columns of a single file that are clusterings, if several were named.
    """

    paths: list[str]
    runs: list[Run]
    filemap: str | None
    columns: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, arguments: argparse.Namespace) -> Sources:
        """Return the files that were given, or those of the filemap."""
        if arguments.filemap is None:
            files = expanded(arguments.files)
            columns = max((arguments.labels, arguments.columns), key=len)
            if len(files) == 1 and len(columns) > 1:  # several clusterings in one file
                return cls(files * len(columns), [], None, list(columns))
            return cls(files, [], None)
        if arguments.files:
            raise ParameterError(
                "give files or {parameter}, not both.", parameter=Option("filemap", "FILE")
            )
        # Deferred: NumPy, which --help does not need.
        from .._files.filemaps import read_filemap

        runs = read_filemap(arguments.filemap, arguments.max_size)
        return cls([run.path for run in runs], runs, arguments.filemap)

    @property
    def inputs(self) -> list[str]:
        """All files that are read, which nothing may be written over."""
        return self.paths if self.filemap is None else [*self.paths, self.filemap]

    def path_of(self, reference: str) -> str:
        """Return the file of a reference, which may be the id of a run instead."""
        return next((run.path for run in self.runs if run.id == reference), reference)

    def names(self, extra: Sequence[str], readings: Sequence[Reading]) -> list[str]:
        """Return a name for each file, and for each extra one that was read after them."""
        if self.columns and len(set(self.columns)) == len(self.columns) and not extra:
            return list(self.columns)
        if self.runs:
            names = [run.id for run in self.runs] + short_names(extra)
        else:
            names = short_names([*self.paths, *extra])
        return distinct_names(names, readings)

    def require_clusters(self, readings: Sequence[Reading]) -> None:
        """Refuse a file with another number of clusters than the filemap says."""
        if self.filemap is None:
            return
        # Deferred: NumPy, which --help does not need.
        from .._files.filemaps import require_clusters

        for run, reading in zip(self.runs, readings, strict=False):  # a reference may follow
            require_clusters(run, reading.partition.k, self.filemap)
