"""Spread, skewness and steps of the discordance under permutations."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fuzzyrand as fr
from fuzzyrand._analysis.permutations.moments import permutation_moments
from fuzzyrand._analysis.permutations.shape import null_shape

from ...strategies import fuzzy, hard
from .plain_null import discordances, permutations, sides_of, some_pair


def skewness_of(values):
    centred = values.mean() - values  # of minus the discordance
    return (centred**3).mean() / (centred**2).mean() ** 1.5


@pytest.mark.parametrize("n", [2, 3, 4, 5, 6, 7])
@pytest.mark.parametrize(("name", "kinds"), [("ndc", "hh"), ("ndc", "hf"), ("brouwer", "ff")])
@settings(max_examples=10)
@given(data=st.data())
def test_linear_discordances_have_the_moments_of_all_permutations(name, kinds, n, data):
    pair = [data.draw(hard(n) if kind == "h" else fuzzy(n)) for kind in kinds]
    found = null_shape(sides_of(name, *pair))
    all_values = discordances(name, *pair, permutations(n))
    assert found.sd == pytest.approx(all_values.std(), rel=1e-6, abs=1e-7)
    if all_values.std() > 1e-4:
        assert found.skewness == pytest.approx(skewness_of(all_values), rel=1e-5, abs=1e-6)


@pytest.mark.parametrize("seed", range(3))
def test_other_discordances_have_about_the_skewness_of_shuffles(seed):
    """Two fuzzy sides under |a - b|, which is not linear in the product of a and b."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(3, size=(2, 40))
    pair = [0.7 * np.eye(3)[x] + 0.3 * rng.dirichlet([1, 1, 1], 40) for x in labels]
    found, exact = null_shape(sides_of("ndc", *pair)), permutation_moments(sides_of("ndc", *pair))
    assert found.sd == pytest.approx(exact.variance**0.5)
    shuffles = discordances("ndc", *pair, [rng.permutation(40) for _ in range(4000)])
    assert found.skewness == pytest.approx(skewness_of(shuffles), abs=0.35)


@pytest.mark.parametrize("kinds", ["hf", "ff"])
def test_a_part_of_the_points_represents_many(kinds):
    pair = some_pair(kinds, 0, 1000)
    part = null_shape(sides_of("ndc", *pair))
    whole = null_shape(sides_of("ndc", *pair, budget=fr.Budget(shape_points=1000)))
    assert part.sd == pytest.approx(whole.sd, rel=0.05)
    assert part.skewness == pytest.approx(whole.skewness, rel=0.2)
    assert part.step == pytest.approx(whole.step, rel=0.2)


def test_steps_are_those_of_rare_clusters():
    """A point that two rare clusters share changes the discordance by its influence."""
    rare = np.repeat([0, 1], [190, 10])
    even = np.tile([0, 1], 100)
    assert null_shape(sides_of("ndc", rare, even)).step == pytest.approx(0.0, abs=1e-12)
    found = null_shape(sides_of("ndc", rare, np.roll(rare, 50)))
    together = (190 * 189 + 10 * 9) / (200 * 199)
    assert found.step == pytest.approx(4 / 200 * (9 / 199 - together) ** 2)
    assert found.of_pairs < 0.5
    assert null_shape(sides_of("ndc", even, np.roll(even, 1))).of_pairs > 0.95


def test_one_cluster_has_no_spread():
    labels, soft = some_pair("hf", 3, 60)
    for other in (labels, soft):
        assert null_shape(sides_of("ndc", np.zeros(60, int), other)).sd == 0.0
        assert null_shape(sides_of("ndc", other, np.tile([0.5, 0.5], (60, 1)))).sd == 0.0
