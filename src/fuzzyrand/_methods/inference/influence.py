"""Influence of each point on the adjusted index.

With D the observed and E the expected discordance, the adjusted index is 1 - D/E. If a point gets a
little more weight, both change. D changes by twice the difference between the mean discordance of
the point's pairs and D. E changes through the law of each side:

- the law of observed pairs (``perm``, or a fixed side) changes with the pairs of the point;
- hard proportions change with the cluster of the point;
- a fitted Dirichlet distribution changes by the point's influence on the fit;
- a richer fit (mixtures, kernels) changes about as the observed pairs do, which it approximates;
- a law that depends only on the numbers of points and clusters does not change.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..._analysis import Analysis
from ..._base.effort import Precision
from ..._base.streams import Stream
from ..._base.types import FloatArray, IntArray
from ..._clusterings.noise import choose_points, subset
from ..._clusterings.partition import Partition
from ..._clusterings.treatment import Treatment
from ..._distributions.row_distributions import Categorical, Dirichlet
from ..._distributions.row_families import TreatedRows
from ..._pairs.cover_levels import (
    expected_by_level,
    levels_of_pairs,
    mean_heights,
    point_discordances,
)
from ..._pairs.curves import PairCurve
from ..._pairs.point_sums import point_means
from ..._pairs.random_pairs import random_agreements, random_pairs
from ...indices import Omega, PairIndex
from ...indices.concordances import Concordance
from ...models._laws.base import Bernoulli, Constant, Law
from ...models._laws.distance import atoms_of
from ...models._laws.row_pairs import RowPairs
from ...models._laws.side import SIDES
from ...models.dirichlet import FittedDirichlet
from ...results import Comparison

#: Number of cells of the curves of expected discordance.
CELLS = 1 << 12
#: Largest deviation of a curve from a straight line that is treated as rounding.
STRAIGHT = 1e-12
#: Agreements drawn from a law that has not been computed, and rows drawn from a fit.
DRAWS, ROWS = 1 << 14, 1 << 12
#: Random pairs that show how much pairs add to the influence of single points.
PAIRS = 1 << 14
#: Most memberships of the drawn rows, and number of following rows that each is compared with.
ENTRIES, PARTNERS = 1 << 22, 8


class Influences(NamedTuple):
    """Influence of points on the adjusted index.

    Attributes
    ----------
    values : array
        The influence of each point; their mean is 0.
    residuals : array
        Influence of random pairs beyond that of their two points. If it is large, as it is when no
        single point matters, the influences vary more than the adjusted index.
    points : array of int, or None
        The points used, if they are a random sample of very many.
    approximate : bool
        Whether the influence on a rich fit was approximated by that on the observed pairs.
    """

    values: FloatArray
    residuals: FloatArray
    points: IntArray | None
    approximate: bool


def most_points(comparison: Comparison) -> int:
    """Return the number of points up to which all are used."""
    hard = any(partition.is_hard for partition in comparison.analysis.partitions)
    budget = comparison.analysis.effort.budget
    return budget.influence_hard_points if hard else budget.influence_points


def influences(
    comparison: Comparison, *, all_points: bool = False, most: int | None = None
) -> Influences:
    """Return the influence of each point on the adjusted index of a comparison.

    Parameters
    ----------
    comparison : Comparison
        A comparison by an index that is a mean over pairs.
    all_points : bool
        Whether to use all points, even if there are very many.
    most : int, optional
        Number of points up to which all are used; by default that of the comparison.
    """
    analysis, index = comparison.analysis, comparison.analysis.index
    if isinstance(index, Omega):
        return _of_covers(comparison)
    assert isinstance(index, PairIndex)
    first, second = analysis.partitions
    points = None
    most = most_points(comparison) if most is None else most
    if first.n > most and not all_points:
        points = _some_points(first.n, most, analysis.effort)
        first, second = (_part(side, points) for side in (first, second))
    curves = _curves(analysis.laws, index.concordance, analysis.effort)
    kinds = [_kind(analysis, number, analysis.fixed == name) for number, name in enumerate(SIDES)]
    means = point_means(
        first,
        second,
        index.agreement,
        index.concordance,
        analysis.effort,
        first_curve=curves[0] if kinds[0] == "pairs" else None,
        second_curve=curves[1] if kinds[1] == "pairs" else None,
    )
    expected = 1.0 - comparison.expected
    scale = (1.0 - comparison.observed) / expected**2
    weights = first.weights
    moved = -2.0 * _centred(means.discordance, weights) / expected
    for of_curve in (means.first, means.second):
        if of_curve is not None:
            moved += scale * 2.0 * _centred(of_curve, weights)
    shown = [curve if kind == "pairs" else None for curve, kind in zip(curves, kinds, strict=True)]
    residuals = _residuals((first, second), index, (expected, scale), shown, moved, analysis.effort)
    for number, partition in enumerate((first, second)):
        law, curve = analysis.laws[number], curves[number]
        if kinds[number] == "proportions":
            moved += scale * _of_proportions(partition, law, curve)
        elif kinds[number] == "concentrations":
            moved += scale * _of_concentrations(partition, analysis, law, curve, number)
    rich = any(
        kind == "pairs" and law.drawn for kind, law in zip(kinds, analysis.laws, strict=True)
    )
    moved = _centred(moved, weights)
    if weights is not None:  # what a point moves in proportion to its weight
        moved = moved * weights
    return Influences(moved, residuals, points, rich)


def _of_covers(comparison: Comparison) -> Influences:
    """Return the influence of the points of two covers, under permutations."""
    analysis = comparison.analysis
    first, second = partitions = analysis.partitions
    expected = 1.0 - comparison.expected
    scale = (1.0 - comparison.observed) / expected**2
    points = analysis.discordances
    if points is None:
        points = point_discordances(first, second)
    heights, weights = (expected_by_level(second), expected_by_level(first)), first.weights
    moved = -2.0 * _centred(points, weights) / expected
    for partition, height in zip(partitions, heights, strict=True):
        moved += scale * 2.0 * _centred(mean_heights(partition, height), weights)
    i, j = random_pairs(analysis.effort.stream(Stream.INFLUENCES, 3), first.n, PAIRS)
    levels = [levels_of_pairs(partition, i, j) for partition in partitions]
    together = np.where(levels[0] == levels[1], 0.0, -1.0 / expected)
    for level, height in zip(levels, heights, strict=True):
        together += scale * height[np.minimum(level, height.size - 1)]
    residuals = _beyond_points(together, moved, weights, i, j)
    moved = _centred(moved, weights) * (1.0 if weights is None else weights)
    return Influences(moved, residuals, None, approximate=False)


def _residuals(
    partitions: tuple[Partition, Partition],
    index: PairIndex,
    factors: tuple[float, float],
    curves: list[PairCurve | None],
    moved: FloatArray,
    effort: Precision,
) -> FloatArray:
    """Return the influence of random pairs beyond that of their points."""
    expected, scale = factors
    i, j = random_pairs(effort.stream(Stream.INFLUENCES, 3), partitions[0].n, PAIRS)
    agreements = [random_agreements(side, index.agreement, i, j)[0] for side in partitions]
    together = -index.concordance.discordance(agreements[0], agreements[1]) / expected
    for agreement, curve in zip(agreements, curves, strict=True):
        if curve is not None:
            together += scale * curve.at(agreement)
    return _beyond_points(together, moved, partitions[0].weights, i, j)


def _beyond_points(
    together: FloatArray, moved: FloatArray, weights: FloatArray | None, i: IntArray, j: IntArray
) -> FloatArray:
    """Return the influence of pairs (i, j), given with that of points, beyond their points."""
    of_pairs = None if weights is None else weights[i] * weights[j]
    residuals = _centred(together, of_pairs) - 0.5 * (moved[i] + moved[j])
    return residuals if of_pairs is None else residuals * of_pairs


def _some_points(n: int, most: int, effort: Precision) -> IntArray:
    return choose_points(n, most, effort.stream(Stream.INFLUENCES))


def _part(partition: Partition, points: IntArray) -> Partition:
    keep = np.zeros(partition.n, dtype=bool)
    keep[points] = True
    return subset(partition, keep, recount=False)


def _centred(values: FloatArray, weights: FloatArray | None = None) -> FloatArray:
    return np.asarray(values - np.average(values, weights=weights))


def _curves(
    laws: tuple[Law, Law], concordance: Concordance, effort: Precision
) -> tuple[PairCurve, PairCurve]:
    """Return, for each side, the expected discordance of an agreement as a function of it."""
    first, second = (_curve(law, concordance, effort) for law in laws)
    return second, first


def _curve(law: Law, concordance: Concordance, effort: Precision) -> PairCurve:
    nodes = np.linspace(0.0, 1.0, CELLS + 1)
    values = concordance.curve(atoms_of(law, effort, DRAWS))[0](nodes)
    line = PairCurve.line(float(values[0]), float(values[-1]))
    bent = float(np.abs(values - line.at(nodes)).max())
    return line if bent <= STRAIGHT else PairCurve(np.ascontiguousarray(values))


def _kind(analysis: Analysis, number: int, fixed: bool) -> str:
    """Return through what the law of a side changes with its points."""
    model, law = analysis.model, analysis.laws[number]
    partition = analysis.partitions[number]
    if fixed or model.shuffles:
        return "pairs"
    if not model.fitted(partition) or isinstance(law, Constant):
        return "nothing"
    if isinstance(law, Bernoulli):
        return "proportions" if isinstance(law.rows, Categorical) else "pairs"
    if isinstance(model, FittedDirichlet) and isinstance(law, RowPairs):
        return "concentrations"
    return "pairs"


def _of_proportions(partition: Partition, law: Law, curve: PairCurve) -> FloatArray:
    """Return the influence through the proportions p of hard clusters.

    Two points are together with probability p.p, which changes by twice the proportion of the
    point's own cluster (centred).
    """
    assert isinstance(law, Bernoulli)
    assert law.rows is not None
    p = law.rows.p.copy()
    if partition.noise_is_singletons:
        p[-1] = 0.0  # two noise points are never together
    if partition.is_hard:
        own = p[np.minimum(partition.rows.codes, p.size - 1)]
    else:
        own = partition.rows.times(p)
    rise = float(curve.nodes[-1] - curve.nodes[0])
    return 2.0 * rise * _centred(own, partition.weights)


def _of_concentrations(
    partition: Partition, analysis: Analysis, law: Law, curve: PairCurve, number: int
) -> FloatArray:
    """Return the influence through a fitted Dirichlet distribution."""
    assert isinstance(law, RowPairs)
    assert isinstance(analysis.model, FittedDirichlet)
    done = law.rows if isinstance(law.rows, TreatedRows) else None
    rows, treatment = (law.rows, None) if done is None else (done.rows, done.treatment)
    if partition.is_hard or not isinstance(rows, Dirichlet):
        return np.zeros(partition.n)
    rng = analysis.effort.stream(Stream.INFLUENCES, 1 + number)
    slopes = _slopes(rows, treatment, law, curve, rng)
    return analysis.model.influence(partition.rows.dense, rows, slopes, partition.weights)


def _slopes(
    rows: Dirichlet,
    treatment: Treatment | None,
    law: RowPairs,
    curve: PairCurve,
    rng: np.random.Generator,
) -> FloatArray:
    """Return the derivatives of the mean of a curve with respect to the concentrations.

    The derivative of a mean is the covariance with the derivatives of the log-density, which are
    ln x_j up to a constant. This holds whatever is done to rows afterwards.
    """
    used = rows.alpha > 0.0
    size = int(np.clip(ENTRIES // rows.alpha.size, 1 << 10, ROWS))
    drawn = rows.sample(rng, size)
    scores = np.log(np.maximum(drawn[:, used], np.finfo(float).tiny))
    scores -= scores.mean(axis=0)
    if treatment is not None:
        drawn = treatment.applied(drawn, axis=1)
    columns = np.ascontiguousarray(drawn.T)
    heights = np.zeros(size)
    for shift in range(1, PARTNERS + 1):
        height = curve.at(law.agreement.between(columns, np.roll(columns, -shift, axis=1)))
        # Each pair counts for both rows.
        heights += height + np.roll(height, shift)
    slopes = np.zeros(rows.alpha.size)
    slopes[used] = _centred(heights / PARTNERS) @ scores / (size - 1.0)
    return slopes
