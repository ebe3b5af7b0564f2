"""Mean discordances of the pairs of clusters, from which Wallace indices follow."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..._base.estimate import ROUNDING
from ..._base.types import FloatArray


class Discordances(NamedTuple):
    """Mean discordances of pairs, weighted by each cluster of a side.

    Attributes
    ----------
    weights : array
        Total weight of each cluster.
    observed, expected : array
        Mean discordance of each cluster's pairs; NaN if there are none.
    stderrs : array of shape (clusters + 1,)
        Monte Carlo errors of the adjusted values, for each cluster and for all clusters together.
    """

    weights: FloatArray
    observed: FloatArray
    expected: FloatArray
    stderrs: FloatArray

    @classmethod
    def of_sums(cls, weights: FloatArray, sums: FloatArray) -> Discordances:
        """Return what follows from sums over all pairs: observed and expected discordances."""
        means = np.full(sums.shape, np.nan)
        np.divide(sums, weights, out=means, where=weights > 0.0)
        return cls(weights, means[0], means[1], np.zeros(weights.size + 1))


def with_total(weights: FloatArray, values: FloatArray) -> FloatArray:
    """Append the weighted mean over clusters (the last axis) to the values of clusters.

    It is NaN if no cluster has a weight.
    """
    known = weights > 0.0
    total = weights[known].sum()
    mean = (values[..., known] @ weights[known]) / total if known.any() else np.nan
    return np.concatenate(
        [values, np.broadcast_to(mean, values.shape[:-1])[..., np.newaxis]], axis=-1
    )


def adjusted_by(observed: FloatArray, expected: FloatArray) -> FloatArray:
    """Return 1 − observed/expected; if nothing is expected, 1 if nothing is observed, else NaN."""
    out = np.where(np.isnan(observed) | (observed > ROUNDING), np.nan, 1.0)
    possible = expected > ROUNDING
    out[possible] = 1.0 - observed[possible] / expected[possible]
    return out
