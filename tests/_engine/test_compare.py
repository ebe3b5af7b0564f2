"""The adjustment for chance: the maximum that a clustering reaches with itself."""

import numpy as np
import pytest

import fuzzyrand as fr

from .. import brute
from ..own_indices import own_dots

TOY = fr.toy_clusterings()


@pytest.mark.parametrize("index", ["brouwer", "consistency"])
def test_the_self_similarity_as_maximum(index):
    rng = np.random.default_rng(4)
    u = rng.dirichlet([0.5] * 3, 40)
    v = 0.8 * u + 0.2 * rng.dirichlet([1.0] * 3, 40)
    plain = fr.compare(u, v, index=index)
    own = [brute.index_by_name(index, x, x) for x in (u, v)]
    assert plain.self_similarities == pytest.approx(own, abs=1e-12)
    assert plain.maximum == 1.0
    assert "maximum='self'" in str(plain)
    c = fr.compare(u, v, index=index, maximum="self")
    assert c.maximum == pytest.approx(np.mean(own), abs=1e-12)
    exact = (c.observed - c.expected) / (np.mean(own) - c.expected)
    assert c.adjusted == pytest.approx(exact, abs=1e-12)
    assert c.adjusted > plain.adjusted
    assert f"{c.maximum:.4f}" in str(c)
    itself = fr.compare(u, u, index=index, maximum="self")
    assert itself.adjusted == pytest.approx(1.0, abs=1e-12)
    assert fr.compare(u, u, index=index).adjusted < 0.95
    assert fr.adjusted_similarity(u, v, index=index, maximum="self") == c.adjusted
    assert (
        fr.pairwise({"u": u, "v": v}, index=index, maximum="self")["u", "v"].adjusted == c.adjusted
    )


def test_sampled_self_similarities_count_for_the_accuracy():
    rng = np.random.default_rng(14)
    u, v = rng.dirichlet([1.0, 1.0, 1.0], 300), rng.dirichlet([2.0, 1.0, 1.0], 300)
    asked = {"index": own_dots(), "model": "fit", "maximum": "self"}
    asked["effort"] = fr.Effort(pairs=2000)
    first = fr.compare(u, v, **asked, tol=0.5)
    assert first.stderr > 1e-3
    for tol in (1.2 * first.stderr, 0.9 * first.stderr, 1e-4):
        c = fr.compare(u, v, **asked, tol=tol)
        assert c.converged == (c.stderr <= tol)
        assert ("not reached" in c.accuracy) != c.converged
    assert not c.converged


def test_reflexive_indices_have_no_other_maximum():
    u, v = TOY["high_fuzzy"], TOY["uneven_low_fuzzy"]
    for index in ("ndc", "belief", "jousselme", "frobenius"):
        c = fr.compare(u, v, index=index, model="perm", maximum="self")
        assert c == fr.compare(u, v, index=index, model="perm")
        assert c.self_similarities is None
    with pytest.raises(fr.ParameterError, match="1 or 'self'"):
        fr.compare(u, v, maximum=2)


def nearly_the_same(spread, n=60, seed=0):
    """Two unrelated clusterings whose rows all lie within ``spread`` of one row."""
    rng = np.random.default_rng(seed)
    rows = [np.array([0.5, 0.3, 0.2]) + spread * rng.standard_normal((n, 3)) for _ in range(2)]
    return [x / x.sum(axis=1, keepdims=True) for x in rows]


@pytest.mark.parametrize("spread", [1e-5, 1e-7, 1e-9])
@pytest.mark.parametrize("model", ["perm", "fit", "kernel", "generalised", "mixture"])
def test_rows_that_are_nearly_the_same_score_as_noise(spread, model):
    # kernel gave 0.84 to 1 here, generalised -20.
    c = fr.compare(*nearly_the_same(spread), model=model, tol=0.01)
    assert abs(c.adjusted) < 0.2


@pytest.mark.parametrize("index", ["jousselme", "brouwer", "frobenius"])
def test_a_value_that_is_lost_in_rounding_is_not_called_exact(index):
    first, second = nearly_the_same(1e-9)
    c = fr.compare(first, second, index=index, model="perm")
    assert not c.exact
    assert c.error_bound == np.inf
    assert "unknown accuracy" in str(c)
    assert any("only rounding error" in note for note in c.notes)
    same = fr.as_partition(first)
    again = fr.compare(same, same, index=index, model="perm")
    if index != "brouwer":  # which is below 1 for a fuzzy clustering with itself
        assert again.adjusted == 1.0


def test_one_cluster_on_both_sides_is_exactly_alike():
    c = fr.compare([0] * 5, [1] * 5, model="perm")
    assert (c.adjusted, c.exact, c.notes) == (1.0, True, ())
