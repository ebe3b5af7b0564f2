"""Drawings of matched clusters as SVG: a heat map of overlaps, and bands between two sides."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .._base.naming import shorten
from ..plot._charts.flow import Band, Block, FlowChart
from ..plot._charts.overlap import OverlapChart
from ..plot._charts.palette import palette
from ..results.matching import Matching
from .heat_drawing import text_width

#: Number of colour steps of a heat map. A share below half a step has no colour.
STEPS = 20
#: Largest and smallest size of a cell, and the width that cells may take.
LARGEST, SMALLEST, ROOM = 16, 6, 800
#: Smallest cell beside which a name is readable.
NAMED = 9
#: Longest name of a cluster, in characters.
NAME = 18

#: Width of the drawing of bands, without names, and largest number of clusters that it shows.
FLOW_WIDTH, FLOW_MOST = 380.0, 80
#: Size of its letters, and room for a line.
FONT, LINE = 12.0, 15.0


@dataclass(frozen=True)
class OverlapDrawing:
    """A heat map of overlaps.

    To keep the page small, all cells of one strength are a single path, and cells without colour
    are left out: a row has at most ``2 * STEPS`` cells with colour.
    """

    chart: OverlapChart
    names: tuple[str, str]

    @cached_property
    def cell(self) -> int:
        """Size of a cell in pixels."""
        return int(np.clip(ROOM // max(self.chart.amounts.shape), SMALLEST, LARGEST))

    @property
    def named(self) -> bool:
        """Whether rows and columns have names."""
        return self.cell >= NAMED

    @property
    def font(self) -> float:
        """Size of letters."""
        return min(0.85 * self.cell, 11.0)

    @cached_property
    def labels(self) -> tuple[list[str], list[str]]:
        """Names of rows and columns as they are drawn."""
        rows, columns = ([shorten(name, NAME) for name in side] for side in self.chart.names)
        return rows, columns

    @cached_property
    def left(self) -> float:
        """Where the first column starts."""
        return self._room(self.labels[0])

    @cached_property
    def top(self) -> float:
        """Where the first row starts, below the names of columns, which are turned."""
        return self._room(self.labels[1])

    def _room(self, labels: list[str]) -> float:
        if not self.named:
            return 2.0
        return max(map(text_width, labels)) * self.font / FONT + 8.0

    @property
    def width(self) -> float:
        """Width of everything."""
        return self.left + self.cell * len(self.chart.columns) + 2.0

    @property
    def height(self) -> float:
        """Height of everything."""
        return self.top + self.cell * len(self.chart.rows) + 2.0

    @property
    def paths(self) -> list[tuple[float, str]]:
        """Strength and path of the cells of each strength."""
        steps = np.round(STEPS * self.chart.shares).astype(int)
        cells: dict[int, list[str]] = defaultdict(list)
        for row, column in np.argwhere(steps > 0).tolist():
            cells[int(steps[row, column])].append(f"M{column} {row}h1v1h-1z")
        return [(step / STEPS, "".join(cells[step])) for step in sorted(cells)]

    @property
    def frames(self) -> str:
        """The path around the cells of partners."""
        return "".join(f"M{place} {place}h1v1h-1z" for place in range(self.chart.partners))

    @property
    def titles(self) -> list[str]:
        """The text that the pointer shows for each row."""
        chart = self.chart
        titles = []
        for name, row, shares in zip(chart.names[0], chart.amounts, chart.shares, strict=True):
            most = int(np.argmax(row))
            number = f"{row[most]:,.0f}" if chart.whole else f"{row[most]:,.1f}"
            titles.append(f"{name}: most in {chart.names[1][most]} ({number}, {shares[most]:.0%})")
        return titles

    @property
    def description(self) -> str:
        """The whole drawing in words."""
        rows, columns = self.chart.amounts.shape
        return (
            f"Heat map: overlaps of {rows} clusters of {self.names[0]} with {columns} of "
            f"{self.names[1]}, {self.chart.partners} pairs of partners on the diagonal."
        )

    @property
    def style(self) -> str:
        """Sizes for the style sheet."""
        least = min(self.width, 0.75 * self.width + 60.0)
        return f"--width:{self.width:.0f}px;--least:{least:.0f}px;--font:{self.font:.1f}px"


@dataclass(frozen=True)
class FlowDrawing:
    """Bands between the clusters of two clusterings."""

    matching: Matching
    names: tuple[str, str]

    @classmethod
    def of(cls, matching: Matching | None, names: tuple[str, str]) -> FlowDrawing | None:
        """Make the drawing; None if no clusters overlap, or if there are too many."""
        if matching is None or max(matching.overlap.shape) > FLOW_MOST:
            return None
        return cls(matching, names)

    @cached_property
    def height(self) -> float:
        """Height of the blocks."""
        return float(np.clip(1.3 * LINE * max(self.matching.overlap.shape), 260.0, 1400.0))

    @cached_property
    def chart(self) -> FlowChart:
        """Blocks and bands."""
        return FlowChart.of(self.matching, LINE / self.height)

    @cached_property
    def colours(self) -> list[str]:
        """Colours of the clusters of the first side."""
        return palette(len(self.chart.sides[0]))

    @cached_property
    def left(self) -> float:
        """Room for the names on the left."""
        return self._room(0)

    @property
    def right(self) -> float:
        """Where the names on the right begin."""
        return self.left + FLOW_WIDTH

    @cached_property
    def width(self) -> float:
        """Width of everything."""
        return self.right + self._room(1)

    def _room(self, side: int) -> float:
        labels = [shorten(block.name, NAME) for block in self.chart.sides[side]]
        return max(map(text_width, labels)) + 10.0

    def label(self, block: Block) -> str:
        """Return the name of a cluster as it is drawn."""
        return shorten(block.name, NAME)

    def y(self, place: float) -> float:
        """Return a position along the blocks in pixels."""
        return round(place * self._scale + 4.0, 2)

    @property
    def _scale(self) -> float:
        return self.height / (self.chart.height + 0.5 * self.chart.least)

    def tall(self, block: Block) -> float:
        """Return the height of a block in pixels."""
        return round(max(block.size * self._scale, 0.5), 2)

    def middle(self, block: Block) -> float:
        """Return the baseline of the name of a block."""
        return round(self.y(block.start) + 0.5 * block.size * self._scale + 0.35 * FONT, 2)

    def colour(self, block: Block) -> str | None:
        """Return the colour of a block; None for a cluster of the second side without a partner."""
        return None if block.colour is None else self.colours[block.colour]

    def path(self, band: Band) -> str:
        """Return the path of a band."""
        (start, end), wide = map(self.y, band.tops), round(band.width * self._scale, 2)
        one, two = round(self.left + 14.0, 2), round(self.right - 14.0, 2)
        half = round(0.5 * (one + two), 2)
        return (
            f"M{one} {start}C{half} {start} {half} {end} {two} {end}v{wide}"
            f"C{half} {end + wide:.2f} {half} {start + wide:.2f} {one} {start + wide:.2f}z"
        )

    def title(self, band: Band) -> str:
        """Return the text that the pointer shows for a band."""
        number = f"{band.width:,.0f}" if band.width.is_integer() else f"{band.width:,.1f}"
        one, two = self.matching.names[0][band.first], self.matching.names[1][band.second]
        return f"{one} to {two}: {number}"

    @property
    def description(self) -> str:
        """The whole drawing in words."""
        rows, columns = self.matching.overlap.shape
        return (
            f"Bands: how the points of {rows} clusters of {self.names[0]} go to {columns} of "
            f"{self.names[1]}."
        )

    @property
    def style(self) -> str:
        """Sizes for the style sheet."""
        least = min(self.width, 340.0)
        return f"--width:{self.width:.0f}px;--least:{least:.0f}px;--font:{FONT:g}px"
