"""Progress bars for work that takes a while: a thin layer over tqdm."""

from __future__ import annotations

import os
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

Item = TypeVar("Item")

#: Seconds of work before a bar is shown. Only then is tqdm imported, because importing it is slow.
DELAY = 2.0
#: Seconds after which the clock of a bar is shown again if nothing was finished.
TICK = 1.0
#: Held while a bar may be shown, since a nested bar would overwrite it.
_BAR = threading.Lock()


def progress(
    items: Iterable[Item],
    total: float,
    what: str,
    weigh: Callable[[Item], float] = lambda _: 1.0,
) -> Iterator[Item]:
    """Yield items and show on standard error the share of the work that is done.

    A bar is shown on a terminal or in a notebook if the work takes more than ``DELAY`` seconds,
    and is removed at the end. Worker processes show no bar, nor does work nested in other work that
    may show one, or within ``bars(False)``.

    Parameters
    ----------
    items : iterable
        The results of the work, in the order in which they are done.
    total : float
        Sum of the weights of all items.
    what : str
        Title of the bar.
    weigh : callable, optional
        Weight of an item; by default, 1 for each.
    """
    if not _is_watched() or not _BAR.acquire(blocking=False):
        yield from items
        return
    bar = _Bar(total, what)
    try:
        for item in items:
            bar.advance(weigh(item))
            yield item
    finally:
        bar.close()
        _BAR.release()


@contextmanager
def bars(shown: bool) -> Iterator[None]:
    """Show no bars while the context lasts, unless they are to be shown."""
    if shown or not _BAR.acquire(blocking=False):
        yield
        return
    try:
        yield
    finally:
        _BAR.release()


@contextmanager
def notice(text: str) -> Iterator[None]:
    """Show a line on a terminal while the context lasts, unless a bar may be shown there."""
    if not sys.stderr.isatty() or _in_worker() or not _BAR.acquire(blocking=False):
        yield
        return
    try:
        sys.stderr.write(f"\r{text}")
        sys.stderr.flush()
        yield
    finally:
        sys.stderr.write(f"\r{' ' * len(text)}\r")
        sys.stderr.flush()
        _BAR.release()


class _Bar:
    """A bar that appears after ``DELAY`` seconds.

    On a terminal, a thread shows it even if the first item takes longer than that, and keeps its
    clock running. A notebook shows what a thread writes below another cell, or not at all, so there
    the bar waits for the first item.

    Parameters
    ----------
    total : float
        Sum of all weights.
    what : str
        Title.
    """

    def __init__(self, total: float, what: str) -> None:
        self._total, self._what = total, what
        self._started, self._done = time.monotonic(), 0.0
        self._bar: Any = None
        self._lock, self._closed = threading.Lock(), threading.Event()
        self._ticker = threading.Thread(target=self._tick, daemon=True)
        if not _in_notebook():
            self._ticker.start()

    def advance(self, weight: float) -> None:
        """Count work that was done."""
        self._done += weight
        if time.monotonic() - self._started > DELAY:
            self._show()

    def close(self) -> None:
        """Remove the bar."""
        self._closed.set()
        if self._ticker.is_alive():
            self._ticker.join()
        if self._bar is not None:
            self._bar.close()

    def _tick(self) -> None:
        pause = max(DELAY, 0.0)
        while not self._closed.wait(pause):
            self._show()
            pause = TICK

    def _show(self) -> None:
        with self._lock:
            if self._bar is None:
                self._bar = _new_bar(self._total, self._what, time.monotonic() - self._started)
            done = min(self._done, self._total)  # a batch may be larger than what was left
            if not self._bar.update(done - self._bar.n):
                self._bar.refresh()


def _new_bar(total: float, what: str, elapsed: float) -> Any:
    """Return a bar for work that started ``elapsed`` seconds ago."""
    bar = _kind_of_bar()(
        total=total,
        desc=what,
        delay=DELAY,
        leave=False,
        miniters=0,  # otherwise, no step would be shown that is smaller than the first
        smoothing=0.0,  # remaining time from the mean speed, since work began before the bar
        bar_format="{desc}: {percentage:3.0f}%|{bar}| {elapsed}<{remaining}",
        **_size_of_screen(),
    )
    bar.start_t -= elapsed
    bar.last_print_t = bar.start_t
    return bar


def _kind_of_bar() -> Any:
    # Deferred: slow to import, and seldom needed.
    if not _in_notebook():
        from tqdm import tqdm as on_terminal

        return on_terminal
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # without ipywidgets, tqdm shows text instead
        from tqdm.auto import tqdm as in_notebook

    return in_notebook


def _size_of_screen() -> dict[str, Any]:
    """Return the size of a terminal that does not tell it, on which tqdm would show nothing."""
    try:
        known = all(os.get_terminal_size(sys.stderr.fileno()))
    except (OSError, ValueError):  # no terminal
        known = True
    return {"dynamic_ncols": True} if known else {"ncols": 80, "nrows": 24}


def _is_watched() -> bool:
    """Return whether a bar of this process would be seen, on a terminal or in a notebook."""
    return (sys.stderr.isatty() or _in_notebook()) and not _in_worker()


def _in_notebook() -> bool:
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    return shell is not None and "IPKernelApp" in shell.config


def _in_worker() -> bool:
    process = sys.modules.get("multiprocessing.process")
    return process is not None and process.parent_process() is not None
