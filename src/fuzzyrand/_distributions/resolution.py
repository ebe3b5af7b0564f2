"""The resolution of memberships: the size below which entries were set to zero.

Memberships are rarely stored as they were computed. Topic models drop topics below 0.01, files hold
two or three decimals, and lists of the ten largest entries are rescaled to sum to 1. A zero then
means that an entry was below some limit, and the smallest nonzero entry is an estimate of that
limit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from .._base.estimate import FINEST
from .._base.types import FloatArray, IntArray
from .._blocks.rows import BlockRows
from .._inputs.sparse_rows import SparseRows

#: Cutting random rows at a limit below this would not change agreements noticeably.
HARMLESS = 1e-8
#: Largest limits for k clusters, in units of 1/k. A cut row must keep an entry, so the cut stays
#: below 1/k. The likelihood assumes that entries below the limit are small, which holds up to about
#: half of 1/k.
LARGEST_CUT, LARGEST_FITTED = 0.99, 0.5


@dataclass(frozen=True)
class Resolution:
    """A limit below which memberships are censored: only known to lie below it.

    Attributes
    ----------
    size : float
        The limit used by a fit.
    cut : float
        The limit below which entries of random rows are set to zero.
    zeros : float
        Share of the memberships that are zero.
    inferred : bool
        Whether the limit was estimated from the memberships rather than given.
    """

    size: float
    cut: float
    zeros: float = 0.0
    inferred: bool = False

    @property
    def cuts(self) -> bool:
        """Whether random rows must be cut as well."""
        return self.zeros > 0.0 and self.cut > HARMLESS


def resolution_of(
    memberships: FloatArray | SparseRows, given: float | Literal["auto"]
) -> Resolution:
    """Return the resolution of memberships, as given or estimated from their entries.

    Examples
    --------
    >>> resolution_of(np.array([[0.99, 0.01, 0.0], [0.4, 0.3, 0.3]]), "auto").size
    0.01
    """
    n, k = memberships.shape
    positives = _Positives.of(memberships)
    zeros = 1.0 - int(positives.in_columns.sum()) / (n * k)
    if given != "auto":
        return Resolution(float(given), float(given), zeros)
    if zeros == 0.0 or not positives.show_a_cut:
        return Resolution(FINEST, FINEST, zeros)
    smallest = positives.smallest
    size, cut = (max(min(smallest, most / k), FINEST) for most in (LARGEST_FITTED, LARGEST_CUT))
    return Resolution(size, cut, zeros, inferred=True)


class _Positives(NamedTuple):
    """Counts of positive memberships.

    Attributes
    ----------
    in_columns : array of int
        Number of positive entries in each column.
    in_rows : array of int
        Number of rows with 0, 1, 2, … positive entries.
    smallest : float
        The smallest positive entry.
    """

    in_columns: IntArray
    in_rows: IntArray
    smallest: float

    @classmethod
    def of(cls, memberships: FloatArray | SparseRows) -> _Positives:
        """Count the positive entries."""
        if isinstance(memberships, SparseRows):
            in_rows = np.bincount(np.diff(memberships.starts), minlength=memberships.k + 1)
            return cls(memberships.entries_a_column, in_rows, float(memberships.values.min()))
        if isinstance(memberships, BlockRows):
            seen = memberships.survey
            return cls(seen.positive, seen.entries, seen.smallest)
        n, k = memberships.shape
        positive = memberships > 0.0
        if positive.all():  # the usual case, in which the other fields are not used
            return cls(np.full(k, n), np.zeros(0, dtype=np.intp), 0.0)
        in_rows = np.bincount(positive.sum(axis=1), minlength=k + 1)
        smallest = float(np.min(memberships, where=positive, initial=1.0))
        return cls(positive.sum(axis=0), in_rows, smallest)

    @property
    def show_a_cut(self) -> bool:
        """Whether zeros may be small memberships that were cut.

        Only zeros in rows with at least two positive entries count, because a row with a single
        one may simply be hard. Columns of empty clusters do not count either.
        """
        used = np.count_nonzero(self.in_columns)
        return bool(self.in_rows[2:used].any())
