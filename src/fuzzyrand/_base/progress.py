"""Progress bars for work that takes a while: a thin layer over tqdm."""

from __future__ import annotations

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
    may show one.

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
    bar, started, done = None, time.monotonic(), 0.0
    try:
        for item in items:
            done += weigh(item)
            elapsed = time.monotonic() - started
            if bar is None and elapsed > DELAY:
                bar = _bar(total, what, elapsed)
            if bar is not None:
                bar.update(done - bar.n)
            yield item
    finally:
        if bar is not None:
            bar.close()
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


def _bar(total: float, what: str, elapsed: float) -> Any:
    """Return a bar for work that started ``elapsed`` seconds ago."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # in notebooks without ipywidgets, tqdm shows text instead
        from tqdm.auto import tqdm  # Deferred: slow to import, and seldom needed.
    bar = tqdm(
        total=total,
        desc=what,
        delay=DELAY,
        leave=False,
        smoothing=0.0,  # remaining time from the mean speed, since work began before the bar
        dynamic_ncols=True,
        bar_format="{desc}: {percentage:3.0f}%|{bar}| {elapsed}<{remaining}",
    )
    bar.start_t -= elapsed
    bar.last_print_t = bar.start_t
    return bar


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
