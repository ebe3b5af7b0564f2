"""The rules of the authors' program for memberships that are exactly zero.

The published figures cannot be reproduced by the option ``zeros="categorical"`` alone. These rules
were read from the authors' package, and they explain the figures:

- A column of memberships that contains an exact zero gets the concentration 0 in ``fit``. If that
  leaves fewer than two columns the model is categorical, with the sizes of the clusters as
  proportions. If it leaves two or more, the Dirichlet lives on these columns alone.
- One zero anywhere makes ``sym`` categorical, with equal proportions.
- In one-sided comparisons with a categorical model, the fixed hard clustering enters not by its
  pairs but by the sum of the squared proportions of its clusters, as if it had been drawn as well.
"""

from __future__ import annotations

import numpy as np

import fuzzyrand as fr

from .design import FloatArray

#: The smallest resolution that the library allows: only exact zeros count as zeros.
PLAIN = fr.Fit(resolution=1e-30)


def has_zeros(partition: fr.Partition) -> bool:
    """Return whether any membership is exactly zero."""
    return partition.memberships is None or bool((partition.memberships == 0.0).any())


def fit_expectation(
    first: fr.Partition,
    second: fr.Partition,
    *,
    one_sided: bool,
    tol: float,
    max_draws: int,
    seed: int,
) -> float:
    """Return the expected index under ``fit``; if ``one_sided``, the second side is fixed."""
    random, other = _kept(first), None if one_sided else _kept(second)
    if random is None and (one_sided or other is None):
        return _both_categorical(_together(first), _together(second))
    if one_sided:
        assert random is not None
        return fr.expected_similarity(
            random, second, model=PLAIN, fixed="second", effort=fr.Effort(n_threads=1)
        )
    if random is not None and other is not None:
        return fr.expected_similarity(
            random,
            other,
            model=PLAIN,
            tol=tol,
            effort=fr.Effort(max_draws=max_draws, n_threads=1),
            random_state=seed,
        )
    rows, hard = (random, second) if random is not None else (other, first)
    assert rows is not None
    return _both_categorical(_mean_agreement(rows), _together(hard))


def sym_expectation(
    first: fr.Partition, second: fr.Partition, ours: float, *, one_sided: bool
) -> float:
    """Return the expected index under ``sym``; it is ``ours`` if no membership is zero."""
    if one_sided:
        return _both_categorical(1.0 / first.k, _together(second)) if has_zeros(first) else ours
    zeros = has_zeros(first), has_zeros(second)
    if all(zeros):
        return _both_categorical(1.0 / first.k, 1.0 / second.k)
    if not any(zeros):
        return ours
    hard, fuzzy = (first, second) if zeros[0] else (second, first)
    assert fuzzy.memberships is not None
    symmetric = fr.Sym(resolution=1e-30)
    return _both_categorical(_mean_agreement(fuzzy.memberships, symmetric), 1.0 / hard.k)


def _kept(partition: fr.Partition) -> FloatArray | None:
    """Return the columns without a zero, rescaled to sum to 1; None if fewer than two."""
    if partition.memberships is None:
        return None
    used = (partition.memberships != 0.0).all(axis=0)
    if np.count_nonzero(used) < 2:
        return None
    rows = partition.memberships[:, used]
    rows = rows / rows.max(axis=1, keepdims=True)  # First, because their sum may underflow.
    return np.asarray(rows / rows.sum(axis=1, keepdims=True))


def _mean_agreement(rows: FloatArray, model: fr.Model = PLAIN) -> float:
    """Return the mean agreement of two random rows.

    It equals the expected index if the other clustering is fixed and has a single cluster.
    """
    one_cluster = np.zeros(rows.shape[0], dtype=int)
    return fr.expected_similarity(
        rows, one_cluster, model=model, fixed="second", effort=fr.Effort(n_threads=1)
    )


def _together(partition: fr.Partition) -> float:
    """Return the probability that two points are together if assigned by cluster sizes."""
    shares = partition.sizes / partition.sizes.sum()
    return float(shares @ shares)


def _both_categorical(q1: float, q2: float) -> float:
    """Return the expected index of two sides, at least one hard, from mean agreements."""
    return q1 * q2 + (1.0 - q1) * (1.0 - q2)
