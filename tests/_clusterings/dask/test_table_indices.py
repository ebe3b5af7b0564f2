"""Indices of contingency tables, whose tables are sums over blocks."""

import numpy as np
import pytest

import fuzzyrand as fr

da = pytest.importorskip("dask.array")

RNG = np.random.default_rng(0)
N = 3000
SOFT, SOFTER = RNG.dirichlet([0.4] * 4, N), RNG.dirichlet([0.4] * 3, N)
LABELS, OTHERS = RNG.integers(5, size=N), RNG.integers(4, size=N)


def blocks(side):
    return da.from_array(side, chunks=(700, *side.shape[1:]))


@pytest.mark.parametrize("model", ["perm", "fit"])
@pytest.mark.parametrize("index", ["mi", "vi", "homogeneity", "completeness"])
@pytest.mark.parametrize("pair", [(SOFT, SOFTER), (LABELS, SOFTER), (LABELS, OTHERS)])
def test_the_same_as_in_memory(pair, index, model):
    whole = fr.compare(*pair, index=index, model=model)
    found = fr.compare(*map(blocks, pair), index=index, model=model)
    assert found.observed == pytest.approx(whole.observed, abs=1e-12)
    # Blocks know the variances of memberships, but no higher moments.
    assert abs(found.adjusted - whole.adjusted) <= found.error_bound + whole.error_bound
    assert found.computed["observed"] == "contingency table, 5 blocks"


def test_what_can_be_drawn_from_sizes_alone():
    whole = fr.compare(LABELS, OTHERS, index="accuracy")
    found = fr.compare(blocks(LABELS), blocks(OTHERS), index="accuracy")
    assert found.expected == whole.expected
    with pytest.raises(fr.NotApplicableError, match="in blocks"):
        fr.compare(blocks(LABELS), blocks(OTHERS), index="accuracy", model="cat")
