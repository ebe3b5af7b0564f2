"""Charts as SVG: positions and paths for the templates, which hold the markup.

A drawing is as wide as the page. Positions along x are percentages, so that lines and text keep
their size on a phone; shapes that must stretch go into an inner drawing, which stretches.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..plot._charts import BINS, LawChart, ScaleChart

#: Room at both ends of the scale of a comparison, in percent of the width.
ROOM = 2.0
#: Height of the bars of a law in pixels.
LAW_HEIGHT = 170


@dataclass(frozen=True)
class ScaleDrawing:
    """The drawing of a comparison."""

    chart: ScaleChart

    def x(self, value: float) -> str:
        """Return the position of a value along the axis."""
        return f"{self._percent(value):.3f}%"

    def length(self, span: float) -> str:
        """Return the length of a part of the axis."""
        return f"{self._percent(self.chart.low + span) - ROOM:.3f}%"

    @property
    def observed_anchor(self) -> str:
        """Alignment of the label of the observed index, chosen to keep it inside."""
        at = self._percent(self.chart.observed)
        return "end" if at > 70.0 else "start" if at < 30.0 else "middle"

    def _percent(self, value: float) -> float:
        low, high = self.chart.low, self.chart.high
        return ROOM + (100.0 - 2.0 * ROOM) * (value - low) / (high - low)


@dataclass(frozen=True)
class LawDrawing:
    """The drawing of the agreement law of one clustering."""

    chart: LawChart
    height: int = LAW_HEIGHT
    #: Width of the inner drawing, in which a bin is 1 wide.
    bins: int = BINS

    def y(self, share: float) -> float:
        """Return the position of a share in pixels, from the top."""
        return round(self.height * (1.0 - share / self.chart.top), 2)

    @property
    def bars(self) -> str:
        """The path of the observed shares."""
        heights = (self.chart.observed.shares / self.chart.top).tolist()
        return "".join(f"M{i} 0V{h:.5f}H{i + 1}V0Z" for i, h in enumerate(heights) if h > 0.0)

    @property
    def outline(self) -> str | None:
        """The path of the shares under the model."""
        if self.chart.model is None:
            return None
        heights = (self.chart.model.shares / self.chart.top).tolist()
        return "M0 0" + "".join(f"V{h:.5f}H{i + 1}" for i, h in enumerate(heights)) + "V0"
