"""Shapes and NumPy arrays of the many kinds of vectors and matrices that users pass in."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import numpy as np
import numpy.typing as npt

from ..._base.errors import InputError
from ..._base.wording import Place
from .unsupported import advice_for


def is_sequence(data: Any) -> bool:
    """Return whether data are a plain sequence of points; text and bytes are not."""
    return isinstance(data, Sequence) and not isinstance(data, str | bytes | bytearray | memoryview)


def dimensions(data: Any, name: str) -> int:
    """Return the number of dimensions that the data declare; 1 for any plain sequence.

    Objects that are no clusterings are refused, and so are dask collections, which only some
    functions take.
    """
    advice = advice_for(data)
    if not advice:
        if hasattr(data, "ndim"):
            return int(data.ndim)
        if hasattr(data, "shape"):
            return len(data.shape)
        if is_sequence(data) or hasattr(data, "__array__"):
            return 1
    kind = type(data).__name__
    article = "an" if kind[0].lower() in "aeiou" else "a"
    raise InputError(
        "{place} is {kind}; expected a label vector or a (points, clusters) matrix: a list, NumPy "
        "array, SciPy sparse matrix, pandas or polars object.{advice}",
        place=Place(name),
        kind="None" if data is None else f"{article} {kind}",
        advice=f" {advice}" if advice else "",
    )


def require_dimensions(declared: int, wanted: tuple[int, ...], name: str) -> None:
    """Refuse data whose number of dimensions is not wanted; labels have 1, memberships 2."""
    if declared in wanted:
        return
    meaning = {1: "1 (one label a point)", 2: "2 (points in rows, clusters in columns)"}
    advice = {
        1: " Labels go in through Partition.from_labels.",
        2: " Memberships go in through Partition.from_memberships.",
    }
    raise InputError(
        "{place} has {value} dimension{s}; expected {wanted}.{advice}",
        place=Place(name),
        value=declared,
        s="s" * (declared != 1),
        wanted=" or ".join(meaning[number] for number in wanted),
        advice=advice.get(declared, ""),
    )


def require_points(n: int, name: str, k: int | None = None) -> None:
    """Refuse clusterings of fewer than two points, and memberships without a cluster."""
    if n < 2:
        hint = ""
        if n == 1 and k is not None and k > 1:
            hint = f" It has {k} columns: if those are the points, transpose it."
        raise InputError(
            "{place} has {value} point{s}; at least 2 are needed to have a pair.{hint}",
            place=Place(name),
            value=n,
            s="s" * (n != 1),
            hint=hint,
        )
    if k == 0:
        raise InputError(
            "{place} has no columns; a point needs at least one cluster.", place=Place(name)
        )


def to_array(data: Any, name: str, **options: Any) -> npt.NDArray[Any]:
    """Convert data to a NumPy array, or raise an error that says why this is not possible."""
    try:
        if hasattr(data, "to_numpy") and hasattr(data, "shape"):
            return np.asarray(data.to_numpy(**options))
        return np.asarray(data)
    except MemoryError:
        raise
    except Exception as error:
        # Whatever another library raises here says why its own object cannot be converted.
        raise InputError(
            "{place}, of type {kind}, cannot be turned into a NumPy array: {reason}",
            place=Place(name),
            kind=type(data).__name__,
            reason=str(error),
        ) from error


def is_missing(value: Any) -> bool:
    """Return whether a value is None, masked, NaN, NaT or NA.

    Comparisons with pandas' NA have no truth value, so it is recognised by the name of its type.
    """
    if value is None or value is np.ma.masked or type(value).__name__ in ("NAType", "NaTType"):
        return True
    if isinstance(value, float | np.floating):
        return bool(value != value)
    if isinstance(value, np.datetime64 | np.timedelta64):
        return bool(np.isnat(value))
    return isinstance(value, Decimal) and value.is_nan()


def shown(value: Any) -> str:
    """Write a value for an error message; only its type if the value is long."""
    text = repr(value.item() if isinstance(value, np.generic) else value)
    return text if len(text) <= 60 and "\n" not in text else f"of type {type(value).__name__}"
