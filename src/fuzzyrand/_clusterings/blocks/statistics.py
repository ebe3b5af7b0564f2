"""Sums over rows that are needed to fit a distribution, and to see what was done to the rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..._base.estimate import FINEST
from ..._base.types import FloatArray
from ..treatment import Treatment
from .source import BlockPlace, Sums

#: Rows whose logarithms are taken at a time.
_CHUNK = 1 << 12
#: Number of bins for entries that differ by a factor of 2.
OCTAVE = 32


@dataclass(frozen=True)
class LogSums(Sums):
    """Number of entries below their limits, and sums of ln max(x, limit) and of these limits."""

    treatment: Treatment

    def partial(self, place: BlockPlace, *chunks: Any) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the three sums of a block, by column."""
        (rows,) = chunks
        below, logs, limits = np.zeros((3, rows.shape[1]))
        for start in range(0, rows.shape[0], _CHUNK):
            some = rows[start : start + _CHUNK]
            limit = self.treatment.limits(some)
            censored = some < limit
            below += censored.sum(axis=0)
            logs += np.log(np.maximum(some, limit)).sum(axis=0)
            limits += (censored * limit).sum(axis=0)
        return below, logs, limits


@dataclass(frozen=True)
class SizeCounts(Sums):
    """Number of positive entries by size, from the finest resolution up to 1."""

    def partial(self, place: BlockPlace, *chunks: Any) -> tuple[Any]:
        """Return the counts of a block."""
        (rows,) = chunks
        return (counts_by_size(rows[rows > 0.0]),)


def counts_by_size(values: FloatArray) -> Any:
    """Count positive entries in bins of equal width on a logarithmic scale.

    The first bin also holds all entries below the finest resolution, and the last one those of 1.
    """
    bins = int(size_bin(1.0)) + 1
    return np.bincount(size_bin(values), minlength=bins)


def size_bin(values: FloatArray | float) -> Any:
    """Return the bins of positive entries."""
    places = np.floor(OCTAVE * np.log2(np.maximum(values, FINEST) / FINEST))
    return np.asarray(places).astype(np.intp)


def size_of_bin(place: int) -> float:
    """Return the smallest entry that belongs to a bin."""
    return float(FINEST * 2.0 ** (place / OCTAVE))


@dataclass(frozen=True)
class ShareSums(Sums):
    """Statistics of each column's share in the sum of itself and all later columns.

    Limits apply to the entries; see ``share_statistics`` of the generalised Dirichlet. The partial
    result is an array of shape (k - 1, 11). For each column but the last, it holds the number of
    rows in which this sum is not below the limit. Over these rows and for both shares (of the
    column and of the later columns), it then holds the sums of the shares, of their squared
    distances from 0.5, of whether they are below their limits, of their logarithms, and of the
    limits of those that are below.
    """

    treatment: Treatment

    def partial(self, place: BlockPlace, *chunks: Any) -> tuple[FloatArray]:
        """Return the sums of a block."""
        (rows,) = chunks
        left = np.cumsum(rows[:, ::-1], axis=1)[:, ::-1]
        finest = np.broadcast_to(self.treatment.limits(rows), (rows.shape[0], 1))
        sums = np.zeros((rows.shape[1] - 1, 11))
        for j in range(rows.shape[1] - 1):
            some = left[:, j] >= finest[:, 0]
            parts = np.stack([rows[some, j], left[some, j + 1]], axis=1)
            whole = parts.sum(axis=1, keepdims=True)
            shares = parts / whole
            limits = np.minimum(finest[some] / whole, 0.5)
            below = shares < limits
            sums[j, 0] = parts.shape[0]
            sums[j, 1:3] = shares.sum(axis=0)
            # Centred at one half, so that nearly equal shares lose fewer digits.
            sums[j, 3:5] = ((shares - 0.5) ** 2).sum(axis=0)
            sums[j, 5:7] = below.sum(axis=0)
            sums[j, 7:9] = np.log(np.maximum(shares, limits)).sum(axis=0)
            sums[j, 9:11] = (below * limits).sum(axis=0)
        return (sums,)


@dataclass(frozen=True)
class HardOrFuzzySums(Sums):
    """Counts of rows with a single entry not below its limit, and sums over the other rows.

    The partial result holds the number of such hard rows in each cluster; for the other rows, it
    holds their number and, by column, the sums of their deviations from ``middle``, of the squares
    of these, and of :class:`LogSums`.
    """

    treatment: Treatment
    middle: tuple[float, ...]

    def partial(self, place: BlockPlace, *chunks: Any) -> tuple[Any, ...]:
        """Return the sums of a block."""
        (rows,) = chunks
        hard = (rows >= self.treatment.limits(rows)).sum(axis=1) == 1
        counts = np.bincount(rows[hard].argmax(axis=1), minlength=rows.shape[1])
        fuzzy = rows[~hard]
        away = fuzzy - np.array(self.middle)
        sums = LogSums(self.treatment).partial(place, fuzzy)
        return counts, fuzzy.shape[0], away.sum(axis=0), (away**2).sum(axis=0), *sums


@dataclass(frozen=True)
class RowSums(Sums):
    """Sum of the rows, and sum of their squared lengths."""

    def partial(self, place: BlockPlace, *chunks: Any) -> tuple[Any, ...]:
        """Return the sums of a block."""
        (rows,) = chunks
        return rows.sum(axis=0), float(np.einsum("ij,ij->", rows, rows))


@dataclass(frozen=True)
class OwnProducts(Sums):
    """Sums over rows u of u . u and of its square, and a histogram of u . u.

    The histogram has bins of equal width, each with the number and the sum of its values.
    """

    bins: int

    def partial(self, place: BlockPlace, *chunks: Any) -> tuple[Any, ...]:
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
