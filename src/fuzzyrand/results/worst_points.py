"""The points that two clusterings disagree on most, as a small table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, overload

import numpy as np

from .._base.jsonable import ready_for_json
from .._base.naming import shorten
from .._base.types import FloatArray
from .._clusterings.partition import Partition

#: Width of a column of the printed table.
COLUMN = 30
#: Number of memberships shown for a row, the strongest first, and the smallest one shown.
SHOWN, LEAST = 3, 0.005
#: Name of noise that is not a cluster.
NOISE = "noise"


@dataclass(frozen=True)
class PointScore:
    """A point with its score and its clusters or memberships in both clusterings.

    Attributes
    ----------
    position : int
        Position of the point among those that were compared, from 0.
    id : object
        Its id, where the clusterings have ids; else its position in the input.
    score : float
        Its score.
    stderr : float
        Monte Carlo error of the score; 0 where nothing was sampled.
    first, second : str, or dict of str to float
        The cluster of the point in each clustering, or its memberships by cluster.
    """

    position: int
    id: Any
    score: float
    stderr: float
    first: str | dict[str, float]
    second: str | dict[str, float]

    @ready_for_json
    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values, ready for JSON."""
        return vars(self)


class WorstPoints(Sequence[PointScore]):
    """The points with the lowest scores, the lowest first; ``print`` shows a table.

    Parameters
    ----------
    points : sequence of PointScore
        The points.

    Examples
    --------
    >>> import fuzzyrand as fr
    >>> result = fr.explain(list("aaabbb"), list("xxyyyy"))
    >>> print(result.worst(2))
      point          score   first                            second
      2              -1.03   a                                y
      0               0.59   a                                x
    """

    def __init__(self, points: Sequence[PointScore]) -> None:
        self._points = tuple(points)

    def __len__(self) -> int:
        return len(self._points)

    @overload
    def __getitem__(self, place: int) -> PointScore: ...
    @overload
    def __getitem__(self, place: slice) -> WorstPoints: ...
    def __getitem__(self, place: int | slice) -> PointScore | WorstPoints:
        if isinstance(place, slice):
            return WorstPoints(self._points[place])
        return self._points[place]

    def __iter__(self) -> Iterator[PointScore]:
        return iter(self._points)

    def __repr__(self) -> str:
        return f"WorstPoints({list(self._points)!r})"

    def __str__(self) -> str:
        # Errors are shown, because the lowest of many sampled scores are partly low by chance.
        sampled = any(point.stderr > 0.0 for point in self)
        error = "  error" if sampled else ""
        lines = [f"  {'point':<12}{'score':>8}{error}   {'first':<{COLUMN}}   second"]
        lines += [
            f"  {shorten(str(point.id), 12):<12}{point.score:z8.2f}"
            f"{f'{point.stderr:7.2f}' if sampled else ''}   "
            f"{membership_text(point.first):<{COLUMN}}   {membership_text(point.second)}"
            for point in self
        ]
        return "\n".join(lines)

    def to_dict(self) -> list[dict[str, Any]]:
        """Return a list of plain Python values, ready for JSON."""
        return [point.to_dict() for point in self]

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{escape(str(p.id))}</td><td>{p.score:z.2f}</td>"
            f"<td>{escape(membership_text(p.first))}</td>"
            f"<td>{escape(membership_text(p.second))}</td></tr>"
            for p in self
        )
        head = "<tr><th>point</th><th>score</th><th>first</th><th>second</th></tr>"
        return f"<table>{head}{rows}</table>"


def lowest(values: FloatArray, count: int) -> Any:
    """Return the positions of the lowest values, the lowest first, without NaN."""
    there = np.flatnonzero(~np.isnan(values))
    # Scores that differ only by rounding stay in the order of the points.
    rounded = np.round(values[there], 12)
    if count < there.size:
        limit = np.partition(rounded, count - 1)[count - 1]
        few = np.flatnonzero(rounded <= limit)
        return there[few[np.argsort(rounded[few], kind="stable")][:count]]
    return there[np.argsort(rounded, kind="stable")]


def cluster_name(partition: Partition, cluster: int) -> str:
    """Return the name of a cluster, or the number of its column from 0."""
    if partition.noise_is_singletons and cluster >= partition.clusters:
        return NOISE
    if partition.names is None or cluster >= len(partition.names):
        return str(cluster)
    return partition.names[cluster]


def belonging(partition: Partition, point: int) -> str | dict[str, float]:
    """Return the cluster of a point, or its memberships by cluster; zeros are left out."""
    if partition.is_hard:
        return cluster_name(partition, int(partition.rows.codes[point]))
    row = partition.rows.take(np.array([point])).dense[0]
    if partition.cover:
        here = np.flatnonzero(row).tolist()
        return ", ".join(cluster_name(partition, cluster) for cluster in here) or "none"
    strongest = np.argsort(-row, kind="stable")
    return {
        cluster_name(partition, cluster): float(row[cluster])
        for cluster in strongest.tolist()
        if row[cluster] > 0.0
    }


def membership_text(belongs: str | dict[str, float]) -> str:
    """Return a cluster or the strongest memberships in a few words."""
    if isinstance(belongs, str):
        return shorten(belongs, COLUMN)
    most = [(name, share) for name, share in belongs.items() if share >= LEAST][:SHOWN]
    # Two full names say more than three that are shortened.
    for count in range(len(most), 1, -1):
        text = _listed(most[:count], COLUMN)
        if len(text) <= COLUMN:
            return text
    few = most[:2]
    return _listed(few, COLUMN // max(len(few), 1) - len(", 0.00"))


def _listed(most: Sequence[tuple[str, float]], width: int) -> str:
    """Return names within a given width, each with its share."""
    return ", ".join(f"{shorten(name, width)} {share:.2f}" for name, share in most)
