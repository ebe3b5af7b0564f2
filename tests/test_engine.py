"""The adjustment for chance: the maximum that a clustering reaches with itself."""

import numpy as np
import pytest

import fuzzyrand as fr

from . import brute
from .own_indices import own_dots

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
    asked = {"index": own_dots(), "model": "fit", "maximum": "self", "pairs": 2000}
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
