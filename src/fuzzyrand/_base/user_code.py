"""Calling functions that users wrote: they can spoil nothing, and errors are named as theirs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .errors import FuzzyRandError, ParameterError
from .types import FloatArray


def call_user(function: Callable[..., Any], what: str, *arguments: Any) -> FloatArray:
    """What a user's function returns, as floats; arrays go in read-only."""
    safe = [_read_only(each) if isinstance(each, np.ndarray) else each for each in arguments]
    try:
        values = np.asarray(function(*safe))
        if np.iscomplexobj(values):
            raise TypeError("it returned complex numbers")
        return values.astype(np.float64)
    except FuzzyRandError:
        raise
    except Exception as error:
        # Whatever it raises, the traceback of the cause shows the line in the user's code.
        raise ParameterError(
            f"the {what} failed with {type(error).__name__}: {error}. It is called with NumPy "
            "arrays that it must not change, and returns one of numbers."
        ) from error


def _read_only(array: FloatArray) -> FloatArray:
    view = array.view()
    view.flags.writeable = False
    return view
