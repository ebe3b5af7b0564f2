"""Tests and intervals of indices of contingency tables."""

import numpy as np
import pytest
from scipy import stats
from scipy.special import xlogy

import fuzzyrand as fr


def entropy(shares):
    return -xlogy(shares, shares).sum()


def population(sizes, kept):
    """The table of labels that are kept with a probability, and otherwise random."""
    sizes = np.array(sizes)
    return sizes[:, None] * (kept * np.eye(sizes.size) + (1.0 - kept) * sizes)


def sample(rng, table, n):
    return np.divmod(rng.choice(table.size, size=n, p=table.ravel()), table.shape[1])


@pytest.mark.parametrize("model", ["perm", "cat", "num", "fit"])
@pytest.mark.parametrize("index", ["mi", "vi", "fm", "jaccard", "accuracy"])
def test_one_call_for_every_index(index, model):
    rng = np.random.default_rng(0)
    a, b = sample(rng, population([0.5, 0.3, 0.2], 0.6), 60)
    test = fr.significance(a, b, index=index, model=model, draws=99)
    assert test.pvalue <= 0.02
    interval = fr.confidence_interval(a, b, index=index, model=model, tol=0.01)
    assert interval.low < interval.adjusted < interval.high
    assert interval.low > 0.0


def test_intervals_say_that_chance_depends_on_the_number_of_points():
    rng = np.random.default_rng(0)
    a, b = sample(rng, population([0.05] * 20, 0.6), 200)

    def said(index):
        return " ".join(fr.confidence_interval(a, b, index=index).notes)

    assert "The interval is for samples of this size." in said("mi")
    assert "samples of this size" not in said("vi")
    a, b = sample(rng, population([0.5, 0.5], 0.6), 200)
    assert "samples of this size" not in said("mi")


@pytest.mark.simulation
@pytest.mark.parametrize(("index", "kinds"), [("mi", "hard"), ("mi", "fuzzy"), ("fm", "hard")])
def test_pvalues_of_unrelated_clusterings_are_uniform(index, kinds):
    rng = np.random.default_rng(1)

    def one():
        if kinds == "hard":
            pair = rng.integers(3, size=50), rng.integers(4, size=50)
        else:
            pair = rng.dirichlet([0.5] * 3, 50), rng.dirichlet([0.5] * 4, 50)
        # A p-value of discrete values is spread over the ties.
        test = fr.significance(*pair, index=index, draws=199, random_state=rng)
        return test.pvalue - rng.random() / 200 if kinds == "fuzzy" else test.pvalue

    values = np.array([one() for _ in range(300)])
    if kinds == "fuzzy":
        assert stats.kstest(values, "uniform").pvalue > 0.01
    for level in (0.05, 0.2):
        assert stats.binomtest(int((values <= level).sum()), 300, level, "greater").pvalue > 0.01


POPULATIONS = {
    "k=2, chance": ([0.5, 0.5], 0.0, 100),
    "k=2, weak": ([0.5, 0.5], 0.3, 100),
    "k=2, strong": ([0.5, 0.5], 0.7, 60),
    "k=2, uneven": ([0.9, 0.1], 0.4, 200),
    "k=3": ([0.5, 0.3, 0.2], 0.2, 200),
    "k=3, nearly perfect": ([0.4, 0.3, 0.3], 0.95, 200),
    "k=5": ([0.2] * 5, 0.5, 300),
    "k=10": ([0.1] * 10, 0.3, 800),
}


@pytest.mark.simulation
@pytest.mark.parametrize("name", POPULATIONS)
def test_intervals_of_information_cover(name):
    """At least 92%, judged by a one-sided binomial test."""
    sizes, kept, n = POPULATIONS[name]
    table = population(sizes, kept)
    first, second = table.sum(axis=1), table.sum(axis=0)
    mean = 0.5 * (entropy(first) + entropy(second))
    truth = (2.0 * mean - entropy(table)) / mean
    rng = np.random.default_rng(7)
    covered = 0
    for _ in range(250):
        interval = fr.confidence_interval(*sample(rng, table, n), index="mi")
        covered += interval.low <= truth <= interval.high
    assert stats.binomtest(covered, 250, 0.92, "less").pvalue > 0.02, covered / 250
