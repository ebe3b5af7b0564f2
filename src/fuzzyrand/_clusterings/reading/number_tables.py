"""Whatever holds a matrix of numbers, read as an array, with names that locate an entry."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, NoReturn

import numpy as np
import numpy.typing as npt

from ..._base.errors import InputError
from ..._base.wording import Option, Place, Sentence
from ..cluster_names import ClusterNames
from .arraylike import (
    is_missing,
    is_sequence,
    require_dimensions,
    require_points,
    shown,
    to_array,
)

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


#: Advice for missing memberships.
FILL = "Fill missing memberships, or {dropping}."


DROPPING = Sentence.of(
    "drop such points from both clusterings; {drop} drops those whose whole row is missing",
    drop=Option("missing", "drop"),
)


class NumberTable(NamedTuple):
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


def as_table(data: Any, name: str, *, drop: bool) -> NumberTable:
    """Return a two-dimensional array of a real dtype, or raise an error that names the entry.

    With ``drop``, missing entries of any kind become NaN.
    """
    if type(data) is np.ndarray and data.dtype.kind in "biuf":  # the usual case
        _require_matrix(data, name)
        return NumberTable(data, name)
    if is_sequence(data):
        return _table_of_rows(data, name, drop=drop)
    columns = getattr(data, "column_names", getattr(data, "columns", None))
    if np.ma.isMaskedArray(data):
        data = _unmasked(data, 0, name, drop=drop)
    dtype = _dtype_of_nullable(data)
    options = {} if dtype is None else {"dtype": dtype, "na_value": np.nan}
    table = NumberTable(to_array(data, name, **options), name, columns)
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


def _table_of_rows(rows: Any, name: str, *, drop: bool) -> NumberTable:
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
            return NumberTable(array, name)
    # NumPy turns numbers next to a string into strings, so use the entries as they were given.
    boxed = np.empty((len(rows), width), dtype=object)
    for i, row in enumerate(rows):
        for j, entry in enumerate(row):
            boxed[i, j] = entry
    return _numbers_of_objects(NumberTable(boxed, name), drop=drop)


def _is_row(row: Any) -> bool:
    if isinstance(row, list | tuple):
        return True
    if hasattr(row, "shape"):
        return len(row.shape) > 0 and not hasattr(row, "tocsr")
    return is_sequence(row)


def _numbers_of_objects(table: NumberTable, *, drop: bool) -> NumberTable:
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


def _refuse_text(table: NumberTable) -> NoReturn:
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
        template, advice = "{place} is {shown}, a missing value. " + FILL, ""
    elif isinstance(entry, str | bytes):
        if _is_numeral(entry):
            advice = "Text that stands for numbers becomes numbers with x.astype(float)."
    elif hasattr(entry, "__len__") or isinstance(entry, complex | np.complexfloating):
        advice = "A membership is one real number from 0 to 1 for each point and cluster."
    return InputError(
        template, place=place, shown=shown(entry), value=entry, advice=advice, dropping=DROPPING
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
        raise InputError("{place} is masked. " + FILL, place=place, dropping=DROPPING)
    return data.data
