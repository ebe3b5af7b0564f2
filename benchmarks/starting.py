"""Start-up times: imports, help, and the first call, which compiles.

Every program runs in a separate process, and the programs take turns.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from measure import median_times, run_probe
from report import Row, Section, Target, duration

HERE = Path(__file__).parent
#: Number of runs of each program, and of first calls, which take longer and vary less.
RUNS, FIRST_CALLS = 31, 5

COMMAND = str(Path(sys.executable).with_name("fuzzyrand"))
ARGPARSE = '`python -c "import argparse"`'


def starting() -> Section:
    """Import of the package, help of the command, and first calls."""
    programs = (
        [sys.executable, "-c", "import fuzzyrand"],
        [sys.executable, "-c", "import numpy"],
        [COMMAND, "--help"],
        [COMMAND, "--version"],
        [sys.executable, "-c", "import argparse"],
    )
    works = [lambda program=program: _run(program) for program in programs]
    package, numpy, shown, version, argparse = median_times(works, RUNS)
    section = Section(
        [
            _row("`import fuzzyrand`", "`import numpy`", package, numpy, 1.5),
            _row("`fuzzyrand --help`", ARGPARSE, shown, argparse, 3),
            _row("`fuzzyrand --version`", ARGPARSE, version, argparse, 3),
        ]
    )
    _add_first_call(section)
    return section


def _add_first_call(section: Section) -> None:
    probes = [run_probe(HERE / "first_call_probe.py", 3000, 5) for _ in range(FIRST_CALLS)]
    first, again, numba = (
        statistics.median(probe[part] for probe in probes) for part in ("first", "again", "numba")
    )
    section.rows.append(
        Row(
            "first `compare` of two fuzzy clusterings in a new installation, n = 3,000, k = 5",
            "the same call again",
            first,
            Target(3, at_least=False, unit=" s"),
            duration(first),
            duration(again),
        )
    )
    section.notes.append(
        "first `compare`: Numba's cache is empty, as it is once after an installation; importing "
        f"what the call needs is counted, of which `import numba` takes {duration(numba)}."
    )


def _run(program: Sequence[str]) -> None:
    subprocess.run(program, check=True, stdout=subprocess.DEVNULL)


def _row(work: str, peer: str, ours: float, theirs: float, limit: float) -> Row:
    target = Target(limit, at_least=False)
    return Row(work, peer, ours / theirs, target, duration(ours), duration(theirs))
