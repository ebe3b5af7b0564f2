"""The omega index of covers, whose clusters may overlap."""

from __future__ import annotations

import numpy as np

from .._base.errors import NotApplicableError
from .._base.estimate import ROUNDING, Estimate
from .._base.types import FloatArray
from .._base.wording import Option
from .._clusterings.partition import Partition
from .._pairs.cover_levels import levels_of, mean_discordance, point_discordances
from .base import Index, ModelFacts


class Omega(Index):
    """The omega index: the share of pairs that have equally many clusters in common on both sides.

    It is the index for clusters that overlap, as communities of a graph do; :func:`as_cover` reads
    them. Points may be in several clusters, or in none. Hard clusterings are accepted as well.

    See Also
    --------
    as_cover : Read clusters that overlap.
    Rand : The same index for clusters that do not overlap.

    Notes
    -----
    Let t₁ and t₂ be the numbers of clusters that both points of a pair are in, in the two
    clusterings. The index is the share of pairs with t₁ = t₂. When points are shuffled, its mean is
    Σₜ P₁(t) P₂(t), where P(t) is the share of pairs that have t clusters in common. If clusters do
    not overlap, t is 0 or 1: the index is the Rand index, and the adjusted one the adjusted Rand
    index.

    Only pairs that share a cluster are visited. The index knows nothing but t: clusters of which
    one contains the other count like any others. Pairs weigh the same, unless points have weights,
    which then multiply. Only the model
    ``perm`` applies, because the others draw memberships that sum to 1.

    References
    ----------
    .. [1] Collins, L. M., C. W. Dent, Omega: a general formulation of the Rand index of cluster
           recovery suitable for non-disjoint solutions, Multivariate Behavioral Research 23 (1988).

    Examples
    --------
    >>> import fuzzyrand as fr
    >>> a = fr.as_cover([{"ann", "bob", "cy"}, {"cy", "dee"}])
    >>> b = fr.as_cover([{"ann", "bob"}, {"bob", "cy", "dee"}])
    >>> round(fr.similarity(a, b, index="omega"), 4)
    0.6667
    >>> round(fr.adjusted_similarity(a, b, index=fr.Omega()), 4)
    0.25
    """

    citation = "Collins & Dent, 1988"
    title = "omega index"
    full_name = "the omega index"
    measures = (
        "Clusters may overlap. The index is the share of pairs of points that have equally many "
        "clusters in common in both clusterings: none in both, one in both, two in both, and so on."
    )
    takes_covers = True

    def __init__(self) -> None:
        super().__init__("omega")

    def require_applicable(self, *partitions: Partition) -> None:
        """Raise an error if the index is not defined for a clustering."""
        super().require_applicable(*partitions)
        for partition in partitions:
            if partition.is_hard or partition.cover or _is_binary(partition):
                continue
            raise NotApplicableError(
                "the index 'omega' counts the clusters that two points share, but this clustering "
                "is {kind}: points belong to clusters by degrees. {ndc} compares degrees.",
                kind=partition.kind,
                ndc=Option("index", "ndc"),
            )

    def require_model(self, model: ModelFacts) -> None:
        """Raise an error if the index has no expectation under a model."""
        super().require_model(model)
        if not model.shuffles:
            raise NotApplicableError(
                "the model {model!r} does not draw clusters that overlap. Use {perm}, which keeps "
                "the "
                "clusters.",
                model=model.name,
                perm=Option("model", "perm"),
            )

    def observed_by_points(
        self, first: Partition, second: Partition
    ) -> tuple[Estimate, FloatArray | None]:
        """Return the discordance, and the mean over the pairs of each point if it was computed."""
        if first is second:
            return Estimate(0.0, how="the same clustering twice"), None
        by_table = mean_discordance(first, second)
        if by_table is not None:
            return Estimate(by_table, how="contingency table"), None
        points = point_discordances(first, second)
        value = float(np.average(points, weights=first.weights))
        # Pairs are counted, so there is only the rounding of their sum.
        how = "pairs that share a cluster"
        return Estimate(value, error_bound=ROUNDING * value, how=how), points

    def expected(self, first: Partition, second: Partition) -> Estimate:
        """Return the mean discordance when the points of a clustering are shuffled."""
        one, two = levels_of(first).shares, levels_of(second).shares
        # From shares of pairs that share clusters, which are small where few do.
        few = min(one.size, two.size)
        apart1, apart2 = float(one[1:].sum()), float(two[1:].sum())
        same = float(one[1:few] @ two[1:few])
        value = apart1 + apart2 - apart1 * apart2 - same
        return Estimate(max(value, 0.0), error_bound=ROUNDING * value, how="closed form")


def _is_binary(partition: Partition) -> bool:
    """Return whether all memberships are 0 or 1, so that the clustering can be read as a cover."""
    if not partition.rows.in_memory or partition.noise_is_singletons:
        return False
    return bool((partition.rows.without_zeros.values == 1.0).all())
