"""A progress bar with the time left, on a terminal only, and only for what takes a while."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")

#: Seconds of work before a bar appears at all.
PATIENCE = 2.0


def progress(items: Iterable[Item], total: int, what: str) -> Iterator[Item]:
    """Pass items through and show on standard error how many have gone by."""
    if not sys.stderr.isatty():
        yield from items
        return
    started = drawn = time.monotonic()
    shown = False
    try:
        for done, item in enumerate(items, start=1):
            now = time.monotonic()
            if now - started > PATIENCE and (now - drawn > 0.2 or done == total):
                left = (now - started) / done * (total - done)
                bar = "#" * (30 * done // total)
                sys.stderr.write(f"\r{what}: [{bar:<30}] {done / total:4.0%}, {left:.0f} s left ")
                sys.stderr.flush()
                drawn, shown = now, True
            yield item
    finally:
        if shown:
            sys.stderr.write("\r" + " " * 70 + "\r")
            sys.stderr.flush()
