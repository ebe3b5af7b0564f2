"""Norms and powers at the ends of their range, against plain definitions in logarithms."""

import itertools
import math

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

import fuzzyrand as fr
from fuzzyrand._distributions.atoms import Atoms
from fuzzyrand.indices.concordances import PowerConcordance

from .. import strategies

PS = [1.0, 1.5, 2.0, 17.9, 18.1, 50.0, 500.0, 1e4, 1e17, 1e308, math.inf]


def norm(differences, p):
    """The p-norm divided by 2^(1/p), without underflow."""
    sizes = [math.log(d) for d in np.abs(differences).tolist() if d > 0.0]
    if not sizes:
        return 0.0
    largest = max(sizes)
    if math.isinf(p):
        return math.exp(largest)
    total = math.fsum(math.exp(p * (size - largest)) for size in sizes)
    return math.exp(largest + math.log(0.5 * total) / p)


def agreements(u, p):
    """The agreement of each pair, by the definition."""
    return [
        max(1.0 - norm(np.subtract(x, y), p), 0.0) for x, y in itertools.combinations(u.tolist(), 2)
    ]


def power_means(a, b, q):
    """Observed and expected discordance, each term with full relative accuracy."""
    observed = math.fsum(abs(x - y) ** q for x, y in zip(a, b, strict=True)) / len(a)
    every = math.fsum(abs(x - y) ** q for x in a for y in b)
    return observed, every / len(a) ** 2


@given(strategies.two_clusterings(kinds=["fuzzy"]), st.sampled_from(PS))
def test_norms_of_any_order(pair, p):
    a, b = (agreements(side, p) for side in pair)
    observed = 1.0 - fr.similarity(*pair, index=fr.NDC(p=p))
    expected = 1.0 - fr.expected_similarity(*pair, index=fr.NDC(p=p), model="perm")
    plain = power_means(a, b, 1.0)
    assert observed == pytest.approx(plain[0], abs=1e-13)
    assert expected == pytest.approx(plain[1], abs=1e-13)


@pytest.mark.parametrize("p", PS)
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_compiled_loops_know_norms_of_any_order(p, form):
    effort = fr.Effort(budget=fr.Budget(numpy_work=0.0, kept_pairs=0))
    rng = np.random.default_rng(1)
    pair = [rng.dirichlet([0.2] * k, 40) for k in (3, 5)]
    a, b = (agreements(side, p) for side in pair)
    plain = power_means(a, b, 1.0)
    index = fr.NDC(p=p)
    c = fr.compare(*map(form, pair), index=index, model="perm", effort=effort)
    assert 1.0 - c.observed == pytest.approx(plain[0], abs=1e-13)
    assert 1.0 - c.expected == pytest.approx(plain[1], abs=1e-8)
    points = fr.explain(*map(form, pair), index=index, model="perm", effort=effort).points
    assert points.mean() == pytest.approx(c.adjusted, abs=1e-12)


@pytest.mark.parametrize("p", PS)
@pytest.mark.parametrize("model", ["perm", "flat"])
def test_with_two_clusters_the_norm_does_not_matter(p, model):
    rng = np.random.default_rng(2)
    u, v = (rng.dirichlet([0.5, 0.8], 30) for _ in range(2))
    plain = fr.compare(u, v, model=model)
    other = fr.compare(u, v, index=fr.NDC(p=p), model=model)
    assert other.adjusted == pytest.approx(plain.adjusted, abs=1e-12)
    assert other.exact


def test_the_norm_of_two_clusters_by_hand():
    rows = [[0.5, 0.5], [0.52, 0.48], [0.5, 0.5], [0.5, 0.5]]
    assert fr.similarity(rows, [0, 0, 0, 0], index=fr.NDC(p=500)) == pytest.approx(0.99)


@given(
    strategies.two_clusterings(kinds=["fuzzy"]), st.sampled_from([1.0, 1.3, 2.0, 3.0, 35.0, 99.9])
)
def test_powers_of_few_differences(pair, q):
    a, b = (agreements(side, 1.0) for side in pair)
    observed, expected = power_means(a, b, q)
    assert 1.0 - fr.similarity(*pair, index=fr.NDC(q=q)) == pytest.approx(observed, abs=1e-13)
    found = 1.0 - fr.expected_similarity(*pair, index=fr.NDC(q=q), model="perm")
    assert found == pytest.approx(expected, abs=1e-13)


@pytest.mark.parametrize("q", [1.1, 1.5, 2.5, 3.0, 4.0, 4.1, 12.0, 35.0, 60.0, 100.0])
@pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (0.2, 0.6), (0.5, 0.5001)])
def test_tables_of_many_differences_keep_their_word(q, low, high):
    """The mean of a power of very different sizes, and its error bound."""
    rng = np.random.default_rng(3)
    a, b = (low + (high - low) * rng.beta(0.7, 0.4, size) for size in (3000, 2500))
    found, bound = PowerConcordance(q).mean_between(Atoms.of_sample(a), Atoms.of_sample(b))
    plain = float(np.mean([(np.abs(x - b) ** q).mean() for x in a]))
    assert abs(found - plain) <= bound + 1e-12 * plain
    assert bound <= 1e-4 * plain


@pytest.mark.parametrize("q", [1.5, 3.0, 20.0, 60.0])
def test_curves_of_powers_keep_their_word(q):
    rng = np.random.default_rng(4)
    values, at = rng.beta(0.5, 0.7, 500), rng.random(200)
    plain = (np.abs(at[:, None] - values[None, :]) ** q).mean(axis=1)
    curve, bound = Atoms.of_sample(values).curve(q)
    assert np.abs(curve(at) - plain).max() <= bound
    assert (curve(at) >= 0.0).all()


@pytest.mark.parametrize("model", ["perm", "fit", "flat"])
def test_no_power_gives_an_impossible_expectation(model):
    rng = np.random.default_rng(5)
    u, v = (rng.dirichlet([0.3] * 3, 200) for _ in range(2))
    before = 0.0
    for q in (1.0, 8.0, 35.0, 60.0):
        c = fr.compare(u, v, index=fr.NDC(q=q), model=model, tol=0.05)
        assert before < c.expected < 1.0  # powers of numbers below 1 fall with q
        before = c.expected


@pytest.mark.parametrize("wrong", [0.99, 100.5, math.inf, math.nan, "2", None, True])
def test_powers_out_of_range(wrong):
    with pytest.raises(fr.ParameterError, match="NDC needs q"):
        fr.NDC(q=wrong)
