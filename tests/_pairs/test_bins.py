"""Bins of agreements: the compiled count held to NumPy's, and to the law that they stand for."""

from itertools import pairwise

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fuzzyrand._clusterings.partition import as_partition
from fuzzyrand._pairs import compiled, kernels
from fuzzyrand._pairs.bins import BINS, BY_MASS, CELLS, grid_around, grid_for
from fuzzyrand.indices import INDICES

from ..examples import examples

SEEDS = st.integers(0, 2**32 - 1)


@numba.njit
def _count(values, grid, bins):
    kernels._into_bins(values, values.size, grid, bins)


def _values(rng, size):
    """Draw values of some law between 0 and 1, with ends, edges of cells and repeated values."""
    smooth = rng.beta(*rng.choice([0.1, 1.0, 5.0, 200.0], size=2), size)
    special = rng.choice([0.0, 1.0, 0.5, 1 / 3, np.nextafter(1.0, 0.0), 1e-300], size)
    values = np.where(rng.random(size) < rng.choice([0.0, 0.5]), special, smooth)
    return np.round(values, int(rng.choice([2, 3, 17])))


@given(SEEDS)
def test_compiled_bins_are_those_of_numpy(seed):
    rng = np.random.default_rng(seed)
    values = _values(rng, 2000)
    low, high = (0.0, 1.0) if rng.random() < 0.5 else (float(values.min()), float(values.max()))
    grid = grid_around(rng.choice(values, 200), low, high, 1 << int(rng.integers(1, 10)), 1 << 12)
    counted = np.zeros(grid.size, dtype=np.int64)
    _count(values.copy(), kernels.counting_grid(tuple(grid)), counted)
    expected = np.zeros((2, grid.size))
    grid.fill(values, expected)
    found = kernels.decoded(counted)
    assert found[0].sum() == values.size
    places = np.arange(grid.size)
    assert (found[0] * places + found[1]).sum() == pytest.approx(
        (expected[0] * places + expected[1]).sum(), abs=values.size / kernels.FRACTION
    )
    # What is rounded up to the edge of a bin is counted in the next.
    moved = np.cumsum(expected[0]) - np.cumsum(found[0])
    assert (moved >= 0.0).all()
    assert (moved * (1.0 - 1.0 / kernels.FRACTION) <= expected[1]).all()


def test_a_bin_holds_as_many_values_as_is_said():
    grid = grid_around(np.ones(1), 0.0, 1.0, 4, 8)
    counted = np.zeros(grid.size, dtype=np.int64)
    many = kernels.BIN_CAPACITY - 1
    values = np.full(many, 0.25 - 2.0 / kernels.FRACTION)
    _count(values, kernels.counting_grid(tuple(grid)), counted)
    counts, positions = kernels.decoded(counted)
    assert counts[0] == many
    assert positions[0] / many == pytest.approx(1.0 - 8.0 / kernels.FRACTION, abs=1e-9)
    assert not counts[1:].any()


@examples(15)
@given(SEEDS)
def test_the_bracket_holds_the_law_and_is_narrow(seed):
    rng = np.random.default_rng(seed)
    laws = [_values(rng, 4000) for _ in range(2)]
    brackets = []
    for values in laws:
        grid = grid_around(values, 0.0, 1.0)
        counted = np.zeros(grid.size, dtype=np.int64)
        _count(values.copy(), kernels.counting_grid(tuple(grid)), counted)
        brackets.append(grid.bracket(kernels.decoded(counted)))
    exact = np.abs(np.subtract.outer(*laws)).mean()
    distance = INDICES["ndc"].concordance.mean_between
    low, high = (
        distance(*ends)[0] for ends in zip(*((b.inner, b.outer) for b in brackets), strict=True)
    )
    rounding = 2.0 / kernels.FRACTION / BINS + 1e-13
    assert low - rounding <= exact <= high + rounding
    assert 0.5 * (high - low) <= 0.25 / (BY_MASS * CELLS * (BINS - CELLS)) + 1e-13


@examples(15)
@given(SEEDS)
def test_four_rows_at_once_are_four_rows(seed):
    """More points than a block, so that rows are taken together, and in tasks of any size."""
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(257, 700)), int(rng.integers(1, 10))
    agreement = INDICES["ndc"].agreement
    sides = []
    for _ in range(2):
        rows = rng.dirichlet(np.full(k, rng.choice([0.1, 1.0])), n)
        rows[rng.random((n, k)) < rng.choice([0.0, 0.0, 0.3, 0.6])] = 0.0
        rows[rows.sum(axis=1) == 0.0, 0] = 1.0
        rows[0] = 1.0 / k  # not all rows one-hot, which would be a hard clustering
        sides.append(as_partition(rows, normalize=True))
    if any(side.is_hard for side in sides):
        return
    first, second = sides
    grids = grid_for(first, agreement), grid_for(second, agreement)
    visit = compiled.visitor(first, second, agreement, 1.0, np.arange(n), grids)
    cuts = np.unique(np.concatenate([[0, n], rng.integers(n, size=2)]))
    seen = [visit((int(a), int(b))) for a, b in pairwise(cuts)]
    i, j = np.triu_indices(n, 1)
    agreements = [np.minimum(side.rows.dense[i], side.rows.dense[j]).sum(axis=1) for side in sides]
    total = np.abs(agreements[0] - agreements[1]).sum()
    assert sum(part[0] for part in seen) == pytest.approx(total, rel=1e-12)
    for at, (grid, values) in enumerate(zip(grids, agreements, strict=True)):
        bracket = grid.bracket(sum(part[1 + at] for part in seen))
        assert bracket.inner.weights.sum() == pytest.approx(1.0)
        assert bracket.inner.mean == pytest.approx(values.mean(), abs=1e-9)
