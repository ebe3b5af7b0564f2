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
    is_missing,
    is_sequence,
    require_dimensions,
    require_points,
    shown,
    to_array,
)
from .sparse_format import checked_csr

#: Deviation of a row's sum from 1 up to which it counts as rounding.
SUM_TOLERANCE = {"float64": 1e-6, "float32": 1e-3}
#: Distance of an entry from [0, 1] up to which it counts as rounding.
ENTRY_TOLERANCE = {"float64": 1e-9, "float32": 1e-6}
#: Rows read at a time, few enough to be still in the cache when they are checked.
_CHUNK = 1 << 13

#: Types that Python or NumPy would convert to a number while losing or inventing information.
_NO_NUMBERS = (
    str,
    bytes,
    complex,
    np.complexfloating,
    np.datetime64,
    np.timedelta64,
    type(np.ma.masked),
)

NORMALIZE = Option("normalize", True)
#: Deviation of a sum from 1 that is allowed where small memberships may have been cut off.
CUT_OFF = 0.05
#: Advice for a (clusters, points) matrix called u.
TRANSPOSE = "Pass its transpose, u.T."

#: Advice for missing memberships.
_FILL = "Fill missing memberships, or {dropping}."
_DROPPING = Sentence.of(
    "drop such points from both clusterings; {drop} drops those whose whole row is missing",
    drop=Option("missing", "drop"),
)
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


class Table(NamedTuple):
    """Numbers as they were given, with the names that error messages need to locate an entry."""

    numbers: npt.NDArray[Any]
    name: str
    columns: Any = None

    def at(self, row: int, column: int) -> Place:
        """Return the place of an entry."""
        title = "" if self.columns is None else shown(self.columns[column])
        return Place(self.name, row, column, title)

    @property
    def names(self) -> Sequence[str] | None:
        """Names of the columns, if the data have any."""
        known = hasattr(self.columns, "__len__") and len(self.columns) == self.numbers.shape[1]
        return ClusterNames(tuple(self.columns)) if known else None


def read_memberships(data: Any, name: str, options: InputOptions) -> Memberships:
    """Return rows on the simplex (in the unit cube if possibilistic), or codes of one-hot rows."""
    declared = dimensions(data, name)
    if declared != 2 and not is_sequence(data):
        require_dimensions(declared, (2,), name)
    if hasattr(data, "tocsr"):  # of a type that is refused below
        data = checked_csr(data, Place(name)).toarray()
    drop = options.missing == "drop"
    table = _as_table(data, name, drop=drop)
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


def _absent_filled(table: Table) -> tuple[Table, npt.NDArray[np.bool_] | None]:
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


def _copy_checked(table: Table, slack: float, *, bounded: bool) -> tuple[FloatArray, FloatArray]:
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
    table: Table, slack: float, tolerance: float, options: InputOptions
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


def _as_table(data: Any, name: str, *, drop: bool) -> Table:
    """Return a two-dimensional array of a real dtype, or raise an error that names the entry.

    With ``drop``, missing entries of any kind become NaN.
    """
    if type(data) is np.ndarray and data.dtype.kind in "biuf":  # the usual case
        _require_matrix(data, name)
        return Table(data, name)
    if is_sequence(data):
        return _table_of_rows(data, name, drop=drop)
    columns = getattr(data, "column_names", getattr(data, "columns", None))
    if np.ma.isMaskedArray(data):
        data = _unmasked(data, 0, name, drop=drop)
    dtype = _dtype_of_nullable(data)
    options = {} if dtype is None else {"dtype": dtype, "na_value": np.nan}
    table = Table(to_array(data, name, **options), name, columns)
    _require_matrix(table.numbers, name)
    kind = table.numbers.dtype.kind
    if kind in "biuf":
        return table
    if kind == "O":
        return _numbers_of_objects(table, drop=drop)
    if kind in "UST":
        _refuse_text(table)
    advice = " Take the real part, x.real, if that is all there is." if kind == "c" else ""
    raise InputError(
        "{place} has entries of type {value}; memberships are real numbers from 0 to 1.{advice}",
        place=Place(name),
        value=table.numbers.dtype,
        advice=advice,
    )


def _require_matrix(array: npt.NDArray[Any], name: str) -> None:
    require_dimensions(array.ndim, (2,), name)
    require_points(array.shape[0], name, array.shape[1])


def _dtype_of_nullable(data: Any) -> np.dtype[Any] | None:
    """Return the dtype that a pandas frame of nullable or Arrow numbers converts to, or None.

    Without it, pandas would convert to an array of Python objects.
    """
    declared = list(getattr(data, "dtypes", ()))
    if not any(hasattr(dtype, "numpy_dtype") for dtype in declared):
        return None
    inside = [getattr(dtype, "numpy_dtype", dtype) for dtype in declared]
    if not all(isinstance(dtype, np.dtype) and dtype.kind in "biuf" for dtype in inside):
        return None
    common = np.result_type(*inside)
    return common if common.kind == "f" else np.dtype(np.float64)


def _table_of_rows(rows: Any, name: str, *, drop: bool) -> Table:
    """Return the numbers in nested sequences or in a sequence of arrays."""
    if len(rows) == 0:
        require_points(0, name)
    if drop:
        width = next((len(row) for row in rows if _is_row(row)), 0)
        rows = [[np.nan] * width if is_missing(row) else row for row in rows]
    width = len(rows[0]) if _is_row(rows[0]) else 0
    for i, row in enumerate(rows):
        if not _is_row(row):
            raise InputError(
                "{place} is {shown}; memberships need one sequence of numbers for each point. "
                "Labels go in through Partition.from_labels or as they are.",
                place=Place(name, i),
                shown=shown(row),
                value=row,
            )
        if len(row) != width:
            raise InputError(
                "{place} has {value} entries where row 0 has {width}; every point needs one "
                "membership for each cluster.",
                place=Place(name, i),
                value=len(row),
                width=width,
            )
    if any(np.ma.isMaskedArray(row) for row in rows):
        rows = [_unmasked(row, i, name, drop=drop) for i, row in enumerate(rows)]
    try:
        array = np.asarray(rows)
    except (TypeError, ValueError, UserWarning):  # some entry is not a number: it is found below
        pass
    else:
        _require_matrix(array, name)
        if array.dtype.kind in "biuf":
            return Table(array, name)
    # NumPy turns numbers next to a string into strings, so use the entries as they were given.
    boxed = np.empty((len(rows), width), dtype=object)
    for i, row in enumerate(rows):
        for j, entry in enumerate(row):
            boxed[i, j] = entry
    return _numbers_of_objects(Table(boxed, name), drop=drop)


def _is_row(row: Any) -> bool:
    if isinstance(row, list | tuple):
        return True
    if hasattr(row, "shape"):
        return len(row.shape) > 0 and not hasattr(row, "tocsr")
    return is_sequence(row)


def _numbers_of_objects(table: Table, *, drop: bool) -> Table:
    """Convert objects to numbers entry by entry, so that an error can name the first bad one."""
    numbers = np.empty(table.numbers.shape, dtype=np.float64)
    for place, entry in np.ndenumerate(table.numbers):
        try:
            numbers[place] = np.nan if drop and is_missing(entry) else _float(entry)
        except OverflowError:
            raise InputError(
                "{place} is larger than a double can hold. Memberships lie between 0 and 1.",
                place=table.at(*place),
                value=entry,
            ) from None
        except (TypeError, ValueError):
            raise _not_a_number(table.at(*place), entry) from None
    return table._replace(numbers=numbers)


def _float(entry: Any) -> float:
    if type(entry) is float:
        return entry
    if isinstance(entry, _NO_NUMBERS) or getattr(entry, "ndim", 0) > 0:
        raise TypeError
    return float(entry)


def _refuse_text(table: Table) -> NoReturn:
    """Refuse a table of text, naming the first entry that is not a numeral.

    Next to a single word, NumPy turns numbers into text as well; the word is at fault, not they.
    """
    words = (place for place, entry in np.ndenumerate(table.numbers) if not _is_numeral(entry))
    place = next(words, (0, 0))
    raise _not_a_number(table.at(*place), table.numbers[place])


def _is_numeral(entry: Any) -> bool:
    try:
        float(entry)
    except (TypeError, ValueError):
        return False
    return True


def _not_a_number(place: Place, entry: Any) -> InputError:
    template = "{place} is {shown}, not a number. {advice}"
    advice = "Keep only the membership columns; labels go in as one-dimensional data."
    if is_missing(entry):
        template, advice = "{place} is {shown}, a missing value. " + _FILL, ""
    elif isinstance(entry, str | bytes):
        if _is_numeral(entry):
            advice = "Text that stands for numbers becomes numbers with x.astype(float)."
    elif hasattr(entry, "__len__") or isinstance(entry, complex | np.complexfloating):
        advice = "A membership is one real number from 0 to 1 for each point and cluster."
    return InputError(
        template, place=place, shown=shown(entry), value=entry, advice=advice, dropping=_DROPPING
    )


def _unmasked(data: Any, start: int, name: str, *, drop: bool) -> Any:
    """Return masked entries as NaN if they may be dropped, otherwise refuse them."""
    if not np.ma.isMaskedArray(data):
        return data
    masked = np.argwhere(np.atleast_2d(np.ma.getmaskarray(data)))
    if drop and masked.size and data.dtype.kind in "biuf":
        return np.ma.filled(data.astype(np.result_type(data.dtype, np.float16)), np.nan)
    if masked.size:
        place = Place(name, start + int(masked[0, 0]), int(masked[0, 1]))
        raise InputError("{place} is masked. " + _FILL, place=place, dropping=_DROPPING)
    return data.data


def check_entries(
    rows: FloatArray, start: int, table: Table, slack: float, *, bounded: bool
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
        "{place} is {value:g}, which is not a finite number. " + _FILL,
        dropping=_DROPPING,
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
