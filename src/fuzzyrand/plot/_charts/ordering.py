"""An order in which similar clusterings are neighbours, for charts of many clusterings."""

from __future__ import annotations

import numpy as np

from ..._base.types import FloatArray, IntArray

#: Largest number of clusterings for which the best order of the tree is computed; beyond it, that
#: takes too long.
BEST_ORDER = 300


def similar_first(similarities: FloatArray) -> IntArray:
    """Order rows and columns so that similar ones are neighbours.

    The order is that of the leaves of a hierarchical clustering, whose branches are turned to
    minimise the sum of the distances between neighbours (optimal leaf ordering).

    Parameters
    ----------
    similarities : array of shape (m, m), or (1, m)
        Similarities of every row with every column; made symmetric if they are not. A single row is
        put in descending order.

    Returns
    -------
    array of int
        Positions, in order.

    Examples
    --------
    >>> ordered = similar_first(np.array([[1, 0, 0.9], [0, 1, 0.1], [0.9, 0.1, 1]]))
    >>> ordered.tolist() in ([0, 2, 1], [1, 2, 0])
    True
    """
    m = similarities.shape[1]
    if similarities.shape[0] != m:
        return np.argsort(-similarities[0], kind="stable")
    if m < 3:
        return np.arange(m)
    # Deferred: rarely needed, and slow to import.
    from scipy.cluster.hierarchy import leaves_list, linkage
    from scipy.spatial.distance import squareform

    mean = 0.5 * (similarities + similarities.T)
    distances = mean.max() - mean
    # By some indices, a clustering is less similar to itself than to a harder one.
    np.fill_diagonal(distances, 0.0)
    tree = linkage(squareform(distances, checks=False), "average", optimal_ordering=m <= BEST_ORDER)
    return np.asarray(leaves_list(tree), dtype=np.intp)
