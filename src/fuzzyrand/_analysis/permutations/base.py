"""Base class and helpers of all methods of shuffling points."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from ..._base.types import FloatArray

#: Keys of the random streams of a permutation test. The stream of a batch has one number as its
#: key, the batch. All other streams have two, the first of which is one of these: pairs from which
#: the variance of the agreements is estimated, points whose agreements with all others are
#: computed, points that are shuffled if there are too many, and points that show the shape of the
#: law.
PAIRS, ROWS, POINTS, SHAPE = range(4)

#: Values that differ by less, relative to the size of their terms, are ties.
TIE = 1e-12

#: Orders of points, one in each row.
Orders = npt.NDArray[np.integer]
Number = TypeVar("Number", bound=np.generic)


class Shuffles(ABC):
    """A method of computing the discordance of two clusterings for points in random order.

    Attributes
    ----------
    how : str
        Description of the method.
    points : int
        Number of points that are shuffled.
    observed : float
        Discordance of the points in their own order, with the same rounding errors as after
        shuffling.
    tolerance : float
        Values that differ by no more are equal up to rounding.
    work : float
        Number of operations for one order of the points.
    smallest_batch, largest_batch : int
        Fewest and most orders drawn together.
    threaded : bool
        Whether a batch uses several threads, so that batches are drawn one after another.
    """

    how: str
    points: int
    observed: float
    tolerance: float
    work: float
    smallest_batch: int = 1
    largest_batch: int = 256
    threaded: bool = False

    @abstractmethod
    def draw(self, rng: np.random.Generator, size: int) -> FloatArray:
        """Return the discordances for some random orders of the points."""


def random_orders(
    rng: np.random.Generator, n: int, size: int, dtype: type[np.integer] = np.int32
) -> Orders:
    """Draw permutations of n points, one in each row."""
    orders = np.tile(np.arange(n, dtype=dtype), (size, 1))
    return rng.permuted(orders, axis=1, out=orders)


def divided(rows: npt.NDArray[Number], most: int) -> list[npt.NDArray[Number]]:
    """Divide an array into parts of at most ``most`` rows, but at least one row."""
    most = max(most, 1)
    return [rows[start : start + most] for start in range(0, rows.shape[0], most)]
