"""Values whose excess over data without clusters is as good as the largest."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from ..._base.parameters import Value
from ..._base.types import FloatArray
from ...results.stability_text import TIE


def mean_of(values: FloatArray) -> float:
    """Return the mean of the values that are not NaN, or NaN if there are none."""
    known = values[~np.isnan(values)]
    return float(known.mean()) if known.size else math.nan


def within_error(
    excess: Mapping[Value, float],
    scores: Mapping[Value, FloatArray],
    reference: Mapping[Value, FloatArray],
) -> dict[Value, float]:
    """Return the values whose excess is the largest, or within one error of it.

    Parameters
    ----------
    excess : mapping of value to float
        The excess of the values to choose from.
    scores, reference : mapping of value to array
        Values of the data, one for each repeat; and of reference data, of shape (data sets,
        repeats).

    Returns
    -------
    dict of value to float
        These values, each with the standard error of its difference from the largest excess. The
        value with the largest excess comes first.
    """
    top = max(excess, key=excess.__getitem__)
    errors = {k: difference_stderr(k, top, scores, reference) for k in excess if k != top}
    near = {k: error for k, error in errors.items() if excess[top] - excess[k] <= max(error, TIE)}
    return {top: 0.0, **near}


def difference_stderr(
    k: Value,
    other: Value,
    scores: Mapping[Value, FloatArray],
    reference: Mapping[Value, FloatArray],
) -> float:
    """Return the standard error of the difference between the excess of two values.

    The excess is 1 − u/v, where u is the mean instability of the data and v that of reference data.
    To first order, it moves by −(uᵢ − u)/v with a repeat and by (vⱼ − v)·u/v² with a reference data
    set. Repeats and reference data sets are the same for all values, so that their
    differences vary less than each of them.
    """
    ours, theirs = (_parts(scores[number], reference[number]) for number in (k, other))
    parts = zip(ours, theirs, strict=True)
    return math.hypot(*(_stderr(one - two) for one, two in parts))


def _parts(values: FloatArray, reference: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return how much the excess moves with each repeat, and with each reference data set."""
    sets = 1.0 - reference.mean(axis=1)
    u, v = 1.0 - mean_of(values), mean_of(sets)
    if not v > 0.0:
        return np.zeros(values.size), np.zeros(sets.size)
    return -(1.0 - values - u) / v, (sets - v) * u / v**2


def _stderr(values: FloatArray) -> float:
    known = values[~np.isnan(values)]
    return float(known.std(ddof=1)) / math.sqrt(known.size) if known.size > 1 else 0.0
