"""The membership columns of the clusters of all runs, a block of points at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..._base.errors import InputError, NotApplicableError
from ..._base.types import FloatArray, IntArray
from ..._clusterings.partition import Partition

#: Most clusters of all runs together; their table of products then takes 3.2 GB.
MOST_COLUMNS = 20_000
#: Cells of a block of rows (1 MB), unless the table of products is far larger than that.
CELLS = 125_000


@dataclass(frozen=True, eq=False)
class Columns:
    """Runs side by side: a row for each point, a column for each cluster of each run.

    The matrix Z of all columns is never formed. Points that a run lacks have zeros in its columns.

    Attributes
    ----------
    runs : sequence of Partition
        The runs, each with its own points.
    rows : sequence of array or None
        For each run, the numbers of its points among all points, in increasing order; None if it
        has all of them.
    n : int
        Number of all points.
    weights : array
        Weight of each point.
    """

    runs: Sequence[Partition]
    rows: Sequence[IntArray | None]
    n: int
    weights: FloatArray

    def require_size(self) -> None:
        """Refuse runs without any cluster, and more clusters than there is memory for."""
        if self.size == 0:
            raise InputError("none of the runs has a cluster: all points are noise.")
        if self.size > MOST_COLUMNS:
            raise NotApplicableError(
                "{runs:,} runs have {clusters:,} clusters together, and the most is {most:,}; give "
                "fewer runs, or merge their smallest clusters.",
                runs=len(self.runs),
                clusters=self.size,
                most=MOST_COLUMNS,
            )

    @cached_property
    def starts(self) -> IntArray:
        """The first column of each run, and the number of columns."""
        return np.concatenate([[0], np.cumsum([run.clusters for run in self.runs])]).astype(np.intp)

    @property
    def size(self) -> int:
        """Number of columns."""
        return int(self.starts[-1])

    def of(self, run: int) -> slice:
        """Return the columns of a run."""
        return slice(int(self.starts[run]), int(self.starts[run + 1]))

    @cached_property
    def run(self) -> IntArray:
        """The run of each column."""
        return np.repeat(np.arange(len(self.runs)), np.diff(self.starts))

    def by_run(self, values: FloatArray, axis: int) -> FloatArray:
        """Add up the values of the columns of each run; a run without clusters has 0."""
        filled = np.diff(self.starts) > 0
        shape = list(values.shape)
        shape[axis] = filled.size
        out = np.zeros(shape)
        if filled.any():
            places = (slice(None),) * axis + (filled,)
            out[places] = np.add.reduceat(values, self.starts[:-1][filled], axis=axis)
        return out

    @cached_property
    def groups(self) -> IntArray:
        """The group of each run; runs with the same points form a group."""
        numbers: dict[bytes, int] = {}
        keys = (b"" if rows is None else rows.tobytes() for rows in self.rows)
        return np.array([numbers.setdefault(key, len(numbers)) for key in keys], dtype=np.intp)

    @cached_property
    def present(self) -> IntArray:
        """Number of runs that have each point."""
        counts = np.zeros(self.n, dtype=np.intp)
        for rows in self.rows:
            counts[slice(None) if rows is None else rows] += 1
        return counts

    def subset(self, runs: Sequence[int]) -> Columns:
        """Return some of the runs."""
        chosen = [self.runs[run] for run in runs]
        return Columns(chosen, [self.rows[run] for run in runs], self.n, self.weights)

    def blocks(self) -> Iterator[slice]:
        """Yield the points in blocks, whose columns fit into memory."""
        size = max(1, max(CELLS, self.size**2 // 16) // max(self.size, 1))
        for start in range(0, self.n, size):
            yield slice(start, min(start + size, self.n))

    def block(self, points: slice, orders: Sequence[IntArray] | None = None) -> FloatArray:
        """Return all columns of a block of points.

        Parameters
        ----------
        points : slice
            The points.
        orders : sequence of array, optional
            For each run, a permutation of its points, by which it is shuffled.
        """
        out = np.zeros((points.stop - points.start, self.size))
        for number, run in enumerate(self.runs):
            here, own = self._of_block(number, points)
            if orders is not None:
                _fill(out[:, self.of(number)], here, run, orders[number][own])
            else:
                _fill(out[:, self.of(number)], here, run, own)
        return out

    def mask(self, points: slice) -> FloatArray:
        """Return, for each point of a block and each group of runs, whether the runs have it."""
        groups = self.groups
        out = np.zeros((points.stop - points.start, int(groups.max()) + 1))
        for group, run in enumerate(np.unique(groups, return_index=True)[1].tolist()):
            out[self._of_block(run, points)[0], group] = 1.0
        return out

    def _of_block(self, run: int, points: slice) -> tuple[IntArray | slice, slice]:
        """Return where the points of a run are in a block, and which points of the run these are.

        A run with all points is a slice of the block.
        """
        rows = self.rows[run]
        if rows is None:
            return slice(None), points
        first, last = np.searchsorted(rows, [points.start, points.stop]).tolist()
        return rows[first:last] - points.start, slice(first, last)


def _fill(out: FloatArray, here: IntArray | slice, run: Partition, own: IntArray | slice) -> None:
    """Write the memberships of some points of a run into their rows of a matrix."""
    if run.is_hard:
        codes = run.rows.codes[own]
        places = np.arange(codes.size) if isinstance(here, slice) else here
        shared = codes < run.clusters  # noise that no two points share has no column
        out[places[shared], codes[shared]] = 1.0
    else:
        out[here] = run.shared.take(own).dense
