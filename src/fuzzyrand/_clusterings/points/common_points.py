"""Clusterings of partly different points: the points that all of them have."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..._base.errors import InputError
from ..._base.types import IntArray
from ..._base.wording import Call, Option, Sentence
from ..noise import subset
from ..partition import Partition, Unmatched
from ..reading.arraylike import shown
from .point_ids import order_of, repeated, shared_ids

#: Share of a clustering's points from which leaving them out is worth a note.
MANY = 0.05


def keep_common(
    partitions: Sequence[Partition], called: Sequence[str], *, counted: Sequence[bool]
) -> list[Partition]:
    """Return clusterings of the points that all of them have, in the order of the first.

    Parameters
    ----------
    partitions : sequence of Partition
        The clusterings; all need ids.
    called : sequence of str
        Their names in messages.
    counted : sequence of bool
        Whether the ids of a clustering only count its rows.
    """
    ids = [_require_ids(p, name) for p, name in zip(partitions, called, strict=True)]
    if all(counted) and len({p.n for p in partitions}) > 1:
        raise InputError(
            "{first} and the others have different numbers of points, and their indexes only count "
            "the rows, so that row 3 need not be the same point in all of them. Set an index that "
            "names the points: x.set_index(...), or pd.Series(labels, index=ids).",
            first=called[0],
        )
    common = shared_ids(ids)
    if len(common) < 2:
        sizes = ", ".join(f"{name} has {p.n:,}" for p, name in zip(partitions, called, strict=True))
        kinds = {isinstance(keys[0], str) for keys in ids}
        raise InputError(
            "{some} in all clusterings ({sizes} points), and a pair takes 2.{why}",
            some="no point is" if not common else "only one point is",
            sizes=sizes,
            why=" Some have ids that are text, and others have numbers." if len(kinds) > 1 else "",
        )
    return [_take(partition, keys, common) for partition, keys in zip(partitions, ids, strict=True)]


def reordered(partition: Partition, order: IntArray) -> Partition:
    """Return the same clustering with its points in another order."""
    ids, absent = partition.ids, partition.absent
    return replace(
        partition.take(order),
        absent=None if absent is None else absent[order],
        ids=None if ids is None else [ids[place] for place in order.tolist()],
    )


def left_out_of(partition: Partition) -> int:
    """Return the number of points that were left out, because another clustering lacks them."""
    return 0 if partition.unmatched is None else partition.unmatched.points


def left_out_notes(named: Iterable[tuple[str, Partition]]) -> list[Sentence]:
    """Return notes on clusterings, given with their names, of which many points were left out."""
    return [
        Sentence.of(
            "{points:,} of the {of:,} points of the {side} clustering ({share:.1%}) were left "
            "out, because they are not in all clusterings. The result does not cover them, and "
            "some clusters may have lost more than others: {explain} shows the share of each.",
            weight=lost.share,
            points=lost.points,
            of=lost.total,
            share=lost.share,
            side=name,
            explain=Call("explain"),
        )
        for name, lost in ((name, partition.unmatched) for name, partition in named)
        if lost is not None and lost.share > MANY
    ]


def left_out_line(left_out: Sequence[int], names: Sequence[str]) -> str:
    """Return a line on the points that were left out of each clustering; "" if none were.

    Examples
    --------
    >>> left_out_line((12, 3), ("the first", "the second"))
    'Left out, not in all clusterings: 12 points of the first, 3 of the second'
    """
    parts = [(count, name) for count, name in zip(left_out, names, strict=True) if count]
    if not parts:
        return ""
    (first, name), *others = parts
    listed = [f"{first:,} point{'s' * (first != 1)} of {name}"]
    listed += [f"{count:,} of {name}" for count, name in others]
    return f"Left out, not in all clusterings: {', '.join(listed)}"


def _require_ids(partition: Partition, name: str) -> Sequence[Any]:
    ids = partition.ids
    if ids is None:
        raise InputError(
            "{parameter} matches points by their ids, and {name} has none. Give it as a pandas "
            "object with the ids as its index, such as pd.Series(labels, index=ids), or as a dict "
            "of point and label.",
            parameter=Option("points", "common"),
            name=name,
        )
    key = repeated(ids)
    if key is not None:
        raise InputError(
            "the id {key} occurs more than once in {name}, so it names no single point. Every "
            "point needs its own id.",
            key=shown(key),
            name=name,
            value=key,
        )
    return ids


def _take(partition: Partition, ids: Sequence[Any], common: Sequence[Any]) -> Partition:
    """Return the clustering of the points with the given ids, in this order."""
    if len(common) == len(ids):
        order = order_of(ids, common)
        assert order is not None
        return partition if _is_sorted(order) else reordered(partition, order)
    places = {key: place for place, key in enumerate(ids)}
    rows = np.array([places[key] for key in common], dtype=np.intp)
    keep = np.zeros(partition.n, dtype=bool)
    keep[rows] = True
    part, absent = subset(partition, keep), partition.absent
    part = replace(
        part,
        absent=None if absent is None or not absent[keep].any() else absent[keep],
        left_out=partition.left_out,
        places=None,
        unmatched=_unmatched(partition, ~keep),
    )
    order = np.searchsorted(np.flatnonzero(keep), rows)
    return part if _is_sorted(order) else reordered(part, order)


def _unmatched(partition: Partition, lost: Any) -> Unmatched:
    before, points = partition.unmatched, int(np.count_nonzero(lost))
    k = partition.clusters
    sizes, gone = partition.sizes[:k], partition.take(lost).sizes[:k]
    if before is None:
        return Unmatched(points, partition.n, partition.names, sizes, gone)
    # Clusters may have been renumbered since, so only the counts can be added.
    return replace(before, points=before.points + points)


def _is_sorted(order: IntArray) -> bool:
    return bool((np.diff(order) == 1).all())
