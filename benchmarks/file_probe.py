"""Peak memory and time of the command that compares a large file of float32 with one of labels.

Runs in a separate process and prints a JSON object. Arguments: points, clusters.
"""

from __future__ import annotations

import io
import json
import sys
import time
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from memory_probe import peak_bytes

from fuzzyrand._cli.main import main as command

#: Rows written at a time: the whole table is never in memory before the command reads it.
ROWS = 50_000


def write(path: Path, n: int, k: int) -> None:
    """Write random memberships of single precision in NumPy's format."""
    rng = np.random.default_rng(0)
    with path.open("wb") as file:
        header = {"descr": "<f4", "fortran_order": False, "shape": (n, k)}
        np.lib.format.write_array_header_1_0(file, header)
        for _ in range(0, n, ROWS):
            file.write(rng.dirichlet(np.ones(k), ROWS).astype("<f4").tobytes())


def main() -> None:
    """Write the files, and compare them under the permutation model."""
    n, k = map(int, sys.argv[1:])
    assert n % ROWS == 0
    with TemporaryDirectory() as folder:
        table, labels = Path(folder, "memberships.npy"), Path(folder, "labels.npy")
        write(table, n, k)
        np.save(labels, np.random.default_rng(1).integers(k, size=n, dtype=np.int32))
        start = time.perf_counter()
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            status = command(["compare", str(table), str(labels), "--model", "perm"])
        assert not status
        elapsed = time.perf_counter() - start
        report = {
            "file_bytes": table.stat().st_size,
            "peak_bytes": peak_bytes(),
            "seconds": elapsed,
        }
    print(json.dumps(report))


if __name__ == "__main__":
    main()
