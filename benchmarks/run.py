"""The speed of fuzzyrand against its peers: prints Markdown tables and writes RESULTS.md.

``make bench`` runs all of it. ``run.py --only min-add`` runs the sections whose name holds the
word, and writes nothing.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import certainty
import dask_growth
import expected_information
import explaining
import genieclust.compare_partitions
import numpy as np
import peers
import sampling
import sparse_clusterings
import starting
import weighted
from measure import OtherLoad, environment, fitted_exponent, log, median_times, race, run_probe
from report import Growth, Row, Section, Target, document, duration, tables
from sklearn.metrics import adjusted_rand_score

from fuzzyrand import adjusted_similarity, as_partition, check_model, compare, similarity
from fuzzyrand._base.threads import thread_count
from fuzzyrand._clusterings.rows import DenseRows
from fuzzyrand._clusterings.treatment import AsRead
from fuzzyrand._distributions.dirichlet_fit import fit_by_likelihood
from fuzzyrand._distributions.row_statistics import row_statistics
from fuzzyrand._distributions.rows import Dirichlet
from fuzzyrand._pairs import distinct_rows
from fuzzyrand.indices import as_index
from fuzzyrand.models.registry import applicable_models
from fuzzyrand.results import Comparison

HERE = Path(__file__).parent
FloatArray = peers.FloatArray


def labels(n: int, k: int, seed: int) -> np.ndarray:
    """A random hard clustering."""
    return np.random.default_rng(seed).integers(k, size=n)


def memberships(n: int, k: int, seed: int) -> FloatArray:
    """A random fuzzy clustering in which every entry is positive."""
    return np.random.default_rng(seed).dirichlet(np.full(k, 1.0 / (1 + seed % 2)), n)


def require_close(ours: float, peer: float, tolerance: float) -> None:
    """Require that answers agree, since times are compared only then."""
    assert abs(ours - peer) <= tolerance, f"ours {ours!r}, the peer's {peer!r}"


# --- rows ----------------------------------------------------------------------------------------


def ari() -> Section:
    """Adjusted Rand index of very many integer labels, of eight bytes and fewer."""
    genie = genieclust.compare_partitions.adjusted_rand_score
    contestants = (
        ("int", np.int64, "scikit-learn", adjusted_rand_score, Target(20), 5),
        ("int", np.int64, "genieclust", genie, Target(1.0), 11),
        ("int32", np.int32, "genieclust", genie, Target(1.0), 11),
        ("int8", np.int8, "genieclust", genie, Target(1.0), 11),
    )
    section = Section()
    for kind, dtype, name, score, target, repetitions in contestants:
        x, y = labels(10**7, 10, 0).astype(dtype), labels(10**7, 12, 1).astype(dtype)
        require_close(adjusted_similarity(x, y, model="perm"), score(x, y), 1e-12)
        result = race(
            lambda x=x, y=y: adjusted_similarity(x, y, model="perm"),
            lambda x=x, y=y, score=score: score(x, y),
            repetitions,
        )
        section.rows.append(
            Row(
                f"ARI of 10⁷ {kind} labels, 10 vs 12 clusters",
                name,
                result.speedup,
                target,
                duration(result.ours),
                duration(result.peer),
            )
        )
    return section


def many_clusters() -> Section:
    """Adjusted Rand index of labels in thousands of clusters, whose table is nearly empty."""
    x, y = labels(10**5, 5000, 0), labels(10**5, 5000, 1)
    require_close(adjusted_similarity(x, y, model="perm"), adjusted_rand_score(x, y), 1e-12)
    result = race(
        lambda: adjusted_similarity(x, y, model="perm"), lambda: adjusted_rand_score(x, y), 21
    )
    work = "ARI of 10⁵ int labels, 5,000 vs 5,000 clusters"
    times = duration(result.ours), duration(result.peer)
    return Section(
        [
            Row(work, "scikit-learn", result.speedup, Target(1.0), *times),
            Row(
                f"{work}: milliseconds",
                "R's aricode: 4 ms on such a machine",
                1e3 * result.ours,
                Target(4, at_least=False, unit=" ms"),
                *times,
            ),
        ]
    )


def hard_fuzzy_small() -> Section:
    """A hard and a fuzzy clustering, permutation model, against all pairs."""
    x, v = labels(8000, 10, 0), memberships(8000, 10, 1)
    one_hot = np.eye(10)[x]
    work = "hard vs fuzzy, n = 8,000, k = 10, perm"
    return _against_pdist_and_sort(work, x, v, one_hot, Target(100))


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
        fewest, distinct_rows.FEWEST_POINTS = distinct_rows.FEWEST_POINTS, n + 1
        try:
            return compare(u, v, model="perm")
        finally:
            distinct_rows.FEWEST_POINTS = fewest

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


def every_model() -> Section:
    """Comparing under all models, and checking all models, against the default model alone."""
    u, v = memberships(2000, 3, 0), memberships(2000, 3, 1)
    partition = as_partition(u)
    models = applicable_models([partition], as_index("ndc"))
    works = {
        "`compare` under every model, 2,000 × 3": lambda: compare(u, v, model="every"),
        "`check_model` of every model, 2,000 × 3": lambda: [
            check_model(partition, m) for m in models
        ],
    }
    section = Section()
    for (work, ours), target in zip(works.items(), (15, 50), strict=True):
        ours()
        compare(u, v)
        result = race(ours, lambda: compare(u, v), 3)
        times = duration(result.ours), duration(result.peer)
        limit = Target(target, at_least=False)
        section.rows.append(
            Row(work, "`compare` under `fit`", result.ours / result.peer, limit, *times)
        )
    return section


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


def expected_ndc() -> Section:
    """Variance times time of the expected index of two fuzzy sides."""
    results = sampling.outcomes()
    gains = [outcome.gain for outcome in results]
    worst = min(results, key=lambda outcome: outcome.gain)
    work = "expected NDC of two fuzzy sides, variance × time, 48 settings of the paper: "
    peer = "matched-pair sampler in NumPy"
    typical = [
        duration(statistics.geometric_mean(times)) + " a run"
        for times in ([o.time for o in results], [o.peer_time for o in results])
    ]
    mean = statistics.geometric_mean(gains)
    rows = [
        Row(work + "geometric mean", peer, mean, Target(30), *typical),
        Row(
            work + "worst",
            peer,
            worst.gain,
            Target(3),
            f"{duration(worst.time)} a run",
            f"{duration(worst.peer_time)} a run",
        ),
    ]
    return Section(rows, _sampling_notes(results))


def _sampling_notes(results: list[sampling.Outcome]) -> list[str]:
    means = {
        k: statistics.geometric_mean(o.gain for o in results if o.setting.k == k) for k in (2, 50)
    }
    worst = min(results, key=lambda outcome: outcome.gain)
    widest = max(results, key=lambda outcome: outcome.spread)
    reported = statistics.geometric_mean(o.reported_gain for o in results)
    return [
        f"expected NDC: geometric mean {means[2]:,.0f}× over the settings with k = 2, "
        f"{means[50]:,.0f}× over those with k = 50; worst with {worst.setting}. With k = 2 the "
        "library itself uses quadrature, which is exact: sampling was forced here for the "
        "comparison.",
        f"expected NDC, honesty of the Monte Carlo error: spread of our estimate over "
        f"{sampling.SEEDS} seeds divided by its reported Monte Carlo error is "
        f"{statistics.median(o.spread for o in results):.2f} in the median setting and "
        f"{widest.spread:.2f} at most, with {widest.setting} (chance alone gives 0.69 to 1.32 in "
        "19 of 20 settings). The table counts the larger of reported and seen variance; by the "
        f"reported one alone the geometric mean would be {reported:,.0f}×.",
    ]


def fit_mle() -> Section:
    """Maximum likelihood fit of a Dirichlet distribution, at two precisions."""
    section = Section()
    steps = {precision: _fit_rows(section, precision) for precision in (100, 500)}
    section.notes.append(
        "`fit` MLE: both start from the moments and agree to 1e-8; the fixed-point iteration stops "
        f"when no concentration changes by more than {FIT_TOLERANCE:g} and takes "
        + " and ".join(f"{count} steps at precision {p}" for p, count in steps.items())
        + ". “Data to fit” includes the pass over the data for moments and mean logarithms, which "
        "both need; “iteration alone” starts from these. At precisions below about 50 some entries "
        "fall below the spacing of doubles and the plain iteration does not apply."
    )
    return section


FIT_TOLERANCE = 1e-11


def _fit_rows(section: Section, precision: int) -> int:
    rows = fit_data(10**5, precision)
    start, logs = peers.moments_start(rows), peers.mean_logs(rows)
    stats = row_statistics(DenseRows(rows), AsRead())
    assert not stats.censored.any(), "the plain likelihood needs positive entries"
    alpha, steps = peers.fixed_point_fit(start, logs, FIT_TOLERANCE)
    fitted = fit_by_likelihood(stats)
    assert isinstance(fitted, Dirichlet)
    require_close(float(np.abs(fitted.alpha / alpha - 1.0).max()), 0.0, 1e-8)
    whole = race(
        lambda: fit_by_likelihood(row_statistics(DenseRows(rows), AsRead())),
        lambda: peers.fixed_point_fit(
            peers.moments_start(rows), peers.mean_logs(rows), FIT_TOLERANCE
        ),
        9,
    )
    iteration = race(
        lambda: fit_by_likelihood(stats),
        lambda: peers.fixed_point_fit(start, logs, FIT_TOLERANCE),
        25,
    )
    name = f"`fit` MLE, n = 10⁵, k = 50, precision {precision}"
    for part, result in (("data to fit", whole), ("iteration alone", iteration)):
        times = duration(result.ours), duration(result.peer)
        peer = "Minka's fixed-point iteration"
        section.rows.append(Row(f"{name}: {part}", peer, result.speedup, Target(20), *times))
    return steps


def fit_data(n: int, precision: float = 100.0, k: int = 50) -> FloatArray:
    """Memberships in clusters of uneven size, none below the resolution."""
    shares = np.geomspace(1.0, 7.0, k)
    return np.random.default_rng(0).dirichlet(precision * shares / shares.sum(), n)


def memory() -> Section:
    """Peak memory of the adjusted concordance index for too many points to keep all pairs."""
    n, k = 50_000, 10
    probe = run_probe(HERE / "memory_probe.py", n, k)
    assert probe["exact"]
    assert probe["error_bound"] < 1e-8
    array = 2 * 8 * n * (n - 1) // 2
    row = Row(
        "peak memory of a process, fuzzy vs fuzzy ACI, n = 50,000, k = 10",
        f"arrays of all pairs: {array / 1e9:.0f} GB (computed)",
        probe["peak_bytes"] / 1e6,
        Target(300, at_least=False, unit=" MB"),
        duration(probe["seconds"]),
        "–",
    )
    return Section([row])


SECTIONS: dict[str, Callable[[], Section]] = {
    "ari": ari,
    "many-clusters": many_clusters,
    "hard-fuzzy-small": hard_fuzzy_small,
    "hard-fuzzy-large": hard_fuzzy_large,
    "ndc": fuzzy_ndc,
    "min-add": min_add,
    "aci": aci,
    "aci-over-ndc": aci_over_ndc,
    "merged": merged_points,
    "every": every_model,
    "expected": expected_ndc,
    "fit": fit_mle,
    "certainty": certainty.certainty,
    "explain": explaining.explaining,
    "weights": weighted.weighted,
    "information": expected_information.expected_information,
    "sparse": sparse_clusterings.sparse,
    "memory": memory,
}

# --- growth --------------------------------------------------------------------------------------


def _hard_hard(n: int) -> Callable[[], object]:
    x, y = labels(n, 10, 0), labels(n, 12, 1)
    return lambda: adjusted_similarity(x, y, model="perm")


def _hard_fuzzy(n: int) -> Callable[[], object]:
    x, v = labels(n, 10, 0), memberships(n, 10, 1)
    return lambda: compare(x, v, model="perm")


def _fuzzy_fuzzy(n: int) -> Callable[[], object]:
    u, v = memberships(n, 10, 0), memberships(n, 10, 1)
    return lambda: similarity(u, v)


def _aci(n: int) -> Callable[[], object]:
    u, v = memberships(n, 10, 0), memberships(n, 10, 1)
    return lambda: compare(u, v, model="perm")


def _sparse(n: int) -> Callable[[], object]:
    matrices = sparse_clusterings.topics(n, 2_000)
    return lambda: compare(*matrices, model="perm")


def _fit(n: int) -> Callable[[], object]:
    rows = fit_data(n)
    return lambda: fit_by_likelihood(row_statistics(DenseRows(rows), AsRead()))


ROUTES: dict[str, tuple[int, Callable[[int], Callable[[], object]]]] = {
    "hard vs hard, contingency table": (2_500_000, _hard_hard),
    "hard vs fuzzy, k = 10, sorted columns": (250_000, _hard_fuzzy),
    "fuzzy vs fuzzy NDC, k = 10, all pairs": (5_000, _fuzzy_fuzzy),
    "ACI, k = 10, all pairs, binned": (5_000, _aci),
    "sparse NDC + perm, K = 2,000, 10 entries a row": (25_000, _sparse),
    "`fit` MLE, k = 50": (50_000, _fit),
    "hard vs hard in dask": (2_500_000, lambda n: dask_growth.comparison(n, "hard", "other")),
    "hard vs fuzzy in dask, k = 10": (
        250_000,
        lambda n: dask_growth.comparison(n, "hard", "soft"),
    ),
}


def growth() -> list[Growth]:
    """Times of each route at n, 2n and 4n."""
    found = []
    for route, (n, prepare) in ROUTES.items():
        sizes = (n, 2 * n, 4 * n)
        times = median_times([prepare(size) for size in sizes], 3)
        found.append(Growth(route, sizes, tuple(times), fitted_exponent(sizes, times)))
    return found


def main() -> None:
    """Run the sections asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", metavar="WORD", help="only sections whose name holds this word")
    only = parser.parse_args().only
    started, load = time.perf_counter(), OtherLoad()
    sections = {}
    for name, section in {**SECTIONS, "starting": starting.starting}.items():
        if only is None or only in name:
            disturbance = OtherLoad()
            sections[name] = section()
            done = time.perf_counter() - started
            log(f"{done:5.0f} s  {name} done; other processes: {disturbance}")
    start = sections.pop("starting", None)
    grown = growth() if only is None or only in "growth" else []
    body = tables(list(sections.values()), start, grown)
    print(body)
    if only is None:
        elapsed = time.perf_counter() - started
        (HERE / "RESULTS.md").write_text(
            document(body, environment(load), elapsed), encoding="utf-8"
        )
        log(f"{elapsed:5.0f} s  done")


if __name__ == "__main__":
    main()
