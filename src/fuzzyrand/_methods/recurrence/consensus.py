"""Consensus of runs: the mean of their memberships, after their clusters are matched.

The memberships M minimise the sum of squares Σ ‖UP − M‖² over runs with memberships U and matchings
P of their clusters with the columns of M (soft least squares). For given matchings, M is the mean
of the matched runs, and the sum of squares is a constant minus trace(H'GH). Here H assigns clusters
to columns, and G is the table of products of all clusters, each point divided by the number of runs
that have it. Matchings are therefore improved with G alone, however many points there are: each run
in turn is matched with the sum of the others, and no step raises the sum of squares. From the best
matching found, some runs are then matched at random, and all are improved again, many times.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import linear_sum_assignment

from ..._base.errors import NotApplicableError
from ..._base.types import FloatArray, IntArray
from ..._clusterings.partition import Noise, Partition
from ..._clusterings.rows import LARGEST_DENSE, DenseRows, LabelRows
from .columns import Columns
from .sums import RunSums, add_products, mirror

#: Number of runs from which the search starts, those most like the others first.
STARTS = 5
#: Largest number of times that half of the runs are matched at random, and the products of numbers
#: up to which this is done (less than a second).
SHAKES, WORK = 100, 2 * 10**8
#: Largest number of times that all runs are matched; far fewer are needed.
ROUNDS = 1000
#: Shortfall of a row from a sum of 1 from which a point is partly noise.
SHORTFALL = 1e-6
#: Improvements up to this share of the sum of squares are rounding.
ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class Matched:
    """Runs whose clusters are matched with the columns of a consensus.

    Attributes
    ----------
    places : array of int
        The column of the consensus of each cluster of all runs.
    k : int
        Number of columns.
    squares : tuple of float
        Sum of squares after each round, the last one being that of the consensus.
    """

    places: IntArray
    k: int
    squares: tuple[float, ...]


def match_runs(sums: RunSums, runs: Sequence[int]) -> Matched:
    """Match the clusters of some runs so that the sum of squares is small.

    The search starts at the medoid, the run most like the others; at the medoid of the runs with
    the most clusters; and at the runs that are next most like the others. The best matching is then
    shaken: half of the runs are matched at random, all are improved, and what is better is kept.
    """
    columns = sums.columns.subset(runs)
    means = sums.adjusted[np.ix_(runs, runs)].sum(axis=1)
    order = np.argsort(-means, kind="stable")
    clusters = np.array([run.clusters for run in columns.runs])
    largest = order[clusters[order] == clusters.max()][0]
    starts = list(dict.fromkeys([int(order[0]), int(largest), *order.tolist()]))[:STARTS]
    products = products_of(sums, columns, runs)
    found = [improve_matching(products, columns, start) for start in starts]
    best = min(found, key=lambda each: each.squares[-1])
    if len(runs) <= 2:
        return best  # The smallest sum of squares, as there is nothing but one assignment.
    rng = np.random.default_rng(0)  # The consensus does not depend on the seed of the shuffles.
    for _ in range(min(SHAKES, WORK // max(1, columns.size**2 * best.k))):
        places = best.places.copy()
        for run in rng.permutation(len(runs))[: (len(runs) + 1) // 2].tolist():
            own = columns.of(run)
            places[own] = rng.permutation(best.k)[places[own]]
        other = _improved(products, columns, _indicators(places, best.k))
        if other.squares[-1] < best.squares[-1] - ROUNDING * products.total:
            best = other
    return best


class ColumnProducts(NamedTuple):
    """Products of the clusters of all runs.

    Attributes
    ----------
    table : array
        Sums of products of two clusters.
    share : float
        What divides them: with it, each point is divided by the number of runs that have it.
    total : float
        Sum of the squares of all memberships.
    """

    table: FloatArray
    share: float
    total: float

    def sum_of_squares(self, like: FloatArray, assigned: FloatArray) -> float:
        """Return the sum of squares around the consensus of clusters with assigned columns.

        ``like`` is the product of the table with the assignment.
        """
        return max(self.total - float((like * assigned).sum()) * self.share, 0.0)


def improve_matching(products: ColumnProducts, columns: Columns, start: int) -> Matched:
    """Match all runs with one of them, then each with the others until nothing changes.

    Parameters
    ----------
    products : ColumnProducts
        Products of the clusters.
    columns : Columns
        The clusters of the runs.
    start : int
        The run to start with.
    """
    k = max(1, *(run.clusters for run in columns.runs))
    assigned = np.zeros((columns.size, k))
    first = columns.of(start)
    assigned[first, : first.stop - first.start] = np.eye(first.stop - first.start)
    like = products.table[:, first] @ assigned[first]
    for run in range(len(columns.runs)):
        own = columns.of(run)
        if run != start:
            assigned[own] = _best(like[own])
    return _improved(products, columns, assigned)


def _improved(products: ColumnProducts, columns: Columns, assigned: FloatArray) -> Matched:
    """Match each run with the others until nothing changes; the assignment is overwritten."""
    table, share, total = products
    like = table @ assigned
    squares = [products.sum_of_squares(like, assigned)]
    for _ in range(ROUNDS):
        changed = False
        for run in range(len(columns.runs)):
            own = columns.of(run)
            others = like[own] - table[own, own] @ assigned[own]
            better = _best(others)
            change = better - assigned[own]
            if (change * others).sum() * share > ROUNDING * total:
                like += table[:, own] @ change
                assigned[own], changed = better, True
        if not changed:
            break
        squares.append(products.sum_of_squares(like, assigned))
    return Matched(assigned.argmax(axis=1), assigned.shape[1], tuple(squares))


def _indicators(places: IntArray, k: int) -> FloatArray:
    """Return, for each cluster and each column of a consensus, whether they are matched."""
    out = np.zeros((places.size, k))
    out[np.arange(places.size), places] = 1.0
    return out


def _best(like: FloatArray) -> FloatArray:
    """Return the one-to-one assignment of rows to columns with the largest sum."""
    out = np.zeros_like(like)
    out[linear_sum_assignment(like, maximize=True)] = 1.0
    return out


def products_of(sums: RunSums, columns: Columns, runs: Sequence[int]) -> ColumnProducts:
    """Return the products of the clusters of some runs."""
    of_all = sums.columns
    chosen = np.concatenate([np.arange(of_all.size)[of_all.of(run)] for run in runs])
    total = float(sums.squares[chosen, of_all.groups[of_all.run[chosen]]].sum())
    if np.unique(columns.groups).size == 1:
        whole = len(runs) == len(of_all.runs)
        table = sums.gram if whole else sums.gram[np.ix_(chosen, chosen)]
        return ColumnProducts(table, 1.0 / len(runs), total)
    weights = columns.weights / np.maximum(columns.present, 1)
    table = np.zeros((columns.size, columns.size), order="F")
    for points in columns.blocks():
        table = add_products(table, columns.block(points), weights[points])
    mirror(table)
    return ColumnProducts(table, 1.0, total)


def mean_memberships(columns: Columns, places: IntArray, k: int) -> FloatArray:
    """Return the mean memberships of matched runs; rows of points that no run has are 0."""
    mean = np.zeros((columns.n, k))
    assigned = _indicators(places, k)
    for points in columns.blocks():
        mean[points] = columns.block(points) @ assigned
    return np.asarray(mean / np.maximum(columns.present, 1)[:, None])


def consensus_of(
    columns: Columns, places: IntArray, k: int, ids: Sequence[Any] | None
) -> Partition:
    """Return the consensus of matched runs as a clustering of the points that some run has.

    Parameters
    ----------
    columns : Columns
        The clusters of the runs.
    places : array of int
        The column of the consensus of each cluster.
    k : int
        Number of columns.
    ids : sequence, optional
        Ids of all points.
    """
    if len(columns.runs) == 1:
        own = columns.rows[0]
        if own is not None:
            ids = [(range(columns.n) if ids is None else ids)[point] for point in own.tolist()]
        return replace(columns.runs[0], ids=ids)
    if columns.n * k > LARGEST_DENSE:
        raise NotApplicableError(
            "the consensus of {n:,} points in {k:,} clusters would take {size:,.0f} GB as a full "
            "matrix; merge the smallest clusters, or take a sample of the points.",
            n=columns.n,
            k=k,
            size=8e-9 * columns.n * k,
        )
    rows, kept = mean_memberships(columns, places, k), np.flatnonzero(columns.present)
    if kept.size < columns.n:
        every = range(columns.n) if ids is None else ids
        rows, ids = rows[kept], [every[point] for point in kept.tolist()]
    if any(run.noise_is_singletons for run in columns.runs):
        left = np.clip(1.0 - rows.sum(axis=1), 0.0, 1.0)
        noise = Noise("singletons", int(np.count_nonzero(left > SHORTFALL)), float(left.mean()))
        return Partition(DenseRows(np.column_stack([rows, left])), ids=ids, noise=noise)
    possibilistic = any(run.possibilistic for run in columns.runs)
    if not possibilistic and ((rows == 0.0) | (rows == 1.0)).all():
        return Partition(LabelRows(rows.argmax(axis=1), k), ids=ids)
    return Partition(DenseRows(rows), possibilistic, ids=ids)
