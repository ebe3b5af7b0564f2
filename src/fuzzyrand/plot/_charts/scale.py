"""The chart of a comparison: the observed index between the expected and the best index."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..._base.naming import shorten
from .axes import LABEL_WIDTH, Tick, decimal_ticks, round_step, round_values

if TYPE_CHECKING:
    from ...results import Comparison

#: Approximate number of ticks on the axis.
TICKS = 6
#: Half the width of a 95% interval, in Monte Carlo errors.
INTERVAL = 1.96
#: Smallest interval that is drawn, as a share of the axis.
VISIBLE = 0.003


@dataclass(frozen=True)
class ScaleRow:
    """One model: a track from the expected index (adjusted: 0) to the maximum (adjusted: 1).

    Attributes
    ----------
    model, label : str
        The name of the model, in full and as it is drawn.
    expected, maximum : float
        Both ends of the track.
    interval : tuple of float, or None
        Monte Carlo interval (95%) of ``expected``; None where it is too narrow to be seen.
    adjusted : str
        The adjusted index as it is drawn.
    below : bool
        Whether the observed index is less than the model expects.
    description : str
        The numbers of this row in words.
    """

    model: str
    label: str
    expected: float
    maximum: float
    interval: tuple[float, float] | None
    adjusted: str
    below: bool
    description: str


@dataclass(frozen=True)
class ScaleChart:
    """The observed index beside the expected index of each model.

    Attributes
    ----------
    observed : float
        The observed index.
    observed_label : str
        The observed index as it is drawn.
    low, high : float
        Range of the axis.
    ticks : tuple of Tick
        Marks on the axis.
    axis_label : str
        What the axis shows.
    rows : tuple of ScaleRow
        The models, in the order of the table.
    description : str
        The whole chart in words.
    """

    observed: float
    observed_label: str
    low: float
    high: float
    ticks: tuple[Tick, ...]
    axis_label: str
    rows: tuple[ScaleRow, ...]
    description: str

    @classmethod
    def of(cls, comparisons: Sequence[Comparison]) -> ScaleChart:
        """Make the chart of comparisons of the same two clusterings."""
        first = comparisons[0]
        low = _axis_start(comparisons)
        visible = VISIBLE * (1.0 - low)
        rows = tuple(_row(c, visible) for c in comparisons)
        listed = "; ".join(row.description for row in rows)
        return cls(
            observed=first.observed,
            observed_label=f"observed {first.observed:z.3f}",
            low=low,
            high=1.0,
            ticks=decimal_ticks(round_values(low, 1.0, TICKS)),
            axis_label=f"index ({shorten(first.index, LABEL_WIDTH)}), not adjusted",
            rows=rows,
            description=f"Observed index {first.observed:z.4f} and the index expected under each "
            f"model. {listed}.",
        )

    @property
    def any_below(self) -> bool:
        """Whether any model expects more than was observed."""
        return any(row.below for row in self.rows)


def _axis_start(comparisons: Sequence[Comparison]) -> float:
    lowest = min(c.expected - INTERVAL * _error(c) for c in comparisons)
    low = min(comparisons[0].observed, lowest)
    # Leave room to the left of the lowest mark, and a visible range if everything is 1.
    span = max(1.0 - low, 0.02) * 1.05
    step = round_step(span / TICKS)
    start = math.floor((1.0 - span) / step + 1e-9) * step
    return max(start, 0.0) if low >= 0.0 else start


def _row(c: Comparison, visible: float) -> ScaleRow:
    error = INTERVAL * _error(c)
    return ScaleRow(
        model=c.model,
        label=shorten(c.model, LABEL_WIDTH),
        expected=c.expected,
        maximum=c.maximum,
        interval=(c.expected - error, c.expected + error) if error > visible else None,
        adjusted=f"{c.adjusted:z.3f}",
        below=c.adjusted < 0.0,
        description=f"{c.model}: expected {c.expected:z.4f}, adjusted {c.adjusted:z.4f}",
    )


def _error(c: Comparison) -> float:
    return float(c.computed["expected_stderr"])
