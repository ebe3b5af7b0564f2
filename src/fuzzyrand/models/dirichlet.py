"""Models that draw rows from one Dirichlet distribution."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .._base.effort import Effort
from .._base.errors import unknown_name
from .._base.types import FloatArray
from .._distributions.dirichlet_fit import (
    RowStatistics,
    fit_by_likelihood,
    fit_by_moments,
    fit_symmetric_by_likelihood,
    fit_symmetric_by_moments,
)
from .._distributions.families import cut_rows
from .._distributions.rows import Categorical, Dirichlet, Identical, RowDistribution
from .._inputs.partition import Partition
from .._laws.base import Law
from .._laws.known import Bernoulli
from .._laws.side import Side
from .base import Model
from .resolutions import checked_resolution, require_resolution


@dataclass(frozen=True)
class _Fitted(Model):
    """Options shared by the models that fit a Dirichlet distribution; see :class:`Fit`."""

    refits_quickly: ClassVar[bool] = True

    zeros: str = "censored"
    resolution: float | str = "auto"
    estimator: str = "mle"
    bias: str = "plugin"

    def __post_init__(self) -> None:
        for option, valid in (
            ("zeros", ("censored", "categorical")),
            ("estimator", ("mle", "moments")),
            ("bias", ("plugin", "corrected")),
        ):
            if getattr(self, option) not in valid:
                raise unknown_name(
                    f"{option} of {self.name!r}", getattr(self, option), valid, parameter=option
                )
        require_resolution(self.resolution)

    @property
    def corrects_bias(self) -> bool:
        return self.bias == "corrected"

    def rows(self, partition: Partition, effort: Effort) -> RowDistribution:
        if partition.memberships is None:
            return Categorical(self._hard_proportions(partition))
        resolution = checked_resolution(self.resolution, partition.memberships)
        stats = RowStatistics.of(partition.memberships, resolution.size, effort.threads)
        if self.zeros == "categorical" and stats.censored.any():
            return Categorical(self._hard_proportions(partition))
        return cut_rows(self._fit(stats), resolution)

    @abstractmethod
    def _hard_proportions(self, partition: Partition) -> FloatArray: ...

    @abstractmethod
    def _fit(self, stats: RowStatistics) -> RowDistribution: ...


@dataclass(frozen=True)
class Fit(_Fitted):
    """Rows drawn from the Dirichlet distribution fitted to the clustering.

    Clusters of about these sizes, of about this fuzziness. The categorical model ``cat`` for a
    hard clustering.

    Parameters
    ----------
    zeros : "censored" or "categorical"
        What to make of entries below the resolution. "censored" takes them as known only
        to lie below it; "categorical" follows the authors of the models, who give up
        fuzziness altogether as soon as one entry is zero.
    resolution : "auto" or float
        Entries below it are known only to lie below it, and what the model draws is cut there as
        well. "auto" takes the smallest entry that is not zero where some entries are zero, and
        nothing but rounding (2.2e-16) otherwise. A number sets it: 5e-4 for three decimals.
    estimator : "mle" or "moments"
        Maximum likelihood, or matching of mean and total variance.
    bias : "plugin" or "corrected"
        "plugin" is the definition of the authors of the models: the fitted law stands for the
        true one. Fitted to few points of many clusters, it makes chance look less alike than it
        is; "corrected" takes that away, by clusterings drawn from the fit and fitted again, and
        exactly for hard ones.
    """

    name: ClassVar[str] = "fit"
    assumption: ClassVar[str] = (
        "each point drawn by itself, with these clusters' sizes and fuzziness"
    )
    use: ClassVar[str] = "sizes and fuzziness belong to the data or the method: topics, posteriors"
    recipe: ClassVar[str] = (
        "Draw the memberships of every point from the Dirichlet distribution that fits this "
        "clustering best: clusters have about these sizes, and points about this fuzziness."
    )
    question: ClassVar[str] = (
        "If sizes and fuzziness belong to the data or the method: are the clusterings more alike "
        "than unrelated ones of about the same sizes and fuzziness?"
    )

    describes: ClassVar[bool] = True

    def law(self, side: Side) -> Law:
        partition = side.partition
        if self.corrects_bias and partition.is_hard:
            # The unbiased estimate of the chance that two points share a cluster.
            together = partition.same_cluster_pairs / partition.pairs
            return Bernoulli(together, "points assigned by themselves, bias corrected")
        return super().law(side)

    def saturated(self, partition: Partition) -> bool:
        return partition.is_hard

    def _hard_proportions(self, partition: Partition) -> FloatArray:
        return np.asarray(partition.sizes / partition.sizes.sum())

    def _fit(self, stats: RowStatistics) -> RowDistribution:
        return fit_by_likelihood(stats) if self.estimator == "mle" else fit_by_moments(stats)


@dataclass(frozen=True)
class Sym(_Fitted):
    """Rows drawn from the symmetric Dirichlet distribution fitted to the clustering.

    As many clusters (empty ones included) of this fuzziness, none preferred. A hard clustering
    gives k equally likely clusters.

    Parameters
    ----------
    zeros, resolution, estimator, bias
        As in :class:`Fit`.
    """

    name: ClassVar[str] = "sym"
    assumption: ClassVar[str] = "as many clusters of this fuzziness, none larger than another"
    use: ClassVar[str] = "the number of clusters is given, not their sizes: fuzzy c-means, mixtures"
    recipe: ClassVar[str] = (
        "Draw the memberships of every point with about this fuzziness, but with no cluster larger "
        "than another on average."
    )
    question: ClassVar[str] = (
        "If the number of clusters was given but not their sizes, as in fuzzy c-means or mixture "
        "models: are the clusterings more alike than unrelated ones with as many clusters?"
    )

    def fitted(self, partition: Partition) -> bool:
        return not partition.is_hard

    def _hard_proportions(self, partition: Partition) -> FloatArray:
        return np.full(partition.k, 1.0 / partition.k)

    def _fit(self, stats: RowStatistics) -> RowDistribution:
        if self.estimator == "mle":
            return fit_symmetric_by_likelihood(stats)
        return fit_symmetric_by_moments(stats)


@dataclass(frozen=True)
class Flat(Model):
    """Rows drawn uniformly from the simplex: as many clusters, and nothing else assumed."""

    name: ClassVar[str] = "flat"
    assumption: ClassVar[str] = "as many clusters, every mixture of them equally likely"
    use: ClassVar[str] = "nothing but the number of clusters is agreed upon"
    recipe: ClassVar[str] = (
        "Draw the memberships of every point at random, all combinations being equally likely. "
        "Such clusterings are very fuzzy."
    )
    question: ClassVar[str] = (
        "If only the number of clusters is agreed upon, and neither sizes nor fuzziness: are the "
        "clusterings more alike than random fuzzy ones with as many clusters?"
    )
    draws_fuzzy: ClassVar[bool] = True

    def fitted(self, partition: Partition) -> bool:
        return False

    def rows(self, partition: Partition, effort: Effort) -> RowDistribution:
        ones = np.ones(partition.k)
        return Dirichlet(ones) if ones.size > 1 else Identical(ones)
