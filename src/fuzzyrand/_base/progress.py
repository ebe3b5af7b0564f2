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

#: Seconds of work before a bar is shown. Until then tqdm is not even imported, which takes a while.
DELAY = 2.0
#: Held while a bar may be shown: a bar inside a bar would write over it.
_BAR = threading.Lock()


def progress(
    items: Iterable[Item],
    total: float,
    what: str,
    weigh: Callable[[Item], float] = lambda _: 1.0,
) -> Iterator[Item]:
    """Yield items and show on standard error the share of the work that is done.

    A bar is shown on a terminal or in a notebook, if the work takes more than ``DELAY`` seconds,
    and is removed at the end. Worker processes show none, nor does work inside of other work that
    shows a bar.

    Parameters
    ----------
    items : iterable
        The results of the work, in the order in which they are done.
    total : float
        Sum of the weights of all items.
    what : str
        Title of the bar.
    weigh : callable, optional
        Share of an item in ``total``; by default, each counts 1.
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
    """Show a line on a terminal while something lasts, unless a bar may be shown there."""
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
    """Return a bar of work that has been going on for some seconds."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # in notebooks without ipywidgets, which do without
        from tqdm.auto import tqdm  # Deferred: slow to import, and seldom needed.
    bar = tqdm(
        total=total,
        desc=what,
        delay=DELAY,
        leave=False,
        smoothing=0.0,  # the time left by the mean speed, as it began before the bar
        dynamic_ncols=True,
        bar_format="{desc}: {percentage:3.0f}%|{bar}| {elapsed}<{remaining}",
    )
    bar.start_t -= elapsed
    bar.last_print_t = bar.start_t
    return bar


def _is_watched() -> bool:
    """Whether somebody can see a bar of this process: on a terminal or in a notebook."""
    return (sys.stderr.isatty() or _in_notebook()) and not _in_worker()


def _in_notebook() -> bool:
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    return shell is not None and "IPKernelApp" in shell.config


def _in_worker() -> bool:
    process = sys.modules.get("multiprocessing.process")
    return process is not None and process.parent_process() is not None
