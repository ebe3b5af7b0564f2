"""Whether data are more stable than data without clusters, and for which value of a parameter."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from scipy import stats

from ..._base.parameters import Value
from ..._base.types import FloatArray
from ...results.stability import excess_over
from ...results.stability_text import LEVEL, TIE
from .excess import mean_of, within_error

#: Smallest mean of a stable value, half of the way from chance to perfect agreement,
#: even if data without clusters are less stable.
MINIMUM = 0.5
#: Smallest instability that is measured; it keeps logarithms finite.
FLOOR = 1e-3
#: Smallest number of reference data sets that shows how much such data differ from each other.
FEWEST_SETS = 5


@dataclass(frozen=True)
class Choice:
    """The chosen value, with p-values.

    Attributes
    ----------
    most_stable : value or None
        The value with the highest mean; None if nothing has a value.
    best : value or None
        The most stable of the candidates, if the data are more stable than data without clusters.
    candidates : dict
        The values whose excess over data without clusters is the largest, or within one standard
        error of it, each with the standard error of the difference. The value with the largest
        excess comes first.
    pvalue : float or None
        Probability that data without clusters are as stable, over all values.
    pvalues : dict or None
        The same for each value.
    """

    most_stable: Value | None
    best: Value | None
    pvalue: float | None = None
    pvalues: dict[Value, float] | None = None
    candidates: dict[Value, float] = field(default_factory=dict)


def choose(
    scores: Mapping[Value, FloatArray],
    reference: Mapping[Value, FloatArray] | None,
    numbers: Mapping[Value, int],
) -> Choice:
    """Choose among values of a parameter.

    All p-values are for the same hypothesis: that the data have no clusters. Their harmonic mean
    (Wilson, PNAS 2019) is a joint p-value that is not sensitive to the dependence between them.
    Once the hypothesis is rejected, the best value is decided by the size of the effect: by the
    excess, and by the mean among values whose excess is as large, up to one standard error.

    Parameters
    ----------
    scores : mapping of value to array
        Adjusted indices of the repeats, NaN where there is none.
    reference : mapping of value to array of shape (data sets, repeats), or None
        The same for reference data.
    numbers : mapping of value to int
        Numbers of clusters.
    """
    means = {k: mean for k, values in scores.items() if not math.isnan(mean := mean_of(values))}
    top = _largest_of_highest(means, numbers)
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
    best = _largest_of_highest({k: means[k] for k in scores if k in candidates}, numbers)
    return Choice(top, best, overall, pvalues, candidates)


def harmonic_mean(pvalues: FloatArray) -> float:
    """Return the harmonic mean; 0 if one of the p-values is 0."""
    return float(1.0 / np.mean(1.0 / pvalues)) if pvalues.min() > 0.0 else 0.0


def _largest_of_highest(means: Mapping[Value, float], numbers: Mapping[Value, int]) -> Value | None:
    """Return the value with the most clusters among those whose mean is the highest, or nearly so.

    If two numbers are equally stable, the larger one says more: where there are three separate
    clusters, two of which are close, putting these two together is as stable as telling them apart.
    If several values give this number, the one in their middle is the least sensitive to a change.
    """
    if not means:
        return None
    highest = max(means.values())
    near = [value for value, mean in means.items() if mean >= highest - TIE]
    most = max(numbers[value] for value in near)
    equal = [value for value in near if numbers[value] == most]
    return equal[len(equal) // 2]


def pvalue(values: FloatArray, reference: FloatArray) -> float:
    """Return the probability that reference data are as stable as the data, or NaN.

    The instability of a data set, 1 − the mean of its repeats, is assumed to be log-normal over
    reference data sets, and that of the data is compared with this distribution by Student's t.
    Reference data sets have fewer repeats, so their means vary more than the mean of the data
    would, and the p-value tends to be too large.

    If the method found nothing in some reference data sets (u is 1), the data are compared with
    the m others, and the p-value is multiplied by the probability to find something, (m + 1)/(data
    sets + 1). With fewer than five others, this is the p-value.

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
    found = sets[sets < 1.0]
    share = 1.0
    if found.size < sets.size:
        share = (found.size + 1.0) / (sets.size + 1.0)
        if found.size < FEWEST_SETS:
            return share if known.mean() > 0.0 else 1.0
    expected, instability = float(found.mean()), max(1.0 - float(known.mean()), FLOOR)
    if expected <= FLOOR:
        return 1.0  # Nothing can be more stable than such data.
    variance = float(found.var(ddof=1)) * (1.0 + 1.0 / found.size)
    if variance == 0.0:
        return 0.0 if instability < expected else 1.0
    spread = math.log1p(variance / expected**2)  # of the logarithm
    distance = math.log(expected) - 0.5 * spread - math.log(instability)
    return share * float(stats.t.sf(distance / math.sqrt(spread), found.size - 1))
