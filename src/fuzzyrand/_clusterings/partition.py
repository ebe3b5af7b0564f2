"""The class Partition: a clustering that users pass in, validated once and kept in one form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from .._base.errors import InputError
from .._base.estimate import ROUNDING
from .._base.types import FloatArray, IntArray
from .._base.wording import Option, Place
from .cluster_names import ClusterNames
from .options import InputOptions
from .points.point_ids import ids_of
from .reading.arraylike import dimensions, is_missing, is_sequence, require_dimensions, shown
from .reading.communities import read_communities
from .reading.foreign import unwrapped
from .reading.labels import encode_labels, missing_filled
from .reading.memberships import read_memberships
from .reading.sparse_memberships import read_sparse, sparse_if_mostly_zero, sparse_table
from .rows import LabelRows, Rows
from .sparse_rows import SparseRows
from .weighting import Weighting


@dataclass(frozen=True)
class Noise:
    """Noise points of a clustering, and how they are treated.

    Attributes
    ----------
    treatment : "cluster", "singletons" or "drop"
        Noise counts as a cluster, is shared by no two points, or was left out.
    points : int
        Number of points that are wholly or partly noise; with "drop", number of points left out.
    mass : float
        Share of noise in all memberships.
    cluster : int, optional
        The cluster (or column) that holds the noise, as long as there is one.
    label : str
        The noise label; empty if noise is the shortfall of rows from a sum of 1.
    """

    treatment: str
    points: int
    mass: float
    cluster: int | None = None
    label: str = ""


@dataclass(frozen=True, eq=False)
class Unmatched:
    """Points of a clustering that were left out, because another clustering lacks them.

    Attributes
    ----------
    points, total : int
        Number of points left out, and number of all points.
    names : sequence of str, or None
        Names of the clusters when all points were there.
    sizes, lost : array
        Points (or total membership) of these clusters, and how much of it was left out.
    """

    points: int
    total: int
    names: Sequence[str] | None
    sizes: FloatArray
    lost: FloatArray

    @property
    def share(self) -> float:
        """Share of the points that was left out."""
        return self.points / self.total


@dataclass(frozen=True, eq=False, repr=False)
class Partition:
    """One clustering, hard or fuzzy: the memberships of its points, and what else is known of it.

    Build one with :meth:`from_labels`, :meth:`from_memberships` or
    :func:`as_partition`; the constructor itself checks nothing. Every function of
    fuzzyrand takes a Partition wherever it takes labels or memberships, so a
    clustering that is used often is read and checked once.

    Attributes
    ----------
    rows : Rows
        The memberships: labels, a matrix (full, in single precision, or without its zeros), or
        blocks.
    possibilistic : bool
        Whether the rows do not sum to 1.
    names : sequence of str, or None
        Names of the clusters: the labels, or the columns of a frame; None for a matrix without
        names. They are converted to text only on request. No result depends on them, and empty
        clusters beyond the labels that occur have none.
    ids : sequence, or None
        Ids of the points: the index of a pandas object, the points in sets or dicts, or the names
        in a file. None if the points are identified only by their order, as in a NumPy array. Two
        clusterings that both have ids are matched by them, whatever their order.
    noise : Noise or None
        Noise points and their treatment; None if the caller did not mention noise.
    absent : array of bool, or None
        Points without any memberships or label, which comparisons leave out.
    left_out : int
        Number of points that were left out.
    places : array of int, or None
        Positions of the points before some were left out; None if none were.
    unmatched : Unmatched or None
        Points that were left out because another clustering lacks them; None if none were.
    cover : bool
        Whether clusters overlap: points are wholly in several clusters, or in none.
    weighting : Weighting or None
        How much each point counts in a comparison; None if all count alike.

    See Also
    --------
    as_partition : Make a Partition from labels, memberships or a frame.

    Notes
    -----
    A matrix whose rows are all one-hot is hard and stored as labels; it gives the same results as
    its labels.

    Examples
    --------
    >>> list(Partition.from_labels(["rosa", "vera", "rosa"]).names)
    ['rosa', 'vera']
    """

    rows: Rows
    possibilistic: bool = False
    names: Sequence[str] | None = None
    ids: Sequence[Any] | None = None
    noise: Noise | None = None
    absent: npt.NDArray[np.bool_] | None = None
    left_out: int = 0
    places: IntArray | None = None
    unmatched: Unmatched | None = None
    cover: bool = False
    weighting: Weighting | None = None

    @classmethod
    def from_labels(cls, labels: Any, *, clusters: int | None = None) -> Partition:
        """Read one label for each point.

        Parameters
        ----------
        labels : sequence of hashables
            The cluster of each point.
        clusters : int, optional
            Number of clusters there could have been, empty ones included; it
            matters for the models ``sym`` and ``flat``. By default, those that occur.

        Examples
        --------
        >>> Partition.from_labels(["a", "b", "a"], clusters=4)
        Partition(hard, 3 points, 4 clusters, 2 of them occupied)
        """
        labels = unwrapped(labels)
        codes, different = encode_labels(labels, "clustering")
        k = _declared(clusters, len(different))
        rows = LabelRows(codes, k)
        return cls(rows.detach(), names=ClusterNames(different), ids=ids_of(labels))

    @classmethod
    def from_memberships(
        cls,
        memberships: Any,
        *,
        normalize: bool = False,
        possibilistic: bool = False,
        missing: str | None = None,
    ) -> Partition:
        """Read a (points, clusters) matrix of memberships.

        Parameters
        ----------
        memberships : array-like, SciPy sparse matrix, pandas or polars frame
            Rows are points. Rows whose sum differs from 1 only by rounding are divided by it.
        normalize : bool
            Divide every row by its sum, whatever it is.
        possibilistic : bool
            Accept rows that do not sum to 1.
        missing : None, "noise" or "drop"
            "noise" takes the shortfall of a row from a sum of 1 as its probability of being noise,
            and appends it as a last column. "drop" marks rows that are NaN throughout, which
            comparisons then leave out.

        Examples
        --------
        >>> Partition.from_memberships([[0.7, 0.3], [0.2, 0.8], [1, 0]])
        Partition(fuzzy, 3 points, 2 clusters)
        """
        options = InputOptions(normalize, possibilistic, missing=missing)
        partition = _of_memberships(unwrapped(memberships), "clustering", options)
        return replace(partition, rows=partition.rows.detach())

    @property
    def n(self) -> int:
        """Number of points."""
        return self.rows.n

    @property
    def k(self) -> int:
        """Number of clusters there could have been, empty ones included."""
        return self.rows.k

    @property
    def codes(self) -> IntArray | None:
        """Cluster of each point, from 0, if the clustering is hard; otherwise None."""
        return self.rows.codes if self.is_hard else None

    @property
    def memberships(self) -> FloatArray | None:
        """Memberships as a full matrix if the clustering is not hard; otherwise None."""
        return None if self.is_hard else self.rows.dense

    @property
    def pairs(self) -> int:
        """Number of pairs of points (a Python integer, so it cannot overflow)."""
        return self.n * (self.n - 1) // 2

    @property
    def weights(self) -> FloatArray | None:
        """Weights of the points, with a mean of 1; None if all count alike."""
        return None if self.weighting is None or self.weighting.equal else self.weighting.values

    @property
    def pair_total(self) -> float:
        """Number of pairs of points, or the sum of the products of their weights."""
        return self.pairs if self.weights is None else self._weighting.pairs

    @property
    def _weighting(self) -> Weighting:
        assert self.weighting is not None
        return self.weighting

    @property
    def dropped(self) -> int:
        """Number of points that were left out because they are noise or missing."""
        return self.left_out - (0 if self.weighting is None else self.weighting.left_out)

    @property
    def effective_n(self) -> float:
        """Number of points, or the number that would be as informative without weights."""
        return self.n if self.weights is None else self._weighting.effective

    @property
    def is_hard(self) -> bool:
        """Whether every point belongs to exactly one cluster."""
        return self.rows.hard

    @property
    def kind(self) -> str:
        """``"hard"``, ``"fuzzy"``, ``"possibilistic"`` or ``"overlapping"``."""
        if self.is_hard:
            return "hard"
        return "overlapping" if self.cover else "possibilistic" if self.possibilistic else "fuzzy"

    @cached_property
    def sizes(self) -> FloatArray:
        """Points (or total membership) of each cluster; with weights, sums of these."""
        return self.rows.sums(self.weights)

    def keep_sizes(self, sizes: npt.NDArray[Any]) -> None:
        """Store sizes of the clusters that were counted as a by-product of another computation."""
        self.__dict__.setdefault("sizes", np.asarray(sizes, dtype=np.float64))

    @property
    def occupied(self) -> int:
        """Number of clusters that are not empty."""
        return int(np.count_nonzero(self.sizes))

    @cached_property
    def same_cluster_pairs(self) -> float:
        """Number of pairs in the same cluster of a hard clustering; with weights, their total."""
        if self.weights is not None:
            return max(0.5 * float(self.sizes @ self.sizes - self._weighting.squares), 0.0)
        sizes = self.sizes.astype(np.int64)
        return int((sizes * (sizes - 1)).sum()) // 2

    @property
    def is_trivial(self) -> bool:
        """Whether all points have the same memberships, so that shuffling them changes nothing.

        Examples
        --------
        >>> [Partition.from_labels(labels).is_trivial for labels in ([3, 3], [3, 4])]
        [True, False]
        """
        if self.is_hard:
            return self.occupied == 1
        if not self.rows.fits_dense:
            return False
        return bool(np.ptp(self.rows.dense, axis=0).max() <= ROUNDING)

    @property
    def noise_is_singletons(self) -> bool:
        """Whether there is noise that no two points share.

        If so, each noise point of a hard clustering is a cluster of its own, after the other
        clusters, and the last column of a fuzzy clustering is noise.
        """
        noise = self.noise
        return noise is not None and noise.treatment == "singletons" and noise.points > 0

    @property
    def clusters(self) -> int:
        """Number of clusters that points can share: all except unshared noise."""
        if not self.noise_is_singletons:
            return self.k
        assert self.noise is not None
        return self.k - (self.noise.points if self.is_hard else 1)

    @cached_property
    def shared(self) -> Rows:
        """Memberships in the clusters that points can share."""
        apart = self.noise_is_singletons and not self.is_hard
        return self.rows.drop_last() if apart else self.rows

    @property
    def unshared(self) -> FloatArray:
        """Membership of each point in noise that no two points share; a single 0 without noise."""
        apart = self.noise_is_singletons and not self.is_hard
        return self.rows.column(self.k - 1) if apart else np.zeros(1)

    @cached_property
    def without_zeros(self) -> SparseRows:
        """Memberships in the clusters that points can share, without zeros."""
        return self.shared.without_zeros

    def take(self, points: npt.NDArray[Any]) -> Partition:
        """Return the clustering of some points, given by their numbers or a mask, without ids."""
        return replace(
            self,
            rows=self.rows.take(points),
            ids=None,
            weighting=None if self.weighting is None else self.weighting.take(points),
        )

    @property
    def pilot(self) -> Partition:
        """The clustering itself if it is in memory, otherwise that of a random sample of points."""
        return self if self.rows.in_memory else replace(self, rows=self.rows.pilot, ids=None)

    @property
    def in_blocks(self) -> str:
        """Text to append to how a number was computed: the number of blocks, or ""."""
        blocks = self.rows.blocks
        return f", {blocks:,} block{'s' * (blocks != 1)}" if blocks else ""

    @property
    def proportions(self) -> FloatArray:
        """Share of each cluster in all memberships; the last one is unshared noise, if any."""
        sizes = self.sizes
        if self.is_hard and self.noise_is_singletons:
            sizes = np.append(sizes[: self.clusters], sizes[self.clusters :].sum())
        return np.asarray(sizes / sizes.sum())

    @property
    def summary(self) -> str:
        """Kind and number of clusters, in words."""
        noise = " and noise" if self.noise_is_singletons else ""
        clusters = f"{self.kind}, {self.clusters} cluster{'s' * (self.clusters != 1)}{noise}"
        none = self.unclustered
        return f"{clusters}, {none:,} point{'s' * (none != 1)} in none" if none else clusters

    @property
    def unclustered(self) -> int:
        """Number of points of a cover that are in no cluster."""
        return int(np.count_nonzero(self.rows.filled == 0)) if self.cover else 0

    def __repr__(self) -> str:
        points, k = f"{self.n} points", self.clusters
        noise = " and noise" if self.noise_is_singletons else ""
        none = f", {self.unclustered} points in none" if self.unclustered else ""
        empty = f", {self.occupied} of them occupied" if self.occupied < self.k else ""
        return f"Partition({self.kind}, {points}, {k} cluster{'s' * (k != 1)}{noise}{none}{empty})"


def as_partition(
    clustering: Any,
    *,
    normalize: bool = False,
    possibilistic: bool = False,
    missing: str | None = None,
    name: str = "clustering",
) -> Partition:
    """Read a clustering in any supported form as a :class:`Partition`.

    One-dimensional data are read as labels, two-dimensional data as memberships with points in
    rows. A list of sets of points is read as clusters of these points, as is a dict of cluster to
    points; a dict of point to label as its labels. The index of a pandas object is kept as the ids
    of the points, and so are the points in sets and dicts.

    Parameters
    ----------
    clustering : Partition, label vector or (points, clusters) memberships
        Lists, NumPy arrays, SciPy sparse matrices, pandas and polars objects, sets of points,
        dicts.
    normalize, possibilistic : bool
        See :meth:`Partition.from_memberships`.
    missing : None, "noise" or "drop"
        See :meth:`Partition.from_memberships`. For labels, "noise" takes points without a label as
        noise, and "drop" marks them to be left out of comparisons.
    name : str
        Name of the clustering in error messages.

    Returns
    -------
    Partition
        The clustering, checked; a Partition is returned unchanged.

    Raises
    ------
    InputError
        If the clustering cannot be read; the message says where and what to do.

    See Also
    --------
    Partition.from_labels : Read labels, with the number of clusters there could have been.
    Partition.from_memberships : Read memberships.

    Examples
    --------
    >>> as_partition([0, 0, 1, 1, 2])
    Partition(hard, 5 points, 3 clusters)
    """
    options = InputOptions(normalize, possibilistic, missing=missing)
    partition = read_partition(clustering, options, name)
    return (
        partition if partition is clustering else replace(partition, rows=partition.rows.detach())
    )


def read_partition(clustering: Any, options: InputOptions, name: str) -> Partition:
    """Read a clustering for use within one call; its codes may be the caller's own array."""
    if isinstance(clustering, Partition):
        if options.normalize and clustering.possibilistic:
            raise InputError(
                "{place} is a Partition with rows that do not sum to 1, and is not read again; "
                "make it with Partition.from_memberships(..., {normalize}).",
                place=Place(name),
                normalize=Option("normalize", True),
            )
        return clustering
    if type(clustering) is not np.ndarray or clustering.dtype == object:
        clustering = unwrapped(clustering)
        communities = read_communities(clustering, name)
        if communities is not None:
            partition = _of_labels(communities.labels, name, options.missing)
            return replace(partition, ids=communities.ids)
    if _is_labels(clustering, name, drop=options.missing == "drop"):
        return _of_labels(clustering, name, options.missing)
    return _of_memberships(clustering, name, options)


def _of_labels(labels: Any, name: str, missing: str | None) -> Partition:
    if missing is None:
        codes, different = encode_labels(labels, name)
        rows = LabelRows(codes, len(different))
        return Partition(rows, names=ClusterNames(different), ids=ids_of(labels))
    filled, absent = missing_filled(labels, name)
    partition = replace(_of_labels(filled, name, None), ids=ids_of(labels))
    if absent is None:
        return partition
    if missing == "drop":
        return replace(partition, absent=absent)
    assert partition.names is not None
    points = int(np.count_nonzero(absent))
    codes = np.where(absent, np.intp(partition.k), partition.rows.codes)
    return replace(
        partition,
        rows=LabelRows(codes, partition.k + 1),
        names=ClusterNames([*partition.names, "noise"]),
        noise=Noise("cluster", points, points / partition.n, cluster=partition.k),
    )


def _of_memberships(memberships: Any, name: str, options: InputOptions) -> Partition:
    table = sparse_table(memberships, name)
    if table is None:
        full = read_memberships(memberships, name, options)
        read = sparse_if_mostly_zero(full, options.budget)
    else:
        read = read_sparse(table, name, options)
    partition = Partition(
        read.rows, read.possibilistic, read.names, ids_of(memberships), absent=read.absent
    )
    if not read.noise:
        return partition
    last = partition.k - 1
    shares = partition.rows.column(last)
    points, mass = int(np.count_nonzero(shares)), float(np.mean(shares))
    return replace(partition, noise=Noise("cluster", points, mass, cluster=last))


def _is_labels(clustering: Any, name: str, *, drop: bool) -> bool:
    """Return whether this is one-dimensional; a list of strings or of tuples of strings is, too."""
    declared = dimensions(clustering, name)
    if not is_sequence(clustering):
        require_dimensions(declared, (1, 2), name)
        return declared == 1
    rows = [_is_row(row) for row in clustering]
    if not any(rows):
        return True
    for i, (is_row, row) in enumerate(zip(rows, clustering, strict=True)):
        # A tuple among rows is taken as a row; the entry that is not a number is found later.
        if not is_row and not isinstance(row, tuple) and not (drop and is_missing(row)):
            raise InputError(
                "{place} is {shown} where other rows are sequences; give either one label or "
                "one row of memberships for each point.",
                place=Place(name, i),
                shown=shown(row),
                value=row,
            )
    return False


def _is_row(row: Any) -> bool:
    """Return whether this is a row of memberships; a tuple is one if all entries are numbers."""
    if isinstance(row, tuple):
        return all(isinstance(entry, Real | Decimal) for entry in row)
    return isinstance(row, list) or (isinstance(row, np.ndarray) and row.ndim > 0)


def _declared(clusters: int | None, occurring: int) -> int:
    if clusters is None:
        return occurring
    if not isinstance(clusters, int | np.integer):
        raise InputError(
            "{parameter} must be an integer, got {value!r}.",
            parameter=Option("clusters"),
            value=clusters,
        )
    if clusters < occurring:
        raise InputError(
            "{parameter}, but {occurring} different labels occur. It is the number of possible "
            "clusters, empty ones included.",
            parameter=Option("clusters", int(clusters)),
            occurring=occurring,
        )
    return int(clusters)
