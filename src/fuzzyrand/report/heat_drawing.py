"""The layout of a heat map as SVG: sizes and places of its cells and labels in pixels."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from unicodedata import east_asian_width

from ..plot._charts import HeatMap

#: Width of a cell by the number of columns: (largest number of columns, pixels).
CELLS = ((6, 58), (14, 46), (25, 26), (44, 16))
SMALLEST = 11
#: Largest height of a cell.
TALLEST = 34
#: Largest size of letters.
FONT = 12.0
#: Safe estimates of the widths of letters in row labels at that size: wide letters, and all others.
WIDE, LETTER = 11.5, 7.0
#: Width of the map on a phone, and smallest readable size of letters there.
PHONE, READABLE = 340.0, 9.5
#: Cells narrower than this are numbered only at every fifth row and column on a phone.
NARROW = 26


@dataclass(frozen=True)
class HeatDrawing:
    """The drawing of a heat map.

    Rows have names and numbers, and columns have the numbers of the rows. A map with a single
    column has no numbers.
    """

    chart: HeatMap

    @cached_property
    def numbers(self) -> list[str]:
        """Numbers of the rows, and of the columns of a square map."""
        count = len(self.chart.rows)
        return [""] * count if self.chart.upright else [str(i + 1) for i in range(count)]

    @property
    def column_numbers(self) -> list[str]:
        """Numbers above the columns."""
        return [] if self.chart.upright else self.numbers

    @cached_property
    def cell(self) -> int:
        """Width of a cell."""
        return CELLS[0][1] if self.chart.upright else _cell_size(len(self.chart.rows))

    @cached_property
    def height(self) -> int:
        """Height of a cell."""
        return min(_cell_size(len(self.chart.rows)), TALLEST)

    @cached_property
    def font(self) -> float:
        """Size of letters."""
        return min(FONT, 0.75 * self.height)

    @property
    def column_font(self) -> float:
        """Size of the numbers above the columns: two digits must fit over a cell."""
        return min(self.font, 0.58 * self.cell)

    @cached_property
    def number_room(self) -> float:
        """Room for the numbers of the rows."""
        return 0.7 * self.font * max(map(len, self.numbers))

    @cached_property
    def left(self) -> float:
        """Where the first column starts."""
        widest = max(map(text_width, self.chart.row_labels))
        return widest * self.font / FONT + self.number_room + 16.0

    @property
    def top(self) -> float:
        """Where the first row starts."""
        return 1.0 if self.chart.upright else 20.0

    @cached_property
    def cut(self) -> float:
        """Width that a phone cuts off on the left, because it has no room for names."""
        return 0.0 if self.chart.upright else self.left - self.number_room - 12.0

    @cached_property
    def enlarged(self) -> float:
        """Size of letters on a phone, before the map is scaled to its width."""
        cells = self.cell * len(self.chart.columns)
        size = max(self.font, READABLE * (self.left - self.cut + cells) / PHONE)
        # A negative number must fit into its cell.
        return min(size, 0.36 * self.cell) if self.chart.numbered else size

    @cached_property
    def width(self) -> float:
        """Width of everything; the last column's number may be wider than its cell."""
        beyond = 0.35 * self.enlarged * len(self.numbers[-1]) - self.cell / 2
        return self.left + self.cell * len(self.chart.columns) + max(beyond, 1.0)

    @property
    def least_width(self) -> float:
        """Narrowest width that is still readable; below it, the box around the map scrolls."""
        return min(self.width, max(300.0, 0.75 * self.width))

    @property
    def tall(self) -> float:
        """Height of everything."""
        return self.top + self.height * len(self.chart.rows) + 1.0

    @property
    def style(self) -> str:
        """Sizes for the style sheet."""
        return (
            f"--width:{self.width:.0f}px;--least:{self.least_width:.0f}px;--cut:{self.cut:.0f};"
            f"--kept:{self.width - self.cut:.0f};--font:{self.font:g}px;"
            f"--column:{self.column_font:.1f}px;--enlarged:{self.enlarged:.1f}px"
        )

    def minor(self, place: int) -> bool:
        """Whether a phone leaves out this number, one of many side by side."""
        return self.cell < NARROW and place != 0 and place % 5 != 4


def text_width(text: str) -> float:
    """Estimate the width of a label; letters of East Asian scripts are wide, too."""
    wide = sum(c in "mwMW@%" or east_asian_width(c) in "WF" for c in text)
    return WIDE * wide + LETTER * (len(text) - wide)


def _cell_size(count: int) -> int:
    return next((size for most, size in CELLS if count <= most), SMALLEST)
