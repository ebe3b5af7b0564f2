"""Sparse clusterings, against the kernel for full matrices and at the sizes of topic models."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from measure import race, run_probe
from report import Row, Section, Target, duration
from scipy.sparse import csr_array

from fuzzyrand import Budget, Effort, similarity
from fuzzyrand._clusterings.options import InputOptions
from fuzzyrand._clusterings.partition import read_partition

HERE = Path(__file__).parent
ENTRIES = 10


def topics(n: int, k: int, seed: int = 0) -> tuple[csr_array, csr_array]:
    """Two sparse clusterings; the second has about 30% of its entries in random clusters."""
    rng = np.random.default_rng(seed)
    columns = rng.integers(k, size=(n, ENTRIES), dtype=np.int32)
    others = rng.integers(k, size=(n, ENTRIES), dtype=np.int32)
    moved = np.where(rng.random((n, ENTRIES)) < 0.3, others, columns)
    values = rng.dirichlet(np.full(ENTRIES, 0.5), n)
    return _matrix(columns, values, k), _matrix(moved, values, k)


def _matrix(columns: np.ndarray, values: np.ndarray, k: int) -> csr_array:
    n, s = columns.shape
    starts = np.arange(0, n * s + 1, s)
    matrix = csr_array((values.ravel().copy(), columns.ravel(), starts), shape=(n, k))
    matrix.sum_duplicates()
    return matrix


def sparse() -> Section:
    """The rows of the table."""
    section = Section()
    _against_full(section)
    for n, k, most_seconds, most_memory, exact in (
        (200_000, 2_000, 30, 1, True),
        (1_500_000, 15_000, 180, 4, False),
    ):
        probe = run_probe(HERE / "sparse_probe.py", n, k)
        assert probe["converged"]
        assert probe["exact"] or not exact
        work = f"sparse NDC + perm, n = {n:,}, K = {k:,}, {ENTRIES} entries a row"
        how = "exact" if probe["exact"] else f"Monte Carlo error {probe['stderr']:.1g}"
        section.rows += [
            Row(
                f"{work}: seconds ({how})",
                "–",
                probe["seconds"],
                Target(most_seconds, at_least=False, unit=" s"),
                duration(probe["seconds"]),
                "–",
            ),
            Row(
                f"{work}: peak memory of the process",
                f"full matrices: {2 * 8e-9 * n * k:,.0f} GB (computed)",
                probe["peak_bytes"] / 1e9,
                Target(most_memory, at_least=False, unit=" GB"),
                duration(probe["seconds"]),
                "–",
            ),
        ]
    section.notes.append(
        "sparse: 30% of the entries of the second clustering are in other clusters; times include "
        "reading and checking the matrices. Peak memory includes the matrices handed in."
    )
    return section


def _against_full(section: Section) -> None:
    n, k = 20_000, 2_000
    matrices = topics(n, k)
    made_full = InputOptions(budget=Budget(sparse_share=0.0, mostly_zero_share=0.0))
    full = tuple(read_partition(matrix, made_full, "clustering") for matrix in matrices)
    assert not any(side.rows.mostly_zero for side in full)
    ours, theirs = similarity(*matrices), similarity(*full, effort=Effort(pairs="all"))
    assert abs(ours - theirs) < 1e-11
    result = race(
        lambda: similarity(*matrices), lambda: similarity(*full, effort=Effort(pairs="all")), 3
    )
    section.rows.append(
        Row(
            f"sparse NDC, n = {n:,}, K = {k:,}, {ENTRIES} entries a row",
            "our kernel for full matrices, read before",
            result.speedup,
            Target(30),
            duration(result.ours),
            duration(result.peer),
        )
    )
