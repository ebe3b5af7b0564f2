"""Time of the first comparison of two fuzzy clusterings with an empty cache of compiled code.

Runs in a separate process and prints a JSON object. Arguments: points, clusters.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from tempfile import TemporaryDirectory

import numpy as np

import fuzzyrand as fr

IMPORT_NUMBA = (
    "import numpy, time; start = time.perf_counter(); import numba; "
    "print(time.perf_counter() - start)"
)


def main() -> None:
    """Compare twice: only the first call imports and compiles what it needs."""
    n, k = map(int, sys.argv[1:])
    rng = np.random.default_rng(0)
    first, second = rng.dirichlet(np.ones(k), n), rng.dirichlet(np.full(k, 0.5), n)
    with TemporaryDirectory() as folder:
        os.environ["NUMBA_CACHE_DIR"] = folder
        times = []
        for _ in range(2):
            start = time.perf_counter()
            fr.compare(first, second)
            times.append(time.perf_counter() - start)
    numba = subprocess.run([sys.executable, "-c", IMPORT_NUMBA], capture_output=True, check=True)
    print(json.dumps({"first": times[0], "again": times[1], "numba": float(numba.stdout)}))


if __name__ == "__main__":
    main()
