"""Matching of clusters: which cluster of one clustering corresponds to which of another."""

from __future__ import annotations

from typing import Any

from .._clusterings.matching.form import Form
from .._clusterings.options import InputOptions
from .._clusterings.points.same_points import read_pair_in_memory
from ..results.matching import Matching, matching_of


def match(
    a: Any,
    b: Any,
    *,
    normalize: bool = False,
    possibilistic: bool = False,
    noise: Any = None,
    noise_as: str = "cluster",
    missing: str | None = None,
    points: str = "same",
    weights: Any = None,
) -> Matching:
    """Match the clusters of two clusterings one-to-one, with the largest possible overlap.

    No index depends on the order or the names of clusters. But readers who look at two clusterings
    side by side need to know which clusters correspond.

    Parameters
    ----------
    a : label vector or (points, clusters) memberships
        A clustering, in any form that :func:`as_partition` takes.
    b : label vector or (points, clusters) memberships
        Another clustering of the same points. The number of clusters may differ.
    normalize, possibilistic, noise, noise_as, missing, points, weights
        As in :func:`compare`. With ``noise_as="singletons"`` noise has no partner.

    Returns
    -------
    Matching
        Result with ``pairs``, ``unmatched``, ``overlap``, ``splits`` and ``relabel()``.

    Raises
    ------
    NotApplicableError
        If the table of overlaps would have more than 20 million cells, or if no clusters overlap
        because every point is noise in one of the two.

    See Also
    --------
    align : Many clusterings in a common order.
    fuzzyrand.plot.overlap, fuzzyrand.plot.flow : Draw the result.

    Notes
    -----
    The overlap of two clusters is the sum over all points of the product of the memberships in
    both, UᵀV, which is a number of points for hard clusterings. Among all ways to pair clusters of
    a with clusters of b, the one with the largest sum of overlaps is chosen [1]_. Clusters that do
    not overlap at all are not paired.

    References
    ----------
    .. [1] Kuhn, H. W., The Hungarian method for the assignment problem, Naval Research Logistics
       Quarterly 2 (1955). SciPy's ``linear_sum_assignment`` solves it.

    Examples
    --------
    >>> species = ["setosa"] * 4 + ["vera"] * 6
    >>> found = [2, 2, 2, 2, 0, 0, 0, 2, 1, 1]
    >>> matching = match(species, found)
    >>> print(matching)
    2 pairs of matched clusters (2 in the first clustering, 3 in the second) with 70% of the
    overlap of 10 points
    first   second   overlap  of first  of second
    setosa  2              4      100%        80%
    vera    0              3       50%       100%
    Cluster 1 of the second clustering is inside cluster vera of the first.
    >>> matching.relabel()[[0, 4, 7, 8]].tolist()
    ['setosa', 'vera', 'setosa', '1']
    """
    options = InputOptions(normalize, possibilistic, noise, noise_as, missing, points, weights)
    first, second = read_pair_in_memory(a, b, options)
    return matching_of(first, second, Form.of(b, second))
