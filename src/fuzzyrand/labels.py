"""Label vectors of any hashables, encoded once as cluster codes 0, 1, 2, ..."""

from __future__ import annotations

import math
from decimal import Decimal
from numbers import Real
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from ._types import IntArray
from .errors import InputError
from .threads import map_in_order

#: Labels read at a time, so that a second look finds them in the cache.
_CHUNK = 1 << 16


def encode_labels(labels: Any, name: str) -> tuple[IntArray, int]:
    """Return the code of each point and the number of different labels."""
    if _is_pandas_like(labels):
        codes, different = labels.factorize()
        codes = np.asarray(codes, dtype=np.intp)
        _refuse_missing(codes < 0, name)
        if str(labels.dtype) != "category":  # categories are labels because their owner says so
            for number, label in enumerate(different):
                if _is_fraction(label):
                    _refuse_fraction(float(label), int(np.argmax(codes == number)), name)
        return codes, len(different)
    array = _one_dimensional(labels, name)
    if array.dtype.kind == "f":
        array = _whole_numbers(array, name)
    if array.dtype.kind == "b":
        array = array.astype(np.uint8)
    if array.dtype.kind in "iu":
        return _encode_integers(array)
    if array.dtype.kind in "US":
        return _encode_sortable(array)
    if array.dtype.kind in "mM":
        _refuse_missing(np.isnat(array), name)
        return _encode_sortable(array)
    if array.dtype.kind in "OT":
        return _encode_objects(array, name)
    raise InputError(f"the {name} has labels of type {array.dtype}; use whole numbers or strings.")


def _is_pandas_like(labels: Any) -> bool:
    """Object, string and categorical columns know how to encode themselves, and fast."""
    kind = getattr(getattr(labels, "dtype", None), "kind", "")
    return hasattr(labels, "factorize") and kind not in "biuf"


def _one_dimensional(labels: Any, name: str) -> npt.NDArray[Any]:
    if np.ma.isMaskedArray(labels):
        _refuse_missing(np.ma.getmaskarray(labels), name)
        labels = labels.data
    if isinstance(labels, list | tuple) and not all(_fits_double(x) for x in labels):
        # Left to itself, NumPy turns [1, "1"] into equal strings, tuples into columns and large
        # integers into equal floats.
        boxed = np.empty(len(labels), dtype=object)
        for point, label in enumerate(labels):
            boxed[point] = label
        return boxed
    array = labels.to_numpy() if hasattr(labels, "to_numpy") else np.asarray(labels)
    if array.ndim != 1:
        raise InputError(f"the {name} has {array.ndim} dimensions; labels need exactly 1.")
    return array


def _whole_numbers(array: npt.NDArray[Any], name: str) -> npt.NDArray[Any]:
    bad = ~np.isfinite(array)
    _refuse_missing(bad, name)
    fractional = np.flatnonzero(array != np.floor(array))
    if fractional.size:
        _refuse_fraction(float(array[fractional[0]]), int(fractional[0]), name)
    if np.abs(array).max(initial=0.0) < 2**62:
        return array.astype(np.int64)
    return np.unique(array, return_inverse=True)[1]


def _encode_integers(array: npt.NDArray[Any]) -> tuple[IntArray, int]:
    """Codes by table look-up where the labels span few integers, by sorting otherwise."""
    if array.size == 0:
        return array.astype(np.intp), 0
    low, high = _range(array)
    if high - low > 4 * array.size + 1024:
        return _encode_sortable(array)
    # Wide enough before subtracting: narrow integers would wrap around.
    wide = array if array.dtype.itemsize == 8 else array.astype(np.int64)
    codes = wide if low == 0 else wide - wide.dtype.type(low)
    codes = codes.astype(np.intp, copy=False)
    # Most often a look at some points shows that every label in the range occurs.
    for some in (codes[:_CHUNK], codes):
        occurs = np.zeros(high - low + 1, dtype=bool)
        occurs[some] = True
        if occurs.all():
            return codes, occurs.size
    return (np.cumsum(occurs) - 1).astype(np.intp)[codes], int(occurs.sum())


def _range(array: npt.NDArray[Any]) -> tuple[int, int]:
    """Smallest and largest label, reading each chunk once for both."""

    def extremes(start: int) -> tuple[int, int]:
        chunk = array[start : start + _CHUNK]
        return int(chunk.min()), int(chunk.max())

    found = list(map_in_order(extremes, range(0, array.size, _CHUNK)))
    return min(low for low, _ in found), max(high for _, high in found)


def _encode_sortable(array: npt.NDArray[Any]) -> tuple[IntArray, int]:
    different, codes = np.unique(array, return_inverse=True)
    return np.asarray(codes, dtype=np.intp).reshape(-1), int(different.size)


def _encode_objects(array: npt.NDArray[Any], name: str) -> tuple[IntArray, int]:
    table: dict[Any, int] = {}
    codes = np.empty(array.size, dtype=np.intp)
    for point, label in enumerate(array):
        if _is_missing(label):
            _refuse_missing(np.array([_is_missing(each) for each in array]), name)
        if _is_fraction(label):
            _refuse_fraction(float(label), point, name)
        try:
            codes[point] = table.setdefault(label, len(table))
        except TypeError:
            raise InputError(
                f"point {point} of the {name} has a label of type {type(label).__name__}, which "
                "cannot be compared (not hashable). Rows of memberships go in as one "
                "two-dimensional array, e.g. np.stack(rows)."
            ) from None
    return codes, len(table)


def _is_missing(label: Any) -> bool:
    """None, NaN, NaT and pandas' NA (whose comparisons have no truth value)."""
    if label is None or type(label).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(label, float | np.floating) and bool(label != label)


def _is_fraction(label: Any) -> bool:
    """A finite number that is not whole, of whatever type."""
    if not isinstance(label, Real | Decimal) or not math.isfinite(label):
        return False
    return bool(label != math.floor(label))


def _fits_double(label: Any) -> bool:
    if isinstance(label, float | np.floating):
        return True
    return isinstance(label, int | np.integer) and abs(int(label)) < 2**53


def _refuse_fraction(value: float, point: int, name: str) -> NoReturn:
    raise InputError(
        f"the {name} is one-dimensional, but point {point} is {value:g}, which is no label: "
        "it looks like one column of memberships. Pass all of them as a (points, clusters) "
        "matrix; for two clusters, np.column_stack([1 - u, u])."
    )


def _refuse_missing(missing: npt.NDArray[np.bool_], name: str) -> None:
    if missing.any():
        where = np.flatnonzero(missing)
        raise InputError(
            f"point {where[0]} of the {name} has no label ({where.size} missing in all); drop "
            "such points from both clusterings, or give them a label of their own."
        )
