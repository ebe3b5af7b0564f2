"""A common order for the clusters of many clusterings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .._clusterings.matching.series import common_order, first_reference
from .._clusterings.options import InputOptions
from .._clusterings.reading.foreign import Annotated
from .._clusterings.reading.named import is_name, member, read_named, with_reference
from ..results.alignment import Alignment


def align(
    runs: Mapping[str, Any] | Iterable[Any] | Annotated,
    *,
    keys: Sequence[str] | None = None,
    reference: Any = None,
    normalize: bool = False,
    possibilistic: bool = False,
    noise: Any = None,
    noise_as: str = "cluster",
    missing: str | None = None,
    points: str = "same",
    weights: Any = None,
) -> Alignment:
    """Bring the clusters of many clusterings of the same points into a common order.

    Runs of a method from several starts, or with 2, 3, 4, ... clusters, find the same clusters in
    different orders. After alignment, a column (or a colour) stands for the same cluster in all
    runs.

    Parameters
    ----------
    runs : dict, list, frame or matrix
        The clusterings by name, or in a list, numbered from 0, or in the columns of a frame or a
        matrix of labels, as in :func:`pairwise`. Their numbers of clusters may differ.
    keys : list of str, optional
        Columns of a frame or of annotated data, as in :func:`pairwise`.
    reference : str, int or clustering, optional
        The clustering whose order the others follow: the name or number of a run, or a further
        clustering. The default is the most central of the runs with the fewest clusters: the one
        whose clusters, matched as by :func:`match`, overlap most with those of the others.
    normalize, possibilistic, noise, noise_as, missing, points, weights
        As in :func:`compare`. With ``noise_as="singletons"`` noise has no column.

    Returns
    -------
    Alignment
        Result with ``runs`` (matrices that have the same columns), ``order`` and ``reference``.

    Raises
    ------
    InputError
        If a clustering cannot be read, or if the numbers of points differ.
    UnknownNameError
        If the reference or an option value does not exist.

    See Also
    --------
    match : Two clusterings.
    fuzzyrand.plot.memberships : Draw the result.

    Notes
    -----
    Runs with as many clusters as the reference are matched with it. The other numbers of clusters
    follow in order, upwards and downwards from there. For each number, the most central run is
    matched with that of the number before (at first with the reference), and the other runs of this
    number are matched with it. A cluster thus keeps its column from K to K + 1, and if it splits,
    its larger part takes over the column.

    Clusters are matched as by :func:`match`, but two clusters are partners only if at least one of
    them has no cluster more similar than the other, by the cosine of their memberships. A cluster
    without a partner gets a free column of earlier runs if it is similar to that column (a cosine
    of at least 0.5), and a new column otherwise.

    Examples
    --------
    >>> two = [0, 0, 0, 0, 1, 1, 1]
    >>> three = [2, 2, 2, 0, 1, 1, 1]
    >>> four = [3, 3, 3, 1, 0, 0, 2]
    >>> alignment = align({"K=2": two, "K=3": three, "K=4": four}, reference="K=2")
    >>> print(alignment)
    3 runs of 7 points in 4 common columns, in the order of K=2
    run  clusters  columns (from 0)
    K=2         2  0 1
    K=3         3  2 1 0
    K=4         4  1 2 3 0
    >>> alignment.runs["K=4"].argmax(axis=1).tolist()
    [0, 0, 0, 2, 1, 1, 3]
    """
    options = InputOptions(normalize, possibilistic, noise, noise_as, missing, points, weights)
    extra = None if reference is None or is_name(reference) else reference
    partitions, outside = read_named(runs, extra, options, keys=with_reference(keys, reference))
    if outside is not None:
        chosen, name = outside, "reference"
    else:
        name = first_reference(partitions) if reference is None else member(reference, partitions)
        chosen = partitions[name]
    found = common_order(partitions, chosen)
    return Alignment(found.order, name, [str(label) for label in found.labels], partitions)
