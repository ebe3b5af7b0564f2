"""Sparse membership matrices, read and checked without making them dense.

These are SciPy's sparse arrays and matrices, pandas frames of sparse columns, and sequences with a
list of (cluster, membership) pairs for each point, like gensim's topics of documents.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..._base.budget import Budget
from ..._base.errors import InputError
from ..._base.types import FloatArray, IntArray
from ..._base.wording import Place
from ..cluster_names import ClusterNames
from ..options import InputOptions
from ..rows import LARGEST_DENSE, LabelRows
from ..sparse_rows import SparseRows
from .arraylike import is_sequence, require_points, shown
from .memberships import (
    ENTRY_TOLERANCE,
    SUM_TOLERANCE,
    Memberships,
    check_entries,
    read_memberships,
    reading_of_sums,
)
from .number_tables import NumberTable
from .sparse_format import checked_csr

#: Most rows and columns, whose numbers are kept in 32 bits.
MOST_COLUMNS = (1 << 31) - 1


class SparseTable(NamedTuple):
    """A SciPy matrix in CSR format, and the names of its columns."""

    matrix: Any
    columns: Any = None

    @property
    def names(self) -> Sequence[str] | None:
        """Names of the columns, if the data have any."""
        return None if self.columns is None else ClusterNames(tuple(self.columns))


def sparse_table(data: Any, name: str) -> SparseTable | None:
    """Return the sparse matrix that a user passed in; None if the data are not sparse."""
    if hasattr(data, "tocsr"):
        # Vectors and other types of entries are refused by the reader of full matrices.
        readable = data.ndim == 2 and data.dtype.kind in "biuf"
        return SparseTable(checked_csr(data, Place(name))) if readable else None
    if hasattr(data, "sparse") and _all_sparse(getattr(data, "dtypes", ())):
        return SparseTable(checked_csr(data.sparse.to_coo(), Place(name)), data.columns)
    return _of_lists(data, name) if _is_lists_of_pairs(data) else None


def _all_sparse(dtypes: Any) -> bool:
    """Return whether all columns of a pandas frame are sparse numbers with zeros left out."""
    kinds = [getattr(dtype, "subtype", np.dtype(object)).kind for dtype in dtypes]
    real = bool(kinds) and all(kind in "biuf" for kind in kinds)
    return real and all(dtype.fill_value == 0 for dtype in dtypes)


def _is_lists_of_pairs(data: Any) -> bool:
    """Return whether the elements of a sequence are lists of (cluster, membership) pairs."""
    if not is_sequence(data) or any(not isinstance(row, list | tuple) for row in data):
        return False
    first = next((row for row in data if len(row)), None)
    return first is not None and _is_pair(first[0])


def _is_pair(entry: Any) -> bool:
    return (
        isinstance(entry, tuple)
        and len(entry) == 2
        and isinstance(entry[0], Integral)
        and isinstance(entry[1], Real)
    )


def _is_storable(column: Any, value: Any) -> bool:
    """Return whether a column has a number that is supported, and a double can hold the value."""
    try:
        float(value)
    except OverflowError:
        return False
    return 0 <= int(column) < MOST_COLUMNS


def _of_lists(rows: Sequence[Any], name: str) -> SparseTable:
    from scipy.sparse import csr_array  # Deferred: slow to import and seldom needed.

    for i, row in enumerate(rows):
        for entry in row:
            if not _is_pair(entry) or not _is_storable(*entry):
                raise InputError(
                    "{place} has the entry {shown}; where rows are lists of (cluster, membership) "
                    "pairs, clusters are numbers from 0 and memberships are numbers.",
                    place=Place(name, i),
                    shown=shown(entry),
                    value=entry,
                )
    entries = [entry for row in rows for entry in row]
    columns = np.array([int(column) for column, _ in entries], dtype=np.int64)
    values = np.array([float(value) for _, value in entries])
    starts = np.concatenate([[0], np.cumsum([len(row) for row in rows])])
    shape = len(rows), int(columns.max()) + 1
    return SparseTable(csr_array((values, columns, starts), shape=shape))


def read_sparse(table: SparseTable, name: str, options: InputOptions) -> Memberships:
    """Return sparse rows on the simplex, the codes of one-hot rows, or a full matrix.

    Matrices that are small or have few zeros are made full, and so are possibilistic ones.
    """
    n, k = table.matrix.shape
    require_points(n, name, k)
    if max(n, k) > MOST_COLUMNS:
        raise InputError(
            "{place} has {n:,} rows and {k:,} columns; at most {most:,} of each are supported.",
            place=Place(name),
            n=n,
            k=k,
            most=MOST_COLUMNS,
        )
    matrix = table.matrix.copy()
    matrix.sum_duplicates()
    single = matrix.dtype.kind == "f" and matrix.dtype.itemsize < 8
    rows, absent = SparseRows.of(matrix), None
    if options.missing == "drop":
        rows, absent = _absent_filled(rows)
    codes = _codes_of_one_hot(rows)
    if codes is not None:
        return Memberships(LabelRows(codes, k), names=table.names, absent=absent)
    budget = options.budget
    if n * k <= budget.full_entries or rows.values.size > budget.sparse_share * n * k:
        return read_memberships(_full(matrix, table), name, options)
    precision = "float32" if single else "float64"
    _check(rows, NumberTable(matrix, name, table.columns), ENTRY_TOLERANCE[precision], options)
    rows = _without_negatives(rows)
    sums, tolerance, names = rows.sums_of_rows, SUM_TOLERANCE[precision], table.names
    reading = reading_of_sums(rows, sums, tolerance, name, options)
    if reading == "possibilistic":
        _require_room(rows, name)
        return read_memberships(_full(matrix, table), name, options)
    noise = reading == "noise"
    if noise:
        rows = _with_noise(rows, np.where(sums < 1.0 - tolerance, 1.0 - sums, 0.0))
        sums, names = rows.sums_of_rows, None if names is None else ClusterNames([*names, "noise"])
    rows = rows.scale(1.0 / sums)
    codes = _codes_of_one_hot(rows)
    read = rows if codes is None else LabelRows(codes, rows.k)
    return Memberships(read, names=names, noise=noise, absent=absent)


def _absent_filled(rows: SparseRows) -> tuple[SparseRows, npt.NDArray[np.bool_] | None]:
    """Fill rows that are NaN throughout with a dummy hard row; return the rows and their mask."""
    missing = np.isnan(rows.values)
    absent = np.bincount(rows.points[missing], minlength=rows.n) == rows.k
    if not absent.any():
        return rows, None
    matrix = rows.matrix
    matrix.data = np.where(absent[rows.points], rows.columns == 0, rows.values)
    return SparseRows.of(matrix), absent


def sparse_if_mostly_zero(read: Memberships, budget: Budget) -> Memberships:
    """Leave out the zeros of a full matrix if it is large and almost all zero."""
    rows = read.rows
    size = rows.n * rows.k
    if rows.hard or read.possibilistic or not budget.full_entries < size <= LARGEST_DENSE:
        return read
    few = rows.entries <= budget.mostly_zero_share * size
    return read._replace(rows=rows.without_zeros) if few else read


def _full(matrix: Any, table: SparseTable) -> Any:
    """Return a full matrix, with its column names if it has any."""
    full = matrix.toarray()
    return full if table.columns is None else _Named(full, table.columns)


@dataclass(frozen=True)
class _Named:
    """A full matrix with column names, with the interface of a frame."""

    numbers: FloatArray
    columns: Any

    @property
    def shape(self) -> tuple[int, ...]:
        return self.numbers.shape

    def to_numpy(self) -> FloatArray:
        return self.numbers


def _check(rows: SparseRows, table: NumberTable, slack: float, options: InputOptions) -> None:
    values = rows.values
    most = np.finfo(float).max if options.normalize else 1.0 + slack
    bad = np.flatnonzero(~((values >= -slack) & (values <= most)))
    if bad.size:
        row = int(rows.points[bad[0]])
        here = rows.take(np.array([row])).dense
        check_entries(here, row, table, slack, bounded=not options.normalize)


def _without_negatives(rows: SparseRows) -> SparseRows:
    """Leave out negative entries, which are only rounding."""
    if (rows.values > 0.0).all():
        return rows
    matrix = rows.matrix
    matrix.data = np.maximum(matrix.data, 0.0)
    return SparseRows.of(matrix)


def _with_noise(rows: SparseRows, lacking: FloatArray) -> SparseRows:
    """Append a column that makes every row sum to 1."""
    from scipy.sparse import csr_array, hstack  # Deferred: slow to import and seldom needed.

    return SparseRows.of(hstack([rows.matrix, csr_array(lacking[:, None])], format="csr"))


def _codes_of_one_hot(rows: SparseRows) -> IntArray | None:
    """Return the cluster of each row if all rows are one-hot, otherwise None."""
    if rows.values.size != rows.n or (np.diff(rows.starts) != 1).any() or (rows.values != 1).any():
        return None
    return rows.columns.astype(np.intp)


def _require_room(rows: SparseRows, name: str) -> None:
    if rows.n * rows.k > LARGEST_DENSE:
        raise InputError(
            "{place} has rows that do not sum to 1 and is too large to be made a full matrix "
            "({n:,} × {k:,}), which possibilistic clusterings need. Divide its rows by their sums, "
            "or take a sample of the points.",
            place=Place(name),
            n=rows.n,
            k=rows.k,
        )
