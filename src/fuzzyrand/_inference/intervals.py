"""Confidence intervals for the adjusted index, with the points as a sample from a population.

The standard error comes from the influence of the points, or of groups of points. On the scale of
ln(1 - adjusted), the interval never exceeds 1 and has better coverage near 1. (The ordinary
bootstrap is wrong here: a point that is drawn twice agrees with itself on both sides.)
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .._base.errors import NotApplicableError
from .._base.streams import Stream
from .._base.types import IntArray
from .._base.wording import Sentence
from .._engine import Question, compare_under
from .._inputs.noise import subset
from .._permutations.moments import permutation_moments
from ..indices import PairIndex
from ..results import Comparison, ConfidenceInterval
from .influence import influences

#: Number of points, or groups of points, below which an interval is not reliable.
FEW = 30
#: Number of random groups of points left out in turn, for an index that is not a mean over pairs.
JACKKNIFE_GROUPS = 30
#: An adjusted index that differs from 1 by no more counts as 1, and a smaller standard error as 0.
PERFECT = 1e-12
#: Up to this adjusted index, the standard error is at least this share of that by chance.
NEAR_CHANCE, SHARE_BY_CHANCE = 0.2, 0.5
#: With more degrees of freedom, (k1 - 1)(k2 - 1), influences are hardly ever all small by chance.
MOST_FREEDOM = 8


def interval_of(
    comparison: Comparison, level: float, groups: IntArray | None
) -> ConfidenceInterval:
    """Return a confidence interval for one adjusted index."""
    spread, how = _spread([comparison], groups)
    if groups is None and abs(comparison.adjusted) <= NEAR_CHANCE:
        spread = _at_least_by_chance(spread, comparison)
    rest = 1.0 - comparison.adjusted
    low = high = math.nan
    if rest > PERFECT and spread.stderr > 0.0:
        reach = spread.quantile(level) * math.hypot(spread.stderr, comparison.stderr) / rest
        low, high = 1.0 - rest * math.exp(min(reach, 700.0)), 1.0 - rest * math.exp(-reach)
    return ConfidenceInterval(
        low=low,
        high=high,
        level=level,
        adjusted=comparison.adjusted,
        stderr=spread.stderr if not math.isnan(low) else math.nan,
        method=f"{how}; Student's t on the scale of ln(1 - adjusted)",
        n=comparison.n,
        groups=None if groups is None else spread.units,
        comparisons=(comparison,),
        remarks=_remarks([comparison], spread, groups),
    )


def interval_of_difference(
    first: Comparison, second: Comparison, level: float, groups: IntArray | None
) -> ConfidenceInterval:
    """Return a confidence interval for the difference of two adjusted indices of one sample."""
    spread, how = _spread([first, second], groups)
    difference = first.adjusted - second.adjusted
    error = math.hypot(spread.stderr, first.stderr, second.stderr)
    low = high = math.nan
    if spread.stderr > 0.0:
        reach = spread.quantile(level) * error
        low, high = difference - reach, difference + reach
    return ConfidenceInterval(
        low=low,
        high=high,
        level=level,
        adjusted=difference,
        stderr=spread.stderr if not math.isnan(low) else math.nan,
        method=f"{how}, paired by points; Student's t",
        n=first.n,
        groups=None if groups is None else spread.units,
        comparisons=(first, second),
        remarks=_remarks([first, second], spread, groups),
    )


class Spread:
    """Standard error of a number that depends on a sample of units (points or groups of points)."""

    def __init__(self, stderr: float, units: int) -> None:
        self.stderr, self.units = stderr if stderr > PERFECT else 0.0, units

    def quantile(self, level: float) -> float:
        """Return the two-sided quantile of Student's t."""
        from scipy.special import stdtrit  # Deferred: seldom needed.

        return float(stdtrit(max(self.units - 1, 1), 0.5 + 0.5 * level))


def _spread(comparisons: list[Comparison], groups: IntArray | None) -> tuple[Spread, str]:
    """Return the standard error of an adjusted index or a difference, and how it was computed."""
    setting = comparisons[0].setting
    assert setting is not None
    if not isinstance(setting.index, PairIndex):
        spread = _jackknife(comparisons, groups)
        which = "random groups" if groups is None else "groups"
        return spread, f"leaving out each of {spread.units:,} {which} of points in turn"
    each = [influences(comparison, all_points=groups is not None) for comparison in comparisons]
    moved, residuals = each[0].values, each[0].residuals
    if len(each) == 2:
        moved, residuals = moved - each[1].values, residuals - each[1].residuals
    n = comparisons[0].n
    how = "the influence of each point"
    if groups is not None:
        sums = np.bincount(groups, moved)
        stderr = math.sqrt(sums.size / (sums.size - 1.0) * float(sums @ sums)) / n
        spread, how = Spread(stderr, sums.size), "the influence of each group of points"
    else:
        variance = float(moved @ moved) / (moved.size - 1.0) / (n - 1.0)
        # Influences are means over the sample themselves: if no single point matters, their
        # variance counts the contribution of single pairs twice. Half of this excess is subtracted;
        # the other half compensates for the skewness of such an index, which makes the interval too
        # short at one end.
        excess = float(residuals @ residuals) / residuals.size / n**2
        spread = Spread(math.sqrt(max(variance - excess, 0.5 * variance)), n)
        if each[0].points is not None:
            how = f"the influence of {moved.size:,} random points"
    if any(influence.approximate for influence in each):
        how += ", on the fit as on the observed pairs"
    return spread, how


def _at_least_by_chance(spread: Spread, comparison: Comparison) -> Spread:
    """Return a spread of at least half that of shuffled points.

    Near chance no single point matters, and the influences of points may all be small by chance.
    With two clusters on both sides, the adjusted index of unrelated clusterings behaves like
    (x² - 1)/n with a normal deviate x, and its estimated standard error like |x|/n: for small x,
    the interval would lie below 0, and 28% of all intervals would miss it. With the limit they
    cover 0 (x² - 1 is at least -1, and 1.96 times half of the standard deviation √2 is 1.4). It
    hardly changes the intervals of more clusters.
    """
    setting = comparison.setting
    assert setting is not None
    first, second = (side.partition.k - 1 for side in setting.sides)
    if first * second > MOST_FREEDOM:
        return spread
    if spread.stderr == 0.0 or not isinstance(setting.index, PairIndex):
        return spread
    variance = permutation_moments(setting.sides).variance or 0.0
    by_chance = math.sqrt(variance) / (1.0 - comparison.expected)
    return Spread(max(spread.stderr, SHARE_BY_CHANCE * by_chance), spread.units)


def _jackknife(comparisons: list[Comparison], groups: IntArray | None) -> Spread:
    """Leave out groups of points in turn, for an index that is not a mean over pairs."""
    setting = comparisons[0].setting
    assert setting is not None
    n = comparisons[0].n
    if groups is None and n < 4:
        raise NotApplicableError(
            "{n} points are too few for an interval of {index!r}, which leaves out groups of them; "
            "at least 4 are needed.",
            n=n,
            index=setting.index.name,
        )
    if groups is None:
        rng = setting.effort.stream(Stream.INFLUENCES)
        groups = rng.permutation(np.arange(n) % min(JACKKNIFE_GROUPS, n // 2))
    count = int(groups.max()) + 1
    left_out = np.array(
        [
            _adjusted_without(comparisons[0], groups == group)
            - (_adjusted_without(comparisons[1], groups == group) if len(comparisons) > 1 else 0.0)
            for group in range(count)
        ]
    )
    deviations = left_out - left_out.mean()
    return Spread(math.sqrt((count - 1.0) / count * float(deviations @ deviations)), count)


def _adjusted_without(comparison: Comparison, without: Any) -> float:
    setting = comparison.setting
    assert setting is not None
    parts = [subset(side.partition, ~without, recount=False) for side in setting.sides]
    question = Question(setting.index, setting.effort, comparison.fixed)
    side1, side2 = question.sides(*parts)
    return compare_under((side1, side2), setting.model, question).adjusted


def _remarks(
    comparisons: list[Comparison], spread: Spread, groups: IntArray | None
) -> tuple[Sentence, ...]:
    """Return remarks on why an interval is missing or not reliable."""
    units = "groups of points" if groups is not None else "points"
    if len(comparisons) == 1 and 1.0 - comparisons[0].adjusted <= PERFECT:
        return (
            Sentence.of(
                "the clusterings agree on every pair of these points, which therefore cannot "
                "show how often others would disagree: there is no interval."
            ),
        )
    if spread.stderr == 0.0:
        return (
            Sentence.of(
                "all {units} have the same influence on the value, which says nothing about "
                "others: there is no interval.",
                units=units,
            ),
        )
    count = comparisons[0].n if groups is None else spread.units
    if count < FEW:
        return (
            Sentence.of(
                "{count} {units} are too few for a reliable interval: it may cover the true "
                "value less often than stated.",
                count=count,
                units=units,
            ),
        )
    return ()
