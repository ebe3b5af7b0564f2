"""Options with which Numba compiles functions; Numba itself is not imported here."""

from __future__ import annotations

from typing import Any

#: Inputs have been checked to be finite and sums may be reordered, which lets loops vectorise.
FAST = {"reassoc", "contract", "nsz", "arcp", "nnan", "ninf"}
OUTER: dict[str, Any] = {"nogil": True, "fastmath": FAST, "error_model": "numpy", "cache": True}
#: For functions that only compiled code calls: omits the wrappers for calls from Python.
INNER: dict[str, Any] = {**OUTER, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
