"""Random models: from a clustering to the agreement law of a random one in its place."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from numbers import Real
from typing import Any, ClassVar

import numpy as np

from ._types import FloatArray
from .counting import bell_ratio, stirling_ratio
from .distributions import Categorical, Dirichlet, Identical, RowDistribution
from .effort import Effort
from .errors import NotApplicableError, UnknownNameError, unknown_name
from .fitting import (
    RowStatistics,
    fit_by_likelihood,
    fit_by_moments,
    fit_symmetric_by_likelihood,
    fit_symmetric_by_moments,
)
from .indices import Index
from .laws import Bernoulli, Law, law_of_pairs, law_of_rows
from .partition import Partition

#: Entries below this are known only to lie below it (see ``fitting``): the spacing of doubles at 1.
DEFAULT_RESOLUTION = 2.2e-16


@dataclass(frozen=True)
class Model(ABC):
    """What "at random" means.

    A model replaces a clustering by a random one and says how the agreement of a pair is then
    distributed. Models are compared and printed by name and options.
    """

    name: ClassVar[str]
    #: Completes "chance means ...".
    assumption: ClassVar[str]
    hard_only: ClassVar[bool] = False
    #: Even in place of a hard clustering?
    draws_fuzzy: ClassVar[bool] = False
    fuzzy_counterpart: ClassVar[str] = ""

    @abstractmethod
    def law(self, partition: Partition, index: Index, effort: Effort) -> Law:
        """The agreement law of a random clustering in place of this one."""

    def require_applicable(self, partition: Partition, index: Index) -> None:
        """Refuse a clustering that the model cannot stand in for, or an index it cannot meet."""
        if index.hard_only and self.draws_fuzzy:
            raise NotApplicableError(
                f"the model {self.name!r} draws fuzzy clusterings, for which the index "
                f"{index.name!r} is not defined; index='ndc' equals it for hard ones."
            )
        if self.hard_only and not partition.is_hard:
            raise NotApplicableError(
                f"the model {self.name!r} draws hard clusterings and cannot stand in for a "
                f"{partition.kind} one. Its fuzzy counterpart is {self.fuzzy_counterpart}; "
                "the models for fuzzy clusterings are 'fit', 'sym', 'flat' and 'perm'."
            )
        if self.name != "perm" and partition.possibilistic:
            raise NotApplicableError(
                f"the model {self.name!r} draws memberships that sum to 1, but this clustering is "
                "possibilistic: its rows do not. Use model='perm', or normalize=True."
            )

    def __str__(self) -> str:
        changed = [
            f"{field.name}={getattr(self, field.name)!r}"
            for field in fields(self)
            if getattr(self, field.name) != field.default
        ]
        return f"{self.name}({', '.join(changed)})" if changed else self.name


@dataclass(frozen=True)
class Perm(Model):
    """The permutation model: the same memberships, dealt out to the points anew.

    Number and sizes of the clusters, and every single row, stay as they are. One- and two-sided
    versions coincide. For two hard clusterings it gives the adjusted Rand index of Hubert and
    Arabie (1985), for fuzzy ones the adjusted concordance index of D'Ambrosio et al. (2021).
    """

    name: ClassVar[str] = "perm"
    assumption: ClassVar[str] = "the same memberships, shuffled over the points"

    def law(self, partition: Partition, index: Index, effort: Effort) -> Law:
        return law_of_pairs(partition, index.agreement, effort)


@dataclass(frozen=True)
class Cat(Model):
    """The categorical model of Morey and Agresti (1984): points assigned independently.

    Each point goes to cluster i with a probability equal to that cluster's share. Hard only.
    """

    name: ClassVar[str] = "cat"
    assumption: ClassVar[str] = "each point assigned by itself, in these clusters' proportions"
    hard_only: ClassVar[bool] = True
    fuzzy_counterpart: ClassVar[str] = "'fit'"

    def law(self, partition: Partition, index: Index, effort: Effort) -> Law:
        return law_of_rows(Categorical(partition.sizes / partition.n), index.agreement)


@dataclass(frozen=True)
class Num(Model):
    """Every clustering into the same number of non-empty clusters, equally likely. Hard only.

    The model of Gates and Ahn (2017), exact: S(n-1, k)/S(n, k) in Stirling numbers, not 1/k.
    """

    name: ClassVar[str] = "num"
    assumption: ClassVar[str] = "any clustering into as many non-empty clusters"
    hard_only: ClassVar[bool] = True
    fuzzy_counterpart: ClassVar[str] = "'sym'"

    def law(self, partition: Partition, index: Index, effort: Effort) -> Law:
        k = partition.occupied
        return Bernoulli(
            stirling_ratio(partition.n, k), f"all clusterings into {k} non-empty clusters"
        )


@dataclass(frozen=True)
class All(Model):
    """Every clustering whatsoever, equally likely (Gates and Ahn 2017). Hard only."""

    name: ClassVar[str] = "all"
    assumption: ClassVar[str] = "any clustering of these points, into however many clusters"
    hard_only: ClassVar[bool] = True
    fuzzy_counterpart: ClassVar[str] = "'flat'"

    def law(self, partition: Partition, index: Index, effort: Effort) -> Law:
        return Bernoulli(bell_ratio(partition.n), "all clusterings of the points")


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
        if not (isinstance(self.resolution, Real) and 1e-30 <= self.resolution < 1.0):
            raise UnknownNameError(
                f"resolution must lie between 1e-30 and 1, got {self.resolution!r}; "
                "it is the size below which a membership counts as zero."
            )

    def law(self, partition: Partition, index: Index, effort: Effort) -> Law:
        return law_of_rows(self.rows(partition, effort), index.agreement)

    def rows(self, partition: Partition, effort: Effort) -> RowDistribution:
        """The distribution fitted to the rows of a clustering."""
        if partition.memberships is None:
            return Categorical(self._hard_proportions(partition))
        if self.resolution >= 1.0 / partition.k:
            raise NotApplicableError(
                f"a resolution of {self.resolution:g} is no smaller than 1/{partition.k}: rows of "
                f"{partition.k} clusters may then have no entry above it. Lower the resolution."
            )
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
    draws_fuzzy: ClassVar[bool] = True

    def law(self, partition: Partition, index: Index, effort: Effort) -> Law:
        ones = np.ones(partition.k)
        rows = Dirichlet(ones) if partition.k > 1 else Identical(ones)
        return law_of_rows(rows, index.agreement)


MODELS: dict[str, Model] = {m.name: m for m in (Perm(), Cat(), Num(), All(), Fit(), Sym(), Flat())}


def as_model(model: Any) -> Model:
    """A model object from a name or from itself."""
    if isinstance(model, Model):
        return model
    if isinstance(model, str) and model.lower() in MODELS:
        return MODELS[model.lower()]
    if isinstance(model, type) and issubclass(model, Model):
        return model()
    if model == "every" or (isinstance(model, list | tuple) and model):
        raise UnknownNameError("several models at once are for compare(); here, name one.")
    raise unknown_name("model", model, MODELS)
