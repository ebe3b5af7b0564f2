"""Whether a random model suits a clustering: its agreement law beside the one observed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from .._base.effort import DEFAULT_MAX_DRAWS, DEFAULT_TOL, Effort, as_effort
from .._base.errors import NotApplicableError
from .._base.streams import Stream
from .._base.wording import Option
from .._distributions.atoms import Atoms
from .._distributions.rows import Categorical, RowDistribution
from .._engine import Question
from .._inputs.partition import as_partition
from .._laws.distance import atoms_of, distance
from .._laws.observed import law_of_pairs
from ..indices import Index, PairIndex, as_index
from ..models import Model, as_model
from ..models.registry import with_options
from ..results import ModelCheck
from ..results.model_check import LEVELS, CheckSetting

#: Clusterings drawn from the model, and most points of each: what is typical of more follows from
#: the square root of their number.
REPEATS, REPEATED_POINTS = 200, 150
#: The fewest of both, where there are so many clusters that a clustering has more entries than so.
FEWEST_REPEATS, FEWEST_POINTS, ENTRIES = 40, 20, 200_000


def check_model(
    clustering: Any,
    model: str | Model = "fit",
    *,
    index: str | Index = "ndc",
    normalize: bool = False,
    possibilistic: bool = False,
    random_state: Any = 0,
    n_threads: int | None = None,
    model_options: Mapping[str, Any] | None = None,
) -> ModelCheck:
    """Compare the agreements of pairs under a random model with those of a clustering.

    A model stands in for a clustering; this shows how like it its random clusterings are. A model
    need not be like the clustering to be the right one: ``flat`` is right where nothing is known
    but the number of clusters. But a model that is meant to describe it, as ``fit``, should.

    Parameters
    ----------
    clustering : label vector or (points, clusters) memberships
        In any form :func:`as_partition` takes.
    model : str or Model
        The model.
    index : str or Index
        Whose agreement is looked at.
    normalize, possibilistic, random_state, n_threads, model_options
        As in :func:`compare`.

    Returns
    -------
    ModelCheck

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> half_hard = np.vstack([np.eye(3)[rng.integers(3, size=200)], rng.dirichlet([9, 9, 9], 200)])
    >>> print(check_model(half_hard, "fit"))
    fit for a clustering of 400 points: fuzzy, 3 clusters
      Dirichlet, concentrations (0.02452, 0.02659, 0.02927), precision 0.08039
      agreement of pairs      mean      5%     25%     50%     75%     95%
      observed              0.4634  0.0000  0.2516  0.3702  0.8236  1.0000
      model                 0.3377  0.0000  0.0000  0.0058  0.9466  1.0000
    The model lies 0.167 from this clustering (clusterings drawn from it: mostly about 0.009,
    seldom above 0.018): pairs agree more than it says (0.463 against 0.338).
    >>> check_model(half_hard, "mixed").suits
    True
    """
    partition = as_partition(clustering, normalize=normalize, possibilistic=possibilistic)
    effort = as_effort(DEFAULT_TOL, random_state, "auto", DEFAULT_MAX_DRAWS, n_threads)
    resolved = as_index(index)
    (chosen,) = with_options([as_model(model)], model_options)
    if not isinstance(resolved, PairIndex):
        raise NotApplicableError(
            "the index {index!r} has no agreement of pairs to look at; use {ndc}.",
            index=resolved.name,
            ndc=Option("index", "ndc"),
        )
    (side,) = Question(resolved, effort).sides(partition)
    law = side.law(chosen)
    observed, modelled = (atoms_of(each, effort) for each in (side.pairs_law, law))
    rows = chosen.rows(partition, effort)
    typical = None
    if rows is not None:
        typical = _typical(rows, modelled, partition.n, partition.k, resolved, effort)
        if law.drawn:  # draws differ among themselves, however many points there are
            again = distance(modelled, atoms_of(law, replace(effort, seed=effort.seed + 1)))
            typical = (typical[0] + again, typical[1] + 2.0 * again)
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
        distance=distance(observed, modelled),
        typical=typical,
        law={**law.to_dict(), "text": law.describe()},
        atoms=(observed, modelled),
        setting=CheckSetting(resolved, chosen, law, effort),
    )


def _typical(
    rows: RowDistribution, modelled: Atoms, n: int, clusters: int, index: PairIndex, effort: Effort
) -> tuple[float, float]:
    """Return the middle and the 95% quantile of distances of clusterings from the model."""
    points, repeats = _affordable(rows, n, clusters)
    coarse = _thinned(modelled)

    def one(repeat: int) -> float:
        rng = effort.stream(Stream.TYPICAL, repeat)
        if isinstance(rows, Categorical):  # labels, as the rows would be nearly all zeros
            drawn = as_partition(rows.codes(rng, points))
        else:
            drawn = as_partition(rows.sample(rng, points), possibilistic=True)
        return distance(atoms_of(law_of_pairs(drawn, index.agreement, effort), effort), coarse)

    found = np.array([one(repeat) for repeat in range(repeats)])
    middle, high = np.quantile(found * np.sqrt(points / n), [0.5, 0.95])
    return float(middle), float(high)


def _affordable(rows: RowDistribution, n: int, clusters: int) -> tuple[int, int]:
    """Return how many points a drawn clustering has, and how many clusterings are drawn.

    A row of very many clusters costs so much that fewer have to do.
    """
    if isinstance(rows, Categorical):
        return min(n, REPEATED_POINTS), REPEATS
    points = np.clip(ENTRIES // clusters, FEWEST_POINTS, REPEATED_POINTS)
    repeats = np.clip(REPEATS * ENTRIES // int(points * clusters), FEWEST_REPEATS, REPEATS)
    return min(n, int(points)), int(repeats)


def _thinned(atoms: Atoms, size: int = 4096) -> Atoms:
    """Return a law of so many values: its quantiles."""
    if atoms.values.size <= size:
        return atoms
    passed = np.cumsum(atoms.weights)
    at = np.searchsorted(passed, passed[-1] * (np.arange(size) + 0.5) / size)
    return Atoms.of_sample(atoms.values[at])
