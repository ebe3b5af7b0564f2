"""A common order for the clusters of many clusterings of the same points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._base.types import FloatArray
from .._inputs.partition import Partition
from .labels import distinct, labels_of
from .overlap import best_pairs, matrix_of, overlap_of

#: Cosine of two columns from which clusters that have no partner are the same.
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
class _Column:
    """A column of the common order: where it first came up, and where it was seen last."""

    label: Any
    run: str
    last: Partition
    cluster: int


def first_reference(runs: Mapping[str, Partition]) -> str:
    """Return the run that others are matched with: the most central of the fewest clusters.

    Runs without any cluster, in which every point is noise, come last.
    """
    fewest = min((run.clusters for run in runs.values() if run.clusters), default=0)
    return most_central({name: run for name, run in runs.items() if run.clusters == fewest})


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

    Runs with as many clusters as the reference are matched with it. From there, numbers of clusters
    are gone through upwards and downwards. Of the runs with the next number, the most central one
    is matched with the one before, and the others with it. So each step is as small as the runs
    allow, and a cluster keeps its column as long as there is one like it.

    Parameters
    ----------
    runs : mapping
        Clusterings of the same points, by name.
    reference : Partition
        Another, or one of them.
    """
    columns = _Columns(reference)
    levels: dict[int, list[str]] = {}
    for name in sorted(runs, key=lambda run: runs[run].clusters):  # equal ones stay in their order
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
    """The columns found so far, which grow with each run that has a cluster like no other."""

    def __init__(self, reference: Partition) -> None:
        self._reference = reference
        self._columns = [
            _Column(label, "", reference, cluster)
            for cluster, label in enumerate(labels_of(reference))
        ]

    @property
    def labels(self) -> list[Any]:
        """What the columns are called; no two have the same name."""
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
            The clustering that it is matched with.
        places : sequence of int
            The columns of that clustering.
        """
        if run is self._reference:
            return tuple(range(run.clusters))
        labels = labels_of(run)
        found = {j: places[i] for i, j in _partners(before, run)}
        found |= self._seen_before(run, found)
        for j in range(run.clusters):
            if j not in found:
                found[j] = len(self._columns)
                self._columns.append(_Column(labels[j], name, run, j))
            column = self._columns[found[j]]
            column.last, column.cluster = run, j
        return tuple(found[j] for j in range(run.clusters))

    def _seen_before(self, run: Partition, found: Mapping[int, int]) -> dict[int, int]:
        """Return columns that no partner has taken, by clusters without a partner like them."""
        left = [j for j in range(run.clusters) if j not in found]
        taken = set(found.values())
        free = [c for c in range(len(self._columns)) if c not in taken]
        if not left or not free:
            return {}
        rows = np.column_stack([_column(run, j) for j in left])
        earlier = np.column_stack(
            [_column(self._columns[c].last, self._columns[c].cluster) for c in free]
        )
        cosines = _scaled(rows.T @ earlier, (rows**2).sum(axis=0), (earlier**2).sum(axis=0))
        pairs = best_pairs(cosines)
        return {left[i]: free[j] for i, j in pairs if cosines[i, j] >= ALIKE}


def _column(run: Partition, cluster: int) -> FloatArray:
    """Return the memberships in one cluster."""
    if run.codes is not None:
        return np.asarray(run.codes == cluster, dtype=np.float64)
    return run.columns_shared[0][:, cluster]


def _squares(run: Partition) -> FloatArray:
    """Return the sum of the squared memberships in each cluster."""
    if run.codes is not None:
        return np.asarray(run.sizes[: run.clusters], dtype=np.float64)
    rows = run.columns_shared[0]
    return np.asarray(np.einsum("ij,ij->j", rows, rows))


def _partners(before: Partition, run: Partition) -> list[tuple[int, int]]:
    """Return the pairs of largest overlap in which one cluster is most like the other.

    What is left over on both sides would be paired as well, however little it overlaps. Fuzzy
    clusters always do a little, and are not the same for it.
    """
    overlap = overlap_of(before, run)
    cosines = _scaled(overlap, _squares(before), _squares(run))
    return [
        (i, j)
        for i, j in best_pairs(overlap)
        # Of equal ones, which rounding may set apart, each is the most alike.
        if cosines[i, j] * (1.0 + 1e-9) >= min(cosines[i].max(), cosines[:, j].max())
    ]


def _scaled(products: FloatArray, first: FloatArray, second: FloatArray) -> FloatArray:
    """Divide products of columns by their lengths, given as squares."""
    sizes = np.sqrt(np.outer(first, second))
    return np.divide(products, sizes, out=np.zeros_like(sizes), where=sizes > 0.0)


def in_common_order(run: Partition, columns: tuple[int, ...], k: int) -> FloatArray:
    """Return the memberships of a run as a matrix in the common order of k columns."""
    out = np.zeros((run.n, k))
    out[:, list(columns)] = matrix_of(run)
    return out
