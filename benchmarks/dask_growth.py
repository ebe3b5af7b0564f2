"""Growth of time and memory with the number of points in dask: a table for docs/guide/dask.md.

``python benchmarks/dask_growth.py`` writes the clusterings as NPY files into a temporary directory
(1.7 GB for 10⁷ points), opens them as dask arrays, and compares them on this machine, each in a
separate process. ``--points 1e5 1e6`` measures other numbers of points.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from measure import fitted_exponent, log
from report import duration, table

from fuzzyrand import Effort

#: Number of clusters of each clustering, and memberships in a block in memory.
CLUSTERS, ENTRIES = 10, 1 << 20
TITLES = ("comparison", "points", "time", "memory", "accuracy", "exponent")
ROUTES = {
    "hard vs hard, `perm`": ("hard", "other", {"model": "perm"}),
    "hard vs fuzzy, `fit`": ("hard", "soft", {"model": "fit"}),
    "fuzzy vs fuzzy, `consistency`, `perm`": (
        "soft",
        "blurred",
        {"model": "perm", "index": "consistency"},
    ),
    "fuzzy vs fuzzy, `perm`, sampled": ("soft", "blurred", {"effort": Effort(exact_work=1e9)}),
}


def write(folder: Path, n: int, clusters: int) -> None:
    """Write two hard and two fuzzy clusterings of the same points, sorted by cluster."""
    rng = np.random.default_rng(0)
    hard = np.sort(rng.integers(clusters, size=n)).astype(np.int32)
    np.save(folder / "hard.npy", hard)
    np.save(
        folder / "other.npy", np.where(rng.random(n) < 0.3, rng.integers(clusters, size=n), hard)
    )
    for name, sharpness in (("soft", 8.0), ("blurred", 3.0)):
        rows = np.lib.format.open_memmap(
            folder / f"{name}.npy", mode="w+", dtype=np.float64, shape=(n, clusters)
        )
        for start in range(0, n, 100_000):
            some = np.eye(clusters)[hard[start : start + 100_000]]
            drawn = rng.standard_gamma(0.4 + sharpness * some)
            rows[start : start + 100_000] = drawn / drawn.sum(axis=1, keepdims=True)
        rows.flush()


def comparison(n: int, first: str, second: str) -> Callable[[], object]:
    """Return a comparison of arrays in memory, in blocks, for the growth table of run.py."""
    import dask.array as da

    from fuzzyrand import adjusted_similarity

    rng = np.random.default_rng(0)
    made = {
        "hard": rng.integers(CLUSTERS, size=n),
        "other": rng.integers(CLUSTERS, size=n),
        "soft": rng.dirichlet(np.ones(CLUSTERS), n if "soft" in (first, second) else 1),
    }
    sides = [
        da.from_array(made[name], chunks=(ENTRIES // made[name][0].size, -1)[: made[name].ndim])
        for name in (first, second)
    ]
    return lambda: adjusted_similarity(*sides, model="perm")


def peak() -> float:
    """Return the peak memory of this process, in megabytes.

    (``getrusage`` is not used, because it starts with the memory of the parent process.)
    """
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    line = next(line for line in lines if line.startswith("VmHWM:"))
    return float(line.split()[1]) / 1024


def probe(folder: Path, route: str) -> None:
    """Compare once, and print seconds and megabytes; runs in a separate process."""
    import fuzzyrand as fr
    from fuzzyrand._files.column_choice import ReadingOptions
    from fuzzyrand._files.dask_files import open_with_dask

    first, second, options = ROUTES[route]
    few = np.random.default_rng(0).dirichlet(np.ones(3), 64)
    import dask.array as da

    small = da.from_array(few, chunks=(32, 3))
    fr.compare(small, small[::-1], **options)  # imports and compiles what is needed
    before = peak()
    # Each block maps its rows and releases them, so that pages of the file do not count as memory.
    paths = [str(folder / f"{name}.npy") for name in (first, second)]
    sides = [reading.clustering for reading in open_with_dask(paths, ReadingOptions())]
    started = time.perf_counter()
    result = fr.compare(*sides, **options)
    elapsed = time.perf_counter() - started
    found = {"seconds": elapsed, "megabytes": peak() - before, "how": result.short_accuracy}
    print(json.dumps(found))


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--points", type=float, nargs="+", default=[1e5, 1e6, 1e7])
    parser.add_argument("--clusters", type=int, default=CLUSTERS)
    parser.add_argument("--probe", nargs=2, metavar=("FOLDER", "ROUTE"))
    arguments = parser.parse_args()
    if arguments.probe:
        probe(Path(arguments.probe[0]), arguments.probe[1])
        return
    sizes = [int(n) for n in arguments.points]
    found: dict[str, list[dict[str, Any]]] = {route: [] for route in ROUTES}
    for n in sizes:
        with tempfile.TemporaryDirectory() as folder:
            write(Path(folder), n, arguments.clusters)
            for route, results in found.items():
                log(f"{route}, {n:,} points")
                command = [sys.executable, __file__, "--probe", folder, route]
                # Only dask uses threads, as its documentation recommends.
                single = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
                ended = subprocess.run(
                    command, check=True, capture_output=True, text=True, env=single
                )
                results.append(json.loads(ended.stdout))
    rows = []
    for route, results in found.items():
        slope = fitted_exponent(sizes, [result["seconds"] for result in results])
        rows += [
            [
                route if n == sizes[0] else "",
                f"{n:,}",
                duration(result["seconds"]),
                f"{max(result['megabytes'], 0.0):.0f} MB",
                result["how"],
                f"{slope:.2f}" if n == sizes[0] else "",
            ]
            for n, result in zip(sizes, results, strict=True)
        ]
    print(table(TITLES, rows))


if __name__ == "__main__":
    main()
