"""Single numbers: the observed, the expected and the adjusted index of two clusterings."""

from __future__ import annotations

import warnings
from typing import Any

from .._analysis import Analysis
from .._analysis.discordance.expected import expected_discordance
from .._analysis.discordance.observed import Observed
from .._analysis.misfit import misfit_of_expected
from .._base.effort import DEFAULT_TOL, Effort, as_precision
from .._base.errors import MisfitWarning, SampledPairsWarning
from .._base.wording import Sentence
from .._clusterings.options import InputOptions
from .._pairs.route import Route
from ..indices import Index, as_index
from ..models import as_model
from ..models._laws.side import prepare_sides
from .arguments import ModelLike, as_fixed
from .compare import compare
from .reading import read_pair


def similarity(
    a: Any,
    b: Any,
    *,
    index: str | Index = "ndc",
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
) -> float:
    """Return the index of two clusterings, not adjusted for chance.

    Parameters
    ----------
    a, b : label vector or (points, clusters) memberships
        Two clusterings of the same points, in any form that :func:`as_partition` takes, or in
        dask collections.
    index : str or Index
        Name of an index, or an object, as in :func:`compare`.
    normalize : bool
        Whether to divide each row of memberships by its sum.
    possibilistic : bool
        Whether to accept rows that do not sum to 1.
    noise, noise_as, missing, points
        Noise points, missing memberships, and points that one clustering lacks, as in
        :func:`compare`.
    weights : sequence, array or series, optional
        How much each point counts, as in :func:`compare`.
    tol : float
        Largest Monte Carlo error, if there are too many pairs of points to visit.
    random_state, effort
        As in :func:`compare`.

    Returns
    -------
    float
        The index, from 0 to 1.

    Raises
    ------
    InputError
        If a clustering cannot be read, or if the clusterings have different numbers of points.
    NotApplicableError
        If the index is not defined for these clusterings.
    ParameterError, UnknownNameError
        If an argument has a value that is not allowed.

    Warns
    -----
    SampledPairsWarning
        If pairs were sampled, in which case the value has a Monte Carlo error.

    See Also
    --------
    adjusted_similarity : The index beyond chance.
    compare : Everything at once, with errors.

    Notes
    -----
    Most indices are means over all pairs of points. Within each clustering, two points have an
    *agreement* from 0 to 1. The index is the mean *concordance* of the two agreements of a pair.
    For the NDC the agreement of points with memberships u and v is 1 − ½‖u − v‖₁, and the
    concordance is ``1 − |a₁ − a₂|``. For hard clusterings this is the Rand index. Others, such as
    the mutual information, are functions of the contingency table.

    References
    ----------
    .. [1] Hüllermeier, E., M. Rifqi, S. Henzgen, R. Senge, Comparing fuzzy partitions: a
           generalization of the Rand index and related measures, IEEE Trans. Fuzzy Systems 20
           (2012).

    Examples
    --------
    >>> soft = [[0.9, 0.1], [0.9, 0.1], [0.1, 0.9], [0.5, 0.5]]
    >>> round(similarity([0, 0, 1, 1], soft), 12)
    0.666666666667
    """
    precision = as_precision(effort, tol, random_state)
    inputs = InputOptions(
        normalize, possibilistic, noise, noise_as, missing, points, weights, precision.budget
    )
    first, second = read_pair(a, b, inputs)
    side1, side2 = prepare_sides((first, second), as_index(index), precision)
    estimate = Observed((side1, side2)).refine(tol)
    _warn_if_sampled("observed", estimate.how, estimate.stderr)
    return 1.0 - estimate.value


def expected_similarity(
    a: Any,
    b: Any,
    *,
    index: str | Index = "ndc",
    model: ModelLike = "perm",
    fixed: str | None = None,
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
) -> float:
    """Return the expected index under a random model.

    Parameters
    ----------
    a, b : label vector or (points, clusters) memberships
        Two clusterings of the same points, in any form that :func:`as_partition` takes, or in
        dask collections.
    index : str or Index
        Name of an index, or an object, as in :func:`compare`.
    model : str or Model
        Name of a random model, or an object, as in :func:`compare`.
    fixed : None, "first" or "second"
        The clustering that is not replaced by a random one, if any.
    normalize : bool
        Whether to divide each row of memberships by its sum.
    possibilistic : bool
        Whether to accept rows that do not sum to 1 (models ``perm`` and ``empirical`` only).
    noise, noise_as, missing, points
        Noise points, missing memberships, and points that one clustering lacks, as in
        :func:`compare`.
    weights : sequence, array or series, optional
        How much each point counts, as in :func:`compare`.
    tol : float
        Largest Monte Carlo error of the returned value, if it is sampled.
    random_state, effort
        As in :func:`compare`.

    Returns
    -------
    float
        The expected index, from 0 to 1.

    Raises
    ------
    InputError
        If a clustering cannot be read, or if the clusterings have different numbers of points.
    NotApplicableError
        If the index or the model is not defined for these clusterings.
    ParameterError, UnknownNameError
        If an argument has a value that is not allowed.

    Warns
    -----
    SampledPairsWarning
        If pairs of points were sampled, or if sampling stopped before it reached ``tol``.
    MisfitWarning
        If the model does not describe the clusterings, so that the value should not be quoted.

    See Also
    --------
    similarity : The observed index.
    compare : Everything at once, with errors.

    Notes
    -----
    The two sides are independent under every model. The expected index is E[concordance(A₁, A₂)],
    where A₁ and A₂ are the co-memberships of a random pair on the two sides. Their distributions
    are those of the random clusterings; a fixed side has that of its observed pairs.

    References
    ----------
    .. [1] DeWolfe, R., J. L. Andrews, Random models for fuzzy clustering similarity measures,
           arXiv:2312.10270.

    Examples
    --------
    >>> expected_similarity([0, 0, 1, 1], [0, 1, 0, 1], model="cat")
    0.5
    """
    precision = as_precision(effort, tol, random_state)
    inputs = InputOptions(
        normalize, possibilistic, noise, noise_as, missing, points, weights, precision.budget
    )
    first, second = read_pair(a, b, inputs)
    analysis = Analysis.of(
        (first, second), as_index(index), as_model(model), precision, as_fixed(fixed)
    )
    estimate = expected_discordance(analysis.sides, analysis.laws, lambda _: tol)
    observed = [law.observed for law in analysis.laws if law.observed is not None]
    if any(law.route is Route.SAMPLE for law in observed):
        _warn_if_sampled("expected", estimate.how, estimate.stderr)
    _warn_if_not_reached(estimate.reached, tol, estimate.stderr)
    _warn_of_misfit(misfit_of_expected(analysis, estimate))
    return 1.0 - estimate.value


def adjusted_similarity(
    a: Any,
    b: Any,
    *,
    index: str | Index = "ndc",
    model: ModelLike = "perm",
    fixed: str | None = None,
    maximum: float | str = 1,
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
) -> float:
    """Return the adjusted index: 1 for perfect agreement, 0 for chance.

    This is the attribute ``adjusted`` of the result of :func:`compare`, which also says how the
    number was computed and how accurate it is.

    Parameters
    ----------
    a, b : label vector or (points, clusters) memberships
        Two clusterings of the same points, in any form that :func:`as_partition` takes, or in
        dask collections.
    index : str or Index
        Name of an index, or an object, as in :func:`compare`.
    model : str or Model
        Name of a random model, or an object, as in :func:`compare`.
    fixed : None, "first" or "second"
        The clustering that is not replaced by a random one, if any.
    maximum : 1 or "self"
        The value of the index at which the adjusted index is 1, as in :func:`compare`.
    normalize : bool
        Whether to divide each row of memberships by its sum.
    possibilistic : bool
        Whether to accept rows that do not sum to 1 (models ``perm`` and ``empirical`` only).
    noise, noise_as, missing, points
        Noise points, missing memberships, and points that one clustering lacks, as in
        :func:`compare`.
    weights : sequence, array or series, optional
        How much each point counts, as in :func:`compare`.
    tol : float
        Largest Monte Carlo error of the returned value, if it is sampled.
    random_state, effort
        As in :func:`compare`.

    Returns
    -------
    float
        The adjusted index: at most 1, and negative if the clusterings are less alike than chance.

    Raises
    ------
    InputError
        If a clustering cannot be read, or if the clusterings have different numbers of points.
    NotApplicableError
        If the index or the model is not defined for these clusterings.
    ParameterError, UnknownNameError
        If an argument has a value that is not allowed.

    Warns
    -----
    SampledPairsWarning
        If pairs of points were sampled, or if sampling stopped before it reached ``tol``.
    MisfitWarning
        If the model does not describe the clusterings, so that the value should not be quoted.

    See Also
    --------
    compare : The same number with its error.
    pairwise : Many clusterings.

    Notes
    -----
    The adjusted index is (observed − expected) / (maximum − expected). For hard clusterings, the
    default is the adjusted Rand index of Hubert and Arabie, scikit-learn's
    ``adjusted_rand_score``.

    References
    ----------
    .. [1] DeWolfe, R., J. L. Andrews, Random models for fuzzy clustering similarity measures,
           arXiv:2312.10270.
    .. [2] Hubert, L., P. Arabie, Comparing partitions, J. Classification 2 (1985).

    Examples
    --------
    >>> truth = ["a", "a", "b", "b", "b", "a"]
    >>> adjusted_similarity(truth, [0, 0, 0, 1, 1, 0])
    0.32432432432432434
    >>> soft = [[0.9, 0.1], [0.8, 0.2], [0.2, 0.8], [0.1, 0.9], [0.4, 0.6], [0.7, 0.3]]
    >>> round(adjusted_similarity(truth, soft), 4)
    0.3702
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
        noise=noise,
        noise_as=noise_as,
        missing=missing,
        points=points,
        weights=weights,
        tol=tol,
        random_state=random_state,
        effort=effort,
    )
    how = comparison.computed
    _warn_if_sampled("observed", how["observed"], how["observed_stderr"])
    _warn_if_not_reached(comparison.converged, tol, comparison.stderr)
    _warn_of_misfit(comparison.misfit_note)
    return comparison.adjusted


def _warn_if_sampled(what: str, how: str, stderr: float) -> None:
    if stderr > 0.0:
        warnings.warn(
            f"there are too many pairs of points to visit them all: the {what} index comes from "
            f"{how} and has a Monte Carlo error of {stderr:.1g}. "
            'effort=Effort(pairs="all") visits all pairs; compare() returns the error as well.',
            SampledPairsWarning,
            stacklevel=3,
        )


def _warn_if_not_reached(reached: bool, tol: float, stderr: float) -> None:
    if not reached:
        warnings.warn(
            f"sampling stopped at its limit with a Monte Carlo error of {stderr:.1g}, above the "
            f"tol={tol:g} asked for; raise max_draws or pairs of Effort, or accept a larger tol.",
            SampledPairsWarning,
            stacklevel=3,
        )


def _warn_of_misfit(remark: Sentence | None) -> None:
    if remark is not None:
        warnings.warn(str(remark), MisfitWarning, stacklevel=3)
