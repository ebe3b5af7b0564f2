"""Tasks on several workers, their results as they come."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
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
    # Without psutil joblib stops its workers by the command pgrep; where that is missing, as in
    # many containers, Ctrl-C would print a traceback and wait for ever.
    joblib = need("joblib", "psutil")
    calls: list[Any] = [joblib.delayed(work)(task) for task in tasks]
    try:
        parallel = joblib.Parallel(n_jobs=n_jobs, return_as="generator_unordered")
    except ValueError:  # a backend that cannot
        parallel = joblib.Parallel(n_jobs=n_jobs)
        for start in range(0, len(calls), CHUNK):
            yield from parallel(calls[start : start + CHUNK])
        return
    yield from parallel(calls)
