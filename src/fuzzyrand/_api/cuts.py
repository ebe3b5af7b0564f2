"""Clusterings from a tree: the cuts of a linkage matrix."""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Integral
from typing import Any

import numpy as np

from .._base.errors import InputError, ParameterError
from .._base.types import IntArray
from .._base.wording import Option


def cuts(Z: Any, numbers: int | Iterable[int]) -> dict[str, IntArray]:
    """Cut a tree into given numbers of clusters.

    Parameters
    ----------
    Z : array of shape (n - 1, 4)
        Linkage matrix of n points, as ``scipy.cluster.hierarchy.linkage`` returns it.
    numbers : int or iterable of int
        Numbers of clusters, each from 1 to n.

    Returns
    -------
    dict
        For each number of clusters its name, such as "3 clusters", and the cluster of each point,
        numbered from 0 in the order of their first points.

    Raises
    ------
    InputError
        If ``Z`` is no linkage matrix.
    ParameterError
        If a number of clusters is not possible.

    See Also
    --------
    pairwise : Compare all cuts, or all with a reference.
    align : Bring their clusters into a common order.

    Notes
    -----
    For k clusters, the first n - k merges of the matrix are done. With equal heights, the order of
    the matrix decides, so there are always exactly k clusters.

    Examples
    --------
    >>> from scipy.cluster.hierarchy import linkage
    >>> Z = linkage([[0.0], [0.1], [1.0], [1.1], [5.0]], "average")
    >>> {name: labels.tolist() for name, labels in cuts(Z, [2, 3]).items()}
    {'2 clusters': [0, 0, 0, 0, 1], '3 clusters': [0, 0, 1, 1, 2]}
    """
    merges = _merges(Z)
    n = len(merges) + 1
    wanted = [numbers] if isinstance(numbers, Integral) else list(numbers)  # type: ignore[arg-type]
    for k in wanted:
        if not isinstance(k, Integral) or isinstance(k, bool) or not 1 <= int(k) <= n:
            raise ParameterError(
                "{parameter} must be numbers of clusters from 1 to {n:,}, got {value!r}.",
                parameter=Option("numbers"),
                n=n,
                value=k,
            )
    return {f"{k} cluster{'s' * (k != 1)}": _cut(merges, n, int(k)) for k in wanted}


def _merges(Z: Any) -> IntArray:
    """Return the two nodes of each merge; refuse what is no linkage matrix."""
    from scipy.cluster.hierarchy import is_valid_linkage  # Deferred: slow to import.

    try:
        matrix = np.asarray(Z, dtype=np.float64)
        is_valid_linkage(matrix, throw=True, name="Z")
    except (TypeError, ValueError) as error:
        raise InputError(
            "{parameter} is no linkage matrix, as scipy.cluster.hierarchy.linkage returns it: "
            "{reason}.",
            parameter=Option("Z"),
            reason=str(error).rstrip("."),
        ) from error
    return matrix[:, :2].astype(np.intp)


def _cut(merges: IntArray, n: int, k: int) -> IntArray:
    parents = np.arange(2 * n - 1)
    done = n - k
    parents[merges[:done].ravel()] = np.repeat(n + np.arange(done), 2)
    while True:  # follow parents, twice as far each time
        further = parents[parents]
        if np.array_equal(further, parents):
            break
        parents = further
    _, first, codes = np.unique(parents[:n], return_index=True, return_inverse=True)
    ranks = np.empty(first.size, dtype=np.intp)
    ranks[np.argsort(first)] = np.arange(first.size)
    return np.asarray(ranks[codes.reshape(-1)])
