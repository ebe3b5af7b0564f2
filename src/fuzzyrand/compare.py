"""Two clusterings: similarity, expected and adjusted similarity, and all of it in compare()."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from functools import cached_property
from typing import Any, Literal, TypedDict, Unpack, overload

from .comparison import Comparison, ComparisonTable
from .effort import DEFAULT_MAX_DRAWS, DEFAULT_TOL, Effort, as_effort
from .errors import NotApplicableError, SampledPairsWarning, UnknownNameError, unknown_name
from .estimate import Estimate
from .expectation import Goal, expected_discordance, needs_distribution
from .indices import Index, as_index
from .laws import Law, ObservedPairs, law_of_pairs
from .models import MODELS, Model, as_model
from .observed import Observed
from .partition import Partition, as_pair

ModelLike = str | Model

#: Discordances below this are the rounding errors of agreements that are equal.
ROUNDING = 1e-14
#: A number with a larger error bound is not called exact, though nothing was sampled.
EXACT = 1e-5


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
) -> float:
    """How alike two clusterings are, not adjusted for chance.

    Parameters
    ----------
    a, b : label vector or (points, clusters) memberships
        Two clusterings of the same points, in any form :func:`as_partition` takes.
    index : str or Index
        ``"ndc"``, ``"rand"`` or an index object such as ``NDC(p=2)``.
    normalize, possibilistic : bool
        How to read memberships whose rows do not sum to one.
    tol : float
        Standard error allowed where the pairs of points are too many to visit. A
        :class:`SampledPairsWarning` then says so.
    random_state, pairs, n_threads
        As in :func:`compare`.

    Returns
    -------
    float
        From 0 to 1.

    Examples
    --------
    >>> similarity([0, 0, 1, 1], [[0.9, 0.1], [0.9, 0.1], [0.1, 0.9], [0.5, 0.5]])
    0.6666666666666667
    """
    first, second = as_pair(a, b, normalize=normalize, possibilistic=possibilistic)
    effort = as_effort(tol, random_state, pairs, DEFAULT_MAX_DRAWS, n_threads)
    resolved = as_index(index)
    resolved.require_applicable(first, second)
    estimate = Observed(first, second, resolved, effort).refine(tol)
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
) -> float:
    """The mean index of two clusterings like these under a random model.

    Parameters are those of :func:`compare`; ``tol`` is the standard error allowed of the
    value returned.

    Examples
    --------
    >>> expected_similarity([0, 0, 1, 1], [0, 1, 0, 1], model="cat")
    0.5
    """
    first, second = as_pair(a, b, normalize=normalize, possibilistic=possibilistic)
    effort = as_effort(tol, random_state, pairs, max_draws, n_threads)
    resolved = as_index(index)
    resolved.require_applicable(first, second)
    chosen, side = as_model(model), as_fixed(fixed)
    sides = (Side(first, resolved, effort), Side(second, resolved, effort))
    laws = laws_of(sides, chosen, side)
    estimate = expected_discordance(*laws, resolved.concordance.q, lambda _: tol, effort)
    if any(isinstance(law, ObservedPairs) and not law.visitable for law in laws):
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
    normalize: bool = False,
    possibilistic: bool = False,
    tol: float = DEFAULT_TOL,
    random_state: Any = 0,
    pairs: str | int = "auto",
    max_draws: int = DEFAULT_MAX_DRAWS,
    n_threads: int | None = None,
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
        normalize=normalize,
        possibilistic=possibilistic,
        tol=tol,
        random_state=random_state,
        pairs=pairs,
        max_draws=max_draws,
        n_threads=n_threads,
    )
    how = comparison.computed
    _warn_if_sampled("observed", how["observed"], how["observed_stderr"])
    _warn_if_not_reached(comparison.converged, tol, comparison.stderr)
    return comparison.adjusted


class Options(TypedDict, total=False):
    """The keywords of :func:`compare` other than ``model``."""

    index: str | Index
    fixed: str | None
    normalize: bool
    possibilistic: bool
    tol: float
    random_state: Any
    pairs: str | int
    max_draws: int
    n_threads: int | None


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
    normalize: bool = False,
    possibilistic: bool = False,
    tol: float = DEFAULT_TOL,
    random_state: Any = 0,
    pairs: str | int = "auto",
    max_draws: int = DEFAULT_MAX_DRAWS,
    n_threads: int | None = None,
) -> Comparison | ComparisonTable:
    """Compare two clusterings: observed, expected and adjusted index, and how sure they are.

    Parameters
    ----------
    a, b : label vector or (points, clusters) memberships
        Two clusterings of the same points: lists, NumPy arrays, SciPy sparse matrices,
        pandas or polars objects, or a :class:`Partition`. Rows are points.
    index : str or Index
        ``"ndc"`` (default) for any clusterings, ``"rand"`` for hard ones, or an object.
    model : str, Model, or a list of them
        What "at random" means: ``"perm"``, ``"cat"``, ``"num"``, ``"all"``, ``"fit"``, ``"sym"``,
        ``"flat"``, or an object such as ``Fit(resolution=5e-4)``. A list gives a
        :class:`ComparisonTable`; ``"every"`` takes all that apply.
    fixed : None, "first" or "second"
        Two-sided, or one-sided with the named clustering kept as it is: a known truth.
    normalize : bool
        Divide each row of memberships by its sum.
    possibilistic : bool
        Accept rows that do not sum to one (``perm`` only).
    tol : float
        Where sampling is needed, it goes on until the standard error of ``adjusted`` is at
        most this.
    random_state : int, numpy Generator or None
        Seed. The default is fixed: the same call gives the same answer, on any number of threads.
    pairs : "auto", "all" or int
        Two fuzzy clusterings: visit all pairs of points, or sample so many of them. "auto" visits
        all while that takes about half a minute at most (see ``EXACT_WORK``), and samples to
        ``tol`` beyond.
    max_draws : int
        Most agreements drawn on a side before giving up on ``tol``; the result then says so.
    n_threads : int, optional
        Default: ``FUZZYRAND_NUM_THREADS`` if set, else all cores.

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
    effort = as_effort(tol, random_state, pairs, max_draws, n_threads)
    resolved = as_index(index)
    resolved.require_applicable(first, second)
    side = as_fixed(fixed)
    models, several = _resolve_models(model, first, second, side, resolved)
    sides = (Side(first, resolved, effort), Side(second, resolved, effort))
    comparisons = compare_sides(sides, models, side, resolved, effort)
    return ComparisonTable(comparisons) if several else comparisons[0]


def _resolve_models(
    model: Any, first: Partition, second: Partition, fixed: str | None, index: Index
) -> tuple[list[Model], bool]:
    """The models asked for, and whether a table of them was asked for."""
    if isinstance(model, str) and model.lower() == "every":
        return applicable_models(first, second, fixed, index), True
    if isinstance(model, Sequence) and not isinstance(model, str):
        if not model:
            raise UnknownNameError("the list of models is empty; name at least one.")
        return [as_model(each) for each in model], True
    return [as_model(model)], False


class Side:
    """A clustering with its laws, each computed once however many comparisons use it."""

    def __init__(self, partition: Partition, index: Index, effort: Effort) -> None:
        self.partition = partition
        self._index, self._effort = index, effort
        self._laws: dict[Model, Law] = {}

    @cached_property
    def pairs_law(self) -> Law:
        """The law of the pairs as they are."""
        return law_of_pairs(self.partition, self._index.agreement, self._effort)

    def law(self, model: Model, *, fixed: bool) -> Law:
        """The law under a model, or of the pairs as they are."""
        if fixed:
            return self.pairs_law
        if model.name == "perm":
            model.require_applicable(self.partition, self._index)
            return self.pairs_law
        if model not in self._laws:
            model.require_applicable(self.partition, self._index)
            self._laws[model] = model.law(self.partition, self._index, self._effort)
        return self._laws[model]


def laws_of(sides: tuple[Side, Side], model: Model, fixed: str | None) -> tuple[Law, Law]:
    """The agreement laws of both sides under a model."""
    return (
        sides[0].law(model, fixed=fixed == "first"),
        sides[1].law(model, fixed=fixed == "second"),
    )


def compare_sides(
    sides: tuple[Side, Side],
    models: Sequence[Model],
    fixed: str | None,
    index: Index,
    effort: Effort,
) -> list[Comparison]:
    """Compare two prepared clusterings under several models; the observed index comes once."""
    power = index.concordance.q
    laws = [laws_of(sides, model, fixed) for model in models]
    first, second = (side.partition for side in sides)
    learners = _learners(laws, power)
    observed = Observed(first, second, index, effort, learners)
    goal = _goal(observed.estimate, effort.tol)
    expected = [expected_discordance(*pair, power, goal, effort) for pair in laws]
    if observed.estimate.stderr > 0.0:
        smallest = min(estimate.value for estimate in expected)
        observed.refine(effort.tol * smallest / math.sqrt(2.0))
    return [
        _comparison(sides, model, fixed, index, effort, pair, observed.estimate, estimate)
        for model, pair, estimate in zip(models, laws, expected, strict=True)
    ]


def _learners(
    laws: list[tuple[Law, Law]], power: float
) -> tuple[ObservedPairs | None, ObservedPairs | None]:
    """Laws of observed pairs whose bracket will be needed: to be filled in the same pass."""
    found: list[ObservedPairs | None] = [None, None]
    for pair in laws:
        for position, (law, other) in enumerate((pair, pair[::-1])):
            if not isinstance(law, ObservedPairs) or not needs_distribution(law, other, power):
                continue
            if law.missing and law.visitable:
                found[position] = law
    return found[0], found[1]


def _goal(observed: Estimate, tol: float) -> Goal:
    """The standard error of the expected discordance E that the adjusted index 1 - D/E allows."""
    share = tol if observed.stderr == 0.0 else tol / math.sqrt(2.0)

    def goal(expected: float) -> float:
        return math.inf if observed.value == 0.0 else share * expected**2 / observed.value

    return goal


def _comparison(
    sides: tuple[Side, Side],
    model: Model,
    fixed: str | None,
    index: Index,
    effort: Effort,
    laws: tuple[Law, Law],
    observed: Estimate,
    expected: Estimate,
) -> Comparison:
    d, e = observed.value, expected.value
    if e > ROUNDING:
        adjusted = 1.0 - d / e
        stderr = math.hypot(observed.stderr / e, d * expected.stderr / e**2)
        off = expected.error_bound
        error_bound = d / (e - off) - d / e if off < e else math.inf
    elif d <= ROUNDING:
        adjusted, stderr, error_bound = 1.0, 0.0, 0.0
    else:
        raise NotApplicableError(
            f"under the model {str(model)!r} chance always gives perfect agreement, yet these "
            "clusterings differ: the adjusted index is undefined. Choose another model."
        )
    first, second = (side.partition for side in sides)
    return Comparison(
        observed=1.0 - d,
        expected=1.0 - e,
        adjusted=adjusted,
        stderr=stderr,
        exact=observed.stderr == 0.0 and expected.stderr == 0.0 and error_bound < EXACT,
        index=index.name,
        model=str(model),
        fixed=fixed,
        n=first.n,
        clusterings=(_clusters(first), _clusters(second)),
        laws=(
            {**laws[0].to_dict(), "text": laws[0].describe()},
            {**laws[1].to_dict(), "text": laws[1].describe()},
        ),
        computed={
            "observed": observed.how,
            "observed_stderr": observed.stderr,
            "expected": expected.how,
            "expected_stderr": expected.stderr,
        },
        error_bound=error_bound,
        converged=observed.reached and expected.reached,
        tol=effort.tol,
        assumption=model.assumption,
    )


def _clusters(partition: Partition) -> str:
    return f"{partition.kind}, {partition.k} cluster{'s' * (partition.k != 1)}"


def applicable_models(
    first: Partition, second: Partition, fixed: str | None, index: Index
) -> list[Model]:
    """The models that can stand in for every side that is not fixed."""
    randomised = [p for p, name in ((first, "first"), (second, "second")) if name != fixed]
    found = []
    for model in MODELS.values():
        try:
            for partition in randomised:
                model.require_applicable(partition, index)
        except NotApplicableError:
            continue
        found.append(model)
    return found


def as_fixed(fixed: Any) -> str | None:
    """Check which side is fixed."""
    if fixed is None or (isinstance(fixed, str) and fixed in ("first", "second")):
        return fixed
    raise unknown_name("value of fixed", fixed, ("first", "second"))


def _warn_if_sampled(what: str, how: str, stderr: float) -> None:
    if stderr > 0.0:
        warnings.warn(
            f"there are too many pairs of points to visit them all: the {what} index comes from "
            f"{how} and has a standard error of {stderr:.1g}. "
            'pairs="all" visits all pairs; compare() returns the standard error with the value.',
            SampledPairsWarning,
            stacklevel=3,
        )


def _warn_if_not_reached(reached: bool, tol: float, stderr: float) -> None:
    if not reached:
        warnings.warn(
            f"sampling stopped at its limit with a standard error of {stderr:.1g}, above the "
            f"tol={tol:g} asked for; raise max_draws or pairs, or accept a larger tol.",
            SampledPairsWarning,
            stacklevel=3,
        )
