"""Timing, memory and machine, independent of what is measured."""

from __future__ import annotations

import json
import math
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

Work = Callable[[], Any]

LIBRARIES = ("fuzzyrand", "numpy", "scipy", "numba", "scikit-learn", "genieclust")

#: Share of the cores' time taken by other processes from which the figures are doubtful.
DISTURBED = 0.05


def log(text: str) -> None:
    """Print progress to standard error, so that standard output holds only the tables."""
    print(text, file=sys.stderr, flush=True)


def seconds(work: Work) -> float:
    """Wall-clock time of one call."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


@dataclass(frozen=True)
class Race:
    """Median times of two programs that took turns."""

    ours: float
    peer: float

    @property
    def speedup(self) -> float:
        """How many times faster we are."""
        return self.peer / self.ours


def race(ours: Work, peer: Work, repetitions: int) -> Race:
    """Time two programs in turns, so that a slow spell of the machine affects both.

    Both must have run before, so that compiling, importing and first page faults do not count. Each
    runs once per turn, so that neither has an advantage from warm caches.
    """
    mine, theirs = [], []
    for _ in range(repetitions):
        mine.append(seconds(ours))
        theirs.append(seconds(peer))
    return Race(statistics.median(mine), statistics.median(theirs))


def median_times(works: Sequence[Work], repetitions: int) -> list[float]:
    """Median time of each of several programs that take turns, after one round to warm up."""
    for work in works:
        work()
    rounds = [[seconds(work) for work in works] for _ in range(repetitions)]
    return [statistics.median(times) for times in zip(*rounds, strict=True)]


def fitted_exponent(sizes: Sequence[int], times: Sequence[float]) -> float:
    """Slope of the line through (log size, log time), the power with which time grows."""
    fit = statistics.linear_regression([math.log(n) for n in sizes], [math.log(t) for t in times])
    return fit.slope


def run_probe(script: Path, *arguments: int) -> dict[str, float]:
    """Run a script in a separate process and return the JSON object that it prints."""
    command = [sys.executable, str(script), *map(str, arguments)]
    result = subprocess.run(command, check=True, capture_output=True, text=True)
    return {key: float(value) for key, value in json.loads(result.stdout).items()}


class OtherLoad:
    """Share of the machine that other processes have used since the object was created."""

    def __init__(self) -> None:
        self.start = self._now()

    def __str__(self) -> str:
        share = self._share()
        if share is None:
            return "unknown"
        verdict = "" if share < DISTURBED else ": disturbed, run it again on a quiet machine"
        return f"{share:.0%} of the cores' time{verdict}"

    def _share(self) -> float | None:
        """Share of all cores, from 0 to 1; None if the system does not report it."""
        now = self._now()
        if now is None or self.start is None:
            return None
        busy, own, wall = (after - before for before, after in zip(self.start, now, strict=True))
        return max(0.0, busy - own) / (wall * _cores())

    @staticmethod
    def _now() -> tuple[float, float, float] | None:
        """Seconds so far: of all processes, of this process and its children, and of the clock."""
        stat = Path("/proc/stat")
        if not stat.exists():
            return None
        ticks = [int(word) for word in stat.read_text().split()[1:9]]
        idle = ticks[3] + ticks[4]
        busy = (sum(ticks) - idle) / os.sysconf("SC_CLK_TCK")
        return busy, sum(os.times()[:4]), time.perf_counter()


def environment(load: OtherLoad) -> dict[str, str]:
    """The machine and the versions that the figures belong to."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return {
        "Date": time.strftime("%Y-%m-%d", time.gmtime()),
        "Processor": f"{_processor()}, {_cores()} cores",
        "Memory": f"{memory:.0f} GiB",
        "System": f"{platform.system()} {platform.machine()}",
        "Python": platform.python_version(),
        "Libraries": ", ".join(f"{name} {version(name)}" for name in LIBRARIES),
        "Other processes": str(load),
    }


def _cores() -> int:
    return os.cpu_count() or 1


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "unknown processor"
