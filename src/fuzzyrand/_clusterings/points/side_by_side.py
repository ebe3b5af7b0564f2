"""Several clusterings in the columns of a matrix or a frame, with points in rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..._base.errors import InputError
from ..reading.arraylike import to_array
from ..reading.memberships import SUM_TOLERANCE
from ..reading.unsupported import advice_for, is_dask


def clusterings_in_columns(data: Any) -> dict[str, Any] | None:
    """Return the columns of a matrix or a frame by name, each a clustering; None for other data.

    The columns of a matrix are numbered from 0. A matrix that could also be the memberships of a
    single clustering is refused, and so is one that seems to have clusterings in its rows.

    Examples
    --------
    >>> clusterings_in_columns(np.array([[0, 5], [0, 5], [1, 7]]))
    {'0': array([0, 0, 1]), '1': array([5, 5, 7])}
    """
    if getattr(data, "ndim", len(getattr(data, "shape", ()))) != 2:
        return None
    if not is_dask(data) and advice_for(data):
        raise InputError(f"expected clusterings, got a {type(data).__name__}. {advice_for(data)}")
    if isinstance(data, np.matrix):  # whose columns would be matrices again
        data = np.asarray(data)
    framed = hasattr(data, "columns")
    _require_columns_of_labels(data, framed)
    if not framed:
        return {str(number): data[:, number] for number in range(data.shape[1])}
    names = [str(name) for name in data.columns]
    if len(set(names)) < len(names):
        raise InputError("two columns have the same name, written as text; rename one.")
    if hasattr(data, "iloc") and not is_dask(data):
        return {name: data.iloc[:, number] for number, name in enumerate(names)}
    return {name: data[column] for name, column in zip(names, data.columns, strict=True)}


def _require_columns_of_labels(data: Any, framed: bool) -> None:
    """Refuse what could be the memberships of one clustering, and clusterings in rows."""
    n, k = data.shape
    dense = "x.toarray()" if hasattr(data, "tocsr") else "x.to_numpy()" if framed else "x"
    columns = f"list({dense}.T)"
    why = _like_memberships(data)
    if why:
        raise InputError(
            "the {kind} of {n} rows and {k} columns {why}, and could be the memberships of one "
            "clustering. If it is, put it in a list or dict with the clusterings to compare it "
            "with, such as [u, v]; if each column holds the labels of a clustering, pass "
            "{columns}.",
            kind="frame" if framed else "matrix",
            n=n if isinstance(n, int) else "unknown",
            k=k,
            why=why,
            columns=columns,
        )
    if not framed and k > n > 0:
        raise InputError(
            "the matrix of {n} rows and {k} columns would be {k} clusterings of {n} points, "
            "because rows are points. If each row is a clustering, pass list(x); otherwise "
            "{columns}.",
            n=n,
            k=k,
            columns=columns,
        )


def _like_memberships(data: Any) -> str:
    """Return why a matrix could hold memberships, or "" if its columns can only be labels."""
    if hasattr(data, "tocsr"):
        return "is sparse"
    if is_dask(data):  # nothing is read before the whole comparison is set up
        kinds = {dtype.kind for dtype in getattr(data, "dtypes", [getattr(data, "dtype", None)])}
        return "holds floating-point numbers" if kinds == {"f"} else ""
    numbers = to_array(data, "clusterings")
    if numbers.dtype.kind not in "biuf" or not numbers.size:
        return ""
    single = numbers.dtype.kind == "f" and numbers.dtype.itemsize < 8
    tolerance = SUM_TOLERANCE["float32" if single else "float64"]
    sums = numbers.sum(axis=1, dtype=np.float64)
    if numbers.min() >= 0 and np.all(np.abs(sums - 1.0) <= tolerance):
        return "has rows that sum to 1"
    known = numbers[~np.isnan(numbers)] if numbers.dtype.kind == "f" else numbers
    if np.any(known != np.floor(known)):
        return "has entries that are not integers, as labels would be"
    return ""
