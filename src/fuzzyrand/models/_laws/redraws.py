"""Draw clusterings from a model in place of a given one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..._base.types import IntArray
from ..._clusterings.noise import last_as_singletons
from ..._clusterings.partition import Partition, as_partition
from ..._clusterings.rows import LabelRows
from ..._distributions.rows import Categorical, RowDistribution


def drawn_from_rows(
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


def drawn_of_sizes(sizes: IntArray, rng: np.random.Generator) -> Partition:
    """Draw a hard clustering whose clusters have given sizes, with its points in random order."""
    codes = np.repeat(np.arange(sizes.size), sizes)
    return Partition(LabelRows(rng.permutation(codes), int(sizes.size)))
