"""Names of clusterings, and the files of a command that takes many, which a filemap may list."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from .._base.errors import ParameterError
from .._base.wording import Option
from . import input_files
from .windows import expand_patterns

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
    runs: list[Run] = field(default_factory=list)
    filemap: str | None = None
    columns: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, arguments: argparse.Namespace) -> Sources:
        """Return the files that were given, or those of the filemap."""
        if arguments.filemap is None:
            files = expand_patterns(arguments.files)
            columns = max((arguments.labels, arguments.columns), key=len)
            if len(files) == 1 and len(columns) > 1:  # several clusterings in one file
                return cls(files * len(columns), columns=list(columns))
            return cls(files)
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

    def path_of(self, reference: str | None) -> str | None:
        """Return the file of a reference, which may be the id of a run instead."""
        return next((run.path for run in self.runs if run.id == reference), reference)

    def read(
        self, arguments: argparse.Namespace, extra: Sequence[str] = (), *, same_points: bool = True
    ) -> dict[str, Reading]:
        """Read the files, and extra ones after them, and give each clustering a name."""
        paths = [*self.paths, *extra]
        readings = input_files.read(arguments, paths, same_points=same_points)
        if self.filemap is not None:
            # Deferred: NumPy, which --help does not need.
            from .._files.filemaps import require_clusters

            for run, reading in zip(self.runs, readings, strict=False):  # extra ones may follow
                require_clusters(run, reading.partition.k, self.filemap)
        return dict(zip(self._names(extra, readings), readings, strict=True))

    def _names(self, extra: Sequence[str], readings: Sequence[Reading]) -> list[str]:
        if self.columns and len(set(self.columns)) == len(self.columns) and not extra:
            return list(self.columns)
        if self.runs:
            names = [run.id for run in self.runs] + _short_names(extra)
        else:
            names = _short_names([*self.paths, *extra])
        return distinct_names(names, readings)

    def name_of(self, path: str | None, names: Sequence[str]) -> str | None:
        """Return the name of a file, or of one of the columns."""
        if path is None or path in self.columns:
            return path
        return names[self.paths.index(path)]


def distinct_names(names: Sequence[str], readings: Sequence[Reading]) -> list[str]:
    """Distinguish clusterings of the same name by their columns, else by numbers from 1."""
    count = Counter(names)
    longer = [
        f"{name}: {_columns(reading.columns)}" if count[name] > 1 else name
        for name, reading in zip(names, readings, strict=True)
    ]
    if len(set(longer)) == len(longer):
        return longer
    return [f"{name} ({number})" for number, name in enumerate(longer, start=1)]


def names_of_pair(readings: Sequence[Reading]) -> tuple[str, str]:
    """Return different names for two clusterings."""
    first, second = distinct_names([reading.source for reading in readings], readings)
    return first, second


def _columns(columns: Sequence[str]) -> str:
    """Write columns in a few words; those without a name have numbers."""
    short = ", ".join(columns) if len(columns) < 3 else f"{columns[0]} to {columns[-1]}"
    plural = "s" * (len(columns) > 1)
    return f"column{plural} {short}" if columns[0].isdecimal() else short


def _short_names(paths: Sequence[str]) -> list[str]:
    """Return file names without folder and extension, or full paths if two would be the same."""
    short = ["standard input" if path == "-" else Path(path).stem for path in paths]
    return short if len(set(short)) == len(set(paths)) else list(paths)
