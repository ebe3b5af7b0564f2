"""Membership matrices, read and checked once; invalid ones raise an InputError."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, NoReturn

import numpy as np
import numpy.typing as npt

from ..._base.errors import InputError
from ..._base.threads import map_in_order
from ..._base.types import FloatArray, IntArray
from ..._base.wording import Option, Place, Sentence
from ..cluster_names import ClusterNames
from ..options import InputOptions
from ..rows import DenseRows, LabelRows, Rows, SingleRows
from ..sparse_rows import SparseRows
from .arraylike import (
    dimensions,
    is_sequence,
    require_dimensions,
)
from .number_tables import DROPPING, FILL, NumberTable, as_table
from .sparse_format import checked_csr

#: Deviation of a row's sum from 1 up to which it counts as rounding.
SUM_TOLERANCE = {"float64": 1e-6, "float32": 1e-3}
#: Distance of an entry from [0, 1] up to which it counts as rounding.
ENTRY_TOLERANCE = {"float64": 1e-9, "float32": 1e-6}
#: Rows read at a time, few enough to be still in the cache when they are checked.
_CHUNK = 1 << 13


NORMALIZE = Option("normalize", True)
#: Deviation of a sum from 1 that is allowed where small memberships may have been cut off.
CUT_OFF = 0.05
#: Advice for a (clusters, points) matrix called u.
TRANSPOSE = "Pass its transpose, u.T."

#: Advice for rows that do not sum to 1, and for those that are never above 1.
_SUM_TO_ONE = Sentence.of(
    "{normalize} divides each row by its sum, {possibilistic} accepts the rows as they are.",
    normalize=NORMALIZE,
    possibilistic=Option("possibilistic", True),
)
_SUM_TO_LESS = Sentence.of(
    "{either} If the rest is the chance of noise, as in HDBSCAN: {missing}.",
    either=_SUM_TO_ONE,
    missing=Option("missing", "noise"),
)


class Memberships(NamedTuple):
    """A matrix as read; its rows are labels if every row is one-hot."""

    rows: Rows
    possibilistic: bool = False
    names: Sequence[str] | None = None
    #: Whether the last column was added to make every row sum to 1.
    noise: bool = False
    #: Rows without any memberships.
    absent: npt.NDArray[np.bool_] | None = None


def read_memberships(data: Any, name: str, options: InputOptions) -> Memberships:
    """Return rows on the simplex (in the unit cube if possibilistic), or codes of one-hot rows."""
    declared = dimensions(data, name)
    if declared != 2 and not is_sequence(data):
        require_dimensions(declared, (2,), name)
    if hasattr(data, "tocsr"):  # of a type that is refused below
        data = checked_csr(data, Place(name)).toarray()
    drop = options.missing == "drop"
    table = as_table(data, name, drop=drop)
    names, absent = table.names, None
    if drop and table.numbers.dtype.kind == "f":
        table, absent = _absent_filled(table)
    single = table.numbers.dtype.kind == "f" and table.numbers.dtype.itemsize < 8
    precision = "float32" if single else "float64"
    slack, tolerance = ENTRY_TOLERANCE[precision], SUM_TOLERANCE[precision]
    if single and table.numbers.size > options.budget.single_entries:
        kept = _kept_single(table, slack, tolerance, options)
        if kept is not None:
            return Memberships(kept, names=names, absent=absent)
    matrix, sums = _copy_checked(table, slack, bounded=not options.normalize)
    reading = reading_of_sums(matrix, sums, tolerance, name, options)
    if reading == "possibilistic":
        np.minimum(matrix, 1.0, out=matrix)
        return Memberships(DenseRows(matrix), possibilistic=True, names=names, absent=absent)
    noise = reading == "noise"
    if noise:
        matrix, sums = _with_noise(matrix, sums, tolerance), np.ones(sums.size)
        names = None if names is None else ClusterNames([*names, "noise"])
    matrix /= sums[:, None]
    codes = codes_of_one_hot(matrix)
    rows = DenseRows(matrix) if codes is None else LabelRows(codes, matrix.shape[1])
    return Memberships(rows, names=names, noise=noise, absent=absent)


def reading_of_sums(
    matrix: FloatArray | SparseRows,
    sums: FloatArray,
    tolerance: float,
    name: str,
    options: InputOptions,
) -> Literal["fuzzy", "noise", "possibilistic"]:
    """Decide what the sums of rows mean, or refuse them.

    Returns
    -------
    "fuzzy", "noise" or "possibilistic"
        Rows are divided by their sums, get a noise column with what they lack to a sum of 1, or
        are taken as they are.
    """
    if options.normalize:
        _require_divisors(sums, name)
        _refuse_transposed(matrix, sums, name)
        return "fuzzy"
    if not (np.abs(sums - 1.0) > tolerance).any():
        return "fuzzy"
    lacking = options.missing == "noise" and bool((sums <= 1.0 + tolerance).all())
    if lacking and not _sums_of_clusters(matrix):
        return "noise"
    if not options.possibilistic:
        _refuse_sums(matrix, sums, tolerance, name)
    return "possibilistic"


def _absent_filled(table: NumberTable) -> tuple[NumberTable, npt.NDArray[np.bool_] | None]:
    """Fill rows that are NaN throughout with a dummy hard row; return the table and their mask."""
    absent = np.isnan(table.numbers).all(axis=1)
    if not absent.any():
        return table, None
    numbers = table.numbers.copy()
    numbers[absent] = 0.0
    numbers[absent, 0] = 1.0
    return table._replace(numbers=numbers), absent


def _with_noise(matrix: FloatArray, sums: FloatArray, tolerance: float) -> FloatArray:
    """Append a column that makes every row sum to 1."""
    lacking = 1.0 - sums
    whole = lacking <= tolerance  # the row sums to 1, up to rounding
    lacking[whole] = 0.0
    matrix[whole] /= sums[whole, None]
    return np.column_stack([matrix, lacking])


def _copy_checked(
    table: NumberTable, slack: float, *, bounded: bool
) -> tuple[FloatArray, FloatArray]:
    """Check the entries, and return them in double precision with the sums of the rows."""
    n, k = table.numbers.shape
    matrix, sums, ones = np.empty((n, k)), np.empty(n), np.ones(k)

    def read(start: int) -> None:
        rows = matrix[start : start + _CHUNK]
        rows[:] = table.numbers[start : start + _CHUNK]
        check_entries(rows, start, table, slack, bounded=bounded)
        np.maximum(rows, 0.0, out=rows)
        with np.errstate(over="ignore"):  # infinite sums are refused later
            np.dot(rows, ones, out=sums[start : start + _CHUNK])

    for _ in map_in_order(read, range(0, n, _CHUNK)):
        pass
    return matrix, sums


def _kept_single(
    table: NumberTable, slack: float, tolerance: float, options: InputOptions
) -> SingleRows | None:
    """Check a large matrix in single precision and keep it as it is; None if that is not possible.

    It is not if its rows do not sum to 1, if all are one-hot, or if it is better stored sparse.
    """
    n, k = table.numbers.shape
    sums, hard, ones = np.empty(n), np.empty(n, dtype=bool), np.ones(k)

    def read(start: int) -> int:
        here = slice(start, start + _CHUNK)
        rows = table.numbers[here].astype(np.float64)
        check_entries(rows, start, table, slack, bounded=not options.normalize)
        np.maximum(rows, 0.0, out=rows)
        with np.errstate(over="ignore"):  # infinite sums are refused later
            np.dot(rows, ones, out=sums[here])
        hard[here] = rows.max(axis=1) == sums[here]
        return int(np.count_nonzero(rows))

    entries = sum(map_in_order(read, range(0, n, _CHUNK)))
    complete = bool((np.abs(sums - 1.0) <= tolerance).all()) and not options.normalize
    sparse = entries <= options.budget.mostly_zero_share * n * k
    if not complete or hard.all() or sparse:
        return None
    return SingleRows(table.numbers, sums)


def check_entries(
    rows: FloatArray, start: int, table: NumberTable, slack: float, *, bounded: bool
) -> None:
    """Refuse entries that are not finite, negative, or above 1 where they are bounded."""
    low, high = rows.min(), rows.max()
    if low >= -slack and high <= (1.0 + slack if bounded else np.finfo(float).max):
        return  # NaN would fail this test, too

    def refuse(bad: npt.NDArray[np.bool_], template: str, **fields: Any) -> None:
        if bad.any():
            row, column = (int(i) for i in np.argwhere(bad)[0])
            place = table.at(start + row, column)
            raise InputError(template, place=place, value=float(rows[row, column]), **fields)

    refuse(
        ~np.isfinite(rows),
        "{place} is {value:g}, which is not a finite number. " + FILL,
        dropping=DROPPING,
    )
    refuse(
        rows < -slack,
        "{place} is {value:g}, which is negative. Memberships lie between 0 and 1.",
    )
    if rows.shape[1] == 1:
        refuse(
            rows > 1.0 + slack,
            "{place} is {value:g}, which is above 1. If these are labels, pass them as "
            "one-dimensional data (e.g. x.ravel()).",
        )
    refuse(
        rows > 1.0 + slack,
        "{place} is {value:g}, which is above 1. Memberships lie between 0 and 1; {normalize} "
        "divides each row by its sum.",
        normalize=NORMALIZE,
    )


def _require_divisors(sums: FloatArray, name: str) -> None:
    """Refuse rows that cannot be divided by their sum."""
    empty = np.flatnonzero(sums == 0.0)
    if empty.size:
        raise InputError(
            "{place} is all zeros and cannot be normalized; drop that point from both "
            "clusterings, or give it memberships.",
            place=Place(name, int(empty[0])),
        )
    huge = np.flatnonzero(~np.isfinite(sums))
    if huge.size:
        raise InputError(
            "{place} sums to more than a double can hold; scale it down.",
            place=Place(name, int(huge[0])),
        )


def _sums_of_clusters(matrix: FloatArray | SparseRows) -> bool:
    """Return whether the columns sum to 1, as those of a (clusters, points) matrix do.

    If the matrix has more columns than rows, sums may differ from 1 by ``CUT_OFF``: topic models
    leave out the smallest memberships, and sums of 0.97 are common.
    """
    n, k = matrix.shape
    slack = CUT_OFF if k > n else 1e-6
    sums = matrix.sums() if isinstance(matrix, SparseRows) else matrix.sum(axis=0)
    return bool(np.all(np.abs(sums - 1.0) <= slack))


def _refuse_transposed(matrix: FloatArray | SparseRows, sums: FloatArray, name: str) -> None:
    """Refuse to normalise a (clusters, points) matrix, which would swap points and clusters."""
    n, k = matrix.shape
    if n < k and _sums_of_clusters(matrix) and np.any(np.abs(sums - 1.0) > CUT_OFF):
        raise InputError(
            "{place} has {n} rows and {k} columns, and its columns sum to 1: it looks transposed. "
            "Rows must be points. {cure}",
            place=Place(name),
            n=n,
            k=k,
            cure=TRANSPOSE,
        )


def _refuse_sums(
    matrix: FloatArray | SparseRows, sums: FloatArray, tolerance: float, name: str
) -> NoReturn:
    """Refuse rows that do not sum to 1."""
    off = np.flatnonzero(np.abs(sums - 1.0) > tolerance)
    row = int(off[0])
    if _sums_of_clusters(matrix):
        advice = " Its columns sum to 1: it looks transposed; rows must be points. {cure}"
    elif matrix.shape[1] == 1:
        advice = " If these are labels, pass them as one-dimensional data (x.ravel())."
    else:
        advice = " Memberships of a point sum to 1: {ways}"
    raise InputError(
        "{place} sums to {value:.6g}, off from 1 by {distance:.2g} ({off} of {n} rows are off, "
        "the worst by {worst:.2g})." + advice,
        place=Place(name, row),
        value=float(sums[row]),
        distance=abs(float(sums[row]) - 1.0),
        off=off.size,
        n=matrix.shape[0],
        worst=float(np.abs(sums - 1.0).max()),
        ways=_SUM_TO_ONE if (sums > 1.0 + tolerance).any() else _SUM_TO_LESS,
        cure=TRANSPOSE,
    )


def codes_of_one_hot(matrix: FloatArray) -> IntArray | None:
    """Return the cluster of each row if all rows are one-hot, otherwise None."""
    if np.count_nonzero(matrix) != matrix.shape[0]:
        return None
    codes = matrix.argmax(axis=1)
    certain = matrix[np.arange(matrix.shape[0]), codes] == 1.0
    return codes if certain.all() else None
