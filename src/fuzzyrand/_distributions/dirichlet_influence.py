"""Influence of single rows on a fitted Dirichlet distribution.

A fit is a function of means over the rows. The *influence* of a row is the change of the
concentrations per unit of additional weight on that row. Given the derivatives of a smooth function
of the concentrations, the functions here return the influence of each row on it, with mean 0.
"""

from __future__ import annotations

import numpy as np
from scipy.special import polygamma

from .._base.types import FloatArray
from .._clusterings.treatment import Treatment
from .hidden import Bends, solve
from .row_statistics import hidden_in


def likelihood_influence(
    memberships: FloatArray,
    treatment: Treatment,
    alpha: FloatArray,
    slopes: FloatArray,
    weights: FloatArray | None = None,
) -> FloatArray:
    """Return the influence of rows through the maximum likelihood fit.

    Parameters
    ----------
    memberships : array of shape (n, k)
        The rows that were fitted.
    treatment : Treatment
        What was done to them, which says below which limits entries are censored.
    alpha : array of shape (k,)
        The fitted concentrations, all positive.
    slopes : array of shape (k,)
        Derivatives of the function with respect to the concentrations.
    weights : array, optional
        Weights of the rows.
    """
    scores, censored, hidden = _scores(memberships, treatment, alpha, weights)
    # The Hessian of the log-likelihood is -diag(d) + U C U' with few columns U.
    d = polygamma(1, alpha) - censored / alpha**2 - hidden.diagonal
    columns = np.column_stack([np.ones(alpha.size), hidden.columns])
    core = np.zeros((3, 3))
    core[0, 0], core[1:, 1:] = polygamma(1, alpha.sum()), hidden.core
    return np.asarray(scores @ solve(d, columns, core, slopes))


def symmetric_likelihood_influence(
    memberships: FloatArray,
    treatment: Treatment,
    alpha: FloatArray,
    slopes: FloatArray,
    weights: FloatArray | None = None,
) -> FloatArray:
    """Return the influence of rows through the likelihood fit with equal concentrations."""
    scores, censored, hidden = _scores(memberships, treatment, alpha, weights)
    k, a = alpha.size, float(alpha[0])
    information = k * polygamma(1, a) - k**2 * polygamma(1, k * a) - censored.sum() / a**2
    sums = hidden.columns.sum(axis=0)
    information -= hidden.diagonal.sum() + sums @ hidden.core @ sums
    return np.asarray(scores.sum(axis=1) * float(slopes.sum() / information))


def _scores(
    memberships: FloatArray, treatment: Treatment, alpha: FloatArray, weights: FloatArray | None
) -> tuple[FloatArray, FloatArray, Bends]:
    """Return the centred gradients of the log-likelihood of each row.

    The censored shares and the second derivatives of the term for hidden membership come with them.
    """
    limits = treatment.limits(memberships)
    below = memberships < limits
    logs = np.log(np.maximum(memberships, limits))
    own = np.where(below, limits, 0.0)
    censored, logs_mean, own_mean = (
        np.average(each, axis=0, weights=weights) for each in (below, logs, own)
    )
    scores = logs - logs_mean - (below - censored) / alpha
    mean = hidden_in(own_mean, censored, treatment)
    rows = hidden_in(own, below.astype(np.float64), treatment)
    if mean is None or rows is None:
        return scores, censored, Bends.none(alpha.size)
    return scores + mean.moved(rows, alpha), censored, mean.bends(alpha)


def moment_influence(
    memberships: FloatArray,
    alpha: FloatArray,
    slopes: FloatArray,
    weights: FloatArray | None = None,
    *,
    symmetric: bool = False,
) -> FloatArray:
    """Return the influence of rows through the fit of mean and total variance.

    Parameters
    ----------
    memberships, alpha, slopes, weights
        As in :func:`likelihood_influence`.
    symmetric : bool
        Whether all concentrations are equal.
    """
    precision = alpha.sum()
    mean = alpha / precision
    deviations = memberships - mean
    squares = (deviations**2).sum(axis=1)
    variance = float(np.average(squares, weights=weights))
    largest = 1.0 - float(mean @ mean)  # the variance of hard rows
    moved_precision = -largest * (squares - variance) / variance**2
    if symmetric:
        return np.asarray(moved_precision * float(slopes @ mean))
    moved_precision = moved_precision - 2.0 * (deviations @ mean) / variance
    return np.asarray(moved_precision * float(slopes @ mean) + precision * (deviations @ slopes))
