"""What the many kinds of vectors and matrices have in common: a shape, and a NumPy array inside."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import numpy as np
import numpy.typing as npt

from .._base.errors import InputError

_SET = "A set has no order and no repetitions, so the points are lost."
#: What to do about things that hold a clustering, but not in a form that can be read.
_ADVICE = {
    "str": "For one label a character, pass list(text).",
    "dict": "If its values are the clustering, in the order of the points: list(d.values()).",
    "set": _SET,
    "frozenset": _SET,
    "generator": "Make a list of it: list(...).",
    "map": "Make a list of it: list(...).",
    "LazyFrame": "Call its collect() first.",
    "Partition": "It has been read already: pass it as it is.",
}


def is_sequence(data: Any) -> bool:
    """A plain Python sequence of points (text is not: its characters are seldom meant)."""
    return isinstance(data, Sequence) and not isinstance(data, str | bytes | bytearray | memoryview)


def dimensions(data: Any, name: str) -> int:
    """Dimensions that the data themselves declare; 1 for plain sequences, whatever they hold."""
    if hasattr(data, "ndim"):
        return int(data.ndim)
    if hasattr(data, "shape"):
        return len(data.shape)
    if is_sequence(data) or hasattr(data, "__array__"):
        return 1
    kind = type(data).__name__
    what = "None" if data is None else f"{'an' if kind[0].lower() in 'aeiou' else 'a'} {kind}"
    message = (
        f"the {name} is {what}; expected a label vector or a (points, clusters) matrix: "
        "a list, NumPy array, SciPy sparse matrix, pandas or polars object."
    )
    raise InputError(f"{message} {_ADVICE[kind]}" if kind in _ADVICE else message)


def require_dimensions(found: int, wanted: tuple[int, ...], name: str) -> None:
    """Refuse data of other dimensions than labels (1) or memberships (2) have."""
    if found in wanted:
        return
    meaning = {1: "1 (one label a point)", 2: "2 (points in rows, clusters in columns)"}
    advice = {
        1: " Labels go in through Partition.from_labels.",
        2: " Memberships go in through Partition.from_memberships.",
    }
    raise InputError(
        f"the {name} has {found} dimension{'s' * (found != 1)}; "
        f"expected {' or '.join(meaning[each] for each in wanted)}.{advice.get(found, '')}"
    )


def require_points(n: int, name: str, k: int | None = None) -> None:
    """Refuse clusterings without a pair of points, and memberships without a cluster."""
    if n < 2:
        hint = ""
        if n == 1 and k is not None and k > 1:
            hint = f" It has {k} columns: if those are the points, transpose it."
        raise InputError(
            f"the {name} has {n} point{'s' * (n != 1)}; at least 2 are needed to have a pair.{hint}"
        )
    if k == 0:
        raise InputError(f"the {name} has no columns; a point needs at least one cluster.")


def to_array(data: Any, name: str, **options: Any) -> npt.NDArray[Any]:
    """The NumPy array inside, or the reason why there is none."""
    try:
        if hasattr(data, "to_numpy") and hasattr(data, "shape"):
            return np.asarray(data.to_numpy(**options))
        return np.asarray(data)
    except MemoryError:
        raise
    except Exception as error:
        # Whatever another library raises here, it says why its own object cannot be converted.
        raise InputError(
            f"the {name}, of type {type(data).__name__}, cannot be turned into a NumPy array: "
            f"{error}"
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
    """A value as error messages show it: its type only, if it is long."""
    text = repr(value.item() if isinstance(value, np.generic) else value)
    return text if len(text) <= 60 and "\n" not in text else f"of type {type(value).__name__}"
