"""Families: clusters of different runs that are the same thing.

The likeness of two clusters is the correlation of their membership columns over the points that
their runs share: 0 by chance, and not lowered by fuzziness. Families come from average linkage, cut
where the mean correlation of two groups of clusters is ``CUT``. Two groups whose mean correlation
reaches the cut contain two clusters whose correlation does, so each family lies within one
component of the graph of such clusters, and the components are linked one at a time.

Noise of single runs lowers the correlation of two clusters, but hardly that of the means of many
clusters. Families without a run in common are therefore joined, the most similar first, as long as
the correlation of their mean columns (of standardised columns) reaches the cut, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.sparse import coo_array, csr_array
from scipy.sparse.csgraph import connected_components

from ..._base.types import FloatArray, IntArray
from .sums import Overlaps

#: Mean correlation from which two groups of clusters are one family.
CUT = 0.5
#: Share of a cluster, beyond chance, from which it counts as a part of a larger one.
INSIDE = 0.5
#: Correlations that differ by at most this are equal.
CLOSE = 1e-9
#: Cells of a table of likenesses (0.4 MB; several are needed at a time).
CELLS = 50_000
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


def likenesses(
    overlaps: Overlaps, clusters: IntArray | None = None
) -> Iterator[tuple[IntArray, Likeness]]:
    """Yield some clusters at a time, and how they relate to all clusters (or to those given)."""
    every = np.arange(overlaps.run.size) if clusters is None else clusters
    step = max(1, CELLS // max(every.size, 1))
    for start in range(0, every.size, step):
        own = every[start : start + step]
        yield own, likeness(overlaps, own, every)


def _indicators(family: IntArray, families: int) -> csr_array:
    """Return, for each cluster and each of the first families, whether it belongs to the family."""
    some = np.flatnonzero((family >= 0) & (family < families))
    entries = np.ones(some.size), (some, family[some])
    return csr_array(entries, shape=(family.size, families))


def family_of(overlaps: Overlaps) -> IntArray:
    """Return the family of each cluster, numbered from 0 in the order of their first clusters."""
    return _joined(overlaps, _in_order(linked_families(overlaps)))


def linked_families(overlaps: Overlaps) -> IntArray:
    """Return the groups of average linkage of all clusters."""
    size = overlaps.run.size
    edges = [np.empty((0, 2), dtype=np.int32)]
    for own, found in likenesses(overlaps):
        edge = np.argwhere(found.correlation >= CUT - CLOSE).astype(np.int32)
        edge[:, 0] += own[0]
        edges.append(edge[edge[:, 0] < edge[:, 1]])
    first, second = np.concatenate(edges).T
    graph = coo_array((np.ones(first.size, dtype=np.int8), (first, second)), shape=(size, size))
    component = np.asarray(connected_components(graph, directed=False)[1])
    family, count = np.empty(size, dtype=np.intp), 0
    order = np.argsort(component, kind="stable")
    for members in np.split(order, np.flatnonzero(np.diff(component[order])) + 1):
        labels = np.zeros(members.size, dtype=np.intp)
        if members.size > 1:
            labels[:] = _linked(overlaps, members)
        family[members] = count + labels
        count += int(labels.max(initial=-1)) + 1
    return family


def _joined(overlaps: Overlaps, family: IntArray) -> IntArray:
    """Join families without a common run whose mean columns are alike, the most similar first."""
    sizes = np.bincount(family)
    # Two families of one cluster each are not alike, or they would have been linked.
    large = np.flatnonzero(sizes > 1)
    if large.size == 0 or large.size == sizes.size == 1:
        return family
    family, count = family.copy(), sizes.size
    runs = np.zeros((count, int(overlaps.run.max()) + 1), dtype=bool)
    runs[family, overlaps.run] = True
    shared = runs[large].astype(np.float32) @ runs.T.astype(np.float32)
    sums = np.zeros((large.size, count))
    place = np.full(count, -1)
    place[large] = np.arange(large.size)
    belongs = _indicators(family, count)
    for own, found in likenesses(overlaps):
        sums += (belongs[own].T @ (found.correlation @ belongs))[large]
    spread = np.ones(count)  # Sums over all pairs of a family; 1 for a single cluster.
    spread[large] = sums[np.arange(large.size), large]
    every = np.arange(overlaps.run.size)
    while True:
        alike = sums / np.sqrt(np.outer(spread[large], spread))
        alike[shared > 0] = -np.inf
        best = alike.max()
        if not best >= CUT - CLOSE:
            return _in_order(family)
        # The first of those that are equal but for rounding.
        row, other = np.argwhere(alike >= best - CLOSE)[0].tolist()
        kept = int(large[row])
        moved = np.flatnonzero(family == other)
        gained = likeness(overlaps, moved, every).correlation.sum(axis=0)
        gained = np.bincount(family, gained, minlength=count)
        sums[row] += gained
        sums[:, kept] += sums[:, other]
        spread[kept] += spread[other] + 2.0 * gained[kept]
        sums[row, kept] = spread[kept]
        family[moved] = kept
        runs[kept] |= runs[other]
        shared[row] = runs[kept].astype(np.float32) @ runs.T.astype(np.float32)
        shared[:, kept] = shared[row, large]
        shared[:, other], sums[:, other] = 1.0, 0.0  # It is no more.
        if place[other] >= 0:
            shared[place[other]] = 1.0


def _in_order(family: IntArray) -> IntArray:
    """Return families numbered from 0 in the order of their first clusters."""
    _, first, inverse = np.unique(family, return_index=True, return_inverse=True)
    return np.asarray(np.argsort(np.argsort(first))[inverse], dtype=np.intp)


def _linked(overlaps: Overlaps, members: IntArray) -> IntArray:
    """Return the groups of average linkage of some clusters, numbered from 0."""
    distances, first = [], 0
    for own, found in likenesses(overlaps, members):
        above = np.arange(members.size) > np.arange(first, first + own.size)[:, None]
        distances.append(np.maximum(1.0 - found.correlation[above], 0.0))
        first += own.size
    groups = fcluster(linkage(np.concatenate(distances), "average"), 1.0 - CUT + CLOSE, "distance")
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
        cluster of the first, beyond chance, over the runs of the first that lack the second: in the
        others, it has already split. NaN if there are no such runs.
    """

    firmness: FloatArray
    partners: IntArray
    inside: FloatArray


def relate(overlaps: Overlaps, family: IntArray, families: int) -> Relations:
    """Relate each cluster to its family, and the first families to each other."""
    run, belongs = overlaps.run, _indicators(family, families)
    firmness, partners = np.full(run.size, np.nan), np.zeros(run.size, dtype=np.intp)
    sizes = np.asarray(belongs.sum(axis=0)).ravel()
    lacks = np.ones((int(run.max()) + 1, families), dtype=bool)
    lacks[run[belongs.nonzero()[0]], belongs.nonzero()[1]] = False
    inside, pairs = np.zeros((families, families)), np.zeros((families, families))
    for own, found in likenesses(overlaps):
        same = (family[own, None] == family) & (run[own, None] != run)
        partners[own] = same.sum(axis=1)
        total = np.where(same, found.correlation, 0.0).sum(axis=1)
        firmness[own] = np.where(partners[own] > 0, total / np.maximum(partners[own], 1), np.nan)
        mine, lacking = belongs[own].T, lacks[run[own]]
        inside += mine @ ((found.inside @ belongs) * lacking)
        pairs += mine @ (sizes * lacking)
    inside = np.where(pairs > 0.0, inside / np.maximum(pairs, 1.0), np.nan)
    return Relations(firmness, partners, inside)


def children_of(inside: FloatArray, sizes: FloatArray) -> list[tuple[int, ...]]:
    """Return the families that are parts of each family, without the parts of these parts."""
    part = (np.nan_to_num(inside) >= INSIDE) & (sizes[:, None] > sizes)
    np.fill_diagonal(part, False)
    indirect = (part.astype(np.int64) @ part.astype(np.int64)) > 0
    direct = part & ~indirect
    return [tuple(np.flatnonzero(row).tolist()) for row in direct]
