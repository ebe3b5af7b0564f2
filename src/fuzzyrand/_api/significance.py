"""Test of an adjusted index against chance."""

from __future__ import annotations

from typing import Any

from .._analysis import Analysis
from .._base.effort import DEFAULT_TOL, Effort, as_precision
from .._base.errors import unknown_name
from .._base.progress import bars
from .._clusterings.options import InputOptions
from .._clusterings.points.same_points import read_pair_in_memory
from .._methods.inference.sequential import ALTERNATIVES
from .._methods.inference.significance import significance_of
from ..indices import Index, as_index
from ..models import as_model
from ..results import Significance
from .arguments import ModelLike, as_draws, as_fixed, as_progress


def significance(
    a: Any,
    b: Any,
    *,
    index: str | Index = "ndc",
    model: ModelLike = "perm",
    fixed: str | None = None,
    alternative: str = "greater",
    draws: int | str = "auto",
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
    progress: bool = True,
) -> Significance:
    """Test whether two clusterings are more alike than chance would make them.

    Parameters
    ----------
    a, b : label vector or (points, clusters) memberships
        Two clusterings of the same points, in any form that :func:`as_partition` takes.
    index : str or Index
        As in :func:`compare`.
    model : str or Model
        The random model, which defines what chance means. ``"perm"``, the default, shuffles the
        points: it tests whether the two clusterings have anything to do with each other. Other
        models draw clusterings, so the test refers to a population of clusterings like the given
        ones.
    fixed : None, "first" or "second"
        As in :func:`compare`. It makes no difference under ``perm``.
    alternative : "greater", "less" or "two-sided"
        What counts as extreme: an adjusted index at least as large as the observed one, at most as
        large, or either.
    draws : int or "auto"
        Largest number of draws from the null distribution. "auto" allows 9,999 shuffles, or 999 if
        a shuffle is slow. If clusterings are drawn from a model, it allows 999 draws for two hard
        clusterings and 199 otherwise (99 for ``mixture``). Drawing stops early when
        the p-value is clearly large.
    normalize, possibilistic, noise, noise_as, missing, points, weights
        As in :func:`compare`.
    tol, random_state, effort
        As in :func:`compare`.
    progress : bool
        Whether to show a progress bar if the work takes more than about two seconds and standard
        error is a terminal, or in a notebook.

    Returns
    -------
    Significance
        Result with ``pvalue``, ``null_mean``, ``null_sd`` and ``z``.

    Raises
    ------
    InputError
        If a clustering cannot be read, or if the clusterings have different numbers of points.
    NotApplicableError
        If the index or the model is not defined for these clusterings.
    ParameterError, UnknownNameError
        If an argument has a value that is not allowed.

    See Also
    --------
    confidence_interval : How far the adjusted index could be off with other points.
    compare : The adjusted index itself.

    Notes
    -----
    The p-value is (1 + c)/(1 + B), where c of the B draws are at least as extreme as the observed
    value; it is valid for any number of draws. Drawing stops after 50 such draws, and the p-value
    is then 50 divided by the number of draws. A two-sided p-value is twice the smaller of the two
    one-sided ones. For up to 8 points all permutations are enumerated.

    Under ``perm``, the mean and the standard deviation of the adjusted index are computed, not
    sampled, for every index that is a mean over pairs. The mean is 0. The distribution is not
    normal, so ``z`` must not be looked up in a normal table: for two balanced halves of 200 points,
    z > 3 has a probability of 1.6%, not 0.13%. If no draw is as extreme as the observed value,
    ``pvalue_approx`` is the tail of a Pearson type III distribution with the same mean and
    variance, and the skewness of the draws.

    Under other models, clusterings are drawn from the model and the model is refitted to each of
    them. The bias of a fit to few points then affects the null distribution as well, so noise with
    an adjusted index of 0.4 gets a p-value like any other noise. Two hard clusterings under a model
    that knows only their cluster sizes, such as ``cat``, are tested by shuffles instead, which is
    exact. So are ``empirical`` and ``kernel``, which know the rows themselves: clusterings drawn
    from them repeat rows, and are no sample of what two unrelated clusterings would be.

    If there are very many points (more than 20,000 if both clusterings are fuzzy, fewer with more
    than 50 clusters), a random part of them is tested. This is valid but has less power, and a note
    says so. A thousand shuffles of 20,000 points take a minute or two on two cores; beyond 1,448
    points, the agreements that are shuffled are rounded to single precision, and draws that differ
    from the observed value by no more than this may cause count as equal to it.

    References
    ----------
    .. [1] Besag, J., P. Clifford, Sequential Monte Carlo p-values, Biometrika 78 (1991).
    .. [2] Mantel, N., The detection of disease clustering and a generalized regression approach,
           Cancer Research 27 (1967).

    Examples
    --------
    >>> truth = [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2]
    >>> found = [0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 0]
    >>> print(significance(truth, found))
    Adjusted NDC under perm: 0.512, significantly more than expected by chance (9,999 shuffles: p
    = 0.0046; z = 3.9). Chance: the same memberships, shuffled over the points.
    Method: random tables; exact mean and standard deviation.
    """
    if alternative not in ALTERNATIVES:
        raise unknown_name("alternative", alternative, ALTERNATIVES, parameter="alternative")
    most, shown = as_draws(draws), as_progress(progress)
    precision = as_precision(effort, tol, random_state)
    inputs = InputOptions(
        normalize, possibilistic, noise, noise_as, missing, points, weights, precision.budget
    )
    first, second = read_pair_in_memory(a, b, inputs)
    analysis = Analysis.of(
        (first, second), as_index(index), as_model(model), precision, as_fixed(fixed)
    )
    with bars(shown):
        return significance_of(analysis, alternative, most)
