"""Models that draw hard clusterings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .._base.effort import Effort
from .._base.types import IntArray
from .._distributions.rows import Categorical, RowDistribution
from .._inputs.partition import Partition
from .._laws.base import Law
from .._laws.known import Bernoulli
from .._laws.side import Side
from .base import Model
from .set_partitions import (
    bell_ratio,
    random_sizes,
    random_sizes_of_any_number,
    stirling_ratio,
)


@dataclass(frozen=True)
class Cat(Model):
    """The categorical model of Morey and Agresti (1984): points assigned independently.

    Each point goes to cluster i with a probability equal to that cluster's share. Hard only.
    """

    name: ClassVar[str] = "cat"
    assumption: ClassVar[str] = "each point assigned by itself, in these clusters' proportions"
    use: ClassVar[str] = "hard clusters whose sizes belong to the data or the method"
    recipe: ClassVar[str] = (
        "Assign every point to a cluster at random; a cluster that holds 30% of the points here is "
        "chosen with a probability of 30%."
    )
    question: ClassVar[str] = (
        "Are the clusterings more alike than random assignments of the points to clusters of about "
        "these sizes?"
    )
    hard_only: ClassVar[bool] = True
    fuzzy_counterpart: ClassVar[str] = "'fit'"
    refits_quickly: ClassVar[bool] = True

    def saturated(self, partition: Partition) -> bool:
        return True

    def rows(self, partition: Partition, effort: Effort) -> RowDistribution:
        return Categorical(partition.sizes / partition.n)


@dataclass(frozen=True)
class Num(Model):
    """Every clustering into the same number of non-empty clusters, equally likely. Hard only.

    The model of Gates and Ahn (2017), exact: S(n-1, k)/S(n, k) in Stirling numbers, not 1/k.
    """

    name: ClassVar[str] = "num"
    assumption: ClassVar[str] = "any clustering into as many non-empty clusters"
    use: ClassVar[str] = "hard clusters whose number alone is given, as in k-means"
    recipe: ClassVar[str] = (
        "Choose at random among all divisions of the points into as many non-empty clusters as "
        "here, all equally likely."
    )
    question: ClassVar[str] = (
        "If only the number of clusters was given in advance, as in k-means: are the clusterings "
        "more alike than random ones with as many clusters?"
    )
    hard_only: ClassVar[bool] = True
    fuzzy_counterpart: ClassVar[str] = "'sym'"

    def fitted(self, partition: Partition) -> bool:
        return False

    def draw_sizes(self, partition: Partition, rng: np.random.Generator) -> IntArray | None:
        return random_sizes(rng, partition.n, partition.occupied)

    def law(self, side: Side) -> Law:
        k = side.partition.occupied
        return Bernoulli(
            stirling_ratio(side.partition.n, k), f"all clusterings into {k} non-empty clusters"
        )


@dataclass(frozen=True)
class All(Model):
    """Every clustering whatsoever, equally likely (Gates and Ahn 2017). Hard only."""

    name: ClassVar[str] = "all"
    assumption: ClassVar[str] = "any clustering of these points, into however many clusters"
    use: ClassVar[str] = "any clustering could have come out, of about n/ln n clusters"
    recipe: ClassVar[str] = (
        "Choose at random among all divisions of the points into any number of clusters, all "
        "equally likely."
    )
    question: ClassVar[str] = (
        "If nothing was given in advance, not even the number of clusters: are the clusterings "
        "more alike than random ones?"
    )
    hard_only: ClassVar[bool] = True
    fuzzy_counterpart: ClassVar[str] = "'flat'"

    def fitted(self, partition: Partition) -> bool:
        return False

    def draw_sizes(self, partition: Partition, rng: np.random.Generator) -> IntArray:
        return random_sizes_of_any_number(rng, partition.n)

    def typical_clusters(self, partition: Partition) -> float:
        # The mean number of clusters is B(n + 1)/B(n) - 1, about n/ln n.
        return 1.0 / bell_ratio(partition.n + 1) - 1.0

    def law(self, side: Side) -> Law:
        return Bernoulli(bell_ratio(side.partition.n), "all clusterings of the points")
