"""Families: clusters of different runs that are the same thing.

The likeness of two clusters is the correlation of their membership columns over the points that
their runs share: 0 by chance, and not lowered by fuzziness. Families come from average linkage, cut
where the mean correlation of two groups of clusters is ``CUT``. Two groups whose mean correlation
reaches the cut contain two clusters whose correlation does, so each family lies within one
component of the graph of such clusters, and the components are linked one at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial.distance import squareform

from .._base.types import FloatArray, IntArray
from .sums import Overlaps

#: Mean correlation from which two groups of clusters are one family.
CUT = 0.5
#: Share of a cluster, beyond chance, from which it counts as a part of a larger one.
INSIDE = 0.5
#: Variances up to this, of columns whose entries are at most 1, are rounding.
CONSTANT = 1e-14


class Likeness(NamedTuple):
    """How some clusters relate to others.

    Attributes
    ----------
    correlation : array
        Correlations over the common points; clusters are rows, and others are columns.
    inside : array of the same shape
        Share of each other cluster that lies within the cluster, beyond chance.
    """

    correlation: FloatArray
    inside: FloatArray


def likeness(overlaps: Overlaps, clusters: IntArray, others: IntArray) -> Likeness:
    """Relate clusters to other clusters.

    A cluster j lies inside a cluster i to the share cov(i, j)(1 − pⱼ) / (var(j)(1 − pᵢ)), with p
    the share of a cluster in the weight of all points. For hard clusters, this is the share of the
    points of j that are in i, rescaled so that chance gives 0.
    """
    ours, theirs = overlaps.group[clusters], overlaps.group[others]
    weight = overlaps.weight[np.ix_(ours, theirs)]
    p = overlaps.sums[np.ix_(clusters, theirs)] / weight
    q = overlaps.sums[np.ix_(others, ours)].T / weight
    covariance = overlaps.gram[np.ix_(clusters, others)] / weight - p * q
    variance = overlaps.squares[np.ix_(clusters, theirs)] / weight - p**2
    other = overlaps.squares[np.ix_(others, ours)].T / weight - q**2
    vary = (variance > CONSTANT) & (other > CONSTANT)
    spread = np.sqrt(np.where(vary, variance * other, 1.0))
    correlation = np.where(vary, covariance / spread, 0.0)
    # Clusters that hold all points are the same; an empty cluster is like none.
    constant = (variance <= CONSTANT) & (other <= CONSTANT)
    correlation[constant & (p > 0.0) & (np.abs(p - q) <= CONSTANT**0.5)] = 1.0
    whole = np.where(vary, other * (1.0 - p), 1.0)
    return Likeness(correlation, np.where(vary, covariance * (1.0 - q) / whole, 0.0))


def likenesses(overlaps: Overlaps) -> Iterator[tuple[IntArray, Likeness]]:
    """Yield the clusters of one run after another, and how they relate to the clusters of all."""
    every = np.arange(overlaps.run.size)
    for own in np.split(every, np.flatnonzero(np.diff(overlaps.run)) + 1):
        yield own, likeness(overlaps, own, every)


def family_of(overlaps: Overlaps) -> IntArray:
    """Return the family of each cluster, numbered from 0."""
    size = overlaps.run.size
    edges = [np.empty((0, 2), dtype=np.int32)]
    for own, found in likenesses(overlaps):
        edge = np.argwhere(found.correlation >= CUT - 1e-9).astype(np.int32)
        edge[:, 0] += own[0]
        edges.append(edge[edge[:, 0] < edge[:, 1]])
    first, second = np.concatenate(edges).T
    graph = coo_array((np.ones(first.size, dtype=np.int8), (first, second)), shape=(size, size))
    _, component = connected_components(graph, directed=False)
    family, count = np.empty(size, dtype=np.intp), 0
    order = np.argsort(component, kind="stable")
    for members in np.split(order, np.flatnonzero(np.diff(component[order])) + 1):
        labels = np.zeros(members.size, dtype=np.intp)
        if members.size > 1:
            labels = _linked(1.0 - likeness(overlaps, members, members).correlation)
        family[members] = count + labels
        count += int(labels.max(initial=-1)) + 1
    return family


def _linked(distances: FloatArray) -> IntArray:
    """Return the groups of average linkage, numbered from 0."""
    condensed = squareform(distances, checks=False)
    groups = fcluster(linkage(condensed, "average"), 1.0 - CUT + 1e-9, "distance")
    return np.asarray(groups, dtype=np.intp) - 1


class Relations(NamedTuple):
    """How clusters relate to their families, and families to each other.

    Attributes
    ----------
    firmness : array
        For each cluster, its mean correlation with the clusters of its family in other runs; NaN if
        there are none.
    partners : array of int
        Number of these clusters.
    inside : array of shape (families, families)
        For the families asked for, the mean share of a cluster of the second that lies within a
        cluster of the first in another run, beyond chance; NaN if there are no such clusters.
    """

    firmness: FloatArray
    partners: IntArray
    inside: FloatArray


def relate(overlaps: Overlaps, family: IntArray, families: int) -> Relations:
    """Relate each cluster to its family, and the first families to each other."""
    size = overlaps.run.size
    firmness, partners = np.full(size, np.nan), np.zeros(size, dtype=np.intp)
    some = np.flatnonzero(family < families)
    belongs = coo_array((np.ones(some.size), (some, family[some])), shape=(size, families)).tocsr()
    inside, pairs = np.zeros((families, families)), np.zeros((families, families))
    for own, found in likenesses(overlaps):
        elsewhere = overlaps.run != overlaps.run[own[0]]
        same = (family[own, None] == family) & elsewhere
        partners[own] = same.sum(axis=1)
        total = np.where(same, found.correlation, 0.0).sum(axis=1)
        firmness[own] = np.where(partners[own] > 0, total / np.maximum(partners[own], 1), np.nan)
        mine = belongs[own]
        inside += mine.T @ (belongs.T @ np.where(elsewhere, found.inside, 0.0).T).T
        counts = np.asarray(mine.sum(axis=0)).ravel()
        pairs += np.outer(counts, np.asarray(belongs[elsewhere].sum(axis=0)).ravel())
    inside = np.where(pairs > 0.0, inside / np.maximum(pairs, 1.0), np.nan)
    return Relations(firmness, partners, inside)


def children_of(inside: FloatArray, sizes: FloatArray) -> list[tuple[int, ...]]:
    """Return the families that are parts of each family, without the parts of these parts."""
    part = (np.nan_to_num(inside) >= INSIDE) & (sizes[:, None] > sizes)
    np.fill_diagonal(part, False)
    indirect = (part.astype(np.int64) @ part.astype(np.int64)) > 0
    direct = part & ~indirect
    return [tuple(np.flatnonzero(row).tolist()) for row in direct]
