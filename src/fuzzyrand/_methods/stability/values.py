"""Values of the parameter under study: numbers or texts."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable
from numbers import Integral, Real
from typing import Any

from ..._base.errors import ParameterError
from ..._base.parameters import Value, is_count
from ..._base.wording import Option


def as_values(values: Any, parameter: str) -> list[Value]:
    """Check the values; return each once: numbers in increasing order, others in the given one."""
    given = [values] if isinstance(values, Real | str) else values
    if not isinstance(given, Iterable):
        raise ParameterError(
            "{parameter} must hold values of {name}, such as {example}; got {value!r}.",
            parameter=Option("values"),
            name=parameter,
            example="range(2, 11)" if is_count(parameter) else "[0.1, 0.2, 0.5]",
            value=values,
        )
    plain = list(dict.fromkeys(_plain(value, parameter) for value in given))
    if not plain:
        raise ParameterError("{parameter} is empty; give a value.", parameter=Option("values"))
    if any(isinstance(value, str) for value in plain):
        return plain
    return sorted(plain, key=float)


def _plain(value: Any, parameter: str) -> Value:
    """Return a value as a number or text of Python, or refuse it."""
    if is_count(parameter):
        if isinstance(value, bool) or not isinstance(value, Integral) or value < 2:
            raise ParameterError(
                "{parameter} must hold integers of at least 2, got {value!r}; a single cluster "
                "always agrees with itself. For values of something else than a number of "
                "clusters, name it by {name}.",
                parameter=Option("values"),
                value=value,
                name=Option("parameter"),
            )
        return int(value)
    if isinstance(value, str):
        return str(value)
    if not isinstance(value, Real) or isinstance(value, bool) or not math.isfinite(value):
        raise ParameterError(
            "{parameter} must hold finite numbers or texts, got {value!r}.",
            parameter=Option("values"),
            value=value,
        )
    return int(value) if isinstance(value, Integral) else float(value)


def seed_of(value: Value) -> int:
    """Return a non-negative integer that differs for different values, and equals whole numbers."""
    if not isinstance(value, str) and value >= 0 and float(value).is_integer():
        return int(value)
    return int.from_bytes(hashlib.sha256(repr(value).encode()).digest()[:8], "big")
