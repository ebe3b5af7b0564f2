"""Run tasks on several workers, and return results as they are finished."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any, TypeVar

from .errors import MissingExtraError

Task = TypeVar("Task")
Result = TypeVar("Result")

#: Number of tasks given at a time to a backend that cannot return results one by one.
CHUNK = 16


def as_they_finish(
    work: Callable[[Task], Result],
    tasks: Sequence[Task],
    n_jobs: int | None,
    extra: str = "parallel",
) -> Iterator[Result]:
    """Yield the results of all tasks in the order in which they are finished.

    joblib runs the tasks, in processes on this machine unless ``joblib.parallel_config`` sets
    another backend. With one job, joblib is not imported.

    Parameters
    ----------
    work : callable
        Function that is called with each task.
    tasks : sequence
        The tasks.
    n_jobs : int or None
        Number of processes, as joblib counts them.
    extra : str
        Extra to name in the error message if joblib or psutil is missing.
    """
    if n_jobs == 1:
        yield from map(work, tasks)
        return
    # Without psutil, joblib stops its workers with the command pgrep. Where pgrep is missing, as in
    # many containers, Ctrl-C would print a traceback and then hang.
    joblib, _ = _need("joblib", extra), _need("psutil", extra)
    calls: list[Any] = [joblib.delayed(work)(task) for task in tasks]
    try:
        parallel = joblib.Parallel(n_jobs=n_jobs, return_as="generator_unordered")
    except ValueError:  # The backend has no such generator.
        parallel = joblib.Parallel(n_jobs=n_jobs)
        for start in range(0, len(calls), CHUNK):
            yield from parallel(calls[start : start + CHUNK])
        return
    with _quiet_children():
        results = parallel(calls)
    yield from results


def _need(module: str, extra: str) -> Any:
    try:
        return import_module(module)
    except ImportError:
        raise MissingExtraError(
            f'several processes need {module}: pip install "fuzzyrand[{extra}]"'
        ) from None


@contextmanager
def _quiet_children() -> Iterator[None]:
    """Start processes that ignore Ctrl-C and print nothing when they are stopped.

    The parent handles Ctrl-C and stops the processes; otherwise each would print a traceback.
    (Blocking the signal instead would not work, because joblib unblocks it when it starts its first
    process.) That first process, which tracks resources, would also warn about the resources of
    the stopped processes.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    filters = os.environ.get("PYTHONWARNINGS")
    ignored = "ignore:resource_tracker:UserWarning"
    os.environ["PYTHONWARNINGS"] = ignored if not filters else f"{filters},{ignored}"
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if filters is None:
            del os.environ["PYTHONWARNINGS"]
        else:
            os.environ["PYTHONWARNINGS"] = filters
