"""All pairs of points, visited without keeping them: sums, and laws of their agreements."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from .._base.effort import Effort
from .._base.progress import progress
from .._base.threads import map_in_order
from .._base.types import FloatArray, IntArray
from .._distributions.atoms import Atoms, Bracket, bracket_of_bins
from .._inputs.partition import Partition
from ..indices.agreements import Agreement, GramAgreement, NormAgreement
from ..indices.concordances import Concordance, PowerConcordance

if TYPE_CHECKING:
    from .kernels import Grid, SideArrays

#: Up to this many pairs the agreements are simply kept and sorted.
KEPT_PAIRS = 1 << 20
#: Below this many operations NumPy is done before Numba would be loaded.
NUMPY_WORK = 1 << 23
#: Cells of equal width, and bins shared out among them by the mass they hold.
CELLS, BINS = 1 << 13, 1 << 16
#: Narrowest range of agreements that is divided: below, they are the same up to rounding.
NARROWEST = 1e-12
#: Pairs looked at to see where the mass lies.
SCOUTS = 1 << 16
#: Memberships gathered at a time, so that what is done with them finds them in the cache.
PIECE = 1 << 15
#: Operations of one task: enough to be worth a thread, few enough to balance.
TASK_WORK = 2e8
#: Pairs of one task: far fewer than a bin may hold.
TASK_PAIRS = 1 << 21
#: Points that the plain pass compares with one point at a time: what fits the cache.
PLAIN_BLOCK = 1 << 12


#: Functions written by users cost so many times more than the compiled loops.
PLAIN_COST = 20.0


def is_compiled(agreement: Agreement) -> bool:
    """Do the compiled loops know this agreement?"""
    return isinstance(agreement, NormAgreement | GramAgreement)


def visitable(effort: Effort, agreement: Agreement, *partitions: Partition) -> bool:
    """May all pairs be visited, or are there too many?"""
    pairs = partitions[0].pairs
    work = pairs * (10.0 + sum(1 if p.is_hard else p.k for p in partitions))
    return effort.exact_pairs(pairs, work if is_compiled(agreement) else PLAIN_COST * work)


def kept_agreements(partition: Partition, agreement: Agreement) -> FloatArray:
    """The agreements of all pairs in the order (0,1), (0,2), ...: for few points only."""
    out = np.empty(partition.pairs)
    worth_loading = partition.pairs * partition.k > NUMPY_WORK and is_compiled(agreement)
    if not partition.is_hard and worth_loading:
        from .kernels import pair_agreements

        pair_agreements(_side(partition, agreement, np.arange(partition.n)), out)
        return out
    at, n = 0, partition.n
    agree = _row_agreements(partition, agreement, np.arange(n))
    for i in range(n - 1):
        m = n - 1 - i
        out[at : at + m] = agree(i, i + 1, n)
        at += m
    return out


def _row_agreements(
    partition: Partition, agreement: Agreement, order: IntArray
) -> Callable[[int, int, int], FloatArray]:
    """The agreements of point i with the points from ``low`` to ``high``, the plain way."""
    if partition.codes is not None:
        codes = partition.codes[order]
        return lambda i, low, high: (codes[low:high] == codes[i]).astype(np.float64)
    assert partition.memberships is not None
    columns = np.ascontiguousarray(partition.memberships[order].T)
    return lambda i, low, high: agreement.between(columns[:, i, None], columns[:, low:high])


def random_agreements(
    partition: Partition, agreement: Agreement, i: IntArray, j: IntArray
) -> FloatArray:
    """Agreements of given pairs of points, and the controls drawn with them; shape (2, m)."""
    if partition.codes is not None:
        together = (partition.codes[i] == partition.codes[j]).astype(np.float64)
        return np.stack([together, together])  # hard pairs have no curvature to follow
    assert partition.memberships is not None
    rows, out = partition.memberships, np.empty((2, i.size))
    piece = max(PIECE // partition.k, 1)
    for start in range(0, i.size, piece):
        here = slice(start, start + piece)
        out[:, here] = agreement.with_control(rows[i[here]].T, rows[j[here]].T)
    return out


def random_pairs(rng: np.random.Generator, n: int, size: int) -> tuple[IntArray, IntArray]:
    """Pairs of different points, each pair equally likely."""
    i = rng.integers(n, size=size)
    return i, (i + rng.integers(1, n, size=size)) % n


#: What the pairs of a range of rows add up to: discordance, and counts and positions in bins.
Seen = tuple[float, FloatArray, FloatArray]
Visit = Callable[[tuple[int, int]], Seen]


@dataclass(frozen=True, eq=False)
class Survey:
    """What one pass over all pairs saw."""

    difference_sum: float
    first: Bracket | None
    second: Bracket | None


def survey(
    first: Partition,
    second: Partition | None,
    agreement: Agreement,
    concordance: Concordance | None,
    *,
    law_of_first: bool,
    law_of_second: bool,
    effort: Effort,
) -> Survey:
    """Visit all pairs once: add up discordances, and bin the agreements of the sides asked for."""
    n = first.n
    cost = _row_cost(first) + (0 if second is None else _row_cost(second))
    order = np.argsort(cost, kind="stable")  # the earlier point of a pair sets its price
    grid1 = _bin_grid(first, agreement) if law_of_first else _no_grid()
    grid2 = _bin_grid(second, agreement) if law_of_second and second else _no_grid()
    known = concordance is None or isinstance(concordance, PowerConcordance)
    if known and is_compiled(agreement):
        power = concordance.q if isinstance(concordance, PowerConcordance) else 1.0
        visit = _compiled_visit(first, second, agreement, power, order, grid1, grid2)
    else:
        visit = _plain_visit(first, second, agreement, concordance, order, grid1, grid2)
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


def _compiled_visit(
    first: Partition,
    second: Partition | None,
    agreement: Agreement,
    power: float,
    order: IntArray,
    grid1: Grid,
    grid2: Grid,
) -> Visit:
    from . import kernels

    assert first.n < kernels.BIN_CAPACITY  # more points: more pairs than anybody could wait for
    side1 = _side(first, agreement, order)
    side2 = kernels.empty_side() if second is None else _side(second, agreement, order)

    def visit(rows: tuple[int, int]) -> Seen:
        bins1, bins2 = (np.zeros(_bin_count(grid), dtype=np.int64) for grid in (grid1, grid2))
        total = kernels.pair_rows(side1, side2, power, *rows, grid1, bins1, grid2, bins2)
        return total, _decoded(bins1), _decoded(bins2)

    return visit


def _plain_visit(
    first: Partition,
    second: Partition | None,
    agreement: Agreement,
    concordance: Concordance | None,
    order: IntArray,
    grid1: Grid,
    grid2: Grid,
) -> Visit:
    """The same in NumPy, for functions that the compiled loops do not know."""
    n = first.n
    agree1 = _row_agreements(first, agreement, order)
    agree2 = None if second is None else _row_agreements(second, agreement, order)

    def visit(rows: tuple[int, int]) -> Seen:
        bins1, bins2 = (np.zeros((2, _bin_count(grid))) for grid in (grid1, grid2))
        total = 0.0
        for i in range(*rows):
            for low in range(i + 1, n, PLAIN_BLOCK):
                high = min(n, low + PLAIN_BLOCK)
                a1 = agree1(i, low, high)
                _into_bins(a1, grid1, bins1)
                if agree2 is not None:
                    a2 = agree2(i, low, high)
                    _into_bins(a2, grid2, bins2)
                    if concordance is not None:
                        total += float(concordance.discordance(a1, a2).sum())
        return total, bins1, bins2

    return visit


def _into_bins(values: FloatArray, grid: Grid, bins: FloatArray) -> None:
    """Add counts and positions within the bins."""
    first_bin, bins_a_cell, low, cells_a_unit = grid
    if not bins_a_cell.size:
        return
    scaled = np.maximum((values - low) * cells_a_unit, 0.0)
    cell = np.minimum(scaled.astype(np.intp), CELLS - 1)
    within = (scaled - cell) * bins_a_cell[cell]
    whole = within.astype(np.intp)
    at = first_bin[cell] + whole
    np.add.at(bins[0], at, 1.0)
    np.add.at(bins[1], at, within - whole)


def _row_cost(partition: Partition) -> IntArray:
    """Columns to be looked at for each point: a one-hot row costs 1."""
    if partition.memberships is None:
        return np.ones(partition.n, dtype=np.intp)
    return np.asarray(np.count_nonzero(partition.memberships, axis=1), dtype=np.intp)


def _balanced_rows(cost: IntArray, n: int) -> list[tuple[int, int]]:
    """Ranges of rows of the triangle of pairs with about equal work, and none with many pairs.

    By work alone, one task could get more pairs of cheap (one-hot) rows than a bin can count, and
    these may all meet in the bin of agreement 0.
    """
    pairs = np.arange(n - 1.0, -1.0, -1.0)
    work = np.cumsum((cost + 10.0) * pairs / TASK_WORK + pairs / TASK_PAIRS)
    tasks = int(np.clip(np.ceil(work[-1]), 16, n))
    cuts = np.searchsorted(work, work[-1] * np.arange(1, tasks) / tasks)
    edges = np.unique(np.concatenate([[0], cuts, [n]]))
    return list(zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True))


def _side(partition: Partition, agreement: Agreement, order: IntArray) -> SideArrays:
    """One clustering as the kernels want it, its points in the given order."""
    from . import kernels

    none = np.zeros(0, dtype=np.intp)
    if partition.codes is not None:
        return kernels.HARD, 1.0, np.zeros((0, 0)), partition.codes[order], np.zeros(0), none, none
    assert partition.memberships is not None
    rows = partition.memberships[order]
    if isinstance(agreement, GramAgreement):
        rows = agreement.rows(rows)
    columns = np.ascontiguousarray(rows.T)
    if isinstance(agreement, NormAgreement) and agreement.p != 1.0:
        return kernels.NORM, agreement.p, columns, none, np.zeros(0), none, none
    used = rows != 0.0
    start = np.concatenate([[0], np.cumsum(used.sum(axis=1))]).astype(np.intp)
    nonzero = np.nonzero(used)[1]
    if isinstance(agreement, GramAgreement):
        return kernels.DOT, 1.0, columns, none, np.zeros(0), start, nonzero
    if not partition.possibilistic:
        return kernels.FUZZY, 1.0, columns, none, np.zeros(0), start, nonzero
    # 1 - ||u - v||_1 / 2 is the sum of minima, plus this for each row that does not sum to one.
    offset = 0.5 * (1.0 - rows.sum(axis=1))
    return kernels.POSSIBILISTIC, 1.0, columns, none, offset, start, nonzero


def _bin_grid(partition: Partition, agreement: Agreement) -> Grid:
    """Bins that are narrow where the mass is, from a look at some pairs.

    They cover the agreements that these rows can have at all. Half of the bins are dealt out
    evenly, half by mass. A bin is then at most 2/BINS wide, and in a cell of mass m at most
    2/(BINS CELLS m), in units of the whole: so width times mass never exceeds 2/(BINS CELLS),
    which bounds the error of what follows by 1e-9 wherever the mass lies. (The mass is judged by
    the pairs looked at; the bound that is reported is computed from the bins themselves.)
    """
    low, high = (0.0, 1.0) if partition.memberships is None else agreement.range(partition)
    cells_a_unit = CELLS / max(high - low, NARROWEST)
    rng = np.random.default_rng(0)
    seen = random_agreements(partition, agreement, *random_pairs(rng, partition.n, SCOUTS))[0]
    cells = np.clip((seen - low) * cells_a_unit, 0.0, CELLS - 1).astype(np.intp)
    mass = np.bincount(cells, minlength=CELLS)
    count = BINS // (2 * CELLS) + np.floor(BINS / 2 * mass / SCOUTS).astype(np.int32)
    first_bin = np.concatenate([[0], np.cumsum(count)]).astype(np.int32)
    return first_bin, count.astype(np.float64), low, cells_a_unit


def _no_grid() -> Grid:
    return np.zeros(1, dtype=np.int32), np.zeros(0), 0.0, 0.0


def _bin_count(grid: Grid) -> int:
    """Bins of a grid; one more than the cells are divided into, for values of exactly 1."""
    return int(grid[0][-1]) + 1 if grid[1].size else 0


def _decoded(bins: npt.NDArray[np.int64]) -> FloatArray:
    """Counts, and sums of positions within the bins."""
    from .kernels import COUNT, FRACTION

    return np.stack([bins // COUNT, (bins % COUNT) / FRACTION])


def _bracket(grid: Grid, bins: FloatArray) -> Bracket:
    first_bin, bins_a_cell, low, cells_a_unit = grid
    cell = np.repeat(np.arange(CELLS), np.diff(first_bin))
    within = np.arange(first_bin[-1]) - first_bin[cell]
    edges = low + (cell + within / bins_a_cell[cell]) / cells_a_unit
    top = low + CELLS / cells_a_unit
    edges = np.concatenate([edges, [top, np.nextafter(top, 2.0)]])
    counts, positions = bins
    return bracket_of_bins(edges, counts, counts * edges[:-1] + positions * np.diff(edges))


def kept_bracket(values: FloatArray) -> Bracket:
    """The law of agreements that were kept."""
    return Bracket.exactly(Atoms.of_sample(values))
