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
    with_names : str, optional
        The text with the last of the comments as its first row, since it may hold the names.
    """

    text: str
    delimiter: str | None = None
    with_names: str | None = None


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
    *_, last = comments[1].splitlines()
    before = "\n" * (text.count("\n", 0, comments.end()) - 1)
    rest = text[comments.end() :]
    return Preamble(f"{before}\n{rest}", with_names=f"{before}{last.lstrip('# ')}\n{rest}")
