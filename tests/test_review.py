"""Corners that once gave a wrong number or a bare traceback."""

from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import adjusted_rand_score

import fuzzyrand as fr
from fuzzyrand._base.errors import ParameterError
from fuzzyrand._pairs.all_pairs import kept_agreements

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint64])
def test_narrow_integers_do_not_wrap(dtype):
    low, high = max(np.iinfo(dtype).min, -200), min(np.iinfo(dtype).max, 200)
    wide = np.arange(low, high + 1)
    labels = wide.astype(dtype)
    assert fr.as_partition(labels).k == labels.size
    shuffled = RNG.permutation(np.repeat(wide, 3))
    other = np.repeat(wide, 3) // 2
    ours = fr.adjusted_similarity(shuffled.astype(dtype), other, model="perm")
    assert ours == pytest.approx(adjusted_rand_score(shuffled, other), abs=1e-12)


def _near(n, eps):
    x = 1 / 3 + eps * RNG.standard_normal((n, 3))
    return x / x.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("eps", [1e-4, 1e-6, 1e-8])
def test_nearly_identical_rows_do_not_cancel(eps):
    u, v = _near(400, eps), _near(400, eps)
    i, j = np.triu_indices(400, 1)
    a, b = (0.5 * np.abs(x[i] - x[j]).sum(axis=1) for x in (u, v))  # 1 - agreement
    ordered = np.sort(b)
    sums = np.concatenate([[0.0], np.cumsum(ordered)])
    at = np.searchsorted(ordered, a)
    expected = (a * (2.0 * at - b.size) + sums[-1] - 2.0 * sums[at]).mean() / b.size
    exact = 1.0 - np.abs(a - b).mean() / expected
    assert fr.adjusted_similarity(u, v, model="perm") == pytest.approx(
        exact, abs=1e-7 + 3e-15 / eps
    )
    for model in ("fit", "sym"):
        assert abs(fr.adjusted_similarity(u, v, model=model, tol=0.01)) < 0.2


@pytest.mark.parametrize("index", ["ndc", fr.NDC(p=2)])
def test_bins_cover_the_agreements_there_are(index):
    # Rows that are nearly the same: their agreements fill a tiny part of [0, 1].
    u, v = _near(1600, 1e-9), _near(1600, 1e-9)
    binned = fr.compare(u, v, model="perm", index=index)
    assert binned.computed["expected"] == "all pairs, binned"
    assert binned.error_bound < 1e-4
    agree = fr.indices.as_index(index).agreement
    a, b = (np.sort(kept_agreements(fr.as_partition(x), agree)) for x in (u, v))
    at, sums = np.searchsorted(b, a), np.concatenate([[0.0], np.cumsum(b - b[0])])
    a, first = a - b[0], b - b[0]
    expected = (a * (2.0 * at - b.size) + first.sum() - 2.0 * sums[at]).mean() / b.size
    # The agreements themselves are known to 1e-16, and lie 1e-9 apart.
    assert 1.0 - binned.expected == pytest.approx(expected, rel=1e-5)


def test_a_loose_bound_is_not_called_exact():
    u, v = _near(1600, 1e-12), _near(1600, 1e-12)
    c = fr.compare(u, v, model="perm")
    assert not c.exact
    assert c.error_bound > 1e-5
    assert "at most" in str(c)


def test_a_member_called_reference_is_not_overwritten():
    a, b, c = [0, 0, 1, 1, 2], [0, 1, 1, 2, 2], [0, 0, 0, 1, 1]
    row = fr.pairwise({"reference": a, "x": b}, reference=c, model="perm")
    expected = [fr.adjusted_similarity(c, other, model="perm") for other in (a, b)]
    assert row.adjusted[0] == pytest.approx(expected)
    with pytest.raises(fr.InputError, match="same name"):
        fr.pairwise({1: a, "1": b})


def test_fractions_of_any_type_are_no_labels():
    soft = [0.3, 0.7, 0.5]
    for labels in (
        [np.float32(x) for x in soft],
        [Decimal(str(x)) for x in soft],
        pd.Series(soft, dtype=object),
    ):
        with pytest.raises(fr.InputError, match="one column of memberships"):
            fr.as_partition(labels)
    rows = [tuple(row) for row in np.float32([[0.25, 0.75], [0.5, 0.5], [1.0, 0.0]])]
    assert fr.as_partition(rows).kind == "fuzzy"
    assert fr.as_partition(pd.Series(soft).astype("category")).k == 3


def test_large_integers_in_lists_stay_apart():
    assert fr.as_partition([2**63, 2**63 + 1, -1, 2**63]).k == 3
    assert fr.as_partition([2**60, 2**60 + 1, 1.0]).k == 3


def test_a_partition_does_not_change_with_the_callers_array():
    labels = np.array([0, 0, 1, 1])
    for partition in (fr.Partition.from_labels(labels), fr.as_partition(labels)):
        before = partition.codes.copy()
        labels[:] = 0
        assert (partition.codes == before).all()
        labels[:] = [0, 0, 1, 1]


def test_sums_that_overflow_are_refused():
    with pytest.raises(fr.InputError, match="row 0"):
        fr.as_partition([[1e308, 1e308], [1, 3]], normalize=True)


def test_a_resolution_that_rows_may_fall_below_is_refused():
    x = fr.toy_clusterings()["high_fuzzy"]
    for model in (fr.Fit(resolution=0.41), fr.Sym(resolution=0.34)):
        with pytest.raises(fr.NotApplicableError, match="1/3"):
            fr.compare(x, x[::-1], model=model)


def test_the_number_of_pairs_and_the_tolerance_are_taken_at_their_word():
    u, v = RNG.dirichlet(np.ones(3), 300), RNG.dirichlet(np.ones(3), 300)
    c = fr.compare(u, v, model="perm", pairs=np.int64(2000))
    assert c.computed["observed"] == "2,000 random pairs"
    assert not c.converged
    with pytest.warns(fr.SampledPairsWarning, match="too many pairs"):
        fr.expected_similarity(u, v, model="perm", pairs=2000)
    with pytest.warns(fr.SampledPairsWarning, match="stopped at its limit"):
        fr.adjusted_similarity(u, v, max_draws=1000, tol=1e-7)


def test_the_rand_index_has_no_flat_model():
    with pytest.raises(fr.NotApplicableError, match="'flat' draws fuzzy"):
        fr.compare([0, 1, 1], [0, 0, 1], index="rand", model="flat")
    assert "flat" not in fr.compare([0, 1, 1], [0, 0, 1], index="rand", model="every").models


def test_messages_for_wrong_calls():
    a, b = [0, 1, 1], [0, 0, 1]
    with pytest.raises(fr.UnknownNameError, match=r"compare\(\)"):
        fr.adjusted_similarity(a, b, model="every")
    with pytest.raises(ParameterError, match="tol"):
        fr.compare(a, b, tol="x")
    with pytest.raises(ParameterError, match="pairs"):
        fr.compare(a, b, pairs=np.array([1, 2]))
    with pytest.raises(ParameterError, match="p >= 1"):
        fr.NDC(p="2")
    with pytest.raises(fr.InputError, match="row 0"):
        fr.Partition.from_memberships([0, 1, 1])
    with pytest.raises(fr.InputError, match="whole number"):
        fr.Partition.from_labels(a, clusters=2.5)


def test_hard_clusterings_are_exact_for_every_power():
    c = fr.compare([0, 0, 1, 1], [0, 1, 1, 1], index=fr.NDC(2, 3), model="perm")
    assert c.error_bound == 0.0
    assert c.adjusted == fr.adjusted_similarity([0, 0, 1, 1], [0, 1, 1, 1], model="perm")
