"""Label vectors of any hashable type, encoded once as cluster codes 0, 1, 2, ..."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from decimal import Decimal
from numbers import Rational, Real
from typing import Any, NoReturn, TypeVar

import numpy as np
import numpy.typing as npt

from ..._base.errors import InputError
from ..._base.threads import map_in_order
from ..._base.types import IntArray
from ..._base.wording import Option, Place, Sentence
from .arraylike import (
    dimensions,
    is_missing,
    is_sequence,
    require_dimensions,
    require_points,
    to_array,
)

#: Labels read at a time, few enough to stay in the cache for a second read; labels in one task.
_CHUNK, _TASK = 1 << 16, 1 << 20

_FLOATS = (float, np.floating)
_INTEGERS = (int, np.integer)

Result = TypeVar("Result")

#: The code of each point, and the label that each code stands for.
#: The integer, always of 32 bits, by which R stores a missing one.
MISSING_IN_R = -(2**31)

Codes = tuple[IntArray, Sequence[Any] | npt.NDArray[Any]]


def encode_labels(labels: Any, name: str) -> Codes:
    """Return the code of each point, and the distinct labels in the order of the codes."""
    require_dimensions(dimensions(labels, name), (1,), name)
    if _is_pandas_like(labels):
        return _encode_pandas(labels, name)
    array = _one_dimensional(labels, name)
    require_points(array.size, name)
    if array.dtype.kind == "f":
        array = _whole_numbers(array, name)
    if array.dtype.kind == "b":
        codes, different = _encode_integers(array.view(np.uint8), name)
        return codes, [bool(label) for label in different]
    if array.dtype.kind in "iu":
        return _encode_integers(array, name)
    if array.dtype.kind in "fUS":
        return _encode_sortable(array)
    if array.dtype.kind in "mM":
        _refuse_missing(np.isnat(array), name)
        return _encode_sortable(array)
    if array.dtype.kind in "OT":
        return _encode_objects(array, name)
    raise InputError(
        "{place} has labels of type {value}; use integers or strings.",
        place=Place(name),
        value=array.dtype,
    )


def missing_filled(labels: Any, name: str) -> tuple[Any, npt.NDArray[np.bool_] | None]:
    """Fill missing labels with one that occurs; return the labels and a mask of the missing ones.

    If none or all are missing, the labels are returned unchanged, with None for the mask.
    """
    require_dimensions(dimensions(labels, name), (1,), name)
    missing = np.zeros(0, dtype=bool)
    if np.ma.isMaskedArray(labels):
        missing, array = np.ma.getmaskarray(labels), labels.data
    else:
        exact = _exact_array if _is_pandas_like(labels) else _one_dimensional
        array = exact(labels, name)
        if array.dtype.kind == "f":
            missing = np.isnan(array)
        elif array.dtype == np.int32:
            missing = array == MISSING_IN_R
        elif array.dtype.kind in "mM":
            missing = np.isnat(array)
        elif array.dtype.kind == "O":
            missing = np.array([is_missing(label) for label in array], dtype=bool)
    if not missing.any() or missing.all():
        return labels, None
    filled = array.copy()
    filled[missing] = array[np.argmin(missing)]
    return filled, missing


def _is_pandas_like(labels: Any) -> bool:
    """Return whether labels are an object, string or categorical column with a fast encoder."""
    kind = getattr(getattr(labels, "dtype", None), "kind", "")
    return hasattr(labels, "factorize") and kind not in "biuf"


def _encode_pandas(labels: Any, name: str) -> Codes:
    require_points(len(labels), name)
    try:
        codes, different = labels.factorize()
    except Exception:  # e.g. labels that are lists: the slow route names the one at fault
        return _encode_objects(to_array(labels, name).astype(object), name)
    codes = np.asarray(codes, dtype=np.intp)
    _refuse_missing(codes < 0, name)
    if str(labels.dtype) != "category":  # the user has declared that categories are labels
        for number, label in enumerate(different):
            if _is_no_label(label):
                _refuse(label, int(np.argmax(codes == number)), name)
    return codes, different


def _one_dimensional(labels: Any, name: str) -> npt.NDArray[Any]:
    if np.ma.isMaskedArray(labels):
        _refuse_missing(np.ma.getmaskarray(labels), name)
        labels = labels.data
    elif hasattr(labels, "toarray"):
        labels = labels.toarray()
    elif is_sequence(labels) and not all(_fits_double(x) for x in labels):
        # By default, NumPy turns [1, "1"] into equal strings, tuples into columns and large
        # integers into equal floats.
        boxed = np.empty(len(labels), dtype=object)
        for point, label in enumerate(labels):
            boxed[point] = label
        return boxed
    array = _exact_array(labels, name)
    require_dimensions(array.ndim, (1,), name)
    return array


def _exact_array(labels: Any, name: str) -> npt.NDArray[Any]:
    """Return an array of the labels; of objects if floats would merge large integers.

    pandas, polars and Arrow make floats of integers where labels are missing.
    """
    array = to_array(labels, name)
    if isinstance(labels, np.ndarray) or array.dtype.kind != "f" or not _inexact(array).any():
        return array
    entries = labels.to_pylist() if hasattr(labels, "to_pylist") else list(labels)
    if any(isinstance(entry, _FLOATS) for entry in entries if not is_missing(entry)):
        return array
    return np.array(entries, dtype=object)


def _digits(array: npt.NDArray[Any]) -> int:
    """Return how many binary digits a float of this type has."""
    return int(np.finfo(array.dtype).nmant) + 1


def _inexact(array: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Return which floats are so large that several integers share them; NaN are not."""
    return np.asarray(np.abs(array) >= 2.0 ** _digits(array))


def _whole_numbers(array: npt.NDArray[Any], name: str) -> npt.NDArray[Any]:
    _refuse_missing(np.isnan(array), name)
    fractional = np.flatnonzero(array != np.floor(array))
    if fractional.size:
        _refuse(array[fractional[0]], int(fractional[0]), name)
    large = np.flatnonzero(_inexact(array))
    if large.size:
        point = int(large[0])
        if np.isinf(array[point]):
            _refuse(array[point], point, name)
        raise InputError(
            "{place} has the label {shown}, a floating-point number. Whole numbers from "
            "2**{digits} on share such a number with their neighbours, so different labels may "
            "have become one; give them as integers or as text.",
            place=Place(name, point, unit="point"),
            value=array[point],
            shown=str(array[point]),
            digits=_digits(array),
        )
    return array.astype(np.int64)


def _encode_integers(array: npt.NDArray[Any], name: str) -> Codes:
    """Encode by table look-up if the labels span a narrow range of integers, else by sorting."""
    low, high = _range(array)
    if low == MISSING_IN_R and array.dtype == np.int32:
        _refuse_missing(array == MISSING_IN_R, name)
    if high - low > 4 * array.size + 1024:
        return _encode_sortable(array)
    codes = _from_zero(array, low, high)
    # Usually, the first points already show that every label in the range occurs.
    for some in (codes[:_CHUNK], codes):
        occurs = np.zeros(high - low + 1, dtype=bool)
        occurs[some] = True
        if occurs.all():
            return codes, range(low, high + 1)
    wide = _wide(array)
    different = np.flatnonzero(occurs).astype(wide) + wide(low)
    return (np.cumsum(occurs) - 1).astype(np.intp)[codes], different


def _from_zero(array: npt.NDArray[Any], low: int, high: int) -> IntArray:
    """Subtract the smallest label from all labels; return the array itself if nothing changes.

    Labels that start at 0 are codes already if their type can index an array. Others are stored in
    the smallest integer type that holds them, since most of the time goes into reading memory.
    """
    if low == 0 and array.dtype.isnative and np.can_cast(array.dtype, np.intp):
        return array
    codes = np.empty(array.size, dtype=np.min_scalar_type(high - low))
    wide = _wide(array)

    def convert(here: slice) -> None:
        # Widened before subtracting, because narrow integers would wrap around.
        np.subtract(array[here], wide(low), out=codes[here], dtype=wide, casting="unsafe")

    _in_chunks(convert, array.size)
    return codes


def _wide(array: npt.NDArray[Any]) -> type[np.integer]:
    """Return an integer type in which differences between labels do not wrap around."""
    return np.uint64 if array.dtype == np.uint64 else np.int64


def _range(array: npt.NDArray[Any]) -> tuple[int, int]:
    """Return the smallest and the largest label, reading each chunk once for both."""

    def extremes(here: slice) -> tuple[int, int]:
        chunk = array[here]
        return int(chunk.min()), int(chunk.max())

    ranges = _in_chunks(extremes, array.size)
    return min(low for low, _ in ranges), max(high for _, high in ranges)


def _in_chunks(work: Callable[[slice], Result], size: int) -> list[Result]:
    """Call a function with every chunk of points, on several threads if there are many."""

    def task(start: int) -> list[Result]:
        stop = min(start + _TASK, size)
        return [work(slice(at, min(at + _CHUNK, stop))) for at in range(start, stop, _CHUNK)]

    starts = range(0, size, _TASK)
    tasks = map_in_order(task, starts, 1 if len(starts) == 1 else None)
    return [result for results in tasks for result in results]


def _encode_sortable(array: npt.NDArray[Any]) -> Codes:
    different, codes = np.unique(array, return_inverse=True)
    return np.asarray(codes, dtype=np.intp).reshape(-1), different


def _encode_objects(array: npt.NDArray[Any], name: str) -> Codes:
    table: dict[Any, int] = {}
    codes = np.empty(array.size, dtype=np.intp)
    for point, label in enumerate(array):
        if isinstance(label, np.ndarray) and label.ndim == 0:
            label = label[()]
        try:
            code = table.get(label, -1)
        except TypeError:
            _refuse_unhashable(label, point, array, name)
        if code < 0:  # a label seen before has been checked before
            if is_missing(label):
                _refuse_missing(np.array([is_missing(entry) for entry in array]), name)
            if _is_no_label(label):
                _refuse(label, point, name)
            code = table[label] = len(table)
        codes[point] = code
    return codes, list(table)


def _is_no_label(label: Any) -> bool:
    """Return whether this is a number of any type that is not whole, or a row of such numbers."""
    if isinstance(label, np.timedelta64):  # which NumPy makes a subclass of its integers
        return False
    if isinstance(label, Rational):
        return label.denominator != 1
    if isinstance(label, Decimal):
        return not label.is_finite() or label != label.to_integral_value()
    if isinstance(label, Real):
        return not math.isfinite(label) or label != math.floor(label)
    if isinstance(label, tuple):
        return all(isinstance(x, Real | Decimal) for x in label) and any(map(_is_no_label, label))
    return False


def _fits_double(label: Any) -> bool:
    if isinstance(label, _FLOATS):
        return True
    if not isinstance(label, _INTEGERS) or isinstance(label, np.timedelta64):
        return False
    return -(2**53) < int(label) < 2**53


def _refuse(label: Any, point: int, name: str) -> NoReturn:
    """Refuse a fraction, an infinite number or a row of numbers where a label should be."""
    if isinstance(label, tuple):
        advice = (
            "it looks like a row of memberships. Pass the rows as one two-dimensional array, "
            "e.g. np.stack(rows)."
        )
    elif isinstance(label, (*_FLOATS, Decimal)) and math.isinf(label):
        advice = (
            "labels that are numbers are whole. Drop such points from both clusterings, or give "
            "them a label of their own."
        )
    else:
        advice = (
            "it looks like one column of memberships. Pass all of them as a (points, clusters) "
            "matrix; for two clusters, np.column_stack([1 - u, u])."
        )
    raise InputError(
        "{clustering} is one-dimensional, but point {point} is {shown}, which is not a label: "
        "{advice}",
        clustering=Place(name),
        place=Place(name, point, unit="point"),
        point=point,
        value=label,
        shown=f"{label:g}" if isinstance(label, _FLOATS) else str(label),
        advice=advice,
    )


def _refuse_unhashable(label: Any, point: int, array: npt.NDArray[Any], name: str) -> NoReturn:
    if is_missing(label):
        _refuse_missing(np.array([is_missing(entry) for entry in array]), name)
    raise InputError(
        "{place} has a label of type {kind}, which cannot be compared (not hashable). Rows of "
        "memberships go in as one two-dimensional array, e.g. np.stack(rows).",
        place=Place(name, point, unit="point"),
        kind=type(label).__name__,
        value=label,
    ) from None


def _refuse_missing(missing: npt.NDArray[np.bool_], name: str) -> None:
    if missing.any():
        where = np.flatnonzero(missing)
        raise InputError(
            "{place} has no label ({missing} missing in all); {dropping}, or give them a label of "
            "their own.",
            place=Place(name, int(where[0]), unit="point"),
            missing=where.size,
            dropping=Sentence.of(
                "drop such points from both clusterings ({drop})", drop=Option("missing", "drop")
            ),
        )
