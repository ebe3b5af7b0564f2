"""An order in which similar clusterings are neighbours, for pictures of many of them."""

from __future__ import annotations

import numpy as np

from ..._base.types import FloatArray, IntArray

#: Above this number the best order of a tree takes too long, and any order of it has to do.
BEST_ORDER = 300


def similar_first(similarities: FloatArray) -> IntArray:
    """Order rows and columns so that similar ones are neighbours.

    The leaves of a hierarchical clustering, turned so that the distances of neighbours add up to
    as little as possible (optimal leaf ordering).

    Parameters
    ----------
    similarities : array of shape (m, m), or (1, m)
        Of every row with every column; made symmetric if it is not. A single row is put in
        falling order.

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
    # Not needed by most, and slow to import.
    from scipy.cluster.hierarchy import leaves_list, linkage
    from scipy.spatial.distance import squareform

    mean = 0.5 * (similarities + similarities.T)
    distances = mean.max() - mean
    # By some indices a clustering is less like itself than like a harder one.
    np.fill_diagonal(distances, 0.0)
    tree = linkage(squareform(distances, checks=False), "average", optimal_ordering=m <= BEST_ORDER)
    return np.asarray(leaves_list(tree), dtype=np.intp)
