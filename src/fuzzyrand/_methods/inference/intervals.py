"""Confidence intervals for the adjusted index, with the points as a sample from a population.

With the observed discordance D and its mean E over permutations of the points, -ln(D/E) measures
the distance from chance. Near chance no single point matters, and the distance behaves like a
multiple of a noncentral chi-square variable. Further away it is nearly normal, with the spread that
the influences of the points show. A noncentral chi-square law with a suitable scale fits both. On
this scale the interval never exceeds 1. (The ordinary bootstrap is wrong here: a point that is
drawn twice agrees with itself on both sides.)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from ..._base.errors import NotApplicableError
from ..._base.types import FloatArray, IntArray
from ..._base.wording import Option, Sentence
from ...indices import TableIndex
from ...models import Model
from ...results import Comparison, ConfidenceInterval
from .distance_law import PERFECT, law_of_distance
from .misplaced import PAIRS_AGREE, STRONGEST_AGREE, agree_if_hardened, with_misplaced
from .spread import IndexSpread, spread_of

#: Number of points, or groups of points, below which an interval is not reliable; and number of
#: points outside the largest cluster.
FEW, FEW_OUTSIDE = 30, 5
#: Expected index of information from which the adjusted one depends on the number of points.
MUCH_CHANCE = 0.05
#: Skewness of the influences, and degrees of freedom of a table of the clusters. Above both, an
#: interval may cover less often than stated. (With fewer degrees, the law itself is skewed.)
SKEWED, MANY = 0.15, 20

STUDENT = "Student t distribution for ln(1 - adjusted)"
CHI_SQUARE = "noncentral chi-square distribution for ln(1 - adjusted)"


class Ends(NamedTuple):
    """Ends of an interval and standard error, NaN if there are none; how, and what to know."""

    low: float
    high: float
    stderr: float
    method: str
    remark: Sentence | None = None

    def halves(self, adjusted: float) -> tuple[float, float]:
        """Return the widths below and above the value; 0 if it is the same for all samples."""
        return (0.0, 0.0) if math.isnan(self.low) else (adjusted - self.low, self.high - adjusted)


def refuse_interval(model: Model) -> NotApplicableError | None:
    """Return why there are no intervals under a model, if there are none."""
    if model.converges:
        return None
    return NotApplicableError(
        "there are no confidence intervals under {model!r}: the expected index depends on the "
        "number of points, so that a population has no value to be covered. Use {num} or 'perm'.",
        model=model.name,
        num=Option("model", "num"),
    )


def interval_of(
    comparison: Comparison, level: float, groups: IntArray | None
) -> ConfidenceInterval:
    """Return a confidence interval for one adjusted index."""
    return intervals_of_many([comparison], level, groups).each[0]


def interval_of_difference(
    first: Comparison, second: Comparison, level: float, groups: IntArray | None
) -> ConfidenceInterval:
    """Return a confidence interval for the difference of two adjusted indices of one sample.

    If both intervals were symmetric, with half-widths u and v, the square of the half-width for the
    difference would be u² + v² - 2ruv = (1 - r)(u² + v²) + r(u - v)², where r is the correlation.
    The first part is due to what moves the indices apart, and takes the half of each interval on
    that side; the second is due to what moves both in the same direction. (Zou and Donner, 2008,
    recover the variance from the ends in this way.)
    """
    return intervals_of_many([first, second], level, groups).differences[0, 1]


class Intervals(NamedTuple):
    """Intervals of several adjusted indices of one sample, and of all their differences.

    Attributes
    ----------
    each : list of ConfidenceInterval
        That of each index.
    differences : dict
        For each pair of positions, the interval of the first minus the second.
    """

    each: list[ConfidenceInterval]
    differences: dict[tuple[int, int], ConfidenceInterval]


def intervals_of_many(
    comparisons: Sequence[Comparison], level: float, groups: IntArray | None = None
) -> Intervals:
    """Return intervals of the adjusted indices of one sample, and of their differences.

    Parameters
    ----------
    comparisons : sequence of Comparison
        Comparisons of the same points by the same index, under the same model.
    level : float
        Confidence level.
    groups : array of int or None
        The group of each point, if groups are the units.
    """
    settled = [_agrees_by_definition(comparison) for comparison in comparisons]
    spread, ends = None, [NOTHING_TO_ADJUST] * len(comparisons)
    if not all(settled):
        varying = [c for c, done in zip(comparisons, settled, strict=True) if not done]
        spread = _with_rows(spread_of(tuple(varying), groups), settled)
        ends = [
            NOTHING_TO_ADJUST if done else _ends(c, i, spread, level, groups)
            for i, (c, done) in enumerate(zip(comparisons, settled, strict=True))
        ]
    each = [
        _result((c,), end, c.adjusted, level, None if done else spread, groups)
        for c, end, done in zip(comparisons, ends, settled, strict=True)
    ]
    differences = {}
    for i, j in combinations(range(len(comparisons)), 2):
        pair, places = (comparisons[i], comparisons[j]), (i, j)
        difference = pair[0].adjusted - pair[1].adjusted
        if spread is None or settled[i] or settled[j]:
            found, used = NOTHING_TO_ADJUST, None
        else:
            found, used = (
                _ends_of_difference(pair, places, (ends[i], ends[j]), spread, groups),
                spread,
            )
        differences[i, j] = _result(pair, found, difference, level, used, groups)
    return Intervals(each, differences)


def _with_rows(spread: IndexSpread, settled: Sequence[bool]) -> IndexSpread:
    """Return a spread with rows of zeros for the indices that have none."""
    rows = np.flatnonzero(~np.array(settled))

    def filled(values: FloatArray) -> FloatArray:
        full = np.zeros((len(settled), values.shape[1]))
        full[rows] = values
        return full

    return spread._replace(shares=filled(spread.shares), doubled=filled(spread.doubled))


def _ends_of_difference(
    comparisons: tuple[Comparison, Comparison],
    places: tuple[int, int],
    ends: tuple[Ends, Ends],
    spread: IndexSpread,
    groups: IntArray | None,
) -> Ends:
    """Return the ends of the interval of a difference, from those of both indices."""
    first, second = comparisons
    difference = first.adjusted - second.adjusted
    weights = np.zeros(len(spread.shares))
    weights[list(places)] = 1.0, -1.0
    stderr = spread.stderr(*weights)
    method = f"{spread.how}, paired by points"
    if stderr == 0.0 and not all(_is_perfect(comparison) for comparison in comparisons):
        return _no_ends(method, groups)
    correlation = spread.correlation(*places)
    (below1, above1), (below2, above2) = (
        end.halves(c.adjusted) for end, c in zip(ends, comparisons, strict=True)
    )
    together = max(abs(below1 - below2), abs(above1 - above2))
    low = difference - _apart(below1, above2, together, correlation)
    high = difference + _apart(above1, below2, together, correlation)
    remarks = [end.remark for end in ends if end.remark and not math.isnan(end.low)]
    return Ends(low, high, stderr or math.nan, method, next(iter(remarks), None))


def _apart(one: float, two: float, together: float, r: float) -> float:
    """Return how far a difference may be off, from half-widths and their correlation."""
    if r < 0.0:
        r, together = -r, one + two
    return math.sqrt((1.0 - r) * (one**2 + two**2) + r * together**2)


def _agrees_by_definition(comparison: Comparison) -> bool:
    """Return whether random clusterings agree on every pair, too: there is nothing to adjust."""
    return 1.0 - comparison.expected <= PERFECT


def _shuffles(comparison: Comparison) -> bool:
    return comparison.analysis.model.shuffles


def _is_perfect(comparison: Comparison) -> bool:
    return 1.0 - comparison.adjusted <= PERFECT


def _ends(
    comparison: Comparison,
    position: int,
    spread: IndexSpread,
    level: float,
    groups: IntArray | None,
) -> Ends:
    """Return the ends of the interval of one of the indices of a spread."""
    if _is_perfect(comparison):
        return _ends_if_perfect(comparison, level, spread.units, groups)
    from scipy.special import stdtrit  # Deferred: seldom needed.

    rest = 1.0 - comparison.adjusted
    stderr = spread.stderr(*np.eye(len(spread.shares))[position])
    quantile = float(stdtrit(max(spread.units - 1, 1), 0.5 + 0.5 * level))
    normal = quantile * stderr / rest
    law = remark = None
    if groups is None:  # for which shuffles by chance are known
        variance = float((spread.shares[position] ** 2).sum())
        law = law_of_distance(comparison, variance, spread.skewness(position))
    if law is not None:
        remark = FEW_MATTER if law.skewness > SKEWED and _freedom(comparison) > MANY else None
        below, above = law.reach(normal, quantile, level)
        if not _shuffles(comparison):
            below, above = max(below, normal), max(above, normal)
        stderr, method = rest * law.sd, CHI_SQUARE
    else:
        below = above = normal
        method = STUDENT
    if not below + above > 0.0:
        return _no_ends(f"{spread.how} and a {method}", groups)
    if agree_if_hardened(comparison):
        misplaced = with_misplaced(comparison, level, spread.units, groups)
        if misplaced is not None and misplaced.adjusted < comparison.adjusted:
            below = math.hypot(below, math.log((1.0 - misplaced.adjusted) / rest))
            remark = misplaced.remark(STRONGEST_AGREE, level, groups)
    error = quantile * comparison.stderr / rest
    low = 1.0 - rest * math.exp(min(math.hypot(below, error), 700.0))
    high = 1.0 - rest * math.exp(-math.hypot(above, error))
    return Ends(low, high, stderr, f"{spread.how} and a {method}", remark)


def _freedom(comparison: Comparison) -> int:
    return math.prod(partition.k - 1 for partition in comparison.analysis.partitions)


def _ends_if_perfect(
    comparison: Comparison, level: float, units: int, groups: IntArray | None
) -> Ends:
    """Return a lower bound for clusterings that agree on all pairs."""
    method = "moving the most influential points into the largest cluster"
    misplaced = with_misplaced(comparison, level, units, groups)
    if misplaced is None:
        return Ends(math.nan, math.nan, math.nan, method, ALL_IN_ONE)
    remark = misplaced.remark(PAIRS_AGREE, level, groups)
    return Ends(misplaced.adjusted, 1.0, math.nan, method, remark)


ALL_IN_ONE = Sentence.of(
    "the clusterings agree on every pair of these points, and most points are in one cluster. "
    "There is no interval, because nothing shows how often clusterings of other points would "
    "disagree."
)
FEW_MATTER = Sentence.of(
    "the agreement depends on few of the points, such as those of one small cluster. The interval "
    "may cover the true value less often than stated."
)
NOTHING_TO_ADJUST = Ends(
    math.nan,
    math.nan,
    math.nan,
    "the influence functions of all points",
    Sentence.of(
        "all points are together, or all apart, so that random clusterings agree on every pair, "
        "too. The adjusted index is 1 by definition, and there is no interval."
    ),
)


def _no_ends(method: str, groups: IntArray | None) -> Ends:
    """Return the missing ends of the interval of a value that no unit changes."""
    remark = Sentence.of(
        "there is no interval, because all {units} have the same influence on the value.",
        units="points" if groups is None else "groups of points",
    )
    return Ends(math.nan, math.nan, math.nan, method, remark)


def _result(
    comparisons: tuple[Comparison, ...],
    ends: Ends,
    adjusted: float,
    level: float,
    spread: IndexSpread | None,
    groups: IntArray | None,
) -> ConfidenceInterval:
    n = comparisons[0].n
    units = spread.units if spread is not None else n if groups is None else int(groups.max()) + 1
    return ConfidenceInterval(
        low=ends.low,
        high=ends.high,
        level=level,
        adjusted=adjusted,
        stderr=ends.stderr,
        method=ends.method,
        n=n,
        groups=None if groups is None else units,
        comparisons=comparisons,
        pvalue=_pvalue(adjusted, ends, level, units) if len(comparisons) == 2 else None,
        own_notes=_remarks(
            comparisons, ends, _alike(comparisons[0]) if groups is None else units, groups
        ),
    )


def _alike(comparison: Comparison) -> int:
    """Return the number of points, or of points of equal weight that are as informative."""
    return round(comparison.analysis.partitions[0].effective_n)


def _pvalue(difference: float, ends: Ends, level: float, units: int) -> float:
    """Return a two-sided p-value for a difference of 0, from the end of the interval towards 0.

    The half-width on that side is taken as a multiple of a quantile of Student's t, so the p-value
    is below 1 - level exactly if the interval excludes 0.
    """
    from scipy.special import stdtr, stdtrit  # Deferred: seldom needed.

    if math.isnan(ends.low):
        return math.nan
    half = difference - ends.low if difference > 0.0 else ends.high - difference
    if difference == 0.0 or half == 0.0:
        return 1.0 if difference == 0.0 else math.nan
    freedom = max(units - 1, 1)
    quantile = float(stdtrit(freedom, 0.5 + 0.5 * level))
    return float(2.0 * stdtr(freedom, -abs(difference) * quantile / half))


def _chance_in(comparison: Comparison) -> float:
    """Return the share of an index of information that is due to chance; 0 for other indices."""
    index = comparison.analysis.index
    vanishes = isinstance(index, TableIndex) and index.vanishes_by_chance
    return comparison.expected if vanishes else 0.0


def _remarks(
    comparisons: tuple[Comparison, ...], ends: Ends, units: int, groups: IntArray | None
) -> tuple[Sentence, ...]:
    """Return remarks on why an interval is missing, one-sided or not reliable."""
    remarks = [] if ends.remark is None else [ends.remark]
    if math.isnan(ends.low):
        return tuple(remarks)
    if units < FEW:
        remarks.append(
            Sentence.of(
                "{count} {units} are too few for a reliable interval. It may cover the true value "
                "less often than stated.",
                count=units,
                units="points" if groups is None else "groups of points",
            )
        )
    chance = max(_chance_in(c) for c in comparisons)
    if chance > MUCH_CHANCE:
        remarks.append(
            Sentence.of(
                "the expected index is {chance:.2f} here, and smaller for more points in as many "
                "clusters. The interval is for samples of this size.",
                chance=chance,
            )
        )
    partitions = [partition for c in comparisons for partition in c.analysis.partitions]
    outside = min(partition.n - float(partition.sizes.max()) for partition in partitions)
    if outside < FEW_OUTSIDE:
        remarks.append(
            Sentence.of(
                "one clustering has only {count:.3g} points outside its largest cluster, which are "
                "too few for a reliable interval. It may cover the true value less often than "
                "stated.",
                count=outside,
            )
        )
    model = comparisons[0].analysis.model
    if not all(map(model.settled, partitions)):
        remarks.append(
            Sentence.of(
                "with clusters this small, the expected index under {model!r} depends on the "
                "number of points. The interval is for samples of as many points, not for a "
                "population.",
                model=model.name,
            )
        )
    return tuple(remarks)
