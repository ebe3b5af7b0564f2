"""Keep or visit all pairs of points: mean discordance, and laws of the agreements."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .._base.effort import Precision
from .._base.progress import progress
from .._base.threads import map_in_order
from .._base.types import FloatArray, IntArray
from .._clusterings.partition import Partition
from .._distributions.atoms import Atoms, Bracket
from . import compiled, plain
from .bins import NO_GRID, Grid, grid_for
from .block_pairs import visit_blocks
from .distinct_rows import DistinctRows, distinct_rows
from .random_pairs import random_agreements
from .route import Route
from .shared_pairs import shared_pairs_grid, visit_shared_pairs

if TYPE_CHECKING:
    from ..indices.agreements import Agreement
    from ..indices.concordances import Concordance

#: Operations in one task: enough to be worth a thread, few enough to balance the load.
TASK_WORK = 2e8
#: Pairs in one task: far fewer than a bin can count.
TASK_PAIRS = 1 << 21

#: Sums over the pairs of a range of rows: discordance, and counts and positions in bins.
Seen = tuple[float, FloatArray, FloatArray]
Visit = Callable[[tuple[int, int]], Seen]
#: Function of a point, another point and an array. The array gets a row for the point and for those
#: after it, with their agreements with the other point and those after that.
WriteRows = Callable[[int, int, FloatArray], None]


class Visited(NamedTuple):
    """Result of a pass over all pairs.

    Attributes
    ----------
    discordance : float
        Mean over the pairs; 0 if there was only one clustering.
    first, second : Bracket or None
        The law of the agreements of each side, if it was asked for.
    merged : bool
        Whether identical points were merged.
    """

    discordance: float
    first: Bracket | None
    second: Bracket | None
    merged: bool = False


def visit_pairs(
    route: Route,
    first: Partition,
    second: Partition | None,
    agreement: Agreement,
    concordance: Concordance | None,
    *,
    law_of_first: bool,
    law_of_second: bool,
    effort: Precision,
) -> Visited:
    """Visit all pairs of points of one clustering, or of two clusterings together.

    Parameters
    ----------
    route : Route
        ``KEEP``, ``SURVEY`` or ``SHARED``; see ``route_of``.
    first, second : Partition
        The clusterings; the second may be None if only a law is wanted.
    agreement, concordance
        Those of the index.
    law_of_first, law_of_second : bool
        Which laws are wanted.
    effort : Precision
        Number of threads, and budget.
    """
    asked = (law_of_first, law_of_second)
    if not first.rows.in_memory:
        return _in_blocks(first, second, agreement, concordance, asked)
    if route is Route.KEEP:
        return _keep(first, second, agreement, concordance, asked, effort)
    if route is Route.SHARED:
        return _visit_shared(first, second, agreement, concordance, asked, effort)
    assert route is Route.SURVEY
    return _survey(first, second, agreement, concordance, asked, effort)


def kept_agreements(partition: Partition, agreement: Agreement, numpy_work: float) -> FloatArray:
    """Compute the agreements of all pairs in the order (0,1), (0,2), ..., for few points only."""
    worth_loading = partition.pairs * partition.k > numpy_work and agreement.loop is not None
    if worth_loading and not partition.is_hard:
        return compiled.pair_agreements(partition, agreement)
    return plain.pair_agreements(partition, agreement)


def agreement_rows(
    partition: Partition, agreement: Agreement, dtype: type[np.floating]
) -> WriteRows:
    """Return a function that writes agreements of some points with others to an array."""
    if agreement.loop is None:
        return plain.agreement_rows(partition, agreement)
    return compiled.agreement_rows(partition, agreement, dtype)


def _keep(
    first: Partition,
    second: Partition | None,
    agreement: Agreement,
    concordance: Concordance | None,
    asked: tuple[bool, bool],
    effort: Precision,
) -> Visited:
    sides = (first,) if second is None else (first, second)
    values = [kept_agreements(side, agreement, effort.budget.numpy_work) for side in sides]
    weighting = first.weighting if first.weights is not None else None
    weights = None if weighting is None else weighting.of_pairs()
    laws = [
        Bracket.exactly(Atoms.of_sample(agreements, weights)) if wanted else None
        for agreements, wanted in zip(values, asked, strict=False)
    ]
    if concordance is None or len(values) == 1:
        return Visited(0.0, laws[0], None)
    mean = float(np.average(concordance.discordance(*values), weights=weights))
    return Visited(mean, laws[0], laws[1])


def _in_blocks(
    first: Partition,
    second: Partition | None,
    agreement: Agreement,
    concordance: Concordance | None,
    asked: tuple[bool, bool],
) -> Visited:
    grid1 = grid_for(first, agreement) if asked[0] else NO_GRID
    grid2 = grid_for(second, agreement) if asked[1] and second is not None else NO_GRID
    total, seen1, seen2 = visit_blocks(first, second, agreement, concordance, (grid1, grid2))
    return Visited(
        total / first.pairs,
        grid1.bracket(seen1) if grid1.size else None,
        grid2.bracket(seen2) if grid2.size else None,
    )


def _survey(
    first: Partition,
    second: Partition | None,
    agreement: Agreement,
    concordance: Concordance | None,
    asked: tuple[bool, bool],
    effort: Precision,
) -> Visited:
    """Visit all pairs once: sum discordances, and bin the agreements of the sides asked for."""
    if agreement.loop is not None and (concordance is None or concordance.power is not None):
        sides = (first,) if second is None else (first, second)
        unmerged = effort.budget.unmerged_points
        distinct = distinct_rows(*sides, unmerged=unmerged) if first.weights is None else None
        if distinct is not None:
            return _survey_distinct(distinct, first, second, agreement, concordance, asked, effort)
    n = first.n
    cost = row_cost(first) + (0 if second is None else row_cost(second))
    order = np.argsort(cost, kind="stable")  # the earlier point of a pair determines its cost
    grid1 = grid_for(first, agreement) if asked[0] else NO_GRID
    grid2 = grid_for(second, agreement) if asked[1] and second is not None else NO_GRID
    power = 1.0 if concordance is None else concordance.power
    weights = None if first.weights is None else first.weights[order]
    if weights is not None and power is not None and agreement.loop is not None:
        rows1, rows2 = first.take(order), None if second is None else second.take(order)
        visit = compiled.merged_visitor(rows1, rows2, agreement, power, weights, (grid1, grid2))
    elif power is not None and agreement.loop is not None:
        visit = compiled.visitor(first, second, agreement, power, order, (grid1, grid2))
    else:
        grids = grid1, grid2
        visit = plain.visitor(first, second, agreement, concordance, order, grids, weights=weights)
    tasks = balanced_rows(cost[order], n, binned=any(asked))
    seen1, seen2 = (np.zeros((2, grid.size)) for grid in (grid1, grid2))
    totals = []
    work = map_in_order(visit, tasks, effort.n_threads)
    for total, bins1, bins2 in progress(work, len(tasks), "pairs"):
        totals.append(total)
        seen1 += bins1
        seen2 += bins2
    return Visited(
        math.fsum(totals) / first.pair_total,
        grid1.bracket(seen1) if grid1.size else None,
        grid2.bracket(seen2) if grid2.size else None,
    )


def _survey_distinct(
    distinct: DistinctRows,
    first: Partition,
    second: Partition | None,
    agreement: Agreement,
    concordance: Concordance | None,
    asked: tuple[bool, bool],
    effort: Precision,
) -> Visited:
    """Visit the pairs of distinct points, weighted by how often each pair occurs.

    Identical points form pairs as well, with the agreement of a point with itself.
    """
    points, counts = distinct
    pairs = first.pairs
    grid1 = grid_for(first, agreement) if asked[0] else NO_GRID
    grid2 = grid_for(second, agreement) if asked[1] and second is not None else NO_GRID
    power = 1.0 if concordance is None else concordance.power
    assert power is not None
    own = [
        random_agreements(side, agreement, points, points)[0]
        for side in (first, second)
        if side is not None
    ]
    same = 0.5 * counts * (counts - 1.0)
    rows1 = first.take(points)
    rows2 = None if second is None else second.take(points)
    visit = compiled.merged_visitor(rows1, rows2, agreement, power, counts, (grid1, grid2))
    cost = row_cost(rows1) + (0 if rows2 is None else row_cost(rows2))
    tasks = balanced_rows(cost, points.size)
    seen = [np.zeros((2, grid.size)) for grid in (grid1, grid2)]
    for grid, bins, values in zip((grid1, grid2), seen, own, strict=False):
        grid.fill(values, bins, same)
    totals = []
    if concordance is not None and second is not None:
        totals.append(float(same @ concordance.discordance(own[0], own[1])))
    work = map_in_order(visit, tasks, effort.n_threads)
    for total, bins1, bins2 in progress(work, len(tasks), "pairs"):
        totals.append(total)
        seen[0] += bins1
        seen[1] += bins2
    return Visited(
        math.fsum(totals) / pairs,
        grid1.bracket(seen[0]) if grid1.size else None,
        grid2.bracket(seen[1]) if grid2.size else None,
        merged=True,
    )


def _visit_shared(
    first: Partition,
    second: Partition | None,
    agreement: Agreement,
    concordance: Concordance | None,
    asked: tuple[bool, bool],
    effort: Precision,
) -> Visited:
    """Visit the pairs that share a cluster; the others have the agreement 0 on both sides."""
    loop, power = agreement.loop, 1.0 if concordance is None else concordance.power
    assert loop is not None
    assert power is not None
    product = loop.kind == "dot"
    rows1 = agreement.sparse_rows(first)
    rows2 = None if second is None else agreement.sparse_rows(second)
    grid1 = shared_pairs_grid(rows1, product=product) if asked[0] else NO_GRID
    grid2 = shared_pairs_grid(rows2, product=product) if asked[1] and rows2 is not None else NO_GRID
    seen = visit_shared_pairs(
        rows1, rows2, power, (grid1, grid2), effort, product=product, weights=first.weights
    )
    pairs = first.pair_total

    def law(grid: Grid, bins: FloatArray) -> Bracket | None:
        return grid.bracket(bins, max(pairs - bins[0].sum(), 0.0)) if grid.size else None

    return Visited(seen.discordance / pairs, law(grid1, seen.bins1), law(grid2, seen.bins2))


def row_cost(partition: Partition) -> IntArray:
    """Return the number of columns to process for each point; a one-hot row costs 1."""
    return partition.rows.filled


def balanced_rows(cost: IntArray, n: int, *, binned: bool = True) -> list[tuple[int, int]]:
    """Divide the triangle of pairs into ranges of rows with about equal work and not many pairs.

    By work alone, one task could get more pairs of cheap (one-hot) rows than a bin can count, and
    these may all fall into the bin of agreement 0. If nothing is binned, tasks are larger: the more
    rows a task has, the more often points in the cache are reused.
    """
    pairs = np.arange(n - 1.0, -1.0, -1.0)
    work = np.cumsum((cost + 10.0) * pairs / TASK_WORK + pairs / TASK_PAIRS * binned)
    tasks = int(np.clip(np.ceil(work[-1]), 16, n))
    cuts = np.searchsorted(work, work[-1] * np.arange(1, tasks) / tasks)
    edges = np.unique(np.concatenate([[0], cuts, [n]]))
    return list(zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True))
