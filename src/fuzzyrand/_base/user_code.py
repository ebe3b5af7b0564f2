"""Call functions written by users: arrays are read-only, and errors name the function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .errors import FuzzyRandError, ParameterError
from .types import FloatArray


def call_user(function: Callable[..., Any], what: str, *arguments: Any) -> FloatArray:
    """Call a user's function with read-only arrays, and return its result as floats.

    Parameters
    ----------
    function : callable
        The function.
    what : str
        Name of the function in an error message, as in "sampler".
    *arguments
        Its arguments.
    """
    safe = [
        _read_only(argument) if isinstance(argument, np.ndarray) else argument
        for argument in arguments
    ]
    try:
        values = np.asarray(function(*safe))
        if np.iscomplexobj(values):
            raise TypeError("it returned complex numbers")
        return values.astype(np.float64)
    except FuzzyRandError:
        raise
    except Exception as error:
        # The traceback of the cause shows the line of the user's code that failed.
        raise ParameterError(
            f"the {what} failed with {type(error).__name__}: {error}. It is called with NumPy "
            "arrays, must not change them, and must return an array of numbers."
        ) from error


def _read_only(array: FloatArray) -> FloatArray:
    view = array.view()
    view.flags.writeable = False
    return view
