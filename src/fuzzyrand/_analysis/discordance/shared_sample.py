"""Discordances of sparse clusterings from a sample of pairs that share a cluster.

They are used if there are too many such pairs to visit. If pairs are drawn in proportion to their
agreement a on one side, the mean of a function f over all pairs is E[a] E*[f/a], where E* is the
expectation for drawn pairs. The mean agreements are known.
"""

from __future__ import annotations

import math

import numpy as np

from ..._base.effort import Precision
from ..._base.estimate import Estimate, error_of_sample
from ..._base.progress import progress
from ..._base.streams import Stream
from ..._base.threads import map_in_order
from ..._base.types import FloatArray
from ..._clusterings.partition import Partition
from ..._pairs.random_pairs import agreements_of_pairs
from ..._pairs.shared_draws import SharedDraws, mean_of_smaller
from ...indices import PairIndex
from ...indices.agreements import Agreement
from ...indices.concordances import Concordance
from ...models._laws.base import Law
from ...models._laws.observed_pairs import ObservedPairs
from ...models._laws.side import Side
from .monte_carlo import Goal

#: Pairs drawn by one task.
BLOCK = 1 << 14
#: Number of independent samples of an expected discordance, whose spread gives its error.
BATCHES = 32
#: Fewest draws of one side in a batch.
FEWEST = 1 << 10


class SharedPairSample:
    """A growing sample of pairs that share a cluster, for the observed discordance.

    With r = |a - b|/(a + b), the discordance |a - b| is a r + b r. The mean is estimated as E[a]
    times the mean of r over pairs drawn in proportion to a, plus the same for b. The ratio r lies
    between 0 and 1, and is small if the clusterings are similar.
    """

    def __init__(self, sides: tuple[Side, Side]) -> None:
        self._stream = Stream.SELF_PAIRS if sides[0] is sides[1] else Stream.PAIRS
        index = sides[0].index
        assert isinstance(index, PairIndex)
        self._effort = sides[0].effort
        self._rows = [index.agreement.sparse_rows(side.partition) for side in sides]
        partition = sides[0].partition
        self._draws = [SharedDraws(rows, partition.weights) for rows in self._rows]
        pairs = partition.pair_total
        self._means = np.array([draws.total / pairs for draws in self._draws])
        #: For each side, the number of pairs, and the sums of ratios and of their squares.
        self._sums = np.zeros((2, 3))
        self.size, self.largest = 0, self._effort.budget.sampled_pairs

    def estimate(self, size: int) -> Estimate:
        """Grow the sample to ``size`` pairs and estimate the mean discordance."""
        self._grow(size)
        counts, sums, squares = self._sums.T
        means = sums / counts
        variances = np.maximum(squares / counts - means**2, 0.0) / (counts - 1.0)
        value = float(self._means @ means)
        errors = np.array(
            [
                error_of_sample(math.sqrt(v), m)
                for v, m in zip(variances.tolist(), counts.tolist(), strict=True)
            ]
        )
        stderr = math.sqrt(float(self._means**2 @ errors**2))
        how = f"{self.size:,} random pairs that share a cluster"
        return Estimate(value, stderr, 0.0, how, self.size)

    def _grow(self, size: int) -> None:
        # Each side gets a number of draws in proportion to its mean agreement.
        share = float(self._means[0] / self._means.sum())

        def sums(start: int) -> FloatArray:
            m = min(BLOCK, size - start)
            of_first = min(max(round(share * m), 1), m - 1)
            found = np.empty((2, 3))
            for side, count in enumerate((of_first, m - of_first)):
                rng = self._effort.stream(self._stream, start, side)
                i, j = self._draws[side].draw(rng, count)
                a, b = (agreements_of_pairs(rows, i, j, product=False) for rows in self._rows)
                ratio = np.abs(a - b) / (a + b)
                found[side] = count, ratio.sum(), (ratio**2).sum()
            return found

        starts = range(self.size, size, BLOCK)
        blocks = map_in_order(sums, starts, self._effort.n_threads)
        for block in progress(blocks, len(starts), "random pairs"):
            self._sums += block
        self.size = max(self.size, size)


def can_share(
    agreement: Agreement, concordance: Concordance, partitions: tuple[Partition, Partition]
) -> bool:
    """Return whether discordances can be estimated from pairs that share a cluster."""
    loop = agreement.loop
    return (
        any(partition.rows.mostly_zero for partition in partitions)
        and concordance.power == 1.0
        and loop is not None
        and loop.kind == "norm"
        and all(_has_pairs(partition, agreement) for partition in partitions)
    )


def expected_by_sharing(
    first: Law, second: Law, concordance: Concordance, goal: Goal, effort: Precision
) -> Estimate | None:
    """Estimate E|A1 - A2| for the observed pairs of two sparse clusterings; None in other cases.

    It is E[A1] + E[A2] - 2 E[min(A1, A2)]. With A* drawn in proportion to A, the last mean is
    E[A1] E[A2] E[1/max(A1*, A2*)]. For sparse clusterings, it is much smaller than the others.
    """
    laws = (first, second)
    if not all(type(law) is ObservedPairs for law in laws):
        return None
    assert isinstance(first, ObservedPairs)
    assert isinstance(second, ObservedPairs)
    agreement = first.agreement
    if not can_share(agreement, concordance, (first.partition, second.partition)):
        return None
    # Sorted, so that exchanging the sides gives the same result.
    ordered = sorted((first, second), key=lambda law: law.sort_key)
    rows = [agreement.sparse_rows(law.partition) for law in ordered]
    draws = [SharedDraws(each, first.partition.weights) for each in rows]
    mean1, mean2 = (each.total / first.partition.pair_total for each in draws)
    streams = (Stream.FIRST_LAW, Stream.SECOND_LAW)

    def batch(number: int, size: int) -> float:
        drawn = []
        for stream, each, own in zip(streams, draws, rows, strict=True):
            i, j = each.draw(effort.stream(stream, size, number), size)
            drawn.append(agreements_of_pairs(own, i, j, product=False))
        return mean1 * mean2 * mean_of_smaller(drawn[0], drawn[1])

    size, most = FEWEST, effort.budget.shared_draws
    while True:
        smaller = np.array(
            list(map_in_order(lambda number: batch(number, size), range(BATCHES), effort.n_threads))  # noqa: B023
        )
        value = mean1 + mean2 - 2.0 * float(smaller.mean())
        stderr = 2.0 * float(smaller.std(ddof=1)) / math.sqrt(BATCHES)
        wanted = goal(value)
        if stderr <= wanted or size >= most:
            break
        size = min(4 * size, most)
    drawn = 2 * BATCHES * size
    how = f"Monte Carlo, {drawn:,} co-memberships of pairs that share a cluster"
    return Estimate(value, stderr, 0.0, how, drawn, reached=stderr <= wanted)


def _has_pairs(partition: Partition, agreement: Agreement) -> bool:
    rows = agreement.shared_rows(partition)
    return rows is not None and rows.without_zeros.shared_entries > 0.0
