"""Peak memory and time of the adjusted index of two sparse clusterings.

Runs in a separate process and prints a JSON object. Arguments: points, clusters.
"""

from __future__ import annotations

import json
import sys
import time

from memory_probe import peak_bytes
from sparse_clusterings import topics

from fuzzyrand import compare


def main() -> None:
    """Compare two sparse clusterings under the permutation model."""
    n, k = map(int, sys.argv[1:])
    compare(*topics(20_000, 2_000), model="perm")
    matrices = topics(n, k)
    start = time.perf_counter()
    result = compare(*matrices, model="perm")
    elapsed = time.perf_counter() - start
    report = {
        "peak_bytes": peak_bytes(),
        "seconds": elapsed,
        "exact": result.exact,
        "converged": result.converged,
        "stderr": result.stderr,
    }
    print(json.dumps(report))


if __name__ == "__main__":
    main()
