"""Models that draw independent rows from a distribution richer than one Dirichlet."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from numbers import Integral, Real
from typing import ClassVar

from .._base.effort import Effort
from .._base.errors import ParameterError
from .._base.types import FloatArray
from .._distributions.families import ResampledRows, components_of, cut_rows, in_place
from .._distributions.family_fits import (
    fit_generalised,
    fit_hard_or_fuzzy,
    fit_kernel,
    fit_mixture,
    size_order,
)
from .._distributions.rows import Categorical, RowDistribution
from .._inputs.partition import Partition
from .._laws.base import Law
from .._laws.observed import ObservedPairs, ResampledPairs
from .._laws.side import Side
from .base import Model
from .resolutions import checked_resolution, require_resolution


@dataclass(frozen=True, kw_only=True)
class _RowModel(Model):
    """A distribution fitted to the rows; for a hard clustering ``cat``."""

    refines_cat: ClassVar[bool] = True
    describes: ClassVar[bool] = True

    resolution: float | str = "auto"

    def __post_init__(self) -> None:
        require_resolution(self.resolution)

    def rows(self, partition: Partition, effort: Effort) -> RowDistribution:
        if partition.memberships is None:
            return Categorical(partition.sizes / partition.n)
        resolution = checked_resolution(self.resolution, partition.memberships)
        order = size_order(partition.memberships)
        rows = self._fit(partition.memberships[:, order], resolution.size)
        return cut_rows(in_place(rows, order), resolution)

    @abstractmethod
    def _fit(self, memberships: FloatArray, resolution: float) -> RowDistribution: ...


@dataclass(frozen=True, kw_only=True)
class Generalised(_RowModel):
    """Rows drawn from the generalised Dirichlet distribution (Connor and Mosimann 1969).

    A Dirichlet has one precision for all clusters, and any two of them vary against each other.
    Here each cluster takes its share of what the larger ones left, with a precision of its own:
    worth it where some clusters are sharp and others blurred. ``cat`` for a hard clustering.

    Parameters
    ----------
    resolution : "auto" or float
        As in :class:`Fit`.
    """

    name: ClassVar[str] = "generalised"
    assumption: ClassVar[str] = (
        "each point drawn by itself, with these clusters' sizes and a fuzziness for each"
    )
    use: ClassVar[str] = "some clusters are sharp and others blurred"
    recipe: ClassVar[str] = "As under fit, but every cluster may have its own fuzziness."
    question: ClassVar[str] = (
        "The same as under fit, if some clusters are sharp and others blurred."
    )

    def _fit(self, memberships: FloatArray, resolution: float) -> RowDistribution:
        return fit_generalised(memberships, resolution)


@dataclass(frozen=True, kw_only=True)
class Mixture(_RowModel):
    """Rows drawn from a mixture of Dirichlet distributions, fitted by EM.

    Worth it where points come in groups: clear members of each cluster, and some between them.
    ``cat`` for a hard clustering. Of more than 10,000 points, as many evenly spread ones are used.

    Parameters
    ----------
    components : int, optional
        How many Dirichlets; by default chosen by the Bayesian information criterion, up to 6.
    resolution : "auto" or float
        As in :class:`Fit`.
    """

    name: ClassVar[str] = "mixture"
    assumption: ClassVar[str] = "each point drawn by itself from a mixture of kinds like these"
    use: ClassVar[str] = "points come in groups: clear members of clusters, and some between"
    recipe: ClassVar[str] = (
        "Draw the memberships of every point from a mixture of Dirichlet distributions that was "
        "fitted to this clustering."
    )
    question: ClassVar[str] = (
        "The same as under fit, if there are several kinds of points, such as clear members of a "
        "cluster and points between clusters."
    )

    refits_slowly: ClassVar[bool] = True
    refit_points: ClassVar[int | None] = 500

    components: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        m = self.components
        if m is not None and not (isinstance(m, Integral) and 1 <= m <= 100):
            raise ParameterError(f"components must be a whole number from 1 to 100, got {m!r}.")

    def refit_as(self, rows: RowDistribution | None) -> Mixture:
        # Choosing their number again would take ten times as long, and mostly choose it again.
        return replace(self, components=components_of(rows))

    def _fit(self, memberships: FloatArray, resolution: float) -> RowDistribution:
        return fit_mixture(memberships, resolution, self.components)


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
    resolution : "auto" or float
        As in :class:`Fit`.
    """

    name: ClassVar[str] = "kernel"
    assumption: ClassVar[str] = "each point drawn by itself, a row like those here but not the same"
    use: ClassVar[str] = "many points, and memberships of no simple shape"
    recipe: ClassVar[str] = (
        "For every point, take the memberships of a random point of this clustering and blur them "
        "a little."
    )
    question: ClassVar[str] = (
        "The same as under fit, if there are many points and their memberships follow no simple "
        "distribution."
    )

    #: It follows any shape, up to a blur that is its own.
    describes: ClassVar[bool] = False
    refits_slowly: ClassVar[bool] = True
    refit_points: ClassVar[int | None] = 300

    bandwidth: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        width = self.bandwidth
        if width is not None and not (isinstance(width, Real) and 1e-9 <= width <= 1e3):
            raise ParameterError(f"bandwidth must lie between 1e-9 and 1000, got {width!r}.")

    def _fit(self, memberships: FloatArray, resolution: float) -> RowDistribution:
        return fit_kernel(memberships, resolution, self.bandwidth)


@dataclass(frozen=True, kw_only=True)
class Mixed(_RowModel):
    """A share of hard rows drawn from ``cat``, the others from a Dirichlet fitted to them.

    For clusterings that are partly hard: memberships cut off at a threshold, HDBSCAN's, topic
    models with sparse documents.

    Parameters
    ----------
    resolution : "auto" or float
        A row with a single entry above it is hard.
    """

    name: ClassVar[str] = "mixed"
    assumption: ClassVar[str] = (
        "each point drawn by itself, hard as often as here, else with the others' fuzziness"
    )
    use: ClassVar[str] = "some points are hard and the others clearly not"
    recipe: ClassVar[str] = (
        "Make a point hard (entirely in one cluster) as often as here; otherwise draw its "
        "memberships with the fuzziness of the other points."
    )
    question: ClassVar[str] = (
        "The same as under fit, if some points are hard and the others clearly are not."
    )

    def _fit(self, memberships: FloatArray, resolution: float) -> RowDistribution:
        return fit_hard_or_fuzzy(memberships, resolution)


@dataclass(frozen=True)
class Empirical(Model):
    """Rows of the clustering drawn with replacement: ``perm`` with independent points.

    Nothing is smoothed or assumed, and all that is exact under ``perm`` is exact here. The only
    difference is that a row may meet itself, with a chance of 1/n. ``cat`` for a hard clustering.
    """

    name: ClassVar[str] = "empirical"
    assumption: ClassVar[str] = "each point drawn by itself, a row of those here"
    use: ClassVar[str] = "as perm, for points that are thought of as a sample"
    recipe: ClassVar[str] = (
        "For every point, take the memberships of a random point of this clustering; the same "
        "point may be taken more than once."
    )
    question: ClassVar[str] = (
        "The same as under perm, if the points are a sample from a larger population."
    )
    keeps_rows: ClassVar[bool] = True
    refines_cat: ClassVar[bool] = True

    def saturated(self, partition: Partition) -> bool:
        return True

    def rows(self, partition: Partition, effort: Effort) -> RowDistribution:
        if partition.memberships is None:
            return Categorical(partition.sizes / partition.n)
        return ResampledRows(partition.memberships)

    def law(self, side: Side) -> Law:
        pairs = side.pairs_law
        return ResampledPairs(pairs) if isinstance(pairs, ObservedPairs) else super().law(side)
