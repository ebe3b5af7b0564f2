"""Monte Carlo p-values that stop early when they are clearly large.

If c of B draws are as extreme as the observed value, p = (1 + c)/(1 + B) is valid for any B: under
the null, it is at most u with probability at most u. If drawing stops at the h-th draw that is as
extreme, and this is draw number l, then p = h/l is valid as well (Besag & Clifford 1991).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..._base.progress import progress
from ..._base.threads import map_in_order
from ..._base.types import FloatArray

#: Number of draws as extreme as the observed value after which drawing stops.
ENOUGH = 50
#: Most batches drawn before the extreme draws are counted again.
LARGEST_ROUND = 16
ALTERNATIVES = ("greater", "less", "two-sided")

Flags = npt.NDArray[np.bool_]


class Draws(NamedTuple):
    """Values drawn under the null, and the resulting p-value.

    Attributes
    ----------
    values : array
        The draws that the p-value is based on, in order.
    pvalue : float
        The p-value.
    at_floor : bool
        Whether no draw was as extreme, so that more draws might give a smaller p-value.
    """

    values: FloatArray
    pvalue: float
    at_floor: bool


def exhaustive_pvalue(values: FloatArray, observed: float, tolerance: float, tail: str) -> Draws:
    """Return the p-value from all possible values, which are equally likely."""
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
        Function from the number of a batch to an array of draws; batches are independent.
    observed, tolerance : float
        The observed value, and the difference up to which draws are as extreme.
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
        """Yield the number of draws in each batch; rounds have more and more batches."""
        nonlocal values
        first, step = 0, 1
        while values.size < most and not _enough(values, observed, tolerance, tail):
            before, parts = values.size, []
            for part in map_in_order(batch, range(first, first + step), threads):
                parts.append(part)
                yield part.size
            values = np.concatenate([values, *parts])[:most]
            drawn = values.size - before
            first += step
            # Not more batches than are still needed; all batches have the same size.
            needed = math.ceil((most - values.size) * step / drawn)
            step = min(2 * step, LARGEST_ROUND, needed)

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
    """Return the p-value, the number of draws it is based on, and how many of them are extreme."""
    counts = np.cumsum(extreme)
    if counts.size and counts[-1] >= ENOUGH:
        used = int(np.searchsorted(counts, ENOUGH)) + 1
        return ENOUGH / used, used, ENOUGH
    count = int(counts[-1]) if counts.size else 0
    return (1.0 + count) / (1.0 + counts.size), int(counts.size), count
