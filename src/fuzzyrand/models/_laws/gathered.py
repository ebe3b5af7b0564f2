"""Draw pairs of a clustering in blocks, and compute agreements of its rows with themselves."""

from __future__ import annotations

import threading
from typing import NamedTuple

import numpy as np

from ..._base.effort import Precision
from ..._base.streams import Stream
from ..._base.types import FloatArray
from ..._clusterings.blocks.blocked_rows import BlockedMemberships
from ..._clusterings.partition import Partition
from ..._distributions.atoms import Atoms, Bracket, bracket_of_bins
from ..._pairs.random_pairs import random_agreements, random_pairs
from ...indices.agreements import Agreement, DotAgreement
from .base import BLOCKS_A_BATCH

#: Rows in a block of draws, and number of following rows that each is compared with (cyclically).
ROWS_A_BLOCK, PARTNERS = 256, 8
#: Most batches, and most memberships, whose rows are gathered in one pass over the blocks.
BATCHES_A_PASS, ENTRIES_A_PASS = 16, 1 << 23
#: Number of passes whose rows are kept.
PASSES_KEPT = 4
#: Pairs in a batch that is drawn from a sample of the rows.
PAIRS_A_BATCH = 1 << 13
#: Number of bins for the agreements of rows with themselves.
OWN_BINS = 1 << 16

#: Streams used only for notes and checks, for which a sample of the rows is good enough.
_FROM_SOME_ROWS = (Stream.MISFIT, Stream.REDRAWS)


class GatheredDraws:
    """Agreements of random pairs of a clustering in blocks.

    The rows of a block of draws are drawn from all rows, and different blocks of draws are
    independent, as :meth:`Law.draw` requires. Rows are gathered for many batches in one pass.

    Parameters
    ----------
    partition : Partition
        A clustering in blocks.
    agreement : Agreement
        The agreement of two rows.
    replace : bool
        Whether a row may be drawn twice, so that a pair may consist of a row with itself.
    """

    def __init__(
        self, partition: Partition, agreement: Agreement, *, replace: bool = False
    ) -> None:
        self.partition, self.agreement, self.replace = partition, agreement, replace
        self.rows = ROWS_A_BLOCK if replace else min(ROWS_A_BLOCK, partition.n)
        affordable = ENTRIES_A_PASS // (BLOCKS_A_BATCH * self.rows * partition.k)
        self.batches = int(np.clip(affordable, 1, BATCHES_A_PASS))
        self._lock = threading.Lock()
        self._parts: dict[tuple[int, int, int], FloatArray] = {}

    def draw(self, effort: Precision, stream: Stream, batch: int) -> FloatArray:
        """Draw a batch of agreements and controls; see :meth:`Law.draw`."""
        if stream in _FROM_SOME_ROWS:
            few = self.partition.pilot
            pairs = random_pairs(effort.stream(stream, batch), few.n, PAIRS_A_BATCH)
            drawn = random_agreements(few, self.agreement, *pairs)
            return drawn.reshape(2, BLOCKS_A_BATCH, -1)
        key = (effort.seed, int(stream), batch // self.batches)
        with self._lock:  # batches are drawn on several threads, but rows are gathered once
            if key not in self._parts:
                self._parts[key] = self._gather(effort, stream, batch // self.batches)
                while len(self._parts) > PASSES_KEPT:  # batches are requested in order
                    del self._parts[next(iter(self._parts))]
            memberships = self._parts[key]
        place = batch % self.batches
        size = BLOCKS_A_BATCH * self.rows
        here = memberships[place * size : (place + 1) * size]
        rows = np.ascontiguousarray(here.T).reshape(-1, BLOCKS_A_BATCH, self.rows)
        shifts = min(PARTNERS, self.rows - 1)
        wrapped = np.concatenate([rows, rows[:, :, :shifts]], axis=2)
        out = np.empty((2, BLOCKS_A_BATCH, shifts, self.rows))
        for shift in range(shifts):
            other = wrapped[:, :, shift + 1 : shift + 1 + self.rows]
            out[:, :, shift] = self.agreement.with_control(rows, other)
        return out.reshape(2, BLOCKS_A_BATCH, -1)

    def _gather(self, effort: Precision, stream: Stream, number: int) -> FloatArray:
        first = number * self.batches
        chosen = []
        for batch in range(first, first + self.batches):
            rng = effort.stream(stream, batch)
            chosen += [
                rng.choice(self.partition.n, self.rows, replace=self.replace)
                for _ in range(BLOCKS_A_BATCH)
            ]
        return self.partition.rows.take(np.concatenate(chosen)).dense


class SelfAgreements(NamedTuple):
    """The law of the agreements of the rows of a clustering with themselves.

    Attributes
    ----------
    mean, square, control : float
        Their mean and mean square, and the mean of their control variate.
    law : Bracket
        Their law.
    """

    mean: float
    square: float
    control: float
    law: Bracket


def own_law_of_blocks(partition: Partition, agreement: Agreement) -> SelfAgreements:
    """Return the law of the agreements of rows with themselves, for a clustering in blocks."""
    if not isinstance(agreement, DotAgreement):  # 1 for any row, with a control (distance) of 0
        return SelfAgreements(1.0, 1.0, 0.0, Bracket.exactly(Atoms(np.ones(1), np.ones(1))))
    rows = partition.rows
    assert isinstance(rows, BlockedMemberships)
    total, squares, counts, sums = rows.own_products(OWN_BINS)
    n = rows.n
    law = bracket_of_bins(np.linspace(0.0, 1.0, OWN_BINS + 1), counts, sums)
    # The control of a dot product is its square.
    return SelfAgreements(float(total) / n, float(squares) / n, float(squares) / n, law)
