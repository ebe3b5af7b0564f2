"""Clusterings drawn from a model in place of a given one, and the model fitted to them again.

What a fit to few points does to a statistic, it also does to that of clusterings which are drawn
from the fit and fitted again: a parametric bootstrap.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from ..._base.errors import FuzzyRandError
from ..._base.types import IntArray
from ..._clusterings.noise import last_as_singletons
from ..._clusterings.partition import Partition, as_partition
from ..._clusterings.rows import LabelRows
from ..._distributions.row_distributions import Categorical, RowDistribution
from .base import Law

if TYPE_CHECKING:
    from ..base import Model
    from .side import Side

#: Number of attempts to draw a clustering that the model can be fitted to.
ATTEMPTS = 10

Statistic = TypeVar("Statistic")


class Redraws:
    """Clusterings drawn in place of that of a side.

    Parameters
    ----------
    side : Side
        The clustering, the index and the effort.
    model : Model
        The model that is fitted to the clusterings drawn.
    law : Law
        Its law for the given clustering; drawn ones have the same if there is nothing to fit.
    rows : RowDistribution or None
        The distribution of independent rows; None if the model draws the sizes of clusters.
    """

    def __init__(self, side: Side, model: Model, law: Law, rows: RowDistribution | None) -> None:
        self.side, self.model, self.law, self.rows = side, model, law, rows
        self.fitted = model.fitted(side.partition)

    def are_possible(self, rng: np.random.Generator) -> bool:
        """Return whether a clustering can be drawn at low cost."""
        return self.rows is not None or self._sizes(rng) is not None

    def draw(self, rng: np.random.Generator) -> Partition:
        """Draw a clustering of as many points, with the same weights."""
        if self.rows is not None:
            return draw_rows(self.rows, self.side.partition, rng)
        return draw_order(self._drawn_sizes(rng), self.side.partition, rng)

    def draw_given_sizes(self, rng: np.random.Generator) -> Partition:
        """Draw a clustering with the sizes of its clusters, if the model depends on them alone.

        Given the sizes, every order of the points is equally likely.
        """
        given = self.side.partition
        if not (given.is_hard and isinstance(self.rows, Categorical) and self.fitted):
            return self.draw(rng)
        shuffled = LabelRows(rng.permutation(given.rows.codes), given.k)
        return replace(given, rows=shuffled, ids=None)

    def draw_unordered(self, rng: np.random.Generator, n: int) -> Partition:
        """Draw a clustering of n points in no particular order, without weights."""
        if self.rows is None:
            return _of_sizes(self._drawn_sizes(rng))
        if isinstance(self.rows, Categorical) and not self.side.partition.noise_is_singletons:
            p = self.rows.p
            return _of_sizes(rng.multinomial(n, p / p.sum()))
        return draw_rows(self.rows, self.side.partition, rng, n)

    def law_of(self, drawn: Side) -> Law:
        """Return the law of the model fitted to a clustering that was drawn."""
        return drawn.law(self.model) if self.fitted else self.law

    def _drawn_sizes(self, rng: np.random.Generator) -> IntArray:
        sizes = self._sizes(rng)
        assert sizes is not None
        return sizes

    def _sizes(self, rng: np.random.Generator) -> IntArray | None:
        return self.model.draw_sizes(self.side.partition, rng)


def try_to_fit(statistic: Callable[[], Statistic]) -> Statistic | None:
    """Return a statistic of a clustering that is drawn and fitted again; None if no fit succeeds.

    For few points, the likelihood may have no maximum. Another clustering is drawn then.
    """
    for _ in range(ATTEMPTS):
        try:
            return statistic()
        except FuzzyRandError:
            continue
    return None


def draw_rows(
    rows: RowDistribution, like: Partition, rng: np.random.Generator, n: int | None = None
) -> Partition:
    """Draw a clustering whose points are independent rows of a distribution.

    Parameters
    ----------
    rows : RowDistribution
        The distribution of rows that a model assigns to a clustering.
    like : Partition
        That clustering, for its numbers of points and clusters and the treatment of its noise.
    rng : numpy.random.Generator
        Source of randomness.
    n : int, optional
        Another number of points.
    """
    n = like.n if n is None else n
    if isinstance(rows, Categorical):
        drawn = Partition(LabelRows(rows.codes(rng, n), max(rows.p.size, like.clusters)))
    else:
        drawn = as_partition(rows.sample(rng, n), possibilistic=like.possibilistic)
    if n == like.n:
        drawn = replace(drawn, weighting=like.weighting)
    return last_as_singletons(drawn) if like.noise_is_singletons else drawn


def draw_order(sizes: IntArray, like: Partition, rng: np.random.Generator) -> Partition:
    """Draw the order of the points of hard clusters of given sizes, with the weights of others."""
    codes = rng.permutation(_of_sizes(sizes).rows.codes)
    return Partition(LabelRows(codes, int(sizes.size)), weighting=like.weighting)


def _of_sizes(sizes: IntArray) -> Partition:
    """Return a hard clustering of given sizes; agreements do not depend on the order of points."""
    return Partition(LabelRows(np.repeat(np.arange(sizes.size), sizes), int(sizes.size)))
