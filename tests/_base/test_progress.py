"""Progress bars: who sees one, and what is left of it."""

import io
import os
import sys
import threading
import time
import types
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest

from fuzzyrand._base import progress as module
from fuzzyrand._base.progress import bars, progress

from ..test_namespace import loaded


class Screen(io.StringIO):
    """A terminal that remembers what was written to it."""

    def isatty(self):
        return True

    def shown(self):
        """What was written since the last call."""
        text = self.getvalue()
        self.seek(0)
        self.truncate()
        return text


def watch(monkeypatch, delay=-1.0):
    """Put a terminal in the place of standard error, on which bars appear at once.

    No fixture, as pytest puts its own standard error in place between fixtures and tests.
    """
    screen = Screen()
    monkeypatch.setattr(module, "DELAY", delay)
    monkeypatch.setattr(sys, "stderr", screen)
    return screen


def test_bar_on_a_terminal(monkeypatch):
    screen = watch(monkeypatch)
    assert list(progress(range(3), 3, "pairs")) == [0, 1, 2]
    shown = screen.shown()
    assert "pairs:  33%|" in shown or "pairs:   0%|" in shown
    assert "\n" not in shown


def test_nothing_stays_on_the_screen(monkeypatch):
    screen = watch(monkeypatch)
    list(progress(range(3), 3, "pairs"))
    last = screen.shown().rstrip("\r").rpartition("\r")[2]
    assert last.strip() == ""


def test_no_bar_elsewhere(monkeypatch, capsys):
    monkeypatch.setattr(module, "DELAY", -1.0)
    assert list(progress(range(3), 3, "pairs")) == [0, 1, 2]
    assert capsys.readouterr().err == ""


def test_no_bar_for_what_is_done_soon(monkeypatch):
    screen = watch(monkeypatch, delay=2.0)
    assert list(progress(range(3), 3, "pairs")) == [0, 1, 2]
    assert screen.shown() == ""


def test_no_bar_inside_a_bar(monkeypatch):
    screen = watch(monkeypatch)
    outer = progress(range(2), 2, "cells")
    next(outer)
    assert "cells" in screen.shown()
    assert list(progress(range(3), 3, "pairs")) == [0, 1, 2]
    assert screen.shown() == ""
    outer.close()
    list(progress(range(3), 3, "pairs"))
    assert "pairs" in screen.shown()


def test_unequal_work_is_weighed(monkeypatch):
    watch(monkeypatch)
    bars = []
    make = module._new_bar
    monkeypatch.setattr(module, "_new_bar", lambda *given: bars.append(make(*given)) or bars[-1])
    steps = progress([1, 9], 10, "cells", float)
    next(steps)
    assert (bars[0].n, bars[0].total) == (1.0, 10)
    next(steps)
    assert bars[0].n == 10.0
    steps.close()


def test_a_bar_appears_while_the_first_item_takes_long(monkeypatch):
    screen = watch(monkeypatch, delay=0.05)
    monkeypatch.setattr(module, "TICK", 0.05)
    seen = []

    def slow():
        limit = time.monotonic() + 60.0
        while screen.getvalue().count("pairs:   0%|") < 2 and time.monotonic() < limit:
            time.sleep(0.01)
        seen.append(screen.shown())
        yield 1

    list(progress(slow(), 2, "pairs"))
    assert seen[0].count("pairs:   0%|") >= 2  # its clock is running
    assert screen.shown().rstrip("\r").rpartition("\r")[2].strip() == ""
    assert not any(thread.daemon and "_tick" in thread.name for thread in threading.enumerate())


def test_small_steps_are_shown_after_a_large_one(monkeypatch):
    """The first item that is shown stands for all that was done before."""
    screen = watch(monkeypatch)
    steps = progress([90, 1, 1], 100, "pairs", float)
    for percent in (90, 91, 92):
        next(steps)
        time.sleep(0.15)  # tqdm waits a tenth of a second between steps
        assert f"{percent}%|" in screen.shown()
    steps.close()


def test_no_bars_on_request(monkeypatch):
    screen = watch(monkeypatch)
    with bars(False):
        assert list(progress(range(3), 3, "pairs")) == [0, 1, 2]
    assert screen.shown() == ""
    with bars(True):
        list(progress(range(3), 3, "pairs"))
    assert "pairs" in screen.shown()
    outer = progress(range(2), 2, "cells")
    next(outer)
    with bars(False):  # within a bar, there is nothing to turn off
        pass
    outer.close()
    list(progress(range(3), 3, "pairs"))
    assert "pairs" in screen.shown()


def test_a_terminal_of_unknown_size_shows_bars(monkeypatch):
    screen = watch(monkeypatch)
    monkeypatch.setattr(screen, "fileno", lambda: 2, raising=False)
    monkeypatch.setattr(module.os, "get_terminal_size", lambda _: (0, 0))
    list(progress(range(3), 3, "pairs"))
    assert "pairs: " in screen.shown()
    assert module._size_of_screen() == {"ncols": 80, "nrows": 24}


def test_an_error_removes_the_bar(monkeypatch):
    screen = watch(monkeypatch)

    def failing():
        yield 1
        raise RuntimeError("planted")

    with pytest.raises(RuntimeError, match="planted"):
        list(progress(failing(), 2, "pairs"))
    assert screen.shown().rstrip("\r").rpartition("\r")[2].strip() == ""
    assert module._BAR.acquire(blocking=False)
    module._BAR.release()


def _shown_by_a_worker(_):
    module.DELAY, sys.stderr = -1.0, Screen()
    list(progress(range(3), 3, "pairs"))
    return os.getpid(), sys.stderr.getvalue()


def test_no_bar_in_workers():
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        process, shown = pool.submit(_shown_by_a_worker, 0).result()
    assert process != os.getpid()
    assert shown == ""


def test_no_bar_in_workers_of_joblib():
    joblib = pytest.importorskip("joblib")
    jobs = (joblib.delayed(_shown_by_a_worker)(number) for number in range(2))
    for process, shown in joblib.Parallel(n_jobs=2)(jobs):
        assert process != os.getpid()
        assert shown == ""


@pytest.mark.parametrize(
    ("config", "seen"), [({"IPKernelApp": {}}, True), ({"TerminalIPythonApp": {}}, False)]
)
def test_bar_in_a_notebook(monkeypatch, config, seen):
    """Standard error of a kernel is no terminal, but its cells show bars."""
    kernel = types.SimpleNamespace(config=config)
    ipython = types.SimpleNamespace(get_ipython=lambda: kernel)
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert module._is_watched() is seen


def test_tqdm_is_imported_only_for_a_bar():
    start = "from fuzzyrand._base import progress; import sys; sys.stderr.isatty = lambda: True\n"
    work = "list(progress.progress(range(3), 3, 'pairs'))"
    assert "tqdm" not in loaded(start + work)
    assert "tqdm" in loaded(start + "progress.DELAY = -1.0\n" + work)
