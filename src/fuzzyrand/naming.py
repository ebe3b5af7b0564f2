"""Long names where there is little room: in pictures and in tables."""

from __future__ import annotations


def shorten(text: str, width: int) -> str:
    """Leave out the middle of a long name: paths differ at their ends.

    Examples
    --------
    >>> shorten("results/2024/mixture/run-17.csv", 20)
    'results…e/run-17.csv'
    """
    if len(text) <= width:
        return text
    tail = (2 * (width - 1)) // 3
    return f"{text[: width - 1 - tail]}…{text[-tail:]}"
