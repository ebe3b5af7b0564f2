"""Mean discordances of the pairs of fuzzy clusters.

The pair of points i and j has the weight v_ic v_jc in cluster c, times the weights of both points
if these have any. All pairs are visited once for both sides. Of sparse clusterings, only the pairs
that share a cluster are visited, because the others have no weight. If there are too many, pairs
are drawn.
"""

from __future__ import annotations

import numpy as np

from ..._base.types import FloatArray
from ..._clusterings.partition import Partition
from ..._clusterings.sparse_rows import SparseRows
from ..._pairs.cluster_pairs import ClusterPairs
from ..._pairs.curves import PairCurve
from ..._pairs.route import Route, route_of
from ..._pairs.shared_clusters import SharedSide, shared_cluster_sums
from ..._pairs.weighted_sums import Curve, weighted_sums, weights_of_clusters
from ...indices import PairIndex
from ...models._laws.side import Side
from .discordances import Discordances
from .drawn_clusters import drawn_discordances

#: Number of cells of a curve that would take long to evaluate exactly.
CELLS = 1 << 16

#: For each side, the discordances; None for a hard side.
OfSides = list[Discordances | None]


def by_fuzzy_clusters(sides: tuple[Side, Side], *, quick: bool) -> OfSides:
    """Return the discordances of the pairs of each cluster, for the sides that are not hard.

    Parameters
    ----------
    sides : pair of Side
        The clusterings.
    quick : bool
        Whether to draw fewer pairs, and to draw them already when visiting all would take seconds.
    """
    index, effort = sides[0].index, sides[0].effort
    assert isinstance(index, PairIndex)
    first, second = sides[0].partition, sides[1].partition
    # The compiled loops know the discordances |a - b|^q and a + b - 2 a b.
    any_power = None if _by_product(index) else index.concordance
    route = route_of(index.agreement, effort, first, second, concordance=any_power)
    slow = quick and _visits(route, first, second) > effort.budget.quick_pairs
    if route is not Route.SAMPLE and not slow:
        curves = _expected_curves(sides, index, tabulated=route is Route.SHARED)
        if curves is not None:
            exactly = _shared_pairs if route is Route.SHARED else _all_pairs
            return exactly(sides, index, curves)
    return [
        None
        if own.partition.is_hard
        else drawn_discordances(own, sides[1 - place], place, quick=quick)
        for place, own in enumerate(sides)
    ]


def _by_product(index: PairIndex) -> bool:
    return index.concordance.moments_needed(0) == 1


def _visits(route: Route, first: Partition, second: Partition) -> float:
    if route is Route.SHARED:
        return first.without_zeros.shared_entries + second.without_zeros.shared_entries
    return first.pairs


def _expected_curves(
    sides: tuple[Side, Side], index: PairIndex, *, tabulated: bool
) -> tuple[Curve | None, Curve | None] | None:
    """Return the expected discordance of each agreement of a fuzzy side; None for a hard side.

    The result is None if the pairs of the other side are too many to visit.
    """
    curves: list[Curve | None] = [None, None]
    for place, own in enumerate(sides):
        if not own.partition.is_hard:
            curves[place] = _expected_curve(sides[1 - place], index, tabulated=tabulated)
            if curves[place] is None:
                return None
    return curves[0], curves[1]


def _expected_curve(other: Side, index: PairIndex, *, tabulated: bool) -> Curve | None:
    """Return the mean discordance between an agreement and all pairs of the other clustering."""
    bracket = other.pairs_law.bracket()
    if bracket is None:
        return None
    ends = (bracket.inner,) if bracket.exact else (bracket.inner, bracket.outer)
    curves = [index.concordance.curve(atoms)[0] for atoms in ends]
    if other.partition.pairs <= other.effort.budget.kept_pairs and not tabulated:
        return curves[0]
    nodes = np.linspace(0.0, 1.0, CELLS + 1)
    heights = np.mean([curve(nodes) for curve in curves], axis=0)
    return PairCurve(np.ascontiguousarray(heights))


def _all_pairs(
    sides: tuple[Side, Side], index: PairIndex, curves: tuple[Curve | None, Curve | None]
) -> OfSides:
    first, second = sides[0].partition, sides[1].partition
    weights = _full_memberships(first), _full_memberships(second)
    nothing = PairCurve.line(0.0, 0.0)
    sums = weighted_sums(
        (first, second),
        index.agreement,
        index.concordance,
        weights,
        (curves[0] or nothing, curves[1] or nothing),
        sides[0].effort,
    )
    return [
        None if own is None else Discordances.of_sums(weights_of_clusters(own), found)
        for own, found in zip(weights, sums, strict=True)
    ]


def _full_memberships(partition: Partition) -> FloatArray | None:
    """Return the memberships that provide the weights of pairs; None for a hard clustering."""
    if partition.is_hard:
        return None
    rows, weights = partition.shared.dense, partition.weights
    return rows if weights is None else rows * weights[:, None]


def _shared_pairs(
    sides: tuple[Side, Side], index: PairIndex, curves: tuple[Curve | None, Curve | None]
) -> OfSides:
    loop = index.agreement.loop
    assert loop is not None
    first, second = (
        _shared_side(side.partition, index, curve)
        for side, curve in zip(sides, curves, strict=True)
    )
    power = None if _by_product(index) else index.concordance.power
    found = shared_cluster_sums(first, second, power, sides[0].effort, product=loop.kind == "dot")
    return [
        None
        if side.partition.is_hard
        else Discordances.of_sums(ClusterPairs(_weighted(side.partition).in_order).totals, sums)
        for side, sums in zip(sides, found, strict=True)
    ]


def _shared_side(partition: Partition, index: PairIndex, curve: Curve | None) -> SharedSide:
    rows, memberships = index.agreement.sparse_rows(partition), _weighted(partition)
    assert curve is None or isinstance(curve, PairCurve)
    return SharedSide(rows, _scale(rows, memberships), curve)


def _weighted(partition: Partition) -> SparseRows:
    """Return the memberships, times the weights of the points if they have any."""
    rows, weights = partition.without_zeros, partition.weights
    return rows if weights is None else rows.scale(weights)


def _scale(rows: SparseRows, memberships: SparseRows) -> FloatArray:
    """Return the factors that turn rows into memberships, of which they are multiples."""
    sums = rows.sums_of_rows
    return np.divide(memberships.sums_of_rows, sums, out=np.ones(sums.size), where=sums > 0.0)
