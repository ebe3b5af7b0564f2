"""Sums of distances from histograms lie within the errors that they state."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fuzzyrand._clusterings.blocks import value_bins
from fuzzyrand._clusterings.blocks.source import BlockPlace
from fuzzyrand._clusterings.blocks.value_bins import ValueBins

from ...examples import examples


def brute(rows, groups):
    apart = np.abs(rows[:, None] - rows[None]).sum(axis=2)
    together = groups[:, None] == groups[None]
    return apart.sum() / 2, (apart * together).sum() / 2


def kinds(rng, n, k):
    kind = rng.integers(4)
    if kind == 0:
        return rng.dirichlet(np.ones(k), n)
    if kind == 1:
        return np.round(rng.dirichlet(np.full(k, 0.3), n), 2)
    if kind == 2:  # nearly the same rows, and some far away
        rows = 1.0 / k + 1e-7 * rng.standard_normal((n, k))
        rows[: n // 10] = np.eye(k)[0]
        return rows
    return np.full((n, k), 1.0 / k)


@examples(30)
@given(st.integers(0, 10**6))
def test_distances_lie_within_their_errors(seed):
    rng = np.random.default_rng(seed)
    n, k, clusters = int(rng.integers(2, 120)), int(rng.integers(1, 5)), int(rng.integers(1, 6))
    rows, groups = kinds(rng, n, k), rng.integers(clusters, size=n)
    sizes = np.bincount(groups, minlength=clusters).astype(float)
    sample = rows[rng.integers(n, size=20)]  # not all values are seen before
    task = ValueBins.over(sample, rows.min(axis=0), rows.max(axis=0), sizes)
    found = task.distances(task.partial(BlockPlace(0, 0), rows, groups))
    total, within = brute(rows, groups)
    rounding = 1e-13 * n**2
    assert abs(found.all_pairs - total) <= found.error + rounding
    assert abs(found.within_groups - within) <= found.within_error + rounding
    alone = ValueBins.over(sample, rows.min(axis=0), rows.max(axis=0))
    assert (
        abs(alone.distances(alone.partial(BlockPlace(0, 0), rows))[0] - total)
        <= found.error + rounding
    )


@pytest.mark.parametrize("shares", [(0.25,) * 4, (0.9, 0.05, 0.03, 0.02)])
@pytest.mark.parametrize("k", [3, 20])
def test_the_error_of_a_mean_agreement_is_far_below_a_millionth(shares, k):
    rng = np.random.default_rng(1)
    n = 20_000
    rows = rng.dirichlet(np.full(k, 0.4), n)
    groups = rng.choice(4, n, p=shares)
    sizes = np.bincount(groups, minlength=4).astype(float)
    task = ValueBins.over(rows[:16_384], rows.min(axis=0), rows.max(axis=0), sizes)
    found = task.distances(task.partial(BlockPlace(0, 0), rows, groups))
    pairs = n * (n - 1) / 2
    assert 0.5 * found.error / pairs < 2e-8
    assert 0.5 * found.within_error / pairs < 1e-7


def test_few_values_are_exact(monkeypatch):
    # Every value is an edge, and no other value lies in its bin.
    monkeypatch.setattr(value_bins, "BINS", 1 << 10)
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 11, size=(200, 2)) / 10.0
    task = ValueBins.over(rows, rows.min(axis=0), rows.max(axis=0))
    assert task.distances(task.partial(BlockPlace(0, 0), rows)).error == pytest.approx(
        0.0, abs=1e-9
    )
