"""Ids of points, and the order that matches the points of two clusterings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..._base.types import FloatArray, IntArray

#: Number of ids that a message lists before it says how many more there are.
LISTED = 5


class Unordered(list[Any]):
    """Ids of points that have no order, such as the nodes in a set; only ids can match them."""


@dataclass(frozen=True, eq=False)
class WithIds:
    """Numbers of points, and the ids of these points, as a pandas Series would hold them."""

    values: FloatArray
    ids: Sequence[Any]

    def __len__(self) -> int:
        return len(self.values)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return np.array(self.values, dtype=dtype)


def ids_of(data: Any) -> Sequence[Any] | None:
    """Return the index of a pandas object, or None.

    The default index, which counts rows from 0, is returned as a ``range``.
    """
    if isinstance(data, WithIds):
        return data.ids
    index: Any = getattr(data, "index", None)
    if not (hasattr(index, "get_indexer") and hasattr(index, "is_unique")):
        return None
    numbers = (getattr(index, name, None) for name in ("start", "step"))
    if tuple(numbers) == (0, 1):
        return range(len(index))
    ids: Sequence[Any] = index
    return ids


def same_ids(first: Sequence[Any], second: Sequence[Any]) -> bool:
    """Return whether two sequences hold the same ids in the same order."""
    if first is second:
        return True
    if isinstance(first, range) and isinstance(second, range):
        return first == second
    if hasattr(first, "equals") and hasattr(second, "equals"):
        return bool(first.equals(second))
    return len(first) == len(second) and list(first) == list(second)


def lacks_comparable_ids(first: Sequence[Any], second: Sequence[Any]) -> bool:
    """Return whether one side has plain row numbers and the other has ids that are not integers.

    Row numbers cannot be the same ids as texts or dates, so points can only be matched by their
    order. Integers, however, might be the row numbers of another part of the same table, and ids
    without an order match nothing else.
    """
    if isinstance(first, Unordered) or isinstance(second, Unordered):
        return False
    for counted, other in ((first, second), (second, first)):
        if isinstance(counted, range) and not isinstance(other, range):
            kind = getattr(getattr(other, "dtype", None), "kind", "O")
            whole = kind in "iu" or (
                kind in "Of" and all(isinstance(i, int | float | np.integer) for i in other)
            )
            return not whole
    return False


def order_of(ids: Sequence[Any], wanted: Sequence[Any]) -> IntArray | None:
    """Return the position of each wanted id, or None if the ids are not the same or not unique."""
    places = {key: place for place, key in enumerate(ids)}
    if len(places) < len(ids) or len(ids) != len(wanted):
        return None
    order = [places.get(key, -1) for key in wanted]
    if min(order, default=0) < 0 or len(set(order)) < len(order):
        return None
    return np.array(order, dtype=np.intp)


def shared_ids(ids: Sequence[Sequence[Any]]) -> list[Any]:
    """Return the ids that are in all of several sequences, in the order of the first."""
    first, *others = ids
    shared = set(first).intersection(*others)
    return list(first) if len(shared) == len(first) else [key for key in first if key in shared]


def repeated(ids: Sequence[Any]) -> Any | None:
    """Return an id that occurs more than once, or None."""
    if len(set(ids)) == len(ids):
        return None
    return Counter(ids).most_common(1)[0][0]


def difference(first: Sequence[Any], second: Sequence[Any]) -> str:
    """Describe in words how the ids of two clusterings differ."""
    for ids, which in ((first, "first"), (second, "second")):
        twice = repeated(ids)
        if twice is not None:
            return (
                f"the ids of the {which} repeat (such as {_plain(twice)!r}), so they name no "
                "single point"
            )
    ours, theirs = set(first), set(second)
    parts = [
        f"only the {which} has {listed([key for key in ids if key not in others])}"
        for ids, others, which in ((first, theirs, "first"), (second, ours, "second"))
        if not set(ids) <= others
    ]
    return ", ".join(parts)


def listed(ids: Sequence[Any]) -> str:
    """Write some ids, the first few of many."""
    more = f" and {len(ids) - LISTED:,} more" if len(ids) > LISTED else ""
    return ", ".join(repr(_plain(key)) for key in ids[:LISTED]) + more


def _plain(key: Any) -> Any:
    return key.item() if isinstance(key, np.generic) else key
