"""How the time of each route grows with the number of points."""

from __future__ import annotations

from collections.abc import Callable

import dask_growth
import sparse_clusterings
from inputs import labels, memberships
from measure import fitted_exponent, median_times
from random_models import fit_data
from report import Growth

from fuzzyrand import adjusted_similarity, compare, similarity
from fuzzyrand._clusterings.rows import DenseRows
from fuzzyrand._clusterings.treatment import AsRead
from fuzzyrand._distributions.dirichlet_fit import fit_by_likelihood
from fuzzyrand._distributions.row_statistics import row_statistics


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
