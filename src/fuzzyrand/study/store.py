"""A directory of results that survives a kill at any moment.

``study.json`` says which study the directory holds and with which options; ``cells.jsonl`` gets
one line a finished cell. A line is written by one system call and ends in a newline, so whatever
stops the program, every line but perhaps the last is whole, and a torn last line is dropped.
Everything else is written to the side and renamed into place.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any

import fuzzyrand as fr

from .._io.whole_files import write_whole
from .extras import need

Record = dict[str, Any]

MANIFEST, CELLS = "study.json", "cells.jsonl"


class Store:
    """Results of one study in one directory, to be used in a ``with`` statement.

    Parameters
    ----------
    directory : path
        Made if it does not exist.
    study : str
        Name of the study.
    options : mapping
        What its results depend on; a directory with other options is refused.
    key : sequence of str
        The fields of a record that tell cells apart.
    """

    def __init__(
        self, directory: str | Path, study: str, options: Mapping[str, Any], key: tuple[str, ...]
    ) -> None:
        # Every study ends in tables and figures; what they need is missed now, not after an hour.
        need("matplotlib", "pyarrow")
        self.directory, self.key = Path(directory), key
        manifest = {"study": study, "options": json.loads(json.dumps(dict(options)))}
        self._claim(manifest)
        self._path = self.directory / CELLS
        self.records = {self.key_of(record): record for record in self._whole_lines()}
        self._file = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        os.close(self._file)

    def key_of(self, record: Mapping[str, Any]) -> tuple[Any, ...]:
        """What tells this cell from the others."""
        return tuple(record[name] for name in self.key)

    def append(self, record: Record) -> None:
        """Keep a finished cell."""
        line = json.dumps(record, separators=(",", ":")) + "\n"
        with _told(self._path):
            os.write(self._file, line.encode())
        self.records[self.key_of(record)] = record

    def table(self) -> list[Record]:
        """All records, in the order of their keys whatever order they came in."""
        return [self.records[key] for key in sorted(self.records)]

    def path(self, name: str) -> Path:
        """A file of the directory."""
        return self.directory / name

    def write(self, name: str, save: Callable[[Path], object]) -> Path:
        """Let ``save`` write a whole file, and put it in place only when it is whole."""
        with _told(self.path(name)):
            return write_whole(self.path(name), save)

    def _claim(self, manifest: Record) -> None:
        """Make the directory ours, or find that it is, or refuse."""
        path = self.directory / MANIFEST
        if path.exists():
            found = _manifest(path)
            if found != manifest:
                raise fr.InputError(_refusal(self.directory, found, manifest))
            return
        if self.directory.exists():
            if not self.directory.is_dir():
                raise fr.InputError(f"{self.directory} is a file; --out names a directory.")
            if any(not _is_leftover(entry) for entry in self.directory.iterdir()):
                raise fr.InputError(
                    f"{self.directory} is not empty and holds no study; choose another --out."
                )
        with _told(self.directory):
            self.directory.mkdir(parents=True, exist_ok=True)
            write_whole(path, lambda to: to.write_text(json.dumps(manifest, indent=1) + "\n"))

    def _whole_lines(self) -> list[Record]:
        if not self._path.exists():
            return []
        content = self._path.read_bytes()
        whole = content.rfind(b"\n") + 1
        if whole < len(content):
            os.truncate(self._path, whole)
        return [json.loads(line) for line in content[:whole].splitlines()]


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Say what could not be written: errors of the system do not always know."""
    try:
        yield
    except OSError as error:
        raise fr.InputError(f"{path} cannot be written: {error.strerror or error}.") from error


def _is_leftover(entry: Path) -> bool:
    """A file that a run killed before it had begun may have left."""
    return entry.name.startswith(".study.")


def _manifest(path: Path) -> Record:
    try:
        found = json.loads(path.read_text())
        return {"study": found["study"], "options": found["options"]}
    except (ValueError, KeyError, TypeError):
        raise fr.InputError(f"{path} does not describe a study; choose another --out.") from None


def _refusal(directory: Path, found: Record, wanted: Record) -> str:
    if found["study"] != wanted["study"]:
        return (
            f"{directory} holds results of the study {found['study']!r}, not of "
            f"{wanted['study']!r}; choose another --out."
        )
    theirs, ours = found["options"], wanted["options"]
    changed = sorted(
        name for name in {*theirs, *ours} if theirs.get(name, None) != ours.get(name, None)
    )
    return (
        f"{directory} holds a {found['study']} study with other options "
        f"({', '.join(f'{name} {theirs.get(name)!r}, now {ours.get(name)!r}' for name in changed)})"
        "; choose another --out, or the same options to go on."
    )
