"""The expected index: against brute force, for every kind of pair of laws; honest errors."""

import itertools

import numpy as np
import pytest
from hypothesis import given

import fuzzyrand as fr
from fuzzyrand._base.effort import Effort
from fuzzyrand._discordance.expected import _by_sampling, expected_discordance
from fuzzyrand._distributions.rows import Dirichlet
from fuzzyrand._laws.side import Side
from fuzzyrand.indices import NDC
from fuzzyrand.indices.concordances import PowerConcordance

from .. import brute
from ..strategies import two_clusterings

TOY = fr.toy_clusterings()
ABSOLUTE = PowerConcordance()


@given(two_clusterings())
def test_perm_is_the_mean_over_all_cross_pairs(pair):
    u, v = (brute.one_hot(x) if np.ndim(x) == 1 else x for x in pair)
    exact = brute.expected_perm(u, v)
    for fixed in (None, "first", "second"):
        ours = fr.expected_similarity(*pair, model="perm", fixed=fixed)
        assert ours == pytest.approx(exact, abs=1e-12)


def test_perm_is_the_mean_over_all_permutations():
    rng = np.random.default_rng(0)
    u, v = brute.dirichlet_rows(rng, [0.5] * 3, 5), brute.dirichlet_rows(rng, [1.0] * 2, 5)
    exact = brute.expected_by_shuffling(u, v)
    assert fr.expected_similarity(u, v, model="perm") == pytest.approx(exact, abs=1e-12)


def _brute_law(clustering, model, fixed, rng, size):
    """Agreements of random pairs on one side, drawn the plain way."""
    matrix = np.asarray(clustering, dtype=float)
    k = matrix.shape[1]
    partition = fr.as_partition(clustering)
    if fixed:
        return rng.choice(brute.agreements(matrix), size=size)
    if model == "flat":
        return brute.dirichlet_agreements(rng, np.ones(k), size)
    rows = (fr.Fit() if model == "fit" else fr.Sym()).rows(partition, Effort())
    if partition.is_hard:
        draws = rng.choice(k, size=(2, size), p=rows.p)
        return (draws[0] == draws[1]).astype(float)
    return brute.dirichlet_agreements(rng, rows.alpha, size)


@pytest.mark.parametrize("model", ["fit", "sym", "flat"])
@pytest.mark.parametrize("fixed", [None, "first", "second"])
def test_every_toy_pair_by_brute_force(model, fixed):
    rng = np.random.default_rng(0)
    for a, b in itertools.combinations(TOY, 2):
        c = fr.compare(TOY[a], TOY[b], model=model, fixed=fixed)
        one = _brute_law(TOY[a], model, fixed == "first", rng, 200_000)
        two = _brute_law(TOY[b], model, fixed == "second", rng, 200_000)
        sample = 1.0 - np.abs(one - two)
        noise = np.hypot(sample.std() / np.sqrt(sample.size), c.computed["expected_stderr"])
        assert abs(sample.mean() - c.expected) < 4 * noise + 1e-12, (a, b)


@pytest.mark.parametrize("p", [1.0, 2.0])
@pytest.mark.parametrize("q", [1.0, 1.5, 2.0])
@pytest.mark.parametrize("fixed", [None, "first"])
def test_general_ndc_by_brute_force(p, q, fixed):
    rng = np.random.default_rng(1)
    u, v = brute.dirichlet_rows(rng, [0.5] * 4, 30), brute.dirichlet_rows(rng, [1.0, 2.0, 0.5], 30)
    labels = rng.integers(3, size=30)
    for first, second in ((u, v), (labels, v), (u, labels)):
        c = fr.compare(first, second, index=NDC(p, q), model="sym", fixed=fixed, tol=2e-3)
        samples = []
        for side, clustering in (("first", first), ("second", second)):
            matrix = brute.one_hot(clustering) if np.ndim(clustering) == 1 else clustering
            k = matrix.shape[1]
            if fixed == side:
                samples.append(rng.choice(brute.agreements(matrix, p), size=200_000))
            elif np.ndim(clustering) == 1:
                samples.append((rng.random(200_000) < 1 / k).astype(float))
            else:
                alpha = fr.Sym().rows(fr.as_partition(matrix), Effort()).alpha
                samples.append(brute.dirichlet_agreements(rng, alpha, 200_000, p))
        sample = 1.0 - np.abs(samples[0] - samples[1]) ** q
        noise = np.hypot(sample.std() / np.sqrt(sample.size), c.computed["expected_stderr"])
        assert abs(sample.mean() - c.expected) < 4 * noise + 1e-6


def _fuzzy_pair(seed, alpha1, alpha2, n=80):
    rng = np.random.default_rng(seed)
    return brute.dirichlet_rows(rng, alpha1, n), brute.dirichlet_rows(rng, alpha2, n)


COVERED = {
    "flat-like": _fuzzy_pair(1, [1.0] * 3, [1.0] * 3),
    "sharp": _fuzzy_pair(2, [0.2] * 3, [0.1, 0.3, 0.4, 0.1]),
    "blurred": _fuzzy_pair(3, [20.0] * 4, [30.0, 10.0, 10.0]),
    "sharp with blurred": _fuzzy_pair(4, [0.3] * 3, [40.0] * 3),
    "many clusters": _fuzzy_pair(5, [0.3] * 12, [0.5] * 10),
    "uneven": _fuzzy_pair(6, [3.0, 0.3, 0.3, 0.1], [0.2, 4.0, 0.5]),
    # Nearly one-hot rows: what is left after the controls is tiny, and bilinear or rare.
    "nearly hard": tuple(
        Dirichlet(np.array(alpha)).sample(np.random.default_rng(8), 200)
        for alpha in ([0.01, 0.005, 0.005], [0.004, 0.004, 0.01, 0.002])
    ),
    "two with five": _fuzzy_pair(7, [0.5, 0.8], [0.7] * 5),
}


@pytest.mark.parametrize("name", COVERED)
def test_standard_errors_cover(name):
    u, v = (fr.as_partition(x) for x in COVERED[name])
    laws = [fr.Fit().law(Side(x, NDC(), Effort())) for x in (u, v)]
    found = [
        expected_discordance(*laws, ABSOLUTE, lambda _: 1.0, Effort(seed=seed, threads=1))
        for seed in range(200)
    ]
    # A run long enough to pass for the truth.
    goal = min(estimate.stderr for estimate in found) / 6
    truth = _by_sampling(*laws, ABSOLUTE, lambda _: goal, Effort(seed=10**6, max_draws=10**8))
    assert truth.stderr <= goal
    scores = [(estimate.value - truth.value) / estimate.stderr for estimate in found]
    # Of 200, 95% are covered but for 1.5%.
    assert 0.91 <= (np.abs(scores) < 1.96).mean() <= 0.985


def test_standard_errors_cover_where_draws_go_on_until_the_tolerance():
    u, v = COVERED["uneven"]
    exact = fr.compare(u, v, model="sym", tol=1e-4, max_draws=10**8)
    scores = []
    for seed in range(100):
        c = fr.compare(u, v, model="sym", tol=1e-3, random_state=seed)
        assert c.stderr <= 1e-3
        scores.append((c.adjusted - exact.adjusted) / c.stderr)
    assert 0.88 <= (np.abs(scores) < 1.96).mean() <= 1.0
    assert 0.7 < np.std(scores) < 1.3


def test_the_limit_on_draws_is_respected_and_said():
    u, v = COVERED["flat-like"]
    c = fr.compare(u, v, model="fit", tol=1e-7, max_draws=100_000)
    assert not c.converged
    assert "not reached" in str(c)
    assert c.stderr > 1e-7


def test_the_default_seed_is_fixed_and_others_differ():
    u, v = COVERED["uneven"]
    assert fr.compare(u, v) == fr.compare(u, v)
    assert fr.compare(u, v, random_state=1).expected != fr.compare(u, v).expected
    rng = np.random.default_rng(5)
    assert fr.compare(u, v, random_state=rng).expected != fr.compare(u, v).expected
    assert fr.compare(u, v, random_state=None).stderr <= 5e-4


@pytest.mark.parametrize("seed", range(3))
def test_two_clusters_need_no_sampling(seed):
    rng = np.random.default_rng(seed)
    u, v = _fuzzy_pair(seed, rng.uniform(0.05, 3, 2), rng.uniform(0.05, 3, 2))
    for fixed in (None, "first", "second"):
        for model in ("fit", "sym", "flat"):
            c = fr.compare(u, v, model=model, fixed=fixed)
            assert c.exact
            assert c.error_bound < 1e-9
    exact = fr.compare(u, v, model="fit")
    laws = [fr.Fit().law(Side(fr.as_partition(x), NDC(), Effort())) for x in (u, v)]
    for law in laws:
        law.__dict__["continuous"] = None  # make it draw
    sampled = _by_sampling(*laws, ABSOLUTE, lambda _: 1e-4, Effort())
    assert abs((1 - sampled.value) - exact.expected) < 4 * sampled.stderr
    one_sided = fr.compare(u, v, model="fit", fixed="second")
    a = brute.dirichlet_agreements(rng, exact.laws[0]["concentrations"], 10**6)
    b = rng.choice(brute.agreements(v), size=10**6)
    sample = 1 - np.abs(a - b)
    assert abs(sample.mean() - one_sided.expected) < 4 * sample.std() / 1000


@pytest.mark.parametrize("k", [2, 16, 128])
@pytest.mark.parametrize(("precision", "largest"), [(1.0, 0.02), (5.0, 0.02), (0.1, 0.05)])
def test_pure_noise_scores_zero(k, precision, largest):
    large = max(1, int(0.8 * k))
    alpha = np.r_[np.full(large, 0.8 / large), np.full(k - large, 0.2 / (k - large))] * precision
    rng = np.random.default_rng(k)
    rows = Dirichlet(alpha)
    scores = [
        fr.adjusted_similarity(rows.sample(rng, 500), rows.sample(rng, 500), model="fit", tol=2e-3)
        for _ in range(20)
    ]
    assert abs(np.mean(scores)) < largest
