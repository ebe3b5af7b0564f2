"""Where two clusterings disagree, as sections of a page: overlaps, clusters and points."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .._base.errors import NotApplicableError
from .._base.types import FloatArray
from .._base.wording import capitalised
from .._clusterings.matching.form import Form
from .._clusterings.points.rows_of_points import are_numbered
from .._methods.explanation.explain import explanation_of
from ..plot._charts.overlap import OverlapChart
from ..results import Comparison, Explanation
from ..results.explanation import lowest
from ..results.matching import Matching, matching_of
from ..results.worst import LEAST, SHOWN, PointScore
from .overlap import OverlapDrawing

#: Largest number of clusters of a side for a table of overlaps; beyond it, there is a heat map.
TABLE = 25
#: Largest number of clusters of a side in a heat map; beyond it, the largest are drawn.
MAP = 100
#: Number of points that are listed, and of those that open below them.
POINTS, MORE_POINTS = 20, 1000
#: Score from which both clusterings treat a point alike, up to rounding.
ALIKE = 1.0 - 1e-9


@dataclass(frozen=True)
class ClusterRow:
    """A cluster with its score, and the cluster of the other side that holds most of it.

    ``into`` and ``share`` are None if no cluster holds any of it, or if overlaps are not known.
    """

    name: str
    size: float
    score: float
    into: str | None
    share: float | None


@dataclass(frozen=True)
class ClusterTable:
    """The clusters of one side that agree least, and the number of all its clusters."""

    rows: list[ClusterRow]
    count: int
    whole: bool

    @property
    def others(self) -> int:
        """Number of clusters that are not listed."""
        return self.count - len(self.rows)


@dataclass(frozen=True)
class Belonging:
    """The strongest clusters of a point in one clustering.

    ``shares`` is None for a hard clustering, in which there is only one.
    """

    names: list[str]
    shares: list[float] | None
    more: bool

    @classmethod
    def of(cls, belongs: str | dict[str, float]) -> Belonging:
        """Make it from the cluster or the memberships of a point."""
        if isinstance(belongs, str):
            return cls([belongs], None, False)
        clear = [(name, share) for name, share in belongs.items() if share >= LEAST]
        strongest = clear[:SHOWN]
        return cls([n for n, _ in strongest], [s for _, s in strongest], len(clear) > SHOWN)


@dataclass(frozen=True)
class PointRow:
    """A point, its score, and its strongest clusters in both clusterings."""

    id: str
    score: float
    first: Belonging
    second: Belonging

    @classmethod
    def of(cls, point: PointScore) -> PointRow:
        """Make it from a point of an explanation."""
        sides = Belonging.of(point.first), Belonging.of(point.second)
        return cls(str(point.id), point.score, *sides)


@dataclass(frozen=True, eq=False)
class Disagreement:
    """An explanation, as a page shows it.

    Attributes
    ----------
    explanation : Explanation
        Where two clusterings disagree.
    names : tuple of str
        Names of the clusterings.
    listed : int
        Largest number of clusters of a side that are listed.
    """

    explanation: Explanation
    names: tuple[str, str]
    listed: int

    @cached_property
    def matching(self) -> Matching | None:
        """The matched clusters; None if there are too many, or if nothing overlaps."""
        first, second = self.explanation.shown_sides
        try:
            return matching_of(first, second, Form.of(second, second))
        except NotApplicableError:
            return None

    @cached_property
    def overlap(self) -> OverlapChart | None:
        """The overlaps of clusters that are shown."""
        return None if self.matching is None else OverlapChart.of_largest(self.matching, MAP)

    @property
    def many(self) -> bool:
        """Whether there are too many clusters for a table of overlaps."""
        return self.overlap is not None and max(self.overlap.amounts.shape) > TABLE

    @property
    def drawing(self) -> OverlapDrawing:
        """The overlaps as a heat map."""
        assert self.overlap is not None
        return OverlapDrawing(self.overlap, self.names)

    @cached_property
    def clusters(self) -> tuple[ClusterTable, ClusterTable]:
        """The clusters of both sides that agree least."""
        return self._clusters(0), self._clusters(1)

    def _clusters(self, side: int) -> ClusterTable:
        explanation, matching = self.explanation, self.matching
        scores, sizes = explanation.clusters[side], explanation.sizes[side]
        table = None
        if matching is not None:
            table = matching.overlap if side == 0 else matching.overlap.T
        rows = [
            ClusterRow(
                explanation.names[side][cluster],
                float(sizes[cluster]),
                float(scores[cluster]),
                *self._mostly(table, side, cluster),
            )
            for cluster in lowest(scores, self.listed).tolist()
        ]
        count = int(np.count_nonzero(~np.isnan(scores)))
        partition = explanation.partitions[side]
        return ClusterTable(rows, count, partition.is_hard or partition.cover)

    def _mostly(
        self, table: FloatArray | None, side: int, cluster: int
    ) -> tuple[str | None, float | None]:
        if table is None or not table[cluster].any():
            return None, None
        row = table[cluster]
        into = int(np.argmax(row))
        assert self.matching is not None
        size = self.matching.sizes[side][cluster]
        return self.explanation.names[1 - side][into], float(row[into] / size)

    @cached_property
    def _points(self) -> list[PointRow]:
        below = int(np.count_nonzero(self.explanation.points < ALIKE))
        if below == 0:
            return []
        return [
            PointRow.of(point) for point in self.explanation.worst(min(below, POINTS + MORE_POINTS))
        ]

    @property
    def points(self) -> list[PointRow]:
        """The points that agree least, without those that both clusterings treat alike."""
        return self._points[:POINTS]

    @property
    def more_points(self) -> list[PointRow]:
        """The next points."""
        return self._points[POINTS:]

    @property
    def points_below(self) -> int:
        """Number of points that the clusterings do not treat alike."""
        return int(np.count_nonzero(self.explanation.points < ALIKE))

    @property
    def has_ids(self) -> bool:
        """Whether points have ids rather than numbers."""
        return not are_numbered(self.explanation.partitions)

    @property
    def largest_error(self) -> float:
        """Largest Monte Carlo error of the scores of points; 0 where nothing was sampled."""
        errors = self.explanation.points_stderr
        return 0.0 if errors is None else float(errors.max())

    @property
    def wallace_error(self) -> float:
        """Largest Monte Carlo error of the adjusted Wallace indices, if there are any."""
        if not self.explanation.of_pairs:
            return 0.0
        wallace = self.explanation.wallace
        return max(wallace.first.stderr, wallace.second.stderr)


def disagreement(comparison: Comparison, names: tuple[str, str], listed: int) -> Disagreement | str:
    """Explain a comparison for a page.

    Parameters
    ----------
    comparison : Comparison
        The comparison that is explained.
    names : tuple of str
        Names of the clusterings.
    listed : int
        Largest number of clusters of a side that are listed.

    Returns
    -------
    Disagreement or str
        The explanation, or the reason why there is none.
    """
    try:
        explanation = explanation_of(comparison.analysis, quick=True)
    except NotApplicableError as reason:
        return capitalised(str(reason))
    return Disagreement(explanation, names, listed)
