"""Agreement of clusterings of subsamples, for each value of a parameter."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from numbers import Integral, Real
from os import PathLike
from typing import Any

import numpy as np

from .._base.effort import DEFAULT_TOL, Effort, as_precision
from .._base.errors import InputError, ParameterError
from .._base.parameters import Value, is_count
from .._base.progress import bars
from .._base.types import IntArray
from .._base.wording import Option
from .._clusterings.options import InputOptions
from .._clusterings.partition import Partition, read_partition
from .._clusterings.points.point_ids import ids_of
from .._clusterings.points.same_points import in_order_of
from .._methods.stability.choice import FEWEST_SETS
from .._methods.stability.clusterer import as_clusterer
from .._methods.stability.data import count_rows
from .._methods.stability.reference_data import as_reference
from .._methods.stability.run import stability_of
from .._methods.stability.subsamples import Sampling
from .._methods.stability.tasks import Design
from .._methods.stability.values import as_values
from ..indices import Index, as_index
from ..models import as_model
from ..results import Stability
from .arguments import ModelLike, as_progress


def stability(
    cluster: Any,
    X: Any,
    values: Iterable[Value] = range(2, 11),
    *,
    parameter: str = "n_clusters",
    repeats: int = 20,
    share: float = 0.8,
    index: str | Index = "ndc",
    model: ModelLike = "perm",
    groups: Any = None,
    reference: Any = "auto",
    random_state: Any = 0,
    n_jobs: int | None = None,
    checkpoint: str | PathLike[str] | None = None,
    normalize: bool = False,
    noise: Any = None,
    noise_as: str = "cluster",
    missing: str | None = None,
    tol: float = DEFAULT_TOL,
    effort: Effort | None = None,
    progress: bool = True,
) -> Stability:
    """Cluster subsamples with several values of a parameter, and measure how much they agree.

    Each repeat draws two subsamples of the rows, clusters both, and compares the clusterings on the
    rows that both contain. If a number of clusters (a resolution, a radius, ...) reflects the data,
    its clusters survive the change of rows. All rows are clustered as well, and each of their
    clusters is sought in the subsamples: one that is found again is firm.

    Parameters
    ----------
    cluster : estimator or callable
        An estimator like those of scikit-learn, such as ``DBSCAN(min_samples=5)``, whose parameter
        is set. Or a function of the value that returns an estimator, such as ``lambda k:
        GaussianMixture(k)``, or a class. ``predict_proba`` of an estimator gives memberships;
        without it, ``fit_predict`` or ``labels_`` gives labels. If its ``random_state`` is None, it
        is set, to make results reproducible. Or a function of the value and the data that returns
        labels or memberships of the rows; if it has a parameter ``random_state``, it is given a
        seed. A function with a parameter called ``parameter`` gets the value by this name, and
        otherwise as its first argument.
    X : array, sparse matrix, data frame or list
        The data, with points in rows. For data that are not made of rows, such as a matrix of
        distances, pass ``numpy.arange(n)``: the function is then given row numbers, by which it can
        look up the data.
    values : iterable of int, float or str
        The values of the parameter; by default, 2 to 10 clusters.
    parameter : str
        Name of the parameter, such as ``"eps"``, ``"resolution"`` or ``"n_components"``, or
        ``"kmeans__n_clusters"`` in a pipeline. "n_clusters", "n_components" and "k" are numbers of
        clusters, which are integers of at least 2.
    repeats : int
        Number of pairs of subsamples, for each value: at least 5, or 2 without reference data. The
        same rows are drawn for each value.
    share : float
        Share of the rows (or groups) in each subsample, above 0.5 and below 1. With 0.8, two
        subsamples have about 64% of the rows in common.
    index, model
        As in :func:`compare`.
    groups : label vector, optional
        Groups of rows that belong together, such as the samples of one patient or the documents of
        one author. Groups are then drawn instead of rows.
    reference : "auto", "uniform", "normal", callable or None
        Data without clusters for comparison: rows spread evenly over the smallest box around the
        data along their principal axes ("uniform"), or rows of one normal distribution with the
        covariances of the data ("normal"). "auto" is "uniform" where ``X`` is a matrix of numbers,
        and None otherwise. A function of ``X`` and a NumPy generator can draw others. Without
        reference data (None), the run takes a third of the time, and ``best`` is None.
    random_state : int, Generator or None
        Seed of all random numbers.
    n_jobs : int, optional
        Number of processes, run by joblib (``pip install "fuzzyrand[parallel]"``); -1 for all
        cores. By default there is one, which compares on several threads.
    checkpoint : path, optional
        File in which finished repeats are kept. If the program is stopped, the same call continues
        from there, even with more repeats or other ``values``. A file made with other data or
        settings is refused, and so is a damaged one; the message names the line.
    normalize, noise, noise_as, missing
        As in :func:`compare`, for the clusterings.
    tol, effort
        As in :func:`compare`.
    progress : bool
        Whether to show a progress bar if the work takes more than about two seconds and standard
        error is a terminal, or in a notebook.

    Returns
    -------
    Stability
        Result with ``best``, ``scores``, ``firmness``, ``to_frame()`` and ``plot()``.

    Raises
    ------
    ParameterError
        If an argument is not allowed, or if the clustering of a subsample fails.
    MissingExtraError
        If ``n_jobs`` is given and joblib is not installed.

    See Also
    --------
    pairwise : Compare clusterings that exist already, such as several runs on all points.
    confidence_interval : How far an adjusted index could be off, for two given clusterings.

    Notes
    -----
    *Subsamples, not bootstraps.* A bootstrap sample contains some points several times. Copies of a
    point are always in the same cluster, which looks like structure.

    *The model.* Under ``perm``, unrelated clusterings have an adjusted index of 0 on average,
    whatever the number of points and the number and sizes of clusters. The values of different k
    are therefore comparable. A fit to few points makes unrelated clusterings look alike, more so
    with more clusters, so ``fit`` favours large k.

    *The rule for* ``best``. The same is done with ``repeats`` reference data sets, with two pairs
    of subsamples of each. Let u be the instability of a data set, 1 − its mean adjusted index. For
    each k, u is assumed to be log-normal over the reference data sets, and the u of the data is
    compared with this distribution by Student's t. (Reference data sets have fewer repeats, so
    their u varies more, and p-values tend to be too large.) Each k tests the same hypothesis, that
    the data have no clusters, and the harmonic mean of the p-values combines these tests. If it is
    above 0.05, ``best`` is None. Otherwise the candidates are the k with the largest ``excess``
    (the share of the way from data without clusters to perfect stability) among those with a mean
    of at least 0.5, and all such k whose excess is less by at most one standard error of the
    difference (or 0.01). ``best`` is the candidate with the highest mean, or the largest of those
    within 0.01 of it. Repeats and reference data sets are the same for all k, so the standard error
    is that of paired differences. With another parameter, k stands for its values, and the largest
    is the one that gives the most clusters from all rows (the middle one, if several do).

    *Firmness.* The firmness of a cluster of all rows, with memberships u, is the mean over all
    subsamples of max Σ min(u, v) / Σ max(u, v), where the sums are over the rows of the subsample
    and the maximum is over its clusters v: the Jaccard similarity of Hennig [5]_, for fuzzy
    clusters as well. From 0.85 a cluster can be believed, and below 0.6 it should not be. A cluster
    of most of the rows is found again by chance, so the same is computed with the rows of each
    subsample in random order; "firm" also means to be at least halfway from there to 1. The
    firmness of a point is the mean of its scores (as in :func:`explain`) over the repeats in which
    both subsamples hold it; it needs an index that is a mean over points or pairs. Noise is in no
    cluster, whatever ``noise_as`` is. Values are rounded to four decimals before they are
    averaged.

    *What the values do not say.* Stability is necessary, not sufficient. With more data, every k
    whose optimum is unique becomes more stable, even a wrong one (von Luxburg). Small k tend to be
    more stable. Data whose outline favours a split, such as a skewed or triangular cloud, can be
    more stable than a box although there is only one cloud.

    *Errors.* Given the data, repeats are independent, and ``stderrs`` say how far more repeats
    could move the means. They say nothing about other data, because all repeats draw from the same
    rows. ``spreads`` show how much single repeats differ.

    References
    ----------
    .. [1] Ben-Hur, A., A. Elisseeff, I. Guyon, A stability based method for discovering structure
           in clustered data, Pacific Symposium on Biocomputing 7 (2002).
    .. [2] von Luxburg, U., Clustering stability: an overview, Foundations and Trends in Machine
           Learning 2 (2010).
    .. [3] Tibshirani, R., G. Walther, T. Hastie, Estimating the number of clusters in a data set
           via the gap statistic, Journal of the Royal Statistical Society B 63 (2001).
    .. [4] Wilson, D. J., The harmonic mean p-value for combining dependent tests, PNAS 116 (2019).
    .. [5] Hennig, C., Cluster-wise assessment of cluster stability, Computational Statistics & Data
           Analysis 52 (2007).

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.cluster import KMeans
    >>> rng = np.random.default_rng(0)
    >>> centres = np.array([[0, 0], [8, 0], [4, 7]])
    >>> X = centres[rng.integers(3, size=90)] + rng.normal(size=(90, 2))
    >>> result = stability(KMeans(n_init=1), X, [2, 3, 4], repeats=10)
    >>> result.best
    3
    >>> result.verdicts[3]
    ['firm', 'firm', 'firm']

    Any other parameter is named:

    >>> from sklearn.cluster import DBSCAN
    >>> result = stability(DBSCAN(), X, [1, 2, 4], parameter="eps", repeats=10, noise=-1)
    >>> result.best, result.numbers
    (2, {1: 3, 2: 3, 4: 2})
    """
    name, shown = _as_parameter(parameter), as_progress(progress)
    chosen_values = as_values(values, name)
    method = as_clusterer(cluster, name)
    _require_repeats(repeats)
    _require_jobs(n_jobs)
    n = count_rows(X)
    sampling = Sampling(n, _as_share(share), _as_groups(groups, n, X))
    _require_rows(sampling, max(map(int, chosen_values)) if is_count(name) else 1)
    if checkpoint is not None and random_state is None:
        raise ParameterError(
            "{parameter} needs a fixed random_state, such as 0, so that the run can be resumed; "
            "got "
            "None.",
            parameter=Option("checkpoint"),
        )
    precision = as_precision(effort, tol, random_state)
    if n_jobs not in (None, 1) and precision.n_threads is None:
        precision = replace(precision, n_threads=1)
    chosen = as_model(model)
    law, remarks = as_reference(reference, X)
    if law is not None and repeats < FEWEST_SETS:
        raise ParameterError(
            "{parameter} must be at least {fewest} for a comparison with reference data; got "
            "{value}. {none} allows fewer repeats, but then there is no best value.",
            parameter=Option("repeats"),
            fewest=FEWEST_SETS,
            value=repeats,
            none=Option("reference", None),
        )
    design = Design(
        data=X,
        clusterer=method,
        sampling=sampling,
        reference=law,
        index=as_index(index),
        effort=precision,
        model=chosen,
        options=InputOptions(normalize, False, noise, noise_as, missing, budget=precision.budget),
    )
    with bars(shown):
        return stability_of(design, chosen_values, repeats, n_jobs, checkpoint, remarks)


def _as_parameter(parameter: Any) -> str:
    if isinstance(parameter, str) and parameter:
        return parameter
    raise ParameterError(
        "{parameter} must be the name of a parameter, such as 'n_clusters' or 'eps'; got "
        "{value!r}.",
        parameter=Option("parameter"),
        value=parameter,
    )


def _as_share(share: Any) -> float:
    if isinstance(share, Real) and 0.5 < float(share) < 1.0:
        return float(share)
    raise ParameterError(
        "{parameter} must lie above 0.5, so that two subsamples have rows in common, and below 1; "
        "got {value!r}.",
        parameter=Option("share"),
        value=share,
    )


def _require_repeats(repeats: Any) -> None:
    if not (_is_whole(repeats) and repeats >= 2):
        raise ParameterError(
            "{parameter} must be an integer of at least 2, got {value!r}; 20 is the default.",
            parameter=Option("repeats"),
            value=repeats,
        )


def _require_jobs(n_jobs: Any) -> None:
    if n_jobs is not None and not (_is_whole(n_jobs) and n_jobs != 0):
        raise ParameterError(
            "{parameter} must be a number of processes, -1 for all cores, or None; got {value!r}.",
            parameter=Option("n_jobs"),
            value=n_jobs,
        )


def _as_groups(groups: Any, n: int, data: Any) -> IntArray | None:
    """Return the number of the group of each row, from 0; by index if both come from pandas."""
    if groups is None:
        return None
    labels = read_partition(groups, InputOptions(), "groups")
    if labels.is_hard and labels.n == n and ids_of(data) is not None:
        rows = replace(Partition.from_labels(np.arange(n)), ids=ids_of(data))
        labels = in_order_of(rows, labels, "X", "groups")
    if not labels.is_hard or labels.n != n:
        got = f"{labels.n:,}" if labels.is_hard else "memberships"
        raise InputError(
            "{parameter} must hold one label for each of the {n:,} rows; got {got}.",
            parameter=Option("groups"),
            n=n,
            got=got,
        )
    return np.asarray(labels.rows.codes, dtype=np.intp)


def _require_rows(sampling: Sampling, most: int) -> None:
    """Refuse data with too few rows or groups."""
    units = "rows" if sampling.groups is None else "groups"
    if not sampling.units > sampling.drawn > sampling.units / 2:
        raise ParameterError(
            "there are only {count} {units}, too few to draw {share:.0%} of them in several ways. "
            "Give more data, or another {parameter}.",
            units=units,
            count=sampling.units,
            share=sampling.share,
            parameter=Option("share"),
        )
    rows = round(sampling.share * sampling.n)
    if rows <= most:
        raise ParameterError(
            "a subsample has about {rows} rows, too few for {value} cluster{s}. Use smaller "
            "{parameter}, or give more rows.",
            rows=rows,
            value=most,
            s="s" * (most != 1),
            parameter=Option("values"),
        )


def _is_whole(value: Any) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)
