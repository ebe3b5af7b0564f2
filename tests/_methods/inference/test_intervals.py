"""Confidence intervals: what they say, what they refuse, and what they cost nothing to check."""

import json

import numpy as np
import pandas as pd
import pytest

import fuzzyrand as fr
from fuzzyrand.models.registry import MODELS


def clusterings(n=200, seed=0):
    rng = np.random.default_rng(seed)
    labels = rng.integers(3, size=n)
    near = np.where(rng.random(n) < 0.9, labels, rng.integers(3, size=n))
    far = np.where(rng.random(n) < 0.5, labels, rng.integers(3, size=n))
    soft = 0.7 * np.eye(3)[labels] + 0.3 * rng.dirichlet(np.ones(3), n)
    return labels, near, far, soft


def test_an_interval_holds_the_value_and_stays_below_one():
    labels, near, far, soft = clusterings()
    for other in (near, far, soft):
        for model in ("perm", "fit"):
            found = fr.confidence_interval(labels, other, model=model)
            assert found.low < found.adjusted < found.high < 1.0
            assert found.adjusted == fr.compare(labels, other, model=model).adjusted
            wider = fr.confidence_interval(labels, other, model=model, level=0.99)
            assert wider.low < found.low
            assert wider.high > found.high
            low, high = found
            assert (low, high) == (found.low, found.high)


@pytest.mark.parametrize(("k", "n"), [((2, 2), 60), ((2, 2), 1000), ((2, 3), 200)])
def test_intervals_of_unrelated_halves_cover_0(k, n):
    """The index is degenerate there: 72% to 84% of them did, before the limit on the error."""
    rng = np.random.default_rng(0)
    found = [
        fr.confidence_interval(*(rng.integers(c, size=n) for c in k), model="perm")
        for _ in range(150)
    ]
    assert sum(interval.low <= 0.0 <= interval.high for interval in found) >= 0.93 * 150


@pytest.mark.parametrize("model", [name for name in fr.models.MODELS if name != "all"])
@pytest.mark.parametrize("labels", [[0] * 10, list(range(10))], ids=["one cluster", "singletons"])
def test_where_chance_agrees_as_well_there_is_no_interval(model, labels):
    found = fr.confidence_interval(labels, labels, model=model)
    if 1.0 - found.comparisons[0].expected < 1e-12:
        assert np.isnan(found.low)
        assert any("there is no interval" in note for note in found.notes)
    else:
        assert found.high == 1.0 or np.isnan(found.low)
    json.dumps(found.to_dict(), allow_nan=False)


def test_no_population_has_a_value_under_all():
    labels, near, _, _ = clusterings()
    with pytest.raises(fr.NotApplicableError, match="depends on the number of points"):
        fr.confidence_interval(labels, near, model="all")


def test_a_balanced_design_has_an_interval_above_chance():
    """Each of four cells has 25 points: no influence at all, but other samples are not balanced."""
    first, second = np.tile([0, 0, 1, 1], 25), np.tile([0, 1, 0, 1], 25)
    for model in ("perm", "cat", "num"):
        found = fr.confidence_interval(first, second, model=model)
        assert found.low <= found.adjusted < 0.0 < found.high < 0.1


def test_the_interval_of_halves_is_that_of_a_chi_square_variable():
    """Close to chance, n times the index of even halves is z**2 - 1 with a normal z."""
    labels = np.repeat([0, 1], 5000)
    other = labels.copy()
    other[np.arange(0, 10_000, 2)] = 1  # all pairs of cells, then a few more together
    other[np.arange(1, 10_000, 2)] = 0
    other[:150] = 0
    other[-150:] = 1
    found = fr.confidence_interval(labels, other, model="perm")
    root = np.sqrt(10_000 * found.adjusted + 1.0)
    assert root > 2.0
    assert found.low == pytest.approx((root - 1.96) ** 2 / 10_000, rel=0.03)
    assert found.high == pytest.approx((root + 1.96) ** 2 / 10_000, rel=0.03)


def test_many_points_have_the_interval_of_their_influences():
    """Far from chance, the ends are those of a normal law on the scale of ln(1 - adjusted)."""
    labels, near, _, soft = clusterings(100_000)
    for other in (near, soft):
        found = fr.confidence_interval(labels, other, model="perm")
        alone = fr.confidence_interval(labels, other, model="perm", groups=np.arange(100_000))
        assert found.stderr == pytest.approx(alone.stderr, rel=1e-3)
        assert found.low == pytest.approx(alone.low, abs=0.02 * (alone.high - alone.low))
        assert found.high == pytest.approx(alone.high, abs=0.02 * (alone.high - alone.low))


def test_below_chance_the_interval_is_normal():
    """Two rare clusters that avoid each other: the true value and the interval are below 0."""
    labels = np.repeat([0, 0, 1], [8000, 1000, 1000])
    other = np.repeat([0, 1, 0], [8000, 1000, 1000])
    found = fr.confidence_interval(labels, other, model="perm")
    assert found.low < found.adjusted < found.high < -0.06


def test_too_few_points_to_leave_groups_out():
    with pytest.raises(fr.NotApplicableError, match="its jackknife needs at least 4"):
        fr.confidence_interval([0, 1, 0], [0, 1, 1], model="perm", index="frobenius")


def test_a_difference_is_paired():
    labels, near, far, _ = clusterings()
    found = fr.confidence_interval(labels, (near, far), model="perm")
    one, two = (fr.confidence_interval(labels, x, model="perm") for x in (near, far))
    assert found.adjusted == pytest.approx(one.adjusted - two.adjusted)
    assert found.low > 0.0
    assert "The first of the two agrees more with the reference." in found.sentence
    assert "The second of the two agrees more with the reference." in (
        fr.confidence_interval(labels, (far, near), model="perm").sentence
    )
    same = fr.confidence_interval(labels, (near, near.copy()), model="perm")
    assert same.adjusted == 0.0
    assert np.isnan(same.low)
    rng = np.random.default_rng(1)
    nearly = near.copy()
    nearly[rng.choice(200, 4)] = 0
    plain = fr.confidence_interval(labels, (tuple(near), tuple(far)), model="perm")
    assert plain.adjusted == found.adjusted
    paired = fr.confidence_interval(labels, (near, nearly), model="perm")
    assert paired.stderr < 0.5 * np.hypot(one.stderr, two.stderr)


def test_groups_are_the_units():
    labels, near, _, soft = clusterings()
    rng = np.random.default_rng(2)
    singles = fr.confidence_interval(labels, near, groups=rng.permutation(200))
    plain = fr.confidence_interval(labels, near)
    assert singles.stderr == pytest.approx(plain.stderr, rel=0.03)
    # Each point ten times over: the groups tell no more than the points did.
    ten = np.repeat(np.arange(200), 10)
    repeated = fr.confidence_interval(labels[ten], soft[ten], model="perm", groups=ten)
    assert repeated.groups == 200
    once = fr.confidence_interval(labels, soft, model="perm")
    assert repeated.stderr == pytest.approx(once.stderr, rel=0.05)
    naive = fr.confidence_interval(labels[ten], soft[ten], model="perm")
    assert naive.stderr < 0.5 * once.stderr
    with pytest.raises(fr.NotApplicableError, match="one group"):
        fr.confidence_interval(labels, near, groups=np.zeros(200, int))
    with pytest.raises(fr.InputError, match="groups has 199"):
        fr.confidence_interval(labels, near, groups=np.zeros(199, int))


def test_groups_follow_indexes_and_dropped_points():
    labels, near, _, _ = clusterings()
    ids = [f"p{i}" for i in range(200)]
    groups = pd.Series(np.arange(200) // 4, index=ids)
    a, b = pd.Series(labels, index=ids), pd.Series(near, index=ids)
    b.iloc[:20] = -1
    order = np.random.default_rng(0).permutation(200)
    kw = {"noise": -1, "noise_as": "drop", "model": "perm"}
    straight = fr.confidence_interval(a, b, groups=groups, **kw)
    shuffled = fr.confidence_interval(a, b.iloc[order], groups=groups.iloc[order], **kw)
    by_hand = fr.confidence_interval(
        labels[20:], near[20:], groups=np.arange(20, 200) // 4, model="perm"
    )
    assert straight.stderr == pytest.approx(shuffled.stderr, rel=1e-12)
    assert straight.stderr == pytest.approx(by_hand.stderr, rel=1e-2)
    assert straight.groups == by_hand.groups == 45


def test_what_cannot_be_trusted_is_noted():
    labels, near, _, _ = clusterings()
    few = fr.confidence_interval(labels[:20], near[:20])
    assert any("too few" in note for note in few.notes)
    perfect = fr.confidence_interval(labels, labels)
    assert 0.5 < perfect.low < perfect.high == 1.0
    assert np.isnan(perfect.stderr)
    assert "agree on every pair" in perfect.notes[0]
    assert json.loads(json.dumps(perfect.to_dict()))["stderr"] is None
    rare = fr.confidence_interval([0] * 56 + [1] * 4, [0] * 57 + [1] * 3, model="perm")
    assert any("only 3 points outside" in note for note in rare.notes)
    assert not any("reliable" in note for note in fr.confidence_interval(labels, near).notes)
    for level in (95, 0.0, 1e-12, 1.0 - 1e-6, 1.0 - 1e-16):  # the last gave an end of -1e300
        with pytest.raises(fr.ParameterError, match="is usual"):
            fr.confidence_interval(labels, near, level=level)
    assert "99.99% CI" in str(fr.confidence_interval(labels, near, level=0.9999))


def test_perfect_agreement_has_a_lower_bound():
    """The index with 3 of 200 points moved from the second largest cluster to the largest."""
    labels = np.repeat([5, 7, 6], [50, 70, 80])
    moved = labels.copy()
    moved[50:53] = 6
    for model in ("perm", "fit", "num"):
        found = fr.confidence_interval(labels, labels + 1, model=model)
        assert found.high == 1.0
        assert found.low == fr.compare(labels, moved, model=model).adjusted < 0.97
        assert np.isnan(found.stderr)
        assert "allows for 3 misplaced points in 200" in found.notes[0]
    narrow = fr.confidence_interval(labels, labels, model="perm", level=0.5)
    moved[51:53] = 7
    assert narrow.low == fr.compare(labels, moved, model="perm").adjusted
    groups = np.repeat(np.arange(20), 10)
    by_groups = fr.confidence_interval(labels, labels, model="perm", groups=groups)
    assert by_groups.low < found.low
    assert "3 misplaced groups of points in 20" in by_groups.notes[0]


def test_perfect_agreement_of_fuzzy_clusterings_and_of_the_frobenius_index():
    labels, *_, soft = clusterings()
    for same, index in ((soft, "ndc"), (soft, "belief"), (labels, "frobenius")):
        found = fr.confidence_interval(same, same, model="perm", index=index)
        assert 0.9 < found.low < 1.0 == found.high


@pytest.mark.parametrize(("index", "model"), [("frobenius", "perm"), ("mi", "sym")])
def test_a_group_that_leaves_a_single_point_is_refused(index, model):
    """One was an IndexError, and the other said to transpose the clustering."""
    soft = clusterings(6)[-1]
    with pytest.raises(fr.NotApplicableError, match="one group holds 5 of all 6 points"):
        fr.confidence_interval(
            [0, 0, 1, 1, 2, 2], soft, index=index, model=model, groups=[0, 0, 0, 0, 0, 1]
        )


def test_fuzzy_clusterings_with_the_same_strongest_clusters_allow_for_misplaced_points():
    """Fuzziness hides that no point is misplaced, and that other samples may have some."""
    rng = np.random.default_rng(0)
    labels = np.repeat([0, 1, 2], [70, 80, 50])
    soft = 0.99 * np.eye(3)[labels] + 0.01 * rng.dirichlet(np.ones(3), 200)
    hard = fr.confidence_interval(labels, labels)
    for model in ("perm", "fit", "flat"):
        for a, b in ((labels, soft), (soft, labels), (soft, soft[:, ::-1] ** 2)):
            found = fr.confidence_interval(a, b, model=model, normalize=True)
            assert found.low < hard.low + 0.01
            assert found.adjusted < found.high < 1.0
            assert "agree on the strongest cluster of every point" in found.notes[0]
            assert "allows for 3 misplaced points in 200" in found.notes[0]
    misplaced = labels.copy()
    misplaced[0] = 1
    assert not fr.confidence_interval(misplaced, soft).notes
    alone = 0.9 * np.eye(2)[np.zeros(40, dtype=int)] + 0.1 * rng.dirichlet(np.ones(2), 40)
    assert not any(
        "misplaced" in note
        for note in fr.confidence_interval(alone, alone**2, normalize=True).notes
    )


def test_overlapping_clusters_have_no_strongest_one():
    rng = np.random.default_rng(0)
    first = np.repeat([[1, 0], [0, 1]], 20, axis=0)
    one, two = (fr.as_cover(np.hstack([first, rng.integers(2, size=(40, 2))])) for _ in range(2))
    notes = fr.confidence_interval(one, two, index="omega").notes
    assert not any("strongest" in note for note in notes)


def test_a_difference_to_a_perfect_clustering_allows_for_misplaced_points():
    labels, near, _, _ = clusterings()
    alone = fr.confidence_interval(labels, labels, model="perm")
    found = fr.confidence_interval(labels, (labels, near), model="perm")
    second = fr.confidence_interval(labels, near, model="perm")
    assert found.low == pytest.approx(
        found.adjusted - np.hypot(1.0 - alone.low, second.high - second.adjusted)
    )
    assert found.high == pytest.approx(found.adjusted + second.adjusted - second.low)
    assert "misplaced points in 200" in found.notes[0]
    both = fr.confidence_interval(labels, (labels, labels + 1), model="perm")
    assert (both.low, both.high) == (pytest.approx(alone.low - 1.0), pytest.approx(1.0 - alone.low))


@pytest.mark.parametrize("model", sorted(set(MODELS) - {"all"}))
def test_without_anything_to_adjust_there_is_no_interval_but_a_reason(model):
    """Seven models divided by zero here."""
    for same in ([0] * 10, list(range(10))):
        try:
            found = fr.confidence_interval(same, same, model=model)
        except fr.NotApplicableError:
            continue
        if found.adjusted == 1.0 and np.isnan(found.low):
            assert "there is no interval" in found.notes[0]
        difference = fr.confidence_interval(same, (same, same), model=model)
        assert np.isnan(difference.low) == np.isnan(found.low)


def test_one_cluster_against_several_has_no_interval_but_a_difference_does():
    labels, near, _, _ = clusterings()
    one = np.zeros(200, int)
    found = fr.confidence_interval(labels, one, model="perm")
    assert np.isnan(found.low)
    assert "the same influence" in found.notes[0]
    alone = fr.confidence_interval(labels, near, model="perm")
    difference = fr.confidence_interval(labels, (near, one), model="perm")
    assert tuple(difference) == pytest.approx(tuple(alone))
    assert "only 0 points outside" in difference.notes[0]


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_very_few_points_do_not_fail(n):
    rng = np.random.default_rng(n)
    for _ in range(20):
        a, b, c = rng.integers(2, size=(3, n))
        for other in (b, rng.dirichlet([1, 1], n), (b, c)):
            found = fr.confidence_interval(a, other, model="perm")
            assert np.isnan(found.low) or found.low <= found.adjusted <= found.high


def test_under_all_a_population_has_no_value():
    labels, near, _, _ = clusterings()
    for other in (near, (near, labels)):
        with pytest.raises(
            fr.NotApplicableError, match=r"has no value to be covered\. Use model='num' or 'perm'"
        ):
            fr.confidence_interval(labels, other, model="all")


def test_small_clusters_under_num_are_noted():
    rng = np.random.default_rng(0)
    labels = rng.permutation(np.arange(100) % 30)
    other = np.where(rng.random(100) < 0.8, labels, rng.permutation(labels))
    found = fr.confidence_interval(labels, other, model="num")
    assert any("not for a population" in note for note in found.notes)
    few, near, _, _ = clusterings()
    assert fr.confidence_interval(few, near, model="num").notes == ()


def test_notes_on_the_comparison_are_there_as_well():
    labels, near, _, _ = clusterings()
    near[:5] = -1
    found = fr.confidence_interval(labels, near, model="perm", noise=-1)
    assert any("are noise points (label -1)" in note for note in found.notes)


def test_frobenius_by_leaving_out_groups():
    labels, _, _, soft = clusterings()
    found = fr.confidence_interval(labels, soft, index="frobenius", model="perm")
    assert found.low < found.adjusted < found.high
    assert "30 random groups" in found.method
    both = fr.confidence_interval(
        labels, (soft, soft**2 / (soft**2).sum(1)[:, None]), index="frobenius", model="perm"
    )
    assert both.low < both.adjusted < both.high
