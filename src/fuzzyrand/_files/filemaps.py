"""Read filemaps of pong: lists of runs with an id, a number of clusters and a path for each."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from .._base.errors import InputError
from .opening import called
from .text_decoding import read_decoded


@dataclass(frozen=True)
class Run:
    """A line of a filemap.

    Attributes
    ----------
    id : str
        Name of the run.
    k : int
        Its number of clusters.
    path : str
        Path of its file with memberships; relative paths start at the folder of the filemap.
    line : int
        Line of the filemap, counted from 1.
    """

    id: str
    k: int
    path: str
    line: int


def read_filemap(path: str, max_size: int | None = None) -> list[Run]:
    """Read a filemap: lines of id, number of clusters and path, separated by tabs."""
    source = called(path)
    text = read_decoded(path, max_size)
    runs: list[Run] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = [cell.strip() for cell in line.split("\t")]
        if len(cells) != 3:
            cells = line.split()
        if len(cells) != 3 or not cells[1].isdecimal():
            raise InputError(
                "line {line} of {source} is {value!r}; expected an id, a number of clusters and "
                "the path of a file, separated by tabs.",
                line=number,
                source=source,
                value=line.strip()[:80],
            )
        runs.append(Run(cells[0], int(cells[1]), str(Path(path).parent / cells[2]), number))
    _refuse_repeated(runs, source)
    if not runs:
        raise InputError("{source} names no runs.", source=source)
    return runs


def require_clusters(run: Run, k: int, source: str) -> None:
    """Refuse a file with a number of clusters that differs from the filemap."""
    if run.k != k:
        raise InputError(
            "line {line} of {source} says that {path} has {expected} clusters, but it has {value}.",
            line=run.line,
            source=called(source),
            path=run.path,
            expected=run.k,
            value=k,
        )


def _refuse_repeated(runs: list[Run], source: str) -> None:
    first: dict[str, int] = {}
    for run in runs:
        if run.id in first:
            raise InputError(
                "line {line} of {source} has the same id as line {other}, {value!r}. Every run "
                "needs its own id.",
                line=run.line,
                source=source,
                value=run.id,
                other=first[run.id],
            )
        first[run.id] = run.line
