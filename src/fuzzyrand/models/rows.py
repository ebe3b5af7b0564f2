"""Models that draw independent rows from a distribution richer than one Dirichlet, or your own."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np

from .._base.effort import Effort
from .._base.errors import NotApplicableError, ParameterError
from .._base.types import FloatArray
from .._distributions.custom_rows import as_rows, is_fit
from .._distributions.families import ResampledRows, in_place
from .._distributions.family_fits import (
    fit_generalised,
    fit_hard_or_fuzzy,
    fit_kernel,
    fit_mixture,
    size_order,
)
from .._distributions.rows import Categorical, RowDistribution
from .._inputs.partition import Partition
from .._laws.laws import Law, ObservedPairs, ResampledPairs
from .._laws.side import Side
from .base import Model
from .dirichlet import DEFAULT_RESOLUTION, require_fine_resolution, require_resolution

#: Entries of a one-hot matrix that is made for a user's own fit of a hard clustering.
LARGEST_ONE_HOT = 100_000_000


@dataclass(frozen=True, kw_only=True)
class _RowModel(Model):
    """A distribution fitted to the rows; for a hard clustering ``cat``."""

    refines_cat: ClassVar[bool] = True

    resolution: float = DEFAULT_RESOLUTION

    def __post_init__(self) -> None:
        require_resolution(self.resolution)

    def rows(self, partition: Partition, effort: Effort) -> RowDistribution:
        if partition.memberships is None:
            return Categorical(partition.sizes / partition.n)
        require_fine_resolution(self.resolution, partition.k)
        order = size_order(partition.memberships)
        return in_place(self._fit(partition.memberships[:, order]), order)

    @abstractmethod
    def _fit(self, memberships: FloatArray) -> RowDistribution: ...


@dataclass(frozen=True, kw_only=True)
class Generalised(_RowModel):
    """Rows drawn from the generalised Dirichlet distribution (Connor and Mosimann 1969).

    A Dirichlet has one precision for all clusters, and any two of them vary against each other.
    Here each cluster takes its share of what the larger ones left, with a precision of its own:
    worth it where some clusters are sharp and others blurred. ``cat`` for a hard clustering.

    Parameters
    ----------
    resolution : float
        As in :class:`Fit`.
    """

    name: ClassVar[str] = "generalised"
    assumption: ClassVar[str] = (
        "each point drawn by itself, with these clusters' sizes and a fuzziness for each"
    )
    use: ClassVar[str] = "some clusters are sharp and others blurred"

    def _fit(self, memberships: FloatArray) -> RowDistribution:
        return fit_generalised(memberships, self.resolution)


@dataclass(frozen=True, kw_only=True)
class Mixture(_RowModel):
    """Rows drawn from a mixture of Dirichlet distributions, fitted by EM.

    Worth it where points come in groups: clear members of each cluster, and some between them.
    ``cat`` for a hard clustering. Of more than 10,000 points, as many evenly spread ones are used.

    Parameters
    ----------
    components : int, optional
        How many Dirichlets; by default chosen by the Bayesian information criterion, up to 6.
    resolution : float
        As in :class:`Fit`.
    """

    name: ClassVar[str] = "mixture"
    assumption: ClassVar[str] = "each point drawn by itself from a mixture of kinds like these"
    use: ClassVar[str] = "points come in groups: clear members of clusters, and some between"

    components: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        m = self.components
        if m is not None and not (isinstance(m, Integral) and 1 <= m <= 100):
            raise ParameterError(f"components must be a whole number from 1 to 100, got {m!r}.")

    def _fit(self, memberships: FloatArray) -> RowDistribution:
        return fit_mixture(memberships, self.resolution, self.components)


@dataclass(frozen=True, kw_only=True)
class Kernel(_RowModel):
    """Rows drawn from a kernel density on the simplex: a row of the clustering, blurred.

    The kernel is a Dirichlet whose mean is the row, so that zeros stay zero and hard rows hard.
    Assumes nothing about the shape: worth it with many points and no simple shape. ``cat`` for a
    hard clustering.

    Parameters
    ----------
    bandwidth : float, optional
        1/precision of the kernel; by default the one that predicts each row best from the others.
    resolution : float
        As in :class:`Fit`.
    """

    name: ClassVar[str] = "kernel"
    assumption: ClassVar[str] = "each point drawn by itself, a row like those here but not the same"
    use: ClassVar[str] = "many points, and memberships of no simple shape"

    bandwidth: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        width = self.bandwidth
        if width is not None and not (isinstance(width, Real) and 1e-9 <= width <= 1e3):
            raise ParameterError(f"bandwidth must lie between 1e-9 and 1000, got {width!r}.")

    def _fit(self, memberships: FloatArray) -> RowDistribution:
        return fit_kernel(memberships, self.resolution, self.bandwidth)


@dataclass(frozen=True, kw_only=True)
class Mixed(_RowModel):
    """A share of hard rows drawn from ``cat``, the others from a Dirichlet fitted to them.

    For clusterings that are partly hard: memberships cut off at a threshold, HDBSCAN's, topic
    models with sparse documents.

    Parameters
    ----------
    resolution : float
        A row with a single entry above it is hard.
    """

    name: ClassVar[str] = "mixed"
    assumption: ClassVar[str] = (
        "each point drawn by itself, hard as often as here, else with the others' fuzziness"
    )
    use: ClassVar[str] = "some points are hard and the others clearly not"

    def _fit(self, memberships: FloatArray) -> RowDistribution:
        return fit_hard_or_fuzzy(memberships, self.resolution)


@dataclass(frozen=True)
class Empirical(Model):
    """Rows of the clustering drawn with replacement: ``perm`` with independent points.

    Nothing is smoothed or assumed, and all that is exact under ``perm`` is exact here. The only
    difference is that a row may meet itself, with a chance of 1/n. ``cat`` for a hard clustering.
    """

    name: ClassVar[str] = "empirical"
    assumption: ClassVar[str] = "each point drawn by itself, a row of those here"
    use: ClassVar[str] = "as perm, for points that are thought of as a sample"
    keeps_rows: ClassVar[bool] = True
    refines_cat: ClassVar[bool] = True

    def rows(self, partition: Partition, effort: Effort) -> RowDistribution:
        if partition.memberships is None:
            return Categorical(partition.sizes / partition.n)
        return ResampledRows(partition.memberships)

    def law(self, side: Side) -> Law:
        pairs = side.pairs_law
        return ResampledPairs(pairs) if isinstance(pairs, ObservedPairs) else super().law(side)


@dataclass(frozen=True)
class Custom(Model):
    """Rows drawn from a distribution of your own.

    Parameters
    ----------
    distribution : object or function
        Anything with a method ``sample(rng, size)`` that returns a (size, clusters) array of rows
        on the simplex, a function of ``(rng, size)`` that does, or a frozen SciPy distribution such
        as ``scipy.stats.dirichlet(alpha)``. If it has methods ``mean()`` and ``cov()`` (exact, of a
        row), sampling needs fewer draws, and products and squares of dot products none. A function
        of one argument is taken for a fit: it gets the memberships of a clustering, (n, k), and
        returns such a distribution.
    name : str
        What results call it.

    Examples
    --------
    >>> from scipy import stats
    >>> import fuzzyrand as fr
    >>> toy = fr.toy_clusterings()
    >>> prior = fr.Custom(stats.dirichlet([2, 2, 2]), name="prior")
    >>> c = fr.compare(toy["high_fuzzy"], toy["uneven_low_fuzzy"], model=prior)
    >>> c.model, c.converged
    ('prior', True)
    """

    name: ClassVar[str] = "custom"
    assumption: ClassVar[str] = "each point drawn by itself from the distribution given"
    use: ClassVar[str] = "you know what a random clustering looks like"
    draws_fuzzy: ClassVar[bool] = True

    distribution: Any

    def __init__(self, distribution: Any, name: str = "custom") -> None:
        rows = distribution if is_fit(distribution) else as_rows(distribution)
        object.__setattr__(self, "distribution", rows)
        object.__setattr__(self, "name", str(name))

    def rows(self, partition: Partition, effort: Effort) -> RowDistribution:
        if isinstance(self.distribution, RowDistribution):
            return self.distribution
        return as_rows(self.distribution(_as_matrix(partition)))

    # Two distributions are the same only if they are one object.
    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"Custom({self.distribution!r}, name={self.name!r})"


def _as_matrix(partition: Partition) -> FloatArray:
    if partition.memberships is not None:
        return partition.memberships.copy()
    if partition.n * partition.k > LARGEST_ONE_HOT:
        raise NotApplicableError(
            f"a fit of your own gets the memberships as a matrix, and {partition.n} hard points in "
            f"{partition.k} clusters would make one too large; give Custom a distribution instead."
        )
    assert partition.codes is not None
    rows = np.zeros((partition.n, partition.k))
    rows[np.arange(partition.n), partition.codes] = 1.0
    return rows
