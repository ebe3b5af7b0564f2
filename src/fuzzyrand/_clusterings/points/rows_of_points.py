"""Other data on the points of clusterings, such as coordinates: the row of each point."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ..._base.errors import InputError
from ..._base.types import FloatArray, IntArray
from ..partition import Partition
from .point_ids import ids_of, lacks_comparable_ids, listed, same_ids


def rows_of_points(partitions: Sequence[Partition], data: Any, name: str) -> IntArray:
    """Return the row of other data for each point of some clusterings, or refuse the data.

    Rows are matched by their ids, where both have ids, and by their order otherwise, as the points
    of two clusterings are. There may be rows for further points; without ids, only for those that
    were left out of the clusterings.

    Parameters
    ----------
    partitions : sequence of Partition
        Clusterings of the same points in the same order, some of which may have ids.
    data : sequence, array or frame
        A row or an entry for each point.
    name : str
        Name of the data in messages.
    """
    rows = rows_if_moved(partitions, data, name)
    return np.arange(partitions[0].n) if rows is None else rows


def rows_if_moved(partitions: Sequence[Partition], data: Any, name: str) -> IntArray | None:
    """Return the same as :func:`rows_of_points`; None if data and points have the same order."""
    first, theirs = partitions[0], ids_of(data)
    refused: Sequence[Any] | None = None
    for partition in partitions:
        if theirs is None or partition.ids is None or not _comparable(partition, theirs):
            continue
        if same_ids(partition.ids, theirs):
            return None
        rows = _places(partition.ids, theirs)
        if rows is not None:
            return rows
        refused = partition.ids
    if theirs is not None and refused is not None:
        known = set(theirs)
        lacking = [key for key in refused if key not in known]
        why = f"{name} lacks {listed(lacking)}" if lacking else f"the ids of {name} repeat"
        raise InputError(
            "{name} and the clusterings have different indexes: {why}. Give both the same "
            "ids; to match them by position instead, drop the index: x.to_numpy().",
            name=name,
            why=why,
        )
    count = data.shape[0] if hasattr(data, "shape") else len(data)
    if count == first.n:
        return None
    if first.places is not None and count == first.n + first.left_out:
        return np.asarray(first.places, dtype=np.intp)
    raise InputError(
        "{name} has {count:,} rows, but there are {n:,} points; give one row for each.",
        name=name,
        count=count,
        n=first.n,
    )


def coordinates_of_points(partitions: Sequence[Partition], xy: Any) -> FloatArray:
    """Return the two coordinates of each point of some clusterings, or refuse them."""
    places = np.asarray(xy, dtype=np.float64)
    if places.ndim != 2 or places.shape[1] != 2:
        raise InputError(
            f"xy has the shape {places.shape}; expected two coordinates for each point, "
            f"({partitions[0].n}, 2)."
        )
    return np.asarray(places[rows_of_points(partitions, xy, "xy")])


def ids_of_points(partitions: Iterable[Partition]) -> Sequence[Any] | None:
    """Return the ids of the points of some clusterings: if possible, not those that count rows."""
    known = [partition.ids for partition in partitions if partition.ids is not None]
    return next((ids for ids in known if not isinstance(ids, range)), known[0] if known else None)


def are_numbered(partitions: Iterable[Partition]) -> bool:
    """Return whether the points have numbers from 0 rather than ids."""
    ids = ids_of_points(partitions)
    return ids is None or isinstance(ids, range)


def _comparable(partition: Partition, theirs: Sequence[Any]) -> bool:
    """Return whether points can be matched by ids; row numbers of both sides are no ids."""
    ids, places, rows = partition.ids, partition.places, partition.n + partition.left_out
    assert ids is not None
    counted = isinstance(ids, range) or (places is not None and list(ids) == places.tolist())
    if not counted:
        return not lacks_comparable_ids(ids, theirs)
    if isinstance(theirs, range) or len(theirs) > rows:
        return False
    return not lacks_comparable_ids(range(rows), theirs)


def _places(wanted: Sequence[Any], ids: Sequence[Any]) -> IntArray | None:
    """Return the position of each wanted id, or None if one is missing or ids repeat."""
    places = {key: place for place, key in enumerate(ids)}
    if len(places) < len(ids):
        return None
    rows = [places.get(key, -1) for key in wanted]
    return np.array(rows, dtype=np.intp) if min(rows, default=0) >= 0 else None
