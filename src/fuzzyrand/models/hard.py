"""Models that draw hard clusterings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from .._base.effort import Effort
from .._distributions.rows import Categorical, RowDistribution
from .._inputs.partition import Partition
from .._laws.laws import Bernoulli, Law
from .._laws.side import Side
from .._pairs.counting import bell_ratio, stirling_ratio
from .base import Model


@dataclass(frozen=True)
class Cat(Model):
    """The categorical model of Morey and Agresti (1984): points assigned independently.

    Each point goes to cluster i with a probability equal to that cluster's share. Hard only.
    """

    name: ClassVar[str] = "cat"
    assumption: ClassVar[str] = "each point assigned by itself, in these clusters' proportions"
    use: ClassVar[str] = "hard clusters whose sizes belong to the data or the method"
    hard_only: ClassVar[bool] = True
    fuzzy_counterpart: ClassVar[str] = "'fit'"

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
    hard_only: ClassVar[bool] = True
    fuzzy_counterpart: ClassVar[str] = "'sym'"

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
    use: ClassVar[str] = "hard clusters whose number is free, as in hierarchical cuts"
    hard_only: ClassVar[bool] = True
    fuzzy_counterpart: ClassVar[str] = "'flat'"

    def law(self, side: Side) -> Law:
        return Bernoulli(bell_ratio(side.partition.n), "all clusterings of the points")
