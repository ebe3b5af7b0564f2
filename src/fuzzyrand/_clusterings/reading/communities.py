"""Clusters as sets of points, and labels by point, as network libraries return them.

A list of sets of nodes, a dict of cluster to nodes, and a dict of node to cluster are read as one
label for each node, with the nodes as ids.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from ..._base.errors import InputError
from ..._base.wording import Option, Place
from ..points.point_ids import Unordered
from .arraylike import shown

Groups = Mapping[Any, Collection[Any]]


class Communities(NamedTuple):
    """Labels, and the points that have them: 0, 1, 2, ... as a range, others in no order."""

    labels: list[Any]
    ids: Sequence[Any]


def read_communities(data: Any, name: str) -> Communities | None:
    """Return labels and ids of sets of points or of a dict; None if the data are neither.

    Lists in a list are clusters if they cannot be rows of memberships: they have different lengths
    or hold text, and no point is in two of them.
    """
    if hasattr(data, "tocsr"):
        return None  # a sparse matrix in the form of a dict
    groups = _groups(data)
    if groups is not None:
        if _is_nested_list(data) and len({*chain(*groups.values())}) < _size(groups):
            return None
        return _of_groups(groups, name)
    if isinstance(data, Mapping) and data and all(map(_is_label, data.values())):
        return _in_order(data)
    return None


def are_communities(data: Any) -> bool:
    """Return whether the data are clusters of points, whose number is not that of the points."""
    return _groups(data) is not None


def _groups(data: Any) -> Groups | None:
    """Return the points of each cluster, if the data are clusters of points."""
    if isinstance(data, np.ndarray) and data.dtype == object and data.ndim == 1:
        data = data.tolist()
    if isinstance(data, list | tuple):
        sets = bool(data) and all(isinstance(group, set | frozenset) for group in data)
        return dict(enumerate(data)) if sets or _is_nested_list(data) else None
    if not isinstance(data, Mapping) or not data:
        return None
    sets = all(isinstance(group, set | frozenset) for group in data.values())
    return data if sets or _are_lists_of_points(list(data.values())) else None


def _is_nested_list(data: Any) -> bool:
    """Return whether these are lists of points in a list, and no rows of memberships."""
    if not isinstance(data, list | tuple) or not _are_lists_of_points(data):
        return False
    return len({len(group) for group in data}) > 1 or isinstance(data[0][0], str)


def _are_lists_of_points(groups: Sequence[Any]) -> bool:
    """Return whether all of these are lists of integers and texts, with at least one each."""
    return bool(groups) and all(
        isinstance(group, list)
        and bool(group)
        and all(isinstance(p, int | str | np.integer) and not isinstance(p, bool) for p in group)
        for group in groups
    )


def _is_label(value: Any) -> bool:
    """Return whether a value of a dict can be a label: neither a collection nor an array."""
    return isinstance(value, str | bytes) or not hasattr(value, "__len__")


def _size(groups: Groups) -> int:
    return sum(map(len, groups.values()))


def _of_groups(groups: Groups, name: str) -> Communities:
    clusters: dict[Any, Any] = {}
    for label, group in groups.items():
        for point in group:
            if point in clusters:
                raise InputError(
                    "{place} holds sets of points, but {point} is in two of them ({label} and "
                    "{other}), which a partition does not allow. as_cover reads clusters that "
                    "overlap, and {omega} compares them; if each set is the label of a point: "
                    "Partition.from_labels.",
                    omega=Option("index", "omega"),
                    place=Place(name),
                    point=shown(point),
                    label=shown(clusters[point]),
                    other=shown(label),
                    value=point,
                )
            clusters[point] = label
    return _in_order(clusters)


def _in_order(labels: Mapping[Any, Any]) -> Communities:
    """Return labels in the order of points that are 0, 1, 2, ..., else in the given order."""
    numbers = range(len(labels))
    if all(number in labels for number in numbers):
        return Communities([labels[number] for number in numbers], numbers)
    return Communities(list(labels.values()), Unordered(labels))
