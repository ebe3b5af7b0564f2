"""Options with which Numba compiles our loops. Importing this module imports Numba."""

from __future__ import annotations

from typing import Any

import numba


def _probe() -> None:
    """Nothing; it is never compiled."""


def _cache_is_writable() -> bool:
    """Whether Numba finds a folder for compiled code.

    A read-only installation without a home directory, as in some containers, has none. Numba then
    refuses ``cache=True`` instead of doing without.
    """
    try:
        numba.njit(cache=True)(_probe)
    except RuntimeError:
        return False
    return True


#: Inputs have been checked to be finite and sums may be reordered, which lets loops vectorise.
FAST = {"reassoc", "contract", "nsz", "arcp", "nnan", "ninf"}
OUTER: dict[str, Any] = {
    "nogil": True,
    "fastmath": FAST,
    "error_model": "numpy",
    "cache": _cache_is_writable(),
}
#: For functions that only compiled code calls: omits the wrappers for calls from Python.
INNER: dict[str, Any] = {**OUTER, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
