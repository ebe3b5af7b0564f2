"""Means over the pairs of each point: of the discordance of two clusterings, and of curves.

Where possible, they are computed from contingency tables, sorted columns or Gram matrices; see
``point_moments``. Otherwise, all pairs are visited, and each is added to the sums of both points.
If there are too many pairs, the points are divided into groups at random, and only the pairs within
groups are visited: the rest of its group is a random sample of the partners of a point.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .._base.effort import Precision
from .._base.progress import progress
from .._base.streams import Stream
from .._base.threads import map_in_order
from .._base.types import FloatArray, IntArray
from .._clusterings.partition import Partition
from . import compiled, plain
from .all_pairs import balanced_rows, row_cost
from .bins import NO_GRID
from .curves import PairCurve
from .point_moments import PointMoments
from .route import Route, route_of
from .shared_pairs import visit_shared_pairs

if TYPE_CHECKING:
    from ..indices.agreements import Agreement
    from ..indices.concordances import Concordance

#: Groups of points visited by one task.
TASK_GROUPS = 8

#: Function that sums over the pairs of a range of rows in each group. The result has the shape (4,
#: groups, points of a group): discordances, their squares, and curves of both sides.
VisitPoints = Callable[[tuple[int, int]], FloatArray]
#: Function that makes such a function for groups of points, with one row for each group.
Visitor = Callable[[IntArray], VisitPoints]


class PointMeans(NamedTuple):
    """Means over all other points, for each point.

    Points with weights have weighted means. These are scaled, by factors near 1, so that their own
    weighted means are those over all pairs.

    Attributes
    ----------
    discordance : array
        Mean discordance of the pairs of each point. The mean over all points is the observed
        discordance of the two clusterings.
    first, second : array or None
        Means of the curve of each side, if one was given. They may be sampled even if the
        discordance is not.
    stderr : array or None
        Monte Carlo error of the discordance of each point; None if it was not sampled.
    """

    discordance: FloatArray
    first: FloatArray | None
    second: FloatArray | None
    stderr: FloatArray | None


def point_means(
    first: Partition,
    second: Partition,
    agreement: Agreement,
    concordance: Concordance,
    effort: Precision,
    *,
    first_curve: PairCurve | None = None,
    second_curve: PairCurve | None = None,
    partners: int | None = None,
) -> PointMeans:
    """Average over all other points, for each point of two clusterings.

    Parameters
    ----------
    first, second : Partition
        The clusterings.
    agreement, concordance
        Those of the index.
    effort : Precision
        Amount of work up to which pairs are visited, budget, seed for sampling, and number of
        threads.
    first_curve, second_curve : PairCurve, optional
        Functions of the agreements of each side to average as well.
    partners : int, optional
        Least number of random partners of each point if there are too many pairs to visit; at
        least 2, and by default that of the budget.
    """
    partners = effort.budget.partners if partners is None else partners
    assert partners >= 2
    moments = PointMoments(first, second, agreement, effort.n_threads)
    sums = moments.discordance(concordance)
    sides, curves = (first, second), (first_curve, second_curve)
    means = [_without_visits(moments, side, sides[side], curves[side]) for side in (0, 1)]
    # The curves whose means are not known yet.
    left1, left2 = (curves[side] if means[side] is None else None for side in (0, 1))
    if sums is None:
        seen = _visited(sides, agreement, concordance, (left1, left2), effort, partners)
        means1, means2 = (
            mean if left is None else visited
            for mean, left, visited in zip(
                means, (left1, left2), (seen.first, seen.second), strict=True
            )
        )
        return PointMeans(seen.discordance, means1, means2, seen.stderr)
    for side, left in enumerate((left1, left2)):
        if left is not None:
            alone = sides[side], None
            seen = _visited(alone, agreement, None, (left, None), effort, partners)
            means[side] = seen.first
    return PointMeans(sums * _scale(first), means[0], means[1], None)


def _without_visits(
    moments: PointMoments, side: int, partition: Partition, curve: PairCurve | None
) -> FloatArray | None:
    """Return the means of a curve if they follow from the mean agreements, otherwise None."""
    if curve is None or not (partition.is_hard or curve.is_line):
        return None
    sums = moments.agreements(side)
    if sums is None:
        return None
    if partition.weights is None:
        return curve.by_its_ends(sums / (partition.n - 1))
    low, high = float(curve.nodes[0]), float(curve.nodes[-1])
    others = partition.n - partition.weights
    return np.asarray(_scale(partition) * (low * others + (high - low) * sums))


def _scale(partition: Partition) -> float:
    """Return the factor that makes a sum over the partners of each point a mean over pairs."""
    return partition.n / (2.0 * partition.pair_total)


def _visited(
    sides: tuple[Partition, Partition | None],
    agreement: Agreement,
    concordance: Concordance | None,
    curves: tuple[PairCurve | None, PairCurve | None],
    effort: Precision,
    partners: int,
) -> PointMeans:
    """Visit all pairs, or those within random groups of points.

    Without a second side, only the means of the first curve are computed.
    """
    present = [side for side in sides if side is not None]
    n = present[0].n
    route = route_of(agreement, effort, *present, concordance=concordance)
    if route is Route.SHARED and curves == (None, None):
        return _over_shared(present, agreement, concordance, effort)
    too_many = route is Route.SAMPLE
    groups = max(n // (partners + 1), 1) if too_many else 1
    work = 0.5 * n * (n // groups) * sum(1 if side.is_hard else side.k for side in present)
    power = 1.0 if concordance is None else concordance.power
    weights = present[0].weights
    much = work > effort.budget.numpy_work
    worth_loading = much and agreement.loop is not None

    def visitor(points: IntArray) -> VisitPoints:
        squared = groups > 1
        if worth_loading and power is not None:
            return compiled.point_visitor(*sides, agreement, power, points, curves, squared=squared)
        return plain.point_visitor(*sides, agreement, concordance, points, curves, squared=squared)

    threads = effort.n_threads if much else 1
    stderr: FloatArray | None = None
    if groups == 1:
        cost = np.asarray(np.sum([row_cost(side) for side in present], axis=0))
        means = _over_all(visitor, cost, threads, 1.0 / (n - 1) if weights is None else 1.0)
        if weights is not None:
            means *= _scale(present[0])
    else:
        order = effort.stream(Stream.POINTS).permutation(n)
        means, seen = _over_groups(visitor, order, groups, threads, weights)
        # The variance of a mean over points drawn without replacement.
        variance = np.maximum(means[1] - means[0] ** 2, 0.0) / (seen - 1.0)
        stderr = np.sqrt(variance * (1.0 - np.minimum(seen / (n - 1.0), 1.0)))
        if weights is not None:
            scale = n * (n - weights) / (2.0 * present[0].pair_total)
            means[[0, 2, 3]] *= scale
            stderr *= scale
    first, second = (
        None if curve is None else of_curve
        for curve, of_curve in zip(curves, means[2:], strict=True)
    )
    return PointMeans(means[0], first, second, stderr)


def _over_shared(
    sides: list[Partition], agreement: Agreement, concordance: Concordance | None, effort: Precision
) -> PointMeans:
    """Average over all other points, visiting only pairs that share a cluster."""
    power, loop = 1.0 if concordance is None else concordance.power, agreement.loop
    assert power is not None
    assert loop is not None
    rows = [agreement.sparse_rows(side) for side in sides]
    seen = visit_shared_pairs(
        rows[0],
        rows[1] if len(rows) > 1 else None,
        power,
        (NO_GRID, NO_GRID),
        effort,
        product=loop.kind == "dot",
        by_points=True,
        weights=sides[0].weights,
    )
    assert seen.points is not None
    return PointMeans(seen.points * _scale(sides[0]), None, None, None)


def _over_all(visitor: Visitor, cost: IntArray, threads: int | None, scale: float) -> FloatArray:
    """Sum over all other points, and scale the sums."""
    n = cost.size
    order = np.argsort(cost, kind="stable")  # the earlier point of a pair determines its cost
    visit = visitor(order[None, :])
    tasks = balanced_rows(cost[order], n)
    sums = np.zeros((4, n))
    for part in progress(map_in_order(visit, tasks, threads), len(tasks), "pairs"):
        sums += part[:, 0]
    means = np.empty((4, n))
    means[:, order] = sums * scale
    return means


def _over_groups(
    visitor: Visitor,
    order: IntArray,
    groups: int,
    threads: int | None,
    weights: FloatArray | None,
) -> tuple[FloatArray, FloatArray]:
    """Average over the other points of each group; groups are cut from a random order.

    Return the means, and the number of partners of each point (the effective one of weighted
    partners).
    """
    n = order.size
    size, longer = divmod(n, groups)
    cut = longer * (size + 1)
    tasks = [
        points[start : start + TASK_GROUPS]
        for points in (order[:cut].reshape(-1, size + 1), order[cut:].reshape(-1, size))
        for start in range(0, len(points), TASK_GROUPS)
    ]
    visitor(order[:1, None])  # compile now, before several threads would wait for it

    def average(points: IntArray) -> FloatArray:
        each = points.shape[1]
        sums = visitor(points)((0, each))
        if weights is None:
            return np.asarray(sums / (each - 1))
        own = weights[points]
        return np.asarray(sums / (own.sum(axis=1, keepdims=True) - own))

    means, seen = np.empty((4, n)), np.empty(n)
    parts = progress(map_in_order(average, tasks, threads), len(tasks), "pairs")
    for points, part in zip(tasks, parts, strict=True):
        means[:, points] = part
        seen[points] = points.shape[1] - 1
        if weights is not None:
            own = weights[points]
            others = own.sum(axis=1, keepdims=True) - own
            squares = (own**2).sum(axis=1, keepdims=True) - own**2
            seen[points] = np.maximum(others**2 / squares, 1.5)
    return means, seen
