"""A model from a distribution given by the user."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from .._base.effort import Precision
from .._base.errors import NotApplicableError
from .._base.types import FloatArray
from .._clusterings.partition import Partition
from .._clusterings.weights import refuse_weights
from .._distributions.custom_rows import as_rows, is_fit
from .._distributions.row_distributions import RowDistribution
from ..indices import Index
from .base import Model


@dataclass(frozen=True)
class Custom(Model):
    """Rows drawn from a distribution of your own.

    Parameters
    ----------
    distribution : object or callable
        One of the following:

        - an object with a method ``sample(rng, size)`` that returns a (size, clusters) array of
          rows that sum to 1;
        - a function ``f(rng, size)`` that returns such an array;
        - a frozen SciPy distribution such as ``scipy.stats.dirichlet(alpha)``;
        - a function ``f(memberships)`` that takes an (n, k) array and returns one of the above. It
          is called for each clustering that the model replaces.

        If the object has methods ``mean()`` and ``cov()`` that return the exact mean and covariance
        of a row, fewer draws are needed, and the indices ``consistency`` and ``jousselme`` need
        none.
    name : str
        Name of the model in results.

    Raises
    ------
    ParameterError
        If the object cannot draw rows, draws rows that do not sum to 1, or if its mean and
        covariance contradict its draws.

    See Also
    --------
    Fit, Generalised, Mixture, Kernel, Mixed : Built-in models that fit a distribution.

    Notes
    -----
    Under this model, co-memberships on a side are those of two independent rows of the
    distribution. Two objects of this class are equal only if they are the same object.

    References
    ----------
    .. [1] DeWolfe, R., J. L. Andrews, Random models for fuzzy clustering similarity measures,
           arXiv:2312.10270.

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
    assumption: ClassVar[str] = "independent random memberships from the given distribution"
    recipe: ClassVar[str] = (
        "Memberships are drawn independently for every point from a distribution chosen for this "
        "comparison."
    )
    question: ClassVar[str] = (
        "Do the clusterings agree more than unrelated ones drawn from that distribution?"
    )
    draws_fuzzy: ClassVar[bool] = True
    takes_weights: ClassVar[bool] = True
    counts_clusters: ClassVar[bool] = True

    distribution: Any

    def __init__(self, distribution: Any, name: str = "custom") -> None:
        rows = distribution if is_fit(distribution) else as_rows(distribution)
        object.__setattr__(self, "distribution", rows)
        object.__setattr__(self, "name", str(name))

    def require_applicable(self, partition: Partition, index: Index) -> None:
        """Raise an error if the model does not apply to a clustering or to an index."""
        super().require_applicable(partition, index)
        if self.fitted(partition):
            refuse_weights([partition], "a fit of your own, which gets memberships only")

    def rows(self, partition: Partition, effort: Precision) -> RowDistribution:
        if isinstance(self.distribution, RowDistribution):
            return self.distribution
        return as_rows(self.distribution(_as_matrix(partition, effort.budget.one_hot_entries)))

    def fitted(self, partition: Partition) -> bool:
        return not isinstance(self.distribution, RowDistribution)

    # Functions cannot be compared, so two models are equal only if they are the same object.
    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"Custom({self.distribution!r}, name={self.name!r})"


def _as_matrix(partition: Partition, most: int) -> FloatArray:
    if not partition.is_hard:
        return partition.rows.dense.copy()
    if partition.n * partition.k > most:
        raise NotApplicableError(
            "a fit of your own gets the memberships as a matrix, and {n} hard points in {k} "
            "clusters would make one too large; give Custom a distribution instead.",
            n=partition.n,
            k=partition.k,
        )
    return partition.rows.dense
