"""A file of finished repeats that stays valid if the program is killed at any moment.

The first line holds the settings, and every further line a finished repeat, or the sizes of the
clusters of all rows. A line is written by a single system call and ends in a newline, so only the
last can be incomplete; it is then dropped.
"""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

from ..._base.errors import InputError, ParameterError
from ..._base.jsonable import jsonable
from ..._base.parameters import Value
from ..._base.types import FloatArray
from ..._base.wording import Option
from .tasks import DATA, DECIMALS, Finished, Task

KIND = "fuzzyrand stability"
#: No adjusted index is above 1, but for rounding where chance agrees almost perfectly.
HIGHEST = 2.0
#: Largest number that a file holds.
LARGEST = sys.float_info.max
#: In place of a data set: the line has the sizes of the clusters of all rows.
ALL = -2
#: Largest difference of a size, as a share of all points, that another machine may make.
SAME = 1e-3


class Checkpoint:
    """Finished repeats in a file, to be used in a ``with`` statement.

    Parameters
    ----------
    path : path
        The file; it is made if it does not exist.
    settings : mapping
        What the repeats depend on. A file made with other settings is refused.
    """

    def __init__(self, path: str | os.PathLike[str], settings: Mapping[str, Any]) -> None:
        self.path = Path(path)
        self.finished: dict[Task, Finished] = {}
        self.sizes: dict[Value, list[float]] = {}
        self._lines: dict[Task, bytes] = {}
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
            self._lines.clear()
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

    def add(self, task: Task, finished: Finished) -> None:
        """Keep a finished repeat, in the file only."""
        details = [finished.counts, finished.found, finished.chance, finished.points]
        record = [*task, finished.score, *(details if task.dataset == DATA else [])]
        self._write(jsonable(record))

    def confirm(self, value: Value, sizes: FloatArray) -> None:
        """Keep the sizes of the clusters of all rows, or refuse a file in which they differ."""
        known = self.sizes.get(value)
        if known is None:
            self._write([value, ALL, 0, np.round(sizes, DECIMALS).tolist()])
        elif len(known) != sizes.size or not np.allclose(known, sizes, atol=SAME * sizes.sum()):
            raise InputError(
                "{path} was made with another clustering of all rows for {value}: clusters of "
                "{there} points, now {here}. The method must give the same clustering when it is "
                "called again, so fix its random state; and remove the file to begin again.",
                path=self.path,
                value=value,
                there=_shown(known),
                here=_shown(sizes.tolist()),
            )

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
        """Take a repeat from a line, or refuse a line that no run has written."""
        record = _parsed(line)
        kind = _kind_of(record)
        if not kind:
            raise InputError(
                "line {number} of {path} is damaged: {line!r}. Expected [value, data set, repeat, "
                "adjusted index, ...], where the index is at most 1. Remove the line to have that "
                "repeat again, or the file to begin again.",
                number=number,
                path=self.path,
                line=line[:60].decode("utf-8", "replace"),
            )
        value, dataset, repeat, score, *details = record
        task = Task(value, dataset, repeat)
        known = self._lines.setdefault(task, line)
        if known != line and _parsed(known) != record:
            raise InputError(
                "line {number} of {path} has another value for the same repeat than a line above "
                "it ({score} and {known}). Remove the wrong line, or the file to begin again.",
                number=number,
                path=self.path,
                score=score,
                known=_parsed(known)[3],
            )
        if kind == "sizes":
            self.sizes[value] = score
        elif dataset != DATA:
            self.finished[task] = Finished(_number(score))
        else:
            counts, found, chance, points = details
            self.finished[task] = Finished(
                _number(score),
                tuple(counts),
                tuple(tuple(map(_number, row)) for row in found),
                tuple(tuple(map(_number, row)) for row in chance),
                np.array(points, dtype=np.float64),
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


def _kind_of(record: Any) -> str:
    """Return whether this is a "repeat" or "sizes"; an empty text if it is neither."""
    if not isinstance(record, list) or len(record) < 4:
        return ""
    value, dataset, repeat, score, *details = record
    if type(value) not in (int, float, str) or (type(value) is float and not math.isfinite(value)):
        return ""
    if type(dataset) is not int or type(repeat) is not int or dataset < ALL or repeat < 0:
        return ""
    if dataset == ALL:
        return "sizes" if not details and _are_numbers(score, 0.0, LARGEST) else ""
    if not _is_number(score, -LARGEST, HIGHEST):
        return ""
    if dataset != DATA:
        return "repeat" if not details else ""
    return "repeat" if len(details) == 4 and _are_details(*details) else ""


def _are_details(counts: Any, found: Any, chance: Any, points: Any) -> bool:
    """Return whether these are numbers of clusters, similarities in both subsamples, and scores."""
    sides = [found, chance]
    if not all(isinstance(side, list) and len(side) == 2 for side in [counts, *sides]):
        return False
    rows = [row for side in sides for row in side]
    return (
        all(type(count) is int and count >= 0 for count in counts)
        and all(_are_numbers(row, 0.0, 1.0) for row in rows)
        and len({len(row) for row in rows}) == 1
        and _are_numbers(points, -LARGEST, HIGHEST)
    )


def _are_numbers(row: Any, low: float, high: float) -> bool:
    return isinstance(row, list) and all(_is_number(number, low, high) for number in row)


def _is_number(number: Any, low: float, high: float) -> bool:
    """Return whether this is a number within limits, or missing."""
    return number is None or (type(number) in (int, float) and low <= number <= high)


def _number(number: float | None) -> float:
    return math.nan if number is None else float(number)


def _shown(sizes: Sequence[float]) -> str:
    listed = ", ".join(f"{size:.6g}" for size in sizes[:8])
    return f"{listed}, ..." if len(sizes) > 8 else listed
