"""Covers: clusters that may overlap, so that points are in several of them, or in none."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from .._base.errors import InputError
from .._base.wording import Option, Place
from .cluster_names import ClusterNames
from .partition import Noise, Partition
from .points.point_ids import Unordered, ids_of, listed
from .reading.arraylike import is_missing, require_points, shown, to_array
from .reading.foreign import unwrapped
from .rows import LabelRows
from .sparse_rows import SparseRows

#: What a cluster, or the clusters of a point, may be given as; a text is one label.
GROUPS = (set, frozenset, list, tuple)


class _Incidence(NamedTuple):
    """Which points are in which clusters: a SciPy matrix, names of clusters, ids of points."""

    matrix: Any
    names: Sequence[Any] | None
    ids: Sequence[Any] | None


def as_cover(x: Any, points: Iterable[Any] | None = None) -> Partition:
    """Read clusters that may overlap, such as communities of a graph.

    Parameters
    ----------
    x : matrix, list, dict, or object of a network library
        One of the following:

        - a matrix of 0 and 1 with points in rows and clusters in columns: a NumPy array, a SciPy
          sparse matrix, a pandas or polars frame;
        - a list of clusters, each a set or list of points, as networkx returns communities;
        - a dict of cluster to points, or of point to clusters; ``points`` tells which;
        - a cover or clustering of igraph, or a clustering of cdlib, with all nodes of its graph;
        - a :class:`Partition` that is hard, a cover, or has memberships of 0 and 1 only.
    points : iterable, optional
        All points, so that those in no cluster are counted; for a matrix, the ids of its rows. By
        default, the points that are in a cluster, or all nodes of the graph.

    Returns
    -------
    Partition
        The cover, for ``index="omega"``. Clusters that do not overlap are a hard clustering, for
        every index; points in no cluster then count as clusters of one point each.

    Raises
    ------
    InputError
        If the cover cannot be read, or could be read in two ways.

    See Also
    --------
    Omega : The index of covers.
    as_partition : Read clusters that do not overlap, and memberships.

    Notes
    -----
    Points are matched by their ids, as those of sets and dicts are: the nodes, the index of a
    frame, or ``points``. Two equal clusters count twice.

    Examples
    --------
    >>> as_cover([{"ann", "bob", "cy"}, {"cy", "dee"}], points=["ann", "bob", "cy", "dee", "eve"])
    Partition(overlapping, 5 points, 2 clusters, 1 points in none)
    >>> as_cover([{"ann", "bob"}, {"cy", "dee"}])
    Partition(hard, 4 points, 2 clusters)
    >>> as_cover({"ann": ["red"], "bob": ["red", "blue"]}, points=["ann", "bob"])
    Partition(overlapping, 2 points, 2 clusters)
    """
    if isinstance(x, Partition):
        return _of_partition(x)
    x = unwrapped(x)
    every = None if points is None else list(points)
    if every is not None and len(set(every)) < len(every):
        raise InputError(
            "{parameter} holds an id twice, so it names no single point.",
            parameter=Option("points"),
        )
    found = _from_library(x, every) or _from_groups(x, every) or _from_matrix(x, every)
    require_points(found.matrix.shape[0], "cover", found.matrix.shape[1])
    return _partition(found)


def _partition(found: _Incidence) -> Partition:
    rows = SparseRows.of(found.matrix)
    counts = np.diff(rows.starts)
    names = None if found.names is None else ClusterNames(list(found.names))
    if counts.max(initial=0) > 1:
        return Partition(rows, possibilistic=True, names=names, ids=found.ids, cover=True)
    alone = counts == 0
    codes = np.empty(rows.n, dtype=np.intp)
    codes[~alone] = rows.columns
    none = int(np.count_nonzero(alone))
    codes[alone] = rows.k + np.arange(none)
    noise = Noise("singletons", none, none / rows.n) if none else None
    return Partition(LabelRows(codes, rows.k + none), names=names, ids=found.ids, noise=noise)


def _of_partition(partition: Partition) -> Partition:
    if partition.is_hard or partition.cover:
        return partition
    rows = partition.without_zeros
    if partition.noise_is_singletons or not (rows.values == 1.0).all():
        raise InputError(
            "the Partition is {kind}: its points belong to clusters by degrees, and a cover has "
            "only 0 and 1. {ndc} compares degrees.",
            kind=partition.kind,
            ndc=Option("index", "ndc"),
        )
    return _partition(_Incidence(rows.matrix, partition.names, partition.ids))


# --- sets and dicts of points --------------------------------------------------------------------


def _from_groups(x: Any, points: list[Any] | None) -> _Incidence | None:
    """Read clusters given as collections of points, or points with collections of clusters."""
    if isinstance(x, Iterator):
        x = list(x)
    if isinstance(x, Mapping) and not hasattr(x, "tocsr"):
        return _from_dict(x, points)
    if not isinstance(x, list | tuple) or not x or not all(isinstance(g, GROUPS) for g in x):
        return None
    lists = [group for group in x if isinstance(group, list | tuple)]
    if len(lists) == len(x) and len({len(group) for group in x}) == 1:
        entries = {entry for group in x for entry in group if isinstance(entry, int | float)}
        if entries <= {0, 1} and len(x[0]) > 0:
            raise InputError(
                "these lists of 0 and 1 could be the rows of a matrix, or clusters of the points 0 "
                "and 1. Pass np.array(x) for a matrix, and sets for clusters of points."
            )
    return _of_pairs(
        ((point, number) for number, group in enumerate(x) for point in group),
        points,
        list(range(len(x))),
    )


def _from_dict(x: Mapping[Any, Any], points: list[Any] | None) -> _Incidence:
    if not x:
        raise InputError("the dict is empty; give clusters with their points.")
    if not any(isinstance(value, GROUPS) for value in x.values()):
        pairs = [(point, cluster) for point, cluster in x.items() if not is_missing(cluster)]
        return _of_pairs(pairs, list(x) if points is None else points)
    groups = {key: v if isinstance(v, GROUPS) else (v,) for key, v in x.items()}
    values = dict.fromkeys(value for group in groups.values() for value in group)
    if _keys_are_points(groups, values, points):
        given = list(x) if points is None else points
        return _of_pairs(((p, c) for p, group in groups.items() for c in group), given)
    return _of_pairs(((p, c) for c, group in groups.items() for p in group), points, list(groups))


def _keys_are_points(
    groups: Mapping[Any, Collection[Any]], values: Mapping[Any, None], points: list[Any] | None
) -> bool:
    """Return whether a dict is one of point to clusters, rather than of cluster to points."""
    if points is None:
        if len(groups) <= len(values):
            return False
        raise InputError(
            "the dict has {keys:,} keys and {values:,} different values in its lists: which of "
            "them are the points? Say so: {parameter}=list(x) if the keys are points, and a list "
            "of all points if the keys are clusters.",
            keys=len(groups),
            values=len(values),
            parameter=Option("points"),
        )
    known = set(points)
    by_keys, by_values = known >= groups.keys(), known >= values.keys()
    if by_keys and by_values:
        if len(groups) == len(known) != len(values):
            return True
        if len(values) == len(known) != len(groups):
            return False
        raise InputError(
            "the keys of the dict and the values in its lists are all among {parameter}, so either "
            "could be the clusters. Rename the clusters, or give a list of sets of points.",
            parameter=Option("points"),
        )
    if not by_keys and not by_values:
        lacking = [key for key in values if key not in known]
        raise InputError(
            "{parameter} lacks some points of the clusters: {lacking}.",
            parameter=Option("points"),
            lacking=listed(lacking),
        )
    return by_keys


def _of_pairs(
    pairs: Iterable[tuple[Any, Any]], points: list[Any] | None, clusters: list[Any] | None = None
) -> _Incidence:
    """Return the matrix of pairs of point and cluster; each counts once."""
    from scipy.sparse import csr_array  # Deferred: slow to import and seldom needed.

    given = list(dict.fromkeys(pairs))
    ids = _ordered({point: None for point, _ in given}, points)
    rows = {point: row for row, point in enumerate(ids)}
    unknown = [point for point, _ in given if point not in rows]
    if unknown:
        raise InputError(
            "{parameter} lacks some points of the clusters: {unknown}.",
            parameter=Option("points"),
            unknown=listed(list(dict.fromkeys(unknown))),
        )
    names = list(dict.fromkeys(c for _, c in given)) if clusters is None else clusters
    columns = {cluster: column for column, cluster in enumerate(names)}
    places = [rows[point] for point, _ in given], [columns[cluster] for _, cluster in given]
    matrix = csr_array((np.ones(len(given)), places), shape=(len(ids), len(names)))
    return _Incidence(matrix, names, ids)


def _ordered(found: Mapping[Any, None], points: list[Any] | None) -> Sequence[Any]:
    """Return the ids of the points: those given, 0, 1, 2, ..., or others in no order."""
    if points is not None:
        numbered = all(isinstance(point, int | np.integer) for point in points)
        counted = numbered and points == list(range(len(points)))
        return range(len(points)) if counted else points
    numbers = range(len(found))
    return numbers if all(number in found for number in numbers) else Unordered(found)


# --- matrices ------------------------------------------------------------------------------------


def _from_matrix(x: Any, points: list[Any] | None) -> _Incidence:
    shape = getattr(x, "shape", None)
    if shape is None or len(shape) != 2:
        kind = type(x).__name__
        raise InputError(
            "expected a matrix of 0 and 1, a list of sets of points, a dict, or communities of "
            "networkx, igraph or cdlib; got {kind}.",
            kind=f"{'an' if kind[0].lower() in 'aeiou' else 'a'} {kind}",
        )
    from scipy.sparse import csr_array  # Deferred: slow to import and seldom needed.

    names = [str(name) for name in x.columns] if hasattr(x, "columns") else None
    ids: Sequence[Any] | None = ids_of(x)
    if points is not None:
        if len(points) != shape[0]:
            raise InputError(
                "{parameter} has {count:,} ids, but the matrix has {n:,} rows.",
                parameter=Option("points"),
                count=len(points),
                n=shape[0],
            )
        ids = _ordered({}, points)
    if hasattr(x, "tocsr"):
        matrix = csr_array(x.tocsr())
        matrix.sum_duplicates()
        entries = matrix.data
    else:
        entries = to_array(x, "cover")
        if entries.dtype.kind not in "biuf":
            try:
                entries = entries.astype(np.float64)
            except (TypeError, ValueError):
                raise InputError("the matrix holds entries that are not numbers.") from None
        matrix = None
    odd = np.argwhere(~((entries == 0) | (entries == 1)))
    if odd.size:
        place = tuple(odd[0].tolist())
        row, column = place if matrix is None else _place_of(matrix, place[0])
        raise InputError(
            "{place} is {value}; a cover has only 0 and 1 (a point is in a cluster, or it is not). "
            "Memberships by degrees go to as_partition, and {ndc} compares them.",
            place=Place("cover", row, column),
            value=shown(entries[place]),
            ndc=Option("index", "ndc"),
        )
    return _Incidence(
        csr_array(entries.astype(np.float64)) if matrix is None else matrix, names, ids
    )


def _place_of(matrix: Any, entry: int) -> tuple[int, int]:
    row = int(np.searchsorted(matrix.indptr, entry, side="right")) - 1
    return row, int(matrix.indices[entry])


# --- objects of network libraries, known by their attributes -------------------------------------


def _from_library(x: Any, points: list[Any] | None) -> _Incidence | None:
    """Read a clustering of cdlib (communities), or of igraph (membership), with all nodes."""
    graph = getattr(x, "graph", None)
    communities, membership = getattr(x, "communities", None), getattr(x, "membership", None)
    if isinstance(communities, list | tuple):
        nodes = points if points is not None else _nodes_of(graph)
        groups = list(communities)
        if nodes is not None and points is None:
            inside = dict.fromkeys(node for group in groups for node in group)
            nodes = list(dict.fromkeys([*nodes, *inside]))
        pairs = ((point, number) for number, group in enumerate(groups) for point in group)
        return _of_pairs(pairs, nodes, list(range(len(groups))))
    if isinstance(membership, list | tuple) and graph is not None:
        nodes = points or _nodes_of(graph) or list(range(len(membership)))
        return _of_pairs(
            (
                (node, cluster)
                for node, clusters in zip(nodes, membership, strict=True)
                for cluster in (clusters if isinstance(clusters, GROUPS) else (clusters,))
                if cluster is not None
            ),
            nodes,
            list(range(len(x))),
        )
    return None


def _nodes_of(graph: Any) -> list[Any] | None:
    """Return the nodes of a graph of networkx or igraph, by their names if they have any."""
    vertices = getattr(graph, "vs", None)
    if vertices is not None:
        named = "name" in vertices.attributes()
        return list(vertices["name"]) if named else list(range(len(vertices)))
    nodes = getattr(graph, "nodes", None)
    return list(nodes()) if callable(nodes) else None
