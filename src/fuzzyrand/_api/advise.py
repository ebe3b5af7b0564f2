"""Advice on two clusterings: which random model and index to report."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from .._base.effort import Effort, as_precision
from .._base.errors import unknown_name
from .._base.wording import Option
from .._clusterings.options import InputOptions
from .._clusterings.points.same_points import read_pair_in_memory
from .._methods.advice.advise import advice_on
from ..indices import Index, as_index
from ..models._laws.side import prepare_sides
from ..models.advice import KEEPS
from ..results import Advice
from .arguments import as_fixed

#: Largest Monte Carlo error, and most work for visiting all pairs; advice then takes seconds.
TOL, WORK = 1e-3, 1e10
#: Largest numbers of agreements drawn, and of memberships drawn for them.
MAX_DRAWS, DRAWN_ENTRIES = 1 << 19, 1e7


def advise(
    a: Any,
    b: Any,
    *,
    index: str | Index | None = None,
    keep: str | None = None,
    fixed: str | None = None,
    normalize: bool = False,
    possibilistic: bool = False,
    noise: Any = None,
    noise_as: str = "cluster",
    missing: str | None = None,
    points: str = "same",
    random_state: Any = 0,
    effort: Effort | None = None,
) -> Advice:
    """Advise which model and index to report for two clusterings, and why.

    Parameters
    ----------
    a, b : label vector or (points, clusters) memberships
        Two clusterings of the same points, as in :func:`compare`.
    index : str or Index, optional
        As in :func:`compare`. The default is ``"rand"`` for two hard clusterings, else ``"ndc"``.
    keep : None, "memberships", "sizes", "number" or "nothing"
        What random clusterings should keep of the given ones, a question that data cannot answer.
        "memberships" (default): all memberships, also to compare with published values. "sizes":
        the sizes and the fuzziness of the clusters; the points are a sample, and other points would
        have other memberships. "number": the number of clusters; agreement about their sizes should
        count. "nothing": no clustering was more likely than another.
    fixed : None, "first" or "second"
        As in :func:`compare`: the clustering that is a known truth.
    normalize, possibilistic, noise, noise_as, missing, points
        As in :func:`compare`.
    random_state, effort
        As in :func:`compare`.

    Returns
    -------
    Advice
        Result with ``report``, ``reasons``, ``cautions``, ``alternatives``, ``models`` and
        ``call``.

    Raises
    ------
    InputError
        If a clustering cannot be read, or if the clusterings have different numbers of points.
    NotApplicableError
        If the index is not defined for these clusterings.
    ParameterError
        If an argument has a value that is not allowed.

    See Also
    --------
    compare : The value itself, under any model.
    check_model : Whether a model describes a clustering, with a p-value.
    significance, confidence_interval : How certain the value is.
    explain : Where the clusterings disagree.

    Notes
    -----
    ``keep`` decides between families of models. Within the family that keeps sizes, the data
    decide. The model advised is the first of ``fit``, ``mixed`` (if some rows are hard),
    ``generalised`` and ``mixture`` that describes the fuzzy clusterings closely enough. If none
    does, it is ``empirical``, or ``perm`` if there are so few points that the two differ. A model
    describes the clusterings closely enough if :func:`compare` has no note on its misfit: the
    misfit is typical of clusterings drawn from the model, or would change the adjusted index by
    less than 0.02. If a fit to few points makes the value too high by 0.01 or more, the correction
    of the bias is advised, and ``perm`` if the bias exceeds 0.2.

    Advice takes seconds, even for many points: sampled values have a Monte Carlo error of about
    0.001, and ``generalised``, ``mixture`` and ``kernel`` are not tried for more than 100,000
    memberships or 50 clusters. :func:`compare` computes the value more accurately.

    Examples
    --------
    >>> import fuzzyrand as fr
    >>> truth = list("aaaaaaabbbbbbcccccc")
    >>> found = list("xxxxxxxyyyyyyyyzzzz")
    >>> advice = fr.advise(truth, found)
    >>> print(advice.report.model, round(advice.report.adjusted, 3))
    perm 0.727
    >>> print(advice.reasons[0])
    for hard clusterings, perm gives the usual adjusted Rand index. It keeps the cluster sizes.
    >>> for other in advice.alternatives:
    ...     print(other.option.value, other.comparison.model, round(other.comparison.adjusted, 3))
    number num 0.737
    nothing all 0.434
    """
    if keep is not None and not (isinstance(keep, str) and keep in KEEPS):
        raise unknown_name("value of keep", keep, KEEPS, parameter="keep")
    work = Effort(exact_work=WORK) if effort is None else effort
    precision = as_precision(work, TOL, random_state)
    inputs = InputOptions(
        normalize, possibilistic, noise, noise_as, missing, points, budget=precision.budget
    )
    first, second = read_pair_in_memory(a, b, inputs)
    both_hard = first.is_hard and second.is_hard
    chosen = as_index(("rand" if both_hard else "ndc") if index is None else index)
    if effort is None:
        draws = int(min(MAX_DRAWS, DRAWN_ENTRIES / max(first.k, second.k)) + 1)
        precision = replace(precision, max_draws=draws)
    side1, side2 = prepare_sides((first, second), chosen, precision)
    return advice_on((side1, side2), as_fixed(fixed), keep, _given(inputs))


def _given(inputs: InputOptions) -> tuple[Option, ...]:
    """Return the options of reading that are not the default."""
    default = InputOptions()
    names = ("normalize", "possibilistic", "noise", "noise_as", "missing", "points")
    return tuple(
        Option(name, getattr(inputs, name))
        for name in names
        # Compared as text, because comparing a label that is an array gives no single truth value.
        if repr(getattr(inputs, name)) != repr(getattr(default, name))
    )
