"""Find the noise points of clusterings, and treat them as the caller asked.

A clustering is read with its noise marked: either the cluster with the noise label, or a last
column that makes every row sum to 1. ``treat_noise`` then applies the requested treatment to
several clusterings of the same points. With "cluster", noise stays as it is. With "singletons",
each noise point of a hard clustering gets a cluster of its own; a fuzzy clustering keeps its last
column and is marked, since two points never share their noise. With "drop", noise points are left
out of all clusterings.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from typing import Any

import numpy as np
import numpy.typing as npt

from .._base.errors import InputError
from .._base.types import FloatArray, IntArray
from .._base.wording import Option, Place
from .cluster_names import ClusterNames
from .options import InputOptions
from .partition import Noise, Partition
from .rows import LabelRows

#: A noise share up to this counts as 0, and one this close to 1 counts as 1: rounding explains it.
ROUNDING = 1e-6

Mask = npt.NDArray[np.bool_]


class TooFewPointsError(InputError):
    """Fewer than two points are left when noise is dropped."""


def treat_noise(
    partitions: Sequence[Partition], options: InputOptions, names: Sequence[str]
) -> list[Partition]:
    """Return clusterings of the same points with their noise treated.

    Parameters
    ----------
    partitions : sequence of Partition
        The clusterings, with their points in the same order.
    options : InputOptions
        What counts as noise, and how it is treated.
    names : sequence of str
        Names of the clusterings in messages.
    """
    marked = [_marked(partition, options.noise) for partition in partitions]
    if options.noise_as == "drop" or any(partition.absent is not None for partition in marked):
        marked = _without_dropped(marked, options.noise_as, names)
    if options.noise_as == "singletons":
        return [_as_singletons(partition) for partition in marked]
    return marked


def subset(partition: Partition, keep: Mask, *, recount: bool = True) -> Partition:
    """Return the clustering of some of the points.

    Parameters
    ----------
    partition : Partition
        The clustering.
    keep : array of bool
        Mask of the points to keep.
    recount : bool
        Whether to remove hard clusters that lose all their points, as if they had never existed.
    """
    ids, kept = partition.ids, np.flatnonzero(keep)
    part = replace(
        partition,
        ids=None if ids is None else [ids[point] for point in kept.tolist()],
        places=kept if partition.places is None else partition.places[keep],
        absent=None,
        left_out=partition.left_out + int(np.count_nonzero(~keep)),
    )
    part = replace(part.take(keep), ids=part.ids)
    if not partition.is_hard:
        part = _hardened(part)
    elif recount:
        part = _recounted(part, partition)
    noise = part.noise
    if noise is None or noise.cluster is None:
        return part
    shares = _shares(part)
    points = int(np.count_nonzero(shares > ROUNDING))
    return replace(part, noise=replace(noise, points=points, mass=float(shares.mean())))


def sample(partitions: Sequence[Partition], most: int, rng: np.random.Generator) -> list[Partition]:
    """Return clusterings of at most this many random points, the same of all clusterings."""
    n = partitions[0].n
    if n <= most:
        return list(partitions)
    keep = np.zeros(n, dtype=bool)
    keep[choose_points(n, most, rng)] = True
    return [subset(partition, keep, recount=False) for partition in partitions]


def choose_points(n: int, size: int, rng: np.random.Generator) -> IntArray:
    """Choose some of n points at random, in increasing order."""
    return np.sort(rng.choice(n, size, replace=False))


def _hardened(partition: Partition) -> Partition:
    """Replace rows by codes if all rows are one-hot."""
    rows = partition.rows
    if not ((rows.filled == 1).all() and (rows.largest == 1.0).all()):
        return partition
    hard = replace(
        partition,
        rows=LabelRows(rows.strongest, partition.k),
        noise=None,
        cover=False,
        possibilistic=partition.possibilistic and not partition.cover,
    )
    return (
        last_as_singletons(hard)
        if partition.noise_is_singletons
        else replace(hard, noise=partition.noise)
    )


def _recounted(part: Partition, before: Partition) -> Partition:
    """Renumber the clusters that occur from 0; clusters that were empty before still count."""
    noise, names = part.noise, part.names
    occurring, codes = np.unique(part.rows.codes, return_inverse=True)
    if noise is not None and noise.cluster is not None:
        place = np.flatnonzero(occurring == noise.cluster)
        noise = replace(noise, cluster=int(place[0]) if place.size else None)
    return replace(
        part,
        rows=LabelRows(
            codes.astype(np.intp).reshape(-1), occurring.size + before.k - before.occupied
        ),
        names=None
        if names is None
        else _names_of(names, [c for c in occurring.tolist() if c < len(names)]),
        noise=noise,
    )


def _names_of(names: Sequence[str], clusters: Sequence[int]) -> ClusterNames:
    """Return the names of some clusters, without converting labels to text."""
    labels = names.labels if isinstance(names, ClusterNames) else names
    return ClusterNames([labels[cluster] for cluster in clusters])


def _marked(partition: Partition, label: Any) -> Partition:
    """Mark the cluster with the noise label, if a hard clustering has it."""
    if label is None or not partition.is_hard:
        return partition
    noise, names = partition.noise, partition.names
    labels = names.labels if isinstance(names, ClusterNames) else (names or ())
    cluster = _place_of(label, labels)
    if noise is not None:
        unlabelled = not noise.label and noise.treatment == "cluster"
        if unlabelled and cluster is not None and noise.cluster not in (None, cluster):
            return _joined(partition, cluster, str(label))
        return partition
    if cluster is None:
        return replace(partition, noise=Noise("cluster", 0, 0.0, label=str(label)))
    points = int(partition.sizes[cluster])
    return replace(
        partition,
        noise=Noise("cluster", points, points / partition.n, cluster=cluster, label=str(label)),
    )


def _joined(partition: Partition, cluster: int, label: str) -> Partition:
    """Add the cluster with the noise label to the noise points that have no label."""
    noise, names = partition.noise, partition.names
    assert noise is not None
    assert noise.cluster is not None
    codes = partition.rows.codes
    codes = np.where(codes == cluster, noise.cluster, codes)
    left = None if names is None else [c for c in range(len(names)) if c != cluster]
    target = noise.cluster - (noise.cluster > cluster)
    points = int(np.count_nonzero(codes == noise.cluster))
    return replace(
        partition,
        rows=LabelRows((codes - (codes > cluster)).astype(np.intp), partition.k - 1),
        names=None if names is None or left is None else _names_of(names, left),
        noise=Noise("cluster", points, points / partition.n, cluster=target, label=label),
    )


def _place_of(label: Any, labels: Any) -> int | None:
    """Return the position of a label among labels, or None.

    "-1" and -1 match each other; "-1.0" and -1 do as well, if there is no label "-1.0".
    """
    if isinstance(labels, range) and isinstance(label, int | np.integer):
        return labels.index(int(label)) if int(label) in labels else None
    equal = (place for place, other in enumerate(labels) if _same(label, other))
    written = (
        place
        for place, other in enumerate(labels)
        if isinstance(label, str) != isinstance(other, str) and str(other) == str(label)
    )
    number = _number(label)
    as_number = (
        place
        for place, other in enumerate(labels if number is not None else ())
        if not isinstance(other, str) and number == _number(str(other))
    )
    return next(itertools.chain(equal, written, as_number), None)


def _number(label: Any) -> Decimal | None:
    """Return the finite number that a text spells, or None."""
    try:
        number = Decimal(label) if isinstance(label, str) else None
    except InvalidOperation:
        return None
    return number if number is not None and number.is_finite() else None


def _same(label: Any, other: Any) -> bool:
    try:
        return bool(label == other)
    except Exception:  # the comparison with a label of any type may fail
        return False


def _shares(partition: Partition) -> FloatArray:
    """Return the noise share of each point."""
    noise = partition.noise
    if noise is None or noise.cluster is None:
        return np.zeros(partition.n)
    return partition.rows.column(noise.cluster)


def _without_dropped(
    partitions: list[Partition], noise_as: str, names: Sequence[str]
) -> list[Partition]:
    dropped = [
        np.zeros(partition.n, dtype=bool) if partition.absent is None else partition.absent.copy()
        for partition in partitions
    ]
    if noise_as == "drop":
        for partition, name, mask in zip(partitions, names, dropped, strict=True):
            mask |= _noise_points(partition, name)
    keep = ~np.logical_or.reduce(dropped)
    left = int(np.count_nonzero(keep))
    if left < 2:
        raise TooFewPointsError(
            "{left} of {n:,} points are left when noise and missing points are dropped; at least 2 "
            "are needed to have a pair. {cluster} keeps noise points as a cluster.",
            left=left,
            n=keep.size,
            cluster=Option("noise_as", "cluster"),
        )
    parts = [subset(partition, keep) for partition in partitions]
    if noise_as != "drop":
        return parts
    return [
        _without_noise(part, int(mask.sum()), mask.size)
        for part, mask in zip(parts, dropped, strict=True)
    ]


def _noise_points(partition: Partition, name: str) -> Mask:
    """Return a mask of the noise points; refuse points that are partly noise."""
    shares = _shares(partition)
    partly = np.flatnonzero((shares > ROUNDING) & (shares < 1.0 - ROUNDING))
    if partly.size:
        row = int(partly[0])
        raise InputError(
            "{place} is partly noise ({value:.3g}; so are {some:,} of {n:,} points), but {drop} "
            "leaves out whole points. Use {singletons} or 'cluster'; or {normalize} instead of "
            "{missing}, which rescales the rows.",
            place=Place(name, row),
            value=float(shares[row]),
            some=partly.size,
            n=partition.n,
            drop=Option("noise_as", "drop"),
            singletons=Option("noise_as", "singletons"),
            normalize=Option("normalize", True),
            missing=Option("missing", "noise"),
        )
    return shares >= 1.0 - ROUNDING


def _without_noise(partition: Partition, dropped: int, n: int) -> Partition:
    """Remove the noise column after noise points were dropped, and record how many there were."""
    noise = partition.noise
    mark = Noise("drop", dropped, dropped / n, label="" if noise is None else noise.label)
    if partition.is_hard or noise is None or noise.cluster is None:
        return replace(partition, noise=mark)
    names, rows = partition.names, partition.rows.drop_last()
    return replace(
        partition,
        rows=rows.scale(1.0 / rows.times(np.ones(rows.k))),
        names=None if names is None else names[:-1],
        noise=mark,
    )


def last_as_singletons(partition: Partition) -> Partition:
    """Mark the last cluster as noise that no two points share."""
    last = partition.k - 1
    share = float(partition.proportions[last])
    marked = replace(partition, noise=Noise("cluster", 0, share, cluster=last))
    points = int(np.count_nonzero(_shares(marked) > 0.0))
    return _as_singletons(replace(partition, noise=Noise("cluster", points, share, cluster=last)))


def _as_singletons(partition: Partition) -> Partition:
    """Treat noise as singletons, so that no two points share it."""
    noise = partition.noise
    if noise is None or noise.cluster is None or noise.treatment == "singletons":
        return partition
    mark = replace(noise, treatment="singletons", cluster=None)
    if not partition.is_hard:
        return replace(partition, noise=mark)
    # The other clusters come first, then one for each noise point.
    given = partition.rows.codes
    noisy = given == noise.cluster
    codes = given.astype(np.intp) - (given > noise.cluster)
    codes[noisy] = partition.k - 1 + np.arange(noise.points)
    names = partition.names
    left = None if names is None else [c for c in range(len(names)) if c != noise.cluster]
    return replace(
        partition,
        rows=LabelRows(codes, partition.k - 1 + noise.points),
        names=None if names is None or left is None else _names_of(names, left),
        noise=mark,
    )
