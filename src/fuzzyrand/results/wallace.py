"""Wallace indices: whether pairs that one clustering puts together are together in the other."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from .._base.jsonable import ready_for_json
from .._base.types import FloatArray

#: Adjusted index from which one clustering is called nearly a refinement of the other.
NEARLY = 0.9
#: Difference of the two indices that is worth a sentence.
APART = 0.2
#: Rounding error of an index that is 1.
ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class WallaceClusters:
    """The Wallace index of each cluster; NaN where a cluster has no pairs.

    Attributes
    ----------
    observed, expected, adjusted : array
        As in :class:`WallaceSide`.
    stderr : array
        Monte Carlo error of ``adjusted``; 0 where nothing was sampled.
    """

    observed: FloatArray
    expected: FloatArray
    adjusted: FloatArray
    stderr: FloatArray


@dataclass(frozen=True, eq=False)
class WallaceSide:
    """The Wallace index whose pairs are weighted by one of two clusterings.

    Attributes
    ----------
    observed : float
        Mean concordance of all pairs, weighted by how much they share clusters.
    expected : float
        Its mean if the points of the other clustering were shuffled.
    adjusted : float
        (observed − expected) / (1 − expected).
    stderr : float
        Monte Carlo error of ``adjusted``; 0 where nothing was sampled.
    clusters : WallaceClusters
        The same for each cluster.
    """

    observed: float
    expected: float
    adjusted: float
    stderr: float
    clusters: WallaceClusters

    @ready_for_json
    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values, ready for JSON."""
        return {**vars(self), "clusters": vars(self.clusters)}


@dataclass(frozen=True, eq=False)
class Wallace:
    """Wallace indices of two clusterings, with pairs weighted by one or by the other.

    Attributes
    ----------
    first : WallaceSide
        Pairs are weighted by the first clustering: are its pairs together in the second?
    second : WallaceSide
        Pairs are weighted by the second clustering: are its pairs together in the first?
    trivial : tuple of two bools
        Whether all points are alike in a clustering, as in one with a single cluster. Every other
        clustering then refines it, even a random one: its adjusted index is 0.

    Notes
    -----
    The weight of a pair of points i and j is Σ v_ic v_jc over the clusters c of the clustering that
    gives weights; for one cluster it is v_ic v_jc. The index is the weighted mean of the
    concordance of pairs. For two hard clusterings it is Wallace's index: the share of the pairs
    together in one clustering that are also together in the other.

    References
    ----------
    .. [1] Wallace, D. L., Comment on a method for comparing two hierarchical clusterings, Journal
           of the American Statistical Association 78 (1983).

    Examples
    --------
    >>> import fuzzyrand as fr
    >>> fine, coarse = [0, 0, 1, 1, 2, 2], [0, 0, 0, 0, 1, 1]
    >>> wallace = fr.explain(fine, coarse).wallace
    >>> wallace.first.observed, round(wallace.second.observed, 4)
    (1.0, 0.4286)
    >>> print(wallace.sentence)
    The first clustering is a refinement of the second: points that are together in the first
    are always together in the second (adjusted Wallace index 1.000; in the other direction
    0.286).
    """

    first: WallaceSide
    second: WallaceSide
    trivial: tuple[bool, bool] = (False, False)

    @property
    def homogeneity(self) -> float:
        """Extent to which clusters of the second clustering each hold points of one of the first.

        The first clustering is taken as the truth. The value is ``second.observed``, which is based
        on pairs. It is not the entropy-based measure that scikit-learn calls homogeneity.
        """
        return self.second.observed

    @property
    def completeness(self) -> float:
        """Extent to which points of one cluster of the first clustering are in one of the second.

        The first clustering is taken as the truth. The value is ``first.observed``, which is based
        on pairs. It is not the entropy-based measure that scikit-learn calls completeness.
        """
        return self.first.observed

    @property
    def sentence(self) -> str:
        """Whether one of the two is a refinement of the other, in words."""
        one, two = self.first, self.second
        if math.isnan(one.observed) or math.isnan(two.observed):
            return "Neither refines the other: one of them puts no two points together."
        if math.isnan(one.adjusted) or math.isnan(two.adjusted):
            return (
                "Whether one refines the other is unknown: in one of them, all sampled pairs of "
                "points have the same co-membership."
            )
        exact = [side.observed >= 1.0 - ROUNDING and side.stderr == 0.0 for side in (one, two)]
        both = f"adjusted Wallace indices {one.adjusted:z.3f} and {two.adjusted:z.3f}"
        if all(exact):
            return "They put the same points together: each is a refinement of the other."
        if self.trivial in ((True, False), (False, True)):
            same, other = ("first", "second") if self.trivial[0] else ("second", "first")
            return (
                f"All points are alike in the {same} clustering. Every clustering refines it, even "
                f"a random one, so nothing can be said about the {other} ({both})."
            )
        if min(one.adjusted, two.adjusted) >= NEARLY:
            return f"Neither is finer: each is nearly a refinement of the other ({both})."
        finer, coarser = (
            ("first", "second") if one.adjusted >= two.adjusted else ("second", "first")
        )
        high, low = max(one.adjusted, two.adjusted), min(one.adjusted, two.adjusted)
        numbers = f"(adjusted Wallace index {high:z.3f}; in the other direction {low:z.3f})"
        if high >= NEARLY:
            much, always = (
                ("", "always ") if exact[finer == "second"] else ("nearly ", "nearly always ")
            )
            return (
                f"The {finer} clustering is {much}a refinement of the {coarser}: points that are "
                f"together in the {finer} are {always}together in the {coarser} {numbers}."
            )
        if high - low >= APART:
            return (
                f"Neither is a refinement of the other; the {finer} clustering is closer to "
                f"refining the {coarser} {numbers}."
            )
        return f"Neither is a refinement of the other ({both})."

    def __str__(self) -> str:
        return self.sentence

    @ready_for_json
    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values, ready for JSON."""
        return {"first": self.first.to_dict(), "second": self.second.to_dict()}
