"""Comparison of many clusterings: all pairs, or each with a reference."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from numbers import Integral
from typing import Any, TypeVar

from .._analysis import Analysis
from .._base.effort import DEFAULT_TOL, Effort, as_precision
from .._base.errors import MissingExtraError, NotApplicableError, ParameterError
from .._base.progress import bars
from .._base.progress import progress as counted
from .._base.wording import Option
from .._clusterings.options import InputOptions
from .._clusterings.reading.foreign import Annotated
from .._clusterings.reading.named import is_name, member, read_named, with_reference
from .._methods.inference.intervals import interval_of, intervals_of_many, refuse_interval
from .._methods.inference.significance import significance_of
from ..indices import Index, as_index
from ..models import as_model
from ..models._laws.side import prepare_sides
from ..results import Comparison, Pairwise, Significance
from .arguments import ModelLike, as_draws, as_fixed, as_level, as_maximum, as_progress
from .reading import read_all

Result = TypeVar("Result")


def pairwise(
    clusterings: Mapping[str, Any] | Iterable[Any] | Annotated,
    *,
    keys: Sequence[str] | None = None,
    reference: Any = None,
    index: str | Index = "ndc",
    model: ModelLike = "perm",
    fixed: str | None = None,
    maximum: float | str = 1,
    test: bool | ModelLike = False,
    draws: int | str = "auto",
    confidence: float | None = None,
    normalize: bool = False,
    possibilistic: bool = False,
    noise: Any = None,
    noise_as: str = "cluster",
    missing: str | None = None,
    points: str = "same",
    weights: Any = None,
    tol: float = DEFAULT_TOL,
    random_state: Any = 0,
    effort: Effort | None = None,
    n_jobs: int | None = None,
    progress: bool = True,
) -> Pairwise:
    """Compare many clusterings of the same points: all pairs, or each with a reference.

    Each entry equals the result of :func:`compare` for that pair. Whatever depends on a single
    clustering, such as its fit, is computed once.

    Parameters
    ----------
    clusterings : dict, list, frame or matrix
        The clusterings by name, or in a list, numbered from 0. A pandas or polars frame, such as
        ``adata.obs[["leiden", "louvain"]]``, has labels of a clustering in each column; so has a
        matrix, such as the result of SciPy's ``cut_tree``. Rows are points. A matrix that could
        also be the memberships of one clustering is refused. AnnData and MuData objects go in with
        ``keys``.
    keys : list of str, optional
        Columns of the frame, or of annotated data: columns of ``obs`` hold labels, tables in
        ``obsm`` memberships.
    reference : str, int or clustering, optional
        The clustering that all others are compared with: the name or number of one of them, or a
        further clustering. The result then has a single row, and ``fixed="first"`` fixes the
        reference.
    index, model, fixed, maximum, normalize, possibilistic, tol, random_state
        As in :func:`compare`. With ``fixed="first"`` the clustering of the row is fixed.
    test : bool, str or Model
        Whether to test each pair as :func:`significance` does: under ``perm`` if True, or under the
        given model. The result then has ``pvalues`` and ``qvalues``.
    draws : int or "auto"
        Largest number of draws of each test, as in :func:`significance`.
    confidence : float, optional
        Level of confidence intervals, as in :func:`confidence_interval`. With a reference, the
        differences of all two clusterings have intervals and p-values as well, paired by points:
        ``result.to_frame("differences")``.
    noise, noise_as, missing, points
        As in :func:`compare`. Points that are dropped are left out of all clusterings.
    weights : sequence, array or series, optional
        How much each point counts, as in :func:`compare`.
    effort
        As in :func:`compare`.
    n_jobs : int, optional
        Number of comparisons to run at a time, with joblib (``pip install "fuzzyrand[parallel]"``);
        -1 for all cores. By default they run one at a time, each on all cores. With more than one,
        each runs on a single thread unless ``effort`` has ``n_threads``.
    progress : bool
        Whether to show a progress bar if the work takes more than about two seconds and standard
        error is a terminal, or in a notebook.

    Returns
    -------
    Pairwise
        A matrix of comparisons with names.

    Raises
    ------
    InputError
        If a clustering cannot be read, or if the numbers of points differ.
    NotApplicableError
        If the index or the model is not defined for one of the clusterings.
    MissingExtraError
        If ``n_jobs`` is given and joblib is not installed.

    See Also
    --------
    compare : Two clusterings, under one or several models.

    References
    ----------
    .. [1] Benjamini, Y., Y. Hochberg, Controlling the false discovery rate: a practical and
           powerful approach to multiple testing, J. Royal Statistical Society B 57 (1995).

    Examples
    --------
    >>> soft = [[1, 0], [0.8, 0.2], [0, 1], [0, 1], [0.5, 0.5]]
    >>> print(pairwise({"k-means": [0, 0, 1, 1, 2], "soft": soft}))
    Adjusted NDC under perm, 5 points
             k-means     soft
    k-means   1.0000   0.3966
    soft      0.3966   1.0000
    All values are exact.
    """
    whole = isinstance(n_jobs, Integral) and not isinstance(n_jobs, bool)
    if n_jobs is not None and not (whole and n_jobs != 0):
        raise ParameterError(
            "{parameter} must be a number of comparisons at a time, -1 for all cores, or None; "
            "got {value!r}.",
            parameter=Option("n_jobs"),
            value=n_jobs,
        )
    most, shown = as_draws(draws), as_progress(progress)
    precision = as_precision(effort, tol, random_state)
    if n_jobs is not None and n_jobs != 1 and precision.n_threads is None:
        precision = replace(precision, n_threads=1)
    compared_by, held, top = as_index(index), as_fixed(fixed), as_maximum(maximum)
    models = [as_model(model)]
    if test is not False:
        models.append(as_model("perm" if test is True else test))
    chosen, *nulls = models
    if confidence is not None:
        refusal = refuse_interval(chosen)
        if refusal is not None:
            raise refusal
    options = InputOptions(
        normalize, possibilistic, noise, noise_as, missing, points, weights, precision.budget
    )
    extra = None if reference is None or is_name(reference) else reference
    partitions, extra = read_named(
        clusterings, extra, options, read_all, keys=with_reference(keys, reference)
    )
    names = tuple(partitions)
    sides = dict(
        zip(names, prepare_sides([*partitions.values()], compared_by, precision), strict=True)
    )
    starts = sides
    if reference is None:
        rows = names
    elif extra is None:
        rows = (member(reference, names),)
    else:
        rows = ("reference",)
        starts = dict(zip(rows, prepare_sides([extra], compared_by, precision), strict=True))

    two_sided = held is None or chosen.shuffles
    symmetric = reference is None and two_sided
    wanted = [
        (row, column)
        for i, row in enumerate(rows)
        for j, column in enumerate(names)
        if not symmetric or i <= j
    ]
    jobs = [Job((r, c), Analysis((starts[r], sides[c]), chosen, held, top)) for r, c in wanted]
    with bars(shown):
        results = counted(_run(jobs, n_jobs, _compute), len(jobs), "comparisons")
        comparisons = dict(zip(wanted, results, strict=True))
    if symmetric:
        for (row, column), comparison in list(comparisons.items()):
            if row != column:
                comparisons[column, row] = comparison.swapped()
    table = tuple(tuple(comparisons[row, column] for column in names) for row in rows)
    result = Pairwise(rows, names, table)
    if confidence is not None:
        apart = [(row, column) for row, column in wanted if row != column]
        plain = {pair: Comparison.of(comparisons[pair].analysis.against_one()) for pair in apart}
        result = _with_intervals(result, plain, as_level(confidence), shown)
    if not nulls:
        return result
    pairs_of_names = [(row, column) for row, column in wanted if row != column]
    tested = [
        Job((r, c), Analysis((starts[r], sides[c]), nulls[0], held), most)
        for r, c in pairs_of_names
    ]
    with bars(shown):
        outcomes = counted(_run(tested, n_jobs, _test), len(tested), "tests")
        return replace(result, tests=dict(zip(pairs_of_names, outcomes, strict=True)))


def _with_intervals(
    result: Pairwise,
    comparisons: Mapping[tuple[str, str], Comparison],
    level: float,
    shown: bool,
) -> Pairwise:
    """Add intervals of all pairs, and with a reference, of all differences."""
    pairs = list(comparisons)
    if result.rows == result.columns or len(pairs) < 2:
        with bars(shown):
            found = (interval_of(comparison, level, None) for comparison in comparisons.values())
            each = list(counted(found, len(pairs), "intervals"))
        return replace(result, intervals=dict(zip(pairs, each, strict=True)))
    intervals = intervals_of_many(list(comparisons.values()), level)
    differences = {
        (pairs[i][1], pairs[j][1]): interval for (i, j), interval in intervals.differences.items()
    }
    each = intervals.each
    return replace(result, intervals=dict(zip(pairs, each, strict=True)), differences=differences)


@dataclass(frozen=True, eq=False)
class Job:
    """A comparison to be computed, or to be tested with a largest number of draws."""

    names: tuple[str, str]
    analysis: Analysis
    draws: int | None = None


def _compute(job: Job) -> Comparison:
    try:
        return Comparison.of(job.analysis)
    except NotApplicableError as error:
        first, second = job.names
        raise error.extended("{first!r} with {second!r}: ", first=first, second=second) from None


def _test(job: Job) -> Significance:
    _compute(job)  # which names the clusterings in errors
    return significance_of(job.analysis, "greater", job.draws)


def _run(jobs: list[Job], n_jobs: int | None, compute: Callable[[Job], Result]) -> Iterator[Result]:
    if n_jobs is None or n_jobs == 1:
        return map(compute, jobs)
    try:
        from joblib import Parallel, delayed  # Deferred: an extra.
    except ImportError:
        raise MissingExtraError(
            'n_jobs needs joblib: pip install "fuzzyrand[parallel]". '
            "Without n_jobs, comparisons run one after another, each on all cores."
        ) from None
    # The heavy loops release the GIL, so threads are as fast as processes and copy nothing.
    parallel = Parallel(n_jobs=n_jobs, prefer="threads", return_as="generator")
    results: Iterator[Result] = parallel(delayed(compute)(job) for job in jobs)
    return results
