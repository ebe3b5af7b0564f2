"""Whether p-values are uniform on noise and intervals cover: hundreds of samples for each setting.

``make simulations`` runs these, and so does CI. The bounds are those of the noise of the samples.
"""

from functools import cache

import numpy as np
import pytest
from scipy import stats

import fuzzyrand as fr
from fuzzyrand._clusterings.treatment import Cut, Largest, Rounded

pytestmark = pytest.mark.simulation

REPEATS = 300


def hard(rng, n, k):
    return rng.integers(k, size=n)


def soft(rng, n, k, precision):
    return rng.dirichlet(np.full(k, precision / k), n)


NOISE = {
    "perm, hard and hard": (49, {}, lambda r: (hard(r, 60, 4), hard(r, 60, 3))),
    "perm, many small clusters": (49, {}, lambda r: (hard(r, 50, 20), hard(r, 50, 20))),
    "perm, hard and fuzzy": (49, {}, lambda r: (hard(r, 60, 3), soft(r, 60, 3, 2.0))),
    "perm, brouwer": (49, {"index": "brouwer"}, lambda r: (hard(r, 60, 3), soft(r, 60, 3, 2.0))),
    "perm, fuzzy and fuzzy": (39, {}, lambda r: (soft(r, 30, 4, 1.0), soft(r, 30, 3, 3.0))),
    "perm, jousselme": (
        49,
        {"index": "jousselme"},
        lambda r: (soft(r, 40, 4, 1.0), soft(r, 40, 3, 3.0)),
    ),
    "fit, many small clusters": (
        49,
        {"model": "fit"},
        lambda r: (hard(r, 50, 20), hard(r, 50, 20)),
    ),
    "fit, hard and nearly hard": (
        19,
        {"model": "fit"},
        lambda r: (hard(r, 50, 5), soft(r, 50, 20, 0.1)),
    ),
    "fit, first fixed": (
        19,
        {"model": "fit", "fixed": "first"},
        lambda r: (hard(r, 50, 5), soft(r, 50, 5, 2.0)),
    ),
    "fit, nearly hard": (
        19,
        {"model": "fit"},
        lambda r: (soft(r, 50, 20, 0.1), soft(r, 50, 20, 0.1)),
    ),
    "sym, hard and fuzzy": (
        19,
        {"model": "sym"},
        lambda r: (hard(r, 50, 5), soft(r, 50, 5, 2.0)),
    ),
    "sym, fuzzy and fuzzy": (
        19,
        {"model": "sym"},
        lambda r: (soft(r, 40, 2, 2.0), soft(r, 40, 2, 2.0)),
    ),
}


@pytest.mark.parametrize("name", NOISE)
def test_pvalues_of_noise_are_uniform(name):
    draws, options, pair = NOISE[name]
    ranks = []
    for seed in range(REPEATS):
        rng = np.random.default_rng(seed)
        a, b = pair(rng)
        found = fr.significance(a, b, draws=draws, random_state=seed, **options)
        assert found.draws == draws  # so few that it never stops early
        # The p-value counts ties as extreme; to be uniform, they are broken at random.
        above = np.count_nonzero(found.null > found.tested + 1e-9)
        ties = np.count_nonzero(np.abs(found.null - found.tested) <= 1e-9)
        assert found.pvalue == pytest.approx((1 + above + ties) / (1 + draws))
        ranks.append((above + rng.random() * (1 + ties)) / (1 + draws))
    assert stats.kstest(ranks, "uniform").pvalue > 1e-3


@pytest.mark.slow
@pytest.mark.parametrize(
    "treatment", [Rounded(2), Cut(0.05), Largest(3)], ids=lambda t: type(t).__name__
)
def test_noise_that_was_rounded_or_cut_is_rejected_as_often_as_other_noise(treatment):
    """Taken for cut at 0.01, rounded noise was rejected in a third of all cases, as too unlike."""
    repeats, draws, level = 200, 39, 0.05
    rejected = np.zeros(2)
    for seed in range(repeats):
        rng = np.random.default_rng(seed)
        pair = [treatment.applied(soft(rng, 200, 5, 2.0), axis=1) for _ in range(2)]
        found = fr.significance(
            *pair, model="fit", alternative="less", draws=draws, random_state=seed
        )
        below, above = (found.null <= found.tested).sum(), (found.null >= found.tested).sum()
        assert found.pvalue == pytest.approx((1 + below) / (1 + draws))
        # With the other alternative, the same draws are counted on the other side.
        rejected += [(1 + extreme) / (1 + draws) <= level for extreme in (below, above)]
    low, high = stats.binom(repeats, level).ppf([0.001, 0.999])
    assert (rejected >= low).all()
    assert (rejected <= high).all()


def sample(kinds, k, noise, rng, n):
    """Draw points with a true cluster, and two clusterings that find it with some noise."""
    truth = rng.integers(k, size=n)

    def clustering(kind):
        if kind == "hard":
            return np.where(rng.random(n) < noise, rng.integers(k, size=n), truth)
        clear = 0.7 * (1.0 - noise)
        return clear * np.eye(k)[truth] + (1.0 - clear) * rng.dirichlet(np.full(k, 0.7), n)

    return [clustering(kind) for kind in kinds]


@cache
def population_value(kinds, k, noise, options):
    """Return the adjusted index of very many points."""
    options = dict(options)
    n = 20_000 if "hard" in kinds else 4_000
    values = []
    for seed in range(4):
        a, *others = sample(kinds, k, noise, np.random.default_rng(10**6 + seed), n)
        each = [fr.compare(a, b, tol=3e-4, **options).adjusted for b in others]
        values.append(each[0] if len(each) == 1 else each[0] - each[1])
    return np.mean(values)


def coverage(kinds, k, noise, options, n, repeats=500):
    truth = population_value(kinds, k, noise, tuple(options.items()))
    covered = 0
    for seed in range(repeats):
        a, *others = sample(kinds, k, noise, np.random.default_rng(seed), n)
        b = others[0] if len(others) == 1 else tuple(others)
        low, high = fr.confidence_interval(a, b, tol=3e-3, **options)
        covered += low <= truth <= high
    return covered / repeats


SETTINGS = [
    (("hard", "hard"), 3, 0.2, {"model": "perm"}),
    (("hard", "hard"), 8, 0.6, {"model": "perm"}),
    (("hard", "hard"), 3, 0.2, {"model": "num"}),
    (("hard", "hard"), 3, 0.4, {"model": "cat", "fixed": "first"}),
    (("hard", "fuzzy"), 3, 0.2, {"model": "perm"}),
    (("hard", "fuzzy"), 8, 0.6, {"model": "perm"}),
    (("hard", "fuzzy"), 3, 0.2, {"model": "fit"}),
    (("hard", "fuzzy"), 3, 0.4, {"model": "flat"}),
    (("fuzzy", "fuzzy"), 3, 0.2, {"model": "perm"}),
    (("fuzzy", "fuzzy"), 8, 0.6, {"model": "perm"}),
    (("fuzzy", "fuzzy"), 3, 0.4, {"model": "fit"}),
    (("fuzzy", "fuzzy"), 2, 0.2, {"model": "sym"}),
]


# Under other models than perm the wider of two intervals is taken, which covers more where points
# are few.
@pytest.mark.parametrize(("n", "low", "high"), [(60, 0.90, 0.995), (200, 0.92, 0.975)])
@pytest.mark.parametrize(("kinds", "k", "noise", "options"), SETTINGS, ids=str)
def test_intervals_cover(kinds, k, noise, options, n, low, high):
    assert low <= coverage(kinds, k, noise, options, n) <= high


@pytest.mark.parametrize(
    ("kinds", "k", "noise", "options"),
    [
        (("hard", "hard", "hard"), 3, 0.3, {"model": "perm"}),
        (("hard", "hard", "fuzzy"), 3, 0.3, {"model": "perm"}),
        (("hard", "fuzzy", "fuzzy"), 4, 0.3, {"model": "fit", "fixed": "first"}),
        (("fuzzy", "fuzzy", "fuzzy"), 3, 0.3, {"model": "perm"}),
    ],
    ids=str,
)
def test_intervals_of_differences_cover(kinds, k, noise, options):
    assert 0.92 <= coverage(kinds, k, noise, options, 200) <= 0.975
