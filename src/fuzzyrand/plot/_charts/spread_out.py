"""Places of names on an axis, moved as little as it takes to keep them apart."""

from __future__ import annotations

import numpy as np

from ..._base.types import FloatArray


def spread_out(places: FloatArray, widths: FloatArray, low: float, high: float) -> FloatArray:
    """Move rising places so that names of given widths do not overlap, and stay within bounds.

    The sum of squares of all moves is smallest among those that keep the order (isotonic
    regression by pooling), before places beyond the bounds are moved back.

    Examples
    --------
    >>> spread_out(np.array([1.0, 1.2, 5.0]), np.ones(3), 0.0, 6.0).tolist()
    [0.6, 1.6, 5.0]
    """
    gaps = np.concatenate([[0.0], np.cumsum(0.5 * (widths[1:] + widths[:-1]))])
    blocks: list[tuple[float, int]] = []  # sums of free places that were pooled, and their numbers
    for free in (places - gaps).tolist():
        total, number = free, 1
        while blocks and blocks[-1][0] / blocks[-1][1] > total / number:
            before = blocks.pop()
            total, number = total + before[0], number + before[1]
        blocks.append((total, number))
    pooled = np.repeat([total / number for total, number in blocks], [n for _, n in blocks])
    least, most = low + 0.5 * widths[0], high - 0.5 * widths[-1] - gaps[-1]
    return np.asarray(np.clip(pooled, least, max(most, least)) + gaps)
