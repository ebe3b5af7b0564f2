"""Influence of single rows on a fitted Dirichlet distribution.

A fit is a function of means over the rows. The *influence* of a row is the change of the
concentrations per unit of additional weight on that row. Given the derivatives of a smooth function
of the concentrations, the functions here return the influence of each row on it, with mean 0.
"""

from __future__ import annotations

import numpy as np
from scipy.special import polygamma

from .._base.types import FloatArray


def likelihood_influence(
    memberships: FloatArray, resolution: float, alpha: FloatArray, slopes: FloatArray
) -> FloatArray:
    """Return the influence of rows through the maximum likelihood fit.

    Parameters
    ----------
    memberships : array of shape (n, k)
        The rows that were fitted.
    resolution : float
        The resolution, below which entries are censored.
    alpha : array of shape (k,)
        The fitted concentrations, all positive.
    slopes : array of shape (k,)
        Derivatives of the function with respect to the concentrations.
    """
    scores, censored = _scores(memberships, resolution, alpha)
    # The Hessian of the log-likelihood is -diag(d) + c 11', inverted by Sherman-Morrison.
    d = polygamma(1, alpha) - censored / alpha**2
    c = float(polygamma(1, alpha.sum()))
    solved = slopes / d
    solved += (c * solved.sum() / (1.0 - c * (1.0 / d).sum())) / d
    return np.asarray(scores @ solved)


def symmetric_likelihood_influence(
    memberships: FloatArray, resolution: float, alpha: FloatArray, slopes: FloatArray
) -> FloatArray:
    """Return the influence of rows through the likelihood fit with equal concentrations."""
    scores, censored = _scores(memberships, resolution, alpha)
    k, a = alpha.size, float(alpha[0])
    information = k * polygamma(1, a) - k**2 * polygamma(1, k * a) - censored.sum() / a**2
    return np.asarray(scores.sum(axis=1) * float(slopes.sum() / information))


def _scores(
    memberships: FloatArray, resolution: float, alpha: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the centred gradients of the log-likelihood of each row, and the censored shares."""
    below = memberships < resolution
    logs = np.log(np.maximum(memberships, resolution))
    censored = below.mean(axis=0)
    return logs - logs.mean(axis=0) - (below - censored) / alpha, censored


def moment_influence(
    memberships: FloatArray, alpha: FloatArray, slopes: FloatArray, *, symmetric: bool = False
) -> FloatArray:
    """Return the influence of rows through the fit of mean and total variance.

    Parameters
    ----------
    memberships, alpha, slopes
        As in :func:`likelihood_influence`.
    symmetric : bool
        Whether all concentrations are equal.
    """
    precision = alpha.sum()
    mean = alpha / precision
    deviations = memberships - mean
    squares = (deviations**2).sum(axis=1)
    variance = squares.mean()
    largest = 1.0 - float(mean @ mean)  # the variance of hard rows
    moved_precision = -largest * (squares - variance) / variance**2
    if symmetric:
        return np.asarray(moved_precision * float(slopes @ mean))
    moved_precision = moved_precision - 2.0 * (deviations @ mean) / variance
    return np.asarray(moved_precision * float(slopes @ mean) + precision * (deviations @ slopes))
