"""The chart of a comparison: the observed index between the expected and the best index."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..._base.naming import shorten
from .axes import LABEL_WIDTH, Tick, decimal_ticks, round_step, round_values

if TYPE_CHECKING:
    from ...results import Comparison, ConfidenceInterval, Significance

#: Approximate number of ticks on the axis.
TICKS = 6
#: Half the width of a 95% interval, in Monte Carlo errors.
INTERVAL = 1.96
#: Smallest interval that is drawn, as a share of the axis.
VISIBLE = 0.003
#: Number of bars of a null distribution.
NULL_BARS = 24


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
    details : tuple of str
        What is known of the adjusted index beside its value: interval and p-value, if any.
    confidence : tuple of float, or None
        Ends of the confidence interval of the adjusted index, on the scale of this track.
    null : tuple of (left, width, height)
        Bars of the null distribution on the scale of this track, the highest of which is 1.
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
    details: tuple[str, ...]
    confidence: tuple[float, float] | None
    null: tuple[tuple[float, float, float], ...]
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
    confidence_label, null_label : str
        What the interval and the null distribution are; empty if there is none.
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
    confidence_label: str
    null_label: str
    description: str

    @classmethod
    def of(
        cls,
        comparisons: Sequence[Comparison],
        interval: ConfidenceInterval | None = None,
        test: Significance | None = None,
    ) -> ScaleChart:
        """Make the chart of comparisons of the same two clusterings.

        Parameters
        ----------
        comparisons : sequence of Comparison
            The comparisons, one for each model.
        interval : ConfidenceInterval, optional
            Drawn in the row of its model, if there is such a row.
        test : Significance, optional
            Its null distribution is drawn in the row of its model, if there is such a row.
        """
        first = comparisons[0]
        if interval is not None and (
            math.isnan(interval.low) or not has_row(interval.comparisons, comparisons)
        ):
            interval = None
        if test is not None and (test.draws == 0 or not has_row([test.comparison], comparisons)):
            test = None
        low = _axis_start(comparisons, interval, test)
        visible = VISIBLE * (1.0 - low)
        rows = tuple(_row(c, visible, interval, test) for c in comparisons)
        listed = "; ".join(row.description for row in rows)
        return cls(
            observed=first.observed,
            observed_label=f"observed {first.observed:z.3f}",
            low=low,
            high=1.0,
            ticks=decimal_ticks(round_values(low, 1.0, TICKS)),
            axis_label=f"{shorten(first.title, LABEL_WIDTH)}, not adjusted",
            rows=rows,
            confidence_label="" if interval is None else f"{100 * interval.level:.6g}% interval",
            null_label="" if test is None else f"{test.draws:,} {test.drawn}",
            description=f"Observed index {first.observed:z.4f} and the index expected under each "
            f"model. {listed}.",
        )

    @property
    def any_below(self) -> bool:
        """Whether any model expects more than was observed."""
        return any(row.below for row in self.rows)


def has_row(own: Sequence[Comparison], comparisons: Sequence[Comparison]) -> bool:
    """Return whether a result is for one of some comparisons, and not for a difference of two."""
    return len(own) == 1 and any(_same(c, own[0]) for c in comparisons)


def _axis_start(
    comparisons: Sequence[Comparison],
    interval: ConfidenceInterval | None,
    test: Significance | None,
) -> float:
    low = min(comparisons[0].observed, *(c.expected - INTERVAL * _error(c) for c in comparisons))
    for c in comparisons:
        if interval is not None and _same(c, interval.comparisons[0]):
            low = min(low, _on_track(c, interval.low))
        if test is not None and _same(c, test.comparison):
            low = min(low, _on_track(c, float(test.null.min())))
    # Leave room to the left of the lowest mark, and a visible range if everything is 1.
    span = max(1.0 - low, 0.02) * 1.05
    step = round_step(span / TICKS)
    start = math.floor((1.0 - span) / step + 1e-9) * step
    return max(start, 0.0) if low >= 0.0 else start


def _row(
    c: Comparison,
    visible: float,
    interval: ConfidenceInterval | None,
    test: Significance | None,
) -> ScaleRow:
    error = INTERVAL * _error(c)
    details: list[str] = []
    confidence: tuple[float, float] | None = None
    null: tuple[tuple[float, float, float], ...] = ()
    if interval is not None and _same(c, interval.comparisons[0]):
        confidence = _on_track(c, interval.low), _on_track(c, interval.high)
        details.append(f"{interval.low:z.2f} to {interval.high:z.2f}")
    if test is not None and _same(c, test.comparison):
        null = _null_bars(c, test)
        details.append(f"p {'≤' if test.pvalue_approx is not None else '='} {test.pvalue:.2g}")
    return ScaleRow(
        model=c.model,
        label=shorten(c.model, LABEL_WIDTH),
        expected=c.expected,
        maximum=c.maximum,
        interval=(c.expected - error, c.expected + error) if error > visible else None,
        adjusted=f"{c.adjusted:z.3f}",
        below=c.adjusted < 0.0,
        details=tuple(details),
        confidence=confidence,
        null=null,
        description=f"{c.model}: expected {c.expected:z.4f}, adjusted "
        + ", ".join([f"{c.adjusted:z.4f}", *details]),
    )


def _null_bars(c: Comparison, test: Significance) -> tuple[tuple[float, float, float], ...]:
    counts, edges = np.histogram(test.null, NULL_BARS)
    places = [_on_track(c, edge) for edge in edges.tolist()]
    return tuple(
        (left, right - left, count / counts.max())
        for left, right, count in zip(places, places[1:], counts.tolist(), strict=False)
        if count
    )


def _same(c: Comparison, other: Comparison) -> bool:
    return (c.index, c.model) == (other.index, other.model)


def _on_track(c: Comparison, adjusted: float) -> float:
    """Return where an adjusted index lies between the expected index (0) and the maximum (1)."""
    return c.expected + adjusted * (c.maximum - c.expected)


def _error(c: Comparison) -> float:
    return float(c.computed["expected_stderr"])
