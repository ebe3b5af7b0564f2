"""Weighted points of dask collections: the same results as in memory."""

import numpy as np
import pandas as pd
import pytest

import fuzzyrand as fr

da = pytest.importorskip("dask.array")
dd = pytest.importorskip("dask.dataframe")

RNG = np.random.default_rng(0)
N = 120
LABELS = RNG.integers(3, size=N)
SOFT = RNG.dirichlet([0.5, 0.5], N)
WEIGHTS = RNG.gamma(1.0, size=N)
WEIGHTS[5] = 0.0


@pytest.mark.parametrize("model", ["perm", "fit", "mixture"])
@pytest.mark.parametrize("form", ["array", "frame"])
def test_weights_in_blocks_or_in_memory(model, form):
    wanted = fr.compare(LABELS, SOFT, model=model, weights=WEIGHTS)
    a, b = da.from_array(LABELS, chunks=50), da.from_array(SOFT, chunks=(40, 1))
    w = da.from_array(WEIGHTS, chunks=30)
    if form == "frame":
        frame = pd.DataFrame({"label": LABELS, "x": SOFT[:, 0], "y": SOFT[:, 1], "w": WEIGHTS})
        whole = dd.from_pandas(frame, npartitions=3)
        a, b, w = whole["label"], whole[["x", "y"]], whole["w"]
    for weights in (w, WEIGHTS, list(WEIGHTS)):
        found = fr.compare(a, b, model=model, weights=weights)
        assert found.adjusted == pytest.approx(wanted.adjusted, abs=1e-12)
        assert found.weights == wanted.weights
    assert fr.adjusted_similarity(LABELS, SOFT, weights=w) == pytest.approx(
        fr.adjusted_similarity(LABELS, SOFT, weights=WEIGHTS), abs=1e-12
    )
    table = fr.pairwise({"a": a, "b": b, "c": LABELS}, weights=w, model=model)
    assert table.adjusted[0, 1] == pytest.approx(wanted.adjusted, abs=1e-12)
    if form == "frame":
        assert tuple(found.analysis.partitions[1].names) == ("x", "y")


def test_other_rows_and_many_rows_are_refused():
    a = da.from_array(LABELS, chunks=50)
    with pytest.raises(fr.InputError, match="the weights has 20"):
        fr.compare(a, a, weights=da.from_array(WEIGHTS[:20], chunks=10))
    with pytest.raises(fr.InputError, match="weights has 20 rows"):
        fr.compare(a, a, weights=WEIGHTS[:20])
    little = fr.Effort(budget=fr.Budget(collected_entries=100))
    with pytest.raises(fr.NotApplicableError, match="read into memory as a whole"):
        fr.compare(a, a, weights=WEIGHTS, effort=little)
