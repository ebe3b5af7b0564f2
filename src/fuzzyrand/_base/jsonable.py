"""Plain Python values, as JSON has them."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

Result = TypeVar("Result")


def jsonable(value: Any) -> Any:
    """Return a value that JSON can represent, with None for numbers that are not finite.

    Examples
    --------
    >>> jsonable({"low": float("-inf"), "points": (1, float("nan"))})
    {'low': None, 'points': [1, None]}
    """
    if hasattr(value, "tolist"):  # arrays and numbers of NumPy
        value = value.tolist()
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: jsonable(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [jsonable(entry) for entry in value]
    return value


def ready_for_json(
    to_dict: Callable[[Result], dict[str, Any]],
) -> Callable[[Result], dict[str, Any]]:
    """Make a method return values that JSON can represent."""

    @wraps(to_dict)
    def converted(self: Result) -> dict[str, Any]:
        return {key: jsonable(value) for key, value in to_dict(self).items()}

    return converted
