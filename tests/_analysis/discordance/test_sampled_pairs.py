"""Random pairs in place of all: unbiased, announced, with an honest Monte Carlo error."""

import numpy as np
import pytest
import scipy.sparse as sp

import fuzzyrand as fr
from fuzzyrand._analysis.discordance.observed import Observed
from fuzzyrand._base.effort import Precision
from fuzzyrand.models._laws.side import Side

from ...clusterings import alike_pair


def test_sampled_pairs_are_unbiased_and_their_standard_error_is_honest():
    u, v = alike_pair(4, 1500, 5)
    exact = 1.0 - fr.similarity(u, v)
    first, second = fr.as_partition(u), fr.as_partition(v)
    scores = []
    for seed in range(300):
        effort = Precision(seed=seed, pairs=4000)
        sides = tuple(Side(partition, fr.NDC(), effort) for partition in (first, second))
        estimate = Observed(sides).estimate
        assert estimate.draws == 4000
        scores.append((estimate.value - exact) / estimate.stderr)
    scores = np.array(scores)
    assert 0.92 <= (np.abs(scores) < 1.96).mean() <= 0.98
    assert abs(scores.mean()) < 4 / np.sqrt(300)


def test_sampling_is_announced_and_reaches_the_tolerance():
    u, v = alike_pair(5, 2000, 5)
    exact = fr.compare(u, v, model="perm")
    with pytest.warns(fr.SampledPairsWarning, match="random pairs"):
        fr.similarity(u, v, effort=fr.Effort(exact_work=1e6))
    with pytest.warns(fr.SampledPairsWarning, match='pairs="all"'):
        fr.adjusted_similarity(u, v, model="perm", effort=fr.Effort(exact_work=1e6))
    sampled = fr.compare(u, v, model="perm", tol=2e-3, effort=fr.Effort(exact_work=1e6))
    assert not sampled.exact
    assert 0.0 < sampled.stderr <= 2e-3
    assert sampled.converged
    assert "random pairs" in str(sampled)
    assert abs(sampled.adjusted - exact.adjusted) < 4 * sampled.stderr
    assert fr.compare(u, v, model="perm", effort=fr.Effort(pairs="all", exact_work=1e6)).exact


def test_a_given_number_of_pairs():
    u, v = alike_pair(6, 300, 3)
    c = fr.compare(u, v, model="flat", effort=fr.Effort(pairs=5000))
    assert c.computed["observed"] == "5,000 random pairs"
    assert fr.compare(u, v, model="flat", effort=fr.Effort(pairs=10**6)).exact


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_a_sample_that_shows_no_difference_is_no_proof(form):
    """Clusterings that differ in one of very many points: the sample may miss all its pairs."""
    n, k = 40_000, 60
    rows = np.eye(k)[np.arange(n) % k]
    rows[::2] = 0.5 * rows[::2] + 0.5 * np.roll(rows[::2], 1, axis=1)
    other = rows.copy()
    other[0] = other[1]
    c = fr.compare(form(rows), form(other), model="perm", effort=fr.Effort(pairs=1000), tol=0.1)
    assert c.observed == pytest.approx(1.0)
    assert c.stderr > 1e-4
    assert not c.exact
    assert "agree on every sampled pair of points;" in c.sentence
