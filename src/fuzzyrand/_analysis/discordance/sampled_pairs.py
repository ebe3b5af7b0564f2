"""Estimate the observed discordance from random pairs if there are too many pairs to visit."""

from __future__ import annotations

import math

import numpy as np

from ..._base.estimate import Estimate, error_of_sample
from ..._base.progress import progress
from ..._base.streams import Stream
from ..._base.threads import map_in_order
from ..._base.types import FloatArray
from ..._pairs.random_pairs import pairs_of, random_agreements
from ...indices import PairIndex
from ...models._laws.side import Side

BLOCK = 1 << 14


class PairSample:
    """A growing sample of pairs, of which only sums of products are kept.

    The mean discordance of the sample is corrected by regression on quantities whose means over all
    pairs are known: the agreement and a control variate (see ``indices.agreements``) of each side.
    """

    def __init__(self, sides: tuple[Side, Side]) -> None:
        # The similarity of a clustering with itself is compared with that of two clusterings, so
        # their errors must be independent.
        self._stream = Stream.SELF_PAIRS if sides[0] is sides[1] else Stream.PAIRS
        index = sides[0].index
        assert isinstance(index, PairIndex)
        self.partitions = tuple(side.partition for side in sides)
        self.index, self.effort = index, sides[0].effort
        self.size = 0
        self.largest = self.effort.budget.sampled_pairs
        # For each side, the exact means of agreement and control; NaN if not known.
        self._means = np.full((2, 2), np.nan)
        for row, side in zip(self._means, sides, strict=True):
            law = side.pairs_law
            if law.knows(1) and law.mean is not None:
                row[0] = law.mean.value
            partition = side.partition
            agreement = index.agreement.of(partition)
            row[1] = row[0] if partition.is_hard else agreement.pair_control(partition)
        self._products = np.zeros((6, 6))

    def estimate(self, size: int) -> Estimate:
        """Grow the sample to ``size`` pairs and estimate the mean discordance."""
        self._grow(size)
        has_mean = np.append(True, ~np.isnan(self._means.ravel()))
        used = np.append(np.flatnonzero(has_mean), 5)
        products = self._products[np.ix_(used, used)]
        gram, right, squares = products[:-1, :-1], products[:-1, -1], products[-1, -1]
        # The controls have mean zero over all pairs, so the intercept is the mean discordance.
        coefficients = np.linalg.lstsq(gram, right, rcond=1e-13)[0]
        residual = max(float(squares - coefficients @ right), 0.0)
        stderr = math.sqrt(residual / (self.size - used.size) / self.size)
        value = max(float(coefficients[0]), 0.0)
        stderr = error_of_sample(stderr, self.size)
        return Estimate(value, stderr, 0.0, f"{self.size:,} random pairs", self.size)

    def _grow(self, size: int) -> None:
        starts = range(self.size, size, BLOCK)

        def products(start: int) -> FloatArray:
            m = min(BLOCK, size - start)
            i, j = pairs_of(self.partitions[0], self.effort.stream(self._stream, start), m)
            agreement = self.index.agreement
            drawn = np.stack([random_agreements(p, agreement, i, j) for p in self.partitions])
            columns = np.ones((6, m))
            columns[1:5] = np.nan_to_num(drawn - self._means[:, :, None]).reshape(4, m)
            columns[5] = self.index.concordance.discordance(drawn[0, 0], drawn[1, 0])
            return np.asarray(columns @ columns.T)

        blocks = map_in_order(products, starts, self.effort.n_threads)
        for block in progress(blocks, len(starts), "random pairs"):
            self._products += block
        self.size = max(self.size, size)
