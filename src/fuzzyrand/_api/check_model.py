"""Check of a random model: its co-memberships beside those of a clustering."""

from __future__ import annotations

from typing import Any

from .._analysis.typical import typical_distances
from .._base.effort import Effort, as_precision
from .._base.errors import NotApplicableError
from .._base.progress import bars
from .._base.wording import Option
from .._clusterings.noise_notes import noise_notes
from .._clusterings.options import InputOptions
from ..indices import Index, PairIndex, as_index
from ..models import Model, as_model
from ..models._laws.distance import atoms_of, distance
from ..models._laws.side import prepare_sides
from ..results import ModelCheck
from ..results.model_check import LEVELS
from .arguments import as_progress
from .reading import read_all


def check_model(
    clustering: Any,
    model: str | Model = "fit",
    *,
    index: str | Index = "ndc",
    normalize: bool = False,
    possibilistic: bool = False,
    noise: Any = None,
    noise_as: str = "cluster",
    missing: str | None = None,
    random_state: Any = 0,
    effort: Effort | None = None,
    progress: bool = True,
) -> ModelCheck:
    """Check whether a random model describes a clustering.

    The check shows how closely random clusterings from the model resemble the given one. A model
    need not resemble the clustering to be the right one: ``flat`` is right where no clustering was
    more likely than another. But a model that is meant to describe the clustering, such as ``fit``,
    should. (``perm`` keeps the rows, so there is nothing to check.) About 5% of the clusterings
    drawn from a model are found not to suit it (3% to 7% for ``mixture``).

    Parameters
    ----------
    clustering : label vector or (points, clusters) memberships
        The clustering, in any form that :func:`as_partition` takes.
    model : str or Model
        The random model, as in :func:`compare`, but ``"fit"`` if none is named.
    index : str or Index
        The index whose co-membership is used. It must be a mean over pairs of points.
    normalize, possibilistic, noise, noise_as, missing
        As in :func:`compare`.
    random_state, effort
        As in :func:`compare`.
    progress : bool
        Whether to show a progress bar if the work takes more than about two seconds and standard
        error is a terminal, or in a notebook.

    Returns
    -------
    ModelCheck
        Result with the misfit (``distance``), its ``pvalue`` and the verdict ``suits``.

    Raises
    ------
    InputError
        If the clustering cannot be read.
    NotApplicableError
        If the index is not a mean over pairs, or if the model does not apply to the clustering.
    ParameterError, UnknownNameError
        If an argument has a value that is not allowed.

    See Also
    --------
    compare : With ``model="every"``, the misfit of every model.

    Notes
    -----
    The p-value comes from a parametric bootstrap. From the model, 99 clusterings of the same number
    of points are drawn (39 for ``mixture`` and ``kernel``), and the model is fitted to each of them
    as it was to the given clustering. The misfit of the given clustering is then ranked among
    those of the drawn ones. A fit lies closer to its data than the true model does, so a misfit
    without refitting would be too large for this comparison.

    For a hard clustering and a model that draws hard clusterings, the misfit is the difference of
    two probabilities, and is exact. For a fuzzy clustering of very many points (more than about
    1,400, 500 for ``mixture`` and 300 for ``kernel``, fewer with many clusters), the model is
    fitted to a random part of the points, and this part is compared with drawn clusterings of the
    same size.

    If the number of components of a mixture is not given, the check uses one more component than
    was chosen: clusterings are drawn from that mixture, and it is fitted to the given clustering
    and to each drawn one (see ``drawn_from``). The choice leaves out components that too few points
    distinguish, and with the chosen number this would pass for a misfit in up to half of the cases.
    In simulations of two and three components, overlapping or well separated, with 3 to 6 clusters
    and 20 to 2,000 points, 3% to 7% of clusterings did not suit the mixture that they were drawn
    from, give or take 2 percentage points. The share may be larger where more than one component is
    left out. ``Mixture(components=m)`` is checked with m components.

    ``cat`` and ``empirical`` take everything that co-memberships depend on from the clustering: the
    sizes of its hard clusters, or its rows. No clustering can be evidence against them, and the
    p-value is 1. The same holds for the models that equal ``cat`` for a hard clustering. ``perm``
    draws the clustering itself and has no p-value.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> half_hard = np.vstack([np.eye(3)[rng.integers(3, size=200)], rng.dirichlet([9, 9, 9], 200)])
    >>> print(check_model(half_hard, "fit"))
    The model fit for a clustering of 400 points: fuzzy, 3 clusters
      Dirichlet, concentrations (0.02452, 0.02659, 0.02927), precision 0.08039
      co-membership of pairs      mean      5%     25%     50%     75%     95%
      observed                  0.4634  0.0000  0.2516  0.3702  0.8236  1.0000
      model                     0.3377  0.0000  0.0000  0.0058  0.9466  1.0000
    The model does not describe this clustering: the misfit is 0.167 (clusterings drawn from it
    and refitted: median 0.006; 95% below 0.013; p = 0.01). The mean co-membership of two points
    is 0.463 here and 0.338 under the model.
    >>> check_model(half_hard, "mixed").suits
    True
    """
    precision, shown = as_precision(effort, random_state=random_state), as_progress(progress)
    options = InputOptions(
        normalize, possibilistic, noise, noise_as, missing, budget=precision.budget
    )
    (partition,) = read_all({"clustering": clustering}, options)
    resolved = as_index(index)
    chosen = as_model(model)
    if not isinstance(resolved, PairIndex):
        raise NotApplicableError(
            "the index {index!r} is not a mean over pairs of points, so there are no "
            "co-memberships to check. Use {ndc}.",
            index=resolved.name,
            ndc=Option("index", "ndc"),
        )
    (side,) = prepare_sides([partition], resolved, precision)
    with bars(shown):
        law = side.law(chosen)
        observed, modelled = (atoms_of(each, precision) for each in (side.pairs_law, law))
        typical = typical_distances(side, chosen, law, (observed, modelled))
        apart = distance(observed, modelled)
        exact_mean = side.pairs_law.mean if side.pairs_law.knows(1) else None
    return ModelCheck(
        model=str(chosen),
        index=resolved.name,
        clustering=partition.summary,
        n=partition.n,
        mean=observed.mean if exact_mean is None else exact_mean.value,
        model_mean=modelled.mean if law.mean is None else law.mean.value,
        levels=LEVELS,
        quantiles=observed.quantiles(LEVELS),
        model_quantiles=modelled.quantiles(LEVELS),
        distance=apart,
        typical=None if typical is None else (typical.middle, typical.high),
        pvalue=None if typical is None else typical.pvalue,
        points=partition.n if typical is None else typical.points,
        points_distance=apart if typical is None else typical.distance,
        draws=0 if typical is None else typical.draws,
        drawn_from="" if typical is None else typical.drawn_from,
        law={**law.to_dict(), "text": law.describe()},
        atoms=(observed, modelled),
        note_sentences=tuple(noise_notes([("given", partition)])),
    )
