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


#: Inputs are finite by then and sums may be reordered; that is what lets loops vectorise.
FAST = {"reassoc", "contract", "nsz", "arcp", "nnan", "ninf"}
OUTER: dict[str, Any] = {
    "nogil": True,
    "fastmath": FAST,
    "error_model": "numpy",
    "cache": _cache_is_writable(),
}
#: Functions called by compiled code alone: without what calls from Python need.
INNER: dict[str, Any] = {**OUTER, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
