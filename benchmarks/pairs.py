"""Comparisons with a fuzzy side, against all pairs in SciPy and against the machine's peak."""

from __future__ import annotations

import numpy as np
import peers
from inputs import labels, memberships, require_close
from measure import race
from peers import FloatArray
from report import Row, Section, Target, duration

from fuzzyrand import Budget, Effort, adjusted_similarity, compare, similarity
from fuzzyrand._base.threads import thread_count
from fuzzyrand.results import Comparison


def hard_fuzzy_small() -> Section:
    """A hard and a fuzzy clustering, permutation model, against all pairs."""
    x, v = labels(8000, 10, 0), memberships(8000, 10, 1)
    one_hot = np.eye(10)[x]
    work = "hard vs fuzzy, n = 8,000, k = 10, perm"
    return _against_pdist_and_sort(work, x, v, one_hot, Target(100))


def hard_fuzzy_large() -> Section:
    """A hard and a fuzzy clustering under every model that applies, against sorting alone."""
    x, v = labels(10**6, 10, 0), memberships(10**6, 10, 1)
    section = Section()
    for model in ("perm", "fit", "sym", "flat"):
        compare(x, v, model=model)
        result = race(
            lambda model=model: compare(x, v, model=model), lambda: peers.sort_columns(v), 7
        )
        section.rows.append(
            Row(
                f"hard vs fuzzy, n = 10⁶, k = 10, {model}",
                "sorting its columns with NumPy, one thread",
                result.ours / result.peer,
                Target(3, at_least=False),
                duration(result.ours),
                duration(result.peer),
            )
        )
    section.notes.append(
        "hard vs fuzzy at n = 10⁶: the ratio is our time divided by that of sorting; our time "
        "includes reading and checking labels and memberships."
    )
    return section


def fuzzy_ndc() -> Section:
    """The index of two fuzzy clusterings."""
    u, v = memberships(8000, 10, 0), memberships(8000, 10, 1)
    require_close(similarity(u, v), peers.ndc_by_pdist(u, v), 1e-12)
    result = race(lambda: similarity(u, v), lambda: peers.ndc_by_pdist(u, v), 5)
    times = duration(result.ours), duration(result.peer)
    work = "fuzzy NDC, n = 8,000, k = 10"
    return Section([Row(work, "SciPy pdist twice", result.speedup, Target(8), *times)])


def min_add() -> Section:
    """Share of the machine's peak rate of minima and additions that is used."""
    n, k = 20_000, 10
    u, v = memberships(n, k, 0), memberships(n, k, 1)
    operations = n * (n - 1) // 2 * 2 * k
    threads = thread_count()
    peak = peers.MinAddPeak(threads, rounds=operations // (threads * peers.CACHED) // 4 * 4)
    peak.run()
    similarity(u, v)
    result = race(lambda: similarity(u, v), peak.run, 9)
    peak_rate, rate = peak.operations / result.peer, operations / result.ours
    row = Row(
        "fuzzy NDC, n = 20,000, k = 10 + 10: share of the machine's peak of min-add",
        f"microkernel in registers, {threads} threads",
        100.0 * rate / peak_rate,
        Target(65, unit="%"),
        duration(result.ours),
        duration(operations / peak_rate),
    )
    note = (
        f"min-add: {rate / 1e9:.1f}·10⁹ a second of ours, {peak_rate / 1e9:.1f}·10⁹ of the "
        f"microkernel (vectors of {peak.vector_width()} doubles, checked in its machine code)."
    )
    return Section([row], [note])


def aci() -> Section:
    """Two fuzzy clusterings, permutation model, against all pairs."""
    u, v = memberships(8000, 10, 0), memberships(8000, 10, 1)
    section = _against_pdist_and_sort("ACI (NDC + perm), n = 8,000, k = 10", u, v, u, Target(8))
    section.notes.append(
        "pdist + sort is a NumPy/SciPy transcription of `aci` of R's FARI package: SciPy's `pdist` "
        "on both sides, `np.sort` on both, one merge for the cross pairs."
    )
    return section


def aci_over_ndc() -> Section:
    """Cost of the permutation model beyond the index, since both sides are counted in bins."""
    n, k = 20_000, 10
    u, v = memberships(n, k, 0), memberships(n, k, 1)
    assert compare(u, v, model="perm").error_bound < 1e-8
    result = race(lambda: compare(u, v, model="perm"), lambda: similarity(u, v), 5)
    times = duration(result.ours), duration(result.peer)
    ratio = result.ours / result.peer
    work = "ACI (NDC + perm), n = 20,000, k = 10 + 10"
    return Section([Row(work, "NDC alone", ratio, Target(3, at_least=False), *times)])


def merged_points() -> Section:
    """Rounded memberships, in which many points are identical."""
    n = 20_000
    rng = np.random.default_rng(0)
    rows = rng.dirichlet(np.ones(3), n)
    u, v = (_tenths(x) for x in (rows, 0.8 * rows + 0.2 * rng.dirichlet(np.ones(3), n)))

    def plain() -> Comparison:
        return compare(u, v, model="perm", effort=Effort(budget=Budget(unmerged_points=n + 1)))

    merged = compare(u, v, model="perm")
    require_close(merged.adjusted, plain().adjusted, 1e-8)
    result = race(lambda: compare(u, v, model="perm"), plain, 3)
    times = duration(result.ours), duration(result.peer)
    work = "ACI of memberships in tenths, n = 20,000, k = 3: equal points merged"
    return Section([Row(work, "all pairs of points", result.speedup, Target(10), *times)])


def _tenths(rows: FloatArray) -> FloatArray:
    """Round rows to tenths that sum to 1."""
    edges = np.round(10.0 * np.cumsum(rows, axis=1))
    return np.diff(edges, axis=1, prepend=0.0) / 10.0


def _against_pdist_and_sort(
    work: str, first: np.ndarray, second: FloatArray, first_rows: FloatArray, target: Target
) -> Section:
    ours = adjusted_similarity(first, second, model="perm")
    require_close(ours, peers.aci_by_pdist_and_sort(first_rows, second), 1e-8)
    result = race(
        lambda: compare(first, second, model="perm"),
        lambda: peers.aci_by_pdist_and_sort(first_rows, second),
        5,
    )
    times = duration(result.ours), duration(result.peer)
    return Section([Row(work, "pdist + sort", result.speedup, target, *times)])
