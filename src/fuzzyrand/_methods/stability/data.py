"""Rows of data of any kind: arrays, sparse matrices, data frames, lists."""

from __future__ import annotations

import hashlib
import pickle
from typing import Any

import numpy as np

from ..._base.errors import InputError
from ..._base.types import FloatArray, IntArray
from ..._base.wording import Place
from ..._clusterings.reading.sparse_format import require_format


def count_rows(data: Any) -> int:
    """Return the number of rows, or refuse data without rows or with indices outside of them."""
    require_format(data, Place("data matrix"))
    shape = getattr(data, "shape", None)
    if isinstance(shape, tuple) and shape:
        return int(shape[0])
    if isinstance(data, list | tuple):
        return len(data)
    raise InputError(
        f"the data are of type {type(data).__name__}; expected rows that can be drawn: a NumPy "
        "array, a SciPy sparse matrix, a pandas or polars frame, or a list."
    )


def take_rows(data: Any, rows: IntArray) -> Any:
    """Return some rows as data of the same kind."""
    if hasattr(data, "iloc"):  # pandas
        return data.iloc[rows]
    if isinstance(data, list | tuple):
        return [data[row] for row in rows.tolist()]
    if hasattr(data, "tocsr"):  # SciPy; some of its formats cannot be indexed
        return data.tocsr()[rows]
    return data[rows]


def numbers_of(data: Any) -> FloatArray | None:
    """Return the data as a matrix of finite numbers, or None if they are something else."""
    if hasattr(data, "tocsr") or getattr(data, "ndim", len(getattr(data, "shape", ()))) != 2:
        return None
    try:
        numbers = np.asarray(data.to_numpy() if hasattr(data, "to_numpy") else data)
        numbers = numbers.astype(np.float64)
    except (TypeError, ValueError):
        return None
    return numbers if numbers.size and np.isfinite(numbers).all() else None


def like(data: Any, numbers: FloatArray) -> Any:
    """Return numbers in the form of the data: a frame with the same columns, or an array."""
    if hasattr(data, "iloc"):
        return type(data)(numbers, index=data.index, columns=data.columns)
    if hasattr(data, "to_numpy") and hasattr(data, "columns"):  # polars
        return type(data)(numbers, schema=list(data.columns))
    return numbers


def fingerprint(data: Any) -> str:
    """Return a text that differs for different data."""
    if hasattr(data, "tocsr"):
        matrix = data.tocsr()
        parts: list[Any] = [matrix.data, matrix.indices, matrix.indptr]
    elif hasattr(data, "to_numpy"):
        parts = [np.asarray(data.to_numpy())]
    elif isinstance(data, np.ndarray):
        parts = [data]
    else:
        parts = [np.frombuffer(pickle.dumps(data), dtype=np.uint8)]
    digest = hashlib.sha256(str(getattr(data, "shape", len(parts))).encode())
    for part in parts:
        digest.update(str(part.dtype).encode())
        plain = part.dtype.kind not in "OT"
        digest.update(np.ascontiguousarray(part).tobytes() if plain else pickle.dumps(part))
    return digest.hexdigest()[:16]
