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
from dataclasses import replace
from numbers import Integral
from typing import Any

import numpy as np

from .._base.errors import InputError
from .._base.types import IntArray
from .._base.wording import Option
from .arraylike import is_sequence, shown
from .communities import are_communities
from .memberships import TRANSPOSE
from .noise import treated
from .options import InputOptions
from .partition import Partition, read_partition
from .point_ids import Unordered, difference, lacks_comparable_ids, order_of, same_ids


def as_pair(first: Any, second: Any, options: InputOptions) -> tuple[Partition, Partition]:
    """Read two clusterings of the same points, the second in the order of the first."""
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
    return treated(read_aligned(clusterings, options, called=called), options, list(clusterings))


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
    *partitions, labels = read_aligned({**clusterings, "groups": groups}, options)
    if labels.codes is None or labels.absent is not None:
        raise InputError(
            "{parameter} must hold one label for each point; got {kind}.",
            parameter=Option("groups"),
            kind="memberships" if labels.codes is None else "points without one",
        )
    partitions = treated(partitions, options, list(clusterings))
    places = partitions[0].places
    codes = np.unique(labels.codes if places is None else labels.codes[places], return_inverse=True)
    return partitions, np.asarray(codes[1], dtype=np.intp).reshape(-1)


def read_aligned(
    clusterings: Mapping[str, Any],
    options: InputOptions,
    *,
    called: Sequence[str] | None = None,
) -> list[Partition]:
    """Read clusterings of the same points, in the order of the first; see :func:`read_together`."""
    names = list(clusterings)
    for other in names[1:]:
        _refuse_transposed(clusterings, names[0], other)
    partitions = [
        read_partition(clustering, options, name) for name, clustering in clusterings.items()
    ]
    called = called or [f"the {name}" for name in names]
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
        "{first} and {second} have different {ids}: {difference}. Give both the same ids{position}",
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


def reordered(partition: Partition, order: IntArray) -> Partition:
    """Return the same clustering with its points in another order."""
    ids, absent = partition.ids, partition.absent
    return replace(
        partition.rows_of(order),
        absent=None if absent is None else absent[order],
        ids=None if ids is None else [ids[place] for place in order.tolist()],
    )


def require_same_points(a: Partition, b: Partition, name_a: str, name_b: str) -> None:
    """Refuse two clusterings with different numbers of points."""
    if a.n == b.n:
        return
    hint = ""
    for partition, other in ((a, b), (b, a)):
        if not partition.is_hard and partition.k == other.n:
            hint = " One of them looks transposed: rows are points, columns are clusters."
    raise InputError(
        "{first} has {n} points and {second} has {m}; both must describe the same points in the "
        "same order.{hint}",
        first=name_a,
        second=name_b,
        n=a.n,
        m=b.n,
        hint=hint,
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
