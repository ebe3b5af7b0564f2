"""Which numbers of clusters stand out from data without clusters, and which of them is best."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from .._base.types import FloatArray

#: Chance that anything stands out where nothing should.
LEVEL = 0.05
#: A number of clusters that does not go half of the way from chance to perfect agreement is not
#: stable, even if data without clusters are less so.
MINIMUM = 0.5
#: Means that differ by less are equally good, and the larger number of clusters says more.
TIE = 0.01
#: Instability below which there is nothing left to measure; it keeps logarithms finite.
FLOOR = 1e-3
#: Fewest reference data sets that tell how much such data differ from each other.
FEWEST_SETS = 5


@dataclass(frozen=True)
class Choice:
    """The outcome.

    Attributes
    ----------
    pvalues : dict or None
        For each number of clusters, the chance that data without clusters are as stable.
    stands_out : tuple of int
        Those that are more stable than data without clusters.
    most_stable : int or None
        The most stable, with or without clusters in the data; None if nothing has a value.
    best : int or None
        The most stable of those that stand out.
    """

    pvalues: dict[int, float] | None
    stands_out: tuple[int, ...]
    most_stable: int | None
    best: int | None


def choose(scores: Mapping[int, FloatArray], reference: Mapping[int, FloatArray] | None) -> Choice:
    """Choose among numbers of clusters.

    Parameters
    ----------
    scores : mapping of int to array
        Values of the repeats, NaN where there is none.
    reference : mapping of int to array of shape (data sets, repeats), or None
        Values of reference data.
    """
    means = {k: mean_of(values) for k, values in scores.items()}
    known = [k for k in scores if not math.isnan(means[k])]
    top = _most_stable(known, means)
    if reference is None or top is None:
        return Choice(None, (), top, None)
    pvalues = {k: pvalue(scores[k], reference[k]) for k in scores}
    # Half of the level is for the most stable one, which most readers would choose, and half for
    # all others together. A comparison with NaN is false.
    others = max(len(scores) - 1, 1)
    limits = {k: 0.5 * LEVEL / (1 if k == top else others) for k in known}
    standing = tuple(k for k in known if pvalues[k] <= limits[k] and means[k] >= MINIMUM)
    return Choice(pvalues, standing, top, _most_stable(standing, means))


def mean_of(values: FloatArray) -> float:
    """Return the mean of the values that there are, or NaN."""
    known = values[~np.isnan(values)]
    return float(known.mean()) if known.size else math.nan


def _most_stable(ks: Sequence[int], means: Mapping[int, float]) -> int | None:
    """Return the largest number of clusters whose mean is the highest, or nearly so."""
    if not ks:
        return None
    highest = max(means[k] for k in ks)
    return max(k for k in ks if means[k] >= highest - TIE)


def pvalue(values: FloatArray, reference: FloatArray) -> float:
    """Return the chance that reference data are as stable as the data, or NaN.

    The instability of a data set, 1 − the mean of its repeats, is taken as log-normal over
    reference data sets, and that of the data is compared with it by Student's t. Reference data
    sets have fewer repeats, so that their means vary more than the mean of the data would: the
    chance is rather too large than too small.

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
