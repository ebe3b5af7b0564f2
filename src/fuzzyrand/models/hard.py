"""Models that draw hard clusterings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from .._base.effort import Precision
from .._base.types import IntArray
from .._clusterings.partition import Partition
from .._distributions.row_distributions import Categorical, ClusterSizes, RowDistribution
from ._laws.base import Bernoulli, Law
from ._laws.side import Side
from .base import Model
from .set_partitions import (
    bell_ratio,
    expected_sizes,
    expected_sizes_of_any_number,
    random_sizes,
    random_sizes_of_any_number,
    stirling_ratio,
)

#: Relative deviation from its limit from which the chance of ``num`` depends on the points.
UNSETTLED = 0.01


@dataclass(frozen=True)
class Cat(Model):
    """Hard clusterings whose points are assigned independently, in proportion to cluster sizes.

    Each point is assigned to cluster i with a probability equal to the share of the points that are
    in cluster i. The model applies to hard clusterings only.

    See Also
    --------
    Fit : The counterpart for fuzzy clusterings.

    Notes
    -----
    With proportions p, two points are in the same cluster with probability q = Σ pᵢ². The expected
    Rand index of two sides is q₁q₂ + (1 − q₁)(1 − q₂).

    References
    ----------
    .. [1] Morey, L. C., A. Agresti, The measurement of classification agreement: an adjustment to
           the Rand statistic for chance agreement, Educ. Psychol. Meas. 44 (1984).

    Examples
    --------
    >>> import fuzzyrand as fr
    >>> fr.expected_similarity([0, 0, 1, 1], [0, 1, 0, 1], model="cat")
    0.5
    """

    name: ClassVar[str] = "cat"
    title: ClassVar[str] = "categorical model"
    citation: ClassVar[str] = "Morey & Agresti, 1984"
    assumption: ClassVar[str] = "independent random labels in the same proportions"
    recipe: ClassVar[str] = (
        "Every point is assigned to a cluster independently, with the observed proportions, so "
        "that random clusters have approximately the same sizes."
    )
    question: ClassVar[str] = (
        "Do the clusterings agree more than unrelated ones of other points, with approximately the "
        "same cluster sizes?"
    )
    hard_only: ClassVar[bool] = True
    takes_weights: ClassVar[bool] = True
    fuzzy_counterpart: ClassVar[str] = "'fit'"
    refit: ClassVar[Literal["fast", "medium", "slow"]] = "fast"

    def saturated(self, partition: Partition) -> bool:
        return True

    def rows(self, partition: Partition, effort: Precision) -> RowDistribution:
        return Categorical(partition.proportions)


@dataclass(frozen=True)
class Num(Model):
    """Hard clusterings into the same number of non-empty clusters, all equally likely.

    The model applies to hard clusterings only.

    See Also
    --------
    Sym : The counterpart for fuzzy clusterings.
    All : Any number of clusters.

    Notes
    -----
    Two of the n points are in the same cluster with probability q = S(n−1, k)/S(n, k), where S are
    Stirling numbers of the second kind. This is exact; it approaches 1/k for large n. The expected
    Rand index of two sides is q₁q₂ + (1 − q₁)(1 − q₂).

    References
    ----------
    .. [1] Gates, A. J., Y.-Y. Ahn, The impact of random models on clustering similarity, J. Machine
           Learning Research 18 (2017).

    Examples
    --------
    >>> import fuzzyrand as fr
    >>> round(fr.expected_similarity([0, 0, 1, 1], [0, 1, 0, 1], model="num"), 4)
    0.5102
    """

    name: ClassVar[str] = "num"
    title: ClassVar[str] = "model of a fixed number of clusters"
    citation: ClassVar[str] = "Gates & Ahn, 2017"
    assumption: ClassVar[str] = (
        "all partitions into the same number of non-empty clusters, equally likely"
    )
    recipe: ClassVar[str] = (
        "All partitions of the points into the observed number of non-empty clusters are equally "
        "likely."
    )
    question: ClassVar[str] = (
        "Do the clusterings agree more than unrelated ones with as many clusters? Agreement about "
        "cluster sizes counts."
    )
    hard_only: ClassVar[bool] = True
    takes_weights: ClassVar[bool] = True
    fuzzy_counterpart: ClassVar[str] = "'sym'"
    counts_clusters: ClassVar[bool] = True

    def fitted(self, partition: Partition) -> bool:
        return False

    def settled(self, partition: Partition) -> bool:
        # The limit is 1/k. It is reached quickly, unless clusters have only a few points.
        k = partition.occupied
        return abs(k * stirling_ratio(partition.n, k) - 1.0) <= UNSETTLED

    def draw_sizes(self, partition: Partition, rng: np.random.Generator) -> IntArray | None:
        return random_sizes(rng, partition.n, partition.occupied)

    def expected_sizes(self, partition: Partition) -> ClusterSizes:
        return ClusterSizes(*expected_sizes(partition.n, partition.occupied))

    def law(self, side: Side) -> Law:
        k = side.partition.occupied
        return Bernoulli(
            stirling_ratio(side.partition.n, k), f"all clusterings into {k} non-empty clusters"
        )


@dataclass(frozen=True)
class All(Model):
    """Hard clusterings of the points into any number of clusters, all equally likely.

    The model applies to hard clusterings only. Random clusterings have about n/ln n clusters.

    See Also
    --------
    Flat : The counterpart for fuzzy clusterings.
    Num : A given number of clusters.

    Notes
    -----
    Two of the n points are in the same cluster with probability q = B(n−1)/B(n), where B are Bell
    numbers. The expected Rand index of two sides is q² + (1 − q)².

    References
    ----------
    .. [1] Gates, A. J., Y.-Y. Ahn, The impact of random models on clustering similarity, J. Machine
           Learning Research 18 (2017).

    Examples
    --------
    >>> import fuzzyrand as fr
    >>> round(fr.expected_similarity([0, 0, 1, 1], [0, 1, 0, 1], model="all"), 4)
    0.5556
    """

    name: ClassVar[str] = "all"
    title: ClassVar[str] = "model of all partitions"
    citation: ClassVar[str] = "Gates & Ahn, 2017"
    assumption: ClassVar[str] = (
        "all partitions of the points into any number of clusters, equally likely"
    )
    recipe: ClassVar[str] = (
        "All partitions of the points into any number of clusters are equally likely."
    )
    question: ClassVar[str] = (
        "Do the clusterings agree more than unrelated ones with any number of clusters? Agreement "
        "about the number and the sizes of clusters counts."
    )
    hard_only: ClassVar[bool] = True
    takes_weights: ClassVar[bool] = True
    converges: ClassVar[bool] = False
    fuzzy_counterpart: ClassVar[str] = "'flat'"

    def fitted(self, partition: Partition) -> bool:
        return False

    def draw_sizes(self, partition: Partition, rng: np.random.Generator) -> IntArray:
        return random_sizes_of_any_number(rng, partition.n)

    def expected_sizes(self, partition: Partition) -> ClusterSizes:
        return ClusterSizes(*expected_sizes_of_any_number(partition.n))

    def typical_clusters(self, partition: Partition) -> float:
        # The mean number of clusters is B(n + 1)/B(n) - 1, about n/ln n.
        return 1.0 / bell_ratio(partition.n + 1) - 1.0

    def law(self, side: Side) -> Law:
        return Bernoulli(bell_ratio(side.partition.n), "all clusterings of the points")
