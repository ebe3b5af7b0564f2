"""Sums for the Wallace indices of sparse clusterings, from random pairs that share a cluster.

Only such pairs have a weight. They are drawn in proportion to Σ min(v_ic, v_jc), and each is
weighted by the inverse of this sum.
"""

from __future__ import annotations

import numpy as np

from .._base.streams import Stream
from .._base.types import FloatArray
from .._distributions.atoms import Atoms
from .._laws.side import Side
from .._pairs.random_pairs import random_agreements, random_pairs
from .._pairs.shared_draws import SharedDraws
from .._pairs.sparse_pairs import agreements_of_pairs
from ..indices import PairIndex


class SharedWeights:
    """The pairs of a fuzzy clustering that share a cluster, and the other clustering.

    Parameters
    ----------
    own, other : Side
        The clustering whose clusters provide the weights, and the other one.
    position : int
        Position of ``own`` among the two sides, 0 or 1, for streams of random numbers.
    """

    def __init__(self, own: Side, other: Side, position: int) -> None:
        self._own, self._other, self._position = own, other, position
        self._rows = own.partition.without_zeros
        self._draws = SharedDraws(self._rows) if self._rows.shared_entries else None

    def totals(self) -> FloatArray:
        """Sum v_ic v_jc over all pairs, for each cluster c."""
        rows = self._rows
        sizes = rows.sums_of_columns
        squares = np.bincount(rows.columns, rows.values**2, minlength=rows.k)
        return np.where(rows.entries_a_column > 1, 0.5 * (sizes**2 - squares), 0.0)

    def batch(self, index: PairIndex, size: int, number: int) -> FloatArray:
        """Sum weights, discordances and expected discordances over random pairs.

        Return an array of shape (3, clusters + 1), whose last column is for all clusters.
        """
        if self._draws is None:
            return np.zeros((3, self._rows.k + 1))
        effort, n = self._own.effort, self._rows.n
        i, j = self._draws.draw(
            effort.stream(Stream.EXPLANATIONS, number, 2 * self._position), size
        )
        agreements = [
            random_agreements(side.partition, index.agreement, i, j)[0]
            for side in (self._own, self._other)
        ]
        discordance = index.concordance.discordance(agreements[0], agreements[1])
        rng = effort.stream(Stream.EXPLANATIONS, number, 2 * self._position + 1)
        chance = random_agreements(
            self._other.partition, index.agreement, *random_pairs(rng, n, size)
        )[0]
        height = index.concordance.curve(Atoms.of_sample(chance))[0](agreements[0])
        matrix = self._rows.matrix
        products = matrix[i].multiply(matrix[j]).tocsr()
        values = np.stack([np.ones(size), discordance, height])
        values /= agreements_of_pairs(self._rows, i, j, product=False)
        sums = np.asarray((products.T @ values.T).T)
        return np.hstack([sums, sums.sum(axis=1, keepdims=True)])
