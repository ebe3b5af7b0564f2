"""The observed index: every fast route against the definition, and large routes to each other."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fuzzyrand as fr
from fuzzyrand._base.effort import Effort
from fuzzyrand._discordance.observed import Observed
from fuzzyrand._laws.side import Side
from fuzzyrand._pairs import all_pairs as pairs_module
from fuzzyrand._pairs.kernels import BIN_CAPACITY
from fuzzyrand._pairs.sorted_columns import sum_of_distances
from fuzzyrand.indices.agreements import NormAgreement

from .. import brute
from ..strategies import fuzzy, hard, two_clusterings


@given(two_clusterings())
def test_ndc_is_its_definition(pair):
    a, b = pair
    exact = brute.index(brute.memberships(a), brute.memberships(b))
    assert fr.similarity(a, b) == pytest.approx(exact, abs=1e-12)


@given(
    two_clusterings(),
    st.sampled_from([1.0, 1.5, 2.0, 3.0, np.inf]),
    st.sampled_from([1, 1.5, 2, 3]),
)
def test_general_ndc_is_its_definition(pair, p, q):
    a, b = pair
    exact = brute.index(brute.memberships(a), brute.memberships(b), p, q)
    assert fr.similarity(a, b, index=fr.NDC(p=p, q=q)) == pytest.approx(exact, abs=1e-12)


@given(st.integers(2, 20).flatmap(lambda n: st.tuples(fuzzy(n), hard(n))))
def test_sums_by_sorting(pair):
    memberships, groups = pair
    groups = np.unique(groups, return_inverse=True)[1]
    found = sum_of_distances(memberships, groups)
    all_pairs = within = 0.0
    for i in range(len(groups)):
        for j in range(i):
            distance = np.abs(memberships[i] - memberships[j]).sum()
            all_pairs += distance
            within += distance * (groups[i] == groups[j])
    assert found.all_pairs == pytest.approx(all_pairs, abs=1e-12)
    assert found.within_groups == pytest.approx(within, abs=1e-12)


def test_sums_by_sorting_with_very_many_groups():
    rng = np.random.default_rng(0)
    x = rng.dirichlet(np.ones(3), 3000)
    groups = rng.permutation(np.arange(3000) // 3)  # a thousand groups: the other branch
    within = sum(
        np.abs(x[groups == g][:, None] - x[groups == g][None]).sum() / 2 for g in range(1000)
    )
    assert sum_of_distances(x, groups).within_groups == pytest.approx(within, rel=1e-12)


@pytest.fixture
def always_visit(monkeypatch):
    """Send even small problems through the compiled pass over all pairs."""
    monkeypatch.setattr(pairs_module, "KEPT_PAIRS", 0)
    monkeypatch.setattr("fuzzyrand._discordance.observed.KEPT_PAIRS", 0)
    monkeypatch.setattr("fuzzyrand._laws.laws.KEPT_PAIRS", 0)


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("possibilistic", [False, True])
def test_the_compiled_pass_is_the_definition(always_visit, seed, possibilistic):
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(2, 40)), int(rng.integers(2, 14))
    u, v = (_some_memberships(rng, n, k, possibilistic) for _ in range(2))
    p, q = rng.choice([1.0, 1.0, 2.0, 3.0, np.inf]), rng.choice([1.0, 1.0, 2.0, 1.5])
    c = fr.compare(u, v, index=fr.NDC(p, q), model="perm", possibilistic=possibilistic)
    assert c.observed == pytest.approx(brute.index(u, v, p, q), abs=1e-12)
    assert c.expected == pytest.approx(brute.expected_perm(u, v, p, q), abs=c.error_bound + 1e-12)
    # Powers between 1 and 2 are read off a table of 2^15 cells, which errs by width^q at most.
    assert c.error_bound < (1e-9 if q in (1.0, 2.0) else 1e-5)


def _some_memberships(rng, n, k, possibilistic):
    x = rng.standard_gamma(rng.choice([0.1, 1.0]), size=(n, k)) + 1e-30
    x[rng.random((n, k)) < rng.choice([0.0, 0.5])] = 0.0
    x[x.sum(axis=1) == 0.0, 0] = 1.0
    if possibilistic:
        return np.minimum(x, 1.0)
    one_hot = rng.random(n) < rng.choice([0.0, 0.5])
    x[one_hot] = np.eye(k)[rng.integers(k, size=one_hot.sum())]
    return x / x.sum(axis=1, keepdims=True)


def test_possibilistic_rows_far_apart_agree_by_zero():
    # The rows of a pair differ by 3 in the L1 norm, more than two hard clusters do.
    u = np.array([[1.0, 1.0, 1.0], [0.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    assert fr.similarity(u, [0, 1, 2], possibilistic=True) == pytest.approx(1.0 - 0.5 / 3)


def _large(seed, n, k, share_hard=0.0):
    rng = np.random.default_rng(seed)
    u = rng.dirichlet(np.full(k, 0.3), n)
    v = 0.7 * u + 0.3 * rng.dirichlet(np.ones(k), n)
    one_hot = rng.random(n) < share_hard
    v[one_hot] = np.eye(k)[rng.integers(k, size=one_hot.sum())]
    return u, v


@pytest.mark.parametrize("share_hard", [0.0, 0.6])
def test_sorting_and_visiting_agree_on_many_points(share_hard):
    u, v = _large(1, 3000, 7, share_hard)
    labels = u.argmax(axis=1)
    by_sorting = fr.similarity(labels, v)
    # A power that differs from 1 by rounding only sends the same question through the pairs.
    by_visiting = fr.similarity(labels, v, index=fr.NDC(q=1.0 + 1e-15))
    assert by_sorting == pytest.approx(by_visiting, abs=1e-12)


def test_blocks_of_rows_and_vectorised_reference_agree():
    u, v = _large(2, 2500, 11)
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
    a, b = (
        np.sort(pairs_module.kept_agreements(fr.as_partition(x), NormAgreement())) for x in (u, v)
    )
    passed = np.searchsorted(b, a)
    sums = np.concatenate([[0.0], np.cumsum(b)])
    exact = (a * (2.0 * passed - b.size) + sums[-1] - 2.0 * sums[passed]).mean() / b.size
    bound = c.error_bound * (1 - c.expected) ** 2 / (1 - c.observed)
    assert bound < 1e-9
    assert 1.0 - c.expected == pytest.approx(exact, abs=bound + 1e-12)


@given(st.integers(2, 30_000), st.floats(0, 1), st.integers(1, 500))
def test_no_task_has_more_pairs_than_a_bin_can_count(n, share_hard, columns):
    cost = np.where(np.arange(n) < share_hard * n, 1, columns)
    tasks = pairs_module._balanced_rows(cost, n)
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
    law = fr.Perm().law(Side(partition, fr.NDC(), Effort()))
    exact = fr.NDC().agreement.pair_mean(partition)  # by sorting
    assert law.bracket().inner.mean == pytest.approx(exact, abs=1e-9)


@pytest.mark.parametrize("model", ["perm", "fit", "sym"])
@pytest.mark.parametrize("fixed", [None, "first"])
def test_any_number_of_threads_gives_the_same_answer(model, fixed):
    u, v = _large(3, 2000, 6, 0.3)
    one, two, five = (
        fr.compare(u, v, model=model, fixed=fixed, n_threads=threads) for threads in (1, 2, 5)
    )
    assert one.observed == two.observed == five.observed
    assert one.expected == two.expected == five.expected
    assert one.stderr == two.stderr == five.stderr


def test_sampled_pairs_are_unbiased_and_their_standard_error_is_honest():
    u, v = _large(4, 1500, 5)
    exact = 1.0 - fr.similarity(u, v)
    first, second = fr.as_partition(u), fr.as_partition(v)
    scores = []
    for seed in range(300):
        estimate = Observed(first, second, fr.NDC(), Effort(seed=seed, pairs=4000)).estimate
        assert estimate.draws == 4000
        scores.append((estimate.value - exact) / estimate.stderr)
    scores = np.array(scores)
    assert 0.92 <= (np.abs(scores) < 1.96).mean() <= 0.98
    assert abs(scores.mean()) < 4 / np.sqrt(300)


def test_sampling_is_announced_and_reaches_the_tolerance(monkeypatch):
    u, v = _large(5, 2000, 5)
    exact = fr.compare(u, v, model="perm")
    monkeypatch.setattr("fuzzyrand._base.effort.EXACT_WORK", 1e6)
    with pytest.warns(fr.SampledPairsWarning, match="random pairs"):
        fr.similarity(u, v)
    with pytest.warns(fr.SampledPairsWarning, match='pairs="all"'):
        fr.adjusted_similarity(u, v, model="perm")
    sampled = fr.compare(u, v, model="perm", tol=2e-3)
    assert not sampled.exact
    assert 0.0 < sampled.stderr <= 2e-3
    assert sampled.converged
    assert "random pairs" in str(sampled)
    assert abs(sampled.adjusted - exact.adjusted) < 4 * sampled.stderr
    assert fr.compare(u, v, model="perm", pairs="all").exact


def test_a_given_number_of_pairs():
    u, v = _large(6, 300, 3)
    c = fr.compare(u, v, model="flat", pairs=5000)
    assert c.computed["observed"] == "5,000 random pairs"
    assert fr.compare(u, v, model="flat", pairs=10**6).exact
