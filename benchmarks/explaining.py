"""Explanations, against the comparison itself and against arrays of all pairs."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from measure import race, seconds
from report import Row, Section, Target, duration

from fuzzyrand import compare, explain

FloatArray = npt.NDArray[np.float64]
#: Number of permutations with which the peer adjusts.
PERMUTATIONS = 100


def alike(n: int, k: int, seed: int = 0) -> tuple[FloatArray, FloatArray]:
    """Two fuzzy clusterings that have much in common."""
    rng = np.random.default_rng(seed)
    u = rng.dirichlet(np.full(k, 0.3), n)
    v = u + 0.1 * rng.random(u.shape)
    return u, v / v.sum(axis=1, keepdims=True)


def all_agreements(rows: FloatArray) -> FloatArray:
    """Agreements of all pairs of points, as an n by n array."""
    out = np.zeros((rows.shape[0], rows.shape[0]))
    for column in rows.T:
        out += np.minimum(column[:, None], column)
    return out


def wallace_by_permutations(u: FloatArray, v: FloatArray, draws: int) -> tuple[float, float]:
    """The fuzzy Wallace index with weights of the second side, and its mean under shuffles.

    This is the method of the Bioconductor package poem, written in NumPy: arrays of all pairs of
    both sides, with shuffled rows and columns.
    """
    rng = np.random.default_rng(0)
    a, b, weights = all_agreements(u), all_agreements(v), v @ v.T
    np.fill_diagonal(weights, 0.0)
    total = weights.sum()
    observed = 1.0 - float((weights * np.abs(a - b)).sum() / total)
    shuffled = []
    for _ in range(draws):
        order = rng.permutation(u.shape[0])
        moved = a[np.ix_(order, order)]
        shuffled.append(1.0 - float((weights * np.abs(moved - b)).sum() / total))
    return observed, float(np.mean(shuffled))


def explaining() -> Section:
    """The rows of the table."""
    section = Section()
    u, v = alike(2_000, 10)
    found = explain(u, v, model="perm").wallace.second
    observed, expected = wallace_by_permutations(u, v, PERMUTATIONS)
    assert abs(found.observed - observed) < 1e-12
    assert abs(found.expected - expected) < 1e-3

    def everything() -> object:
        return explain(u, v, model="perm").wallace

    ours = min(seconds(everything) for _ in range(3))
    theirs = seconds(lambda: wallace_by_permutations(u, v, PERMUTATIONS))
    section.rows.append(
        Row(
            "`explain` with Wallace indices of both sides and all clusters, n = 2,000, k = 10",
            f"arrays of all pairs, {PERMUTATIONS} permutations, one side, in NumPy",
            theirs / ours,
            Target(30),
            duration(ours),
            duration(theirs),
        )
    )
    u, v = alike(8_000, 10)
    for model in ("fit", "perm"):
        explain(u, v, model=model)
        result = race(
            lambda model=model: explain(u, v, model=model),
            lambda model=model: compare(u, v, model=model),
            5,
        )
        section.rows.append(
            Row(
                f"`explain` of 8,000 × 10, fuzzy vs fuzzy, {model}",
                "`compare`",
                result.ours / result.peer,
                Target(2, at_least=False),
                duration(result.ours),
                duration(result.peer),
            )
        )
    result = race(lambda: explain(u, v).wallace, lambda: compare(u, v), 3)
    section.rows.append(
        Row(
            "the same, fit, and its Wallace indices, which are computed when they are asked for",
            "`compare`",
            result.ours / result.peer,
            None,
            duration(result.ours),
            duration(result.peer),
        )
    )
    section.notes.append(
        "`explain` against arrays of all pairs: the observed Wallace index is the same to 1e-12, "
        "and the mean of the permutations lies within their noise of our exact expectation."
    )
    return section
