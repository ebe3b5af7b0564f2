"""Notes on how noise points were treated, and on labels that look like noise but were not named."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from .._base.wording import Option, Sentence
from .cluster_names import ClusterNames
from .partition import Noise, Partition

#: Number of clusters up to which labels are checked one by one.
MOST_LABELS = 100_000


def noise_notes(named: Iterable[tuple[str, Partition]]) -> list[Sentence]:
    """Return notes on the noise of clusterings, which are given with their names."""
    notes: list[Sentence] = []
    left_out = 0
    for name, partition in named:
        note = _unnamed(name, partition) if partition.noise is None else _treated(name, partition)
        if note is not None:
            notes.append(note)
        left_out = max(left_out, partition.dropped)
    if left_out:
        notes.append(
            Sentence.of(
                "{left_out:,} {points} left out, being noise or missing in one of the clusterings.",
                weight=left_out,
                left_out=left_out,
                points="point was" if left_out == 1 else "points were",
            )
        )
    return notes


def _treated(name: str, partition: Partition) -> Sentence:
    noise = partition.noise
    assert noise is not None
    if noise.points == 0:
        return Sentence.of(
            "the {side} clustering has no noise points{called}.", side=name, called=_called(noise)
        )
    if partition.is_hard or noise.treatment == "drop":
        total = partition.n + (partition.dropped if noise.treatment == "drop" else 0)
        what = "{points:,} of {n:,} points of the {side} clustering are noise points{called}, "
    else:
        total = partition.n
        what = (
            "{mass:.1%} of the membership of the {side} clustering is noise (in {points:,} of "
            "{n:,} "
            "points), "
        )
    how = {
        "cluster": "counted as one cluster.",
        "singletons": "and no two of them count as together."
        if partition.is_hard
        else "in which no two points are together.",
        "drop": "and were left out.",
    }[noise.treatment]
    return Sentence.of(
        what + how,
        weight=noise.mass,
        points=noise.points,
        mass=noise.mass,
        n=total,
        side=name,
        called=_called(noise),
    )


def _called(noise: Noise) -> str:
    return f" (label {noise.label})" if noise.label else ""


def _unnamed(name: str, partition: Partition) -> Sentence | None:
    """Note that the label -1 counts as a cluster, since it usually stands for noise.

    If -1 and 1 are the only labels, they are two classes.
    """
    if not partition.is_hard or not isinstance(partition.names, ClusterNames):
        return None
    labels: Any = partition.names.labels
    if len(labels) > MOST_LABELS:
        return None
    if isinstance(labels, range) and -1 not in labels:
        return None  # the usual case, and quick
    numbers = [_whole(label) for label in labels]
    if -1 not in numbers or {*numbers} == {-1, 1}:
        return None
    points = int(partition.sizes[numbers.index(-1)])
    return Sentence.of(
        "in the {side} clustering, the label -1 ({points:,} of {n:,} points) counts as a cluster. "
        "If these are noise points, use {noise} with {cluster}, 'singletons' or 'drop'.",
        weight=points,
        points=points,
        n=partition.n,
        side=name,
        noise=Option("noise", -1),
        cluster=Option("noise_as", "cluster"),
    )


def _whole(label: Any) -> int | None:
    """Return a label as an integer, even if it is written as text; None for any other label."""
    # NumPy counts durations among the integers.
    if isinstance(label, int | np.integer) and not isinstance(label, bool | np.timedelta64):
        return int(label)
    try:
        return int(label) if isinstance(label, str) else None
    except ValueError:
        return None
