"""Models that draw independent rows from a distribution richer than a single Dirichlet."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from numbers import Integral, Real
from typing import ClassVar, Literal

from .._base.effort import Precision
from .._base.errors import ParameterError
from .._base.types import FloatArray
from .._clusterings.partition import Partition
from .._clusterings.rows import Rows
from .._clusterings.treatment import Treatment
from .._distributions.family_fits import (
    fit_generalised,
    fit_hard_or_fuzzy,
    fit_kernel,
    size_order,
)
from .._distributions.mixture_fit import fit_mixture
from .._distributions.resolution import checked_treatment, require_resolution
from .._distributions.row_distributions import Categorical, RowDistribution
from .._distributions.row_families import ResampledRows, components_of, in_place, treated
from ._laws.base import Law
from ._laws.observed_pairs import ObservedPairs, ResampledPairs
from ._laws.side import Side
from .base import Model


@dataclass(frozen=True, kw_only=True)
class _RowModel(Model):
    """Base class of models that fit a distribution to the rows; ``cat`` for hard clusterings."""

    refines_cat: ClassVar[bool] = True
    takes_weights: ClassVar[bool] = True
    describes: ClassVar[bool] = True

    resolution: float | str = "auto"

    def __post_init__(self) -> None:
        require_resolution(self.resolution)

    def rows(self, partition: Partition, effort: Precision) -> RowDistribution:
        if partition.is_hard:
            return Categorical(partition.proportions)
        treatment = checked_treatment(self.resolution, partition.rows)
        order = size_order(partition.rows, partition.weights)
        rows = self._fit(partition.rows.reorder(order), treatment, partition.weights)
        return treated(in_place(rows, order), treatment)

    @abstractmethod
    def _fit(
        self, rows: Rows, treatment: Treatment, weights: FloatArray | None
    ) -> RowDistribution: ...


@dataclass(frozen=True, kw_only=True)
class Generalised(_RowModel):
    """Rows drawn from a generalised Dirichlet distribution fitted to the clustering.

    Use it as :class:`Fit`, where clusters differ in fuzziness: each has its own, whereas a
    Dirichlet distribution has a single precision for all clusters. For a hard clustering the model
    equals :class:`Cat`.

    Parameters
    ----------
    resolution : "auto" or float
        As in :class:`Fit`.

    See Also
    --------
    Fit : One precision for all clusters.

    Notes
    -----
    A row is X₁ = Z₁, X₂ = (1 − Z₁)Z₂, X₃ = (1 − Z₁)(1 − Z₂)Z₃, …, with independent Beta variables
    Zᵢ. Clusters are sorted from large to small first, because their order matters. The likelihood
    separates into k − 1 fits of two columns.

    References
    ----------
    .. [1] Connor, R. J., J. E. Mosimann, Concepts of independence for proportions with a
           generalization of the Dirichlet distribution, JASA 64 (1969).

    Examples
    --------
    >>> import fuzzyrand as fr
    >>> toy = fr.toy_clusterings()
    >>> c = fr.compare(toy["high_fuzzy"], toy["even_hard"], index="jousselme", model="generalised")
    >>> c.exact
    True
    """

    name: ClassVar[str] = "generalised"
    title: ClassVar[str] = "generalised Dirichlet model"
    assumption: ClassVar[str] = (
        "independent random memberships from a generalised Dirichlet distribution fitted to the "
        "observed ones"
    )
    recipe: ClassVar[str] = (
        "Memberships are drawn independently for every point from a generalised Dirichlet "
        "distribution fitted to the observed ones, in which every cluster may have its own "
        "fuzziness."
    )
    question: ClassVar[str] = "The same as under fit, if clusters differ in fuzziness."

    def _fit(self, rows: Rows, treatment: Treatment, weights: FloatArray | None) -> RowDistribution:
        return fit_generalised(rows, treatment, weights)


@dataclass(frozen=True, kw_only=True)
class Mixture(_RowModel):
    """Rows drawn from a mixture of Dirichlet distributions fitted to the clustering.

    Use it as :class:`Fit`, where the points are of several kinds, such as clear members of clusters
    and points between clusters. For a hard clustering the model equals :class:`Cat`.

    Parameters
    ----------
    components : int, optional
        Number of Dirichlet distributions; by default it is chosen by the Bayesian information
        criterion, up to 6.
    resolution : "auto" or float
        As in :class:`Fit`.

    Raises
    ------
    ParameterError
        If ``components`` is not an integer from 1 to 100.

    See Also
    --------
    Mixed : Hard points and fuzzy points.
    Kernel : No assumption about the shape of the distribution.

    Notes
    -----
    The density of a row is Σₘ wₘ Dirichlet(x; αₘ). It is fitted by the EM algorithm from several
    starts, accelerated by squared extrapolation; the M-step is a Newton step of the censored fit of
    :class:`Fit` with weights. If there are more than 10,000 points (fewer with many clusters), an
    evenly spaced selection of the sorted rows is used. If points have weights, so do the terms of
    the likelihood, and the criterion counts as many points of equal weight as are as informative
    [2]_.

    References
    ----------
    .. [1] Varadhan, R., C. Roland, Simple and globally convergent methods for accelerating the
           convergence of any EM algorithm, Scandinavian Journal of Statistics 35 (2008).
    .. [2] Lumley, T., A. Scott, AIC and BIC for modeling with complex survey data, J. Survey
           Statistics and Methodology 3 (2015).

    Examples
    --------
    >>> import numpy as np
    >>> import fuzzyrand as fr
    >>> rng = np.random.default_rng(0)
    >>> soft = np.vstack([rng.dirichlet([90, 5, 5], 200), rng.dirichlet([5, 5, 5], 200)])
    >>> labels = rng.integers(3, size=400)
    >>> c = fr.compare(soft, labels, model=fr.Mixture(components=2), fixed="second")
    >>> len(c.laws[0]["weights"])
    2
    """

    name: ClassVar[str] = "mixture"
    title: ClassVar[str] = "Dirichlet mixture model"
    assumption: ClassVar[str] = (
        "independent random memberships from a mixture of Dirichlet distributions fitted to the "
        "observed ones"
    )
    recipe: ClassVar[str] = (
        "Memberships are drawn independently for every point from a mixture of Dirichlet "
        "distributions fitted to the observed ones."
    )
    question: ClassVar[str] = (
        "The same as under fit, if there are several kinds of points, such as clear members of a "
        "cluster and points between clusters."
    )

    refit: ClassVar[Literal["fast", "medium", "slow"]] = "slow"
    refit_points: ClassVar[int | None] = 500

    components: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        m = self.components
        if m is not None and not (isinstance(m, Integral) and 1 <= m <= 100):
            raise ParameterError(f"components must be an integer from 1 to 100, got {m!r}.")

    def refit_as(self, rows: RowDistribution | None) -> Mixture:
        # The criterion leaves out components that only few points show. A check that draws from the
        # others would take this for a misfit; with one more component, nothing is left out.
        # (Choosing the number again for each drawn clustering would also take ten times as long.)
        if self.components is not None:
            return self
        return replace(self, components=components_of(rows) + 1)

    def _fit(self, rows: Rows, treatment: Treatment, weights: FloatArray | None) -> RowDistribution:
        return fit_mixture(rows, treatment, self.components, weights)


@dataclass(frozen=True, kw_only=True)
class Kernel(_RowModel):
    """Rows drawn from a kernel density: a random row of the clustering, slightly blurred.

    Use it as :class:`Fit`, where there are many points and no simple distribution describes the
    memberships. For a hard clustering the model equals :class:`Cat`.

    Parameters
    ----------
    bandwidth : float, optional
        The inverse of the precision of the kernels. By default it is the one that predicts each row
        best from the other rows.
    resolution : "auto" or float
        As in :class:`Fit`.

    Raises
    ------
    ParameterError
        If ``bandwidth`` does not lie between 1e-9 and 1000.

    See Also
    --------
    Empirical : The limit of bandwidth 0.
    Mixture : Fewer components.

    Notes
    -----
    A random row is drawn from Dirichlet(x/λ), where x is a random row of the clustering and λ the
    bandwidth. Its mean is x; zeros remain zero, and hard rows remain hard. λ maximises the
    leave-one-out likelihood, and may add at most one twentieth to the total variance.

    References
    ----------
    .. [1] Aitchison, J., I. J. Lauder, Kernel density estimation for compositional data, J. Royal
           Statistical Society C 34 (1985).

    Examples
    --------
    >>> import fuzzyrand as fr
    >>> toy = fr.toy_clusterings()
    >>> c = fr.compare(toy["high_fuzzy"], toy["even_hard"], model=fr.Kernel(bandwidth=0.01))
    >>> print(c.laws[0]["text"])
    kernel density: 0.11 with precision 100; 0.11 with precision 100; ...
    """

    name: ClassVar[str] = "kernel"
    title: ClassVar[str] = "kernel density model"
    assumption: ClassVar[str] = (
        "independent random memberships, each close to those of an observed point"
    )
    recipe: ClassVar[str] = (
        "Memberships are drawn independently for every point from a kernel density estimate of "
        "the observed ones."
    )
    question: ClassVar[str] = (
        "The same as under fit, if there are many points and their memberships follow no simple "
        "distribution."
    )

    #: It follows any shape, apart from the blur that it adds.
    describes: ClassVar[bool] = False
    refit: ClassVar[Literal["fast", "medium", "slow"]] = "slow"
    resamples_rows: ClassVar[bool] = True
    refit_points: ClassVar[int | None] = 300

    bandwidth: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        width = self.bandwidth
        if width is not None and not (isinstance(width, Real) and 1e-9 <= width <= 1e3):
            raise ParameterError(f"bandwidth must lie between 1e-9 and 1000, got {width!r}.")

    def _fit(self, rows: Rows, treatment: Treatment, weights: FloatArray | None) -> RowDistribution:
        return fit_kernel(rows.dense, treatment, self.bandwidth, weights)


@dataclass(frozen=True, kw_only=True)
class Mixed(_RowModel):
    """A share of hard rows, and fuzzy rows drawn from a Dirichlet distribution fitted to them.

    Use it as :class:`Fit`, where some points are hard and the others are fuzzy. For a hard
    clustering the model equals :class:`Cat`.

    Parameters
    ----------
    resolution : "auto" or float
        As in :class:`Fit`. A row with a single entry above it is hard.

    See Also
    --------
    Mixture : Several kinds of fuzzy points.

    Notes
    -----
    A share s of the rows is hard, with proportions p. The mean agreement of two rows is
    s² Σ pᵢ² + 2s(1 − s) Σ pᵢ E[Xᵢ] + (1 − s)² m, where X is a fuzzy row and m is the mean agreement
    of two fuzzy rows.

    Examples
    --------
    >>> import numpy as np
    >>> import fuzzyrand as fr
    >>> rng = np.random.default_rng(0)
    >>> half_hard = np.vstack([np.eye(3)[rng.integers(3, size=200)], rng.dirichlet([9, 9, 9], 200)])
    >>> fr.check_model(half_hard, "fit").suits, fr.check_model(half_hard, "mixed").suits
    (False, True)
    """

    name: ClassVar[str] = "mixed"
    title: ClassVar[str] = "model of hard and fuzzy rows"
    assumption: ClassVar[str] = (
        "independent random memberships with the same share of hard rows, the rest from a "
        "Dirichlet distribution fitted to the observed ones"
    )
    recipe: ClassVar[str] = (
        "Memberships are drawn independently for every point: hard with the observed probability,"
        " and otherwise from a Dirichlet distribution fitted to the fuzzy ones."
    )
    question: ClassVar[str] = (
        "The same as under fit, if some points are hard and the others are fuzzy."
    )

    def _fit(self, rows: Rows, treatment: Treatment, weights: FloatArray | None) -> RowDistribution:
        return fit_hard_or_fuzzy(rows, treatment, weights)


@dataclass(frozen=True)
class Empirical(Model):
    """Rows of the clustering, drawn with replacement.

    Use it as :class:`Fit`, where no distribution describes the memberships: nothing is smoothed or
    assumed. It is :class:`Perm` with independent points. For a hard clustering the model equals
    :class:`Cat`. Possibilistic clusterings are accepted.

    See Also
    --------
    Perm : The same rows, shuffled.
    Kernel : The same rows, blurred.

    Notes
    -----
    With probability 1/n two random rows are the same row, and otherwise they are an observed pair.
    Whatever is exact under ``perm`` is exact under this model.

    Examples
    --------
    >>> import fuzzyrand as fr
    >>> soft = [[1, 0], [0.8, 0.2], [0, 1], [0, 1], [0.5, 0.5]]
    >>> fr.compare([0, 0, 1, 1, 1], soft, model="empirical").exact
    True
    """

    name: ClassVar[str] = "empirical"
    title: ClassVar[str] = "model of resampled rows"
    assumption: ClassVar[str] = "observed memberships, drawn independently with replacement"
    recipe: ClassVar[str] = (
        "Memberships are drawn independently for every point from the observed ones, with "
        "replacement."
    )
    question: ClassVar[str] = (
        "The same as under fit, where no distribution describes the memberships."
    )
    keeps_rows: ClassVar[bool] = True
    takes_weights: ClassVar[bool] = True
    resamples_rows: ClassVar[bool] = True
    refines_cat: ClassVar[bool] = True

    def saturated(self, partition: Partition) -> bool:
        return True

    def rows(self, partition: Partition, effort: Precision) -> RowDistribution:
        if partition.is_hard:
            return Categorical(partition.proportions)
        weighting = None if partition.weights is None else partition.weighting
        return ResampledRows(partition.rows.dense, weighting)

    def law(self, side: Side) -> Law:
        pairs = side.pairs_law
        return ResampledPairs(pairs) if isinstance(pairs, ObservedPairs) else super().law(side)
