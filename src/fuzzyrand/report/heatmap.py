"""A heat map in the page's colours: strength is opacity, so that light and dark both work."""

from __future__ import annotations

from collections.abc import Sequence
from unicodedata import east_asian_width

from .._base.naming import shorten
from .._base.types import FloatArray
from .markup import SHORT, esc, number

#: Width of a cell by the number of columns: (at most so many columns, pixels).
CELLS = ((6, 58), (14, 46), (25, 26), (44, 16))
SMALLEST = 11
#: From this width on a cell holds its number.
NUMBERED = 44
#: Widths of letters of the row labels in pixels, on the safe side: wide ones, and all others.
WIDE, LETTER = 11.5, 7.0
#: On a phone the map fills this width, and letters should still be so high.
PHONE, READABLE = 340.0, 9.5


def heat_map(values: FloatArray, rows: Sequence[str], columns: Sequence[str], label: str) -> str:
    """Draw a matrix of adjusted indices, in the order given.

    Parameters
    ----------
    values : array
        1 is drawn in full colour, 0 in none, negative values in another.
    rows, columns : sequence of str
        Labels beside and above; columns should be short, numbers for instance.
    label : str
        What there is to see, in words.
    """
    size = _cell(max(len(columns), len(rows)))
    height = min(size, 34)
    font = min(12.0, 0.75 * height)
    shown = [shorten(row, SHORT) for row in rows]
    # The columns' numbers stand beside the rows, too, and apart from names that end in a number.
    numbers = columns if len(columns) == len(rows) else [""] * len(rows)
    room = 0.7 * font * max(map(len, numbers))
    left = max(_width(row) for row in shown) * font / 12.0 + room + 16.0
    top = 20.0 if any(columns) else 1.0
    # Two digits must fit over a cell.
    small = min(font, 0.58 * size)
    parts = [
        f'<text x="{left + size * (j + 0.5):g}" y="{top - 6:g}" text-anchor="middle" '
        f'class="soft column{_rank(j, size)}">{esc(column)}</text>'
        for j, column in enumerate(columns)
    ]
    for i, row in enumerate(shown):
        y = top + height * i
        middle = f'y="{y + height / 2 + 4:g}" text-anchor="end"'
        parts.append(
            f'<text class="called" x="{left - room - 14:g}" {middle}>{esc(row)}</text>'
            f'<text class="soft{_rank(i, size)}" x="{left - 6:g}" {middle}>{esc(numbers[i])}</text>'
        )
        for j, column in enumerate(columns):
            value = float(values[i, j])
            parts.append(_drawn(value, left + size * j, y, size, height, f"{row}, {column}"))
    # A little smaller is still readable; beyond that the box scrolls. A phone has no room for
    # names: it cuts them off, and enlarges what is left.
    cut = left - room - 12.0 if any(numbers) else 0.0
    cells = size * len(columns)
    enlarged = max(font, READABLE * (left - cut + cells) / PHONE)
    if size >= NUMBERED:  # a negative number must fit into its cell
        enlarged = min(enlarged, 0.36 * size)
    # The last column's number may be wider than its cell.
    beyond = 0.35 * enlarged * len(columns[-1]) - size / 2
    width, tall = left + cells + max(beyond, 1.0), top + height * len(rows) + 1.0
    least = min(width, max(300.0, 0.75 * width))
    style = (
        f"--width:{width:.0f}px;--least:{least:.0f}px;--cut:{cut:.0f};--kept:{width - cut:.0f};"
        f"--font:{font:g}px;--column:{small:.1f}px;--enlarged:{enlarged:.1f}px"
    )
    kind = "heat numbered" if cut else "heat"
    return (
        f'<div class="box" tabindex="0"><svg class="{kind}" role="img" aria-label="{esc(label)}" '
        f'viewBox="0 0 {width:g} {tall:g}" width="100%" style="{style}">'
        f"{''.join(parts)}</svg></div>"
    )


def _rank(place: int, size: float) -> str:
    """Of many numbers side by side a phone shows every fifth."""
    return "" if size >= 26 or place == 0 or place % 5 == 4 else " minor"


def _width(text: str) -> float:
    """About how wide a label is; letters of East Asian scripts are wide, too."""
    wide = sum(c in "mwMW@%" or east_asian_width(c) in "WF" for c in text)
    return WIDE * wide + LETTER * (len(text) - wide)


def _cell(m: int) -> int:
    return next((size for most, size in CELLS if m <= most), SMALLEST)


def _drawn(value: float, x: float, y: float, width: float, height: float, where: str) -> str:
    strength = min(abs(value), 1.0)
    kind = "above" if value >= 0.0 else "below"
    place = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"'
    cell = (
        f'<g><title>{esc(where)}: {number(value)}</title><rect class="cell {kind}" {place} '
        f'fill-opacity="{strength:.3f}"/>'
    )
    if width >= NUMBERED:
        on = f' class="on-{kind}"' if strength > 0.6 else ""
        cell += (
            f'<text{on} x="{x + width / 2:g}" y="{y + height / 2 + 4:g}" text-anchor="middle">'
            f"{number(value, 2)}</text>"
        )
    return f"{cell}</g>"
