"""The chart of bands between matched clusters: positions of blocks and bands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..._base.types import FloatArray

if TYPE_CHECKING:
    from ...results import Matching

#: Share of both its clusters below which a band is left out.
TINY = 0.03


@dataclass(frozen=True)
class Block:
    """A cluster as a block of one side.

    Attributes
    ----------
    cluster : int
        Its number.
    name : str
        Its name.
    start, size : float
        Its distance from the top, and its height.
    colour : int or None
        The cluster of the first side whose colour it has; None for a cluster of the second side
        without a partner.
    """

    cluster: int
    name: str
    start: float
    size: float
    colour: int | None


@dataclass(frozen=True)
class Band:
    """The overlap of two clusters.

    Attributes
    ----------
    first, second : int
        The clusters.
    tops : tuple of float
        Its distances from the top, on both sides.
    width : float
        The overlap.
    partners : bool
        Whether the two clusters are partners.
    """

    first: int
    second: int
    tops: tuple[float, float]
    width: float
    partners: bool


@dataclass(frozen=True)
class FlowChart:
    """Blocks of two sides and bands between them.

    Attributes
    ----------
    sides : tuple of two lists of Block
        The clusters from top to bottom.
    bands : list of Band
        The bands that are drawn.
    height : float
        Height of the taller side, as a number of points.
    least : float
        Height of the room for each name.
    hidden, lost : int and float
        Number of thin bands that are left out, and their share of the overlap.
    """

    sides: tuple[list[Block], list[Block]]
    bands: list[Band]
    height: float
    least: float
    hidden: int
    lost: float

    @classmethod
    def of(cls, matching: Matching, line: float) -> FlowChart:
        """Make the chart.

        Parameters
        ----------
        matching : Matching
            The matched clusters.
        line : float
            Height of a name, as a share of the height of the drawing; 0 without names.
        """
        table = matching.overlap
        orders = _facing(matching)
        sums = table.sum(axis=1), table.sum(axis=0)
        least, spans = 0.0, [0.0, 0.0]
        for _ in range(5):  # the room for names is a share of the height, which grows with it
            starts = [_stacked(*side, least) for side in zip(sums, orders, strict=True)]
            spans = [_end(*side) for side in zip(starts, sums, strict=True)]
            least = max(spans) * line
        starts = [own + 0.5 * (max(spans) - span) for own, span in zip(starts, spans, strict=True)]
        bands, hidden, lost = _bands(matching, orders, starts, sums)
        partner = {j: i for i, j in matching.pairs}
        first, second = (
            [
                Block(
                    cluster=c,
                    name=matching.names[side][c],
                    start=float(starts[side][c]),
                    size=float(sums[side][c]),
                    colour=c if side == 0 else partner.get(c),
                )
                for c in orders[side]
            ]
            for side in (0, 1)
        )
        return cls((first, second), bands, max(spans), least, hidden, lost / float(table.sum()))

    @property
    def omission(self) -> str:
        """What was left out, in words; empty if nothing."""
        if not self.hidden:
            return ""
        bands = f"{self.hidden:,} thin band{'s' * (self.hidden != 1)}"
        return f"{bands} with {100 * self.lost:.2g}% of the overlap left out"


def _bands(
    matching: Matching,
    orders: Sequence[Sequence[int]],
    starts: Sequence[FloatArray],
    sums: tuple[FloatArray, FloatArray],
) -> tuple[list[Band], int, float]:
    """Return the bands, the number of those left out, and their overlap."""
    table, pairs = matching.overlap, set(matching.pairs)
    ordered = table[np.ix_(*orders)]
    # Each band begins where those above it end, on both sides.
    tops = np.cumsum(ordered, axis=1) - ordered + starts[0][list(orders[0])][:, None]
    ends = np.cumsum(ordered, axis=0) - ordered + starts[1][list(orders[1])]
    bands, hidden, lost = [], 0, 0.0
    for row, column in np.argwhere(ordered > 0.0).tolist():
        i, j, width = orders[0][row], orders[1][column], float(ordered[row, column])
        partners = (i, j) in pairs
        if not partners and width < TINY * min(sums[0][i], sums[1][j]):
            hidden, lost = hidden + 1, lost + width
            continue
        both = float(tops[row, column]), float(ends[row, column])
        bands.append(Band(i, j, both, width, partners))
    # Partners come last, on top of the bands between other clusters.
    return sorted(bands, key=lambda band: band.partners), hidden, lost


def _facing(matching: Matching) -> tuple[list[int], list[int]]:
    """Return the clusters of both sides from top to bottom."""
    left = list(range(matching.overlap.shape[0]))
    partners = dict(matching.pairs)
    below: dict[int, list[int]] = {i: [] for i in left}
    for j in matching.unmatched[1]:
        below[int(np.argmax(matching.overlap[:, j]))].append(j)
    right = [j for i in left for j in ([partners[i]] if i in partners else []) + below[i]]
    return left, right


def _stacked(sizes: FloatArray, order: Sequence[int], least: float) -> FloatArray:
    """Return where each block begins, with gaps that leave room for names.

    Parameters
    ----------
    sizes : array
        Heights of the blocks, by cluster.
    order : sequence of int
        Clusters from top to bottom.
    least : float
        Smallest distance between the middles of two blocks.
    """
    gap = 0.25 * sizes.sum() / max(len(order), 8)
    starts = np.zeros(len(sizes))
    place, before = 0.5 * max(0.0, least - sizes[order[0]]), None
    for cluster in order:
        if before is not None:
            place += max(gap, least - 0.5 * (sizes[before] + sizes[cluster]))
        starts[cluster] = place
        place += sizes[cluster]
        before = cluster
    return starts


def _end(starts: FloatArray, sizes: FloatArray) -> float:
    return float((starts + sizes).max())
