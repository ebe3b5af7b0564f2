"""How functions are compiled: options for Numba, which is not imported here."""

from __future__ import annotations

from typing import Any

#: Inputs are finite by then and sums may be reordered; that is what lets loops vectorise.
FAST = {"reassoc", "contract", "nsz", "arcp", "nnan", "ninf"}
OUTER: dict[str, Any] = {"nogil": True, "fastmath": FAST, "error_model": "numpy", "cache": True}
#: Functions called by compiled code alone: without what calls from Python need.
INNER: dict[str, Any] = {**OUTER, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
