"""Clusterings whose points may differ, joined by the ids of the points.

All points that occur in some clustering are numbered in the order in which they are first seen.
Each clustering keeps its own points, in this order, and knows their numbers. Points that are left
out of a clustering, because they are noise or have no label, are missing from that clustering only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ..._base.errors import InputError
from ..._base.types import FloatArray, IntArray
from ..noise import TooFewPointsError, subset, treat_noise
from ..options import InputOptions
from ..partition import Partition, read_partition
from ..reading.foreign import unwrapped
from ..reading.named import by_name
from ..rows import LabelRows
from ..weighting import Weighting
from ..weights import require_some, weight_values
from .common_points import reordered
from .point_ids import lacks_comparable_ids, listed, same_ids
from .rows_of_points import ids_of_points, rows_of_points
from .same_points import read_aligned


@dataclass(frozen=True, eq=False)
class Joined:
    """Clusterings of points that may differ.

    Attributes
    ----------
    partitions : dict
        The clusterings by name, each with its own points and without ids.
    rows : list of array or None
        For each clustering, the numbers of its points among all points, in increasing order; None
        if it has all of them.
    n : int
        Number of all points.
    ids : sequence or None
        Ids of all points; None if they have none.
    unweighted : int
        Number of points that were left out because their weight is 0.
    """

    partitions: Mapping[str, Partition]
    rows: list[IntArray | None]
    n: int
    ids: Sequence[Any] | None
    unweighted: int = 0

    @property
    def points(self) -> list[Any]:
        """The ids of all points, or their numbers."""
        return list(range(self.n)) if self.ids is None else list(self.ids)

    def weighted(self, weights: Any) -> tuple[Joined, FloatArray]:
        """Return the points whose weight is not 0, and their weights, with a mean of 1."""
        if weights is None:
            return self, np.ones(self.n)
        weights = unwrapped(weights)
        values = weight_values(weights)
        place = Partition(LabelRows(np.zeros(self.n, dtype=np.intp), 1), ids=self.ids)
        own = values[rows_of_points([place], weights, "weights")]
        keep = own > 0.0
        left = require_some(keep)
        joined = self if left == self.n else self._part(keep)
        return joined, Weighting.of(own[keep]).values

    def _part(self, keep: npt.NDArray[np.bool_]) -> Joined:
        """Return some of the points, which keep their ids or numbers."""
        numbers = np.cumsum(keep) - 1
        parts: dict[str, Partition] = {}
        rows: list[IntArray | None] = []
        for (name, partition), own in zip(self.partitions.items(), self.rows, strict=True):
            mask = keep if own is None else keep[own]
            left = int(np.count_nonzero(mask))
            if left < 2:
                raise InputError(
                    "the run {name!r} has {left} point{plural} of a weight above 0; at least 2 are "
                    "needed to compare it with others.",
                    name=name,
                    left=left,
                    plural="s" * (left != 1),
                )
            parts[name] = replace(subset(partition, mask), left_out=partition.left_out)
            rows.append(None if own is None else numbers[own[mask]])
        points = self.points
        ids = [points[place] for place in np.flatnonzero(keep).tolist()]
        return Joined(parts, rows, len(ids), ids, self.n - len(ids))


def read_joined(clusterings: Any, options: InputOptions) -> Joined:
    """Read clusterings, given in any form that ``read_named`` takes, and join their points.

    Points are joined by ids if all clusterings have ids of the same kind. Otherwise all clusterings
    must have the same points, and are matched as everywhere else.
    """
    named = by_name(clusterings)
    if len(named) < 2:
        raise InputError(
            "expected at least two runs, got {count}; one run cannot show what recurs.",
            count=len(named),
        )
    given = {f"clustering {name!r}": clustering for name, clustering in named.items()}
    partitions = [read_partition(c, options, name) for name, c in given.items()]
    ids: Sequence[Any] | None
    places: list[IntArray | None]
    if _have_ids(partitions):
        ids, places = _union([p.ids for p in partitions if p.ids is not None], list(given))
    else:
        called = [f"{'' if i else 'clustering '}{name!r}" for i, name in enumerate(named)]
        whole = dict(zip(given, partitions, strict=True))
        partitions = read_aligned(whole, options, called=called)
        ids, places = ids_of_points(partitions), [None] * len(partitions)
    n = partitions[0].n if ids is None else len(ids)
    found, rows = {}, []
    for name, called_as, partition, own in zip(named, given, partitions, places, strict=True):
        found[name], kept = _treated(partition, own, options, called_as)
        rows.append(None if kept is None or kept.size == n else kept)
    return Joined(found, rows, n, ids)


def _have_ids(partitions: Sequence[Partition]) -> bool:
    """Return whether points can be joined by ids; row numbers of several frames are no ids."""
    ids = [partition.ids for partition in partitions if partition.ids is not None]
    if len(ids) < len(partitions):
        return False
    counted = {len(each) for each in ids if isinstance(each, range)}
    if len(counted) > 1 or (counted and len(ids) == sum(isinstance(i, range) for i in ids)):
        return False
    return not any(lacks_comparable_ids(ids[0], other) for other in ids[1:])


def _union(
    ids: Sequence[Sequence[Any]], names: Sequence[str]
) -> tuple[Sequence[Any], list[IntArray | None]]:
    """Return all ids, and the number of each point of each clustering among them."""
    if all(same_ids(ids[0], other) for other in ids[1:]) and len(set(ids[0])) == len(ids[0]):
        return ids[0], [None] * len(ids)
    numbers: dict[Any, int] = {}
    places: list[IntArray | None] = []
    for own, name in zip(ids, names, strict=True):
        rows = np.array([numbers.setdefault(key, len(numbers)) for key in own], dtype=np.intp)
        different, counts = np.unique(rows, return_counts=True)
        if different.size < rows.size:
            keys = list(numbers)
            raise InputError(
                "the ids of the {name} repeat: {ids}. Points are joined by them, so each needs its "
                "own.",
                name=name,
                ids=listed([keys[row] for row in different[counts > 1].tolist()]),
            )
        places.append(rows)
    return list(numbers), places


def _treated(
    partition: Partition, places: IntArray | None, options: InputOptions, name: str
) -> tuple[Partition, IntArray | None]:
    """Treat the noise of one clustering, and return the numbers of the points it keeps."""
    partition = replace(partition, ids=None, places=None)
    if places is not None and (np.diff(places) < 0).any():
        order = np.argsort(places)
        partition, places = reordered(partition, order), places[order]
    try:
        (part,) = treat_noise([partition], options, [name])
    except TooFewPointsError as error:
        raise error.extended("the {clustering}: ", clustering=name) from None
    if part.places is None:
        return part, places
    return part, np.asarray(part.places if places is None else places[part.places])
