"""Estimate the observed discordance of clusterings in blocks from random groups of points.

The blocks of a file are not random groups: files are often sorted by cluster, and then the points
of a block are similar. Every group is therefore drawn from all points without replacement,
regardless of their blocks, and its points are gathered from the blocks. All pairs within a group
are visited. The mean over them is unbiased for the mean over all pairs (it is a U-statistic), and
groups are drawn independently of each other, so two groups may share a few points. The spread
between groups therefore gives the Monte Carlo error, which is valid for any order of the points.
"""

from __future__ import annotations

import math

import numpy as np

from ..._base.estimate import Estimate, error_of_sample
from ..._base.streams import Stream
from ..._base.threads import map_in_order
from ..._base.types import FloatArray
from ..._clusterings.blocks.blocked_rows import take_together
from ..._clusterings.partition import Partition
from ..._clusterings.rows import Rows
from ..._pairs import compiled
from ..._pairs.all_pairs import kept_agreements
from ...indices import PairIndex
from ...models._laws.side import Side
from .controls import Controls

#: Most memberships gathered at a time.
ENTRIES_AT_ONCE = 1 << 24


class BlockSample:
    """A growing number of random groups of points, of which only means over pairs are kept.

    The mean over the groups is corrected by regression on quantities whose means over all pairs
    are known: the agreement and a control variate (see ``indices.agreements``) of each side.

    Attributes
    ----------
    size, largest : int
        Number of pairs visited so far, and the largest possible.
    """

    def __init__(self, sides: tuple[Side, Side]) -> None:
        # The similarity of a clustering with itself is compared with that of two clusterings, so
        # their errors must be independent.
        self._stream = Stream.SELF_PAIRS if sides[0] is sides[1] else Stream.PAIRS
        index = sides[0].index
        assert isinstance(index, PairIndex)
        self.index, self.effort = index, sides[0].effort
        self.partitions = tuple(side.partition for side in sides)
        self.n = self.partitions[0].n
        budget = self.effort.budget
        # Larger groups would have more pairs, but the error depends mainly on the number of points,
        # as pairs that share a point are similar.
        self._points, self._fewest = min(budget.group_points, self.n), budget.fewest_groups
        self._pairs = self._points * (self._points - 1) // 2
        columns = sum(partition.rows.row_size for partition in self.partitions)
        self._at_once = max(ENTRIES_AT_ONCE // (self._points * columns), 1)
        most = max(budget.group_entries // (self._points * columns), self._fewest)
        self.largest = most * self._pairs
        self._means = np.array([_known_means(side) for side in sides]).ravel()
        self._values = np.zeros((0, 5))

    @property
    def size(self) -> int:
        """Number of pairs visited so far."""
        return self._values.shape[0] * self._pairs

    def estimate(self, size: int) -> Estimate:
        """Add groups until there are ``size`` pairs (within limits); estimate the discordance."""
        groups = max(math.ceil(min(size, self.largest) / self._pairs), self._fewest)
        self._grow(groups)
        known = ~np.isnan(self._means)
        controls = Controls.of(self._values[:, 1:][:, known], self._means[known])
        mean = controls.mean_of(self._values[:, 0])
        groups = self._values.shape[0]
        stderr = math.sqrt(mean.unit_variance * float((controls.weights**2).sum()))
        # A point that differs from all others changes two in n pairs.
        stderr = error_of_sample(stderr, groups * self._points // 2)
        how = (
            f"{self.size:,} pairs within {groups:,} random groups of {self._points:,} "
            f"points{self.partitions[0].in_blocks}"
        )
        return Estimate(max(mean.value, 0.0), stderr, 0.0, how, self.size)

    def _grow(self, groups: int) -> None:
        have = self._values.shape[0]
        for start in range(have, groups, self._at_once):
            numbers = range(start, min(start + self._at_once, groups))
            points = np.concatenate([self._group(number) for number in numbers])
            sides = [partition.rows for partition in self.partitions]
            taken = take_together(sides, points, "random points")

            def values(place: int, taken: list[Rows] = taken) -> FloatArray:
                here = slice(place * self._points, (place + 1) * self._points)
                return self._values_of([Partition(rows.take(here)) for rows in taken])

            more = map_in_order(values, range(len(numbers)), self.effort.n_threads)
            self._values = np.vstack([self._values, *more])

    def _group(self, number: int) -> np.ndarray:
        """Draw the points of a group, which depend only on the number of the group."""
        rng = self.effort.stream(self._stream, number)
        return rng.choice(self.n, self._points, replace=False)

    def _values_of(self, parts: list[Partition]) -> FloatArray:
        """Return the mean discordance of a group, and the means of its control variates."""
        agreement = self.index.agreement
        seen = [self._agreements(part) for part in parts]
        values = [float(self.index.concordance.discordance(seen[0], seen[-1]).mean())]
        for part, agreements in zip((parts[0], parts[-1]), (seen[0], seen[-1]), strict=True):
            mean = float(agreements.mean())
            values += [mean, mean if part.is_hard else agreement.of(part).pair_control(part)]
        return np.array([values])

    def _agreements(self, part: Partition) -> FloatArray:
        """Return the agreements of all pairs of a group; with many groups, compiled loops pay."""
        agreement = self.index.agreement
        if part.is_hard or agreement.loop is None:
            return kept_agreements(part, agreement, self.effort.budget.numpy_work)
        return compiled.pair_agreements(part, agreement)


def _known_means(side: Side) -> tuple[float, float]:
    """Return the exact means of agreement and control over all pairs; NaN if not known."""
    assert isinstance(side.index, PairIndex)
    law, partition = side.pairs_law, side.partition
    mean = law.mean if law.knows(1) else None
    if partition.is_hard:
        assert mean is not None
        return mean.value, math.nan  # the control equals the agreement and adds nothing
    control = side.index.agreement.of(partition).pair_control(partition)
    return math.nan if mean is None else mean.value, control
