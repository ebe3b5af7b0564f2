"""Infer from memberships what was done to them before they were handed in.

Only zeros show it. They are left as they are if they belong to hard rows or to empty clusters, or
if they may have underflowed.
"""

from __future__ import annotations

from functools import singledispatch
from numbers import Real
from typing import Any, Literal, NamedTuple

import numpy as np

from .._base.errors import NotApplicableError, ParameterError
from .._base.estimate import FINEST
from .._base.types import FloatArray, IntArray
from .._base.wording import Option
from .._clusterings.blocks.blocked_rows import BlockedMemberships
from .._clusterings.blocks.statistics import OCTAVE, counts_by_size, size_bin, size_of_bin
from .._clusterings.rows import Rows
from .._clusterings.sparse_rows import SparseRows
from .._clusterings.treatment import AsRead, Cut, Largest, Rounded, Treatment
from .row_logs import evenly_spaced

#: Cutting random rows at a limit below this would not change agreements noticeably.
HARMLESS = 1e-8
#: Fewest fuzzy rows from which rounding, or a fixed number of entries, is inferred.
ENOUGH = 20
#: Share of rows with exactly as many positive entries as any row has, from which the others are
#: taken to have been left out.
MOST_AT_LIMIT = 0.75
#: Most fuzzy rows that are looked at for rounding, share of them that must be rounded, and most
#: decimals.
GRID_ROWS, ON_GRID, MOST_DECIMALS = 200, 0.95, 6
#: An entry below this, or one unit of the last decimal, shows that hard rows may have been rounded.
NEARLY_HARD = 0.01
#: Relative error of an entry that was stored in single precision.
SINGLE = 4e-7
#: Largest limit of a cut; 1/k for few clusters, since a row always has an entry of that size.
LARGEST_CUT = 0.1
#: Entries below a cut are strays if zeros, and entries up to twice the limit, are this many times
#: as many.
STRAYS = 20


def require_resolution(resolution: Any) -> None:
    """Raise an error if a resolution is invalid whatever the clustering."""
    if isinstance(resolution, str) and resolution == "auto":
        return
    if not (isinstance(resolution, Real) and 1e-30 <= float(resolution) < 1.0):
        raise ParameterError(
            "{parameter} must be 'auto' or lie between 1e-30 and 1, got {value!r}; it is the size "
            "below which a membership counts as zero.",
            parameter=Option("resolution"),
            value=resolution,
        )


def checked_treatment(resolution: Any, rows: Rows) -> Treatment:
    """Return what was done to memberships; raise an error if a row may lie below a given limit."""
    k = rows.k
    if resolution != "auto" and resolution >= 1.0 / k:
        raise NotApplicableError(
            "a resolution of {value:g} is no smaller than 1/{k}: rows of {k} clusters may then "
            "have no entry above it. Lower the resolution.",
            parameter=Option("resolution"),
            value=resolution,
            k=k,
        )
    return treatment_of(rows, resolution)


def treatment_of(rows: Rows, given: float | Literal["auto"]) -> Treatment:
    """Return what was done to memberships: as inferred, or cut at a given limit.

    Examples
    --------
    >>> from fuzzyrand import as_partition
    >>> treatment_of(as_partition([[0.98, 0.02, 0.0], [0.4, 0.3, 0.3]]).rows, "auto")
    Cut(limit=0.02)
    """
    seen = _Positives(*_count_positives(rows))
    if given != "auto":
        limit = float(given)
        return Cut(limit) if seen.zeros and limit > HARMLESS else AsRead(limit)
    if not seen.zeros:
        return AsRead()
    most = seen.most_in_a_row
    if most is not None:
        return Largest(most)
    decimals = _decimals(_some_fuzzy_rows(rows))
    if decimals is not None and (
        seen.hidden_zeros or seen.smallest < max(NEARLY_HARD, 1.5 / 10.0**decimals)
    ):
        return Rounded(decimals)
    if not seen.hidden_zeros:
        return AsRead()
    limit = _limit(rows, seen)
    return Cut(limit) if limit > HARMLESS else AsRead(max(limit, FINEST))


def share_of_zeros(rows: Rows) -> float:
    """Return the share of memberships that are zero."""
    n, k = rows.shape
    return float(_Positives(*_count_positives(rows)).zeros / (n * k))


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

    @property
    def used(self) -> int:
        """Number of clusters that are not empty."""
        return int(np.count_nonzero(self.in_columns))

    @property
    def zeros(self) -> int:
        """Number of memberships that are zero."""
        return int((self.in_rows * (self.in_columns.size - np.arange(self.in_rows.size))).sum())

    @property
    def hidden_zeros(self) -> int:
        """Number of zeros that may be small memberships.

        Only zeros in rows with at least two positive entries count, because a row with a single
        one may simply be hard. Columns of empty clusters do not count either.
        """
        fuzzy = self.in_rows[2 : self.used]
        return int((fuzzy * (self.used - 2 - np.arange(fuzzy.size))).sum())

    @property
    def most_in_a_row(self) -> int | None:
        """The number of entries to which rows were cut; None if they were not.

        Numbers of entries above a limit differ from row to row. If nearly all rows have the same
        number, and none has more, the others were left out.
        """
        most = int(np.flatnonzero(self.in_rows)[-1])
        rows = int(self.in_rows.sum())
        at_limit = int(self.in_rows[most]) >= MOST_AT_LIMIT * rows
        return most if 2 <= most < self.used and rows >= ENOUGH and at_limit else None


@singledispatch
def _count_positives(rows: Rows) -> tuple[IntArray, IntArray, float]:
    """Return the attributes of :class:`_Positives`."""
    if rows.entries == rows.n * rows.k:  # the usual case, in which the other fields are not used
        return np.full(rows.k, rows.n), np.bincount([rows.k], [rows.n]).astype(np.intp), 0.0
    memberships = rows.dense
    positive = memberships > 0.0
    in_rows = np.bincount(positive.sum(axis=1), minlength=rows.k + 1)
    smallest = float(np.min(memberships, where=positive, initial=1.0))
    return positive.sum(axis=0), in_rows, smallest


@_count_positives.register
def _(rows: SparseRows) -> tuple[IntArray, IntArray, float]:
    in_rows = np.bincount(rows.filled, minlength=rows.k + 1)
    return rows.entries_a_column, in_rows, float(rows.values.min())


@_count_positives.register
def _(rows: BlockedMemberships) -> tuple[IntArray, IntArray, float]:
    return rows.survey.positive, rows.survey.entries, rows.survey.smallest


# --- the limit of a cut --------------------------------------------------------------------------


def _limit(rows: Rows, seen: _Positives) -> float:
    """Return the limit below which entries were set to zero: the smallest one that is not a stray.

    A few entries may lie below the limit, such as those of a point that was added later. They can
    be told from a tail of small entries by what surrounds them: there are far more zeros than
    strays, and far more entries just above the limit.
    """
    largest = max(LARGEST_CUT, 0.99 / rows.k)
    counts = _size_counts(rows)[: int(size_bin(largest)) + 1]
    up_to = np.concatenate([[0], np.cumsum(counts)])
    lower = up_to[:-1]
    just_above = up_to[np.minimum(np.arange(counts.size) + OCTAVE, counts.size)] - lower
    strays = (lower > 0) & (STRAYS * lower <= np.minimum(just_above, seen.hidden_zeros))
    steepness = np.where(strays | (lower == 0), just_above / (lower + 1.0), 0.0)
    place = int(steepness.argmax())
    limit = size_of_bin(place) if lower[place] else seen.smallest
    return float(min(limit, largest))


@singledispatch
def _size_counts(rows: Rows) -> IntArray:
    """Count positive entries by size; see ``counts_by_size``."""
    memberships = rows.dense
    return np.asarray(counts_by_size(memberships[memberships > 0.0]))


@_size_counts.register
def _(rows: SparseRows) -> IntArray:
    return np.asarray(counts_by_size(rows.values))


@_size_counts.register
def _(rows: BlockedMemberships) -> IntArray:
    return rows.size_counts()


# --- decimals ------------------------------------------------------------------------------------


def _some_fuzzy_rows(rows: Rows) -> FloatArray:
    """Return some of the rows with at least two positive entries."""
    some = rows.pilot
    fuzzy = np.flatnonzero(some.filled > 1)
    return some.take(evenly_spaced(fuzzy, GRID_ROWS)).dense


def _decimals(rows: FloatArray) -> int | None:
    """Return the number of decimals to which fuzzy rows were rounded; None if they were not."""
    if rows.shape[0] < ENOUGH:
        return None
    for decimals in range(1, MOST_DECIMALS + 1):
        if _on_grid(rows, 10**decimals).mean() >= ON_GRID:
            return decimals
    return None


def _on_grid(rows: FloatArray, whole: int) -> FloatArray:
    """Return whether rows consist of multiples of 1/N for a whole number N.

    Rows that were rounded to multiples of 1/``whole`` and rescaled have N near ``whole``: each
    entry changes the sum by at most half a unit. Then the smallest entry is j/N for a whole number
    j, and there are few of these to try.
    """
    k = rows.shape[1]
    low, high = max(whole - 0.5 * k, 1.0), whole + 0.5 * k
    # Few random rows must pass if all N are tried.
    tolerance = min(SINGLE * whole, 0.05 / k)
    positive = np.sort(rows, axis=1)[:, -int((rows > 0.0).sum(axis=1).max()) :]
    # Smaller entries would need a larger N.
    smallest = np.maximum(np.min(positive, axis=1, where=positive > 0.0, initial=1.0), 0.5 / high)
    first = np.maximum(np.ceil(smallest * low - 0.01), 1.0)
    found = np.zeros(rows.shape[0], dtype=bool)
    for more in range(int((smallest * high - first).max()) + 1):
        number = np.rint((first + more) / smallest)
        multiples = positive * number[:, None]
        off = np.abs(multiples - np.rint(multiples)).max(axis=1)
        found |= (off < tolerance) & (number >= low) & (number <= high)
    return found
