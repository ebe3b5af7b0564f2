"""Models: all of them at once, their expected index, and the fit of a Dirichlet distribution."""

from __future__ import annotations

import statistics

import numpy as np
import peers
import sampling
from inputs import memberships, require_close
from measure import race
from peers import FloatArray
from report import Row, Section, Target, duration

from fuzzyrand import as_partition, check_model, compare
from fuzzyrand._clusterings.rows import DenseRows
from fuzzyrand._clusterings.treatment import AsRead
from fuzzyrand._distributions.dirichlet_fit import fit_by_likelihood
from fuzzyrand._distributions.row_distributions import Dirichlet
from fuzzyrand._distributions.row_statistics import row_statistics
from fuzzyrand.indices import as_index
from fuzzyrand.models.registry import applicable_models

FIT_TOLERANCE = 1e-11


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
