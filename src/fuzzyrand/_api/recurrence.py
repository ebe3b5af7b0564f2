"""Many runs: which clusters recur, which runs agree, and a consensus."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from numbers import Real
from typing import Any

from .._base.effort import as_precision
from .._base.errors import ParameterError
from .._base.progress import bars
from .._base.streams import Stream
from .._base.wording import Option
from .._clusterings.options import InputOptions
from .._clusterings.points.joined import read_joined
from .._methods.recurrence.recurrence import find_recurrence
from ..results import Recurrence
from .arguments import as_draws, as_progress


def recurrence(
    runs: Mapping[str, Any] | Iterable[Any],
    *,
    weights: Any = None,
    alike: float = 0.9,
    draws: int | str = "auto",
    normalize: bool = False,
    possibilistic: bool = False,
    noise: Any = None,
    noise_as: str = "cluster",
    missing: str | None = None,
    random_state: Any = 0,
    progress: bool = True,
) -> Recurrence:
    """Find the clusters that come back in many runs, and say which of them to believe.

    Runs of a method from several starts, on resampled data, with several numbers of clusters or
    resolutions, or of several methods, find some clusters again and again, and others only once.
    Clusters that are the same thing in different runs form a family.

    Parameters
    ----------
    runs : dict, list, frame or matrix
        At least two clusterings, by name, or in a list, numbered from 0, or in the columns of a
        frame or a matrix of labels, as in :func:`pairwise`. Hard and fuzzy clusterings, and
        different numbers of clusters, can be mixed. If all runs have ids (the index of a pandas
        object), their points may differ and are joined by these ids.
    weights : array or Series, optional
        A weight for each point. Correlations, sizes, adjusted indices and firmness are weighted. A
        weight of 0 leaves a point out. A Series is joined by its index.
    alike : float
        Two runs tell the same story if their adjusted index is at least this.
    draws : int or "auto"
        Number of times that the points of all runs are shuffled to see which families arise by
        chance: at least 19. "auto" takes 99 if these are quick, and 19 otherwise, or more if some
        families recur by chance.
    normalize, possibilistic, missing
        As in :func:`compare`.
    noise, noise_as
        As in :func:`compare`. With ``noise_as="drop"``, a point is left out of the runs in which it
        is noise, and stays in the others.
    random_state : int, Generator or None
        Seed of the shuffles.
    progress : bool
        Whether to show a progress bar if the work takes more than about two seconds.

    Returns
    -------
    Recurrence
        Result with ``families``, ``modes``, ``consensus`` and the firmness of ``points``.

    Raises
    ------
    InputError
        If a run cannot be read, or if two runs share fewer than two points.
    NotApplicableError
        If the runs have more than 20,000 clusters together.

    See Also
    --------
    pairwise : How alike the runs are, with other indices and models, and tests.
    align : Bring the clusters of all runs into a common order.
    stability : Runs on subsamples of the data, for each number of clusters.

    Notes
    -----
    *Families.* The likeness of two clusters is the correlation of their memberships over the points
    that both runs have. It is 0 by chance, and fuzziness does not lower it. Families come from
    average linkage of all clusters of all runs, cut at a mean correlation of 0.5. Families without
    a common run are then joined as long as their mean memberships have such a correlation, too, as
    noise of single runs lowers the first and not the second. A family may lack a member in a run.
    If a cluster splits, its larger part often continues the family, and the smaller parts are its
    children: families of which more than half, beyond chance, lies within the larger one in the
    runs that lack them.

    *Chance.* The points of each run are shuffled, and families are found in the same way. For each
    family, ``expected`` is the mean number of families that occur in at least as many runs.
    Clusters for which chance hardly has a partner are not shuffled: by bounds of Hoeffding and
    Chatterjee [1]_, the probability that one of them has a correlation of 0.5 with another is below
    0.001.

    *Modes.* Complete linkage of the runs on 1 − adjusted index, cut so that any two runs of a mode
    are at least ``alike`` alike. The index is ``jousselme`` under ``perm``, which needs no pairs of
    points; for hard runs, it is the adjusted Rand index.

    *Consensus.* The memberships with the smallest sum of squared differences from all runs, after
    the clusters of each run are matched with its columns (soft least squares [2]_). It has as many
    columns as the largest run. Each run in turn is matched with the sum of the others until nothing
    changes, from several starts, and again after some runs are matched at random. The sum of
    squares never rises, but need not be the smallest.

    *Firmness.* That of a point is the mean over all pairs of runs of its score in
    :func:`explain`, with the index above. With weights w, scores are scaled so that their weighted
    mean is the adjusted index. That of a family is the mean correlation of its clusters.

    All of this follows from one table of the products of all clusters. For hard and fuzzy runs
    alike, 100 runs of 10,000 points in 10 clusters take some seconds.

    References
    ----------
    .. [1] Chatterjee, S., Stein's method for concentration inequalities, Probability Theory and
           Related Fields 138 (2007).
    .. [2] Hornik, K., A CLUE for CLUster Ensembles, J. Statistical Software 14 (2005).

    Examples
    --------
    >>> import numpy as np
    >>> three = np.repeat([0, 1, 2], [50, 40, 30])
    >>> four = np.repeat([3, 0, 1, 2], [35, 15, 40, 30])
    >>> rng = np.random.default_rng(0)
    >>> def run(labels):  # 10% of the points go astray, and clusters have any number
    ...     astray = rng.random(120) < 0.1
    ...     return rng.permutation(4)[np.where(astray, rng.permutation(labels), labels)]
    >>> runs = {f"seed {i}": run(four if i % 3 else three) for i in range(12)}
    >>> result = recurrence(runs)
    >>> print(result)
    3 clusters recur in all of the 12 runs and 1 cluster in at least half of them. If the points
    of each run are shuffled (99 times), no cluster does.
    family  runs  share  95% CI          size  firmness   core  by chance  parts
         0    12   1.00  0.76 to 1.00      40      0.79     32          0
         1    12   1.00  0.76 to 1.00      40      0.72     29          0  3 (from 4)
         2    12   1.00  0.76 to 1.00      29      0.81     21          0
         3     8   0.67  0.39 to 0.86      15      0.82      7          0
    Size: number of points. Firmness: mean correlation of the clusters of a family (1: the same
    points in every run). Core: points in it in at least 90% of its runs. By chance: number of
    families in as many runs if the points are shuffled. Parts: families into which it splits, and
    the number of clusters from which it does.
    No two runs have an adjusted index of at least 0.9; the largest is 0.84.
    Points have a mean firmness of 0.59 (1: together with the same points in all runs, 0: chance);
    37 of 120 are below 0.5.
    >>> result.families[3].members[:2]
    [('seed 1', 0), ('seed 2', 2)]
    """
    level, number, shown = _as_alike(alike), as_draws(draws), as_progress(progress)
    options = InputOptions(normalize, possibilistic, noise, noise_as, missing)
    precision = as_precision(None, random_state=random_state)
    joined, of_points = read_joined(runs, options).weighted(weights)
    with bars(shown):
        return find_recurrence(
            joined, of_points, level, number, precision.stream(Stream.RECURRENCE)
        )


def _as_alike(alike: Any) -> float:
    """Check the adjusted index from which two runs are alike."""
    if isinstance(alike, Real) and not isinstance(alike, bool) and 0.0 < float(alike) <= 1.0:
        return float(alike)
    raise ParameterError(
        "{parameter} must be an adjusted index above 0 and up to 1, such as 0.9; got {value!r}.",
        parameter=Option("alike"),
        value=alike,
    )
