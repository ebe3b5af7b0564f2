"""Profiles of points: how the agreements of a point with all others are distributed over nodes.

Profiles give the variance under permutations for any discordance h(a, b), because they describe how
two agreements that share a point depend on each other. An agreement between two nodes is divided
between them in proportion to its nearness, which replaces h by a function that is linear between
the nodes. For |a - b|, this function differs from h only if a and b lie between the same two nodes.
The result is exact if all agreements are nodes; otherwise its error is estimated by using half of
the nodes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from ..._base.effort import Precision
from ..._base.progress import progress
from ..._base.streams import Stream
from ..._base.threads import map_in_order
from ..._base.types import FloatArray, IntArray
from ..._clusterings.partition import Partition
from ..._pairs.all_pairs import kept_agreements
from ..._pairs.cells import sorter
from ..._pairs.random_pairs import random_agreements, random_pairs
from ..._pairs.route import PLAIN_COST
from ...indices.agreements import Agreement
from ...indices.concordances import Concordance
from .base import ROWS
from .variances import variance_of_mean

#: Number of sampled pairs that show where the agreements are.
SCOUTS = 1 << 15
#: Number of points whose profiles are summed by one task.
TASK_POINTS = 64
#: Fewest points that may represent all, and number of groups that show the error of this.
FEWEST_POINTS, GROUPS = 256, 8


#: Mean products of discordances, as ``variance_of_mean`` takes them.
Products = tuple[float, float, float, float]


@dataclass(frozen=True)
class Profiles:
    """Sums over the profiles of the points of a clustering.

    Attributes
    ----------
    nodes : array of shape (m,)
        The nodes.
    pairs : array of shape (m, m)
        Mean outer product with itself of the vector of an agreement's shares in the nodes.
    sums : array of shape (groups, m)
        Sum of the profiles of each group of points.
    products : array of shape (groups, m, m)
        Sum of the outer products of profiles with themselves.
    points : array of shape (groups,)
        Number of points in each group; there is one group if all points were used.
    """

    nodes: FloatArray
    pairs: FloatArray
    sums: FloatArray
    products: FloatArray
    points: FloatArray

    @property
    def complete(self) -> bool:
        """Whether all points were used."""
        return self.points.size == 1

    @property
    def weights(self) -> FloatArray:
        """Share of all agreements in each node."""
        return np.asarray(self.sums.sum(axis=0) / self.points.sum())

    def sharing(self, n: int) -> FloatArray:
        """Return the mean outer product of the shares of two pairs that share one point."""
        own = self.products.sum(axis=0) / self.points.sum()
        return np.asarray(((n - 1.0) * own - self.pairs) / (n - 2.0))

    def without(self, group: int) -> Profiles:
        """Leave out a group of points, unless all points were used."""
        if self.complete:
            return self
        sums, products, points = (
            np.delete(part, group, axis=0) for part in (self.sums, self.products, self.points)
        )
        return replace(self, sums=sums, products=products, points=points)


class ProfileVariance(NamedTuple):
    """Variance of the mean discordance, its estimated error, and how it was computed."""

    value: float
    error: float
    how: str


def variance_by_profiles(
    partitions: tuple[Partition, Partition],
    agreement: Agreement,
    concordance: Concordance,
    effort: Precision,
) -> ProfileVariance | None:
    """Return the variance of the mean discordance over all permutations.

    Parameters
    ----------
    partitions : pair of Partition
        The clusterings, not both hard.
    agreement, concordance
        Those of the index.
    effort : Precision
        Seed, number of threads, and budget.

    Returns
    -------
    ProfileVariance or None
        None if there are so many points that too few of them could be used.
    """
    n = partitions[0].n
    if partitions[0].pairs <= effort.budget.profile_pairs:
        first, second = (_of_all_values(partition, agreement, effort) for partition in partitions)
        value = _variance(first, second, _table(first, second, concordance), n)
        return ProfileVariance(value, 0.0, "all pairs")
    fewest = min(n, FEWEST_POINTS)
    if any(_affordable(p, agreement, effort) < fewest for p in partitions if not p.is_hard):
        return None
    nodes = _chosen_nodes(partitions, agreement, effort.budget.profile_nodes)
    first, second = (
        _of_nodes(partition, agreement, nodes, effort, position)
        for position, partition in enumerate(partitions)
    )
    table = _table(first, second, concordance)
    value = _variance(first, second, table, n)
    coarse = _interpolated(_interpolated(table, first.nodes).T, second.nodes).T
    error = 2.0 * abs(value - _variance(first, second, coarse, n))
    looked_at = n
    if not (first.complete and second.complete):
        looked_at = min(int(side.points.sum()) for side in (first, second))
        error += _standard_error(first, second, table, n)
    of_points = "all points" if looked_at == n else f"{looked_at:,} random points"
    return ProfileVariance(value, error, f"profiles of {of_points} with {nodes.size} nodes")


def products_by_profiles(
    partitions: tuple[Partition, Partition],
    agreement: Agreement,
    concordance: Concordance,
    effort: Precision,
) -> Products:
    """Return the mean products of discordances that ``variance_of_mean`` needs, for few points.

    Parameters
    ----------
    partitions : pair of Partition
        Clusterings of a few hundred points. They may represent more, and need not be of the same
        points.
    agreement, concordance, effort
        As in :func:`variance_by_profiles`.
    """
    if partitions[0].pairs <= effort.budget.profile_pairs:
        first, second = (_of_all_values(partition, agreement, effort) for partition in partitions)
    else:
        nodes = _chosen_nodes(partitions, agreement, effort.budget.profile_nodes)
        first, second = (
            _of_nodes(partition, agreement, nodes, effort, position)
            for position, partition in enumerate(partitions)
        )
    return _products(first, second, _table(first, second, concordance), partitions[0].n)


def _table(first: Profiles, second: Profiles, concordance: Concordance) -> FloatArray:
    """Return the discordances of the nodes."""
    return concordance.discordance(first.nodes[:, None], second.nodes[None, :])


def _interpolated(table: FloatArray, nodes: FloatArray) -> FloatArray:
    """Replace every other row of a table by linear interpolation between its neighbours."""
    if nodes.size < 4:  # a hard side, whose nodes are its only agreements
        return table
    out = table.copy()
    middle = np.arange(1, nodes.size - 1, 2)
    share = (nodes[middle] - nodes[middle - 1]) / (nodes[middle + 1] - nodes[middle - 1])
    out[middle] = table[middle - 1] + share[:, None] * (table[middle + 1] - table[middle - 1])
    return out


def _variance(first: Profiles, second: Profiles, table: FloatArray, n: int) -> float:
    """Return the variance for given discordances of the nodes."""
    return variance_of_mean(n, *_products(first, second, table, n))


def _products(first: Profiles, second: Profiles, table: FloatArray, n: int) -> Products:
    """Return mean products of discordances, for those of the nodes.

    Terms that depend on the agreement of only one side have the same sum in every order of the
    points, and are subtracted first.
    """
    w1, w2 = first.weights, second.weights
    h = table - (table @ w2)[:, None]
    h -= w1 @ h
    left = [kind @ h for kind in (first.pairs, first.sharing(n))]
    right = [h @ kind for kind in (second.pairs, second.sharing(n))]
    vv, vc, cv, cc = (float(np.vdot(one, two)) for one in left for two in right)
    return vv, vc, cv, cc


def _standard_error(first: Profiles, second: Profiles, table: FloatArray, n: int) -> float:
    """Return the error from using only some points, by leaving out one group at a time."""
    values = np.array(
        [_variance(first.without(g), second.without(g), table, n) for g in range(GROUPS)]
    )
    left = max(1.0 - float(side.points.sum()) / n for side in (first, second))
    return math.sqrt(left * (GROUPS - 1.0) * float(values.var()))


def _of_sizes(partition: Partition) -> Profiles:
    """Return the profiles of a hard clustering: shares of agreements of 0 and of 1."""
    n, sizes = partition.n, partition.sizes
    together = (sizes - 1.0) / (n - 1.0)
    rows = np.column_stack([1.0 - together, together])
    sums = sizes @ rows
    return Profiles(
        np.array([0.0, 1.0]),
        np.diag(sums / n),
        sums[None],
        (rows.T @ (sizes[:, None] * rows))[None],
        np.array([float(n)]),
    )


def _of_all_values(partition: Partition, agreement: Agreement, effort: Precision) -> Profiles:
    """Return profiles with a node for each value that occurs, for few points only."""
    if partition.is_hard:
        return _of_sizes(partition)
    n = partition.n
    values = kept_agreements(partition, agreement, effort.budget.numpy_work)
    nodes, at = np.unique(values, return_inverse=True)
    i, j = np.triu_indices(n, 1)
    rows = np.zeros((n, nodes.size))
    np.add.at(rows, (np.concatenate([i, j]), np.concatenate([at, at])), 1.0 / (n - 1.0))
    sums = rows.sum(axis=0)
    return Profiles(
        nodes, np.diag(sums / n), sums[None], (rows.T @ rows)[None], np.array([float(n)])
    )


def _chosen_nodes(
    partitions: tuple[Partition, Partition], agreement: Agreement, count: int
) -> FloatArray:
    """Choose nodes that both sides share: a third evenly, the rest from a sample of their pairs."""
    fuzzy = [partition for partition in partitions if not partition.is_hard]
    levels = np.linspace(0.0, 1.0, 2 * count // (3 * len(fuzzy)))
    ranges = [agreement.range(partition) for partition in fuzzy]
    low, high = min(low for low, _ in ranges), max(high for _, high in ranges)
    nodes = [np.linspace(low, high, count // 3), np.array([0.0, 1.0])]
    rng = np.random.default_rng(0)
    for partition in fuzzy:
        i, j = random_pairs(rng, partition.n, SCOUTS)
        seen = random_agreements(partition, agreement, i, j)[0]
        nodes.append(np.quantile(seen, levels, method="inverted_cdf"))
    chosen = np.unique(np.clip(np.concatenate(nodes), 0.0, 1.0))
    # Nodes that differ only by rounding would make cells without width.
    return np.asarray(chosen[np.append(True, np.diff(chosen) > 1e-15)])


def _affordable(partition: Partition, agreement: Agreement, effort: Precision) -> int:
    """Return the number of points of a fuzzy clustering that the allowed work suffices for."""
    work = partition.n * (10.0 + partition.k)
    if agreement.loop is None:
        work *= PLAIN_COST
    most = int(effort.budget.profile_work / work)
    return partition.n if most >= partition.n else most - most % GROUPS


def _of_nodes(
    partition: Partition, agreement: Agreement, nodes: FloatArray, effort: Precision, position: int
) -> Profiles:
    """Return profiles of all points, or of as many (but a few) as the allowed work suffices for."""
    if partition.is_hard:
        return _of_sizes(partition)
    n = partition.n
    points = min(max(_affordable(partition, agreement, effort), GROUPS), n)
    groups = [np.arange(n)]
    if points < n:
        rng = effort.stream(Stream.PERMUTATIONS, ROWS, position)
        groups = np.split(rng.permutation(n)[:points], GROUPS)
    sort = sorter(partition, agreement, nodes, points, effort.budget.numpy_work)

    def add_up(task: tuple[int, IntArray]) -> tuple[int, FloatArray, FloatArray, FloatArray]:
        counts, firsts, seconds = sort(task[1])
        rows = np.zeros((task[1].size, nodes.size))
        rows[:, :-1] += counts - firsts
        rows[:, 1:] += firsts
        cells = np.stack([counts.sum(axis=0), firsts.sum(axis=0), seconds])
        return task[0], rows.sum(axis=0), rows.T @ rows, cells

    tasks = [
        (number, group[start : start + TASK_POINTS])
        for number, group in enumerate(groups)
        for start in range(0, group.size, TASK_POINTS)
    ]
    sums, products = (np.zeros((len(groups), nodes.size, *more)) for more in ((), (nodes.size,)))
    cells = np.zeros((3, nodes.size - 1))
    work = map_in_order(add_up, tasks, effort.n_threads)
    for number, more_sums, more_products, more_cells in progress(work, len(tasks), "variance"):
        sums[number] += more_sums / (n - 1.0)
        products[number] += more_products / (n - 1.0) ** 2
        cells += more_cells
    sizes = np.array([float(group.size) for group in groups])
    return Profiles(nodes, _of_pairs(cells / (points * (n - 1.0))), sums, products, sizes)


def _of_pairs(cells: FloatArray) -> FloatArray:
    """Return the mean outer product of shares, which are 1 - t and t at position t in a cell."""
    counts, firsts, seconds = cells
    m = counts.size + 1
    out = np.zeros((m, m))
    low, high = np.arange(m - 1), np.arange(1, m)
    out[low, low] += counts - 2.0 * firsts + seconds
    out[high, high] += seconds
    out[low, high] += firsts - seconds
    out[high, low] += firsts - seconds
    return out
