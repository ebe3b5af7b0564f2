"""Handling of Ctrl-C, even where other code turns it into another error or drops it."""

from __future__ import annotations

import _thread
import signal
import sys
import time
from types import FrameType, TracebackType


class Interrupts:
    """Context in which no Ctrl-C gets lost.

    An extension module that is interrupted while it is imported raises ``ImportError``, and
    callbacks of the import system cannot raise at all. The signal is therefore remembered here, and
    an interrupt that was dropped is sent again.

    Attributes
    ----------
    seen : bool
        Whether Ctrl-C was pressed.
    """

    seen = False

    def __enter__(self) -> Interrupts:
        self._hook = sys.unraisablehook
        self._handler = signal.getsignal(signal.SIGINT)
        if self._handler is signal.default_int_handler:
            try:
                signal.signal(signal.SIGINT, self._interrupt)
            except ValueError:  # only the main thread may do this, and only it is interrupted
                self._handler = None
            else:
                sys.unraisablehook = self._unraisable
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: object, where: TracebackType | None
    ) -> None:
        if self._handler is signal.default_int_handler:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            sys.unraisablehook = self._hook

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        self.seen = True
        raise KeyboardInterrupt

    def _unraisable(self, dropped: sys.UnraisableHookArgs) -> None:
        if issubclass(dropped.exc_type, KeyboardInterrupt):
            _thread.start_new_thread(_interrupt_soon, ())  # because hooks cannot raise either
        else:
            self._hook(dropped)


def _interrupt_soon() -> None:
    time.sleep(0.01)
    _thread.interrupt_main()
