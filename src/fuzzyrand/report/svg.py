"""Drawings without Matplotlib: SVG whose colours are the page's and whose text is the page's.

A drawing is as wide as the page. Positions along x are percentages, so that lines and text keep
their size on a phone; shapes that must stretch go into an inner drawing that does.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from .markup import esc


def drawing(label: str, height: float, content: str, kind: str = "") -> str:
    """The drawing itself; ``label`` says in words what there is to see."""
    return (
        f'<svg class="plot {kind}" role="img" aria-label="{esc(label)}" width="100%" '
        f'height="{height:g}">{content}</svg>'
    )


@dataclass(frozen=True)
class Scale:
    """From values to percent of the width, with a little room on both sides."""

    low: float
    high: float
    room: float = 2.0

    def __call__(self, value: float) -> str:
        return f"{self.at(value):.3f}%"

    def at(self, value: float) -> float:
        """The same as a number."""
        share = (value - self.low) / (self.high - self.low)
        return self.room + (100.0 - 2.0 * self.room) * share


def line(x1: str, y1: float, x2: str, y2: float, kind: str) -> str:
    """A line."""
    return f'<line class="{kind}" x1="{x1}" y1="{y1:g}" x2="{x2}" y2="{y2:g}"/>'


def dot(x: str, y: float, radius: float, kind: str) -> str:
    """A circle."""
    return f'<circle class="{kind}" cx="{x}" cy="{y:g}" r="{radius:g}"/>'


def text(x: str, y: float, content: str, kind: str = "", anchor: str = "start") -> str:
    """A line of text; it is escaped here."""
    return f'<text class="{kind}" x="{x}" y="{y:g}" text-anchor="{anchor}">{esc(content)}</text>'


def stretched(y: float, height: float, width: float, content: str) -> str:
    """Shapes in a frame that is ``width`` by 1 and stretches; y points up in it."""
    return (
        f'<svg x="0" y="{y:g}" width="100%" height="{height:g}" viewBox="0 0 {width:g} 1" '
        f'preserveAspectRatio="none"><g transform="matrix(1 0 0 -1 0 1)">{content}</g></svg>'
    )


def ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Round numbers from low to high.

    Examples
    --------
    >>> ticks(0.0, 1.0)
    [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    """
    step = round_step((high - low) / about)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(i * step, 12) for i in range(first, last + 1)]


def round_step(rough: float) -> float:
    """The round number 1, 2 or 5 times a power of ten at or above a rough one."""
    power = 10.0 ** math.floor(math.log10(rough))
    return next(m * power for m in (1.0, 2.0, 5.0, 10.0) if m * power >= rough * (1.0 - 1e-9))


def bars_path(heights: Sequence[float]) -> str:
    """Bars of width 1, side by side."""
    return "".join(f"M{i} 0V{h:.5f}H{i + 1}V0Z" for i, h in enumerate(heights) if h > 0.0)


def steps_path(heights: Sequence[float]) -> str:
    """The outline of such bars."""
    return "M0 0" + "".join(f"V{h:.5f}H{i + 1}" for i, h in enumerate(heights)) + "V0"
