"""What an interactive page shows of two clusterings: points, overlaps of clusters, and models."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from .._analysis.analysis import analyse_models
from .._base.estimate import ROUNDING
from .._base.naming import shorten
from .._base.types import FloatArray, IntArray
from .._clusterings.partition import Partition
from .._clusterings.points.rows_of_points import coordinates_of_points
from .._methods.explanation.explain import explanation_of
from ..models.registry import applicable_models
from ..plot._charts.overlap import OverlapChart
from ..results import Comparison, ComparisonTable, Explanation
from ..results.frames import columns_of
from ..results.worst_points import LEAST, NOISE, lowest
from .coordinates import principal_components
from .disagreement import Disagreement

#: Largest number of points of a page; of more, so many with the lowest scores, and random others.
POINTS, LOWEST, SEED = 5000, 2500, 0
#: Largest number of clusters of a side in the table of overlaps.
CLUSTERS = 30
#: Number of memberships of a point that are shown, the strongest first.
SHOWN = 6
#: Longest name of a clustering in the charts.
TITLE = 28
#: In place of a cluster: all clusters of a side, and none.
ALL, NONE = -1, -2


@dataclass(frozen=True, eq=False)
class PairData:
    """Two clusterings, as an interactive page shows them.

    Attributes
    ----------
    explanation : Explanation
        Where they disagree.
    comparisons : list of Comparison
        One for each model of the menu; the page begins with the first.
    names : tuple of str
        Names of the clusterings.
    xy : array of shape (points, 2), optional
        Coordinates of all points.
    """

    explanation: Explanation
    comparisons: list[Comparison]
    names: tuple[str, str]
    xy: FloatArray | None = None

    @classmethod
    def of(
        cls,
        result: Explanation | Comparison | ComparisonTable,
        names: tuple[str, str],
        xy: Any = None,
    ) -> PairData:
        """Explain a result if it is not an explanation, and compare under further models.

        A table has its own models. For the result of one model, the menu has all models that apply.
        """
        if isinstance(result, Explanation):
            explanation, table = result, [result.comparison]
        else:
            given = result if isinstance(result, ComparisonTable) else ComparisonTable([result])
            main = given.main
            explanation = explanation_of(main.analysis, quick=True)
            table = [main, *(c for c in given if c is not main)]
        if len(table) == 1:
            table += _under_other_models(table[0])
        places = None if xy is None else coordinates_of_points(explanation.partitions, xy)
        return cls(explanation, table, names, places)

    @cached_property
    def shown(self) -> IntArray:
        """Positions of the points that are shown, in increasing order."""
        return shown_points(self.explanation.points)

    @cached_property
    def chance(self) -> dict[str, float]:
        """Expected discordance under each model; the score of a point is 1 − its own over this."""
        return {c.model: max(1.0 - c.expected, 0.0) for c in self.comparisons}

    def adjusted(self, c: Comparison) -> float:
        """Return the adjusted index, of which the scores are parts: perfect agreement is 1."""
        return c.adjusted if c.maximum == 1.0 else 1.0 - (1.0 - c.observed) / (1.0 - c.expected)

    @cached_property
    def overlap(self) -> OverlapChart | None:
        """Overlaps of the largest clusters; None if there are none, or too many."""
        matching = Disagreement(self.explanation, self.names, CLUSTERS).matching
        return None if matching is None else OverlapChart.of_largest(matching, CLUSTERS)

    @property
    def titles(self) -> tuple[str, str]:
        """Names of the clusterings in the charts."""
        first, second = (shorten(name, TITLE) for name in self.names)
        return first, second

    @property
    def covers(self) -> tuple[bool, bool]:
        """Whether the points of each side may be in several clusters at once."""
        first, second = self.explanation.partitions
        return first.cover, second.cover

    @property
    def clusters(self) -> tuple[list[str], list[str]]:
        """Names of the clusters of both sides, followed by that of noise."""
        first, second = self.explanation.names
        return [*first, NOISE], [*second, NOISE]

    @cached_property
    def points(self) -> dict[str, list[Any]]:
        """The points that are shown, as columns."""
        explanation, shown = self.explanation, self.shown
        sides = [partition.take(shown) for partition in explanation.partitions]
        xy = principal_components(sides) if self.xy is None else self.xy[shown]
        (u, first), (v, second) = (_strongest(side) for side in sides)
        return {
            "point": list(range(shown.size)),
            "id": [str(explanation.id_of(place)) for place in shown.tolist()],
            "x": rounded(xy[:, 0], 5),
            "y": rounded(xy[:, 1], 5),
            "discordance": rounded(self._discordances(explanation.points[shown]), 8),
            "in_first": u,
            "first_memberships": first,
            "in_second": v,
            "second_memberships": second,
        }

    @cached_property
    def cells(self) -> dict[str, list[Any]]:
        """The cells of the table of overlaps, with a row and a column for whole clusters."""
        chart = self.overlap
        cells: list[tuple[Any, ...]] = []
        if chart is not None:
            for i, j in np.argwhere(chart.amounts).tolist():
                amount = float(chart.amounts[i, j])
                shares = amount / float(chart.sizes[0][i]), amount / float(chart.sizes[1][j])
                cells.append((chart.rows[i], chart.columns[j], amount, *shares, None))
            for side, clusters in enumerate((chart.rows, chart.columns)):
                means = self._discordances(self.explanation.clusters[side]).tolist()
                for cluster, size in zip(clusters, chart.sizes[side].tolist(), strict=True):
                    where = (cluster, ALL) if side == 0 else (ALL, cluster)
                    cells.append((*where, float(size), None, None, means[cluster]))
        names = ("row", "column", "overlap", "of_first", "of_second", "mean")
        table = columns_of(names, cells)
        return {name: rounded(values, 6) for name, values in table.items()}

    def _discordances(self, scores: FloatArray) -> FloatArray:
        chance = self.chance[self.explanation.comparison.model]
        return (1.0 - scores) * chance if chance > ROUNDING else np.zeros(scores.shape)


def shown_points(scores: FloatArray) -> IntArray:
    """Return the points of a page: all of a few thousand, else the lowest scores and some others.

    The others are drawn at random, always the same ones.
    """
    if scores.size <= POINTS:
        return np.arange(scores.size)
    low = np.asarray(lowest(scores, LOWEST))
    others = np.setdiff1d(np.arange(scores.size), low, assume_unique=True)
    more = np.random.default_rng(SEED).choice(others, POINTS - low.size, replace=False)
    return np.sort(np.concatenate([low, more]))


def _under_other_models(c: Comparison) -> list[Comparison]:
    """Compare under all other models that apply."""
    analysis = c.analysis
    replaced = [side.partition for _, side, _ in analysis.replaced]
    models = [m for m in applicable_models(replaced, analysis.index) if str(m) != c.model]
    analyses, _ = analyse_models(analysis.sides, models, c.fixed, skip=True)
    return [Comparison.of(each) for each in analyses]


def _strongest(side: Partition) -> tuple[list[list[int]], list[list[float]]]:
    """Return the strongest clusters of each point, and its memberships in them."""
    if side.is_hard:
        codes = np.minimum(side.rows.codes, side.clusters).tolist()
        return [[code] for code in codes], [[1]] * len(codes)
    clusters, shares, rows = [], [], side.rows.without_zeros
    for entries in map(slice, rows.starts[:-1], rows.starts[1:]):
        here, values = rows.columns[entries], rows.values[entries]
        order = np.argsort(-values, kind="stable")
        if not side.cover:
            order = order[:SHOWN]
            order = order[(values[order] >= LEAST) | (order == order[:1])]
        clusters.append(here[order].tolist())
        shares.append(rounded(values[order], 3))
    return clusters, shares


def rounded(values: Any, digits: int) -> list[Any]:
    """Return numbers with some significant digits, and None for what is not finite."""
    listed = values.tolist() if isinstance(values, np.ndarray) else values
    return [
        (float(f"{value:.{digits}g}") if math.isfinite(value) else None)
        if isinstance(value, float)
        else value
        for value in listed
    ]
