"""Rows with the logarithms that are needed for densities of Dirichlet distributions."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
import numpy.typing as npt
from scipy.special import gammaln

from .._base.types import FloatArray
from .._clusterings.treatment import Treatment
from .hidden import Hidden
from .row_statistics import RowStatistics, hidden_in

Number = TypeVar("Number", np.float64, np.intp)

#: Stands for a concentration of 0 where its logarithm is taken.
SMALLEST = 1e-300
#: Number of multiplications up to which OpenBLAS multiplies matrices without threads. The products
#: here are small and many, and threads would take longer to start than to multiply.
UNTHREADED = 1 << 18


class RowLogs:
    """Rows with the logarithms that are needed for densities, computed once.

    Entries below their limits are censored, as in ``dirichlet_fit``.

    Parameters
    ----------
    rows : array of shape (n, k)
        The rows.
    treatment : Treatment
        What was done to them.
    weights : array, optional
        How much each row counts, with a mean of 1.
    """

    def __init__(
        self, rows: FloatArray, treatment: Treatment, weights: FloatArray | None = None
    ) -> None:
        self.rows, self.treatment = rows, treatment
        self.weights = np.ones(rows.shape[0]) if weights is None else weights
        limits = treatment.limits(rows)
        censored, logs = rows < limits, np.log(np.maximum(rows, limits))
        parts = [censored, logs]
        if treatment.stretch(rows.shape[1]):
            parts.append(censored * limits)
        #: Whether entries are censored, their logarithms, and if rows were stretched, the limits of
        #: censored entries, side by side.
        self.entries = np.concatenate(parts, axis=1)
        self.hard = censored.sum(axis=1) == rows.shape[1] - 1

    @property
    def censored(self) -> FloatArray:
        """Whether entries are below the resolution, as 0 or 1."""
        return self.entries[:, : self.rows.shape[1]]

    @property
    def logs(self) -> FloatArray:
        """Logarithms of the entries, raised to their limits."""
        k = self.rows.shape[1]
        return self.entries[:, k : 2 * k]

    def densities(self, alphas: FloatArray) -> FloatArray:
        """Return log-densities of rows under Dirichlets, up to a constant for each row.

        The array has a row for each Dirichlet, and a column for each row of memberships.
        """
        powers = np.log(np.maximum(alphas, SMALLEST))
        constants = log_constants(alphas) + powers.sum(axis=1)
        parameters = np.concatenate([-powers, alphas], axis=1)
        densities = np.empty((alphas.shape[0], self.rows.shape[0]))
        for part in self._parts(alphas.shape[0]):
            entries = self.entries[part, : parameters.shape[1]]
            np.matmul(parameters, entries.T, out=densities[:, part])
        densities += constants[:, None]
        k = self.rows.shape[1]
        hidden = hidden_in(self.entries[:, 2 * k :], self.censored, self.treatment)
        if hidden is not None:
            densities += hidden.of_rows(alphas)
        return densities

    def means(self, weights: FloatArray) -> tuple[FloatArray, FloatArray, Hidden | None]:
        """Return statistics of a fit for several weightings of the rows.

        These are the censored shares, the mean logarithms and what is hidden, as in
        :class:`RowStatistics`. Each row of ``weights`` sums to 1; the arrays have a row for each
        weighting.
        """
        first, *others = self._parts(weights.shape[0])
        sums = weights[:, first] @ self.entries[first]
        for part in others:
            sums += weights[:, part] @ self.entries[part]
        k = self.rows.shape[1]
        # Rounding may push a share above 1, which would lead to negative concentrations, from
        # which nothing sensible can be drawn.
        censored = np.clip(sums[:, :k], 0.0, 1.0)
        return censored, sums[:, k : 2 * k], hidden_in(sums[:, 2 * k :], censored, self.treatment)

    def _parts(self, factor: int) -> list[slice]:
        """Return parts of the rows small enough to multiply by ``factor`` vectors unthreaded."""
        size = max(UNTHREADED // (factor * self.entries.shape[1]), 1)
        return [slice(low, low + size) for low in range(0, self.rows.shape[0], size)]

    def weighted(self, weights: FloatArray) -> RowStatistics:
        """Return the statistics that a fit needs, with a weight for each row."""
        w = weights / weights.sum()
        mean = w @ self.rows
        variance = np.maximum(w @ (self.rows - mean) ** 2, 0.0)
        (censored,), (logs,), hidden = self.means(w[None])
        return RowStatistics(mean, variance, censored, logs, hidden and hidden.of(0))


def log_constants(alphas: FloatArray) -> FloatArray:
    """Return the logarithm of the factor of each Dirichlet's density that no row changes."""
    total = alphas.sum(axis=1)
    gammas = gammaln(np.maximum(alphas, SMALLEST) + 1.0).sum(axis=1)
    return np.asarray(gammaln(total + 1.0) - np.log(total) - gammas)


def log_sums(logs: FloatArray, axis: int) -> tuple[FloatArray, FloatArray]:
    """Return the logarithms of sums of exponentials along an axis, and the shares in the sums.

    SciPy's ``logsumexp`` takes several times as long. The argument is overwritten.
    """
    largest = logs.max(axis=axis, keepdims=True)
    logs -= largest
    shares = np.exp(logs, out=logs)
    sums = shares.sum(axis=axis, keepdims=True)
    shares /= sums
    return (np.log(sums) + largest).squeeze(axis), shares


def sorted_rows(
    rows: FloatArray, weights: FloatArray | None = None
) -> tuple[FloatArray, FloatArray]:
    """Sort rows by their entries, so that the order of points does not matter.

    Their weights, with a mean of 1, come with them.
    """
    if weights is None:
        return np.asarray(rows[np.lexsort(rows.T[::-1])]), np.ones(rows.shape[0])
    order = np.lexsort((weights, *rows.T[::-1]))
    return np.asarray(rows[order]), np.asarray(weights[order])


def evenly_spaced(rows: npt.NDArray[Number], most: int) -> npt.NDArray[Number]:
    """Return at most ``most`` rows, evenly spaced."""
    n = rows.shape[0]
    return rows if n <= most else rows[np.linspace(0, n - 1, most).astype(np.intp)]
