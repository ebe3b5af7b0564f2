"""A line on the terminal while Numba compiles. Importing this module imports Numba."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba.core import event

from .._base.progress import notice


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
