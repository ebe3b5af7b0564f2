"""Check sparse matrices before any compiled loop follows their indices.

SciPy's constructors trust the arrays that they are given, and their arrays can be changed later. An
index outside the matrix would then read or write memory that belongs to something else.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from ..._base.errors import InputError
from ..._base.wording import Place

Array = npt.NDArray[Any]

#: Arrays of whole numbers in each format, besides ``data``.
INDICES = {
    "csr": ("indices", "indptr"),
    "csc": ("indices", "indptr"),
    "bsr": ("indices", "indptr"),
    "coo": ("row", "col"),
    "dia": ("offsets",),
}


def checked_csr(matrix: Any, place: Place) -> Any:
    """Return a matrix in CSR format, or refuse it if its indices do not fit it.

    Parameters
    ----------
    matrix : SciPy sparse array or matrix, or an object with the same methods
        The matrix, of two dimensions.
    place : Place
        Name of the matrix in messages.
    """
    require_format(matrix, place)
    try:
        csr = matrix.tocsr()
    except (MemoryError, InputError):
        raise
    except Exception as error:  # whatever its class finds wrong with it
        raise _damaged(place, str(error)) from error
    if csr is not matrix:  # formats without a check of their own, such as a dictionary
        require_format(csr, place)
    return csr


def require_format(matrix: Any, place: Place) -> None:
    """Refuse a matrix whose indices do not fit it; formats without index arrays pass."""
    kind = getattr(matrix, "format", "")
    if kind == "lil":
        fault = _fault_of_lists(matrix)
    elif kind in INDICES:
        arrays = {name: getattr(matrix, name) for name in ("data", *INDICES[kind])}
        fault = fault_of(kind, arrays, matrix.shape)
    else:
        return
    if fault:
        raise _damaged(place, f"in {kind.upper()} format, {fault}")


def _damaged(place: Place, fault: str) -> InputError:
    return InputError(
        "{place} is not a valid sparse matrix: {fault}. Its arrays are damaged or were changed; "
        "make it again.",
        place=place,
        fault=fault.rstrip("."),
    )


def fault_of(kind: str, arrays: Mapping[str, Array], shape: tuple[int, ...]) -> str:
    """Return what is wrong with the arrays of a sparse matrix, or "" if they fit its shape.

    Parameters
    ----------
    kind : str
        Its format, one of ``INDICES``.
    arrays : mapping of str to array
        ``data``, and the arrays of indices.
    shape : tuple of int
        The shape that it claims.
    """
    n, k = shape
    for name in INDICES[kind]:
        array = arrays[name]
        if array.dtype.kind not in "iu":
            return f"{name} has entries of type {array.dtype}, not integers"
        if array.ndim != 1:
            return f"{name} has {array.ndim} dimensions, not 1"
    data = arrays["data"]
    wanted = {"bsr": 3, "dia": 2}.get(kind, 1)
    if data.ndim != wanted:
        return f"data has {data.ndim} dimension{'s' * (data.ndim != 1)}, not {wanted}"
    if kind == "dia":
        return _fault_of_diagonals(arrays["offsets"], data, n, k)
    if kind == "coo":
        return _unequal("row", arrays["row"], data) or _fault_of_pairs(arrays, n, k)
    high, wide = 1, 1  # of a block
    if kind == "bsr":
        high, wide = data.shape[1:]
        if not high or not wide or n % high or k % wide:
            return f"blocks of {high} × {wide} do not divide a matrix of {n} × {k}"
    many, few = (k, n) if kind == "csc" else (n // high, k // wide)
    return (
        _unequal("indices", arrays["indices"], data)
        or _fault_of_starts(arrays["indptr"], many, data.shape[0])
        or _outside("indices", arrays["indices"], few)
    )


def _fault_of_diagonals(offsets: Array, data: Array, n: int, k: int) -> str:
    inside = (offsets < k) & (offsets > -n)
    if not inside.all():
        return f"offsets has {offsets[~inside][0]}, which is outside a matrix of {n} × {k}"
    if np.unique(offsets).size < offsets.size:
        return "offsets has the same diagonal twice"
    return _unequal("offsets", offsets, data)


def _fault_of_pairs(arrays: Mapping[str, Array], n: int, k: int) -> str:
    row, col = arrays["row"], arrays["col"]
    return _unequal("col", col, row) or _outside("row", row, n) or _outside("col", col, k)


def _fault_of_starts(starts: Array, rows: int, entries: int) -> str:
    if starts.size != rows + 1:
        return f"indptr has {starts.size} entries, not {rows + 1}"
    if starts[0] != 0:
        return f"indptr begins with {starts[0]}, not 0"
    if starts[-1] != entries:
        return f"indptr ends with {starts[-1]}, but there are {entries} entries"
    falls = np.flatnonzero(starts[1:] < starts[:-1])
    if falls.size:
        at = int(falls[0])
        return f"indptr falls from {starts[at]} to {starts[at + 1]} at position {at + 1}"
    return ""


def _unequal(name: str, indices: Array, data: Array) -> str:
    if indices.shape[0] == data.shape[0]:
        return ""
    return f"{name} has {indices.shape[0]} entries where data has {data.shape[0]}"


def _outside(name: str, indices: Array, end: int) -> str:
    """Return the first index that is not in ``range(end)``, in words."""
    if not indices.size or (indices.min() >= 0 and indices.max() < end):
        return ""
    at = int(np.flatnonzero((indices < 0) | (indices >= end))[0])
    return f"{name} has {indices[at]} at position {at}, expected 0 to {end - 1}"


def _fault_of_lists(matrix: Any) -> str:
    """Return what is wrong with the rows of a matrix in LIL format; columns are checked later."""
    n = matrix.shape[0]
    for array, name in ((matrix.rows, "rows"), (matrix.data, "data")):
        if array.shape != (n,) or array.dtype.kind != "O":
            return f"{name} has the shape {array.shape}, not ({n},)"
        if not all(isinstance(row, list) for row in array):
            return f"{name} has entries that are not lists"
    for i, (columns, entries) in enumerate(zip(matrix.rows, matrix.data, strict=True)):
        if len(columns) != len(entries):
            return f"row {i} has {len(columns)} columns and {len(entries)} entries"
    return ""
