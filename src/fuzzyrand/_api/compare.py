"""Comparison of two clusterings, under one random model or several."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypedDict, Unpack, overload

import numpy as np

from .._analysis import Analysis, analyse_models
from .._base.effort import DEFAULT_TOL, Effort, as_precision
from .._base.progress import progress
from .._clusterings.options import InputOptions
from ..indices import Index, as_index
from ..models import as_model
from ..models._laws.side import prepare_sides
from ..models.registry import EveryModel, applicable_models, with_options
from ..results import Comparison, ComparisonTable
from .arguments import ModelLike, as_fixed, as_maximum, as_models
from .reading import read_pair


class Options(TypedDict, total=False):
    """The keywords of :func:`compare` other than ``model``."""

    index: str | Index
    fixed: str | None
    maximum: float | str
    normalize: bool
    possibilistic: bool
    noise: Any
    noise_as: str
    missing: str | None
    points: str
    weights: Any
    tol: float
    random_state: Any
    effort: Effort | None


@overload
def compare(
    a: Any, b: Any, *, model: Literal["every"] | EveryModel, **options: Unpack[Options]
) -> ComparisonTable: ...
@overload
def compare(
    a: Any, b: Any, *, model: ModelLike = "perm", **options: Unpack[Options]
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
    model: ModelLike | Sequence[ModelLike] | EveryModel = "perm",
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
) -> Comparison | ComparisonTable:
    """Compare two clusterings: observed, expected and adjusted index, with their errors.

    Parameters
    ----------
    a, b : label vector or (points, clusters) memberships
        Two clusterings of the same points: lists, NumPy arrays, SciPy sparse matrices, pandas or
        polars objects, or a :class:`Partition`. Rows are points. They are matched by position, or
        by index if both objects are from pandas. Dask arrays, dataframes and their columns are read
        in blocks and never gathered in one place.
    index : str or Index
        ``"ndc"`` (default), ``"brouwer"``, ``"consistency"``, ``"belief"``, ``"jousselme"``,
        ``"frobenius"``, ``"mi"`` (mutual information), ``"vi"``, ``"homogeneity"`` or
        ``"completeness"`` for any clusterings; ``"rand"``, ``"fm"``, ``"jaccard"``, ``"accuracy"``
        or ``"nca"`` for hard ones; or an object such as ``NDC(p=2)``, ``MI(norm="max")`` or a
        :class:`CustomIndex`.
    model : str, Model, or a list of them
        The random model, which defines what chance means. ``"perm"``, the default, shuffles the
        points. Others are ``"cat"``, ``"num"``, ``"all"``, ``"fit"``, ``"sym"``, ``"flat"``,
        ``"generalised"``, ``"mixture"``, ``"kernel"``, ``"mixed"``, ``"empirical"``, and objects
        such as ``Fit(resolution=5e-4)`` or ``Custom(distribution)``. A list gives a
        :class:`ComparisonTable`. ``"every"`` uses all models that apply, and adds the misfit of
        each: how far it is from the clusterings that it replaces (see :func:`check_model`).
    fixed : None, "first" or "second"
        The clustering that stays as it is, for example because it is a known truth. With None, both
        are replaced by random ones. It makes no difference under ``perm``.
    maximum : 1 or "self"
        The value of the index at which the adjusted index is 1: either 1, or the mean of the
        indices of each clustering with itself. The two differ for the indices ``"brouwer"`` and
        ``"consistency"``, for which the index of a fuzzy clustering with itself is below 1.
    normalize : bool
        Whether to divide each row of memberships by its sum.
    possibilistic : bool
        Whether to accept rows that do not sum to 1 (models ``perm`` and ``empirical`` only).
    noise : label, optional
        The label of noise points in hard clusterings, such as the -1 of DBSCAN and HDBSCAN.
    noise_as : "cluster", "singletons" or "drop"
        Treatment of noise points: as one cluster, or as clusters of one point each. With "drop",
        points that are noise in either clustering are left out.
    missing : None, "noise" or "drop"
        With "noise", the amount by which a row falls short of a sum of 1 is the probability that
        the point is noise, as in the soft memberships of HDBSCAN, and points without a label are
        noise. With "drop", points whose row is all NaN, or that have no label, are left out. By
        default all of these are refused.
    points : "same" or "common"
        Whether all clusterings must have the same points. With "common", points are matched by
        their ids (the index of pandas objects, the keys of dicts), and those that one clustering
        lacks are left out of the others; ``left_out`` of the result counts them.
    weights : sequence, array or series, optional
        How much each point counts, such as the number of members of a population that it stands
        for, or :func:`balanced_weights`. A pandas Series is matched by its index. Only ratios of
        weights matter; points of weight 0 are left out. The pair of points s and t counts with
        wₛ wₜ, in the observed and in the expected index.
    tol : float
        Largest Monte Carlo error of ``adjusted``. If sampling is needed, it continues until the
        error is at most this.
    random_state : int, numpy.random.Generator or None
        Seed. Since the default is fixed, the same call gives the same result, on any number of
        threads.
    effort : Effort, optional
        Work that may be done: pairs to visit, draws to make, threads to use.

    Returns
    -------
    Comparison or ComparisonTable
        A table if ``model`` is a list or ``"every"``.

    Raises
    ------
    InputError
        If a clustering cannot be read, or if the clusterings have different numbers of points.
    NotApplicableError
        If the index or the model is not defined for these clusterings.
    ParameterError
        If an argument has a value that is not allowed.
    UnknownNameError
        If an index, a model or an option value does not exist.

    See Also
    --------
    similarity, expected_similarity, adjusted_similarity : Single numbers.
    pairwise : Many clusterings.
    check_model : How well a model describes a clustering.

    Notes
    -----
    The adjusted index is (observed − expected) / (maximum − expected), where the expected index is
    its mean when random clusterings replace the given ones. It is 1 for a perfect match and 0 for
    chance. It is exact wherever moments, sorting or quadrature suffice, in particular for the
    default index and model, unless both clusterings are fuzzy and have too many pairs of points to
    visit. Otherwise it has a Monte Carlo error, which the result reports.

    References
    ----------
    .. [1] DeWolfe, R., J. L. Andrews, Random models for fuzzy clustering similarity measures,
           arXiv:2312.10270.

    Examples
    --------
    >>> print(compare([0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1]))
    Two clusterings of 6 points: hard, 2 clusters; hard, 2 clusters
      observed NDC          0.6667   contingency table
      expected by chance    0.5067   perm; closed form
      adjusted NDC          0.3243   exact; this is the adjusted Rand index
    They close 32% of the gap between chance (0.507) and a perfect match (1). Chance: the same
    memberships, shuffled over the points.
    Other meanings of chance: model='every'.
    >>> table = compare([0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1], model=["perm", "cat"])
    >>> [f"{c.model} {c.adjusted:.4f}" for c in table]
    ['perm 0.3243', 'cat 0.3333']
    """
    precision = as_precision(effort, tol, random_state)
    inputs = InputOptions(
        normalize, possibilistic, noise, noise_as, missing, points, weights, precision.budget
    )
    first, second = read_pair(a, b, inputs)
    chosen, held, top = as_index(index), as_fixed(fixed), as_maximum(maximum)
    side1, side2 = prepare_sides((first, second), chosen, precision)
    every = EveryModel() if isinstance(model, str) and model.lower() == "every" else model
    if isinstance(every, EveryModel):
        replaced = [p for name, p in (("first", first), ("second", second)) if name != held]
        models = with_options(applicable_models(replaced, chosen), every.options)
        analyses, refusals = analyse_models((side1, side2), models, held, top, skip=True)
        compared = (Comparison.of(analysis, with_misfit=True) for analysis in analyses)
        return ComparisonTable(list(progress(compared, len(analyses), "models")), refusals)
    if isinstance(model, Sequence | np.ndarray) and not isinstance(model, str):
        analyses, _ = analyse_models((side1, side2), as_models(list(model)), held, top)
        return ComparisonTable([Comparison.of(analysis) for analysis in analyses])
    return Comparison.of(Analysis((side1, side2), as_model(model), held, top))
