"""Whether data are more stable than data without clusters, and for which number of clusters."""

import math

import numpy as np
import pytest
from scipy import stats

from fuzzyrand._methods.stability.choice import choose as choose_by
from fuzzyrand._methods.stability.choice import pvalue
from fuzzyrand._methods.stability.excess import difference_stderr


def choose(scores, reference):
    """Choose among numbers of clusters."""
    return choose_by(scores, reference, {k: k for k in scores})


def around(mean, spread=0.02, size=20, seed=0):
    return np.clip(np.random.default_rng(seed).normal(mean, spread, size), -1.0, 1.0)


def sets(mean, spread=0.05, seed=1):
    return around(mean, spread, 40, seed).reshape(20, 2)


def test_the_pvalue_is_that_of_log_instability():
    values, reference = around(0.9), sets(0.7)
    u = 1.0 - reference.mean(axis=1)
    variance = u.var(ddof=1) * (1 + 1 / 20)
    s = math.sqrt(math.log(1 + variance / u.mean() ** 2))
    z = (math.log(u.mean()) - s * s / 2 - math.log(1 - values.mean())) / s
    assert pvalue(values, reference) == pytest.approx(stats.t(19).sf(z), rel=1e-9)


@pytest.mark.parametrize("mean", [0.3, 0.7, 0.95])
def test_pvalues_are_about_uniform_or_too_large_where_nothing_differs(mean):
    """Data sets with an instability of their own, whose repeats differ as well."""
    rng = np.random.default_rng(int(100 * mean))

    def values_of(sets, repeats):
        between = (1 - mean) * rng.lognormal(-0.08, 0.4, size=(sets, 1))
        return 1.0 - between * rng.gamma(4.0, 0.25, size=(sets, repeats))

    pvalues = np.array([pvalue(values_of(1, 20)[0], values_of(20, 2)) for _ in range(2000)])
    for level in (0.025, 0.1):
        assert np.mean(pvalues <= level) <= level + 3 * math.sqrt(level * (1 - level) / 2000)
    assert np.mean(pvalues <= 0.2) > 0.05  # not so conservative that nothing is ever found


def test_perfectly_stable_values_stand_out_unless_reference_data_are_as_stable():
    ones = np.ones(20)
    assert pvalue(ones, sets(0.8)) < 1e-6
    assert pvalue(ones, np.ones((20, 2))) == 1.0
    assert pvalue(np.full(20, 0.5), np.ones((20, 2))) == 1.0
    assert pvalue(ones, np.full((20, 2), 0.75)) == 0.0
    assert pvalue(np.full(20, 0.7), np.full((20, 2), 0.75)) == 1.0


def test_missing_values():
    nan = np.full(20, np.nan)
    assert math.isnan(pvalue(nan, sets(0.5)))
    assert math.isnan(pvalue(around(0.9), np.full((20, 2), np.nan)))
    assert math.isnan(pvalue(around(0.9), sets(0.5)[:4]))
    holes = around(0.9)
    holes[3] = np.nan
    assert pvalue(holes, sets(0.5)) == pvalue(np.delete(holes, 3), sets(0.5))
    choice = choose({2: nan, 3: around(0.9)}, {2: sets(0.5), 3: sets(0.5)})
    assert (choice.most_stable, choice.best) == (3, 3)
    assert choose({2: nan}, None).most_stable is None


def test_the_largest_excess_is_best():
    scores = {2: around(0.97), 3: around(0.9), 4: around(0.8)}
    reference = {2: sets(0.96, 0.02), 3: sets(0.5), 4: sets(0.5)}
    choice = choose(scores, reference)
    assert (choice.most_stable, choice.best) == (2, 3)
    assert choose(scores, None).best is None
    assert choose(scores, None).pvalue is None


def test_one_hypothesis_one_pvalue():
    scores = {2: around(0.97), 3: around(0.9), 4: around(0.8)}
    choice = choose(scores, {k: sets(0.85) for k in scores})
    assert choice.pvalue == pytest.approx(stats.hmean([*choice.pvalues.values()]))
    same = choose(scores, {k: sets(values.mean()) for k, values in scores.items()})
    assert same.pvalue > 0.3
    assert same.best is None
    certain = choose({2: np.ones(20), 3: around(0.5)}, {2: np.full((20, 2), 0.75), 3: sets(0.5)})
    assert (certain.pvalue, certain.best) == (0.0, 2)


def test_of_equals_the_larger_number_is_best():
    scores = {2: np.ones(20), 4: np.full(20, 0.998), 5: np.full(20, 0.98)}
    choice = choose(scores, {k: sets(0.7) for k in scores})
    assert choice.best == choice.most_stable == 4


def test_what_is_less_than_half_way_is_not_stable():
    choice = choose({2: around(0.45)}, {2: sets(0.1, 0.02)})
    assert choice.pvalue < 1e-3
    assert choice.best is None


def test_within_one_standard_error_of_the_largest_excess_the_most_stable_is_best():
    """Twelve clusters have an excess that is larger by 0.012; ten are more stable."""

    def centred(values, mean):
        return values - values.mean() + mean

    scores = {10: centred(around(0.5, 0.08), 0.77), 12: centred(around(0.5, 0.08, seed=3), 0.75)}
    reference = {10: centred(sets(0.5), 0.39), 12: centred(sets(0.5, seed=2), 1 - 0.25 / 0.365)}
    choice = choose(scores, reference)
    assert (choice.best, choice.most_stable) == (10, 10)
    assert list(choice.candidates) == [12, 10]
    assert choice.candidates[10] == difference_stderr(10, 12, scores, reference) > 0.012
    # A hundred times as many repeats make the difference clear.
    many = {k: np.tile(values, 100) for k, values in scores.items()}
    more = {k: np.tile(values, (100, 1)) for k, values in reference.items()}
    assert choose(many, more).best == 12
    assert choose(many, more).most_stable == 10


def test_the_error_of_a_difference_is_that_of_repeated_runs():
    """Repeats and reference data sets are shared by all k, as they are by stability()."""
    rng = np.random.default_rng(1)
    differences, errors = [], []
    for _ in range(400):
        easy, hard = rng.normal(0.0, 0.05, (1, 20)), rng.normal(0.0, 0.06, (20, 1))
        scores = {
            k: (mean + easy + rng.normal(0, 0.03, (1, 20)))[0] for k, mean in ((2, 0.8), (3, 0.75))
        }
        reference = {
            k: mean + hard + rng.normal(0, 0.05, (20, 2)) for k, mean in ((2, 0.6), (3, 0.5))
        }
        excess = {k: 1 - (1 - scores[k].mean()) / (1 - reference[k].mean()) for k in scores}
        differences.append(excess[2] - excess[3])
        errors.append(difference_stderr(2, 3, scores, reference))
    # The standard deviation of 400 differences has an error of 1/sqrt(800), 3.5%.
    assert np.mean(errors) == pytest.approx(np.std(differences), rel=0.12)


def test_repeats_and_sets_without_a_value_are_left_out_of_the_error():
    scores, reference = {2: around(0.9), 3: around(0.8, seed=3)}, {2: sets(0.5), 3: sets(0.4)}
    whole = difference_stderr(2, 3, scores, reference)
    holes = {k: values.copy() for k, values in scores.items()}
    holes[2][4] = np.nan
    assert difference_stderr(2, 3, holes, reference) == pytest.approx(whole, rel=0.3)
    nothing = {2: np.ones((20, 2)), 3: np.ones((20, 2))}
    assert difference_stderr(2, 3, scores, nothing) == 0.0


def test_values_with_as_many_clusters_are_chosen_from_their_middle():
    scores = {eps: np.ones(20) for eps in (0.1, 0.2, 0.3, 0.4, 0.5)}
    reference = {eps: sets(0.5) for eps in scores}
    choice = choose_by(scores, reference, {0.1: 2, 0.2: 4, 0.3: 4, 0.4: 4, 0.5: 3})
    assert choice.best == choice.most_stable == 0.3
    words = {"ward": np.ones(20), "single": around(0.5)}
    assert choose_by(words, None, {"ward": 3, "single": 5}).most_stable == "ward"


def test_reference_data_in_which_nothing_was_found():
    """Their instability is at its limit, and a few data sets with something are a long tail."""
    nothing = np.zeros((20, 2))
    assert pvalue(np.full(20, 0.9), nothing) == pytest.approx(1 / 21)
    few = nothing.copy()
    few[:3] = [[0.6, 0.5], [0.2, 0.3], [0.7, 0.8]]
    assert pvalue(np.full(20, 0.8), few) == pytest.approx(4 / 21)
    assert pvalue(np.zeros(20), few) == 1.0
    half = np.vstack([sets(0.5)[:10], nothing[:10]])
    assert pvalue(np.full(20, 0.9), half) == 11 / 21 * pvalue(np.full(20, 0.9), half[:10])
    # What was drawn in the same way is called unusual as seldom as it should be.
    rng = np.random.default_rng(0)

    def some(size, repeats):
        found = rng.random((size, 1)) < 0.3
        spots = rng.beta(4, 2, size=(size, 1)) + rng.normal(0, 0.1, size=(size, repeats))
        return np.where(found, spots.clip(0, 1), 0.0)

    pvalues = np.array([pvalue(some(1, 20)[0], some(20, 2)) for _ in range(500)])
    assert np.mean(pvalues <= 0.05) <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 500)
