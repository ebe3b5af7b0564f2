"""Lines before a table in text: comments, and the delimiter that Excel writes."""

from __future__ import annotations

import re
from typing import NamedTuple

_COMMENTS = re.compile(r"(?:[ \t]*\n)*((?:#.*\n)+)")
_DELIMITER = re.compile(r'"?sep=(.)"?(?=\n)', re.IGNORECASE)


class Preamble(NamedTuple):
    """A text without the lines before its table.

    Attributes
    ----------
    text : str
        The text with these lines left blank, so that other lines keep their numbers.
    delimiter : str, optional
        The delimiter that the first line gives.
    names : str, optional
        The last of the comments, which may hold the names of the columns.
    """

    text: str
    delimiter: str | None = None
    names: str | None = None

    def with_names(self) -> str:
        """Return the text with the last of the comments as its first row."""
        table = self.text.lstrip("\n")
        above = len(self.text) - len(table)
        return "\n" * (above - 1) + f"{self.names}\n{table}"


def without_preamble(text: str) -> Preamble:
    """Leave out lines at the beginning that start with ``#``, and Excel's ``sep=;``.

    If lines further down start with ``#``, too, these are labels, such as colours.
    """
    told = _DELIMITER.match(text)
    if told is not None:
        return Preamble(text[told.end() :], told[1])
    comments = _COMMENTS.match(text)
    if comments is None or text.find("\n#", comments.end() - 1) >= 0:
        return Preamble(text)
    above = "\n" * text.count("\n", 0, comments.end())
    names = comments[1].splitlines()[-1].lstrip("# ")
    return Preamble(above + text[comments.end() :], names=names)
