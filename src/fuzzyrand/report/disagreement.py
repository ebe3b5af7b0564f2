"""Where two clusterings disagree, as sections of a page: overlaps, clusters and points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from .._base.errors import NotApplicableError
from .._base.wording import capitalised
from .._clusterings.matching.form import Form
from .._clusterings.points.rows_of_points import are_numbered
from .._methods.explanation.explain import explanation_of
from ..plot._charts.overlap import OverlapChart
from ..results import Comparison, Explanation
from ..results.matching import Matching, matching_of
from ..results.worst_points import LEAST, SHOWN, PointScore, lowest
from .matching_drawings import OverlapDrawing

#: Largest number of clusters of a side for a table of overlaps; beyond it, there is a heat map.
TABLE = 25
#: Largest number of clusters of a side in a heat map; beyond it, the largest are drawn.
MAP = 100
#: Number of points that are listed, and of those that open below them.
POINTS, MORE_POINTS = 20, 1000
#: Score from which both clusterings treat a point alike, up to rounding.
ALIKE = 1.0 - 1e-9


class ClusterTable(NamedTuple):
    """The clusters of one side that agree least.

    Attributes
    ----------
    rows : list of tuple
        Name, size and score of each cluster, and the cluster of the other side that holds most of
        it, with the share that it holds; None if nothing does, or if overlaps are not known.
    others : int
        Number of clusters that are not listed.
    whole : bool
        Whether sizes are numbers of points.
    """

    rows: list[tuple[str, float, float, str | None, float | None]]
    others: int
    whole: bool


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
        explanation = self.explanation
        names, scores = explanation.names[side], explanation.clusters[side]
        sizes = explanation.sizes[side].tolist()
        rows = [
            (names[cluster], sizes[cluster], float(scores[cluster]), *self._mostly(side, cluster))
            for cluster in lowest(scores, self.listed).tolist()
        ]
        others = int(np.count_nonzero(~np.isnan(scores))) - len(rows)
        partition = explanation.partitions[side]
        return ClusterTable(rows, others, partition.is_hard or partition.cover)

    def _mostly(self, side: int, cluster: int) -> tuple[str | None, float | None]:
        """Return the cluster of the other side that holds most of a cluster, and the share."""
        if self.matching is None:
            return None, None
        row = self.matching.overlap[cluster] if side == 0 else self.matching.overlap[:, cluster]
        if not row.any():
            return None, None
        into = int(np.argmax(row))
        size = self.matching.sizes[side][cluster]
        return self.explanation.names[1 - side][into], float(row[into] / size)

    @cached_property
    def _points(self) -> Sequence[PointScore]:
        most = min(self.points_below, POINTS + MORE_POINTS)
        return self.explanation.worst(most) if most else []

    @property
    def points(self) -> Sequence[PointScore]:
        """The points that agree least, without those that both clusterings treat alike."""
        return self._points[:POINTS]

    @property
    def more_points(self) -> Sequence[PointScore]:
        """The next points."""
        return self._points[POINTS:]

    @property
    def points_below(self) -> int:
        """Number of points that the clusterings do not treat alike."""
        return int(np.count_nonzero(self.explanation.points < ALIKE))

    @staticmethod
    def strongest(memberships: dict[str, float]) -> tuple[list[tuple[str, float]], bool]:
        """Return the strongest memberships of a point, and whether it has more."""
        clear = [(name, share) for name, share in memberships.items() if share >= LEAST]
        return clear[:SHOWN], len(clear) > SHOWN

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
