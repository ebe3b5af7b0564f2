"""Random permutations, and what a model is called."""

import numpy as np
import pytest
from hypothesis import given
from sklearn.metrics import adjusted_rand_score, rand_score

import fuzzyrand as fr

from ..strategies import two_clusterings

TOY = fr.toy_clusterings()


def test_models_are_named_with_their_options():
    c = fr.compare(TOY["even_hard"], TOY["high_fuzzy"], model=fr.Fit(estimator="moments"))
    assert c.model == "fit(estimator='moments')"
    assert fr.Fit(zeros="censored") == fr.Fit()
    assert fr.compare(TOY["even_hard"], TOY["high_fuzzy"], model=fr.Flat).model == "flat"


@given(two_clusterings(kinds=("hard",)))
def test_perm_is_the_adjusted_rand_index(pair):
    a, b = pair
    assert fr.similarity(a, b, index="rand") == pytest.approx(rand_score(a, b), abs=1e-12)
    ours = fr.adjusted_similarity(a, b, model="perm")
    assert ours == pytest.approx(adjusted_rand_score(a, b), abs=1e-12)


@pytest.mark.parametrize("n", [1_000, 100_000, 1_000_000])
@pytest.mark.parametrize(("k1", "k2"), [(2, 2), (10, 12), (1, 5), (700, 900)])
def test_perm_on_many_points(n, k1, k2):
    rng = np.random.default_rng(n + k1)
    a = rng.integers(k1, size=n)
    b = np.where(rng.random(n) < 0.3, a % k2, rng.integers(k2, size=n))
    ours = fr.adjusted_similarity(a, b, model="perm")
    assert ours == pytest.approx(adjusted_rand_score(a, b), abs=1e-12)
