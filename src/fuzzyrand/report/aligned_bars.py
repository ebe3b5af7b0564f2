"""Memberships of many clusterings as stacked bars, with the same colours for the same clusters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from .._base.types import FloatArray
from .._clusterings.matching.series import common_order, first_reference, in_common_order
from .._clusterings.noise import subset
from .._clusterings.partition import Partition
from .._clusterings.points.rows_of_points import are_numbered, ids_of_points
from ..plot._charts.membership_bars import MembershipBars
from ..plot._charts.palette import palette
from ..results import Pairwise

#: Largest numbers of clusters of a clustering, and of colours in all.
CLUSTERS, COLOURS = 12, 20
#: Largest number of clusterings that are drawn.
RUNS = 30
#: Largest number of points; if there are more, a sample of this size is drawn, with this seed.
POINTS, SEED = 20_000, 0
#: Largest number of bars of a clustering, and height of the drawing in which they stretch.
BARS, HEIGHT = 240, 200
#: Largest number of bars in all that say whose they are when they are pointed at.
TOUCHED = 5000


@dataclass(frozen=True)
class Stack:
    """The bars of one clustering.

    Attributes
    ----------
    name : str
        The clustering.
    paths : list of (str, str)
        Colours and paths, each up to the top of its cluster; later ones are drawn over earlier
        ones.
    description : str
        The bars in words.
    """

    name: str
    paths: list[tuple[str, str]]
    description: str


@dataclass(frozen=True)
class AlignedBars:
    """Stacked bars of several clusterings.

    Attributes
    ----------
    stacks : list of Stack
        The clusterings.
    legend : list of (str, str)
        Colours and names of the common clusters.
    reference : str
        The clustering whose clusters and points set the order.
    bars : int
        Number of bars.
    points, sampled : int
        Number of points, and how many of them are drawn.
    left_out : int
        Number of clusterings that are not drawn.
    individuals : list of str
        The ids of the points from left to right; empty if they have none, or share bars.
    height : int
        Height of the drawing in which the bars stretch.
    """

    stacks: list[Stack]
    legend: list[tuple[str, str]]
    reference: str
    bars: int
    points: int
    sampled: int
    left_out: int
    individuals: list[str]
    height: int = HEIGHT

    @property
    def pointed_at(self) -> bool:
        """Whether each bar says whose it is when it is pointed at."""
        return 0 < len(self.individuals) * len(self.stacks) <= TOUCHED


def aligned_bars(result: Pairwise, order: Sequence[str]) -> AlignedBars | None:
    """Draw the memberships of clusterings with few clusters.

    Parameters
    ----------
    result : Pairwise
        The comparisons, which hold the clusterings.
    order : sequence of str
        Names of the clusterings, in the order in which they are drawn.

    Returns
    -------
    AlignedBars or None
        None if there are too many clusters.
    """
    partitions = _partitions(result)
    if len(partitions) < 2:
        return None
    if max(run.clusters for run in partitions.values()) > CLUSTERS:
        return None
    # As in align(), so that a cluster has the same colour there.
    reference = result.rows[0] if result.rows != result.columns else first_reference(partitions)
    names = list(dict.fromkeys([reference, *order] if reference not in order else order))
    shown = names[:RUNS] if reference in names[:RUNS] else [reference, *names[: RUNS - 1]]
    runs = _sampled({name: partitions[name] for name in shown})
    found = common_order(runs, runs[reference])
    k = len(found.labels)
    if k > COLOURS:
        return None
    colours = palette(k)
    labels = [str(label) for label in found.labels]
    chart = MembershipBars.of(in_common_order(runs[reference], found.order[reference], k), BARS)
    stacks = []
    for name, run in runs.items():  # one after the other, as each takes the memory of a matrix
        rows = in_common_order(run, found.order[name], k)
        shares = rows.mean(axis=0)
        shares_listed = ", ".join(
            f"{label} {share:.0%}" for label, share in zip(labels, shares, strict=True) if share > 0
        )
        description = f"Memberships in {name}: {shares_listed}."
        stacks.append(Stack(name, _paths(chart.means(rows), colours), description))
    n = partitions[reference].n
    return AlignedBars(
        stacks=stacks,
        legend=list(zip(colours, labels, strict=True)),
        reference=reference,
        bars=len(chart.starts),
        points=n,
        sampled=runs[reference].n,
        left_out=len(names) - len(shown),
        individuals=_individuals(list(runs.values()), chart),
    )


def _individuals(runs: list[Partition], chart: MembershipBars) -> list[str]:
    """Return the ids of points in the order of their bars, if each has one of its own."""
    ids = ids_of_points(runs)
    if ids is None or are_numbered(runs) or chart.starts.size < chart.order.size:
        return []
    return [str(ids[point]) for point in chart.order.tolist()]


def _partitions(result: Pairwise) -> dict[str, Partition]:
    """Return the clusterings by name."""
    partitions: dict[str, Partition] = {}
    for column, comparison in zip(result.columns, result.comparisons[0], strict=True):
        first, second = comparison.analysis.partitions
        partitions.setdefault(result.rows[0], first)
        partitions.setdefault(column, second)
    return partitions


def _sampled(runs: Mapping[str, Partition]) -> dict[str, Partition]:
    """Return the clusterings of the same random points, if there are many."""
    n = next(iter(runs.values())).n
    if n <= POINTS:
        return dict(runs)
    keep = np.zeros(n, dtype=np.bool_)
    keep[np.random.default_rng(SEED).choice(n, POINTS, replace=False)] = True
    return {name: subset(run, keep, recount=False) for name, run in runs.items()}


def _paths(bars: FloatArray, colours: Sequence[str]) -> list[tuple[str, str]]:
    """Return the path below the top of each cluster, the highest first."""
    tops = np.cumsum(bars, axis=1)
    tops /= max(1.0, float(tops[:, -1].max()))  # memberships need not sum to 1
    heights = HEIGHT - np.round(HEIGHT * tops).astype(int)
    return [
        (colours[cluster], _steps(heights[:, cluster].tolist()))
        for cluster in reversed(range(len(colours)))
        if bars[:, cluster].any()
    ]


def _steps(heights: Sequence[int]) -> str:
    """Return the path of steps of width 1 above the bottom; equal neighbours are one step."""
    path, last = f"M0 {HEIGHT}", HEIGHT
    for place, height in enumerate(heights):
        if height != last:
            path += f"{f'H{place}' if place else ''}V{height}"
            last = height
    return f"{path}H{len(heights)}V{HEIGHT}z"
