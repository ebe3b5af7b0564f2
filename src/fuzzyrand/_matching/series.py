"""A common order for the clusters of many clusterings of the same points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._base.types import FloatArray
from .._inputs.partition import Partition
from .labels import distinct, labels_of
from .overlap import best_pairs, matrix_of, overlap_of

#: Cosine of two columns from which clusters without a partner in the reference are the same.
ALIKE = 0.5


@dataclass(frozen=True)
class CommonOrder:
    """The column of a common order that each cluster of each run has.

    Attributes
    ----------
    order : dict
        For each run, the column of each of its clusters.
    labels : list
        What the columns are called: as in the reference, then as in the run where they came up.
    """

    order: Mapping[str, tuple[int, ...]]
    labels: list[Any]


@dataclass
class _Extra:
    """A column that the reference does not have, as the sum of the memberships seen so far."""

    total: FloatArray
    label: Any
    run: str


def most_central(runs: Mapping[str, Partition]) -> str:
    """Return the run whose best matching with the others has the largest overlap, summed."""
    names = list(runs)
    sums = dict.fromkeys(names, 0.0)
    for place, first in enumerate(names):
        for second in names[place + 1 :]:
            overlap = overlap_of(runs[first], runs[second])
            shared = sum(overlap[pair] for pair in best_pairs(overlap))
            sums[first] += shared
            sums[second] += shared
    best = max(sums.values())
    # Sums in another order differ by rounding; of equal ones, the first is taken.
    return next(name for name in names if sums[name] >= best * (1.0 - 1e-12))


def common_order(runs: Mapping[str, Partition], reference: Partition) -> CommonOrder:
    """Return the columns of all runs in the order of a reference.

    Clusters without a partner in the reference are matched with those of runs before, fewer
    clusters first, and get new columns where none is like them.

    Parameters
    ----------
    runs : mapping
        Clusterings of the same points, by name.
    reference : Partition
        Another, or one of them.
    """
    k = reference.clusters
    extras: list[_Extra] = []
    order: dict[str, tuple[int, ...]] = {}
    for name in sorted(runs, key=lambda run: runs[run].clusters):  # equal ones stay in their order
        run = runs[name]
        if run is reference:
            order[name] = tuple(range(k))
            continue
        columns = {j: i for i, j in best_pairs(overlap_of(reference, run))}
        left = [j for j in range(run.clusters) if j not in columns]
        if left:
            rows, labels = matrix_of(run)[:, left], labels_of(run)
            known = dict(_alike(rows, extras))
            for place, j in enumerate(left):
                if place in known:
                    extra = known[place]
                    extras[extra].total = extras[extra].total + rows[:, place]
                else:
                    extra = len(extras)
                    extras.append(_Extra(rows[:, place].copy(), labels[j], name))
                columns[j] = k + extra
        order[name] = tuple(columns[j] for j in range(run.clusters))
    labels = labels_of(reference)
    for extra_column in extras:
        labels += distinct([extra_column.label], labels, extra_column.run)
    return CommonOrder({name: order[name] for name in runs}, labels)


def _alike(rows: FloatArray, extras: list[_Extra]) -> list[tuple[int, int]]:
    """Return pairs of columns and of earlier ones that are alike."""
    if not extras:
        return []
    before = np.column_stack([extra.total for extra in extras])
    sizes = np.sqrt(np.outer((rows**2).sum(axis=0), (before**2).sum(axis=0)))
    cosines = np.divide(rows.T @ before, sizes, out=np.zeros_like(sizes), where=sizes > 0.0)
    return [(i, j) for i, j in best_pairs(cosines) if cosines[i, j] >= ALIKE]


def in_common_order(run: Partition, columns: tuple[int, ...], k: int) -> FloatArray:
    """Return the memberships of a run as a matrix in the common order of k columns."""
    out = np.zeros((run.n, k))
    out[:, list(columns)] = matrix_of(run)
    return out
