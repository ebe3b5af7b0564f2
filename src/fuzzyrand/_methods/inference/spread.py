"""Spread of adjusted indices over samples of points: from influences, or by leaving groups out."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..._base.errors import NotApplicableError
from ..._base.streams import Stream
from ..._base.types import FloatArray, IntArray
from ..._base.wording import Option
from ..._clusterings.noise import subset
from ...indices import Omega, PairIndex
from ...results import Comparison
from .influence import influences, most_points

#: Number of random groups of points left out in turn, for an index that is not a mean over pairs.
JACKKNIFE_GROUPS = 30
#: A smaller standard error is only rounding.
ROUNDING = 1e-12


class IndexSpread(NamedTuple):
    """Contributions of units, which are points or groups of points, to adjusted indices.

    Attributes
    ----------
    shares : array of shape (indices, units)
        Contribution of each unit to the deviation of each index from that of the population. The
        sum of its squares estimates the variance.
    doubled : array of shape (indices, pairs)
        A sample of what single pairs of points add to that. The sum of its squares is what the
        variance contains too much, because it counts these contributions twice.
    units : int
        Number of units.
    how : str
        How it was computed, in words.
    """

    shares: FloatArray
    doubled: FloatArray
    units: int
    how: str

    def stderr(self, *weights: float) -> float:
        """Return the standard error of a weighted sum of the indices; 0 if it is only rounding.

        Influences are means over the sample themselves: if no single point matters, their variance
        counts the contributions of single pairs twice. Half of this excess is subtracted; the other
        half compensates for the skewness of such an index, which makes the interval too short at
        one end.
        """
        moved, doubled = np.array(weights) @ self.shares, np.array(weights) @ self.doubled
        variance = float(moved @ moved)
        stderr = math.sqrt(max(variance - float(doubled @ doubled), 0.5 * variance))
        return stderr if stderr > ROUNDING else 0.0

    def skewness(self, position: int) -> float:
        """Return the skewness of one of the indices, positive if it rests on few units."""
        moved = self.shares[position]
        variance = float(moved @ moved)
        if not variance > 0.0:
            return 0.0
        seen = moved.size / self.units  # all units, or a random part of them
        return math.sqrt(seen) * float((moved**3).sum()) / math.pow(variance, 1.5)

    def correlation(self, first: int = 0, second: int = 1) -> float:
        """Return the correlation of two of the indices; 0 if one of them does not vary."""
        one, two = self.shares[first], self.shares[second]
        scale = math.sqrt(float(one @ one) * float(two @ two))
        return float(one @ two) / scale if scale > 0.0 else 0.0


def spread_of(comparisons: tuple[Comparison, ...], groups: IntArray | None) -> IndexSpread:
    """Return the contributions of points, or of groups of points, to adjusted indices.

    Parameters
    ----------
    comparisons : tuple of Comparison
        Comparisons of the same points by the same index.
    groups : array of int or None
        The group of each point, if groups are the units.
    """
    analysis = comparisons[0].analysis
    if not isinstance(analysis.index, PairIndex | Omega):
        return _by_leaving_out(comparisons, groups)
    n = comparisons[0].n
    most = min(map(most_points, comparisons))  # the same points for all
    each = [influences(c, all_points=groups is not None, most=most) for c in comparisons]
    moved = np.array([influence.values for influence in each])
    how = "the influence functions of all points"
    if groups is not None:
        sums = np.array([np.bincount(groups, row) for row in moved])
        units = sums.shape[1]
        shares = sums * math.sqrt(units / (units - 1.0)) / n
        how = "the influence functions of all groups of points"
        doubled = np.zeros((len(each), 0))
    else:
        # Weights make the points worth fewer of equal weight.
        units, used = round(analysis.partitions[0].effective_n), moved.shape[1]
        shares = moved / math.sqrt((used - 1.0) * (n - 1.0))
        residuals = np.array([influence.residuals for influence in each])
        doubled = residuals / (n * math.sqrt(residuals.shape[1]))
        if each[0].points is not None:
            how = f"the influence functions of {used:,} random points"
    if any(influence.approximate for influence in each):
        how += ", including the fit of the model"
    return IndexSpread(shares, doubled, units, how)


def _by_leaving_out(comparisons: tuple[Comparison, ...], groups: IntArray | None) -> IndexSpread:
    """Leave out groups of points in turn, for an index that is not a mean over pairs."""
    analysis, n = comparisons[0].analysis, comparisons[0].n
    if groups is None and n < 4:
        raise NotApplicableError(
            "{n} points are too few for an interval of {index!r}: its jackknife needs at least 4.",
            n=n,
            index=analysis.index.name,
        )
    which = "groups" if groups is not None else "random groups"
    if groups is None:
        rng = analysis.effort.stream(Stream.INFLUENCES)
        groups = rng.permutation(np.arange(n) % min(JACKKNIFE_GROUPS, n // 2))
    largest = int(np.bincount(groups).max())
    if n - largest < 2:
        raise NotApplicableError(
            "one group holds {largest} of all {n} points. The jackknife leaves out each group in "
            "turn, and {index!r} has no value for the rest. Use smaller groups, or another index "
            "such as {ndc}.",
            largest=largest,
            n=n,
            index=analysis.index.name,
            ndc=Option("index", "ndc"),
        )
    units = int(groups.max()) + 1
    left_out = np.array(
        [[_adjusted_without(c, groups == group) for group in range(units)] for c in comparisons]
    )
    shares = (left_out - left_out.mean(axis=1, keepdims=True)) * math.sqrt((units - 1.0) / units)
    how = f"a jackknife over {units:,} {which} of points"
    return IndexSpread(shares, np.zeros((len(comparisons), 0)), units, how)


def _adjusted_without(comparison: Comparison, without: npt.NDArray[np.bool_]) -> float:
    analysis = comparison.analysis
    parts = [subset(partition, ~without, recount=False) for partition in analysis.partitions]
    return analysis.of_others(parts).adjusted.value
