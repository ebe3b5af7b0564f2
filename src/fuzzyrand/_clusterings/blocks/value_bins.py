"""Sums of L1 distances over pairs of rows, from histograms of columns that add up over blocks.

Each bin stores the number and the sum of its values. The sum of distances over pairs of values in
different bins is then exact. Consider c values in the same bin of width w, and let their mean lie
at a fraction p of the width. Their distances sum to at most w c^2 p (1 - p), which is reached if
all values lie on the edges of the bin, and to at least 0. The midpoint of this range is the
estimate, and half the range is its error bound. Half of the bins of a column are equally wide, and
half hold equally many values of a sample, so few pairs fall into the same wide bin.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ..._base.types import FloatArray, IntArray
from .source import BlockPlace, Sums

#: Most bins of a column in total over all groups of points, and in the histogram of all rows.
GROUP_BINS, BINS = 1 << 16, 1 << 14
#: Most bins of all columns together, and a number that is always affordable.
MOST_BINS, FEW_BINS = 1 << 23, 1 << 22
#: Number of bins of a column, divided by the square root of the number of groups, that keeps the
#: error of a mean agreement far below a millionth.
BINS_FOR_GROUPS = 4200.0
FEWEST_BINS = 64


class BinnedDistances(NamedTuple):
    """Sums of distances over all pairs and over pairs within groups, with error bounds."""

    all_pairs: float
    error: float
    within_groups: float = 0.0
    within_error: float = 0.0


@dataclass(frozen=True, eq=False)
class ValueBins(Sums):
    """Histograms of the columns: of all rows, and of each group of a hard clustering.

    Attributes
    ----------
    edges : sequence of array
        Where the bins of each column begin, and where the last one ends.
    middles : array
        Centre of each column, subtracted from its values before summing to reduce rounding.
    halvings : array of int, optional
        How many times the number of bins is halved for each group; None without groups.
    """

    edges: Sequence[FloatArray]
    middles: FloatArray
    halvings: IntArray | None = None

    @classmethod
    def over(
        cls,
        sample: FloatArray,
        low: FloatArray,
        high: FloatArray,
        sizes: FloatArray | None = None,
    ) -> ValueBins:
        """Choose the bins.

        Parameters
        ----------
        sample : array of shape (m, k)
            Some of the rows.
        low, high : array
            Smallest and largest entry of each column.
        sizes : array, optional
            Number of points of each group.
        """
        k = sample.shape[1]
        groups = 1 if sizes is None else sizes.size
        total = max(FEW_BINS / k, BINS_FOR_GROUPS * np.sqrt(groups))
        total = int(min(total, MOST_BINS / k, GROUP_BINS))
        bins = int(np.clip(total // 4, FEWEST_BINS, BINS))
        even = np.linspace(0.0, 1.0, bins // 2 + 1)
        edges = []
        # Quantiles by sorting: NumPy's function takes far longer for thousands of quantiles.
        ranks = np.rint(even * (sample.shape[0] - 1)).astype(np.intp)
        for column, least, most in zip(sample.T, low, high, strict=True):
            by_mass = np.sort(column)[ranks]
            evenly = least + even * (most - least)
            found = np.unique(np.concatenate([[least], by_mass, evenly, [most]]))
            found = found[(found >= least) & (found <= most)]
            edges.append(found if found.size > 1 else np.array([least, most]))
        middles = np.median(sample, axis=0)
        if sizes is None:
            return cls(edges, middles)
        # A group's error is proportional to (share / bins)^2; bins ~ share^(2/3) minimise the sum.
        shares = np.maximum(sizes / sizes.sum(), 1e-300) ** (2.0 / 3.0)
        wanted = np.maximum(total * shares / shares.sum(), 1.0)
        halvings = np.ceil(np.log2(np.maximum(bins / wanted, 1.0))).astype(np.intp)
        return cls(edges, middles, halvings)

    def _first_bins(self, column: int) -> IntArray:
        """Return the first bin of each group in a column, and one past the last bin."""
        assert self.halvings is not None
        bins = self.edges[column].size - 1
        return np.concatenate([[0], np.cumsum(-(-bins // (1 << self.halvings)))])

    def partial(self, place: BlockPlace, *chunks: Any) -> tuple[Any, ...]:
        """Count the values of a block in each bin, and sum their deviations from the centre."""
        rows = chunks[0]
        groups = chunks[1] if len(chunks) > 1 else None
        counts, sums, group_counts, group_sums = [], [], [], []
        for d, edges in enumerate(self.edges):
            values = np.ascontiguousarray(rows[:, d])
            bins = edges.size - 1
            at = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, bins - 1)
            away = values - self.middles[d]
            counts.append(np.bincount(at, minlength=bins).astype(np.float64))
            sums.append(np.bincount(at, away, minlength=bins))
            if groups is not None:
                assert self.halvings is not None
                first = self._first_bins(d)
                cell = first[groups] + (at >> self.halvings[groups])
                size = int(first[-1])
                group_counts.append(np.bincount(cell, minlength=size).astype(np.float64))
                group_sums.append(np.bincount(cell, away, minlength=size))
        both = (np.concatenate(counts), np.concatenate(sums))
        if groups is None:
            return both
        return (*both, np.concatenate(group_counts), np.concatenate(group_sums))

    def distances(self, partial: tuple[Any, ...]) -> BinnedDistances:
        """Compute the sums of distances from the histograms of all blocks."""
        totals = np.zeros(4)
        at = at_group = 0
        for d, edges in enumerate(self.edges):
            bins = edges.size - 1
            here = slice(at, at + bins)
            left, right = edges[:-1] - self.middles[d], edges[1:] - self.middles[d]
            totals[:2] += _distances(partial[0][here], partial[1][here], left, right)
            at += bins
            if self.halvings is None:
                continue
            first = self._first_bins(d)
            there = slice(at_group, at_group + int(first[-1]))
            group = np.repeat(np.arange(self.halvings.size), np.diff(first))
            step = 1 << self.halvings[group]
            begin = (np.arange(first[-1]) - first[group]) * step
            end = np.minimum(begin + step, bins) - 1
            totals[2:] += _distances(
                partial[2][there], partial[3][there], left[begin], right[end], first
            )
            at_group += int(first[-1])
        return BinnedDistances(*map(float, totals))


def _distances(
    counts: FloatArray,
    sums: FloatArray,
    left: FloatArray,
    right: FloatArray,
    first: IntArray | None = None,
) -> FloatArray:
    """Return the sum of distances and its error bound; only within groups, if these are given."""
    counts_before = np.concatenate([[0.0], np.cumsum(counts)])[:-1]
    sums_before = np.concatenate([[0.0], np.cumsum(sums)])[:-1]
    if first is not None:
        group = np.repeat(np.arange(first.size - 1), np.diff(first))
        starts = np.minimum(first[group], counts.size - 1)
        counts_before = counts_before - counts_before[starts]
        sums_before = sums_before - sums_before[starts]
    across = float((sums * counts_before - counts * sums_before).sum())
    width = right - left
    several = (counts > 1.0) & (width > 0.0)
    c, w = counts[several], width[several]
    share = np.clip((sums[several] / c - left[several]) / w, 0.0, 1.0)
    half = 0.5 * float((w * c**2 * share * (1.0 - share)).sum())
    return np.array([across + half, half])
