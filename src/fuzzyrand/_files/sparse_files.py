"""Make sparse matrices from the arrays that scipy.sparse.save_npz writes."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

import numpy as np

from .._base.errors import InputError
from .._clusterings.reading.sparse_format import INDICES, checked_csr, fault_of
from .file_table import Array, FilePlace
from .limits import COLUMN, SPARSE_ROW, Room

#: Arrays in every such file, whatever the format of the matrix.
SPARSE = {"format", "shape", "data"}


def read_sparse_matrix(
    load: Callable[[str], Array], names: Collection[str], source: str, room: Room
) -> Any:
    """Return the matrix in CSR format.

    Its arrays are checked before SciPy sees them, as it casts indices that are not whole numbers.

    Parameters
    ----------
    load : function
        Returns an array of the file by its name.
    names : collection of str
        The names of all arrays.
    source : str
        Name of the file in messages.
    room : Room
        How much memory it may take.
    """
    kind = _format_of(load("format"), source)
    together = kind == "coo" and "coords" in names  # as SciPy is going to store them
    missing = [name for name in INDICES[kind] if name not in names]
    if missing and not together:
        raise _damaged(source, f"there is no array {missing[0]!r}")
    shape = rows, columns = _shape_of(load("shape"), source)
    needed = rows * SPARSE_ROW + columns * COLUMN
    room.require(needed, source, f"claims {rows:,} rows and {columns:,} columns")
    arrays = {name: load(name) for name in ("data", *([] if together else INDICES[kind]))}
    if together:
        arrays |= _rows_and_columns(load("coords"), source)
    dtype = arrays["data"].dtype
    if dtype.kind not in "biuf" or dtype == np.float16:  # which SciPy does not support
        raise InputError(
            "{source} is a sparse matrix with entries of type {value}; expected memberships, which "
            "are numbers in single or double precision.",
            source=source,
            value=dtype,
        )
    fault = fault_of(kind, arrays, shape)
    if fault:
        raise _damaged(source, f"in {kind.upper()} format, {fault}")
    return checked_csr(_built(kind, arrays, shape), FilePlace(source))


def _built(kind: str, arrays: dict[str, Array], shape: tuple[int, int]) -> Any:
    from scipy import sparse  # Deferred: few files are sparse matrices.

    data, *indices = (arrays[name] for name in ("data", *INDICES[kind]))
    data = data.astype(data.dtype.newbyteorder("="), copy=False)
    make = getattr(sparse, f"{kind}_array")
    if kind == "coo":
        return make((data, tuple(indices)), shape=shape)
    return make((data, *indices), shape=shape)


def _format_of(array: Array, source: str) -> str:
    text = array.item() if array.ndim == 0 and array.dtype.kind in "SU" else array
    kind = text.decode("ascii", "replace") if isinstance(text, bytes) else str(text)
    if kind not in INDICES:
        raise _damaged(source, f"its format is {kind[:40]!r}, none of {', '.join(INDICES)}")
    return kind


def _shape_of(array: Array, source: str) -> tuple[int, int]:
    whole = array.shape == (2,) and array.dtype.kind in "iu"
    if not whole or (array < 0).any():
        raise _damaged(source, "its shape is not two non-negative integers")
    rows, columns = (int(length) for length in array)
    return rows, columns


def _rows_and_columns(coords: Array, source: str) -> dict[str, Array]:
    if coords.ndim != 2 or coords.shape[0] != 2:
        raise _damaged(source, "its coordinates are not rows and columns")
    return {"row": coords[0], "col": coords[1]}


def _damaged(source: str, fault: str) -> InputError:
    return InputError(
        "{source} is not a sparse matrix, or is damaged: {fault}. Save it again with "
        "scipy.sparse.save_npz.",
        source=source,
        fault=fault,
    )
