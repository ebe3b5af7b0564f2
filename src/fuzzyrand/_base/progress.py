"""A progress bar with the time left, on a terminal only, and only for what takes a while."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from multiprocessing import parent_process
from typing import TypeVar

Item = TypeVar("Item")

#: Seconds of work before a bar appears at all, and between two drawings of it.
PATIENCE, PACE = 2.0, 0.2
#: Held while a bar is shown, because a second bar would overwrite it.
_THE_BAR = threading.Lock()


def progress(
    items: Iterable[Item],
    total: float,
    what: str,
    weigh: Callable[[Item], float] = lambda _: 1.0,
) -> Iterator[Item]:
    """Yield the items, and show on the standard error stream the share that is done.

    Where items take different amounts of work, ``weigh`` returns the work of an item, and
    ``total`` is the sum over all items.
    """
    watched = sys.stderr.isatty() and parent_process() is None
    if not watched or not _THE_BAR.acquire(blocking=False):
        yield from items
        return
    started = drawn = time.monotonic()
    done = 0.0
    try:
        for item in items:
            done += weigh(item)
            now = time.monotonic()
            if now - started > PATIENCE and now - drawn > PACE:
                left = (now - started) * max(total - done, 0.0) / done
                share = min(done / total, 1.0)
                bar = "#" * int(30 * share)
                sys.stderr.write(f"\r{what}: [{bar:<30}] {share:4.0%}, {_span(left)} left ")
                sys.stderr.flush()
                drawn = now
            yield item
    finally:
        _THE_BAR.release()
        if drawn > started:
            sys.stderr.write("\r" + " " * 78 + "\r")
            sys.stderr.flush()


def _span(seconds: float) -> str:
    """Return a time in words.

    >>> _span(50), _span(150), _span(5400)
    ('50 s', '2 min', '1 h 30 min')
    """
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02d} min"
