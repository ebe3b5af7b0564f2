"""Agreements of points with all others, in cells between nodes."""

import numpy as np
import pytest

import fuzzyrand as fr
from fuzzyrand._pairs import cells

INDICES = [fr.NDC(), fr.NDC(p=2), fr.Brouwer(), fr.Belief()]


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("index", INDICES, ids=str)
@pytest.mark.parametrize("possibilistic", [False, True])
def test_shares_keep_what_is_linear_between_nodes(compiled, index, possibilistic):
    if possibilistic and isinstance(index, fr.Belief):
        return  # it is not defined for these
    numpy_work = 0.0 if compiled else np.inf
    rng = np.random.default_rng(2)
    rows = rng.dirichlet(np.full(4, 0.3), 700)
    rows[::5] = np.eye(4)[rng.integers(4, size=140)]
    if possibilistic:
        rows *= rng.uniform(0.5, 1.0, size=(700, 1))
    partition = fr.as_partition(rows, possibilistic=possibilistic)
    nodes = np.unique(np.concatenate([[0.0, 1.0], rng.random(20), 0.5 + 1e-6 * rng.random(20)]))
    points = rng.permutation(700)[:9]
    sort = cells.sorter(partition, index.agreement, nodes, 9, numpy_work)
    counts, firsts, seconds = sort(points)

    columns = partition.memberships.T
    exact = np.stack(
        [np.delete(index.agreement.between(columns[:, i, None], columns), i) for i in points]
    )
    heights = rng.random(nodes.size)
    low, rise = heights[:-1], np.diff(heights)
    means = (counts @ low + firsts @ rise) / 699
    assert means == pytest.approx(np.interp(exact, nodes, heights).mean(axis=1), abs=1e-9)
    squares = counts.sum(axis=0) @ low**2 + 2.0 * firsts.sum(axis=0) @ (low * rise)
    squares += seconds @ rise**2
    expected = (np.interp(exact, nodes, heights) ** 2).sum()
    assert squares == pytest.approx(expected, rel=1e-9)
