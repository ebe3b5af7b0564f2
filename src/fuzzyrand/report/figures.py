"""The drawings of a comparison."""

from __future__ import annotations

import math

from .._base.naming import shorten
from ..results import Comparison, ComparisonTable
from .agreements import BINS, BinnedLaw
from .markup import SHORT, esc, number
from .svg import (
    Scale,
    bars_path,
    dot,
    drawing,
    line,
    round_step,
    steps_path,
    stretched,
    text,
    ticks,
)

#: Heights in pixels: of one model, and above and below all of them.
SLOT, ABOVE, BELOW = 50, 30, 46
#: Of the drawing of a law, and what is left below it for the axis.
LAW, AXIS = 170, 24


def scale_drawing(table: ComparisonTable) -> str:
    """Where each model's chance lies, where perfect agreement, and the observed index between."""
    scale = _index_scale(table)
    bottom = ABOVE + SLOT * len(table) + 8
    parts = _axis(scale, bottom, table[0].index)
    seen = scale(table.observed)
    parts.append(line(seen, ABOVE - 8, seen, bottom, "observed"))
    at = scale.at(table.observed)
    anchor = "end" if at > 70 else "start" if at < 30 else "middle"
    parts.append(text(seen, ABOVE - 14, f"observed {number(table.observed)}", "strong", anchor))
    for i, c in enumerate(table):
        parts += _model_slot(c, scale, ABOVE + SLOT * i)
    said = "; ".join(
        f"{c.model}: expected {number(c.expected)}, adjusted {number(c.adjusted)}" for c in table
    )
    label = f"Observed index {number(table.observed)} beside what each model expects. {said}."
    return drawing(label, bottom + BELOW, "".join(parts))


def _index_scale(table: ComparisonTable) -> Scale:
    low = min(table.observed, *(c.expected - 2.0 * _error(c) for c in table))
    # Room to the left of the lowest mark, and something to see where everything is 1.
    span = max(1.0 - low, 0.02) * 1.05
    step = round_step(span / 5.0)
    start = math.floor((1.0 - span) / step + 1e-9) * step
    return Scale(max(start, 0.0) if low >= 0.0 else start, 1.0)


def _axis(scale: Scale, y: float, index: str) -> list[str]:
    parts = [line(scale(scale.low), y, scale(scale.high), y, "axis")]
    found = ticks(scale.low, scale.high)
    digits = max(len(f"{tick:g}".partition(".")[2]) for tick in found)
    for tick in found:
        parts.append(line(scale(tick), ABOVE - 4, scale(tick), y + 4, "grid"))
        anchor = "end" if tick == found[-1] else "start" if tick == found[0] else "middle"
        parts.append(text(scale(tick), y + 18, f"{tick:.{digits}f}", "soft", anchor))
    title = f"index ({shorten(index, 20)}), not adjusted"
    parts.append(text("50%", y + 38, title, "soft", "middle"))
    return parts


def _model_slot(c: Comparison, scale: Scale, top: float) -> list[str]:
    """Name and value above a track from chance, 0 of the adjusted scale, to its 1."""
    y = top + 28
    side = "below" if c.adjusted < 0.0 else "above"
    chance, seen = scale(c.expected), scale(c.observed)
    parts = [
        f"<g><title>{esc(c.model)}: expected {number(c.expected)}, "
        f"adjusted {number(c.adjusted)}</title>",
        text(scale(scale.low), top + 15, shorten(c.model, SHORT), "strong halo"),
        text(scale(scale.high), top + 15, f"adjusted {number(c.adjusted, 2)}", "halo", "end"),
        line(chance, y, scale(c.maximum), y, "track"),
        line(scale(c.maximum), y - 6, scale(c.maximum), y + 6, "end"),
        line(chance, y, seen, y, f"reach {side}"),
    ]
    error = 1.96 * _error(c)
    if error > 0.003 * (scale.high - scale.low):
        parts.append(line(scale(c.expected - error), y, scale(c.expected + error), y, "error"))
    parts += [
        dot(seen, y, 5.0, f"seen {side}"),
        dot(chance, y, 5.0, "chance"),
        text(chance, y + 18, "0", "soft halo", "middle"),
        text(scale(c.maximum), y + 18, "1", "soft halo", "middle"),
        "</g>",
    ]
    return parts


def _error(c: Comparison) -> float:
    return float(c.computed["expected_stderr"])


def law_drawing(title: str, observed: BinnedLaw, model: BinnedLaw | None, top: float) -> str:
    """Share of pairs over their agreement, observed as bars and under the model as an outline."""
    parts, heights = [], []
    for share in ticks(0.0, top, 4)[1:]:
        y = LAW * (1.0 - share / top)
        parts.append(line("0%", y, "100%", y, "grid"))
        heights.append(text("50%", y - 4, f"{share:.0%}", "soft halo", "middle"))
    shapes = f'<path class="bars" d="{bars_path((observed.shares / top).tolist())}"/>'
    if model is not None:
        outline = steps_path((model.shares / top).tolist())
        shapes += f'<path class="outline casing" d="{outline}"/>'
        shapes += f'<path class="outline" d="{outline}"/>'
    parts.append(stretched(0.0, LAW, BINS, shapes))
    parts += heights  # which the bars must not hide
    parts.append(line("0%", LAW, "100%", LAW, "axis"))
    for value in (0.0, 0.25, 0.5, 0.75, 1.0):
        anchor = "start" if value == 0.0 else "end" if value == 1.0 else "middle"
        parts.append(text(f"{100 * value:g}%", LAW + 16, f"{value:g}", "soft", anchor))
    return drawing(title, LAW + AXIS, "".join(parts), "law")


def law_top(laws: list[BinnedLaw]) -> float:
    """A height that holds all of them, so that they may be compared by eye."""
    return 1.08 * max(float(law.shares.max()) for law in laws)
