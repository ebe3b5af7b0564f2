"""Axes: round numbers for ticks, and their labels."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

#: Longest name on an axis, in characters.
LABEL_WIDTH = 28


@dataclass(frozen=True)
class Tick:
    """A marked value on an axis, with its label."""

    value: float
    label: str


def round_values(low: float, high: float, about: int = 5) -> list[float]:
    """Return round numbers from low to high.

    Examples
    --------
    >>> round_values(0.0, 1.0)
    [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    """
    step = round_step((high - low) / about)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(i * step, 12) for i in range(first, last + 1)]


def round_step(rough: float) -> float:
    """Return the smallest of 1, 2 and 5 times a power of ten that is not below a number.

    Examples
    --------
    >>> round_step(0.03)
    0.05
    """
    power = 10.0 ** math.floor(math.log10(rough))
    return next(m * power for m in (1.0, 2.0, 5.0, 10.0) if m * power >= rough * (1.0 - 1e-9))


def decimal_ticks(values: Iterable[float]) -> tuple[Tick, ...]:
    """Label values with as many decimals as the longest of them needs."""
    values = list(values)
    digits = max(len(f"{value:g}".partition(".")[2]) for value in values)
    return tuple(Tick(value, f"{value:z.{digits}f}") for value in values)


def percent_ticks(values: Iterable[float]) -> tuple[Tick, ...]:
    """Label shares as percentages with as many decimals as the longest of them needs."""
    values = list(values)
    digits = max(len(f"{100.0 * value:g}".partition(".")[2]) for value in values)
    return tuple(Tick(value, f"{value:.{digits}%}") for value in values)
