"""The law of the agreement of two independent rows of a distribution."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from ..._base.effort import Precision
from ..._base.estimate import Moment
from ..._base.streams import Stream
from ..._base.types import FloatArray
from ..._distributions.continuous import ContinuousAgreement
from ..._distributions.row_distributions import Categorical, Dirichlet, Identical, RowDistribution
from ...indices.agreements import Agreement, SingletonNoiseAgreement
from .base import BLOCKS_A_BATCH, FIRST_BATCHES, Bernoulli, Constant, Law

#: Concentrations with a smaller relative difference differ only by rounding.
SAME = 1e-11


class RowPairs(Law):
    """The law of the agreement of two independent rows of a distribution."""

    kind = "rows"
    drawn = True

    #: Rows in a block (fewer if rows are very long), and most entries in a batch.
    ROWS_A_BLOCK, ENTRIES_A_BATCH = 64, 1 << 23
    #: Entries compared by one call of NumPy, few enough to stay in the cache.
    ENTRIES_AT_ONCE = 1 << 14

    def __init__(self, rows: RowDistribution, agreement: Agreement) -> None:
        self.rows = rows
        self.agreement = agreement
        self._first_batches: dict[tuple[int, int, int], FloatArray] = {}

    def same_as(self, other: Law) -> bool:
        if not isinstance(other, RowPairs) or self.agreement != other.agreement:
            return False
        first, second = self.rows, other.rows
        return (
            type(first) is Dirichlet
            and type(second) is Dirichlet
            and first.alpha.shape == second.alpha.shape
            and bool((np.abs(first.alpha - second.alpha) <= SAME * first.alpha).all())
        )

    @cached_property
    def _clusters(self) -> int:
        return int(self.rows.columns(np.random.default_rng(0), 1).shape[0])

    @cached_property
    def _rows_a_block(self) -> int:
        affordable = self.ENTRIES_A_BATCH // (BLOCKS_A_BATCH * self._clusters)
        return min(max(affordable, 8), self.ROWS_A_BLOCK)

    def knows(self, moments: int) -> bool:
        return (self.mean if moments == 1 else self.square) is not None

    @cached_property
    def continuous(self) -> ContinuousAgreement | None:
        if isinstance(self.rows, Dirichlet):
            return self.agreement.continuous(self.rows.concentrations)
        return None

    @cached_property
    def mean(self) -> Moment | None:
        if self.continuous is not None:
            return Moment(self.continuous.mean)
        return self.agreement.row_mean(self.rows)

    @cached_property
    def square(self) -> Moment | None:
        return self.agreement.row_square(self.rows)

    @cached_property
    def control(self) -> float | None:
        return self.agreement.row_control(self.rows)

    def draw(self, effort: Precision, stream: Stream, batch: int) -> FloatArray:
        key = (effort.seed, stream, batch)
        drawn = self._first_batches.get(key)
        if drawn is None:
            drawn = self._draw(effort.stream(stream, batch))
            if batch < FIRST_BATCHES:  # Kept, because one clustering is often compared with many.
                self._first_batches[key] = drawn
        return drawn

    def drawn_columns(self, rng: np.random.Generator, size: int) -> FloatArray:
        """Draw rows as columns; if the last cluster is noise, clusters keep their order."""
        if isinstance(self.agreement, SingletonNoiseAgreement):
            return np.ascontiguousarray(self.rows.sample(rng, size).T)
        return self.rows.columns(rng, size)

    def _draw(self, rng: np.random.Generator) -> FloatArray:
        size = self._rows_a_block
        columns = self.drawn_columns(rng, BLOCKS_A_BATCH * size)
        rows = columns.reshape(columns.shape[0], BLOCKS_A_BATCH, -1)
        # Drawing a row takes longer than comparing it, so each row is compared with the next few
        # rows of its block (cyclically). These numbers give the smallest variance for a given time.
        shifts = min(8 if columns.shape[0] < 32 else 16, size // 2)
        wrapped = np.concatenate([rows, rows[:, :, :shifts]], axis=2)
        shifted = np.lib.stride_tricks.sliding_window_view(wrapped, size, axis=2)[:, :, 1:]
        drawn = np.empty((2, BLOCKS_A_BATCH, shifts, size))
        few = max(self.ENTRIES_AT_ONCE // rows.size, 1)
        for low in range(0, shifts, few):
            part = slice(low, low + few)
            drawn[:, :, part] = self.agreement.with_control(rows[:, :, None], shifted[:, :, part])
        return drawn.reshape(2, BLOCKS_A_BATCH, -1)

    @property
    def batch_cost(self) -> float:
        return 50.0 * BLOCKS_A_BATCH * self._rows_a_block * self._clusters

    @property
    def sort_key(self) -> tuple[Any, ...]:
        return (self.kind, self._clusters, self.rows.key)

    def describe(self) -> str:
        return self.rows.describe()

    def to_dict(self) -> dict[str, Any]:
        return {"law": self.kind, **self.rows.to_dict()}


def law_of_rows(rows: RowDistribution, agreement: Agreement, *, apart: bool = False) -> Law:
    """Return the law of the agreement of two independent rows.

    Parameters
    ----------
    rows : RowDistribution
        The distribution of the rows.
    agreement : Agreement
        The agreement of two rows.
    apart : bool
        Whether the last column is noise that no two points share.
    """
    if apart:
        return _law_of_rows_apart(rows, agreement)
    if isinstance(rows, Categorical):
        return Bernoulli(float((rows.p**2).sum()), rows.describe(), rows)
    if isinstance(rows, Identical):
        column = rows.row[:, None]
        return Constant(float(agreement.between(column, column)[0]), rows)
    return RowPairs(rows, agreement)


def _law_of_rows_apart(rows: RowDistribution, agreement: Agreement) -> Law:
    agreement = SingletonNoiseAgreement(agreement)
    if isinstance(rows, Categorical):
        return Bernoulli(float((rows.p[:-1] ** 2).sum()), rows.describe(), rows)
    if isinstance(rows, Identical):
        column = rows.row[:, None]
        return Constant(float(agreement.between(column, column)[0]), rows)
    return RowPairs(rows, agreement)
