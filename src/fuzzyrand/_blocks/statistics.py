"""Sums over rows that are needed to fit a distribution at a given resolution of memberships."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .._base.types import FloatArray
from .source import Place, Sums

#: Rows whose logarithms are taken at a time.
_CHUNK = 1 << 12


@dataclass(frozen=True)
class LogSums(Sums):
    """Number of entries below a resolution, and sum of ln max(x, resolution), by column."""

    resolution: float

    def partial(self, place: Place, *chunks: Any) -> tuple[FloatArray, FloatArray]:
        """Return both sums of a block."""
        (rows,) = chunks
        below, logs = np.zeros((2, rows.shape[1]))
        for start in range(0, rows.shape[0], _CHUNK):
            some = rows[start : start + _CHUNK]
            below += (some < self.resolution).sum(axis=0)
            logs += np.log(np.maximum(some, self.resolution)).sum(axis=0)
        return below, logs


@dataclass(frozen=True)
class ShareSums(Sums):
    """Statistics of each column's share in the sum of itself and all later columns.

    The resolution applies to the entries; see ``share_statistics`` of the generalised Dirichlet.
    The partial result is an array of shape (k - 1, 9). For each column but the last, it holds the
    number of rows in which this sum is not below the resolution. Over these rows and for both
    shares (of the column and of the later columns), it then holds the sums of the shares, of their
    squared distances from 0.5, of whether they are below the resolution, and of their logarithms.
    """

    resolution: float

    def partial(self, place: Place, *chunks: Any) -> tuple[FloatArray]:
        """Return the sums of a block."""
        (rows,) = chunks
        left = np.cumsum(rows[:, ::-1], axis=1)[:, ::-1]
        sums = np.zeros((rows.shape[1] - 1, 9))
        for j in range(rows.shape[1] - 1):
            some = left[:, j] >= self.resolution
            parts = np.stack([rows[some, j], left[some, j + 1]], axis=1)
            whole = parts.sum(axis=1, keepdims=True)
            shares = parts / whole
            limits = np.minimum(self.resolution / whole, 0.5)
            sums[j, 0] = parts.shape[0]
            sums[j, 1:3] = shares.sum(axis=0)
            # Centred at one half, so that nearly equal shares lose fewer digits.
            sums[j, 3:5] = ((shares - 0.5) ** 2).sum(axis=0)
            sums[j, 5:7] = (shares < limits).sum(axis=0)
            sums[j, 7:9] = np.log(np.maximum(shares, limits)).sum(axis=0)
        return (sums,)


@dataclass(frozen=True)
class HardOrFuzzySums(Sums):
    """Counts of rows with a single entry not below the resolution, and sums over the other rows.

    The partial result holds the number of such hard rows in each cluster; for the other rows, it
    holds their number and, by column, the sums of their deviations from ``middle``, of the squares
    of these, of the entries below the resolution, and of logarithms.
    """

    resolution: float
    middle: tuple[float, ...]

    def partial(self, place: Place, *chunks: Any) -> tuple[Any, ...]:
        """Return the sums of a block."""
        (rows,) = chunks
        hard = (rows >= self.resolution).sum(axis=1) == 1
        counts = np.bincount(rows[hard].argmax(axis=1), minlength=rows.shape[1])
        fuzzy = rows[~hard]
        away = fuzzy - np.array(self.middle)
        below, logs = LogSums(self.resolution).partial(place, fuzzy)
        return counts, fuzzy.shape[0], away.sum(axis=0), (away**2).sum(axis=0), below, logs


@dataclass(frozen=True)
class RowSums(Sums):
    """Sum of the rows, and sum of their squared lengths."""

    def partial(self, place: Place, *chunks: Any) -> tuple[Any, ...]:
        """Return the sums of a block."""
        (rows,) = chunks
        return rows.sum(axis=0), float(np.einsum("ij,ij->", rows, rows))


@dataclass(frozen=True)
class OwnProducts(Sums):
    """Sums over rows u of u . u and of its square, and a histogram of u . u.

    The histogram has bins of equal width, each with the number and the sum of its values.
    """

    bins: int

    def partial(self, place: Place, *chunks: Any) -> tuple[Any, ...]:
        """Return the sums of a block."""
        (rows,) = chunks
        own = np.einsum("ij,ij->i", rows, rows)
        at = np.minimum((own * self.bins).astype(np.intp), self.bins - 1)
        return (
            own.sum(),
            (own**2).sum(),
            np.bincount(at, minlength=self.bins).astype(np.float64),
            np.bincount(at, own, minlength=self.bins),
        )
