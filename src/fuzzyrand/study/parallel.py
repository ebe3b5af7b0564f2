"""Tasks on several workers, their results as they come."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
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
    with _quiet_children():
        results = parallel(calls)
    yield from results


@contextmanager
def _quiet_children() -> Iterator[None]:
    """Let processes that are started here say nothing when Ctrl-C ends them.

    They ignore it: it is for the parent, which ends them, and each would print a traceback.
    (Blocking the signal, by which the parent would not miss one meanwhile, is undone when joblib
    starts its first process.) That first process would warn of what the others left behind.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    heard = signal.signal(signal.SIGINT, signal.SIG_IGN)
    warned = os.environ.get("PYTHONWARNINGS")
    ignored = "ignore:resource_tracker:UserWarning"
    os.environ["PYTHONWARNINGS"] = ignored if not warned else f"{warned},{ignored}"
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, heard)
        if warned is None:
            del os.environ["PYTHONWARNINGS"]
        else:
            os.environ["PYTHONWARNINGS"] = warned
