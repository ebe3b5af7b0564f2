"""Passes over all pairs: blocks, tasks and bins give what the plain sums give."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fuzzyrand as fr
from fuzzyrand._base.effort import Precision
from fuzzyrand._pairs import all_pairs as pairs_module
from fuzzyrand._pairs.all_pairs import kept_agreements
from fuzzyrand._pairs.kernels import BIN_CAPACITY
from fuzzyrand.indices.agreements import NormAgreement
from fuzzyrand.models._laws.side import Side

from ..clusterings import alike_pair, nearly_even
from ..own_indices import own_ndc


def test_nothing_kept_grows_with_the_pairs(monkeypatch):
    """A pass over the pairs in NumPy, block by block, gives the same as keeping them."""
    rng = np.random.default_rng(8)
    u, v = rng.dirichlet([0.5] * 3, 60), rng.dirichlet([1.0] * 3, 60)
    kept = fr.compare(u, v, index=own_ndc(), model="perm")
    monkeypatch.setattr("fuzzyrand._pairs.plain.BLOCK", 7)
    effort = fr.Effort(budget=fr.Budget(kept_pairs=0))
    visited = fr.compare(u, v, index=own_ndc(), model="perm", effort=effort)
    assert visited.observed == pytest.approx(kept.observed, abs=1e-12)
    bound = visited.error_bound + kept.error_bound
    assert visited.adjusted == pytest.approx(kept.adjusted, abs=bound + 1e-9)


def test_blocks_of_rows_and_vectorised_reference_agree():
    u, v = alike_pair(2, 2500, 11)
    total = 0.0
    for i in range(len(u)):
        a = np.minimum(u[i], u[i + 1 :]).sum(axis=1)
        b = np.minimum(v[i], v[i + 1 :]).sum(axis=1)
        total += np.abs(a - b).sum()
    exact = 1.0 - total / (len(u) * (len(u) - 1) / 2)
    assert fr.similarity(u, v) == pytest.approx(exact, abs=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_bins_and_sorting_agree_within_the_stated_bound(seed):
    # Laws that are hard to bin: nearly hard rows, nearly uniform rows, few distinct rows.
    rng = np.random.default_rng(seed)
    n, k = 1600, 4
    u = rng.dirichlet(np.full(k, [0.01, 0.05, 300.0, 1.0, 3e4, 0.2][seed]), n)
    v = rng.dirichlet(np.full(k, [0.02, 500.0, 400.0, 1.0, 2e4, 0.2][seed]), n)
    if seed == 3:
        u, v = u[rng.integers(5, size=n)], v[rng.integers(5, size=n)]
    c = fr.compare(u, v, model="perm")
    assert c.computed["expected"] == "all pairs, binned"
    a, b = (np.sort(kept_agreements(fr.as_partition(x), NormAgreement(), np.inf)) for x in (u, v))
    passed = np.searchsorted(b, a)
    sums = np.concatenate([[0.0], np.cumsum(b)])
    exact = (a * (2.0 * passed - b.size) + sums[-1] - 2.0 * sums[passed]).mean() / b.size
    bound = c.error_bound * (1 - c.expected) ** 2 / (1 - c.observed)
    assert bound < 1e-9
    assert 1.0 - c.expected == pytest.approx(exact, abs=bound + 1e-12)


@given(st.integers(2, 30_000), st.floats(0, 1), st.integers(1, 500))
def test_no_task_has_more_pairs_than_a_bin_can_count(n, share_hard, columns):
    cost = np.where(np.arange(n) < share_hard * n, 1, columns)
    tasks = pairs_module.balanced_rows(cost, n)
    assert [row for task in tasks for row in range(*task)] == list(range(n))
    pairs = [sum(n - 1 - i for i in range(*task)) for task in tasks]
    # A task ends with the row that fills it.
    assert max(pairs) <= 2 * pairs_module.TASK_PAIRS + n < BIN_CAPACITY


def test_many_cheap_pairs_do_not_overflow_a_bin():
    # Two of five rows are hard, and nearly all of their pairs agree by exactly 0.
    rng = np.random.default_rng(9)
    n, k = 8192, 128
    u = np.eye(k)[rng.integers(k, size=n)]
    u[: 3 * n // 5] = rng.dirichlet(np.full(k, 1.0 / k), 3 * n // 5)
    partition = fr.as_partition(u)
    law = fr.Perm().law(Side(partition, fr.NDC(), Precision()))
    exact = fr.NDC().agreement.pair_mean(partition).value  # by sorting
    assert law.bracket().inner.mean == pytest.approx(exact, abs=1e-9)


@pytest.mark.parametrize("index", ["ndc", fr.NDC(p=2)])
def test_bins_cover_the_agreements_there_are(index):
    # Rows that are nearly the same: their agreements fill a tiny part of [0, 1].
    rng = np.random.default_rng(0)
    u, v = nearly_even(rng, 1600, 1e-9), nearly_even(rng, 1600, 1e-9)
    binned = fr.compare(u, v, model="perm", index=index)
    assert binned.computed["expected"] == "all pairs, binned"
    assert binned.error_bound < 1e-4
    agree = fr.indices.as_index(index).agreement
    a, b = (np.sort(kept_agreements(fr.as_partition(x), agree, np.inf)) for x in (u, v))
    at, sums = np.searchsorted(b, a), np.concatenate([[0.0], np.cumsum(b - b[0])])
    a, first = a - b[0], b - b[0]
    expected = (a * (2.0 * at - b.size) + first.sum() - 2.0 * sums[at]).mean() / b.size
    # The agreements themselves are known to 1e-16, and lie 1e-9 apart.
    assert 1.0 - binned.expected == pytest.approx(expected, rel=1e-5)
