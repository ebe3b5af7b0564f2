"""Texts in plots: how wide they are, and how they are cut or broken to fit."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import Any

from .._base.naming import abbreviate, shorten
from ._charts.axes import LABEL_WIDTH

#: Font sizes of legends and names, and of many names; the words are Matplotlib's.
SMALL, TINY = "small", "x-small"
#: Shortest name that is cut further, in characters.
LEAST = 8
#: Distance of lines of text, in font sizes.
LINE = 1.3


def plain(text: str) -> str:
    """Escape dollar signs, which Matplotlib would read as mathematics."""
    return text.replace("$", r"\$")


def short(text: str) -> str:
    """Shorten a name so that it fits on an axis."""
    return plain(shorten(text, LABEL_WIDTH))


def points_of(size: str | float | None = None) -> float:
    """Return a font size in points."""
    from matplotlib.font_manager import FontProperties

    return float(FontProperties(size=size).get_size_in_points())


def text_width(text: str, size: str | float | None = None) -> float:
    """Return the width of a text, that of its longest line, in points."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(size=size)
    return max(
        float(text_to_path.get_text_width_height_descent(line, font, ismath=False)[0])
        for line in text.split("\n")
    )


def widest(texts: Sequence[str], size: str | float | None = None) -> float:
    """Return the width of the widest of several texts, in points."""
    return max((text_width(text, size) for text in texts), default=0.0)


def room_of(axes: Any) -> tuple[float, float]:
    """Return the width and the height of axes in points, before names beside them take theirs."""
    points = 72.0 / axes.figure.dpi
    return points * axes.bbox.width, points * axes.bbox.height


def fit(names: Sequence[str], room: float, size: str | float | None = SMALL) -> list[str]:
    """Return names that are cut in the middle, as far as it takes to fit into a width in points.

    They stay distinct, and are not cut below some letters.
    """
    if not names:
        return []
    length = min(max(map(len, names)), LABEL_WIDTH)
    cut = abbreviate(list(names), length)
    while length > LEAST and widest(cut, size) > room:
        length -= 1
        # Where shorter names would be equal, they come back in full.
        cut = min(cut, abbreviate(list(names), length), key=lambda names: widest(names, size))
    return [plain(name) for name in cut]


def fold(text: str, room: float, size: str | float | None = None, lines: int = 4) -> str:
    """Break a text into lines that fit into a width in points; what is beyond ``lines`` is cut."""
    if text_width(text, size) <= room:
        return text
    letters = max(int(room / text_width(text, size) * len(text)), LEAST)
    return "\n".join(wrap(text, letters, max_lines=lines, placeholder=" …"))
