"""Read memberships as STRUCTURE and CLUMPP write them.

STRUCTURE's output (``results_f``) contains them in a block among other results; CLUMPP's indfile
consists only of such lines. A line has a number, a label, the missing data in parentheses, a
population, a colon, and then the memberships; label and population may be absent::

      1    NA12878    (0)    1 :  0.997 0.003
      2    NA12891    (3)    1 :  0.120 0.880  (0.000,0.301) (0.699,1.000)
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from .._base.errors import InputError
from .file_table import FileTable

HEADING = "Inferred ancestry of individuals:"

_LINE = re.compile(
    r"""\s*(?P<number>\d+)
        (?:\s+(?P<label>\S+))?
        \s+\((?P<missing>[^()\s]*)\)
        (?:\s+(?P<population>\S+))?
        \s*:\s*(?P<memberships>.*)""",
    re.VERBOSE,
)


def read_ancestry(text: str, source: str) -> FileTable | None:
    """Read the memberships of STRUCTURE or CLUMPP, or return None for any other text."""
    block = text.find(HEADING)
    if block >= 0:
        again = text.find(HEADING, block + 1)
        if again >= 0:
            raise _second_run(text.count("\n", 0, again) + 1, source, "STRUCTURE results")
        before = text.count("\n", 0, block) + 1
        lines = text.split("\n")[before:]
        return _table(_block(lines, before + 1), source, "STRUCTURE results")
    first = next((line for line in text.split("\n", 20) if line.strip()), "")
    if _LINE.fullmatch(first) is None:
        return None
    return _table(enumerate(text.split("\n"), start=1), source, "CLUMPP or STRUCTURE indfile")


def _block(lines: list[str], start: int) -> Iterator[tuple[int, str]]:
    """Iterate over the lines below the heading and the column titles, up to a blank line."""
    begun = False
    for number, line in enumerate(lines, start=start):
        if _LINE.fullmatch(line):
            begun = True
        if begun and not line.strip():
            return
        if begun:
            yield number, line


def _table(lines: Iterator[tuple[int, str]], source: str, how: str) -> FileTable:
    places: list[int] = []
    labels: list[str] = []
    rows: list[list[float]] = []
    for line, text in lines:
        if not text.strip():
            continue
        parts = _LINE.fullmatch(text)
        values = None if parts is None else _memberships(parts["memberships"])
        if parts is None or not values:
            raise InputError(
                "line {line} of {source} ({how}) cannot be read: {value!r}. Expected a number, a "
                "label, (missing data), a population, a colon and the memberships.",
                line=line,
                source=source,
                how=how,
                value=text.strip()[:60],
            )
        if int(parts["number"]) == 1 and rows:
            raise _second_run(line, source, how)
        if rows and len(values) != len(rows[0]):
            raise InputError(
                "line {line} of {source} has {value} memberships where line {other} has {width}.",
                line=line,
                source=source,
                value=len(values),
                other=places[0],
                width=len(rows[0]),
            )
        places.append(line)
        labels.append(parts["label"] or parts["number"])
        rows.append(values)
    if not rows:
        raise InputError(
            "{source} has the heading {heading!r} and no individuals under it.",
            source=source,
            heading=HEADING,
        )
    columns = tuple(np.array(rows).T)
    names = tuple(str(number) for number in range(1, len(columns) + 1))
    return FileTable(
        source, names, columns, how, named=False, line=places.__getitem__, ids=tuple(labels)
    )


def _second_run(line: int, source: str, how: str) -> InputError:
    return InputError(
        "line {line} of {source} begins a second run ({how}). Give one run in each file.",
        line=line,
        source=source,
        how=how,
    )


def _memberships(text: str) -> list[float] | None:
    """Return the numbers before the first interval; None if anything else is there."""
    try:
        return [float(cell) for cell in text.partition("(")[0].split()]
    except ValueError:
        return None
