"""Clusterings in the form that the compiled loops need; importing this does not load Numba.

There is a type for each kind of agreement, so that a loop is compiled for what it meets.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from .._base.types import FloatArray, IntArray

if TYPE_CHECKING:
    from .._clusterings.partition import Partition
    from ..indices.agreements import Agreement

#: Points compared with one point at a time; their memberships fit into the first-level cache.
BLOCK = 256
#: Rows compared with a block at once, so that what is loaded of the block is used for all of them.
ROWS = 4


@dataclass(frozen=True)
class Loop:
    """How the agreement of two rows is computed.

    Attributes
    ----------
    kind : "norm" or "dot"
        One minus a scaled distance, or a dot product.
    p : float
        Order of the norm.
    """

    kind: Literal["norm", "dot"]
    p: float = 1.0


class Labels(NamedTuple):
    """A hard clustering: points agree if their codes are the same."""

    codes: IntArray


class Minima(NamedTuple):
    """Rows that sum to 1, and agree by their sum of minima, which is 1 - ||u - v||_1 / 2.

    Attributes
    ----------
    columns : array
        The transposed rows.
    starts, nonzero : array of int
        Where each row starts in the list of columns in which rows are not zero, and that list.
    """

    columns: FloatArray
    starts: IntArray
    nonzero: IntArray


class OffsetMinima(NamedTuple):
    """Rows with any sums: 1 - ||u - v||_1 / 2 is the sum of minima plus the offsets of both."""

    minima: Minima
    offsets: FloatArray


class Products(NamedTuple):
    """Rows that agree by their dot product; the attributes are those of ``Minima``."""

    columns: FloatArray
    starts: IntArray
    nonzero: IntArray


class Norm(NamedTuple):
    """Transposed rows that agree by one minus their scaled distance of order p."""

    columns: FloatArray
    p: float


Side = Labels | Minima | OffsetMinima | Products | Norm


def side_of(partition: Partition, agreement: Agreement, order: IntArray) -> Side:
    """Arrange a clustering as the compiled loops need it, with its points in the given order."""
    if partition.is_hard:
        return Labels(partition.rows.codes[order].astype(np.intp, copy=False))
    agreement = agreement.of(partition)
    loop = agreement.loop
    assert loop is not None
    rows = agreement.rows(partition.rows.dense[order])
    columns = np.ascontiguousarray(rows.T)
    if loop.kind == "norm" and loop.p != 1.0:
        return Norm(columns, loop.p)
    starts, nonzero = _nonzero(rows)
    if loop.kind == "dot":
        return Products(columns, starts, nonzero)
    minima = Minima(columns, starts, nonzero)
    if not partition.possibilistic:
        return minima
    return OffsetMinima(minima, 0.5 * (1.0 - rows.sum(axis=1)))


def _nonzero(rows: FloatArray) -> tuple[IntArray, IntArray]:
    """Return where each row starts among the nonzero entries, and the columns of these."""
    n, k = rows.shape
    used = rows != 0.0
    if used.all():
        return np.arange(0, (n + 1) * k, k, dtype=np.intp), np.tile(np.arange(k), n)
    starts = np.concatenate([[0], np.cumsum(used.sum(axis=1))]).astype(np.intp)
    return starts, np.nonzero(used)[1]
