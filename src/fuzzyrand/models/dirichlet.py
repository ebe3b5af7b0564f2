"""Models that draw rows from one Dirichlet distribution."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from numbers import Real
from typing import Any, ClassVar

import numpy as np

from .._base.effort import Effort
from .._base.errors import NotApplicableError, ParameterError, unknown_name
from .._base.types import FloatArray
from .._distributions.dirichlet_fit import (
    RowStatistics,
    fit_by_likelihood,
    fit_by_moments,
    fit_symmetric_by_likelihood,
    fit_symmetric_by_moments,
)
from .._distributions.rows import Categorical, Dirichlet, Identical, RowDistribution
from .._inputs.partition import Partition
from .base import Model

#: Entries below this are known only to lie below it (see ``fitting``): the spacing of doubles at 1.
DEFAULT_RESOLUTION = 2.2e-16


def require_resolution(resolution: Any) -> None:
    """Refuse a resolution that makes no sense for any clustering."""
    if not (isinstance(resolution, Real) and 1e-30 <= float(resolution) < 1.0):
        raise ParameterError(
            f"resolution must lie between 1e-30 and 1, got {resolution!r}; "
            "it is the size below which a membership counts as zero."
        )


def require_fine_resolution(resolution: float, k: int) -> None:
    """Refuse a resolution below which a whole row of k clusters may lie."""
    if resolution >= 1.0 / k:
        raise NotApplicableError(
            f"a resolution of {resolution:g} is no smaller than 1/{k}: rows of "
            f"{k} clusters may then have no entry above it. Lower the resolution."
        )


@dataclass(frozen=True)
class _Fitted(Model):
    """Options shared by the models that fit a Dirichlet distribution; see :class:`Fit`."""

    zeros: str = "censored"
    resolution: float = DEFAULT_RESOLUTION
    estimator: str = "mle"

    def __post_init__(self) -> None:
        for option, valid in (
            ("zeros", ("censored", "categorical")),
            ("estimator", ("mle", "moments")),
        ):
            if getattr(self, option) not in valid:
                raise unknown_name(f"{option} of {self.name!r}", getattr(self, option), valid)
        require_resolution(self.resolution)

    def rows(self, partition: Partition, effort: Effort) -> RowDistribution:
        if partition.memberships is None:
            return Categorical(self._hard_proportions(partition))
        require_fine_resolution(self.resolution, partition.k)
        stats = RowStatistics.of(partition.memberships, self.resolution, effort.threads)
        if self.zeros == "categorical" and stats.censored.any():
            return Categorical(self._hard_proportions(partition))
        return self._fit(stats)

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
    resolution : float
        Entries below it count as zero. Raise it for rounded data: 5e-4 for three decimals.
    estimator : "mle" or "moments"
        Maximum likelihood, or matching of mean and total variance.
    """

    name: ClassVar[str] = "fit"
    assumption: ClassVar[str] = (
        "each point drawn by itself, with these clusters' sizes and fuzziness"
    )
    use: ClassVar[str] = "sizes and fuzziness belong to the data or the method: topics, posteriors"
    recipe: ClassVar[str] = (
        "Draw the memberships of every point anew from the Dirichlet distribution that "
        "describes these best: clusters of about these sizes, points of about this fuzziness."
    )
    question: ClassVar[str] = (
        "Sizes and fuzziness belong to the data or the method: are the clusterings more alike "
        "than unrelated ones with about the same?"
    )

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
    zeros, resolution, estimator
        As in :class:`Fit`.
    """

    name: ClassVar[str] = "sym"
    assumption: ClassVar[str] = "as many clusters of this fuzziness, none larger than another"
    use: ClassVar[str] = "the number of clusters is given, not their sizes: fuzzy c-means, mixtures"
    recipe: ClassVar[str] = (
        "Draw the memberships of every point anew, with about this fuzziness, but with no "
        "cluster preferred to another."
    )
    question: ClassVar[str] = (
        "The number of clusters was given but not their sizes, as in fuzzy c-means or a "
        "mixture: are the clusterings more alike than unrelated ones with as many clusters?"
    )

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
        "Draw the memberships of every point anew, every mixture of the clusters being equally "
        "likely. Such clusterings are very fuzzy."
    )
    question: ClassVar[str] = (
        "Only the number of clusters is agreed upon, nothing about sizes or fuzziness: are the "
        "clusterings more alike than any two soft ones with those numbers?"
    )
    draws_fuzzy: ClassVar[bool] = True

    def rows(self, partition: Partition, effort: Effort) -> RowDistribution:
        ones = np.ones(partition.k)
        return Dirichlet(ones) if ones.size > 1 else Identical(ones)
