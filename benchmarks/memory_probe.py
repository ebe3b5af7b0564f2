"""Peak memory and time of the adjusted concordance index of two fuzzy clusterings.

Runs in a separate process and prints a JSON object. Arguments: points, clusters.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from pathlib import Path

import numpy as np

from fuzzyrand import compare


def peak_bytes() -> int:
    """Peak memory of this process.

    ``ru_maxrss`` also counts what the parent held when it started this process; on Linux, VmHWM is
    the figure for this program alone.
    """
    status = Path("/proc/self/status")
    if status.exists():
        for line in status.read_text().splitlines():
            if line.startswith("VmHWM:"):
                return 1024 * int(line.split()[1])
    unit = 1 if sys.platform == "darwin" else 1024
    return unit * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def main() -> None:
    """Compare two random fuzzy clusterings under the permutation model."""
    n, k = map(int, sys.argv[1:])
    rng = np.random.default_rng(0)
    first, second = rng.dirichlet(np.ones(k), n), rng.dirichlet(np.full(k, 0.5), n)
    compare(first[:2000], second[:2000], model="perm")
    start = time.perf_counter()
    result = compare(first, second, model="perm")
    elapsed = time.perf_counter() - start
    report = {
        "peak_bytes": peak_bytes(),
        "seconds": elapsed,
        "exact": result.exact,
        "error_bound": result.error_bound,
    }
    print(json.dumps(report))


if __name__ == "__main__":
    main()
