"""Sums over the points that two runs share, from which all likenesses of runs and clusters follow.

With Z the columns of all runs and W the weights of the points, the table Z'WZ holds the overlap of
every two clusters. Two points are together in a run to the degree a = u·v, the dot product of their
memberships. The discordance of two runs is the mean of (a₁ − a₂)² over all pairs of points, which
is the index ``jousselme`` (for hard runs, the Rand index), and it needs no pairs: the sum of a₁a₂
over all pairs is the sum of the squared overlaps of the clusters, up to the pairs of a point with
itself. Under permutations, the mean of a₁a₂ is the product of the means.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.linalg.blas import dsyrk

from ..._base.errors import InputError
from ..._base.estimate import ROUNDING
from ..._base.progress import progress
from ..._base.types import FloatArray, IntArray
from .columns import Columns


class Overlaps(NamedTuple):
    """Sums of products of clusters over the points that their runs share.

    Attributes
    ----------
    gram : array of shape (clusters, clusters)
        Sums of the products of two columns of memberships, times weights.
    sums, squares : arrays of shape (clusters, groups)
        Sums of each column, and of its squares, over the points of each group of runs.
    weight : array of shape (groups, groups)
        Weight of the points that two groups share.
    run, group : arrays of int
        The run of each cluster, in increasing order, and its group.
    """

    gram: FloatArray
    sums: FloatArray
    squares: FloatArray
    weight: FloatArray
    run: IntArray
    group: IntArray


@dataclass(eq=False)
class RunSums:
    """Sums of products over the common points of runs; a group of runs has the same points.

    Attributes
    ----------
    columns : Columns
        The clusters of all runs.
    gram : array of shape (columns, columns)
        Sums of the products of two columns, times weights.
    sums, squares : arrays of shape (columns, groups)
        Sums of each column, and of its squares, over the points of each group, times weights.
    points, weight, weight2 : arrays of shape (groups, groups)
        Number of the points that two groups share, and sums of their weights and squared weights.
    lengths : array of shape (runs, runs)
        Sums of the products of the squared lengths of a point's rows in two runs, times w².
    lengths1, lengths2 : arrays of shape (runs, groups)
        Sums of the squared lengths of rows, and of their squares, times w².
    products : dict of int to array of shape (products, groups)
        For fuzzy runs, if there are several groups: sums of the products of two columns of the same
        run, in the order of ``numpy.triu_indices``.
    """

    columns: Columns
    gram: FloatArray
    sums: FloatArray
    squares: FloatArray
    points: FloatArray
    weight: FloatArray
    weight2: FloatArray
    lengths: FloatArray
    lengths1: FloatArray
    lengths2: FloatArray
    products: dict[int, FloatArray]

    @classmethod
    def of(cls, columns: Columns) -> RunSums:
        """Add up all points, a block at a time."""
        size, runs, groups = columns.size, len(columns.runs), int(columns.groups.max()) + 1
        fuzzy = [number for number, run in enumerate(columns.runs) if not run.is_hard]
        pairs = {r: columns.runs[r].clusters * (columns.runs[r].clusters + 1) // 2 for r in fuzzy}
        sums = cls(
            columns,
            np.zeros((size, size), order="F"),
            np.zeros((size, groups)),
            np.zeros((size, groups)),
            np.zeros((groups, groups)),
            np.zeros((groups, groups)),
            np.zeros((groups, groups)),
            np.zeros((runs, runs)),
            np.zeros((runs, groups)),
            np.zeros((runs, groups)),
            {} if groups == 1 else {r: np.zeros((count, groups)) for r, count in pairs.items()},
        )
        blocks = list(columns.blocks())
        for points in progress(blocks, len(blocks), "runs"):
            sums._add(points)
        mirror(sums.gram)
        return sums

    def _add(self, points: slice) -> None:
        columns = self.columns
        rows, mask, weights = columns.block(points), columns.mask(points), columns.weights[points]
        weighted = weights[:, None] * mask
        self.points += mask.T @ mask
        self.weight += weighted.T @ mask
        self.weight2 += weighted.T @ weighted
        self.sums += rows.T @ weighted
        self.gram = add_products(self.gram, rows, weights)
        for run, table in self.products.items():
            for part, products in own_products(rows[:, columns.of(run)]):
                table[part] += products.T @ weighted
        np.square(rows, out=rows)
        self.squares += rows.T @ weighted
        lengths = columns.by_run(rows, axis=1)
        weighted *= weights[:, None]
        self.lengths1 += lengths.T @ weighted
        self.lengths2 += (lengths**2).T @ weighted
        lengths *= weights[:, None]
        self.lengths += lengths.T @ lengths

    def require_common_points(self, names: list[str]) -> None:
        """Refuse runs of which two share fewer than two points."""
        groups = self.columns.groups
        few = np.argwhere(self.points[np.ix_(groups, groups)] < 2.0)
        if few.size:
            first, second = few[0].tolist()
            count = int(self.points[groups[first], groups[second]])
            raise InputError(
                "the runs {first!r} and {second!r} share {count} point{plural}, and at least 2 are "
                "needed to compare them. Points are joined by ids: are these the same ids?",
                first=names[first],
                second=names[second],
                count=count,
                plural="s" * (count != 1),
            )

    @property
    def overlaps(self) -> Overlaps:
        """The sums that relate clusters."""
        run = self.columns.run
        group = self.columns.groups[run]
        return Overlaps(self.gram, self.sums, self.squares, self.weight, run, group)

    @cached_property
    def common(self) -> FloatArray:
        """Weight of the points that two runs share, of shape (runs, runs)."""
        groups = self.columns.groups
        return np.asarray(self.weight[np.ix_(groups, groups)])

    @cached_property
    def pairs(self) -> FloatArray:
        """Weight of the ordered pairs of different points that two runs share."""
        groups = self.columns.groups
        return np.asarray(self.common**2 - self.weight2[np.ix_(groups, groups)])

    def within(self, run: int) -> FloatArray:
        """Return sums of the products of two columns of a run over the points of each group.

        The products are those of :func:`own_products`; a hard run has only those of a column with
        itself.
        """
        own = self.columns.of(run)
        if self.columns.runs[run].is_hard:
            return np.asarray(self.sums[own])
        if run in self.products:
            return self.products[run]
        table = self.gram[own, own]
        return np.asarray(table[np.triu_indices(len(table))][:, None])

    @cached_property
    def expected(self) -> FloatArray:
        """Expected discordance of two runs whose points are shuffled."""
        columns, groups = self.columns, self.columns.groups
        both = columns.by_run(self.sums**2, axis=0) - self.lengths1
        means = both[:, groups] / self.pairs
        squares = self._squares / self.pairs
        return np.asarray(squares + squares.T - 2.0 * means * means.T)

    @cached_property
    def observed(self) -> FloatArray:
        """Discordance of two runs."""
        columns, products = self.columns, np.empty_like(self.lengths)
        for run in range(len(columns.runs)):
            block = self.gram[:, columns.of(run)]
            products[run] = columns.by_run(np.einsum("ij,ij->i", block, block), axis=0)
        squares = self._squares
        return np.asarray((squares + squares.T - 2.0 * (products - self.lengths)) / self.pairs)

    @cached_property
    def _squares(self) -> FloatArray:
        """Sums of squared agreements of each run over the pairs that it shares with another."""
        within = []
        for number, run in enumerate(self.columns.runs):
            table = self.within(number) ** 2
            within.append(table.sum(axis=0) if run.is_hard else mixed(run.clusters) @ table)
        return (np.stack(within) - self.lengths2)[:, self.columns.groups]

    @cached_property
    def adjusted(self) -> FloatArray:
        """Adjusted index of every two runs: 1 if they are the same, 0 on average by chance."""
        expected = self.expected
        chance = expected > ROUNDING
        ratio = np.divide(self.observed, expected, out=np.zeros_like(expected), where=chance)
        np.fill_diagonal(ratio, 0.0)
        return np.asarray(1.0 - 0.5 * (ratio + ratio.T))  # which differ by rounding


def own_products(rows: FloatArray) -> Iterator[tuple[slice, FloatArray]]:
    """Yield the products of columns i ≤ j, and their places in the order of ``triu_indices``."""
    size, start = rows.shape[1], 0
    for first in range(size):
        part = slice(start, start + size - first)
        yield part, rows[:, first:] * rows[:, first, None]
        start = part.stop


def mixed(size: int) -> FloatArray:
    """Return how often products occur in a square: once on the diagonal, otherwise twice."""
    first, second = np.triu_indices(size)
    return np.where(first == second, 1.0, 2.0)


def add_products(gram: FloatArray, rows: FloatArray, weights: FloatArray) -> FloatArray:
    """Add the weighted products of all pairs of columns to the upper triangle of a table."""
    scaled = rows if (weights == 1.0).all() else rows * np.sqrt(weights)[:, None]
    # In place, where a product of matrices would take a second table.
    return np.asarray(dsyrk(1.0, scaled.T, beta=1.0, c=gram, overwrite_c=True))


def mirror(table: FloatArray, step: int = 250) -> None:
    """Copy the upper triangle of a square table into the lower one, in place."""
    size = len(table)
    for start in range(0, size, step):
        part = slice(start, min(start + step, size))
        table[part, :start] = table[:start, part].T
        corner = table[part, part]
        table[part, part] = np.triu(corner) + np.triu(corner, 1).T
