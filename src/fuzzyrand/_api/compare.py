"""Two clusterings: similarity, expected and adjusted similarity, and all of it in compare()."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict, Unpack, overload

from .._base.effort import DEFAULT_MAX_DRAWS, DEFAULT_TOL, EXACT_WORK, as_effort
from .._base.errors import SampledPairsWarning
from .._discordance.expected import expected_discordance
from .._discordance.observed import Observed
from .._engine import Question, compare_sides, compare_under, with_misfits
from .._inputs.same_points import as_pair
from .._laws.side import laws_of
from .._pairs.route import Route
from ..indices import Index, as_index
from ..models import as_model
from ..models.registry import with_options
from ..results import Comparison, ComparisonTable
from .arguments import ModelLike, as_fixed, as_maximum, as_models


def similarity(
    a: Any,
    b: Any,
    *,
    index: str | Index = "ndc",
    normalize: bool = False,
    possibilistic: bool = False,
    tol: float = DEFAULT_TOL,
    random_state: Any = 0,
    pairs: str | int = "auto",
    n_threads: int | None = None,
    exact_work: float = EXACT_WORK,
) -> float:
    """How alike two clusterings are, not adjusted for chance.

    Parameters
    ----------
    a, b : label vector or (points, clusters) memberships
        Two clusterings of the same points, in any form :func:`as_partition` takes.
    index : str or Index
        A name or an object, as in :func:`compare`.
    normalize, possibilistic : bool
        How to read memberships whose rows do not sum to one.
    tol : float
        Monte Carlo error allowed where the pairs of points are too many to visit. A
        :class:`SampledPairsWarning` then says so.
    random_state, pairs, n_threads, exact_work
        As in :func:`compare`.

    Returns
    -------
    float
        From 0 to 1.

    Examples
    --------
    >>> soft = [[0.9, 0.1], [0.9, 0.1], [0.1, 0.9], [0.5, 0.5]]
    >>> round(similarity([0, 0, 1, 1], soft), 12)
    0.666666666667
    """
    first, second = as_pair(a, b, normalize=normalize, possibilistic=possibilistic)
    effort = as_effort(tol, random_state, pairs, DEFAULT_MAX_DRAWS, n_threads, exact_work)
    one, two = Question(as_index(index), effort).sides(first, second)
    estimate = Observed((one, two)).refine(tol)
    _warn_if_sampled("observed", estimate.how, estimate.stderr)
    return 1.0 - estimate.value


def expected_similarity(
    a: Any,
    b: Any,
    *,
    index: str | Index = "ndc",
    model: ModelLike = "fit",
    fixed: str | None = None,
    normalize: bool = False,
    possibilistic: bool = False,
    tol: float = DEFAULT_TOL,
    random_state: Any = 0,
    pairs: str | int = "auto",
    max_draws: int = DEFAULT_MAX_DRAWS,
    n_threads: int | None = None,
    exact_work: float = EXACT_WORK,
    model_options: Mapping[str, Any] | None = None,
) -> float:
    """The mean index of two clusterings like these under a random model.

    Parameters are those of :func:`compare`; ``tol`` is the Monte Carlo error allowed of the
    value returned.

    Examples
    --------
    >>> expected_similarity([0, 0, 1, 1], [0, 1, 0, 1], model="cat")
    0.5
    """
    first, second = as_pair(a, b, normalize=normalize, possibilistic=possibilistic)
    effort = as_effort(tol, random_state, pairs, max_draws, n_threads, exact_work)
    (chosen,) = with_options([as_model(model)], model_options)
    one, two = Question(as_index(index), effort).sides(first, second)
    laws = laws_of((one, two), chosen, as_fixed(fixed))
    estimate = expected_discordance((one, two), laws, lambda _: tol)
    if any(law.observed is not None and law.observed.route is Route.SAMPLE for law in laws):
        _warn_if_sampled("expected", estimate.how, estimate.stderr)
    _warn_if_not_reached(estimate.reached, tol, estimate.stderr)
    return 1.0 - estimate.value


def adjusted_similarity(
    a: Any,
    b: Any,
    *,
    index: str | Index = "ndc",
    model: ModelLike = "fit",
    fixed: str | None = None,
    maximum: float | str = 1,
    normalize: bool = False,
    possibilistic: bool = False,
    tol: float = DEFAULT_TOL,
    random_state: Any = 0,
    pairs: str | int = "auto",
    max_draws: int = DEFAULT_MAX_DRAWS,
    n_threads: int | None = None,
    exact_work: float = EXACT_WORK,
    model_options: Mapping[str, Any] | None = None,
) -> float:
    """How alike two clusterings are, beyond chance: 1 is perfect agreement, 0 is chance.

    The ``adjusted`` attribute of :func:`compare`, which takes the same parameters and also says
    how the number came about and how sure it is.

    Examples
    --------
    >>> truth = ["a", "a", "b", "b", "b", "a"]
    >>> soft = [[0.9, 0.1], [0.8, 0.2], [0.2, 0.8], [0.1, 0.9], [0.4, 0.6], [0.7, 0.3]]
    >>> round(adjusted_similarity(truth, soft, fixed="first"), 4)
    0.391
    """
    comparison = compare(
        a,
        b,
        index=index,
        model=as_model(model),
        fixed=fixed,
        maximum=maximum,
        normalize=normalize,
        possibilistic=possibilistic,
        tol=tol,
        random_state=random_state,
        pairs=pairs,
        max_draws=max_draws,
        n_threads=n_threads,
        exact_work=exact_work,
        model_options=model_options,
    )
    how = comparison.computed
    _warn_if_sampled("observed", how["observed"], how["observed_stderr"])
    _warn_if_not_reached(comparison.converged, tol, comparison.stderr)
    return comparison.adjusted


class Options(TypedDict, total=False):
    """The keywords of :func:`compare` other than ``model``."""

    index: str | Index
    fixed: str | None
    maximum: float | str
    normalize: bool
    possibilistic: bool
    tol: float
    random_state: Any
    pairs: str | int
    max_draws: int
    n_threads: int | None
    exact_work: float
    model_options: Mapping[str, Any] | None


@overload
def compare(
    a: Any, b: Any, *, model: Literal["every"], **options: Unpack[Options]
) -> ComparisonTable: ...
@overload
def compare(
    a: Any, b: Any, *, model: ModelLike = "fit", **options: Unpack[Options]
) -> Comparison: ...
@overload
def compare(
    a: Any, b: Any, *, model: Sequence[ModelLike], **options: Unpack[Options]
) -> ComparisonTable: ...
def compare(
    a: Any,
    b: Any,
    *,
    index: str | Index = "ndc",
    model: ModelLike | Sequence[ModelLike] = "fit",
    fixed: str | None = None,
    maximum: float | str = 1,
    normalize: bool = False,
    possibilistic: bool = False,
    tol: float = DEFAULT_TOL,
    random_state: Any = 0,
    pairs: str | int = "auto",
    max_draws: int = DEFAULT_MAX_DRAWS,
    n_threads: int | None = None,
    exact_work: float = EXACT_WORK,
    model_options: Mapping[str, Any] | None = None,
) -> Comparison | ComparisonTable:
    """Compare two clusterings: observed, expected and adjusted index, and how sure they are.

    Parameters
    ----------
    a, b : label vector or (points, clusters) memberships
        Two clusterings of the same points: lists, NumPy arrays, SciPy sparse matrices,
        pandas or polars objects, or a :class:`Partition`. Rows are points.
    index : str or Index
        ``"ndc"`` (default), ``"brouwer"``, ``"consistency"``, ``"belief"``, ``"jousselme"`` or
        ``"frobenius"`` for any clusterings, ``"rand"`` for hard ones, or an object such as
        ``NDC(p=2)`` or a :class:`CustomIndex`.
    model : str, Model, or a list of them
        What "at random" means: ``"perm"``, ``"cat"``, ``"num"``, ``"all"``, ``"fit"``, ``"sym"``,
        ``"flat"``, ``"generalised"``, ``"mixture"``, ``"kernel"``, ``"mixed"``, ``"empirical"``, or
        an object such as ``Fit(resolution=5e-4)`` or ``Custom(distribution)``. A list gives a
        :class:`ComparisonTable`; ``"every"`` takes all that apply, and adds how far each lies from
        the clusterings themselves (see :func:`check_model`).
    fixed : None, "first" or "second"
        Two-sided, or one-sided with the named clustering kept as it is: a known truth.
    maximum : 1 or "self"
        What an adjusted index of 1 stands for: an index of 1, or the mean of what the two
        clusterings score against themselves. The two differ for the indices ``"brouwer"`` and
        ``"consistency"``, which are below 1 for a fuzzy clustering with itself.
    normalize : bool
        Divide each row of memberships by its sum.
    possibilistic : bool
        Accept rows that do not sum to one (models ``perm`` and ``empirical`` only).
    tol : float
        Where sampling is needed, it goes on until the Monte Carlo error of ``adjusted`` is at
        most this.
    random_state : int, numpy Generator or None
        Seed. The default is fixed: the same call gives the same answer, on any number of threads.
    pairs : "auto", "all" or int
        Two fuzzy clusterings: visit all pairs of points, or sample so many of them. "auto" visits
        all while that takes about half a minute at most (see ``exact_work``), and samples to
        ``tol`` beyond.
    max_draws : int
        Most agreements drawn on a side before giving up on ``tol``; the result then says so.
    n_threads : int, optional
        Default: ``FUZZYRAND_NUM_THREADS`` if set, else all cores.
    exact_work : float
        Work up to which ``pairs="auto"`` visits all pairs, in pairs of points times columns (plus
        ten); the default is ``fuzzyrand.EXACT_WORK``.
    model_options : dict, optional
        Options given to every model that has them, as in ``{"resolution": 1e-3}`` with
        ``model="every"``.

    Returns
    -------
    Comparison, or ComparisonTable for several models

    Examples
    --------
    >>> print(compare([0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1], model="perm"))
    Two clusterings of 6 points: hard, 2 clusters; hard, 2 clusters
      ndc observed          0.6667   contingency table
      expected by chance    0.5067   perm; closed form
      adjusted              0.3243   exact
    They go 32% of the way from chance (0.507) to perfect agreement (1), where chance means the
    same memberships, shuffled over the points.
    """
    first, second = as_pair(a, b, normalize=normalize, possibilistic=possibilistic)
    effort = as_effort(tol, random_state, pairs, max_draws, n_threads, exact_work)
    question = Question(as_index(index), effort, as_fixed(fixed), as_maximum(maximum))
    one, two = question.sides(first, second)
    if isinstance(model, str) and model.lower() == "every":
        models = with_options(question.applicable_models((one, two)), model_options)
        outcome = compare_sides((one, two), models, question, skip=True)
        judged = with_misfits(outcome.comparisons, (one, two), question)
        return ComparisonTable(judged, outcome.reasons)
    if isinstance(model, Sequence) and not isinstance(model, str):
        models = with_options(as_models(model), model_options)
        return ComparisonTable(compare_sides((one, two), models, question).comparisons)
    (chosen,) = with_options([as_model(model)], model_options)
    return compare_under((one, two), chosen, question)


def _warn_if_sampled(what: str, how: str, stderr: float) -> None:
    if stderr > 0.0:
        warnings.warn(
            f"there are too many pairs of points to visit them all: the {what} index comes from "
            f"{how} and has a Monte Carlo error of {stderr:.1g}. "
            'pairs="all" visits all pairs; compare() returns the error with the value.',
            SampledPairsWarning,
            stacklevel=3,
        )


def _warn_if_not_reached(reached: bool, tol: float, stderr: float) -> None:
    if not reached:
        warnings.warn(
            f"sampling stopped at its limit with a Monte Carlo error of {stderr:.1g}, above the "
            f"tol={tol:g} asked for; raise max_draws or pairs, or accept a larger tol.",
            SampledPairsWarning,
            stacklevel=3,
        )
