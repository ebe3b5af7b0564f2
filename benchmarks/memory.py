"""Peak memory of a process."""

from __future__ import annotations

from pathlib import Path

from measure import run_probe
from report import Row, Section, Target, duration

HERE = Path(__file__).parent


def memory() -> Section:
    """The rows of the table."""
    return Section([_of_all_pairs(), _of_a_large_file()])


def _of_all_pairs() -> Row:
    """Peak memory of the adjusted concordance index for too many points to keep all pairs."""
    n, k = 50_000, 10
    probe = run_probe(HERE / "memory_probe.py", n, k)
    assert probe["exact"]
    assert probe["error_bound"] < 1e-8
    array = 2 * 8 * n * (n - 1) // 2
    return Row(
        "peak memory of a process, fuzzy vs fuzzy ACI, n = 50,000, k = 10",
        f"arrays of all pairs: {array / 1e9:.0f} GB (computed)",
        probe["peak_bytes"] / 1e6,
        Target(300, at_least=False, unit=" MB"),
        duration(probe["seconds"]),
        "–",
    )


def _of_a_large_file() -> Row:
    """Peak memory of the command for a table of single precision, compared with labels."""
    n, k = 2_000_000, 20
    probe = run_probe(HERE / "file_probe.py", n, k)
    return Row(
        f"peak memory of `fuzzyrand compare`, a float32 table of {n:,} × {k} with labels",
        f"the file of {probe['file_bytes'] / 1e6:,.0f} MB",
        probe["peak_bytes"] / probe["file_bytes"],
        None,
        duration(probe["seconds"]),
        "–",
    )
