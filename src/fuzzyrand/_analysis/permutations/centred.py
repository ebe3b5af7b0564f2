"""Dot products of centred rows: only the part that shuffling the points can change.

With the mean row m and w_i = u_i - m, the dot product u_i . u_j is |m|^2 + s_ij, where
s_ij = p_i + p_j + w_i . w_j and p_i = m . w_i. Since the w_i and the p_i sum to 0, sums of s_ij
over pairs only need p_i, l_i = |w_i|^2 and W'W. No large numbers are subtracted from each other,
however similar the rows are.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..._base.types import FloatArray
from ..._clusterings.partition import Partition


@dataclass(frozen=True)
class CentredRows:
    """The centred rows of a fuzzy clustering.

    Attributes
    ----------
    rows : array of shape (n, k + 2)
        The columns of W, then p and l.
    """

    rows: FloatArray

    @classmethod
    def of(cls, u: FloatArray) -> CentredRows:
        """Centre rows."""
        mean = u.mean(axis=0)
        out = np.empty((u.shape[0], u.shape[1] + 2))
        w = np.subtract(u, mean, out=out[:, :-2])
        out[:, -2] = w @ mean
        out[:, -1] = np.einsum("ij,ij->i", w, w)
        return cls(out)

    @property
    def n(self) -> int:
        """Number of points."""
        return int(self.rows.shape[0])

    @property
    def w(self) -> FloatArray:
        """The rows minus their mean."""
        return self.rows[:, :-2]

    @property
    def p(self) -> FloatArray:
        """Dot product of each centred row with the mean row."""
        return self.rows[:, -2]

    @property
    def lengths(self) -> FloatArray:
        """Squared length of each centred row."""
        return self.rows[:, -1]

    @property
    def total_length(self) -> float:
        """Sum of the squared lengths of all centred rows."""
        return float(self.lengths.sum())

    @property
    def mean(self) -> float:
        """Mean of s_ij over all pairs."""
        return -self.total_length / (self.n * (self.n - 1.0))

    def variance(self) -> float:
        """Return the variance of s_ij over all pairs."""
        p, lengths, n = self.p, self.lengths, self.n
        gram = self.w.T @ self.w
        squares = (2.0 * n - 4.0) * (p @ p) + np.einsum("ij,ij->", gram, gram)
        squares -= lengths @ lengths + 4.0 * (p @ lengths)
        return max(float(squares) / (n * (n - 1.0)) - self.mean**2, 0.0)

    def point_means(self) -> FloatArray:
        """Return the mean of s_ij over all other points j, for each point i."""
        return np.asarray(((self.n - 2.0) * self.p - self.lengths) / (self.n - 1.0))


@dataclass(frozen=True)
class CentredGroups:
    """The centred one-hot rows of a hard clustering, one for each cluster.

    Attributes
    ----------
    sizes : array of shape (k,)
        Number of points in each cluster.
    p, lengths : array of shape (k,)
        As in :class:`CentredRows`, for the points of each cluster.
    """

    sizes: FloatArray
    p: FloatArray
    lengths: FloatArray

    @classmethod
    def of(cls, partition: Partition) -> CentredGroups:
        """Centre the rows of a hard clustering."""
        shares = partition.sizes / partition.n
        square = shares @ shares
        return cls(partition.sizes, shares - square, 1.0 - 2.0 * shares + square)

    @property
    def total_length(self) -> float:
        """Sum of the squared lengths of all centred rows."""
        return float(self.sizes @ self.lengths)

    @property
    def mean(self) -> float:
        """Mean of s_ij over all pairs."""
        n = self.sizes.sum()
        return -self.total_length / float(n * (n - 1.0))

    def variance(self) -> float:
        """Return the variance of s_ij over all pairs."""
        n = self.sizes.sum()
        together = float(self.sizes @ (self.sizes - 1.0) / (n * (n - 1.0)))
        return together * (1.0 - together)
