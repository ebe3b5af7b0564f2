"""What commands call the clusterings that they read: by file, and by column where needed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .._io.readings import Reading


def distinct_names(names: Sequence[str], readings: Sequence[Reading]) -> list[str]:
    """Tell clusterings of the same name apart: by their columns, else by numbers from 1."""
    count = Counter(names)
    told = [
        f"{name}: {_columns(reading.columns)}" if count[name] > 1 else name
        for name, reading in zip(names, readings, strict=True)
    ]
    if len(set(told)) == len(told):
        return told
    return [f"{name} ({number})" for number, name in enumerate(told, start=1)]


def _columns(columns: Sequence[str]) -> str:
    """Columns in few words; those without a name have numbers."""
    told = ", ".join(columns) if len(columns) < 3 else f"{columns[0]} to {columns[-1]}"
    plural = "s" * (len(columns) > 1)
    return f"column{plural} {told}" if columns[0].isdecimal() else told
