"""Names of the clusterings that commands read: the file, and the column where needed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .._files.readings import Reading


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


def _columns(columns: Sequence[str]) -> str:
    """Write columns in a few words; those without a name have numbers."""
    short = ", ".join(columns) if len(columns) < 3 else f"{columns[0]} to {columns[-1]}"
    plural = "s" * (len(columns) > 1)
    return f"column{plural} {short}" if columns[0].isdecimal() else short


def short_names(paths: Sequence[str]) -> list[str]:
    """Return file names without folder and extension, or full paths if two would be the same."""
    short = ["standard input" if path == "-" else Path(path).stem for path in paths]
    return short if len(set(short)) == len(set(paths)) else list(paths)
