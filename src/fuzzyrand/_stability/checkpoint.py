"""A file of finished repeats that stays valid if the program is killed at any moment.

The first line holds the settings, and every further line a finished value. A line is written by a
single system call and ends in a newline, so only the last can be incomplete; it is then dropped.
"""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any

from .._base.errors import InputError, ParameterError
from .._base.wording import Option
from .tasks import DATA, Task

KIND = "fuzzyrand stability"
#: No adjusted index is above 1, but for rounding where chance agrees almost perfectly.
HIGHEST = 2.0


class Checkpoint:
    """Finished values in a file, to be used in a ``with`` statement.

    Parameters
    ----------
    path : path
        The file; it is made if it does not exist.
    settings : mapping
        What the values depend on. A file made with other settings is refused.
    """

    def __init__(self, path: str | os.PathLike[str], settings: Mapping[str, Any]) -> None:
        self.path = Path(path)
        self.values: dict[Task, float] = {}
        wanted = {"kind": KIND, **json.loads(json.dumps(dict(settings)))}
        with self._named_in_errors():
            content = self._content()
            whole = content.rfind(b"\n") + 1
            first, *finished = content[:whole].split(b"\n")[:-1] or [b""]
            if whole:
                self._require_same(first, wanted)
                for number, line in enumerate(finished, start=2):
                    self._restore(line, number)
            if whole < len(content):
                os.truncate(self.path, whole)
            self._file = self.path.open("ab", buffering=0)
        if not whole:
            self._write(wanted)

    def __enter__(self) -> Checkpoint:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

    def add(self, task: Task, value: float) -> None:
        """Keep a finished value."""
        self.values[task] = value
        self._write([task.k, task.dataset, task.repeat, None if math.isnan(value) else value])

    def _write(self, record: Any) -> None:
        with self._named_in_errors():
            self._file.write((json.dumps(record, separators=(",", ":")) + "\n").encode())

    def _content(self) -> bytes:
        if not self.path.exists():
            return b""
        if not self.path.is_file():
            raise self._refusal("is not a regular file")
        content = self.path.read_bytes()
        beginning = json.dumps({"kind": KIND}, separators=(",", ":"))[:-1].encode()
        if not beginning.startswith(content[: len(beginning)]):
            raise self._refusal("does not hold finished repeats of stability()")
        return content

    def _require_same(self, line: bytes, wanted: Mapping[str, Any]) -> None:
        there = _parsed(line)
        if not isinstance(there, dict):
            raise self._refusal("is damaged: its first line does not hold settings")
        changed = [name for name in {**there, **wanted} if there.get(name) != wanted.get(name)]
        if changed:
            listed = ", ".join(
                name
                if name in ("data", "groups")
                else f"{name} {there.get(name)!r}, now {wanted.get(name)!r}"
                for name in changed
            )
            raise self._refusal(f"was made with other settings ({listed})")

    def _restore(self, line: bytes, number: int) -> None:
        """Take a value from a line, or refuse a line that no run has written."""
        record = _parsed(line)
        if not _is_record(record):
            raise InputError(
                "line {number} of {path} is damaged: {line!r}. Expected [k, data set, repeat, "
                "value], where the value is at most 1. Remove the line to have that repeat again, "
                "or the file to begin again.",
                number=number,
                path=self.path,
                line=line[:60].decode("utf-8", "replace"),
            )
        *place, value = record
        task, value = Task(*place), math.nan if value is None else float(value)
        known = self.values.setdefault(task, value)
        if known != value and not (math.isnan(known) and math.isnan(value)):
            raise InputError(
                "line {number} of {path} has another value for the same repeat than a line above "
                "it ({value} and {known}). Remove the wrong line, or the file to begin again.",
                number=number,
                path=self.path,
                value=value,
                known=known,
            )

    def _refusal(self, why: str) -> ParameterError:
        return ParameterError(
            "{path} {why}. Choose another {parameter}, or remove the file to begin again.",
            path=self.path,
            why=why,
            parameter=Option("checkpoint"),
        )

    @contextmanager
    def _named_in_errors(self) -> Iterator[None]:
        """Name the path in errors of the system, which do not always contain it."""
        try:
            yield
        except OSError as error:
            reason = error.strerror or error
            raise InputError(f"{self.path} cannot be written or read: {reason}.") from error


def _parsed(line: bytes) -> Any:
    """Return what a line of JSON holds; None if it is damaged."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _is_record(record: Any) -> bool:
    """Return whether this is a repeat and its value, which is a number or missing."""
    if not isinstance(record, list) or len(record) != 4:
        return False
    *place, value = record
    if not all(type(number) is int for number in place):
        return False
    k, dataset, repeat = place
    if k < 1 or dataset < DATA or repeat < 0:
        return False
    return value is None or (
        type(value) in (int, float) and -sys.float_info.max <= value <= HIGHEST
    )
