"""Models that draw rows from one Dirichlet distribution."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from .._base.effort import Precision
from .._base.errors import FuzzyRandError, unknown_name
from .._base.types import FloatArray
from .._clusterings.partition import Partition
from .._clusterings.rows import DenseRows
from .._clusterings.treatment import AsRead, Treatment
from .._distributions.dirichlet_fit import (
    LIKELIHOOD_PRECISION,
    fit_by_likelihood,
    fit_by_moments,
    fit_symmetric_by_likelihood,
    fit_symmetric_by_moments,
)
from .._distributions.dirichlet_influence import (
    likelihood_influence,
    moment_influence,
    symmetric_likelihood_influence,
)
from .._distributions.resolution import checked_treatment, require_resolution
from .._distributions.row_distributions import Categorical, Dirichlet, Identical, RowDistribution
from .._distributions.row_families import treated
from .._distributions.row_statistics import RowStatistics, row_statistics
from ._laws.base import Bernoulli, Law
from ._laws.side import Side
from .base import Model


@dataclass(frozen=True)
class FittedDirichlet(Model):
    """Options shared by the models that fit a Dirichlet distribution; see :class:`Fit`."""

    refit: ClassVar[Literal["fast", "medium", "slow"]] = "fast"
    takes_weights: ClassVar[bool] = True
    #: Whether all concentrations are equal.
    symmetric: ClassVar[bool] = False

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

    def rows(self, partition: Partition, effort: Precision) -> RowDistribution:
        if partition.is_hard:
            return Categorical(self._hard_proportions(partition))
        treatment = checked_treatment(self.resolution, partition.rows)
        inferred = self.resolution == "auto" and treatment != AsRead()

        def statistics(treatment: Treatment) -> RowStatistics:
            return row_statistics(partition.rows, treatment, effort.n_threads, partition.weights)

        stats = statistics(treatment)
        if self.zeros == "categorical" and stats.censored.any():
            return Categorical(self._hard_proportions(partition))
        try:
            fitted = self._fit(stats)
        except FuzzyRandError:
            if not inferred:
                raise
            fitted = None
        # With very few points, the likelihood may have no maximum at a coarse limit.
        if fitted is None or (inferred and _runs_away(fitted)):
            return self._fit(statistics(AsRead()))
        return treated(fitted, treatment)

    def influence(
        self,
        memberships: FloatArray,
        fitted: Dirichlet,
        slopes: FloatArray,
        weights: FloatArray | None = None,
    ) -> FloatArray:
        """Return how much each row moves a function of the concentrations.

        Parameters
        ----------
        memberships : array of shape (n, k)
            The rows that were fitted.
        fitted : Dirichlet
            The fit.
        slopes : array of shape (k,)
            Derivatives of the function with respect to the concentrations.
        weights : array, optional
            Weights of the rows.
        """
        used = fitted.alpha > 0.0
        rows, alpha, slopes = memberships[:, used], fitted.alpha[used], slopes[used]
        if self.estimator == "moments":
            return moment_influence(rows, alpha, slopes, weights, symmetric=self.symmetric)
        treatment = checked_treatment(self.resolution, DenseRows(memberships))
        by_likelihood = symmetric_likelihood_influence if self.symmetric else likelihood_influence
        return by_likelihood(rows, treatment, alpha, slopes, weights)

    @abstractmethod
    def _hard_proportions(self, partition: Partition) -> FloatArray: ...

    @abstractmethod
    def _fit(self, stats: RowStatistics) -> RowDistribution: ...


def _runs_away(fitted: RowDistribution) -> bool:
    """Whether the likelihood keeps growing with the precision, which would make all rows equal."""
    if isinstance(fitted, Dirichlet):
        return float(fitted.alpha.sum()) > LIKELIHOOD_PRECISION
    return isinstance(fitted, Identical)


@dataclass(frozen=True)
class Fit(FittedDirichlet):
    """Rows drawn from a Dirichlet distribution fitted to the clustering.

    Random clusterings have about the same cluster sizes and the same fuzziness. For a hard
    clustering the model equals :class:`Cat`.

    Parameters
    ----------
    zeros : "censored" or "categorical"
        Treatment of entries below the resolution. With "censored", they are known only to lie below
        it. "categorical" follows the authors of the models: if there is any such entry, random rows
        are hard, with the cluster sizes as proportions.
    resolution : "auto" or float
        The value below which the size of an entry is not known. Entries of random rows that are
        below it are set to zero as well. "auto" infers from the zeros in rows of several clusters
        whether memberships were rounded, cut at a limit, or cut to the largest entries of each row,
        and treats random rows in the same way. If there are no such zeros, it is the rounding error
        of doubles (2.2e-16).
    estimator : "mle" or "moments"
        Maximum likelihood, or matching of the mean and the total variance.
    bias : "plugin" or "corrected"
        "plugin" is the definition of the authors of the models: the fitted law is used as if it
        were the true one. With few points and many clusters, the expected index is then too small.
        "corrected" removes this bias: exactly for hard clusterings, and otherwise by drawing
        clusterings from the fit and fitting them again.

    Raises
    ------
    UnknownNameError
        If an option has an unknown value.
    ParameterError
        If the resolution is not a number between 1e-30 and 1.

    See Also
    --------
    Sym : Equal concentrations.
    Generalised, Mixture, Kernel, Mixed : Distributions with more freedom.
    check_model : How well the model describes a clustering.

    Notes
    -----
    Co-memberships on a side are those of two independent rows of Dirichlet(α), where α maximises
    the censored likelihood. With A = Σα, the share fⱼ of the entries of column j below the
    resolution ε, and Lⱼ the mean of ln max(xⱼ, ε), the log-likelihood per row is, up to a constant,

    ln Γ(A) − Σⱼ [(1 − fⱼ) ln Γ(αⱼ) + fⱼ ln Γ(αⱼ + 1)] + Σⱼ αⱼ Lⱼ,

    and has another term if rows were rescaled after they were cut. For the NDC the mean agreement
    has a closed form, and a comparison with a hard side is exact unless memberships were cut or
    rounded to zero. Two fuzzy sides need Monte Carlo if one of them has three or more clusters.

    References
    ----------
    .. [1] DeWolfe, R., J. L. Andrews, Random models for fuzzy clustering similarity measures,
           arXiv:2312.10270.

    Examples
    --------
    >>> import fuzzyrand as fr
    >>> toy = fr.toy_clusterings()
    >>> c = fr.compare(toy["even_hard"], toy["uneven_low_fuzzy"], model="fit")
    >>> print(c.laws[1]["text"])
    Dirichlet, concentrations (0.6125, 0.2323, 0.2323), precision 1.077
    >>> by_moments = fr.Fit(estimator="moments")
    >>> fr.compare(toy["even_hard"], toy["uneven_low_fuzzy"], model=by_moments).exact
    True
    """

    name: ClassVar[str] = "fit"
    title: ClassVar[str] = "fitted Dirichlet model"
    citation: ClassVar[str] = "DeWolfe & Andrews, 2025"
    assumption: ClassVar[str] = (
        "independent random memberships from a Dirichlet distribution fitted to the observed ones"
    )
    recipe: ClassVar[str] = (
        "Memberships are drawn independently for every point from a Dirichlet distribution fitted"
        " to the observed ones, so that random clusters have approximately the same sizes and "
        "points approximately the same fuzziness."
    )
    question: ClassVar[str] = (
        "Do the clusterings agree more than unrelated ones of other points, with approximately the "
        "same cluster sizes and fuzziness?"
    )

    describes: ClassVar[bool] = True

    def law(self, side: Side) -> Law:
        partition = side.partition
        if self.corrects_bias and partition.is_hard:
            # This is the unbiased estimate of the probability that two points share a cluster.
            together = partition.same_cluster_pairs / partition.pair_total
            return Bernoulli(together, "points assigned independently, bias corrected")
        return super().law(side)

    def saturated(self, partition: Partition) -> bool:
        return partition.is_hard

    def _hard_proportions(self, partition: Partition) -> FloatArray:
        return partition.proportions

    def _fit(self, stats: RowStatistics) -> RowDistribution:
        return fit_by_likelihood(stats) if self.estimator == "mle" else fit_by_moments(stats)


@dataclass(frozen=True)
class Sym(FittedDirichlet):
    """Rows drawn from a symmetric Dirichlet distribution fitted to the clustering.

    Random clusterings have the same number of clusters (empty ones included) and about the same
    fuzziness, and no cluster is preferred. For a hard clustering, each of the k clusters has
    probability 1/k.

    Parameters
    ----------
    zeros, resolution, estimator, bias
        As in :class:`Fit`.

    See Also
    --------
    Fit : Cluster sizes as in the clustering.
    Flat : No assumption about fuzziness.
    Num : Hard clusterings with a given number of clusters.

    Notes
    -----
    Co-memberships on a side are those of two independent rows of Dirichlet(a, …, a), where a
    maximises the likelihood given for :class:`Fit`. A column of zeros counts as a cluster here.

    References
    ----------
    .. [1] DeWolfe, R., J. L. Andrews, Random models for fuzzy clustering similarity measures,
           arXiv:2312.10270.

    Examples
    --------
    >>> import fuzzyrand as fr
    >>> toy = fr.toy_clusterings()
    >>> c = fr.compare(toy["even_hard"], toy["uneven_low_fuzzy"], model="sym", fixed="first")
    >>> print(c.laws[1]["text"])
    Dirichlet, all 3 concentrations 0.257
    """

    name: ClassVar[str] = "sym"
    title: ClassVar[str] = "symmetric Dirichlet model"
    citation: ClassVar[str] = "DeWolfe & Andrews, 2025"
    assumption: ClassVar[str] = (
        "independent random memberships from a symmetric Dirichlet distribution fitted to the "
        "observed ones, "
        "in clusters of equal size on average"
    )
    recipe: ClassVar[str] = (
        "Memberships are drawn independently for every point from a symmetric Dirichlet "
        "distribution fitted to the observed ones, so that all random clusters have the same "
        "expected size and points approximately the same fuzziness."
    )
    question: ClassVar[str] = (
        "Do the clusterings agree more than unrelated ones with as many clusters and approximately "
        "the same fuzziness? Agreement about cluster sizes counts."
    )

    counts_clusters: ClassVar[bool] = True
    symmetric: ClassVar[bool] = True

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
    """Rows drawn uniformly from the simplex.

    Random clusterings have the same number of clusters; nothing else is assumed. They are very
    fuzzy.

    See Also
    --------
    Sym : The fuzziness of the clustering.
    All : Hard clusterings about which nothing is assumed.

    Notes
    -----
    Co-memberships on a side are those of two independent rows of Dirichlet(1, …, 1). For the NDC
    it is Beta(k, k − 1), so the expected index of any two clusterings is exact. For k = 3 on both
    sides the expected index is 1 − 8/35.

    References
    ----------
    .. [1] DeWolfe, R., J. L. Andrews, Random models for fuzzy clustering similarity measures,
           arXiv:2312.10270.

    Examples
    --------
    >>> import fuzzyrand as fr
    >>> toy = fr.toy_clusterings()
    >>> round(fr.expected_similarity(toy["high_fuzzy"], toy["even_low_fuzzy"], model="flat"), 6)
    0.771429
    """

    name: ClassVar[str] = "flat"
    title: ClassVar[str] = "flat Dirichlet model"
    citation: ClassVar[str] = "DeWolfe & Andrews, 2025"
    assumption: ClassVar[str] = (
        "independent random memberships in the same number of clusters, all equally likely"
    )
    recipe: ClassVar[str] = (
        "Memberships in the observed number of clusters are drawn independently for every point, "
        "all of them equally likely."
    )
    question: ClassVar[str] = (
        "Do the clusterings agree more than unrelated, very fuzzy ones with as many clusters? "
        "Agreement about cluster sizes and fuzziness counts."
    )
    draws_fuzzy: ClassVar[bool] = True
    takes_weights: ClassVar[bool] = True
    counts_clusters: ClassVar[bool] = True

    def fitted(self, partition: Partition) -> bool:
        return False

    def rows(self, partition: Partition, effort: Precision) -> RowDistribution:
        ones = np.ones(partition.k)
        return Dirichlet(ones) if ones.size > 1 else Identical(ones)
