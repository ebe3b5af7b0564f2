"""Shuffle points of two clusterings whose agreements are dot products, with Gram matrices.

For centred rows (see ``centred``), the sums over all pairs that change with the order of the points
only need the product of the two matrices of rows: O(n k1 k2) for each order.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ..._base.types import FloatArray, IntArray
from ..._clusterings.partition import Partition
from ...indices.agreements import GramAgreement
from .base import TIE, Orders, Shuffles, divided, random_orders
from .centred import CentredGroups, CentredRows

#: Most entries of shuffled rows processed together.
ENTRIES = 1 << 18


class Cross(NamedTuple):
    """Sums over points of products of the two sides, for each of some orders of the points.

    Attributes
    ----------
    squares : array
        Squared Frobenius norm of W1'W2.
    pp, pl, lp, ll : array
        Sums of p or l of the first side times p or l of the second.
    """

    squares: FloatArray
    pp: FloatArray
    pl: FloatArray
    lp: FloatArray
    ll: FloatArray


class _GramShuffles(Shuffles):
    """Shuffles for discordances that are linear in the products of dot products.

    Parameters
    ----------
    first, second : CentredRows or CentredGroups
        The rows of each side.
    n : int
        Number of points.
    mean : float
        Mean discordance over all permutations.
    """

    how = "shuffles by Gram matrices"

    def __init__(
        self,
        first: CentredRows | CentredGroups,
        second: CentredRows,
        n: int,
        mean: float,
    ) -> None:
        pairs = n * (n - 1.0)  # ordered pairs
        self.points, self._mean = n, mean
        self._slope = -2.0 / pairs
        self._expected = pairs * first.mean * second.mean
        # Upper bound on the sums, by Cauchy-Schwarz.
        most = pairs * math.sqrt(first.variance() * second.variance())
        self.tolerance = TIE * abs(self._slope) * most + 4.0 * float(np.finfo(float).eps) * mean

    def _discordance(self, cross: Cross) -> FloatArray:
        n, (squares, pp, pl, lp, ll) = self.points, cross
        sums = squares + 2.0 * (n - 2.0) * pp - 2.0 * pl - 2.0 * lp - ll
        return np.asarray(np.maximum(self._mean + self._slope * (sums - self._expected), 0.0))


class FuzzyGramShuffles(_GramShuffles):
    """Discordances of two fuzzy clusterings whose points are shuffled."""

    def __init__(
        self, first: Partition, second: Partition, agreement: GramAgreement, mean: float
    ) -> None:
        rows1, rows2 = _rows(first, agreement), _rows(second, agreement)
        self._rows = np.ascontiguousarray(rows1.rows.T), rows2.rows
        self.work = float(rows1.rows.size * rows2.rows.shape[1])
        super().__init__(rows1, rows2, first.n, mean)
        self.observed = float(self.of_orders(np.arange(first.n, dtype=np.int32)[None])[0])

    def of_orders(self, orders: Orders) -> FloatArray:
        """Return the discordance for points of the second side in the order of each row."""
        parts = divided(orders, ENTRIES // self._rows[1].size)
        return np.concatenate([self._of_few_orders(part) for part in parts])

    def _of_few_orders(self, orders: Orders) -> FloatArray:
        table = self._rows[0] @ self._rows[1][orders]
        squares = np.einsum("sij,sij->s", table[:, :-2, :-2], table[:, :-2, :-2])
        corner = (table[:, i, j] for i in (-2, -1) for j in (-2, -1))
        return self._discordance(Cross(squares, *corner))

    def draw(self, rng: np.random.Generator, size: int) -> FloatArray:
        return self.of_orders(random_orders(rng, self.points, size))


class HardGramShuffles(_GramShuffles):
    """Discordances of a hard and a fuzzy clustering whose points are shuffled."""

    def __init__(
        self, hard: Partition, fuzzy: Partition, agreement: GramAgreement, mean: float
    ) -> None:
        self._groups, rows = CentredGroups.of(hard), _rows(fuzzy, agreement)
        self._codes, self._columns = hard.rows.codes, np.ascontiguousarray(rows.rows.T)
        self.work = float(3 * rows.rows.size)
        super().__init__(self._groups, rows, hard.n, mean)
        self.observed = float(self.of_labels(self._codes[None])[0])

    def of_labels(self, labels: IntArray) -> FloatArray:
        """Return the discordance for each row of labels of the hard side."""
        p, lengths = self._groups.p, self._groups.lengths
        cross = np.empty((5, labels.shape[0]))
        for out, row in zip(cross.T, labels, strict=True):
            # The columns of W2 sum to 0, so the mean row of the first side cancels.
            *w, p2, lengths2 = (np.bincount(row, column, p.size) for column in self._columns)
            out[0] = sum(column @ column for column in w)
            out[1:] = p @ p2, p @ lengths2, lengths @ p2, lengths @ lengths2
        return self._discordance(Cross(*cross))

    def draw(self, rng: np.random.Generator, size: int) -> FloatArray:
        return self.of_labels(np.stack([rng.permutation(self._codes) for _ in range(size)]))


def _rows(partition: Partition, agreement: GramAgreement) -> CentredRows:
    return CentredRows.of(agreement.of(partition).rows(partition.rows.dense))
