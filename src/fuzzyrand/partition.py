"""What users hand in, validated once at the door and turned into a Partition."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from ._types import FloatArray, IntArray
from .errors import InputError
from .labels import encode_labels
from .sorted_sums import PairDistances, sum_of_distances
from .threads import map_in_order

#: How far a row's sum may lie from 1 and still be called rounding.
SUM_TOLERANCE = {"float64": 1e-6, "float32": 1e-3}
#: How far an entry may lie outside [0, 1] and still be called rounding.
ENTRY_TOLERANCE = {"float64": 1e-9, "float32": 1e-6}
#: Rows read at a time, so that checking them finds them in the cache.
_CHUNK = 1 << 13


@dataclass(frozen=True, eq=False, repr=False)
class Partition:
    """One clustering: hard (``codes``) or fuzzy (``memberships``), never both.

    Build one with :meth:`from_labels`, :meth:`from_memberships` or
    :func:`as_partition`; the constructor itself checks nothing. Every function of
    fuzzyrand takes a Partition wherever it takes labels or memberships, so a
    clustering that is used often is read and checked once.

    Attributes
    ----------
    codes : array of int, or None
        Cluster of each point, from 0, when the clustering is hard.
    memberships : array of shape (n, k), or None
        Rows on the simplex (or in the unit cube when possibilistic) otherwise.
    k : int
        Number of clusters there could have been, empty ones included.
    possibilistic : bool
        True when the rows do not sum to one.
    """

    codes: IntArray | None
    memberships: FloatArray | None
    k: int
    possibilistic: bool = False

    @classmethod
    def from_labels(cls, labels: Any, *, clusters: int | None = None) -> Partition:
        """Read one label a point.

        Parameters
        ----------
        labels : sequence of hashables
            The cluster of each point.
        clusters : int, optional
            How many clusters there could have been, empty ones included; they
            count in the models ``sym`` and ``flat``. By default those that occur.

        Examples
        --------
        >>> Partition.from_labels(["a", "b", "a"], clusters=4)
        Partition(hard, 3 points, 4 clusters, 2 of them occupied)
        """
        codes, occurring = encode_labels(labels, "clustering")
        codes = codes.copy()  # not the caller's own array, which may change
        return cls._from_codes(codes, _declared(clusters, occurring), "clustering")

    @classmethod
    def from_memberships(
        cls, memberships: Any, *, normalize: bool = False, possibilistic: bool = False
    ) -> Partition:
        """Read a (points, clusters) matrix of memberships.

        Parameters
        ----------
        memberships : array-like, SciPy sparse matrix, pandas or polars frame
            Rows are points. Rows whose sum differs from 1 by rounding only are divided by it.
        normalize : bool
            Divide every row by its sum, whatever it is.
        possibilistic : bool
            Accept rows that do not sum to one.

        Examples
        --------
        >>> Partition.from_memberships([[0.7, 0.3], [0.2, 0.8], [1, 0]])
        Partition(fuzzy, 3 points, 2 clusters)
        """
        return _read_memberships(memberships, "clustering", normalize, possibilistic)

    @classmethod
    def _from_codes(cls, codes: IntArray, k: int, name: str) -> Partition:
        _require_points(codes.size, name, k=None)
        return cls(codes=codes, memberships=None, k=k)

    @property
    def n(self) -> int:
        """Number of points."""
        rows = self.codes if self.codes is not None else self.memberships
        assert rows is not None
        return int(rows.shape[0])

    @property
    def pairs(self) -> int:
        """Number of pairs of points (a Python integer, so it cannot overflow)."""
        return self.n * (self.n - 1) // 2

    @property
    def is_hard(self) -> bool:
        """Does every point belong to exactly one cluster?"""
        return self.codes is not None

    @property
    def kind(self) -> str:
        """``"hard"``, ``"fuzzy"`` or ``"possibilistic"``."""
        return "hard" if self.is_hard else "possibilistic" if self.possibilistic else "fuzzy"

    @cached_property
    def sizes(self) -> FloatArray:
        """Points (or total membership) of each cluster."""
        if self.codes is not None:
            return np.bincount(self.codes, minlength=self.k).astype(np.float64)
        assert self.memberships is not None
        return np.asarray(self.memberships.sum(axis=0))

    def learn_sizes(self, sizes: npt.NDArray[np.int64]) -> None:
        """Take over sizes of hard clusters that were counted on the way to something else."""
        self.__dict__["sizes"] = sizes.astype(np.float64)

    @property
    def occupied(self) -> int:
        """Number of clusters that are not empty."""
        return int(np.count_nonzero(self.sizes))

    def distances(self, groups: IntArray | None, threads: int | None = None) -> PairDistances:
        """Sums of L1 distances over pairs (see ``sorted_sums``); over all pairs, once only."""
        assert self.memberships is not None
        known = self.__dict__.get("_all_pairs")
        if known is not None and groups is None:
            return PairDistances(known, 0.0)
        found = sum_of_distances(self.memberships, groups, threads)
        self.__dict__["_all_pairs"] = found.all_pairs
        return found

    @cached_property
    def same_cluster_pairs(self) -> int:
        """Number of pairs of points in one cluster, for a hard clustering."""
        assert self.codes is not None
        sizes = self.sizes.astype(np.int64)
        return int((sizes * (sizes - 1)).sum()) // 2

    def __repr__(self) -> str:
        points, clusters = f"{self.n} points", f"{self.k} cluster" + "s" * (self.k != 1)
        empty = f", {self.occupied} of them occupied" if self.occupied < self.k else ""
        return f"Partition({self.kind}, {points}, {clusters}{empty})"


def as_partition(
    clustering: Any,
    *,
    normalize: bool = False,
    possibilistic: bool = False,
    name: str = "clustering",
) -> Partition:
    """Turn whatever describes a clustering into a :class:`Partition`.

    One dimension is read as labels, two as memberships with points in rows.

    Parameters
    ----------
    clustering : Partition, label vector or (points, clusters) memberships
        Lists, NumPy arrays, SciPy sparse matrices, pandas and polars objects.
    normalize, possibilistic : bool
        See :meth:`Partition.from_memberships`.
    name : str
        What error messages call it.

    Examples
    --------
    >>> as_partition([0, 0, 1, 1, 2])
    Partition(hard, 5 points, 3 clusters)
    """
    partition = read_partition(clustering, normalize, possibilistic, name)
    if partition is clustering or partition.codes is None:
        return partition
    # Not the caller's own array, which may change.
    return replace(partition, codes=partition.codes.copy())


def read_partition(clustering: Any, normalize: bool, possibilistic: bool, name: str) -> Partition:
    """The same, but labels may still be the caller's own array: for use within one call."""
    if isinstance(clustering, Partition):
        if normalize and clustering.possibilistic:
            raise InputError(
                f"the {name} is a Partition with rows that do not sum to 1, and is not read again; "
                "make it with Partition.from_memberships(..., normalize=True)."
            )
        return clustering
    if _is_labels(clustering, name):
        codes, occurring = encode_labels(clustering, name)
        return Partition._from_codes(codes, occurring, name)
    return _read_memberships(clustering, name, normalize, possibilistic)


def as_pair(
    first: Any, second: Any, *, normalize: bool = False, possibilistic: bool = False
) -> tuple[Partition, Partition]:
    """Read two clusterings of the same points."""
    a = read_partition(first, normalize, possibilistic, "first clustering")
    b = read_partition(second, normalize, possibilistic, "second clustering")
    require_same_points(a, b, "the first clustering", "the second")
    return a, b


def require_same_points(a: Partition, b: Partition, name_a: str, name_b: str) -> None:
    """Refuse two clusterings of different numbers of points."""
    if a.n == b.n:
        return
    hint = ""
    for one, other in ((a, b), (b, a)):
        if one.memberships is not None and one.k == other.n:
            hint = " One of them looks transposed: rows are points, columns are clusters."
    raise InputError(
        f"{name_a} has {a.n} points and {name_b} has {b.n}; "
        f"both must describe the same points in the same order.{hint}"
    )


def _is_labels(clustering: Any, name: str) -> bool:
    """One dimension or two? Lists of strings or of tuples of strings are labels as well."""
    if hasattr(clustering, "ndim"):
        dimensions = int(clustering.ndim)
    elif hasattr(clustering, "shape"):
        dimensions = len(clustering.shape)
    elif isinstance(clustering, list | tuple | range):
        if len(clustering) == 0:
            raise InputError(f"the {name} is empty; at least 2 points are needed.")
        # A tuple may be a row of memberships or a label: rows are made of numbers throughout.
        rows = [isinstance(row, list | np.ndarray) or _is_numeric_tuple(row) for row in clustering]
        if not any(rows):
            return True
        if not all(rows):
            odd = rows.index(False)
            raise InputError(
                f"row {odd} of the {name} is {clustering[odd]!r} where other rows are sequences; "
                "give either one label a point or one row of memberships a point."
            )
        return False
    else:
        raise InputError(
            f"the {name} is a {type(clustering).__name__}; expected a label vector or a "
            "(points, clusters) matrix: a list, NumPy array, SciPy sparse matrix, "
            "pandas or polars object."
        )
    if dimensions not in (1, 2):
        raise InputError(
            f"the {name} has {dimensions} dimensions; expected 1 (one label a point) or "
            "2 (points in rows, clusters in columns)."
        )
    return dimensions == 1


def _is_numeric_tuple(row: Any) -> bool:
    return isinstance(row, tuple) and all(isinstance(entry, Real) for entry in row)


def _read_memberships(
    memberships: Any, name: str, normalize: bool, possibilistic: bool
) -> Partition:
    if hasattr(memberships, "tocsr"):
        codes = _codes_of_one_hot_sparse(memberships.tocsr())
        if codes is not None:
            return Partition._from_codes(codes, int(memberships.shape[1]), name)
        memberships = memberships.toarray()
    raw = _numeric_matrix(memberships, name)
    n, k = raw.shape
    _require_points(n, name, k)
    precision = "float32" if raw.dtype in (np.float32, np.float16) else "float64"
    matrix: FloatArray = np.empty((n, k))
    sums, ones = np.empty(n), np.ones(k)

    def read(start: int) -> None:
        rows = matrix[start : start + _CHUNK]
        rows[:] = raw[start : start + _CHUNK]
        _check_entries(rows, start, name, ENTRY_TOLERANCE[precision], bounded=not normalize)
        np.maximum(rows, 0.0, out=rows)
        with np.errstate(over="ignore"):  # sums that are not finite are refused below
            np.dot(rows, ones, out=sums[start : start + _CHUNK])

    for _ in map_in_order(read, range(0, n, _CHUNK)):
        pass
    if normalize:
        empty = np.flatnonzero(sums == 0.0)
        if empty.size:
            raise InputError(
                f"row {empty[0]} of the {name} is all zeros and cannot be normalized; "
                "drop that point from both clusterings, or give it memberships."
            )
        huge = np.flatnonzero(~np.isfinite(sums))
        if huge.size:
            raise InputError(
                f"row {huge[0]} of the {name} sums to more than a double can hold; scale it down."
            )
        off = np.zeros(0, dtype=np.intp)
    else:
        off = np.flatnonzero(np.abs(sums - 1.0) > SUM_TOLERANCE[precision])
    if off.size and not possibilistic:
        raise InputError(_sums_message(matrix, sums, off, name))
    if not off.size:
        matrix /= sums[:, None]
        codes = _codes_of_one_hot(matrix)
        if codes is not None:
            return Partition._from_codes(codes, k, name)
    else:
        np.minimum(matrix, 1.0, out=matrix)
    return Partition(codes=None, memberships=matrix, k=k, possibilistic=bool(off.size))


def _numeric_matrix(memberships: Any, name: str) -> npt.NDArray[Any]:
    """A two-dimensional array of a real dtype, or an error that names the offending entry."""
    if np.ma.isMaskedArray(memberships):
        if np.ma.getmaskarray(memberships).any():
            row = int(np.flatnonzero(np.ma.getmaskarray(memberships).any(axis=1))[0])
            raise InputError(
                f"row {row} of the {name} has masked entries; fill them or drop the point "
                "from both clusterings."
            )
        memberships = memberships.data
    if isinstance(memberships, list | tuple):
        flat = next((i for i, row in enumerate(memberships) if not hasattr(row, "__len__")), None)
        if flat is not None:
            raise InputError(
                f"row {flat} of the {name} is {memberships[flat]!r}; memberships need one sequence "
                "a point. Labels go in through Partition.from_labels or as they are."
            )
        lengths = [len(row) for row in memberships]
        ragged = next((i for i, length in enumerate(lengths) if length != lengths[0]), None)
        if ragged is not None:
            raise InputError(
                f"row {ragged} of the {name} has {lengths[ragged]} entries where row 0 has "
                f"{lengths[0]}; every point needs one membership for each cluster."
            )
    columns = getattr(memberships, "columns", None)
    array = memberships.to_numpy() if hasattr(memberships, "to_numpy") else np.asarray(memberships)
    if array.ndim != 2:
        raise InputError(
            f"the {name} has {array.ndim} dimensions; memberships need 2 "
            "(points in rows, clusters in columns)."
        )
    if array.dtype.kind in "biuf":
        return np.asarray(array)
    if array.dtype.kind in "OUST":
        return _floats_of_objects(array, columns, name)
    raise InputError(
        f"the {name} has entries of type {array.dtype}; memberships are real numbers from 0 to 1."
    )


def _floats_of_objects(array: npt.NDArray[Any], columns: Any, name: str) -> FloatArray:
    """Numbers stored as objects, entry by entry so that the first bad one can be named."""
    numbers = np.empty(array.shape, dtype=np.float64)
    for (row, column), entry in np.ndenumerate(array):
        if isinstance(entry, str | bytes) or entry is None:
            number = None
        else:
            try:
                number = float(entry)
            except (TypeError, ValueError):
                number = None
        if number is None:
            where = f"column {columns[column]!r}" if columns is not None else f"column {column}"
            raise InputError(
                f"row {row}, {where} of the {name} is {entry!r}, not a number. Keep only the "
                "membership columns; labels go in as one-dimensional data."
            )
        numbers[row, column] = number
    return numbers


def _check_entries(rows: FloatArray, start: int, name: str, slack: float, *, bounded: bool) -> None:
    low, high = rows.min(), rows.max()
    if low >= -slack and high <= (1.0 + slack if bounded else np.finfo(float).max):
        return  # which NaN does not satisfy either

    def refuse(bad: npt.NDArray[np.bool_], what: str, advice: str) -> None:
        if bad.any():
            row, column = (int(i) for i in np.argwhere(bad)[0])
            raise InputError(
                f"row {start + row}, column {column} of the {name} is {rows[row, column]:g}, "
                f"which is {what}. {advice}"
            )

    refuse(
        ~np.isfinite(rows),
        "not a finite number",
        "Fill missing memberships, or drop such points from both clusterings.",
    )
    refuse(rows < -slack, "negative", "Memberships lie between 0 and 1.")
    advice = "Memberships lie between 0 and 1; normalize=True divides each row by its sum."
    if rows.shape[1] == 1:
        advice = "If these are labels, pass them as one-dimensional data (e.g. x.ravel())."
    refuse(rows > 1.0 + slack, "above 1", advice)


def _sums_message(matrix: FloatArray, sums: FloatArray, off: IntArray, name: str) -> str:
    row, n = int(off[0]), matrix.shape[0]
    worst = float(np.abs(sums - 1.0).max())
    message = (
        f"row {row} of the {name} sums to {sums[row]:.6g}, off from 1 by {abs(sums[row] - 1):.2g} "
        f"({off.size} of {n} rows are off, the worst by {worst:.2g})."
    )
    if np.allclose(matrix.sum(axis=0), 1.0, atol=1e-6):
        return message + " Its columns sum to 1: it looks transposed; rows must be points."
    if matrix.shape[1] == 1:
        return message + " If these are labels, pass them as one-dimensional data (x.ravel())."
    return (
        message + " Memberships of a point sum to 1: normalize=True divides each row by its sum, "
        "possibilistic=True accepts the rows as they are."
    )


def _require_points(n: int, name: str, k: int | None) -> None:
    if n < 2:
        hint = ""
        if n == 1 and k is not None and k > 1:
            hint = f" It has {k} columns: if those are the points, transpose it."
        raise InputError(
            f"the {name} has {n} point{'s' * (n != 1)}; at least 2 are needed to have a pair.{hint}"
        )
    if k == 0:
        raise InputError(f"the {name} has no columns; a point needs at least one cluster.")


def _declared(clusters: int | None, occurring: int) -> int:
    if clusters is None:
        return occurring
    if not isinstance(clusters, int | np.integer):
        raise InputError(f"clusters must be a whole number, got {clusters!r}.")
    if clusters < occurring:
        raise InputError(
            f"clusters={clusters}, but {occurring} different labels occur; "
            "it counts the clusters there could have been, empty ones included."
        )
    return int(clusters)


def _codes_of_one_hot(matrix: FloatArray) -> IntArray | None:
    if np.count_nonzero(matrix) != matrix.shape[0]:
        return None
    codes = matrix.argmax(axis=1)
    one = matrix[np.arange(matrix.shape[0]), codes] == 1.0
    return codes if one.all() else None


def _codes_of_one_hot_sparse(csr: Any) -> IntArray | None:
    """Cluster codes of a sparse one-hot matrix, which is never made dense."""
    csr = csr.copy()
    csr.sum_duplicates()
    csr.eliminate_zeros()
    if csr.nnz != csr.shape[0] or (np.diff(csr.indptr) != 1).any() or (csr.data != 1).any():
        return None
    return np.asarray(csr.indices, dtype=np.intp)
