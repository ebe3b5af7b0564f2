"""Numbers as they are written in the texts of results."""

from __future__ import annotations

import math
from collections.abc import Iterable


def number_written(value: float, decimals: int = 3) -> str:
    """Write a number, or a dash if there is none."""
    return "–" if math.isnan(value) else f"{value:z.{decimals}f}"


def p_written(value: float, sign: bool = False) -> str:
    """Write a p-value; ``sign`` puts "=" or "<" before it, for use in a sentence."""
    if math.isnan(value):
        return "unknown" if sign else "–"
    if value < 0.0005:
        return "< 0.001" if sign else "<0.001"
    return f"= {value:.3f}" if sign else f"{value:.3f}"


def listed(items: Iterable[object]) -> str:
    """List things with commas and an "and".

    Examples
    --------
    >>> listed([2]), listed([2, 3, 5])
    ('2', '2, 3 and 5')
    """
    *others, last = map(str, items)
    return f"{', '.join(others)} and {last}" if others else last


def percent_written(share: float) -> str:
    """Write a share as a percentage; only 1 is written as 100%, and only 0 as 0%."""
    percent = f"{100.0 * share:.0f}%"
    if percent == "100%" and share < 1.0 - 1e-9:
        return ">99%"
    return "<1%" if percent == "0%" and share > 0.0 else percent


def small(letter: str, probability: float) -> str:
    """Write a p-value or q-value from a normal approximation, which is rough far in the tails.

    Examples
    --------
    >>> small("p", 0.0123), small("q", 1e-30)
    ('p = 0.012', 'q < 1e-06')
    """
    return f"{letter} < 1e-06" if probability < 1e-6 else f"{letter} = {probability:.2g}"


def shown_ends(low: float, high: float) -> tuple[str, str]:
    """Write the ends of an interval with as many decimals as it takes to tell them from 0.

    Examples
    --------
    >>> shown_ends(0.2512, 0.31), shown_ends(0.0004, 0.032), shown_ends(-0.00002, 0.5)
    (('0.251', '0.310'), ('0.0004', '0.0320'), ('-0.00002', '0.50000'))
    """
    places = 3
    while places < 6 and any(
        end != 0.0 and float(f"{end:.{places}f}") == 0.0 for end in (low, high)
    ):
        places += 1
    return f"{low:z.{places}f}", f"{high:z.{places}f}"
