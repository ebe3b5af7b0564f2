"""Text that a spreadsheet would run as a formula: written with an apostrophe, read without it."""

from __future__ import annotations

import re
from collections.abc import Iterable

#: First characters of text that a spreadsheet takes for a formula, and numbers that have them, too.
FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
NUMBER = re.compile(r"[+-](\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def is_formula(cell: str) -> bool:
    """Return whether a spreadsheet would take a text for a formula; ``-1`` is a number."""
    return cell.startswith(FORMULAS) and not NUMBER.fullmatch(cell)


def escape(cell: str) -> str:
    """Return a text that is no formula, with an apostrophe before it where one is needed.

    Text that looks as if it had been escaped gets a further apostrophe, so that all texts can be
    told apart and read back.
    """
    return f"'{cell}" if is_formula(cell) or is_escaped(cell) else cell


def is_escaped(cell: str) -> bool:
    """Return whether a text looks like a result of :func:`escape`."""
    return cell.startswith("'") and cell.lstrip("'").startswith(FORMULAS)


def are_escaped(cells: Iterable[str]) -> bool:
    """Return whether the texts of a column were escaped: some are, and none lacks it."""
    found = False
    for cell in cells:
        if is_formula(cell):
            return False
        found = found or is_escaped(cell)
    return found


def unescape(cell: str) -> str:
    """Undo :func:`escape`."""
    return cell[1:] if is_escaped(cell) else cell
