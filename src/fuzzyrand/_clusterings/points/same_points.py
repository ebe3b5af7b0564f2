"""Several clusterings of the same points, read together.

Points are matched by their ids if both clusterings have them (see ``Partition.ids``), and by
their order otherwise:

- An array, list or polars object has no ids, and is matched with everything else by its order.
- Two pandas objects whose indexes hold the same unique ids are matched by them, in the order of
  the first. Different ids are refused.
- The default index of pandas numbers the rows. It is matched with the same numbers in another
  order, as shuffled rows have. If the other index holds ids of another kind (texts, dates), points
  are matched by their order instead.
- The nodes of communities, and the keys of a dict, are ids without an order, unless they are 0, 1,
  2, ..., which are row numbers. They are matched only with the same ids.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Integral
from typing import Any

import numpy as np

from ..._base.errors import InputError
from ..._base.types import IntArray
from ..._base.wording import Option, Sentence
from ..noise import treat_noise
from ..options import InputOptions
from ..partition import Partition, read_partition
from ..reading.arraylike import is_sequence, shown
from ..reading.communities import are_communities
from ..reading.memberships import TRANSPOSE
from ..weights import with_weights
from .common_points import keep_common, reordered
from .point_ids import (
    Unordered,
    difference,
    ids_of,
    lacks_comparable_ids,
    order_of,
    same_ids,
    shared_ids,
)
from .rows_of_points import rows_of_points


def read_pair_in_memory(
    first: Any, second: Any, options: InputOptions
) -> tuple[Partition, Partition]:
    """Read two clusterings of the same points, the second in the order of the first; no dask.

    For functions that also take dask collections, ``_api/reading.py`` has ``read_pair``.
    """
    a, b = read_together({"first clustering": first, "second clustering": second}, options)
    return a, b


def read_together(
    clusterings: Mapping[str, Any],
    options: InputOptions,
    *,
    called: Sequence[str] | None = None,
) -> list[Partition]:
    """Read clusterings of the same points, in the order of the first, and treat their noise.

    Parameters
    ----------
    clusterings : mapping
        The clusterings by the names that messages use for them, preceded by "the".
    options : InputOptions
        How they are read.
    called : sequence of str, optional
        Names in messages about two of the clusterings; by default, "the" and the name.
    """
    partitions = with_weights(read_aligned(clusterings, options, called=called), options.weights)
    return treat_noise(partitions, options, list(clusterings))


def read_grouped(
    clusterings: Mapping[str, Any], groups: Any, options: InputOptions
) -> tuple[list[Partition], IntArray | None]:
    """Read clusterings of the same points, and the group (from 0) of each point that is kept.

    Parameters
    ----------
    clusterings, options
        As in :func:`read_together`.
    groups : label vector, or None
        Labels of groups of points that belong together.
    """
    if groups is None:
        return read_together(clusterings, options), None
    if options.points == "common":
        return _grouped_in_common(clusterings, groups, options)
    *partitions, labels = read_aligned({**clusterings, "groups": groups}, options)
    codes = _codes_of_groups(labels)
    partitions = with_weights(partitions, options.weights)
    partitions = treat_noise(partitions, options, list(clusterings))
    places = partitions[0].places
    return partitions, _from_zero(codes if places is None else codes[places])


def _grouped_in_common(
    clusterings: Mapping[str, Any], groups: Any, options: InputOptions
) -> tuple[list[Partition], IntArray]:
    """Read clusterings of partly different points; there may be groups of further points."""
    partitions = read_together(clusterings, options)
    codes = _codes_of_groups(read_partition(groups, options, "groups"))
    return partitions, _from_zero(codes[rows_of_points(partitions, groups, "groups")])


def _codes_of_groups(labels: Partition) -> IntArray:
    """Return the group of each point; refuse memberships, and points without a group."""
    if not labels.is_hard or labels.absent is not None:
        raise InputError(
            "{parameter} must hold one label for each point; got {kind}.",
            parameter=Option("groups"),
            kind="points without one" if labels.is_hard else "memberships",
        )
    return labels.rows.codes


def _from_zero(codes: Any) -> IntArray:
    """Return codes with the groups that occur numbered from 0."""
    return np.asarray(np.unique(codes, return_inverse=True)[1], dtype=np.intp).reshape(-1)


def read_aligned(
    clusterings: Mapping[str, Any],
    options: InputOptions,
    *,
    called: Sequence[str] | None = None,
) -> list[Partition]:
    """Read clusterings of the same points, in the order of the first; see :func:`read_together`."""
    names = list(clusterings)
    common = options.points == "common"
    if not common:
        for other in names[1:]:
            _refuse_transposed(clusterings, names[0], other)
    partitions = [
        read_partition(clustering, options, name) for name, clustering in clusterings.items()
    ]
    called = called or [f"the {name}" for name in names]
    if common:
        counted = [
            isinstance(partition.ids, range)
            and (isinstance(given, Partition) or ids_of(given) is not None)
            for partition, given in zip(partitions, clusterings.values(), strict=True)
        ]
        return keep_common(partitions, called, counted=counted)
    return [
        in_order_of(partitions[0], partition, called[0], name)
        for name, partition in zip(called, partitions, strict=True)
    ]


def in_order_of(reference: Partition, partition: Partition, first: str, second: str) -> Partition:
    """Return a clustering with its points in the order of another, or refuse it.

    Parameters
    ----------
    reference, partition : Partition
        Two clusterings.
    first, second : str
        Their names in messages.
    """
    require_same_points(reference, partition, first, second)
    ours, theirs = reference.ids, partition.ids
    if ours is None or theirs is None:
        _refuse_unordered(ours, theirs, first, second)
        return partition
    if same_ids(ours, theirs):
        return partition
    order = order_of(theirs, ours)
    if order is not None:
        return reordered(partition, order)
    if lacks_comparable_ids(ours, theirs):
        return partition
    nodes = isinstance(ours, Unordered) or isinstance(theirs, Unordered)
    raise InputError(
        "{first} and {second} have different {ids}: {difference}.{shared} Give both the same "
        "ids{position}",
        shared=_about_shared(ours, theirs),
        first=first,
        second=second,
        ids="points" if nodes else "indexes",
        difference=difference(ours, theirs),
        position="."
        if nodes
        else "; to compare them by position instead, drop the indexes: x.to_numpy(), or "
        "x.reset_index(drop=True).",
    )


def _refuse_unordered(
    ours: Sequence[Any] | None, theirs: Sequence[Any] | None, first: str, second: str
) -> None:
    """Refuse to match points without ids with those of sets or dicts, which have no order."""
    for ids, name, other in ((ours, first, second), (theirs, second, first)):
        if isinstance(ids, Unordered):
            raise InputError(
                "{name} gives points by name ({point}, ...) and in no order, and {other} has no "
                "names for them. Give {other} as a dict of point and label, or as a pandas object "
                "with the points as its index; or give both in the same order: "
                "[labels[point] for point in points], with a dict of labels.",
                name=name,
                other=other,
                point=shown(ids[0]),
            )


#: How to compare clusterings of different points that have no ids.
WITH_IDS = Sentence.of(
    " If each point has an id, give labels as pandas objects with the ids as their index, such as "
    "pd.Series(labels, index=ids), and {common}, which compares the points that both have.",
    common=Option("points", "common"),
)


def _about_shared(ours: Sequence[Any], theirs: Sequence[Any]) -> Sentence | str:
    """Say how many ids two clusterings share, and how to compare these points alone."""
    repeat = len(set(ours)) < len(ours) or len(set(theirs)) < len(theirs)
    if repeat or (isinstance(ours, range) and isinstance(theirs, range)):
        return ""
    shared = len(shared_ids([ours, theirs]))
    if shared < 2:
        return ""
    return Sentence.of(
        " They share {shared:,} ids; {common} compares these points alone.",
        shared=shared,
        common=Option("points", "common"),
    )


def require_same_points(
    a: Partition, b: Partition, name_a: str, name_b: str, advice: Sentence = WITH_IDS
) -> None:
    """Refuse two clusterings with different numbers of points.

    Parameters
    ----------
    a, b : Partition
        Two clusterings.
    name_a, name_b : str
        Their names in messages.
    advice : Sentence
        How to give ids, for clusterings that have none.
    """
    if a.n == b.n:
        return
    hint: str | Sentence = ""
    for partition, other in ((a, b), (b, a)):
        if not partition.is_hard and partition.k == other.n:
            hint = " One of them looks transposed: rows are points, columns are clusters."
    ours, theirs = a.ids, b.ids
    if not hint and ours is not None and theirs is not None:
        hint = _about_shared(ours, theirs)
    raise InputError(
        "{first} has {n} points and {second} has {m}; both must describe the same points in the "
        "same order.{hint}",
        first=name_a,
        second=name_b,
        n=a.n,
        m=b.n,
        hint=hint or advice,
    )


def _refuse_transposed(clusterings: Mapping[str, Any], first: str, second: str) -> None:
    """Refuse a (clusters, points) matrix: it has as many columns as the other has points.

    This is checked before reading, since dividing its rows by their sums would silently swap
    points and clusters.
    """
    shapes = {name: _shape(clusterings[name]) for name in (first, second)}
    for name, other in ((second, first), (first, second)):
        n, m = shapes[other][0], shapes[name][0]
        if n is None or m is None or len(shapes[name]) < 2:
            continue
        both = len(shapes[other]) == 2 and shapes[other][1] == m  # either may be transposed
        if shapes[name][1] == n and 1 < m != n:
            which = "one of them looks transposed" if both else "it looks transposed"
            raise InputError(
                "the {name} has {m} rows and {n} columns where the {other} has {n} points: "
                "{which}. Rows are points, columns are clusters. {cure}",
                name=name,
                other=other,
                m=m,
                n=n,
                which=which,
                cure=TRANSPOSE,
            )


def _shape(data: Any) -> tuple[int | None, ...]:
    """Return the numbers of rows and, for a matrix, columns; (None,) if the data declare none."""
    if isinstance(data, Partition):
        return (data.n,) if data.is_hard else (data.n, data.k)
    shape = getattr(data, "shape", None)
    if isinstance(shape, tuple):
        # A dask frame knows its numbers of rows and columns only when it is computed.
        return shape if shape and all(isinstance(size, Integral) for size in shape) else (None,)
    if not is_sequence(data) or not data or are_communities(data):
        return (None,)
    row = data[0]
    if isinstance(row, list | tuple) or getattr(row, "ndim", 0) == 1:
        return (len(data), len(row))
    return (len(data),)
