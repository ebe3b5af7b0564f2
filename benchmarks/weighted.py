"""Weighted points, against the same calls without weights."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from measure import seconds
from report import Row, Section, Target, duration
from scipy.sparse import csr_array

import fuzzyrand as fr

#: Most that weights may cost.
TARGET = Target(1.5, at_least=False)
#: A call with keyword arguments, among them the weights.
Call = Callable[..., Any]


def sparse_rows(rng: np.random.Generator, n: int, k: int) -> csr_array:
    """Rows with three entries each."""
    columns, values = rng.integers(k, size=(n, 3)), rng.dirichlet([1, 1, 1], n)
    rows = csr_array((values.ravel(), (np.repeat(np.arange(n), 3), columns.ravel())), shape=(n, k))
    rows.sum_duplicates()
    return rows


def calls() -> Iterator[tuple[str, int, Call, Target | None]]:
    """Yield what is called, the number of points, the call and its target."""
    rng = np.random.default_rng(0)
    n = 1_000_000
    a, b = rng.integers(10, size=n), rng.integers(12, size=n)
    title = "10⁶ labels"
    yield f"{title}, `similarity`", n, lambda a=a, b=b, **o: fr.similarity(a, b, **o), TARGET
    yield f"{title}, `compare`", n, lambda a=a, b=b, **o: fr.compare(a, b, **o), TARGET
    yield f"{title}, `match`", n, lambda a=a, b=b, **o: fr.match(a, b, **o), TARGET
    yield f"{title}, `explain`", n, lambda a=a, b=b, **o: fr.explain(a, b, **o), TARGET
    yield (
        f"{title}, `confidence_interval`",
        n,
        lambda a=a, b=b, **o: fr.confidence_interval(a, b, **o),
        TARGET,
    )
    for n in (1_000, 5_000):
        a, b = rng.integers(10, size=n), rng.integers(12, size=n)
        u, v = rng.dirichlet([0.5] * 5, n), rng.dirichlet([0.5] * 4, n)
        kinds = {"hard, hard": (a, b), "hard, fuzzy": (a, v), "fuzzy, fuzzy": (u, v)}
        for kind, (one, two) in kinds.items():
            title, pair = f"{n:,} points, {kind}", (one, two)
            yield f"{title}, `compare`", n, lambda p=pair, **o: fr.compare(*p, **o), TARGET
            yield (
                f"{title}, `explain` with Wallace indices",
                n,
                lambda p=pair, **o: fr.explain(*p, **o).wallace,
                TARGET,
            )
        title = f"{n:,} points, fuzzy, fuzzy"
        yield f"{title}, fit", n, lambda u=u, v=v, **o: fr.compare(u, v, model="fit", **o), TARGET
    n = 1_000
    a, b, u, v = a[:n], b[:n], u[:n], v[:n]
    for kind, pair in {"hard, hard": (a, b), "hard, fuzzy": (a, v), "fuzzy, fuzzy": (u, v)}.items():
        title = f"1,000 points, {kind}"
        yield f"{title}, `significance`", n, lambda p=pair, **o: fr.significance(*p, **o), None
        yield (
            f"{title}, `confidence_interval`",
            n,
            lambda p=pair, **o: fr.confidence_interval(*p, **o),
            TARGET,
        )
        yield f"{title}, mi", n, lambda p=pair, **o: fr.compare(*p, index="mi", **o), None
    n = 200_000
    a = rng.integers(10, size=n)
    u, v = rng.dirichlet([0.5] * 5, n), rng.dirichlet([0.5] * 4, n)
    title = "200,000 points"
    yield f"{title}, hard, fuzzy", n, lambda a=a, v=v, **o: fr.compare(a, v, **o), TARGET
    yield (
        f"{title}, hard, fuzzy, fit",
        n,
        lambda a=a, v=v, **o: fr.compare(a, v, model="fit", **o),
        TARGET,
    )
    yield (
        f"{title}, fuzzy, fuzzy, consistency",
        n,
        lambda u=u, v=v, **o: fr.compare(u, v, index="consistency", **o),
        TARGET,
    )
    n, k = 20_000, 2_000
    u, v = sparse_rows(rng, n, k), sparse_rows(rng, n, k)
    title = "20,000 points in 2,000 clusters, sparse"
    yield f"{title}, fuzzy, fuzzy", n, lambda u=u, v=v, **o: fr.compare(u, v, **o), TARGET
    groups = np.arange(n) % 50
    yield f"{title}, fuzzy, hard", n, lambda u=u, g=groups, **o: fr.compare(u, g, **o), TARGET

    def omega(**options: Any) -> object:
        covers = (fr.as_cover((rows > 0.2).astype(float)) for rows in (u, v))
        return fr.compare(*covers, index="omega", **options)

    yield f"{title}, `omega` of overlapping clusters", n, omega, TARGET


def weighted() -> Section:
    """The rows of the table: best times of five calls in turns."""
    section = Section()
    rng = np.random.default_rng(1)
    for work, n, call, target in calls():
        weights = rng.gamma(2.0, size=n)
        call()
        call(weights=weights)
        times = [(seconds(lambda: call(weights=weights)), seconds(call)) for _ in range(5)]  # noqa: B023
        ours, plain = (min(each) for each in zip(*times, strict=True))
        section.rows.append(
            Row(
                f"{work}, with weights",
                "without",
                ours / plain,
                target,
                duration(ours),
                duration(plain),
            )
        )
    section.notes.append(
        "weights: shuffles of weighted points have no moments in closed form, and their tables are "
        "no counts: `significance` draws orders of all points, and the expected information is a "
        "mean over drawn tables."
    )
    return section


if __name__ == "__main__":
    for row in weighted().rows:
        print(" | ".join(row.cells()), flush=True)
