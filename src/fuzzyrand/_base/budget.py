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
    """Points, pairs, draws, memory and work that a computation may take on its way.

    Beyond such a limit, a computation takes another way: it visits pairs instead of keeping them,
    or uses a random sample of the points, and reports the error that comes from it. The defaults
    suit a computer of today. A smaller number saves time or memory, and a larger one saves an
    error. Functions without ``effort``, and contingency tables made by an index, use the defaults.

    The limits are listed in groups: pairs of points (from ``kept_pairs``), contingency tables
    (``table_cells``), laws of models (``law_draws``), shuffled points (``permuted_points``), tests
    and intervals (``test_points``), how well models fit (``note_redraws``), explanations
    (``quick_pairs``), and reading (``full_entries``). Times are those of two cores; an entry is
    a membership, and takes 8 bytes.

    Parameters
    ----------
    kept_pairs : int
        Pairs whose agreements are kept and sorted: about 50 MB, and half a second. With more, pairs
        are visited, and only counted in bins.
    numpy_work : float
        Pairs times columns that NumPy works through (a tenth of a second each), before Numba is
        loaded, which takes a second.
    unmerged_points : int
        Points among which equal ones are not looked for: far below a second for all of their pairs.
    partners : int
        Partners of each point, if there are too many pairs for the score of each point: half a
        second for 100,000 points.
    sampled_pairs : int
        Random pairs, if there are too many to visit them and ``tol`` asks for more: some seconds.
    group_points : int
        Points in a random group of two fuzzy clusterings in blocks (dask), all of whose pairs are
        visited.
    fewest_groups : int
        Groups that are always drawn; they are read from the blocks at once.
    group_entries : int
        Entries of all groups together: 1 GB.
    table_cells : int
        Cells of a full table of clusters with clusters: 160 MB. Larger ones are refused, or left
        out of an explanation.
    drawn_tables : int
        Contingency tables that are drawn for an expectation; ``tol`` needs hardly ever as many.
    table_work : float
        Entries of all drawn tables, or of the rows that they are made of: about a minute.
    ordered_points : int
        Points all of whose orders give the expectation of an index of tables: 5040 tables, about a
        second.
    law_draws : int
        Agreements that are drawn from a law which can only be drawn from: 1 MB.
    law_work : float
        Entries of the rows drawn for them: a few seconds.
    shared_draws : int
        Pairs that share a cluster, drawn for each side and each of 32 batches: some seconds.
    permuted_points : int
        Points all of whose permutations are gone through in a test: 40,320 of them, about a second.
    shuffled_entries : int
        Entries of the points that are shuffled, so that a thousand shuffles take seconds. With
        more, a random sample of the points is shuffled.
    shuffled_points : int
        The same for points all of whose pairs are visited by each shuffle: a thousand take a minute
        or two.
    shuffled_pairs : int
        The same for pairs that share a cluster, listed for the omega index: 8 MB.
    row_agreements : int
        Agreements of the first side that are kept between shuffles: 64 MB.
    numpy_shuffle_pairs : int
        Pairs of which NumPy finishes a thousand shuffles before Numba is loaded: a second.
    numpy_shuffle_work : int
        Entries times clusters of which it does, for a hard and a fuzzy clustering: a second.
    spread_work : float
        Pairs, times ten plus columns, that are visited just for the variance under permutations:
        well below a second. With more, a million random pairs are used.
    profile_pairs : int
        Pairs all of whose agreements are nodes of the profiles which give that variance.
    profile_nodes : int
        Nodes otherwise; time and memory grow with their square.
    profile_work : float
        Ordered pairs, times ten plus columns, of the profiles of one side: about a second. With
        more, a random sample of the points has profiles.
    shape_points : int
        Points whose pairs show how skewed an index is under permutations: a matrix of 1 MB.
    test_points : int
        Points of two fuzzy clusterings in a test by draws from a model, which visits all pairs of
        each: a millisecond.
    test_entries : int
        Entries of other clusterings in such a test: a few milliseconds for a draw.
    influence_points : int
        Points of two fuzzy clusterings whose influence gives an interval: about a second.
    influence_hard_points : int
        The same if one of them is hard: about a second.
    note_redraws : int
        Clusterings drawn and fitted again to see whether a note on the bias of a fit is due.
    first_redraws : int
        Clusterings drawn at first to correct that bias.
    most_redraws : int
        Clusterings drawn at most.
    slow_entries : int
        Entries of a clustering that a model which is not fast to fit is fitted to again for that:
        about a second.
    misfit_redraws : int
        Clusterings drawn to see whether a model describes a clustering, where that is in doubt.
    misfit_points : int
        Points of each of them: a tenth of a second for all.
    quick_fit_entries : int
        Entries that models slow to fit are fitted to just to see whether they fit: seconds.
    quick_fit_clusters : int
        Clusters of which they are fitted, where advice is asked for.
    full_fit_entries : int
        Entries that the other models are fitted to for advice: seconds.
    check_redraws : int
        Clusterings drawn by ``check_model``.
    slow_check_redraws : int
        The same if the model is slow to fit.
    check_work : float
        Pairs, times ten plus columns, of each of them: less than a tenth of a second.
    check_entries : int
        Entries of each of them, and of the rows drawn from its fit: 3 MB.
    numpy_check_work : float
        Pairs times columns of all of them that NumPy works through, before Numba is loaded.
    quick_pairs : int
        Pairs that a report visits to explain the clusters of two fuzzy clusterings: a second.
    cluster_pairs : int
        Pairs of clusters drawn in each of 32 batches, if there are too many to visit: a second.
    quick_cluster_pairs : int
        The same for a report.
    chance_pairs : int
        Pairs of the other clustering that each batch compares them with.
    full_entries : int
        Entries, zeros included, of a matrix that is stored in full whatever its zeros: 8 MB.
    sparse_share : float
        Share of nonzero entries of a larger sparse matrix which stays sparse; it takes less memory.
    mostly_zero_share : float
        Share of nonzero entries of a larger full matrix which is made sparse; it takes less time.
    one_hot_entries : int
        Entries of the matrix of a hard clustering that is made for a fit of your own: 800 MB.
    collected_entries : int
        Entries of dask collections that are read as a whole, if points have weights: 2 GB.

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
