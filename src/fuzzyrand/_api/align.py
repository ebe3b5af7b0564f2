"""A common order for the clusters of many clusterings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from .._inputs.named import is_name, member, read_named
from .._inputs.options import InputOptions
from .._matching.series import common_order, first_reference
from ..results.alignment import Alignment


def align(
    runs: Mapping[str, Any] | Iterable[Any],
    *,
    reference: Any = None,
    normalize: bool = False,
    possibilistic: bool = False,
    noise: Any = None,
    noise_as: str = "cluster",
    missing: str | None = None,
) -> Alignment:
    """Bring the clusters of many clusterings of the same points into a common order.

    Runs of a method from several starts, or with 2, 3, 4, ... clusters, find the same clusters in
    another order. Afterwards a column, or a colour, stands for the same cluster in all of them.

    Parameters
    ----------
    runs : dict or list
        The clusterings by name, or a list, which is numbered from 0. Numbers of clusters may
        differ.
    reference : str, int or clustering, optional
        The clustering whose order the others follow: the name or number of a member, or another
        clustering. By default it is, of the members with the fewest clusters, the one with the
        largest overlap with the others of them, when clusters are matched as by :func:`match`.
    normalize, possibilistic, noise, noise_as, missing
        As in :func:`compare`. With ``noise_as="singletons"`` noise has no column.

    Returns
    -------
    Alignment
        With ``runs``, matrices that have the same columns, ``order`` and ``reference``.

    See Also
    --------
    match : Two clusterings.
    fuzzyrand.plot.memberships : Draw the result.

    Notes
    -----
    Runs with as many clusters as the reference are matched with it. From there, numbers of clusters
    are gone through one after the other: of the runs with the next number, the most central one is
    matched with the one before, and the others with it. So a cluster keeps its column from K to
    K + 1, and one that splits hands it on to its larger part.

    Clusters are matched as by :func:`match`; two of them are partners only if one is most like the
    other, by the cosine of their memberships. A cluster without a partner gets a column of earlier
    runs that is free, if it is like it (a cosine of at least 0.5), or else a new one.

    Examples
    --------
    >>> two = [0, 0, 0, 0, 1, 1, 1]
    >>> three = [2, 2, 2, 0, 1, 1, 1]
    >>> four = [3, 3, 3, 1, 0, 0, 2]
    >>> alignment = align({"K=2": two, "K=3": three, "K=4": four}, reference="K=2")
    >>> print(alignment)
    3 runs of 7 points in 4 common columns, in the order of K=2
    run  clusters  columns
    K=2         2  0 1
    K=3         3  2 1 0
    K=4         4  1 2 3 0
    >>> alignment.runs["K=4"].argmax(axis=1).tolist()
    [0, 0, 0, 2, 1, 1, 3]
    """
    options = InputOptions(normalize, possibilistic, noise, noise_as, missing)
    extra = None if reference is None or is_name(reference) else reference
    partitions, outside = read_named(runs, extra, options)
    if outside is not None:
        chosen, name = outside, "reference"
    else:
        name = first_reference(partitions) if reference is None else member(reference, partitions)
        chosen = partitions[name]
    found = common_order(partitions, chosen)
    return Alignment(found.order, name, [str(label) for label in found.labels], partitions)
