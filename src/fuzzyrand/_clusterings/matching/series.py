"""A common order for the clusters of many clusterings of the same points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..._base.types import FloatArray
from ..partition import Partition
from .cluster_labels import distinct, labels_of
from .overlap import best_pairs, matrix_of, overlap_of

#: Cosine of two columns from which clusters without a partner count as the same cluster.
ALIKE = 0.5


@dataclass(frozen=True)
class CommonOrder:
    """The column in a common order of each cluster of each run.

    Attributes
    ----------
    order : dict
        For each run, the column of each of its clusters.
    labels : list
        Names of the columns: those of the reference first, then those of the runs in which further
        columns first occurred.
    """

    order: Mapping[str, tuple[int, ...]]
    labels: list[Any]


@dataclass
class _Column:
    """A column of the common order: its label, first run, and latest run and cluster."""

    label: Any
    run: str
    last: Partition
    cluster: int


def first_reference(runs: Mapping[str, Partition]) -> str:
    """Return the run to match others with: the most central of those with the fewest clusters.

    Runs without any cluster, in which every point is noise, are chosen only if there is no other.
    """
    fewest = min((run.clusters for run in runs.values() if run.clusters), default=0)
    return most_central({name: run for name, run in runs.items() if run.clusters == fewest})


def most_central(runs: Mapping[str, Partition]) -> str:
    """Return the run whose best matchings with all other runs have the largest total overlap."""
    names = list(runs)
    sums = dict.fromkeys(names, 0.0)
    for place, first in enumerate(names):
        for second in names[place + 1 :]:
            overlap = overlap_of(runs[first], runs[second])
            shared = sum(overlap[pair] for pair in best_pairs(overlap))
            sums[first] += shared
            sums[second] += shared
    best = max(sums.values())
    # Sums in another order differ by rounding; among equal sums, take the first.
    return next(name for name in names if sums[name] >= best * (1.0 - 1e-12))


def common_order(runs: Mapping[str, Partition], reference: Partition) -> CommonOrder:
    """Return the columns of all runs in the order of a reference.

    Runs with as many clusters as the reference are matched with it. From there, the numbers of
    clusters are processed upwards and then downwards. Among the runs with the next number, the most
    central one is matched with the central run of the previous number (at first, the reference),
    and the others are matched with it. Each step is then as small as the runs allow, and a cluster
    keeps its column as long as there is a similar one.

    Parameters
    ----------
    runs : mapping
        Clusterings of the same points, by name.
    reference : Partition
        One of the runs, or another clustering of the same points.
    """
    columns = _Columns(reference)
    levels: dict[int, list[str]] = {}
    for name in sorted(runs, key=lambda run: runs[run].clusters):  # stable: ties keep their order
        levels.setdefault(runs[name].clusters, []).append(name)
    own = reference.clusters
    order: dict[str, tuple[int, ...]] = {}
    for name in levels.pop(own, []):
        order[name] = columns.of(runs[name], name, reference, range(own))
    upwards = [k for k in levels if k > own]
    downwards = [k for k in reversed(levels) if k < own]
    for counts in (upwards, downwards):
        before, places = reference, tuple(range(own))
        for k in counts:
            level = levels[k]
            centre = most_central({name: runs[name] for name in level})
            places = order[centre] = columns.of(runs[centre], centre, before, places)
            before = runs[centre]
            for name in level:
                if name != centre:
                    order[name] = columns.of(runs[name], name, before, places)
    return CommonOrder({name: order[name] for name in runs}, columns.labels)


class _Columns:
    """The columns found so far; a cluster that is unlike all of them adds one."""

    def __init__(self, reference: Partition) -> None:
        self._reference = reference
        self._columns = [
            _Column(label, "", reference, cluster)
            for cluster, label in enumerate(labels_of(reference))
        ]

    @property
    def labels(self) -> list[Any]:
        """Names of the columns, all different."""
        k = self._reference.clusters
        labels = [column.label for column in self._columns[:k]]
        for column in self._columns[k:]:
            labels += distinct([column.label], labels, column.run)
        return labels

    def of(
        self, run: Partition, name: str, before: Partition, places: Sequence[int]
    ) -> tuple[int, ...]:
        """Return the column of each cluster of a run.

        Parameters
        ----------
        run : Partition
            The run.
        name : str
            Its name.
        before : Partition
            The clustering that the run is matched with.
        places : sequence of int
            The columns of that clustering.
        """
        if run is self._reference:
            return tuple(range(run.clusters))
        labels = labels_of(run)
        found = {j: places[i] for i, j in partners(before, run)}
        found |= self._seen_before(run, found)
        for j in range(run.clusters):
            if j not in found:
                found[j] = len(self._columns)
                self._columns.append(_Column(labels[j], name, run, j))
            column = self._columns[found[j]]
            column.last, column.cluster = run, j
        return tuple(found[j] for j in range(run.clusters))

    def _seen_before(self, run: Partition, found: Mapping[int, int]) -> dict[int, int]:
        """Map clusters without a partner to similar columns that are not taken yet."""
        left = [j for j in range(run.clusters) if j not in found]
        taken = set(found.values())
        free = [c for c in range(len(self._columns)) if c not in taken]
        if not left or not free:
            return {}
        rows = np.column_stack([run.rows.column(j) for j in left])
        earlier = np.column_stack(
            [self._columns[c].last.rows.column(self._columns[c].cluster) for c in free]
        )
        if run.weights is not None:
            roots = np.sqrt(run.weights)[:, None]
            rows, earlier = rows * roots, earlier * roots
        cosines = _scaled(rows.T @ earlier, (rows**2).sum(axis=0), (earlier**2).sum(axis=0))
        pairs = best_pairs(cosines)
        return {left[i]: free[j] for i, j in pairs if cosines[i, j] >= ALIKE}


def partners(before: Partition, run: Partition) -> list[tuple[int, int]]:
    """Return the best pairs of clusters in which at least one is most similar to the other.

    Otherwise, clusters left over on both sides would be paired however little they overlap. Fuzzy
    clusters always overlap a little, which does not make them the same.
    """
    overlap = overlap_of(before, run)
    cosines = _scaled(overlap, *(_squares(side) for side in (before, run)))
    return [
        (i, j)
        for i, j in best_pairs(overlap)
        # The factor treats cosines that differ only by rounding as equal.
        if cosines[i, j] * (1.0 + 1e-9) >= min(cosines[i].max(), cosines[:, j].max())
    ]


def _squares(run: Partition) -> FloatArray:
    """Return the sum of the squared memberships in each cluster that points can share."""
    return run.shared.squares(run.weights)[: run.clusters]


def _scaled(products: FloatArray, first: FloatArray, second: FloatArray) -> FloatArray:
    """Divide products of columns by the lengths of the columns, given as squares."""
    sizes = np.sqrt(np.outer(first, second))
    return np.divide(products, sizes, out=np.zeros_like(sizes), where=sizes > 0.0)


def in_common_order(run: Partition, columns: tuple[int, ...], k: int) -> FloatArray:
    """Return the memberships of a run as a matrix in the common order of k columns."""
    out = np.zeros((run.n, k))
    out[:, list(columns)] = matrix_of(run)
    return out
