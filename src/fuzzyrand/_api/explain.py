"""Explanation of a comparison: where two clusterings disagree."""

from __future__ import annotations

from typing import Any

from .._analysis import Analysis
from .._base.effort import DEFAULT_TOL, Effort, as_precision
from .._clusterings.options import InputOptions
from .._clusterings.points.same_points import read_pair_in_memory
from .._methods.explanation.explain import explanation_of, require_divisible
from ..indices import Index, as_index
from ..models import as_model
from ..results import Explanation
from .arguments import ModelLike, as_fixed


def explain(
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
) -> Explanation:
    """Explain where two clusterings disagree: on which points, in which clusters, and in what way.

    Parameters
    ----------
    a, b : label vector or (points, clusters) memberships
        Two clusterings of the same points, as in :func:`compare`.
    index : str or Index
        As in :func:`compare`. It must be a mean over pairs of points, such as ``"ndc"``, or over
        points, such as ``"mi"``.
    model, fixed
        As in :func:`compare`, for the scores of points and clusters. The expected Wallace indices
        are always those of shuffled points.
    normalize, possibilistic, noise, noise_as, missing, points, weights
        As in :func:`compare`.
    tol, random_state, effort
        As in :func:`compare`. Where pairs are sampled, scores of points and Wallace indices have
        Monte Carlo errors of their own.

    Returns
    -------
    Explanation
        Result with ``points``, ``clusters``, ``overlap``, ``wallace``, ``hardened`` and
        ``worst()``.

    Raises
    ------
    NotApplicableError
        If the index is not a mean over points or pairs of points, or if the index or the model is
        not defined for these clusterings.

    See Also
    --------
    compare : The adjusted index alone.
    confidence_interval : How far the adjusted index could be off with other points.

    Notes
    -----
    If E is the expected discordance and Dᵢ the mean discordance of the pairs of point i, the score
    of the point is sᵢ = 1 − Dᵢ/E, and the mean of all scores is the adjusted index. The score is
    near 1 for a point that both clusterings treat alike, and 0 for one whose pairs agree no better
    than by chance. The score of a cluster c is Σᵢ u_ic sᵢ / Σᵢ u_ic.

    The Wallace index with weights from the clustering V is Σ wₚ (1 − dₚ) / Σ wₚ over all pairs p of
    points i and j, where dₚ is the discordance of the pair and wₚ = Σ_c v_ic v_jc. If bₚ is the
    agreement of the pair in V, and H(x) the mean discordance of x from the agreements of all pairs
    of the other clustering, its expectation under permutations is Σ wₚ (1 − H(bₚ)) / Σ wₚ. See
    :attr:`Explanation.wallace`.

    References
    ----------
    .. [1] Wallace, D. L., Comment on a method for comparing two hierarchical clusterings, Journal
           of the American Statistical Association 78 (1983).

    Examples
    --------
    >>> fine = list("aaaabbbbcccc")
    >>> coarse = list("xxxxxxxyyyyy")
    >>> print(explain(fine, coarse))
    Two clusterings of 12 points: hard, 3 clusters; hard, 2 clusters
    Adjusted NDC under perm: 0.408 (exact). It is the mean of the scores of all points (1: perfect
    agreement, 0: chance).
    Clusters with the lowest scores (means of their points):
      first:   b -0.03 (4 points); a 0.44 (4 points); c 0.81 (4 points)
      second:  x 0.28 (7 points); y 0.59 (5 points)
    Points with the lowest scores (counted from 0):
      point          score   first                            second
      7              -0.31   b                                y
      4               0.07   b                                x
      5               0.07   b                                x
      6               0.07   b                                x
      0               0.44   a                                x
    Neither is a refinement of the other; the first clustering is closer to refining the second
    (adjusted Wallace index 0.686; in the other direction 0.290).
    They differ in structure only: both are hard.
    """
    precision = as_precision(effort, tol, random_state)
    inputs = InputOptions(
        normalize, possibilistic, noise, noise_as, missing, points, weights, precision.budget
    )
    first, second = read_pair_in_memory(a, b, inputs)
    chosen = as_index(index)
    require_divisible(chosen)
    analysis = Analysis.of(
        (first, second), chosen, as_model(model), precision, as_fixed(fixed), by_points=True
    )
    return explanation_of(analysis)
