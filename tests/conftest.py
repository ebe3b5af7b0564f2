"""Settings and fixtures shared by the tests."""

import os
import signal
import time
import tracemalloc

import pytest

from . import examples  # noqa: F401  (sets the profile before tests are read)
from .cli_process import stop_server
from .clustering_files import GOOD_LABELS, GOOD_SOFT

#: Terminals are controlled, and memory is limited, with modules that exist only on POSIX.
collect_ignore = [] if os.name == "posix" else ["terminal.py", "reader_server.py"]

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # Background processes ignore Ctrl-C, and so would the processes that they start.
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def _server():
    yield
    stop_server()


@pytest.fixture
def here(tmp_path):
    """A directory with two valid files."""
    (tmp_path / "truth.csv").write_text(GOOD_LABELS)
    (tmp_path / "soft.csv").write_text(GOOD_SOFT)
    return tmp_path


@pytest.fixture
def peak():
    """Peak memory in use since the test began, in megabytes."""
    tracemalloc.start()
    yield lambda: tracemalloc.get_traced_memory()[1] / (1 << 20)
    tracemalloc.stop()


#: When the tests began, and for how long simulations are begun; the nightly ones have no limit.
BEGAN, SIMULATION_SECONDS = time.monotonic(), os.environ.get("SIMULATION_SECONDS")


def pytest_collection_modifyitems(items):
    """Run the slowest simulations last, so that a limit of time leaves out as few as possible."""
    items.sort(
        key=lambda item: {"slow", "simulation"} <= {mark.name for mark in item.iter_markers()}
    )


def pytest_runtest_setup(item):
    """Leave out the simulations for which no time is left, if it is limited."""
    if SIMULATION_SECONDS is None or item.get_closest_marker("simulation") is None:
        return
    if time.monotonic() - BEGAN > float(SIMULATION_SECONDS):
        pytest.skip(f"the {SIMULATION_SECONDS} s for simulations are used up")
