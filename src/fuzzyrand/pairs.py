"""All pairs of points, visited without keeping them: sums, and laws of their agreements."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ._types import FloatArray, IntArray
from .atoms import Atoms, Bracket, bracket_of_bins
from .effort import Effort
from .indices import NormAgreement
from .partition import Partition
from .progress import progress
from .threads import map_in_order

if TYPE_CHECKING:
    from .kernels import Grid, SideArrays

#: Up to this many pairs the agreements are simply kept and sorted.
KEPT_PAIRS = 1 << 20
#: Below this many operations NumPy is done before Numba would be loaded.
NUMPY_WORK = 1 << 23
#: Cells of equal width, and bins shared out among them by the mass they hold.
CELLS, BINS = 1 << 13, 1 << 16
#: Pairs looked at to see where the mass lies.
SCOUTS = 1 << 16
#: Operations of one task: enough to be worth a thread, few enough to balance.
TASK_WORK = 2e8
#: Pairs of one task: far fewer than a bin may hold.
TASK_PAIRS = 1 << 21


def pair_work(*partitions: Partition) -> float:
    """Operations that a pass over all pairs costs."""
    return partitions[0].pairs * (10.0 + sum(1 if p.is_hard else p.k for p in partitions))


def kept_agreements(partition: Partition, agreement: NormAgreement) -> FloatArray:
    """The agreements of all pairs in the order (0,1), (0,2), ...: for few points only."""
    out = np.empty(partition.pairs)
    if not partition.is_hard and partition.pairs * partition.k > NUMPY_WORK:
        from .kernels import pair_agreements

        pair_agreements(_side(partition, agreement, np.arange(partition.n)), out)
        return out
    at, n = 0, partition.n
    rows = partition.memberships
    columns = None if rows is None else np.ascontiguousarray(rows.T)
    for i in range(n - 1):
        row = out[at : at + n - 1 - i]
        if columns is None:
            assert partition.codes is not None
            row[:] = partition.codes[i + 1 :] == partition.codes[i]
        else:
            row[:] = agreement.between(columns[:, i, None], columns[:, i + 1 :])
        at += n - 1 - i
    return out


def agreement_and_square(agreement: NormAgreement, x: FloatArray, y: FloatArray) -> FloatArray:
    """Agreements and squared distances of the columns of ``x`` and ``y``, shape (2, m)."""
    difference = x - y
    return np.stack([agreement.of_difference(difference), (difference**2).sum(axis=0)])


def random_agreements(
    partition: Partition, agreement: NormAgreement, i: IntArray, j: IntArray
) -> FloatArray:
    """Agreements and squared distances of given pairs of points, shape (2, m)."""
    if partition.codes is not None:
        together = (partition.codes[i] == partition.codes[j]).astype(np.float64)
        return np.stack([together, 2.0 - 2.0 * together])
    assert partition.memberships is not None
    x, y = partition.memberships[i].T, partition.memberships[j].T
    return agreement_and_square(agreement, x, y)


def mean_square_distance(partition: Partition) -> float:
    """Mean squared distance of the rows of a pair, over all pairs: twice the sample variance."""
    if partition.memberships is None:
        return 2.0 - 2.0 * partition.same_cluster_pairs / partition.pairs
    return 2.0 * float(partition.memberships.var(axis=0, ddof=1).sum())


def random_pairs(rng: np.random.Generator, n: int, size: int) -> tuple[IntArray, IntArray]:
    """Pairs of different points, each pair equally likely."""
    i = rng.integers(n, size=size)
    return i, (i + rng.integers(1, n, size=size)) % n


@dataclass(frozen=True, eq=False)
class Survey:
    """What one pass over all pairs saw."""

    difference_sum: float
    first: Bracket | None
    second: Bracket | None


def survey(
    first: Partition,
    second: Partition | None,
    agreement: NormAgreement,
    power: float,
    *,
    law_of_first: bool,
    law_of_second: bool,
    effort: Effort,
) -> Survey:
    """Visit all pairs once: sum |a1 - a2|^power, and bin the agreements of the sides asked for."""
    from . import kernels

    n = first.n
    assert n < kernels.BIN_CAPACITY  # more points have more pairs than anybody could wait for
    cost = _row_cost(first) + (0 if second is None else _row_cost(second))
    order = np.argsort(cost, kind="stable")  # the earlier point of a pair sets its price
    side1 = _side(first, agreement, order)
    side2 = kernels.empty_side() if second is None else _side(second, agreement, order)
    grid1 = _bin_grid(first, agreement) if law_of_first else _no_grid()
    grid2 = _bin_grid(second, agreement) if law_of_second and second else _no_grid()

    def visit(rows: tuple[int, int]) -> tuple[float, FloatArray, FloatArray]:
        bins1, bins2 = (np.zeros(_bin_count(grid), dtype=np.int64) for grid in (grid1, grid2))
        total = kernels.pair_rows(side1, side2, power, *rows, grid1, bins1, grid2, bins2)
        return total, _decoded(bins1), _decoded(bins2)

    tasks = _balanced_rows(cost[order], n)
    seen1, seen2 = (np.zeros((2, _bin_count(grid))) for grid in (grid1, grid2))
    totals = []
    work = map_in_order(visit, tasks, effort.threads)
    for total, bins1, bins2 in progress(work, len(tasks), "pairs"):
        totals.append(total)
        seen1 += bins1
        seen2 += bins2
    return Survey(
        math.fsum(totals),
        _bracket(grid1, seen1) if law_of_first else None,
        _bracket(grid2, seen2) if law_of_second else None,
    )


def _row_cost(partition: Partition) -> IntArray:
    """Columns to be looked at for each point: a one-hot row costs 1."""
    if partition.memberships is None:
        return np.ones(partition.n, dtype=np.intp)
    return np.asarray(np.count_nonzero(partition.memberships, axis=1), dtype=np.intp)


def _balanced_rows(cost: IntArray, n: int) -> list[tuple[int, int]]:
    """Ranges of rows of the triangle of pairs with about equal work."""
    work = np.cumsum((cost + 10.0) * np.arange(n - 1, -1, -1))
    pairs = n * (n - 1) / 2
    tasks = int(np.clip(max(work[-1] / TASK_WORK, pairs / TASK_PAIRS), 16, n))
    cuts = np.searchsorted(work, work[-1] * np.arange(1, tasks) / tasks)
    edges = np.unique(np.concatenate([[0], cuts, [n]]))
    return list(zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True))


def _side(partition: Partition, agreement: NormAgreement, order: IntArray) -> SideArrays:
    """One clustering as the kernels want it, its points in the given order."""
    from . import kernels

    none = np.zeros(0, dtype=np.intp)
    if partition.codes is not None:
        return kernels.HARD, 1.0, np.zeros((0, 0)), partition.codes[order], np.zeros(0), none, none
    assert partition.memberships is not None
    rows = partition.memberships[order]
    columns = np.ascontiguousarray(rows.T)
    if agreement.p != 1.0:
        return kernels.NORM, agreement.p, columns, none, np.zeros(0), none, none
    used = rows != 0.0
    start = np.concatenate([[0], np.cumsum(used.sum(axis=1))]).astype(np.intp)
    nonzero = np.nonzero(used)[1]
    if not partition.possibilistic:
        return kernels.FUZZY, 1.0, columns, none, np.zeros(0), start, nonzero
    # 1 - ||u - v||_1 / 2 is the sum of minima, plus this for each row that does not sum to one.
    offset = 0.5 * (1.0 - rows.sum(axis=1))
    return kernels.POSSIBILISTIC, 1.0, columns, none, offset, start, nonzero


def _bin_grid(partition: Partition, agreement: NormAgreement) -> Grid:
    """Bins that are narrow where the mass is, from a look at some pairs.

    Half of the bins are dealt out evenly, half by mass. A bin is then at most 2/BINS wide, and in
    a cell of mass m at most 2/(BINS CELLS m): so width times mass never exceeds 2/(BINS CELLS),
    which bounds the error of what follows by 1e-9 wherever the mass lies. (The mass is judged by
    the pairs looked at; the bound that is reported is computed from the bins themselves.)
    """
    rng = np.random.default_rng(0)
    seen = random_agreements(partition, agreement, *random_pairs(rng, partition.n, SCOUTS))[0]
    mass = np.bincount(np.minimum((seen * CELLS).astype(np.intp), CELLS - 1), minlength=CELLS)
    count = BINS // (2 * CELLS) + np.floor(BINS / 2 * mass / SCOUTS).astype(np.int32)
    first_bin = np.concatenate([[0], np.cumsum(count)]).astype(np.int32)
    return first_bin, count.astype(np.float64)


def _no_grid() -> Grid:
    return np.zeros(1, dtype=np.int32), np.zeros(0)


def _bin_count(grid: Grid) -> int:
    """Bins of a grid; one more than the cells are divided into, for values of exactly 1."""
    return int(grid[0][-1]) + 1 if grid[1].size else 0


def _decoded(bins: npt.NDArray[np.int64]) -> FloatArray:
    """Counts, and sums of positions within the bins."""
    from .kernels import COUNT, FRACTION

    return np.stack([bins // COUNT, (bins % COUNT) / FRACTION])


def _bracket(grid: Grid, bins: FloatArray) -> Bracket:
    first_bin, bins_a_cell = grid
    cell = np.repeat(np.arange(CELLS), np.diff(first_bin))
    within = np.arange(first_bin[-1]) - first_bin[cell]
    edges = (cell + within / bins_a_cell[cell]) / CELLS
    edges = np.concatenate([edges, [1.0, 1.0 + 1e-12]])
    counts, positions = bins
    return bracket_of_bins(edges, counts, counts * edges[:-1] + positions * np.diff(edges))


def kept_bracket(values: FloatArray) -> Bracket:
    """The law of agreements that were kept."""
    return Bracket.exactly(Atoms.of_sample(values))
