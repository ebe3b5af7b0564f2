"""Variation of the agreements of a clustering over pairs and points, mostly without visiting pairs.

This is all that the variance under permutations needs from a side if the discordance of a pair is
linear in the product of its agreements.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ..._base.effort import Precision
from ..._base.streams import Stream
from ..._base.threads import map_in_order
from ..._base.types import FloatArray
from ..._clusterings.partition import Partition
from ..._distributions.atoms import Atoms
from ..._pairs.point_moments import sums_of_point_agreements
from ..._pairs.random_pairs import random_agreements, random_pairs
from ..._pairs.route import Route
from ...indices import PairIndex
from ...indices.agreements import Agreement, GramAgreement, NormAgreement
from ...models._laws.observed_pairs import ObservedPairs
from ...models._laws.side import Side
from .base import PAIRS
from .centred import CentredRows

#: Number of random pairs in a sample, and in one task.
SAMPLE, BLOCK = 1 << 20, 1 << 16


class Spread(NamedTuple):
    """Variation of the agreements of a clustering.

    Attributes
    ----------
    variance : float
        Variance of the agreement over all pairs of points.
    of_points : float
        Variance, over all points, of a point's mean agreement with the others.
    error : float
        Estimated error of ``variance``; 0 if it is exact.
    how : str
        Description of how it was computed.
    """

    variance: float
    of_points: float
    error: float
    how: str

    def covariance(self, n: int) -> float:
        """Return the covariance of the agreements of two pairs that share a point."""
        return ((n - 1.0) * self.of_points - self.variance) / (n - 2.0)


def spread_of(side: Side) -> Spread | None:
    """Return the variation of a side; None if there is no such formula for its agreement."""
    partition, index = side.partition, side.index
    if partition.is_hard:
        return _of_sizes(partition)
    assert isinstance(index, PairIndex)
    agreement = index.agreement
    if isinstance(agreement, GramAgreement):
        centred = CentredRows.of(agreement.of(partition).rows(partition.rows.dense))
        return Spread(centred.variance(), float(centred.point_means().var()), 0.0, "Gram matrices")
    if isinstance(agreement, NormAgreement) and agreement.knows_pair_mean(partition):
        return _of_distances(side, agreement)
    return None


def _of_sizes(partition: Partition) -> Spread:
    """Return the variation of a hard clustering."""
    n = partition.n
    together = partition.same_cluster_pairs / partition.pairs
    sizes = partition.sizes
    others = (sizes - 1.0) / (n - 1.0) - together
    variance = together * (1.0 - together)
    return Spread(variance, float(sizes @ others**2) / n, 0.0, "cluster sizes")


def _of_distances(side: Side, agreement: Agreement) -> Spread:
    """Return the variation of agreements that are 1 minus half an L1 distance."""
    partition, effort = side.partition, side.effort
    means = sums_of_point_agreements(partition, effort.n_threads) / (partition.n - 1.0)
    of_points = float(means.var())
    law = side.pairs_law
    assert isinstance(law, ObservedPairs)
    work = partition.pairs * (10.0 + partition.k)
    at_once = law.at_hand or work <= effort.budget.spread_work or effort.pairs == "all"
    if at_once and law.route is not Route.SAMPLE:
        bracket = law.bracket()
        assert bracket is not None
        low, high = _variance(bracket.inner), _variance(bracket.outer)
        error = 0.0 if bracket.exact else 0.5 * abs(high - low)
        return Spread(0.5 * (low + high), of_points, error, "all pairs")
    variance, error = _sampled_variance(partition, agreement, float(means.mean()), effort)
    return Spread(variance, of_points, error, f"{SAMPLE:,} random pairs")


def _variance(atoms: Atoms) -> float:
    return float(atoms.weights @ (atoms.values - atoms.mean) ** 2)


def _sampled_variance(
    partition: Partition, agreement: Agreement, mean: float, effort: Precision
) -> tuple[float, float]:
    """Return the mean squared deviation from the mean over random pairs, and its error."""

    def sums(block: int) -> FloatArray:
        rng = effort.stream(Stream.PERMUTATIONS, PAIRS, block)
        i, j = random_pairs(rng, partition.n, BLOCK)
        squares = (random_agreements(partition, agreement, i, j)[0] - mean) ** 2
        return np.array([squares.sum(), squares @ squares])

    blocks = list(map_in_order(sums, range(SAMPLE // BLOCK), effort.n_threads))
    first, second = (np.sum(blocks, axis=0) / SAMPLE).tolist()
    return first, math.sqrt(max(second - first**2, 0.0) / SAMPLE)
