"""Whether data are more stable than data without clusters, and for which number of clusters."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from scipy import stats

from .._base.types import FloatArray
from ..results.stability import LEVEL, TIE, excess_over
from .excess import mean_of, within_error

#: Smallest mean of a stable number of clusters, half of the way from chance to perfect agreement,
#: even if data without clusters are less stable.
MINIMUM = 0.5
#: Smallest instability that is measured; it keeps logarithms finite.
FLOOR = 1e-3
#: Smallest number of reference data sets that shows how much such data differ from each other.
FEWEST_SETS = 5


@dataclass(frozen=True)
class Choice:
    """The chosen number of clusters, with p-values.

    Attributes
    ----------
    most_stable : int or None
        The number of clusters with the highest mean; None if nothing has a value.
    best : int or None
        The most stable of the candidates, if the data are more stable than data without clusters.
    candidates : dict
        The numbers of clusters whose excess over data without clusters is the largest, or within
        one standard error of it, each with the standard error of the difference. The number with
        the largest excess comes first.
    pvalue : float or None
        Probability that data without clusters are as stable, over all numbers of clusters.
    pvalues : dict or None
        The same for each number of clusters.
    """

    most_stable: int | None
    best: int | None
    pvalue: float | None = None
    pvalues: dict[int, float] | None = None
    candidates: dict[int, float] = field(default_factory=dict)


def choose(scores: Mapping[int, FloatArray], reference: Mapping[int, FloatArray] | None) -> Choice:
    """Choose among numbers of clusters.

    All p-values are for the same hypothesis: that the data have no clusters. Their harmonic mean
    (Wilson, PNAS 2019) is a joint p-value that is not sensitive to the dependence between them.
    Once the hypothesis is rejected, the best number is decided by the size of the effect: by the
    excess, and by the mean among numbers whose excess is as large, up to one standard error.

    Parameters
    ----------
    scores : mapping of int to array
        Values of the repeats, NaN where there is none.
    reference : mapping of int to array of shape (data sets, repeats), or None
        Values of reference data.
    """
    means = {k: mean for k, values in scores.items() if not math.isnan(mean := mean_of(values))}
    top = _largest_of_highest(means)
    if reference is None or top is None:
        return Choice(top, None)
    pvalues = {k: pvalue(scores[k], reference[k]) for k in scores}
    known = np.array([p for p in pvalues.values() if not math.isnan(p)])
    if not known.size:
        return Choice(top, None, math.nan, pvalues)
    overall = harmonic_mean(known)
    excess = {
        k: excess_over(mean, mean_of(reference[k].ravel()))
        for k, mean in means.items()
        if mean >= MINIMUM and not math.isnan(pvalues[k])
    }
    excess = {k: value for k, value in excess.items() if not math.isnan(value)}
    if overall > LEVEL or not excess:
        return Choice(top, None, overall, pvalues)
    candidates = within_error(excess, scores, reference)
    best = _largest_of_highest({k: means[k] for k in candidates})
    return Choice(top, best, overall, pvalues, candidates)


def harmonic_mean(pvalues: FloatArray) -> float:
    """Return the harmonic mean; 0 if one of the p-values is 0."""
    return float(1.0 / np.mean(1.0 / pvalues)) if pvalues.min() > 0.0 else 0.0


def _largest_of_highest(values: Mapping[int, float]) -> int | None:
    """Return the largest number of clusters whose value is the highest, or nearly so.

    If two numbers are equally stable, the larger one says more: where there are three separate
    clusters, two of which are close, putting these two together is as stable as telling them apart.
    """
    if not values:
        return None
    highest = max(values.values())
    return max(k for k, value in values.items() if value >= highest - TIE)


def pvalue(values: FloatArray, reference: FloatArray) -> float:
    """Return the probability that reference data are as stable as the data, or NaN.

    The instability of a data set, 1 − the mean of its repeats, is assumed to be log-normal over
    reference data sets, and that of the data is compared with this distribution by Student's t.
    Reference data sets have fewer repeats, so their means vary more than the mean of the data
    would, and the p-value tends to be too large.

    Parameters
    ----------
    values : array
        Values of the repeats.
    reference : array of shape (data sets, repeats)
        Values of reference data.
    """
    known = values[~np.isnan(values)]
    sets = 1.0 - reference[~np.isnan(reference).any(axis=1)].mean(axis=1)
    if known.size == 0 or sets.size < FEWEST_SETS:
        return math.nan
    expected, instability = float(sets.mean()), max(1.0 - float(known.mean()), FLOOR)
    if expected <= FLOOR:
        return 1.0  # Nothing can be more stable than such data.
    variance = float(sets.var(ddof=1)) * (1.0 + 1.0 / sets.size)
    if variance == 0.0:
        return 0.0 if instability < expected else 1.0
    spread = math.log1p(variance / expected**2)  # of the logarithm
    distance = math.log(expected) - 0.5 * spread - math.log(instability)
    return float(stats.t.sf(distance / math.sqrt(spread), sets.size - 1))
