"""Misplaced points that a sample may miss, if it has none.

Where no point is misplaced, the influences of the points do not show how often others would be.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ..._base.types import IntArray
from ..._base.wording import Sentence
from ...results import Comparison

PAIRS_AGREE = "the clusterings agree on every pair of these points."
STRONGEST_AGREE = "the clusterings agree on the strongest cluster of every point."


def agree_if_hardened(comparison: Comparison) -> bool:
    """Return whether the strongest clusters of all points correspond one to one.

    Rows that need not sum to 1, as those of clusters that overlap, may have several strongest ones.
    """
    partitions = comparison.analysis.partitions
    if any(partition.possibilistic for partition in partitions):
        return False
    first, second = (partition.rows.strongest for partition in partitions)
    pairs = np.unique(first.astype(np.int64) * (int(second.max()) + 1) + second)
    return pairs.size == np.unique(first).size == np.unique(second).size


class Misplaced(NamedTuple):
    """Number of misplaced units that a sample may miss, and the adjusted index with them."""

    missed: int
    units: int
    adjusted: float

    def remark(self, seen: str, level: float, groups: IntArray | None) -> Sentence:
        """Return a remark that begins with what the sample shows."""
        return Sentence.of(
            seen + " The interval allows for {count:,} misplaced {units} in {n:,}, at the places "
            "that matter most. A larger share would show in such a sample with a probability of "
            "{level:.4g}.",
            count=self.missed,
            n=self.units,
            units="points" if groups is None else "groups of points",
            level=level,
        )


def with_misplaced(
    comparison: Comparison, level: float, units: int, groups: IntArray | None
) -> Misplaced | None:
    """Return the adjusted index with misplaced points; None if all points are in one cluster.

    If a share s of the units of the population were misplaced, the sample would contain none of
    them with the probability (1 - s) ** units. As many points as the largest s that the level does
    not exclude are moved to where they matter most: from the second largest cluster, and then from
    smaller ones, into the largest.
    """
    misplaced = math.ceil(units * (1.0 - (1.0 - level) ** (1.0 / units)))
    points = misplaced if groups is None else int(np.sort(np.bincount(groups))[-misplaced:].sum())
    first, partition = comparison.analysis.partitions
    sizes = np.bincount(partition.rows.strongest)
    ranks = np.argsort(np.argsort(-sizes, kind="stable"))
    ranked = np.lexsort((-partition.rows.largest, ranks[partition.rows.strongest]))
    moved = ranked[sizes.max() :]
    if partition.weights is not None and groups is None:  # points worth as much as so many units
        worth = np.cumsum(partition.weights[moved])
        points = int(np.searchsorted(worth, misplaced / units * partition.n)) + 1
    moved = moved[:points]
    if moved.size == 0:
        return None
    rows = np.arange(partition.n)
    rows[moved] = ranked[0]
    other = replace(partition.take(rows), weighting=partition.weighting)
    adjusted = comparison.analysis.of_others([first, other]).adjusted
    return Misplaced(misplaced, units, adjusted.value)
