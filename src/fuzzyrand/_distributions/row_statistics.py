"""Statistics of memberships that fits need, computed in one pass over rows of any form.

Entries below a limit, which depends on what was done to the rows (``Treatment``), are counted and
raised to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import singledispatch
from typing import Any

import numpy as np
import numpy.typing as npt

from .._base.threads import map_in_order
from .._base.types import FloatArray
from .._clusterings.blocks.blocked_rows import BlockedMemberships
from .._clusterings.rows import DenseRows, Rows
from .._clusterings.sparse_rows import SparseRows
from .._clusterings.treatment import Largest, Treatment
from .hidden import Hidden

#: Rows summed at a time by NumPy and by the compiled pass.
_CHUNK, _COMPILED_CHUNK = 1 << 12, 1 << 14
#: Number of memberships from which the compiled pass is used. It does not matter whether Numba is
#: already loaded: the last digits differ, and the same call must always give the same answer.
_COMPILED = 1 << 22
_FACTORS = 8


@dataclass(frozen=True, eq=False)
class RowStatistics:
    """Statistics of the memberships that a fit needs, computed in one pass.

    Attributes
    ----------
    mean, variance, censored, mean_log : array of shape (k,)
        Mean and variance of each column, share of its entries below their limits, and mean of its
        logarithms, where such entries are raised to their limits.
    hidden : Hidden or None
        The membership that is hidden in these entries, if rows were rescaled without them.
    """

    mean: FloatArray
    variance: FloatArray
    censored: FloatArray
    mean_log: FloatArray
    hidden: Hidden | None = None

    @property
    def hard(self) -> bool:
        """Whether every row has a single entry that is not below the resolution."""
        return bool(abs((1.0 - self.censored).sum() - 1.0) < 1e-12)


def hidden_in(limits: FloatArray, censored: FloatArray, treatment: Treatment) -> Hidden | None:
    """Return what is hidden in censored entries, given the mean of their limits by column."""
    stretch = treatment.stretch(censored.shape[-1])
    return Hidden(limits, 1.0 - censored, stretch) if stretch else None


# --- all columns ---------------------------------------------------------------------------------


@singledispatch
def row_statistics(
    rows: Rows,
    treatment: Treatment,
    threads: int | None = None,
    weights: FloatArray | None = None,
) -> RowStatistics:
    """Return the statistics of rows that were treated in some way, and may have weights."""
    if isinstance(treatment, Largest):
        return _of_sparse(rows.without_zeros, treatment, threads, weights)
    # Subtracted from all rows, so that few digits cancel.
    origin = rows.take(slice(0, 1)).dense[0]
    limit = treatment.limits(origin[None])
    assert isinstance(limit, float)
    if weights is not None:
        return _weighted(rows, treatment, weights, limit, threads)
    chunk, add_up = _CHUNK, _sums_of_rows
    if _worth_compiled(rows):
        from . import row_kernels  # Deferred: loads Numba.

        chunk, add_up = _COMPILED_CHUNK, row_kernels.sums_of_rows
        add_up(rows.take(slice(0, 0)).dense, origin, limit)  # compile now, so that no thread waits

    def sums(start: int) -> FloatArray:
        return add_up(rows.take(slice(start, start + chunk)).dense, origin, limit)

    totals = sum(map_in_order(sums, range(0, rows.n, chunk), threads)) / rows.n
    shift, square, censored, mean_log = np.asarray(totals)
    variance = np.maximum(square - shift**2, 0.0)
    hidden = hidden_in(limit * censored, censored, treatment)
    return RowStatistics(origin + shift, variance, censored, mean_log, hidden)


def _weighted(
    rows: Rows,
    treatment: Treatment,
    weights: FloatArray,
    limit: float,
    threads: int | None,
) -> RowStatistics:
    origin = rows.take(slice(0, 1)).dense[0]

    def sums(start: int) -> FloatArray:
        part = slice(start, start + _CHUNK)
        here, w = rows.take(part).dense, weights[part]
        shifted = here - origin
        above = here >= limit
        logs = np.log(here if above.all() else np.maximum(here, limit))
        return np.stack([w @ shifted, w @ shifted**2, w @ above, w @ logs])

    totals = sum(map_in_order(sums, range(0, rows.n, _CHUNK), threads)) / weights.sum()
    shift, square, above, mean_log = np.asarray(totals)
    censored = np.maximum(1.0 - above, 0.0)  # exactly 1 where no entry is above the limit
    variance = np.maximum(square - shift**2, 0.0)
    hidden = hidden_in(limit * censored, censored, treatment)
    return RowStatistics(origin + shift, variance, censored, mean_log, hidden)


@row_statistics.register
def _of_sparse(
    rows: SparseRows,
    treatment: Treatment,
    threads: int | None = None,
    weights: FloatArray | None = None,
) -> RowStatistics:
    """Compute the statistics from the positive entries; zeros are only counted."""
    n, k = rows.shape
    limits = np.broadcast_to(treatment.limits(rows), (n, 1))[:, 0]
    own = limits[rows.points]
    above = rows.values >= own
    # Start from rows of zeros, and replace those that are not.
    changes = np.log(np.maximum(rows.values, own)) - np.log(own)
    total, factors = (n, 1.0) if weights is None else (weights.sum(), weights[rows.points])
    mean, squares, seen, kept, more = (
        np.bincount(rows.columns, factors * each, minlength=k) / total
        for each in (rows.values, rows.values**2, above, own * above, changes)
    )
    censored = np.maximum(1.0 - seen, 0.0)
    variance = np.maximum(squares - mean**2, 0.0)
    low, logs = (np.average(each, weights=weights) for each in (limits, np.log(limits)))
    hidden = hidden_in(np.maximum(low - kept, 0.0), censored, treatment)
    return RowStatistics(mean, variance, censored, logs + more, hidden)


@row_statistics.register
def _of_blocks(
    rows: BlockedMemberships,
    treatment: Treatment,
    threads: int | None = None,
    weights: FloatArray | None = None,
) -> RowStatistics:
    below, logs, limits = (sums / rows.n for sums in rows.log_sums(treatment))
    hidden = hidden_in(limits, below, treatment)
    variance = rows.survey.spread / rows.n
    return RowStatistics(rows.survey.mean, variance, below, logs, hidden)


def _worth_compiled(rows: Rows) -> bool:
    """Return whether there are enough memberships for the compiled pass."""
    some = rows.take(slice(0, _COMPILED_CHUNK)).dense
    if not some.flags.c_contiguous or not some.flags.writeable:
        return False  # Numba would have to compile another variant for each of these cases.
    return rows.n * rows.k >= _COMPILED


def _sums_of_rows(rows: FloatArray, origin: FloatArray, limit: float) -> FloatArray:
    """Compute the sums of ``row_kernels.sums_of_rows`` in NumPy."""
    ones = np.ones(rows.shape[0])
    shifted = rows - origin
    below = np.zeros(origin.size)
    if rows.min() < limit:
        below = ones @ (rows < limit)
        rows = np.maximum(rows, limit)
    return np.stack([ones @ shifted, ones @ shifted**2, below, _sums_of_logs(rows)])


def _sums_of_logs(rows: FloatArray) -> FloatArray:
    """Sum the logarithms of each column.

    A few entries are multiplied first, because logarithms are slow. Entries lie between the
    smallest allowed resolution and 1, so the products do not underflow.
    """
    whole = rows.shape[0] // _FACTORS * _FACTORS
    products = rows[:whole].reshape(_FACTORS, -1, rows.shape[1]).prod(axis=0)
    total = np.ones(products.shape[0]) @ np.log(products)
    return np.asarray(total + np.log(rows[whole:]).sum(axis=0))


# --- the share of each column in what the columns before it leave --------------------------------


@singledispatch
def share_statistics(
    rows: Rows, treatment: Treatment, weights: FloatArray | None
) -> Iterator[RowStatistics | None]:
    """Yield, for each column but the last, the statistics of its share and of the remainder.

    None stands for a column at which no row has anything left to share.
    """
    memberships = rows.dense
    left = np.cumsum(memberships[:, ::-1], axis=1)[:, ::-1]
    limits = np.broadcast_to(treatment.limits(memberships), (rows.n, 1))
    for j in range(rows.k - 1):
        some = left[:, j] >= limits[:, 0]
        if not some.any():
            yield None
            continue
        parts = np.stack([memberships[some, j], left[some, j + 1]], axis=1)
        own = None if weights is None else weights[some]
        yield _statistics_of_shares(parts, limits[some], treatment, own)


@share_statistics.register
def _shares_of_blocks(
    rows: BlockedMemberships, treatment: Treatment, weights: FloatArray | None
) -> Iterator[RowStatistics | None]:
    for sums in rows.share_sums(treatment):
        yield _statistics_of_sums(sums, treatment)


def _statistics_of_shares(
    parts: FloatArray, limits: FloatArray, treatment: Treatment, weights: FloatArray | None
) -> RowStatistics:
    """Return the statistics of the shares of two parts in their sum.

    Limits apply to the parts; the smaller their sum, the coarser the shares.
    """
    whole = parts.sum(axis=1, keepdims=True)
    shares = parts / whole
    # If the sum is hardly above the limit, a share is only known to lie between 0 and 1.
    limits = np.minimum(limits / whole, 0.5)
    below = shares < limits

    def mean(values: npt.NDArray[Any]) -> FloatArray:
        return np.asarray(np.average(values, axis=0, weights=weights))

    center = mean(shares)
    # Exactly 1 where all entries are below, although sums of weights have some rounding.
    censored = below.mean(axis=0) if weights is None else np.maximum(1.0 - mean(~below), 0.0)
    return RowStatistics(
        center,
        mean((shares - center) ** 2),
        censored,
        mean(np.log(np.maximum(shares, limits))),
        hidden_in(mean(below * limits), censored, treatment),
    )


def _statistics_of_sums(sums: FloatArray, treatment: Treatment) -> RowStatistics | None:
    """Return the statistics of the shares of a column from sums over blocks (``ShareSums``)."""
    if sums[0] == 0.0:
        return None
    mean, square, below, logs, limits = (sums[1:] / sums[0]).reshape(5, 2)
    variance = np.maximum(square - (mean - 0.5) ** 2, 0.0)
    return RowStatistics(mean, variance, below, logs, hidden_in(limits, below, treatment))


# --- hard rows, and the others -------------------------------------------------------------------


@singledispatch
def hard_and_fuzzy(
    rows: Rows, treatment: Treatment, weights: FloatArray | None
) -> tuple[npt.NDArray[Any], RowStatistics | None]:
    """Count the hard rows of each cluster, and return the statistics of the others, if any."""
    memberships = rows.dense
    hard = (memberships >= treatment.limits(memberships)).sum(axis=1) == 1
    own = None if weights is None else weights[hard]
    counts = np.bincount(memberships[hard].argmax(axis=1), own, rows.k)
    if hard.all():
        return counts, None
    own = None if weights is None else weights[~hard]
    return counts, row_statistics(DenseRows(memberships[~hard]), treatment, weights=own)


@hard_and_fuzzy.register
def _hard_and_fuzzy_blocks(
    rows: BlockedMemberships, treatment: Treatment, weights: FloatArray | None
) -> tuple[npt.NDArray[Any], RowStatistics | None]:
    counts, some, away, squares, *sums = rows.hard_or_fuzzy_sums(treatment)
    if not some:
        return counts, None
    shift = away / some
    variance = np.maximum(squares / some - shift**2, 0.0)
    below, logs, limits = (each / some for each in sums)
    hidden = hidden_in(limits, below, treatment)
    return counts, RowStatistics(rows.survey.mean + shift, variance, below, logs, hidden)
