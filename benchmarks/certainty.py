"""Tests and intervals, against a plain loop of shuffles and against the comparison itself."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from measure import race
from peers import Gather, pair_agreements
from report import Row, Section, Target, duration

from fuzzyrand import compare, confidence_interval, significance
from fuzzyrand._base.threads import thread_count

DRAWS = 999
#: Number of shuffles for which the plain loops are timed; the time of all is extrapolated.
TIMED = 37

IntArray = npt.NDArray[np.integer]
FloatArray = npt.NDArray[np.float64]


def alike(n: int, k: int, seed: int = 0) -> tuple[IntArray, IntArray, FloatArray, FloatArray]:
    """Labels, similar labels, and two similar fuzzy clusterings, which agree beyond chance."""
    rng = np.random.default_rng(seed)
    first = rng.integers(k, size=n)
    second = np.where(rng.random(n) < 0.5, first, rng.integers(k, size=n))
    noise = rng.dirichlet(np.ones(k), (2, n))
    u, v = (0.5 * noise[side] for side in (0, 1))
    for rows in (u, v):
        rows[np.arange(n), first] += 0.5
    return first, second, u, v


def shuffled_tables(first: IntArray, second: IntArray, draws: int) -> FloatArray:
    """Twice the number of pairs together in both clusterings, for shuffled labels, from tables."""
    rng = np.random.default_rng(0)
    k1, k2 = first.max() + 1, second.max() + 1
    codes = first * k2
    out = np.empty(draws)
    for draw in range(draws):
        table = np.bincount(codes + rng.permutation(second), minlength=k1 * k2)
        out[draw] = (table * (table - 1)).sum()
    return out


def shuffled_pairs(labels: IntArray, rows: FloatArray, draws: int) -> FloatArray:
    """Mean discordances for shuffled labels, from the agreements of all pairs."""
    rng = np.random.default_rng(0)
    agreements = pair_agreements(rows)
    i, j = np.triu_indices(labels.size, 1)
    out = np.empty(draws)
    for draw in range(draws):
        shuffled = rng.permutation(labels)
        out[draw] = np.abs((shuffled[i] == shuffled[j]) - agreements).mean()
    return out


def shuffled_groups(labels: IntArray, rows: FloatArray, draws: int) -> FloatArray:
    """Sums of L1 distances within clusters, for shuffled labels, by sorting each cluster."""
    rng = np.random.default_rng(0)
    out = np.empty(draws)
    for draw in range(draws):
        shuffled, total = rng.permutation(labels), 0.0
        for cluster in range(labels.max() + 1):
            members = np.sort(rows[shuffled == cluster], axis=0)
            m = members.shape[0]
            total += float((np.arange(1.0 - m, m, 2.0) @ members).sum())
        out[draw] = total
    return out


def certainty() -> Section:
    """The rows of the table."""
    section = Section()
    _against_plain_loops(section)
    _against_gather(section)
    _against_compare(section)
    section.notes.append(
        f"plain loops: {TIMED} shuffles were timed, and their time taken {DRAWS / TIMED:g} times; "
        "ours is the whole of `significance` with as many draws, reading and exact moments "
        "included."
    )
    section.notes.append(
        "`significance` of 10⁶ × 10 tests a random part of the points, and says so; its exact "
        "moments are those of all points."
    )
    return section


def _against_plain_loops(section: Section) -> None:
    first, second, _, _ = alike(10**6, 10)
    small, _, soft, _ = alike(2_000, 5)
    large, _, more, _ = alike(20_000, 5)
    cases = (
        (
            "two hard clusterings, n = 10⁶",
            Target(100),
            lambda: significance(first, second, draws=DRAWS),
            lambda: shuffled_tables(first, second, TIMED),
        ),
        (
            "a hard and a fuzzy clustering, n = 2,000, k = 5; all pairs kept",
            Target(20),
            lambda: significance(small, soft, draws=DRAWS),
            lambda: shuffled_pairs(small, soft, TIMED),
        ),
        (
            "a hard and a fuzzy clustering, n = 20,000, k = 5; each cluster sorted",
            None,
            lambda: significance(large, more, draws=DRAWS),
            lambda: shuffled_groups(large, more, TIMED),
        ),
    )
    for what, target, ours, peer in cases:
        ours()
        result = race(ours, peer, 3)
        loop = result.peer * DRAWS / TIMED
        section.rows.append(
            Row(
                f"test by {DRAWS} shuffles, {what}",
                "plain loop in NumPy",
                loop / result.ours,
                target,
                duration(result.ours),
                duration(loop),
            )
        )


def _against_gather(section: Section) -> None:
    _, _, u, v = alike(2000, 5)
    gather = Gather(2000, DRAWS, thread_count())
    significance(u, v, draws=DRAWS)
    gather.run()
    result = race(lambda: significance(u, v, draws=DRAWS), gather.run, 5)
    work = f"test by {DRAWS} shuffles, two fuzzy clusterings, n = 2,000, k = 5"
    times = duration(result.ours), duration(result.peer)
    for what, measured, target in (
        ("", result.ours / result.peer, Target(3, at_least=False)),
        (": seconds", result.ours, Target(1.5, at_least=False, unit=" s")),
    ):
        peer = "looking up as many agreements in random order, compiled"
        section.rows.append(Row(work + what, peer, measured, target, *times))


def _against_compare(section: Section) -> None:
    labels7, others7, *_ = alike(10**7, 10)
    labels6, _, soft6, _ = alike(10**6, 10)
    _, _, u, v = alike(2000, 5)
    cases = (
        ("`significance` of 10⁷ hard labels", labels7, others7, "perm", significance, 3),
        ("`significance` of 10⁶ × 10, hard vs fuzzy", labels6, soft6, "perm", significance, None),
        ("`significance` of 2,000 × 5, fuzzy vs fuzzy", u, v, "perm", significance, None),
        ("interval of 10⁷ hard labels, perm", labels7, others7, "perm", confidence_interval, 3),
        ("interval of 10⁶ × 10, hard vs fuzzy, fit", labels6, soft6, "fit", confidence_interval, 3),
        ("interval of 2,000 × 5, fuzzy vs fuzzy, perm", u, v, "perm", confidence_interval, 3),
        ("interval of 2,000 × 5, fuzzy vs fuzzy, fit", u, v, "fit", confidence_interval, 3),
    )  # fmt: skip
    for what, a, b, model, function, most in cases:
        function(a, b, model=model)
        result = race(
            lambda a=a, b=b, m=model, f=function: f(a, b, model=m),
            lambda a=a, b=b, m=model: compare(a, b, model=m),
            3,
        )
        section.rows.append(
            Row(
                what,
                "`compare`",
                result.ours / result.peer,
                None if most is None else Target(most, at_least=False),
                duration(result.ours),
                duration(result.peer),
            )
        )
