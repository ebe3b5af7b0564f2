"""Limits of what a computation may take before another way is chosen, or it is refused."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields
from numbers import Integral, Real
from typing import Any

from .errors import ParameterError
from .wording import Option


def _limit(default: Any, least: int = 0, most: float = math.inf) -> Any:
    """Return a field for a limit within a range; one whose default is an int is a whole number."""
    return field(default=default, metadata={"least": least, "most": most})


@dataclass(frozen=True, kw_only=True, repr=False)
class Budget:
    """Points, pairs, draws, memory and work that single steps of a computation may take.

    Beyond such a limit, a computation takes another way: it visits pairs instead of keeping them,
    or uses a random sample of the points, and reports the error that this adds. The defaults suit
    an ordinary computer. A smaller limit saves time or memory; a larger one may save an error.
    Functions without ``effort``, and full contingency tables inside an index, use the defaults.

    The limits come in groups: pairs of points (from ``kept_pairs`` on), contingency tables
    (``table_cells``), laws of models (``law_draws``), shuffled points (``permuted_points``), tests
    and intervals (``test_points``), how well models fit (``note_redraws``), explanations
    (``quick_pairs``), and reading (``full_entries``). Times are rough, for two cores and ten
    clusters. An entry is a membership, of 8 bytes.

    Parameters
    ----------
    kept_pairs : int
        Pairs whose agreements are kept and sorted: 90 MB, and a quarter of a second. If there are
        more, pairs are visited, and counted in bins.
    numpy_work : float
        Pairs times columns that NumPy works through: less than a tenth of a second. More are worth
        loading Numba, which takes about half a second.
    unmerged_points : int
        Points below which equal ones are not looked for, since all their pairs take less than a
        tenth of a second.
    partners : int
        Random partners from which each point has its score, if there are too many pairs: a fifth of
        a second for 100,000 points.
    sampled_pairs : int
        Random pairs, if there are too many to visit and ``tol`` asks for so many: ten seconds.
    group_points : int
        Points of a random group, all pairs of which are visited, if two fuzzy clusterings are in
        blocks (dask) and have too many pairs.
    fewest_groups : int
        Groups that are drawn at least. With 128 points each, they have two million pairs.
    group_entries : int
        Entries of all groups together: 1 GB, not all at a time.
    table_cells : int
        Cells of a full table of clusters by clusters: 160 MB. A larger one is refused, or left out
        of an explanation.
    drawn_tables : int
        Contingency tables that are drawn for an expectation, if ``tol`` asks for so many: seconds.
    table_work : float
        Cells of all drawn tables, or entries of the rows that they are made of: ten seconds.
    ordered_points : int
        Points all orders of which give the expectation of an index of tables: 5040 tables, half a
        second. At most 10.
    law_draws : int
        Agreements that represent a law which can only be drawn from: 1 MB.
    law_work : float
        Entries of the rows drawn for them: a few seconds.
    shared_draws : int
        Pairs that share a cluster, drawn of each side in each of 32 batches, if ``tol`` asks for so
        many: ten seconds.
    permuted_points : int
        Points all permutations of which make an exact test: 40,320 of them, a fifth of a second. At
        most 10.
    shuffled_entries : int
        Entries of the points that a test shuffles: some seconds for a thousand shuffles. If there
        are more, a random sample of the points is shuffled.
    shuffled_points : int
        The same for points whose pairs every shuffle visits: a minute or two for a thousand. At
        most 65,536.
    shuffled_pairs : int
        The same for pairs that share a cluster, which are listed for the omega index: 8 MB.
    row_agreements : int
        Agreements that are kept from shuffle to shuffle, if all pairs are visited: 64 MB.
    numpy_shuffle_pairs : int
        Pairs that NumPy visits in every shuffle: a fifth of a second for a thousand. More are worth
        loading Numba.
    numpy_shuffle_work : int
        The same for entries times clusters, of a fuzzy and a hard clustering: half a second.
    spread_work : float
        Pairs, times ten plus columns, that are visited just for the variance of a hard and a fuzzy
        clustering when points are shuffled: half a second. If there are more, it comes from a
        million random pairs.
    profile_pairs : int
        Pairs whose agreements are all used as they are for the variance of two fuzzy clusterings.
        At most 16,384.
    profile_nodes : int
        Values to which agreements are rounded otherwise; time and memory grow with the square.
    profile_work : float
        Ordered pairs, times ten plus columns, that are visited on each side for it: a second. If
        there are more, it comes from a random sample of the points.
    shape_points : int
        Points whose pairs show how skewed an index is when points are shuffled: a few matrices of
        1 MB each.
    test_points : int
        Points of two fuzzy clusterings in a test that draws clusterings from a model: ten
        milliseconds for a draw. If there are more, a random sample of the points is tested.
    test_entries : int
        The same for entries, if a clustering is hard.
    influence_points : int
        Points of two fuzzy clusterings whose influence gives an interval: a tenth of a second. If
        there are more, a random sample of them does.
    influence_hard_points : int
        The same if a clustering is hard.
    note_redraws : int
        Clusterings drawn from a fit, and fitted again, to see whether its bias is worth a note.
    first_redraws : int
        Clusterings drawn at first to correct that bias, and then doubled until its error is small.
    most_redraws : int
        Number of them from which there are no more.
    slow_entries : int
        Entries of a clustering for which this is done with a model that is not fast to fit.
    misfit_redraws : int
        Clusterings drawn to see whether a model describes a clustering, where that is in doubt.
    misfit_points : int
        Points of each of them: a few milliseconds.
    quick_fit_entries : int
        Entries that models slow to fit are tried on, for advice and for notes: a few seconds.
    quick_fit_clusters : int
        Clusters of which they are tried for advice.
    full_fit_entries : int
        Entries that the other models are tried on for advice: a few seconds.
    check_redraws : int
        Clusterings drawn by ``check_model``: half a second.
    slow_check_redraws : int
        The same if the model is slow to fit.
    check_work : float
        Pairs, times ten plus columns, of each of them. If there are more, a random sample of the
        points is checked.
    check_entries : int
        Entries of each of them, and of the rows drawn from its own fit: 3 MB.
    numpy_check_work : float
        Pairs times columns of all of them that NumPy works through: half a second. More are worth
        loading Numba.
    quick_pairs : int
        Pairs that are visited to explain the clusters of two fuzzy clusterings in a report: a fifth
        of a second. If there are more, pairs are drawn.
    cluster_pairs : int
        Pairs of all clusters that are drawn in each of 32 batches, if there are too many: a second.
    quick_cluster_pairs : int
        The same in a report: a quarter of a second.
    chance_pairs : int
        Pairs of the other clustering that show in each batch what chance gives.
    full_entries : int
        Entries, zeros included, of a matrix that is always stored in full: 8 MB.
    sparse_share : float
        Share of nonzero entries up to which a larger sparse matrix stays sparse, in less memory.
    mostly_zero_share : float
        Share of nonzero entries up to which a larger full matrix is made sparse, to take less time.
    single_entries : int
        Entries of a matrix in single precision that is read as doubles: 128 MB. A larger one is
        kept as it is, in half the memory.
    one_hot_entries : int
        Entries of the matrix of a hard clustering that a fit of your own gets: 800 MB. A larger one
        is refused.
    collected_entries : int
        Entries of dask collections that are read as a whole, as points with weights are: 2 GB. More
        are refused.

    Raises
    ------
    ParameterError
        If a limit is not a number, or too small or too large to work with.

    See Also
    --------
    Effort : Takes it as ``budget``.

    Examples
    --------
    Agreements of the pairs are kept by default, and only counted with less memory.

    >>> import fuzzyrand as fr
    >>> import numpy as np
    >>> a, b = np.random.default_rng(0).dirichlet([1, 1, 1], (2, 200))
    >>> little = fr.Effort(budget=fr.Budget(kept_pairs=1000))
    >>> fr.compare(a, b).adjusted - fr.compare(a, b, effort=little).adjusted < 1e-6
    True
    """

    # Pairs of points.
    kept_pairs: int = _limit(1 << 20, most=1 << 30)
    numpy_work: float = _limit(2.0**23)
    unmerged_points: int = _limit(1000)
    partners: int = _limit(256, 2)
    sampled_pairs: int = _limit(1 << 26, 1000)
    group_points: int = _limit(128, 2)
    fewest_groups: int = _limit(256, 16)
    group_entries: int = _limit(1 << 27)
    # Contingency tables.
    table_cells: int = _limit(20_000_000)
    drawn_tables: int = _limit(20_000)
    table_work: float = _limit(3e9)
    ordered_points: int = _limit(7, most=10)
    # Laws of models.
    law_draws: int = _limit(1 << 17, 1)
    law_work: float = _limit(2e9)
    shared_draws: int = _limit(1 << 19, 1 << 10)
    # Shuffled points.
    permuted_points: int = _limit(8, most=10)
    shuffled_entries: int = _limit(1 << 20)
    shuffled_points: int = _limit(20_000, 2, 1 << 16)
    shuffled_pairs: int = _limit(1 << 19)
    row_agreements: int = _limit(1 << 23)
    numpy_shuffle_pairs: int = _limit(1 << 13)
    numpy_shuffle_work: int = _limit(1 << 16)
    spread_work: float = _limit(1e9)
    profile_pairs: int = _limit(1 << 10, most=1 << 14)
    profile_nodes: int = _limit(192, 12)
    profile_work: float = _limit(2e9)
    shape_points: int = _limit(300, 6)
    # Tests and intervals.
    test_points: int = _limit(400, 8)
    test_entries: int = _limit(1 << 16)
    influence_points: int = _limit(3000, 30)
    influence_hard_points: int = _limit(1 << 17, 30)
    # How well models fit.
    note_redraws: int = _limit(6)
    first_redraws: int = _limit(16, 2)
    most_redraws: int = _limit(128, 2)
    slow_entries: int = _limit(20_000)
    misfit_redraws: int = _limit(29, 1)
    misfit_points: int = _limit(400, 8)
    quick_fit_entries: int = _limit(100_000)
    quick_fit_clusters: int = _limit(50)
    full_fit_entries: int = _limit(2_000_000)
    check_redraws: int = _limit(99, 1)
    slow_check_redraws: int = _limit(39, 1)
    check_work: float = _limit(3e7)
    check_entries: int = _limit(400_000)
    numpy_check_work: float = _limit(1e8)
    # Explanations.
    quick_pairs: int = _limit(1 << 25)
    cluster_pairs: int = _limit(1 << 15)
    quick_cluster_pairs: int = _limit(1 << 13)
    chance_pairs: int = _limit(1 << 14, 1)
    # Reading.
    full_entries: int = _limit(1 << 20)
    sparse_share: float = _limit(0.25, most=1.0)
    mostly_zero_share: float = _limit(1.0 / 16.0, most=1.0)
    single_entries: int = _limit(1 << 24)
    one_hot_entries: int = _limit(100_000_000)
    collected_entries: int = _limit(1 << 28)

    def __repr__(self) -> str:
        changed = (
            f"{limit.name}={getattr(self, limit.name)!r}"
            for limit in fields(self)
            if getattr(self, limit.name) != limit.default
        )
        return f"Budget({', '.join(changed)})"

    def __post_init__(self) -> None:
        for limit in fields(self):
            value, least, most = getattr(self, limit.name), *limit.metadata.values()
            whole = isinstance(limit.default, int)
            is_number = isinstance(value, Integral if whole else Real)
            if isinstance(value, bool) or not (is_number and least <= value <= most):
                raise ParameterError(
                    "{parameter} must be {kind} {range}, got {value!r}.",
                    parameter=Option(limit.name),
                    kind="a whole number" if whole else "a number",
                    range=f"from {least:,} to {most:,}"
                    if most < math.inf
                    else f"of at least {least:,}",
                    value=value,
                )


#: The limits for everybody who names no others.
DEFAULT_BUDGET = Budget()
