"""Shorten long names for figures and tables."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile


def shorten(text: str, width: int) -> str:
    """Leave out the middle of a long name.

    More of the end is kept, because paths usually differ there.

    Examples
    --------
    >>> shorten("results/2024/mixture/run-17.csv", 20)
    'results…e/run-17.csv'
    """
    if len(text) <= width:
        return text
    tail = (2 * (width - 1)) // 3
    return f"{text[: width - 1 - tail]}…{text[-tail:]}"


def abbreviate(names: Sequence[str], width: int) -> list[str]:
    """Shorten names that are too long, unless two of them would become equal.

    A prefix shared by all names is left out first, because it does not distinguish them.

    Examples
    --------
    >>> abbreviate(["wine-2024-gaussian-mixture-1", "wine-2024-gaussian-mixture-12"], 20)
    ['…gaussian-mixture-1', '…gaussian-mixture-12']
    >>> abbreviate(["k-means", "wine-2024-gaussian-mixture-12"], 20)
    ['k-means', 'wine-20…n-mixture-12']
    """
    longest = max(len(name) for name in names)
    if longest <= width:
        return list(names)
    shared = takewhile(lambda letters: len(set(letters)) == 1, zip(*names, strict=False))
    cut = min(len(list(shared)), longest - width + 1)
    short = [shorten(f"…{name[cut:]}" if cut > 1 else name, width) for name in names]
    return short if len(set(short)) == len(names) else list(names)
