"""A file of finished repeats that stays valid if the program is killed at any moment.

The first line holds the settings, and every further line a finished value. A line is written by a
single system call and ends in a newline, so only the last can be incomplete; it is then dropped.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any

from .._base.errors import InputError, ParameterError
from .._base.wording import Option
from .tasks import Task

KIND = "fuzzyrand stability"


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
            whole = self._whole_lines()
            if whole:
                self._require_same(whole[0], wanted)
                for line in whole[1:]:
                    k, dataset, repeat, value = json.loads(line)
                    self.values[Task(k, dataset, repeat)] = math.nan if value is None else value
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

    def _whole_lines(self) -> list[bytes]:
        if not self.path.exists():
            return []
        content = self.path.read_bytes()
        whole = content.rfind(b"\n") + 1
        beginning = json.dumps({"kind": KIND}, separators=(",", ":"))[:-1].encode()
        if not beginning.startswith(content[: len(beginning)]):
            raise self._refusal("does not hold finished repeats of stability()")
        if whole < len(content):
            os.truncate(self.path, whole)
        return content[:whole].splitlines()

    def _require_same(self, line: bytes, wanted: Mapping[str, Any]) -> None:
        there = json.loads(line)
        changed = [name for name in {**there, **wanted} if there.get(name) != wanted.get(name)]
        if changed:
            listed = ", ".join(
                name
                if name in ("data", "groups")
                else f"{name} {there.get(name)!r}, now {wanted.get(name)!r}"
                for name in changed
            )
            raise self._refusal(f"was made with other settings ({listed})")

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
