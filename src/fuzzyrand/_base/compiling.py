"""How Numba compiles our loops, and what is said meanwhile. Importing this imports Numba."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numba
from numba.core import event

from .progress import notice


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


class _Compilations(event.Listener):
    """Listener that shows a line on a terminal while Numba compiles."""

    def __init__(self) -> None:
        self.depth = 0

    def on_start(self, event: Any) -> None:
        self.depth += 1
        if self.depth == 1:
            self.line = notice("compiling, which is done once ...")
            self.line.__enter__()

    def on_end(self, event: Any) -> None:
        self.depth -= 1
        if self.depth == 0:
            self.line.__exit__(None, None, None)


@contextmanager
def compiling() -> Iterator[None]:
    """Show a line on a terminal while Numba compiles within the context, if it does."""
    with event.install_listener("numba:compile", _Compilations()):
        yield
