"""Monte Carlo p-values that stop early when they are clearly large.

With B draws of which c are as extreme as the observed value, p = (1 + c)/(1 + B) is valid for any
B: it is at most u with probability at most u under the null. If drawing stops when the h-th draw as
extreme comes, as draw number l, p = h/l is valid likewise (Besag & Clifford 1991).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .._base.progress import progress
from .._base.threads import map_in_order
from .._base.types import FloatArray

#: Draws as extreme as the observed value after which no more are needed.
ENOUGH = 50
#: Most batches that are drawn before the draws are counted.
LARGEST_ROUND = 16
ALTERNATIVES = ("greater", "less", "two-sided")

Flags = npt.NDArray[np.bool_]


class Draws(NamedTuple):
    """Values drawn under the null, and the p-value that follows.

    Attributes
    ----------
    values : array
        The draws that were looked at, in their order.
    pvalue : float
        The p-value.
    at_floor : bool
        Whether no draw was as extreme: with more of them, the p-value might be smaller.
    """

    values: FloatArray
    pvalue: float
    at_floor: bool


def exhaustive_pvalue(values: FloatArray, observed: float, tolerance: float, tail: str) -> Draws:
    """Return the p-value from all values that are possible, each as likely as the others."""
    shares = {
        "greater": float(np.mean(values >= observed - tolerance)),
        "less": float(np.mean(values <= observed + tolerance)),
    }
    shares["two-sided"] = min(1.0, 2.0 * min(shares.values()))
    return Draws(values, shares[tail], False)


def sequential_pvalue(
    batch: Callable[[int], FloatArray],
    observed: float,
    tolerance: float,
    tail: str,
    most: int,
    threads: int | None,
    what: str,
) -> Draws:
    """Draw until the p-value is clearly large, or there are enough draws.

    Parameters
    ----------
    batch : callable
        From a number to an array of draws; batches are independent.
    observed, tolerance : float
        The observed value; draws that differ by no more are as extreme.
    tail : str
        One of ``ALTERNATIVES``.
    most : int
        Largest number of draws.
    threads : int or None
        Number of threads; the result does not depend on it.
    what : str
        Title of the progress bar.
    """
    values = np.zeros(0)

    def rounds() -> Iterator[int]:
        """Yield the number of draws of each round, of more and more batches."""
        nonlocal values
        first, step = 0, 1
        while values.size < most and not _enough(values, observed, tolerance, tail):
            before = values.size
            parts = map_in_order(batch, range(first, first + step), threads)
            values = np.concatenate([values, *parts])[:most]
            drawn = values.size - before
            first += step
            # No more batches than are still needed, as all but the last have the same size.
            needed = math.ceil((most - values.size) * step / drawn)
            step = min(2 * step, LARGEST_ROUND, needed)
            yield drawn

    for _ in progress(rounds(), most, what, weigh=float):
        pass
    return _summary(values, observed, tolerance, tail)


def _extreme(values: FloatArray, observed: float, tolerance: float) -> dict[str, Flags]:
    return {
        "greater": values >= observed - tolerance,
        "less": values <= observed + tolerance,
    }


def _enough(values: FloatArray, observed: float, tolerance: float, tail: str) -> bool:
    counts = {
        name: int(np.count_nonzero(extreme))
        for name, extreme in _extreme(values, observed, tolerance).items()
    }
    return min(counts.values()) >= ENOUGH if tail == "two-sided" else counts[tail] >= ENOUGH


def _summary(values: FloatArray, observed: float, tolerance: float, tail: str) -> Draws:
    one_sided = {
        name: _one_sided(extreme) for name, extreme in _extreme(values, observed, tolerance).items()
    }
    if tail != "two-sided":
        pvalue, used, count = one_sided[tail]
        return Draws(values[:used], pvalue, count == 0)
    name = min(one_sided, key=lambda name: one_sided[name][0])
    used = max(result[1] for result in one_sided.values())
    pvalue, _, count = one_sided[name]
    return Draws(values[:used], min(1.0, 2.0 * pvalue), count == 0)


def _one_sided(extreme: Flags) -> tuple[float, int, int]:
    """Return the p-value, the number of draws it needs, and how many of them are extreme."""
    counts = np.cumsum(extreme)
    if counts.size and counts[-1] >= ENOUGH:
        used = int(np.searchsorted(counts, ENOUGH)) + 1
        return ENOUGH / used, used, ENOUGH
    count = int(counts[-1]) if counts.size else 0
    return (1.0 + count) / (1.0 + counts.size), int(counts.size), count
