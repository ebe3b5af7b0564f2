"""Shuffle points of a hard and a fuzzy clustering whose agreement follows from an L1 distance.

The discordance follows from the sum of distances over the pairs within groups. In a column, the
value of rank r within a group of s points (from 0, in descending order) is added s-1-r times and
subtracted r times. The columns are therefore sorted once, and each shuffle of the labels takes one
pass over them, which counts the points of each group seen so far. Zeros contribute nothing and are
left out.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..._base.effort import Precision
from ..._base.threads import map_in_order
from ..._base.types import FloatArray, IntArray
from ..._clusterings.partition import Partition
from .base import TIE, Shuffles, divided

#: Most labels, of several shuffles, that NumPy processes together.
NUMPY_ENTRIES = 1 << 18

Labels = npt.NDArray[np.unsignedinteger]


class SortedColumns:
    """The columns of a matrix in descending order, without the smallest value of each.

    Attributes
    ----------
    values : array
        The values minus the smallest one, column after column.
    points : array of int
        The point of each value.
    starts : array of int
        Where each column starts, and where the last one ends.
    """

    def __init__(self, memberships: FloatArray, threads: int | None = None) -> None:
        def sorted_column(d: int) -> tuple[FloatArray, npt.NDArray[np.int32]]:
            column = memberships[:, d] - memberships[:, d].min()
            order = np.argsort(column)[::-1][: np.count_nonzero(column)]
            return column[order], order.astype(np.int32)

        columns = list(map_in_order(sorted_column, range(memberships.shape[1]), threads))
        self.values = np.concatenate([values for values, _ in columns])
        self.points = np.concatenate([points for _, points in columns])
        sizes = [values.size for values, _ in columns]
        self.starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.intp)

    def all_pairs(self, n: int) -> float:
        """Return the sum of the distances over all pairs of n points."""
        total = 0.0
        for start, stop in zip(self.starts[:-1], self.starts[1:], strict=True):
            total += float(self.values[start:stop] @ np.arange(n - 1.0, -n, -2.0)[: stop - start])
        return total


def distances_within(columns: SortedColumns, labels: Labels, sizes: IntArray) -> FloatArray:
    """Sum distances over the pairs within groups, in NumPy, for each row of labels.

    Parameters
    ----------
    columns : SortedColumns
        The memberships.
    labels : array of shape (shuffles, n)
        The group of each point.
    sizes : array of int
        The size of each group.
    """
    total = np.zeros(labels.shape[0])
    for start, stop in zip(columns.starts[:-1], columns.starts[1:], strict=True):
        here = labels[:, columns.points[start:stop]]
        values = columns.values[start:stop]
        for group, size in enumerate(sizes.tolist()):
            inside = here == group
            before = np.cumsum(inside, axis=1) - inside
            total += (inside * (size - 1.0 - 2.0 * before)) @ values
    return total


class SortedShuffles(Shuffles):
    """Discordances of a hard and a fuzzy clustering whose points are shuffled.

    Parameters
    ----------
    hard, fuzzy : Partition
        The clusterings, whichever of them is the first side.
    mean : float
        Mean discordance over all permutations. If it has an error, all discordances share it.
    effort : Precision
        Number of threads that sort the columns, and budget.
    """

    how = "shuffles over sorted columns"

    def __init__(self, hard: Partition, fuzzy: Partition, mean: float, effort: Precision) -> None:
        sizes = np.bincount(hard.rows.codes)
        self._sizes = sizes[sizes > 0]
        small = np.min_scalar_type(self._sizes.size)
        self._labels = (np.cumsum(sizes > 0) - 1).astype(small)[hard.rows.codes]
        self._columns = SortedColumns(fuzzy.rows.dense, effort.n_threads)
        self.points, self._mean, self._pairs = hard.n, mean, hard.pairs
        all_pairs = self._columns.all_pairs(hard.n)
        self._expected = all_pairs * (hard.same_cluster_pairs / hard.pairs)
        self.work = float(self._columns.values.size + hard.n)
        work = self._columns.values.size * self._sizes.size
        self._plain = work <= effort.budget.numpy_shuffle_work
        if not self._plain:
            from . import shuffle_kernels as kernels  # Deferred: loads Numba.

            self._within = kernels.distances_within(self._columns, self._labels, self._sizes)
        # The distances within groups sum to anything between 0 and the sum over all pairs.
        self.tolerance = (
            TIE * (0.5 * all_pairs / hard.pairs) + 4.0 * float(np.finfo(float).eps) * mean
        )
        self.observed = float(self.of_labels(self._labels[None])[0])

    def of_labels(self, labels: Labels) -> FloatArray:
        """Return the discordance for each row of labels."""
        if self._plain:
            parts = divided(labels, NUMPY_ENTRIES // self.points)
            within = np.concatenate(
                [distances_within(self._columns, part, self._sizes) for part in parts]
            )
        else:
            within = np.array([self._within(row) for row in labels])
        # D is E[A] + E[B] - 2 E[AB], and AB is 1 minus half the distance within groups, else 0.
        return np.asarray(np.maximum(self._mean + (within - self._expected) / self._pairs, 0.0))

    def draw(self, rng: np.random.Generator, size: int) -> FloatArray:
        return self.of_labels(np.stack([rng.permutation(self._labels) for _ in range(size)]))
