"""What the many kinds of vectors and matrices have in common: a shape, and a NumPy array inside."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import numpy as np
import numpy.typing as npt

from .._base.errors import InputError
from .._base.wording import Place
from .strangers import advice_for


def is_sequence(data: Any) -> bool:
    """Whether data are a plain sequence of points; text is not, as its characters are no points."""
    return isinstance(data, Sequence) and not isinstance(data, str | bytes | bytearray | memoryview)


def dimensions(data: Any, name: str) -> int:
    """Dimensions that the data themselves declare; 1 for plain sequences, whatever they hold."""
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
    """Refuse data of other dimensions than labels (1) or memberships (2) have."""
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
    """Refuse clusterings without a pair of points, and memberships without a cluster."""
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
    """Return the NumPy array inside, or raise the reason why there is none."""
    try:
        if hasattr(data, "to_numpy") and hasattr(data, "shape"):
            return np.asarray(data.to_numpy(**options))
        return np.asarray(data)
    except MemoryError:
        raise
    except Exception as error:
        # Whatever another library raises here, it says why its own object cannot be converted.
        raise InputError(
            "{place}, of type {kind}, cannot be turned into a NumPy array: {reason}",
            place=Place(name),
            kind=type(data).__name__,
            reason=str(error),
        ) from error


def is_missing(value: Any) -> bool:
    """None, masked, NaN, NaT and pandas' NA (whose comparisons have no truth value)."""
    if value is None or value is np.ma.masked or type(value).__name__ in ("NAType", "NaTType"):
        return True
    if isinstance(value, float | np.floating):
        return bool(value != value)
    if isinstance(value, np.datetime64 | np.timedelta64):
        return bool(np.isnat(value))
    return isinstance(value, Decimal) and value.is_nan()


def shown(value: Any) -> str:
    """Show a value in an error message: its type only, if it is long."""
    text = repr(value.item() if isinstance(value, np.generic) else value)
    return text if len(text) <= 60 and "\n" not in text else f"of type {type(value).__name__}"
