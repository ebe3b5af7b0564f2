"""Run work on several threads, with results in order, independent of the number of threads."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from .errors import ParameterError

VARIABLE = "FUZZYRAND_NUM_THREADS"
#: More threads than any machine has cores only take memory, until the system refuses them.
MOST_THREADS = 1024

Task = TypeVar("Task")
Result = TypeVar("Result")


def thread_count(requested: int | None = None) -> int:
    """Return the number of threads to use.

    This is ``requested`` if given, otherwise the environment variable ``FUZZYRAND_NUM_THREADS``,
    otherwise the number of cores that this process may use.
    """
    if requested is None:
        requested = _from_environment()
    if requested is not None:
        return min(max(1, int(requested)), MOST_THREADS)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _from_environment() -> int | None:
    given = os.environ.get(VARIABLE, "").strip() or "0"
    if not given.isdecimal():
        raise ParameterError(
            f"the environment variable {VARIABLE} is {given!r}; expected an integer number of "
            "threads, or 0 (or nothing) for all cores."
        )
    return int(given) or None


def map_in_order(
    work: Callable[[Task], Result], tasks: Sequence[Task], threads: int | None = None
) -> Iterator[Result]:
    """Yield ``work(task)`` for each task, in order, computed on several threads.

    The tasks must not depend on the number of threads; then the results do not either. A single
    task starts no thread.
    """
    count = min(thread_count(threads), len(tasks))
    if count <= 1:
        yield from map(work, tasks)
        return
    pool = ThreadPoolExecutor(count)
    try:
        yield from pool.map(work, tasks)
    finally:
        # On Ctrl-C, tasks that have not started are dropped, so the wait is short.
        pool.shutdown(wait=True, cancel_futures=True)
