"""Tasks on several workers, their results as they come, and a bar that says how long it takes."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

from .extras import need

Task = TypeVar("Task")
Result = TypeVar("Result")

#: Tasks given out at a time to a backend that cannot hand back results one by one.
CHUNK = 16


def as_they_finish(
    work: Callable[[Task], Result], tasks: Sequence[Task], n_jobs: int | None
) -> Iterator[Result]:
    """Results of all tasks in whatever order they finish.

    The backend is joblib's: processes on this machine unless ``joblib.parallel_config`` says
    otherwise. With one job nothing is imported and nothing started.
    """
    if n_jobs == 1:
        yield from map(work, tasks)
        return
    joblib = need("joblib")
    calls: list[Any] = [joblib.delayed(work)(task) for task in tasks]
    try:
        parallel = joblib.Parallel(n_jobs=n_jobs, return_as="generator_unordered")
    except ValueError:  # a backend that cannot
        parallel = joblib.Parallel(n_jobs=n_jobs)
        for start in range(0, len(calls), CHUNK):
            yield from parallel(calls[start : start + CHUNK])
        return
    yield from parallel(calls)


def with_bar(
    results: Iterable[Result], weigh: Callable[[Result], float], total: float, what: str
) -> Iterator[Result]:
    """Pass results through; on a terminal, show the share of the work done and the time left.

    Work is weighed, not counted: of two cells one may take a thousand times as long.
    """
    if not sys.stderr.isatty():
        yield from results
        return
    started, done, drawn = time.monotonic(), 0.0, 0.0
    try:
        for result in results:
            yield result
            done += weigh(result)
            now = time.monotonic()
            if now - drawn > 0.2:
                left = (now - started) * max(total - done, 0.0) / max(done, 1e-9)
                share = min(done / total, 1.0)
                bar = "#" * int(30 * share)
                sys.stderr.write(f"\r{what}: [{bar:<30}] {share:4.0%}, {_span(left)} left ")
                sys.stderr.flush()
                drawn = now
    finally:
        sys.stderr.write("\r" + " " * 78 + "\r")
        sys.stderr.flush()


def _span(seconds: float) -> str:
    """A time in words.

    >>> _span(50), _span(150), _span(5400)
    ('50 s', '2 min', '1 h 30 min')
    """
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02d} min"
