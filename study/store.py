"""A directory of results that stays valid if the program is killed at any moment.

``study.json`` holds the name and the options of the study, and ``cells.jsonl`` a line for each
finished cell. A line is written by a single system call and ends in a newline. If the program is
stopped, all lines but perhaps the last are complete, and an incomplete last line is dropped. All
other files are written under a temporary name and then renamed.
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
from fuzzyrand._files.whole_files import write_whole

from .extras import need

Record = dict[str, Any]

MANIFEST, CELLS = "study.json", "cells.jsonl"


class Store:
    """Results of a study in a directory, to be used in a ``with`` statement.

    Parameters
    ----------
    directory : path
        The directory; it is made if it does not exist.
    study : str
        Name of the study.
    options : mapping
        Options that the results depend on; a directory with other options is refused.
    key : sequence of str
        The fields of a record that identify its cell.
    """

    def __init__(
        self, directory: str | Path, study: str, options: Mapping[str, Any], key: tuple[str, ...]
    ) -> None:
        # Tables and figures come last. Missing dependencies are reported now, not after an hour.
        need("matplotlib", "pyarrow")
        self.directory: Path = Path(directory)
        self.key = key
        manifest = {"study": study, "options": json.loads(json.dumps(dict(options)))}
        self._claim(manifest)
        self._path = self.directory / CELLS
        self.records: dict[tuple[Any, ...], Record] = self._finished()
        self._file = self._path.open("ab", buffering=0)

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

    def key_of(self, record: Mapping[str, Any]) -> tuple[Any, ...]:
        """Return the values that identify a cell."""
        return tuple(record[name] for name in self.key)

    def append(self, record: Record) -> None:
        """Store a finished cell."""
        line = json.dumps(record, separators=(",", ":")) + "\n"
        with _named_in_errors(self._path):
            self._file.write(line.encode())
        self.records[self.key_of(record)] = record

    def table(self) -> list[Record]:
        """Return all records, sorted by their keys."""
        return [self.records[key] for key in sorted(self.records)]

    def path(self, name: str) -> Path:
        """Return the path of a file in the directory."""
        return self.directory / name

    def write(self, name: str, save: Callable[[Path], object]) -> Path:
        """Let ``save`` write a file, which is put in place only when it is complete."""
        with _named_in_errors(self.path(name)):
            return write_whole(self.path(name), save)

    def _claim(self, manifest: Record) -> None:
        """Make the directory, or check that it belongs to this study."""
        path = self.directory / MANIFEST
        if path.exists():
            existing = _manifest(path)
            if existing != manifest:
                raise fr.InputError(_refusal(self.directory, existing, manifest))
            return
        if self.directory.exists():
            if not self.directory.is_dir():
                raise fr.InputError(f"{self.directory} is a file; --out names a directory.")
            if any(not _is_leftover(entry) for entry in self.directory.iterdir()):
                raise fr.InputError(
                    f"{self.directory} is not empty and holds no study; choose another --out."
                )
        with _named_in_errors(self.directory):
            self.directory.mkdir(parents=True, exist_ok=True)
            text = json.dumps(manifest, indent=1) + "\n"
            write_whole(path, lambda to: to.write_text(text, encoding="utf-8"))

    def _finished(self) -> dict[tuple[Any, ...], Record]:
        """Return the cells in the file, without an incomplete last line."""
        if not self._path.exists():
            return {}
        if not self._path.is_file():
            raise fr.InputError(f"{self._path} is not a regular file; choose another --out.")
        content = self._path.read_bytes()
        whole = content.rfind(b"\n") + 1
        records: dict[tuple[Any, ...], Record] = {}
        for number, line in enumerate(content[:whole].split(b"\n")[:-1], start=1):
            try:
                record = json.loads(line)
                records[self.key_of(record)] = record
            except (ValueError, TypeError, KeyError, RecursionError):
                raise fr.InputError(
                    f"line {number} of {self._path} is damaged; remove the line to have that cell "
                    "again, or choose another --out."
                ) from None
        if whole < len(content):
            os.truncate(self._path, whole)
        return records


@contextmanager
def _named_in_errors(path: Path) -> Iterator[None]:
    """Name the path in errors of the system, which do not always contain it."""
    try:
        yield
    except OSError as error:
        raise fr.InputError(f"{path} cannot be written: {error.strerror or error}.") from error


def _is_leftover(entry: Path) -> bool:
    """Return whether a file may be left over from a run that was killed at its start."""
    return entry.name.startswith(".study.")


def _manifest(path: Path) -> Record:
    try:
        manifest = json.loads(path.read_text("utf-8"))
        return {"study": manifest["study"], "options": manifest["options"]}
    except (ValueError, KeyError, TypeError):
        raise fr.InputError(f"{path} does not describe a study; choose another --out.") from None


def _refusal(directory: Path, existing: Record, wanted: Record) -> str:
    if existing["study"] != wanted["study"]:
        return (
            f"{directory} holds results of the study {existing['study']!r}, not of "
            f"{wanted['study']!r}; choose another --out."
        )
    theirs, ours = existing["options"], wanted["options"]
    changed = sorted(
        name for name in {*theirs, *ours} if theirs.get(name, None) != ours.get(name, None)
    )
    return (
        f"{directory} holds a {existing['study']} study with other options "
        f"({', '.join(f'{name} {theirs.get(name)!r}, now {ours.get(name)!r}' for name in changed)})"
        "; choose another --out, or the same options to go on."
    )
